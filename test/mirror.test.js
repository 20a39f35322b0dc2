import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { ROOT } from './support/command.js';

/**
 * The sources without a mirror test, each with the tests that cover it: one line per file, sorted. To remove a line, write
 * the mirror test. Sources that contain only types need neither.
 */
const ELSEWHERE = {
  'lib/basic-credentials.js': 'test/lib/iteration/session/auth.test.js',
  'lib/cli/commands/ab.js': 'test/results.test.js',
  'lib/cli/commands/compare.js': 'test/results.test.js',
  'lib/cli/commands/help.js': 'test/lib/cli/commands/index.test.js',
  'lib/cli/commands/list.js': 'test/lib/cli/list-text.test.js',
  'lib/cli/commands/merge.js': 'test/results.test.js',
  'lib/cli/commands/report.js': 'test/results.test.js',
  'lib/cli/commands/run.js': 'test/lib/cli/options.test.js',
  'lib/cli/commands/serve.js': 'test/faults/security.test.js',
  'lib/cli/config.js': 'test/config.test.js',
  'lib/cli/engine/engine-worker.js': 'test/cli.test.js',
  'lib/cli/engine/engine.js': 'test/cli.test.js',
  'lib/cli/engine/signals.js': 'test/faults/output.test.js',
  'lib/cli/exit-process.js': 'test/faults/ending.test.js',
  'lib/cli/flags/argument-parser.js': 'test/lib/cli/options.test.js',
  'lib/cli/flags/comparison-flags.js': 'test/results.test.js',
  'lib/cli/flags/output-flags.js': 'test/results.test.js',
  'lib/cli/flags/run-flags.js': 'test/lib/cli/options.test.js',
  'lib/cli/flags/target-flags.js': 'test/lib/cli/options.test.js',
  'lib/cli/help.js': 'test/cli.test.js',
  'lib/cli/main.js': 'test/cli.test.js',
  'lib/cli/output.js': 'test/faults/output.test.js',
  'lib/cli/project.js': 'test/config.test.js',
  'lib/cli/result/compare-results.js': 'test/results.test.js',
  'lib/cli/result/describe-run.js': 'test/results.test.js',
  'lib/cli/result/merge-results.js': 'test/results.test.js',
  'lib/cli/result/output-files.js': 'test/faults/output.test.js',
  'lib/cli/result/print-result.js': 'test/results.test.js',
  'lib/cli/result/read-result.js': 'test/faults/any-result.test.js',
  'lib/cli/result/regression.js': 'test/results.test.js',
  'lib/cli/result/replace-file.js': 'test/results.test.js',
  'lib/cli/run/dashboard.js': 'test/tools/page.test.js',
  'lib/cli/run/outcome.js': 'test/cli.test.js',
  'lib/cli/run/print-config.js': 'test/config.test.js',
  'lib/cli/run/run-ab.js': 'test/cli.test.js',
  'lib/cli/run/run-flow.js': 'test/cli.test.js',
  'lib/cli/run/run-view.js': 'test/cli.test.js',
  'lib/cli/run/sampler.js': 'test/results.test.js',
  'lib/cli/usage-error.js': 'test/lib/cli/options.test.js',
  'lib/flow/bodies/body.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/bodies/compile-body.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/bodies/form-data.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/bodies/form.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/bodies/index.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/bodies/json.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/bodies/text-content.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/changed-request.js': 'test/faults/hooks.test.js',
  'lib/flow/encode-pairs.js': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/hash.js': 'test/results.test.js',
  'lib/flow/hook-options.js': 'test/faults/hooks.test.js',
  'lib/flow/index.js': 'test/lib/flow/compile.test.js',
  'lib/flow/origins.js': 'test/faults/session.test.js',
  'lib/flow/record.js': 'test/lib/flow/operation.test.js',
  'lib/flow/rules.js': 'test/lib/flow/operation.test.js',
  'lib/flow/source/dialects/artillery.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/source/dialects/har.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/source/dialects/index.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/source/dialects/openapi.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/source/dialects/postman.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/source/dialects/saved-result.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/source/extensions.js': 'test/lib/run/flow-source.test.js',
  'lib/flow/source/formats/flow-fault.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/index.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/inline.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/json.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/module-error.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/module.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/url.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/formats/yaml.js': 'test/lib/flow/source/load.test.js',
  'lib/flow/source/read-document.js': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/flow/tokens/index.js': 'test/token-injection.test.js',
  'lib/flow/tokens/iteration-index.js': 'test/lib/flow/template.test.js',
  'lib/flow/unix-socket.js': 'test/unix-socket.test.js',
  'lib/hooks/end-step-timer.js': 'test/hooks.test.js',
  'lib/hooks/ignore-status.js': 'test/hooks.test.js',
  'lib/hooks/index.js': 'test/hooks.test.js',
  'lib/hooks/save-etag.js': 'test/hooks.test.js',
  'lib/hooks/start-step-timer.js': 'test/hooks.test.js',
  'lib/hooks/use-etag.js': 'test/hooks.test.js',
  'lib/hooks/verify-2xx.js': 'test/hooks.test.js',
  'lib/iteration/all.js': 'test/hooks.test.js',
  'lib/iteration/env.js': 'test/hooks.test.js',
  'lib/iteration/exchange.js': 'test/session.test.js',
  'lib/iteration/exemplar.js': 'test/timing/truth.test.js',
  'lib/iteration/iteration-state.js': 'test/lib/iteration/lane.test.js',
  'lib/iteration/iteration.js': 'test/phases.test.js',
  'lib/iteration/pause.js': 'test/timing/load-shapes.test.js',
  'lib/iteration/phase.js': 'test/phases.test.js',
  'lib/iteration/session/cookies.js': 'test/faults/session.test.js',
  'lib/iteration/session/index.js': 'test/faults/session.test.js',
  'lib/iteration/step.js': 'test/faults/hooks.test.js',
  'lib/iteration/trace.js': 'test/transport-options.test.js',
  'lib/measure/complete.js': 'test/lib/measure/figures.test.js',
  'lib/measure/hdr-encoding.js': 'test/lib/measure/hdr-counts.test.js',
  'lib/measure/meter.js': 'test/lib/measure/recorder.test.js',
  'lib/measure/missing.js': 'test/faults/ending.test.js',
  'lib/measure/result-schema.js': 'test/lib/measure/figures.test.js',
  'lib/measure/statistics.js': 'test/lib/measure/compare.test.js',
  'lib/measure/summary.js': 'test/lib/measure/state.test.js',
  'lib/measure/user-timers.js': 'test/lib/measure/recorder.test.js',
  'lib/quantile.js': 'test/lib/measure/hdr-counts.test.js',
  'lib/report/formats/csv.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/formats/hgrm.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/formats/index.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/formats/junit.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/formats/markdown.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/formats/masked-json.js': 'test/faults/security.test.js',
  'lib/report/formats/ndjson.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/html/index.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/html/page.client.js': 'test/tools/page.test.js',
  'lib/report/live/bar.js': 'test/faults/output.test.js',
  'lib/report/live/index.js': 'test/lib/report/live/live.test.js',
  'lib/report/live/lines.js': 'test/lib/report/live/live.test.js',
  'lib/report/live/progress-figures.js': 'test/lib/report/live/live.test.js',
  'lib/report/numbers.js': 'test/timing/statistics.test.js',
  'lib/report/percentiles.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/client-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/comparison.js': 'test/results.test.js',
  'lib/report/text/distribution-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/errors.js': 'test/lib/report/formats/object.test.js',
  'lib/report/text/index.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/latency-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/operations-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/overview-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/rate-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/thresholds-section.js': 'test/lib/report/formats/formats.test.js',
  'lib/report/text/verdict.js': 'test/lib/report/formats/object.test.js',
  'lib/run/benchmark.js': 'test/phases.test.js',
  'lib/run/benchrest.js': 'test/compat.test.js',
  'lib/run/load/iteration-context.js': 'test/lib/run/load/generator.test.js',
  'lib/run/load/lane-set.js': 'test/lib/run/load/generator.test.js',
  'lib/run/load/measured-transport.js': 'test/lib/run/load/warm-up.test.js',
  'lib/run/load/preallocate.js': 'test/compat.test.js',
  'lib/run/load/record-failure.js': 'test/lib/run/load/generator.test.js',
  'lib/run/options/checks.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/connections.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/kinds.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/load.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/requests.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/results.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/row.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/stages.js': 'test/timing/load-shapes.test.js',
  'lib/run/options/target.js': 'test/lib/run/options/index.test.js',
  'lib/run/options/thresholds.js': 'test/thresholds.test.js',
  'lib/run/options/warmup.js': 'test/timing/load-shapes.test.js',
  'lib/run/options/workers.js': 'test/workers.test.js',
  'lib/run/run.js': 'test/phases.test.js',
  'lib/run/workers/common-time.js': 'test/workers.test.js',
  'lib/run/workers/entry.js': 'test/workers.test.js',
  'lib/run/workers/worker-handle.js': 'test/workers.test.js',
  'lib/run/workers/worker-pool.js': 'test/workers.test.js',
  'lib/schedule/constant.js': 'test/lib/schedule/schedules.test.js',
  'lib/schedule/describe.js': 'test/lib/schedule/schedules.test.js',
  'lib/schedule/index.js': 'test/lib/schedule/schedules.test.js',
  'lib/schedule/poisson.js': 'test/lib/schedule/schedules.test.js',
  'lib/schedule/random.js': 'test/lib/schedule/schedules.test.js',
  'lib/schedule/stages.js': 'test/lib/schedule/schedules.test.js',
  'lib/target/documents.js': 'test/lib/target/resources.test.js',
  'lib/target/thread.js': 'test/lib/target/server.test.js',
  'lib/target/worker.js': 'test/lib/target/server.test.js',
  'lib/text/max-depth.js': 'test/lib/text/parse-yaml.test.js',
  'lib/transport/fields.js': 'test/lib/transport/conformance.test.js',
  'lib/transport/index.js': 'test/lib/transport/conformance.test.js',
  'lib/transport/undici/connection.js': 'test/lib/transport/connection.test.js',
  'lib/transport/undici/dial.js': 'test/lib/transport/connection.test.js',
  'lib/transport/undici/explain.js': 'test/lib/transport/connection.test.js',
  'lib/transport/undici/index.js': 'test/lib/transport/connection.test.js',
  'lib/transport/undici/response.js': 'test/lib/transport/conformance.test.js',
  'lib/transport/wire/connection.js': 'test/lib/transport/connection.test.js',
  'lib/transport/wire/dial.js': 'test/lib/transport/connection.test.js',
  'lib/transport/wire/framing.js': 'test/lib/transport/wire/parser.test.js',
  'lib/transport/wire/head.js': 'test/lib/transport/wire/parser.test.js',
  'lib/transport/wire/index.js': 'test/lib/transport/connection.test.js',
  'lib/transport/wire/octets.js': 'test/lib/transport/wire/parser.test.js',
  'lib/transport/wire/open-socket.js': 'test/lib/transport/connection.test.js',
  'lib/transport/wire/pipeline.js': 'test/pipelining.test.js',
  'lib/transport/wire/response.js': 'test/lib/transport/wire/parser.test.js',
  'lib/transport/wire/slot.js': 'test/pipelining.test.js',
  'lib/working-folder.js': 'test/config.test.js',
};

/** Tests of several sources of a folder, named after the folder. */
const OF_FOLDERS = [
  'test/lib/flow/bodies/bodies.test.js',
  'test/lib/flow/hardened.test.js',
  'test/lib/flow/source/dialects/dialects.test.js',
  'test/lib/report/formats/formats.test.js',
  'test/lib/report/live/live.test.js',
  'test/lib/schedule/schedules.test.js',
  'test/lib/transport/conformance.test.js',
  'test/lib/transport/connection.test.js',
];

describe('the tests mirror the sources', () => {
  const sources = filesIn('lib').filter((path) => path.endsWith('.js'));
  const mirrorOf = (path) => `test/${path.replace(/\.js$/, '.test.js')}`;
  const sourceOf = (test) => test.replace(/^test\//, '').replace(/\.test\.js$/, '.js');

  it('every source has a mirror test or is listed', () => {
    const missing = sources.filter((path) => !has(mirrorOf(path)) && !ELSEWHERE[path] && !holdsOnlyTypes(path));
    expect(missing, 'write test/lib/<path>.test.js, or list it in test/mirror.test.js').to.deep.equal([]);
  });

  it('every listed source needs its entry, which names an existing test', () => {
    const stale = Object.entries(ELSEWHERE).filter(
      ([path, test]) => !has(path) || has(mirrorOf(path)) || holdsOnlyTypes(path) || !has(test),
    );
    expect(stale, 'delete or correct these in test/mirror.test.js').to.deep.equal([]);
    expect(Object.keys(ELSEWHERE), 'the list is sorted').to.deep.equal(Object.keys(ELSEWHERE).sort());
  });

  it('every test in test/lib has a source or is listed as the test of a folder', () => {
    const tests = filesIn('test/lib').filter((path) => path.endsWith('.test.js'));
    const orphans = tests.filter((test) => !has(sourceOf(test)) && !OF_FOLDERS.includes(test));
    expect(orphans, 'rename these like their source').to.deep.equal([]);
    const stale = OF_FOLDERS.filter((test) => !has(test) || has(sourceOf(test)));
    expect(stale, 'delete these from test/mirror.test.js').to.deep.equal([]);
  });
});

function filesIn(folder) {
  const paths = readdirSync(join(ROOT, folder), { recursive: true });
  return paths.map((path) => `${folder}/${path.replaceAll('\\', '/')}`).sort();
}

function has(path) {
  return existsSync(join(ROOT, path));
}

function holdsOnlyTypes(path) {
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/\/\*.*?\*\//gs, '');
  return text.trim() === 'export {};';
}

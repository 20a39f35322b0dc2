import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { ROOT } from './support/command.js';

/** Folders of sources with one contract, each with the test that runs all of them through it. */
const FOLDERS = {
  'lib/flow/bodies/': 'test/lib/flow/bodies/bodies.test.js',
  'lib/flow/captures/': 'test/lib/flow/captures/captures.test.js',
  'lib/flow/checks/': 'test/lib/flow/checks/checks.test.js',
  'lib/flow/data/': 'test/lib/flow/data/data.test.js',
  'lib/flow/web-socket/': 'test/lib/flow/web-socket/web-socket.test.js',
  'lib/flow/source/dialects/': 'test/lib/flow/source/dialects/dialects.test.js',
  'lib/cli/completion/': 'test/lib/cli/completion/completion.test.js',
  'lib/flow/source/formats/': 'test/lib/flow/source/load.test.js',
  'lib/report/card/': 'test/lib/report/card/card.test.js',
  'lib/report/comparison/': 'test/lib/report/comparison/comparison.test.js',
  'lib/report/html/client/': 'test/tools/page.test.js',
  'lib/report/formats/': 'test/lib/report/formats/formats.test.js',
  'lib/report/live/': 'test/lib/report/live/live.test.js',
  'lib/report/text/': 'test/lib/report/formats/formats.test.js',
  'lib/run/log/': 'test/lib/run/log/log.test.js',
  'lib/schedule/': 'test/lib/schedule/schedules.test.js',
  'lib/transport/undici/': 'test/lib/transport/connection.test.js',
  'lib/transport/wire/': 'test/lib/transport/conformance.test.js',
  'lib/transport/ws/': 'test/faults/web-socket.test.js',
};

/** The other sources without a mirror test, by the reason, each with the test that shows it instead. */
const EXCEPTIONS = [
  {
    why: 'steps of the command, which need its arguments, files and streams: stories run the whole command in this process',
    sources: {
      'lib/cli/commands/ab.js': 'test/results.test.js',
      'lib/cli/commands/agent.js': 'test/tools/agents.test.js',
      'lib/cli/commands/compare.js': 'test/results.test.js',
      'lib/cli/commands/completion.js': 'test/lib/cli/completion/completion.test.js',
      'lib/cli/commands/help.js': 'test/lib/cli/commands/index.test.js',
      'lib/cli/commands/init.js': 'test/lib/cli/init/init-project.test.js',
      'lib/cli/commands/k8s.js': 'test/lib/cli/kubernetes/print-job.test.js',
      'lib/cli/commands/list.js': 'test/lib/cli/list-text.test.js',
      'lib/cli/commands/merge.js': 'test/results.test.js',
      'lib/cli/commands/report.js': 'test/results.test.js',
      'lib/cli/commands/run.js': 'test/lib/cli/options.test.js',
      'lib/cli/config-file.js': 'test/config.test.js',
      'lib/cli/config.js': 'test/config.test.js',
      'lib/cli/engine/engine-server.js': 'test/faults/started-server.test.js',
      'lib/cli/engine/engine-worker.js': 'test/cli.test.js',
      'lib/cli/engine/engine.js': 'test/cli.test.js',
      'lib/cli/engine/remote-server.js': 'test/faults/started-server.test.js',
      'lib/cli/flags/comparison-flags.js': 'test/results.test.js',
      'lib/cli/flags/outcome-flags.js': 'test/results.test.js',
      'lib/cli/flags/output-flags.js': 'test/results.test.js',
      'lib/cli/flags/request-flags.js': 'test/url-mode.test.js',
      'lib/cli/flags/run-flags.js': 'test/lib/cli/options.test.js',
      'lib/cli/flags/target-flags.js': 'test/lib/cli/options.test.js',
      'lib/cli/help.js': 'test/cli.test.js',
      'lib/cli/main.js': 'test/cli.test.js',
      'lib/cli/project.js': 'test/config.test.js',
      'lib/cli/result/baseline.js': 'test/baseline.test.js',
      'lib/cli/result/compare-results.js': 'test/results.test.js',
      'lib/cli/result/merge-logs.js': 'test/request-log.test.js',
      'lib/cli/result/output-files.js': 'test/faults/output.test.js',
      'lib/cli/result/print-comparison.js': 'test/results.test.js',
      'lib/cli/result/print-result.js': 'test/results.test.js',
      'lib/cli/result/read-noise.js': 'test/baseline.test.js',
      'lib/cli/result/read-result-thresholds.js': 'test/shards.test.js',
      'lib/cli/result/read-result.js': 'test/faults/any-result.test.js',
      'lib/cli/result/refuse-flow.js': 'test/results.test.js',
      'lib/cli/result/replace-file.js': 'test/results.test.js',
      'lib/cli/result/results-in.js': 'test/results.test.js',
      'lib/cli/result/unwritable.js': 'test/faults/result-files.test.js',
      'lib/cli/run/dashboard.js': 'test/tools/page.test.js',
      'lib/cli/run/print-config.js': 'test/config.test.js',
      'lib/cli/run/run-flow.js': 'test/cli.test.js',
      'lib/cli/run/runs-folder.js': 'test/results.test.js',
      'lib/cli/synonyms.js': 'test/lib/cli/list-text.test.js',
    },
  },
  {
    why: 'tables: a test of the table runs every row',
    sources: {
      'lib/flow/tokens/index.js': 'test/token-injection.test.js',
      'lib/hooks/index.js': 'test/hooks.test.js',
      'lib/run/options/checks.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/connections.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/har.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/load.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/requests.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/results.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/target.js': 'test/lib/run/options/index.test.js',
      'lib/run/options/tls.js': 'test/run-tls.test.js',
    },
  },
  {
    why: 'code of another thread or of a browser',
    sources: {
      'lib/run/own-runs.js': 'test/modules.test.js',
      'lib/run/uncaught.js': 'test/faults/uncaught.test.js',
      'lib/run/workers/entry.js': 'test/workers.test.js',
      'lib/run/workers/worker-pool.js': 'test/workers.test.js',
      'lib/target/worker.js': 'test/lib/target/server.test.js',
    },
  },
  {
    why: 'parts of one iteration, which work on each other: a server writes down what they did',
    sources: {
      'lib/iteration/all.js': 'test/hooks.test.js',
      'lib/iteration/capturing.js': 'test/capture.test.js',
      'lib/iteration/env.js': 'test/hooks.test.js',
      'lib/iteration/exchange-plan.js': 'test/session.test.js',
      'lib/iteration/exchange.js': 'test/session.test.js',
      'lib/iteration/exemplar.js': 'test/timing/truth.test.js',
      'lib/iteration/function-run.js': 'test/function-steps.test.js',
      'lib/iteration/function-scope.js': 'test/function-steps.test.js',
      'lib/iteration/hooked-step.js': 'test/hooks.test.js',
      'lib/iteration/iteration-run.js': 'test/phases.test.js',
      'lib/iteration/iteration.js': 'test/phases.test.js',
      'lib/iteration/logging.js': 'test/request-log.test.js',
      'lib/iteration/pause.js': 'test/computed-values.test.js',
      'lib/iteration/phase-run.js': 'test/phases.test.js',
      'lib/iteration/phase.js': 'test/phases.test.js',
      'lib/iteration/report-failure.js': 'test/error-exchanges.test.js',
      'lib/iteration/requested-steps.js': 'test/function-steps.test.js',
      'lib/iteration/session/challenge.js': 'test/digest.test.js',
      'lib/iteration/session/cookies.js': 'test/faults/session.test.js',
      'lib/iteration/session/index.js': 'test/faults/session.test.js',
      'lib/iteration/session/sent-request.js': 'test/request-library.test.js',
      'lib/iteration/step-control.js': 'test/steps.test.js',
      'lib/iteration/step.js': 'test/faults/hooks.test.js',
      'lib/run/load/iteration-context.js': 'test/lib/run/load/generator.test.js',
      'lib/run/load/lane-set.js': 'test/lib/run/load/generator.test.js',
      'lib/run/load/pacing-worker.js': 'test/lib/run/load/pacing-thread.test.js',
    },
  },
  {
    why: 'agents and runs on a queue, which need a Redis: stories run them as processes',
    sources: {
      'lib/cli/engine/part.js': 'test/tools/agents.test.js',
      'lib/cli/run/run-agent.js': 'test/tools/agents.test.js',
      'lib/run/agreed-start.js': 'test/tools/agents.test.js',
      'lib/shard/check-run.js': 'test/tools/agents.test.js',
      'lib/shard/common-clock.js': 'test/tools/agents.test.js',
      'lib/shard/coordinator.js': 'test/tools/agents.test.js',
      'lib/shard/messages.js': 'test/lib/shard/seal.test.js',
      'lib/shard/part-request.js': 'test/tools/agents.test.js',
      'lib/shard/presence.js': 'test/tools/agents.test.js',
      'lib/shard/queue.js': 'test/tools/agents.test.js',
      'lib/shard/shard-run.js': 'test/tools/agents.test.js',
      'lib/shard/timing.js': 'test/tools/agents.test.js',
    },
  },
  {
    why: 'parts of one other source, through which they are tested',
    sources: {
      'lib/flow/auth-property.js': 'test/lib/flow/operation.test.js',
      'lib/flow/changed-request.js': 'test/faults/hooks.test.js',
      'lib/flow/compile-step.js': 'test/lib/flow/compile.test.js',
      'lib/flow/control.js': 'test/steps.test.js',
      'lib/flow/credentials.js': 'test/digest.test.js',
      'lib/flow/function-entry.js': 'test/function-steps.test.js',
      'lib/flow/function-step.js': 'test/function-steps.test.js',
      'lib/flow/hook-options.js': 'test/faults/hooks.test.js',
      'lib/flow/json-path-query.js': 'test/lib/flow/json-path.test.js',
      'lib/flow/named-origins.js': 'test/faults/withheld-credentials.test.js',
      'lib/flow/operation-context.js': 'test/lib/flow/compile.test.js',
      'lib/flow/properties.js': 'test/lib/flow/operation.test.js',
      'lib/flow/proxy-property.js': 'test/lib/flow/operation.test.js',
      'lib/flow/request-address.js': 'test/faults/withheld-credentials.test.js',
      'lib/flow/requested-operation.js': 'test/function-steps.test.js',
      'lib/flow/resolve-hooks.js': 'test/lib/flow/compile.test.js',
      'lib/flow/same-value.js': 'test/lib/flow/comparisons.test.js',
      'lib/flow/text-length.js': 'test/lib/flow/comparisons.test.js',
      'lib/hooks/end-step-timer.js': 'test/hooks.test.js',
      'lib/hooks/start-step-timer.js': 'test/hooks.test.js',
      'lib/measure/accounts.js': 'test/lib/shard/report.test.js',
      'lib/measure/addresses.js': 'test/addresses.test.js',
      'lib/measure/compared-figures.js': 'test/lib/measure/compare.test.js',
      'lib/measure/figure-shares.js': 'test/lib/measure/regression.test.js',
      'lib/measure/judge-thresholds.js': 'test/lib/measure/thresholds.test.js',
      'lib/measure/summary.js': 'test/lib/measure/state.test.js',
      'lib/measure/threshold-figures.js': 'test/lib/measure/thresholds.test.js',
      'lib/report/numbers.js': 'test/timing/statistics.test.js',
      'lib/run/server/server-mark.js': 'test/faults/started-server.test.js',
      'lib/schema-shape.js': 'test/faults/any-result.test.js',
      'lib/shard/agents-summary.js': 'test/lib/shard/merged-state.test.js',
      'lib/target/documents.js': 'test/lib/target/resources.test.js',
      'lib/text/bounded-json.js': 'test/lib/shard/report.test.js',
      'lib/text/max-depth.js': 'test/lib/text/parse-yaml.test.js',
      'lib/text/message-of.js': 'test/lib/iteration/failure.test.js',
      'lib/transport/addresses.js': 'test/addresses.test.js',
      'lib/transport/bind-error.js': 'test/local-address.test.js',
      'lib/transport/exchange-progress.js': 'test/lib/transport/connection.test.js',
    },
  },
];
const ELSEWHERE = Object.assign({}, ...EXCEPTIONS.map(({ sources }) => sources));

/** Tests of several sources of a folder, named after the folder. */
const OF_FOLDERS = [
  'test/lib/cli/completion/completion.test.js',
  'test/lib/flow/bodies/bodies.test.js',
  'test/lib/flow/captures/captures.test.js',
  'test/lib/flow/checks/checks.test.js',
  'test/lib/flow/hardened.test.js',
  'test/lib/flow/source/dialects/dialects.test.js',
  'test/lib/flow/data/data.test.js',
  'test/lib/flow/web-socket/web-socket.test.js',
  'test/lib/report/card/card.test.js',
  'test/lib/report/comparison/comparison.test.js',
  'test/lib/report/formats/formats.test.js',
  'test/lib/report/live/live.test.js',
  'test/lib/run/log/log.test.js',
  'test/lib/schedule/schedules.test.js',
  'test/lib/transport/conformance.test.js',
  'test/lib/transport/connection.test.js',
];

describe('the tests mirror the sources', () => {
  const sources = filesIn('lib').filter((path) => path.endsWith('.js'));
  const mirrorOf = (path) => `test/${path.replace(/\.js$/, '.test.js')}`;
  const sourceOf = (test) => test.replace(/^test\//, '').replace(/\.test\.js$/, '.js');

  it('every source has a mirror test or is listed', () => {
    const missing = sources.filter(
      (path) => !has(mirrorOf(path)) && !isInFolder(path) && !ELSEWHERE[path] && !holdsOnlyTypes(path),
    );
    expect(missing, 'write test/lib/<path>.test.js, or list it in test/mirror.test.js').to.deep.equal([]);
  });

  it('every listed source needs its entry, which names an existing test', () => {
    const stale = Object.entries(ELSEWHERE).filter(
      ([path, test]) => !has(path) || has(mirrorOf(path)) || isInFolder(path) || holdsOnlyTypes(path) || !has(test),
    );
    expect(stale, 'delete or correct these in test/mirror.test.js').to.deep.equal([]);
    for (const { why, sources: listed } of EXCEPTIONS)
      expect(Object.keys(listed), why).to.deep.equal(Object.keys(listed).sort()).and.not.have.lengthOf(0);
  });

  it('every folder and its test exist', () => {
    for (const [folder, test] of Object.entries(FOLDERS))
      expect([has(folder), has(test)], folder).to.deep.equal([true, true]);
  });

  it('every test in test/lib has a source or is listed as the test of a folder', () => {
    const tests = filesIn('test/lib').filter((path) => path.endsWith('.test.js'));
    const orphans = tests.filter((test) => !has(sourceOf(test)) && !OF_FOLDERS.includes(test));
    expect(orphans, 'rename these like their source').to.deep.equal([]);
    const stale = OF_FOLDERS.filter((test) => !has(test) || has(sourceOf(test)));
    expect(stale, 'delete these from test/mirror.test.js').to.deep.equal([]);
  });
});

/** Tests that `npm test` leaves to `npm run test:all`: they need programs, or packages of bench, that take long to install. */
const ONLY_IN_ALL = ['test/tools/', 'test/compat/'];

describe('npm test', () => {
  it('runs every test outside test/tools and test/compat, those of test/lib last: they are short', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const folders = [...scripts.test.matchAll(/'(test.*?)\/(\*\*\/)?\*\.test\.js'/g)].map(([, folder]) => folder);
    const tests = filesIn('test').filter((path) => path.endsWith('.test.js') && !isOnlyInAll(path));
    const isRun = (path) => folders.includes(dirname(path)) || path.startsWith('test/lib/');
    expect(tests.filter((path) => !isRun(path))).to.deep.equal([]);
    expect(folders.at(-1)).to.equal('test/lib');
    expect(scripts['test:all']).to.contain("'test/**/*.test.js'");
  });
});

function filesIn(folder) {
  const paths = readdirSync(join(ROOT, folder), { recursive: true });
  return paths.map((path) => `${folder}/${path.replaceAll('\\', '/')}`).sort();
}

function isInFolder(path) {
  return Object.keys(FOLDERS).some((folder) => path.startsWith(folder));
}

function isOnlyInAll(path) {
  return ONLY_IN_ALL.some((folder) => path.startsWith(folder));
}

function has(path) {
  return existsSync(join(ROOT, path));
}

function holdsOnlyTypes(path) {
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/\/\*.*?\*\//gs, '');
  return text.trim() === 'export {};';
}

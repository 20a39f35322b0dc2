import { areErrorsAllowed } from '../../report/allowed-errors.js';
import { startBar } from '../../report/progress/bar.js';
import { startLines } from '../../report/progress/lines.js';
import { exchangeText } from '../../report/exchange-text.js';
import { line } from '../../report/ndjson.js';
import { planText } from '../../report/plan-text.js';
import { readConfig } from '../config.js';
import { startEngine } from '../engine.js';
import { exitCode } from '../exit-codes.js';
import { tooFewFiles } from '../open-files.js';
import { openOutputs } from '../output-files.js';
import { showResult } from '../report-result.js';
import { printConfig } from '../print-config.js';
import { SCHEMA, describeRun, spectraOf } from '../result.js';
import { heedSignals } from '../signals.js';

/**
 * @import { Stats } from '../../measure/types.js'
 * @import { Result, RunInfo } from '../../report/types.js'
 * @import { Outcome } from '../engine.js'
 * @import { Reason } from '../exit-codes.js'
 * @import { Io } from '../main.js'
 * @import { RunRequest } from '../options.js'
 */

/**
 * Runs a flow and prints what came of it.
 *
 * @param {RunRequest & { version: string }} asked
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} why the exit code is not 0
 */
export async function run(asked, io) {
  const { stderr } = io;
  const config = await readConfig(io.cwd());
  if (asked.printConfig) return printConfig(asked, config, io);
  const request = {
    ...asked,
    format: asked.format ?? config.format ?? 'text',
    outputs: asked.outputs.length > 0 ? asked.outputs : (config.output ?? []),
  };
  const say = (/** @type {string} */ text) => stderr.write(text);
  const outputs = openOutputs(request.outputs, io.cwd());
  const dashboard =
    request.dashboard === null ? null : await (await import('../dashboard.js')).startDashboard(request.dashboard);
  const target = request.serve ? await (await import('../../target/thread.js')).startTargetThread(request.serve) : null;
  const given = target ? { ...request.given, baseUrl: target.url } : request.given;
  if (dashboard) say(`dashboard: ${dashboard.url}\n`);
  const takeSamples = sampler();
  /** @type {RunInfo | null} */
  let info = null;
  /** @type {ReturnType<typeof startBar> | ReturnType<typeof startLines> | null} */
  let display = null;

  const engine = startEngine(
    { source: request.source, cwd: io.cwd(), given, below: config.options, debug: request.debug },
    {
      log: stderr,
      onBegin(begun) {
        info = describeRun(begun, { version: request.version, startedAt: new Date() });
        if (!request.quiet && (stderr.isTTY || !isForPrograms(request.format)))
          say(`${planText(begun.plan, { from: begun.from, version: request.version })}\n`);
        const shortage = tooFewFiles(begun.options.limit ?? 0);
        if (shortage) say(`bench-rest: ${shortage}\n`);
        display = request.debug || request.quiet || given.progress === 0 ? null : startDisplay(request.format, io);
      },
      onProgress(progress) {
        display?.update(progress);
        sample(takeSamples(progress.stats, { isOver: false }));
        dashboard?.show({ ...progress.stats, ...(info && { run: info }), isLive: true }, () => []);
      },
      onExchange: (exchange) => say(exchangeText(exchange)),
    },
  );
  const signals = heedSignals(io, (text) => say(`${display ? '\n' : ''}${text}\n`));
  const outcome = await signals.during(engine);
  /** @type {ReturnType<typeof startBar> | null} */ (display)?.stop();
  /** @type {Set<Reason>} */
  const reasons = new Set();
  await conclude();
  await signals.heard();
  if (signals.first) reasons.add('interrupted');
  return reasons;

  /** What is shown and written of it. */
  async function conclude() {
    await target?.close();
    if (outcome.kind === 'refused') await dashboard?.close();
    if (outcome.kind === 'refused') throw Object.assign(new Error(outcome.error.message), outcome.error);
    if (outcome.kind === 'lost') reasons.add(outcome.isFault ? 'internal' : 'errors');
    if (outcome.kind === 'left' || signals.first) reasons.add('interrupted');
    const words = lastWords(outcome);
    if (words) say(`${words}\n`);
    const { stats } = outcome;
    if (!stats) return dashboard?.close();
    for (const reason of reasonsOf(stats, request)) reasons.add(reason);
    const why = outcome.kind === 'ended' ? outcome.why : outcome.kind;
    /** @type {Result} */
    const result = {
      schema: SCHEMA,
      ...runInfo(info, why),
      ...stats,
      exit: { code: exitCode(reasons), reasons: [...reasons] },
    };
    sample(takeSamples(stats, { isOver: true }));
    dashboard?.show(result, spectraOf(stats));
    await dashboard?.close();
    for (const failure of await showResult(result, request, outputs, io)) reasons.add(failure);
    return undefined;
  }

  /** @type {(points: object[]) => void} */
  function sample(points) {
    outputs.sample(points);
    if (request.format === 'ndjson') for (const point of points) io.stdout.write(line('sample', point));
  }
}

/** None where the flow was never read. @type {(info: RunInfo | null, why: string) => Pick<Result, 'run'>} */
function runInfo(info, why) {
  return info === null ? {} : { run: { ...info, why } };
}

/** What speaks against exit code 0. @type {(stats: Stats, request: RunRequest) => Reason[]} */
function reasonsOf({ errors, thresholds = [], verdict, client }, { failIfSaturated }) {
  return /** @type {Reason[]} */ (
    [
      !areErrorsAllowed({ errors, thresholds }) && 'errors',
      thresholds.some(({ passed }) => !passed) && 'threshold',
      failIfSaturated && client.saturated && 'saturated',
      // books that do not balance are our own fault
      verdict.status === 'invalid' && 'internal',
    ].filter(Boolean)
  );
}

/** Gives each point of the series once, when it is over. */
function sampler() {
  let after = -1;
  return (/** @type {Stats} */ { series }, /** @type {{ isOver: boolean }} */ { isOver }) => {
    // workers may still add to the last one
    const points = series.points.slice(0, isOver ? undefined : -1).filter(({ at }) => at > after);
    after = points.at(-1)?.at ?? after;
    return points;
  };
}

/** @type {(format: string, io: Io) => ReturnType<typeof startBar> | ReturnType<typeof startLines> | null} */
function startDisplay(format, { stderr, env }) {
  if (stderr.isTTY && env.TERM !== 'dumb') return startBar(stderr);
  return isForPrograms(format) ? null : startLines(stderr);
}

/** @type {(format: string) => boolean} */
function isForPrograms(format) {
  return format !== 'text' && format !== 'object';
}

/** What is to be said of how a run ended; nothing if it just ended. @type {(outcome: Exclude<Outcome, { kind: 'refused' }>) => string} */
function lastWords(outcome) {
  if (outcome.kind === 'left')
    return outcome.stats ? 'left at once: what was under way counts as cancelled' : 'left before there was a result';
  if (outcome.kind === 'lost')
    return `bench-rest: the run was lost: ${outcome.message}${outcome.stats ? '\nthis is what was known a moment before' : ''}`;
  return Object.hasOwn(ENDINGS, outcome.why) ? ENDINGS[outcome.why] : '';
}

/** @type {Record<string, string>} */
const ENDINGS = {
  before: 'bench-rest: before failed, so no iteration was run',
  bailout: 'bench-rest: stopped at the limit of errors that --bailout sets',
  threshold: 'bench-rest: stopped, as a threshold failed',
  worker: 'bench-rest: stopped, as a worker was lost',
  unreachable:
    'bench-rest: stopped, as no connection could be made at all; is the server running there? (--keep-going goes on)',
};

import { reasonsOf } from '../../measure/outcome.js';
import { MIN_RUNS } from '../../measure/comparison-method.js';
import { refuseUntested } from '../../measure/regression.js';
import { comparisonOf } from '../../report/comparison/index.js';
import { counted, ms, rate } from '../../report/numbers.js';
import { targetText } from '../../report/target-text.js';
import { safe } from '../../text/safe.js';
import { workingFolder } from '../../working-folder.js';
import { COMMAND_LINE } from '../../run/options/flag-words.js';
import { configLayer, readConfig } from '../config.js';
import { Engine } from '../engine/engine.js';
import { handleSignals } from '../engine/signals.js';
import { printMessage } from '../output.js';
import { SCHEMA, describeRun } from '../result/describe-run.js';
import { openComparison, printComparison } from '../result/print-comparison.js';
import { readNoise } from '../result/read-noise.js';
import { openSource } from './open-source.js';
import { openRunsFolder } from './runs-folder.js';

/**
 * @import { FlowInput } from '../../flow/source/load.js'
 * @import { Result, RunInfo } from '../../report/types.js'
 * @import { Layer } from '../../run/options/layers.js'
 * @import { AbRequest } from '../commands/ab.js'
 * @import { Outcome } from '../engine/engine.js'
 * @import { Reason } from '../../exit-codes.js'
 * @import { Shutdown } from '../exit-process.js'
 * @import { Io } from '../main.js'
 * @import { RunsFolder } from './runs-folder.js'
 *
 * @typedef {{ source: FlowInput, config: Layer, commandLine: Layer[] }} Side
 * @typedef {{ io: Io, signals: ReturnType<typeof handleSignals>, shutdown: Shutdown, version: string, folder: RunsFolder | null }} RunContext
 */

const SIDES = /** @type {const} */ (['A', 'B']);
/** In A B, B A, A B, … neighbouring pairs share a disturbance with the same sign: 6 % of equal services differed, instead of 4 % (bench/alarms.js). */
const ORDERS = [
  [0, 1],
  [1, 0],
  [1, 0],
  [0, 1],
];

/**
 * Runs two flows, or one flow against two services, in turn (A B, B A, B A, A B, …), so that disturbances of the machine affect
 * both sides, and compares the results.
 *
 * @param {AbRequest & { version: string }} request
 * @param {Io} io
 * @param {Shutdown} shutdown
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function runAb(request, io, shutdown) {
  const { runs, flows, version, saveRuns } = request;
  const cwd = workingFolder(io);
  const output = openComparison(request, cwd, { sources: flows, role: 'the flow itself' });
  const noise = readNoise(request, cwd);
  const isTested = (/** @type {string} */ figure) => runs >= MIN_RUNS || noise.has(figure);
  refuseUntested(output.limits, { isTested, why: `--runs is below ${MIN_RUNS}` });
  const sides = await sidesOf(request, io);
  const folder = saveRuns === undefined ? null : openRunsFolder(saveRuns, { cwd, runs, names: SIDES });
  const signals = handleSignals(io, (text) => io.stderr.write(`${text}\n`));
  const { results, cutBy } = await runInTurn(sides, runs, { io, signals, shutdown, version, folder });
  const pairs = Math.min(results[0].length, results[1].length);
  const [bases, others] = results.map((side) => side.slice(0, pairs));
  /** @type {Set<Reason>} */
  let reasons = new Set();
  if (pairs === 0) await printMessage(io.stderr, 'nothing to compare: no pair of runs was completed');
  else {
    const comparison = comparisonOf(bases, others, { isPaired: true, labels: flows, noise });
    reasons = await printComparison(comparison, output, io);
  }
  if (folder?.failure) {
    await printMessage(io.stderr, folder.failure);
    reasons.add('notWritten');
  }
  if (cutBy) reasons.add(cutBy);
  for (const result of [...bases, ...others]) for (const reason of reasonsOf(result)) reasons.add(reason);
  return reasons;
}

/** @type {(request: AbRequest, io: Io) => Promise<[Side, Side]>} */
async function sidesOf({ flows: [a, b], config: named, urlRequest, runOptions, versus, versusStart }, io) {
  const cwd = workingFolder(io);
  const { warnings, ...found } = await readConfig(cwd, named);
  for (const warning of warnings) await printMessage(io.stderr, warning);
  const config = configLayer(found);
  const flags = { name: COMMAND_LINE, options: { ...runOptions, progress: 0 } };
  const base = [
    { name: '--versus', options: { baseUrl: versus } },
    { name: '--versus-start', options: { start: versusStart } },
  ];
  const hasServer = versusStart !== undefined;
  const context = { cwd, io, config: found, runOptions, hasServer, request: urlRequest };
  const first = await openSource({ argument: a }, context);
  // a stream can be read once
  const second = a === b ? first : await openSource({ argument: b }, context);
  return [
    { source: first.source, config, commandLine: [...first.layers, flags] },
    { source: second.source, config, commandLine: [...second.layers, flags, ...base] },
  ];
}

/** @type {(sides: [Side, Side], runs: number, context: RunContext) => Promise<{ results: [Result[], Result[]], cutBy: Reason | null }>} */
async function runInTurn(sides, runs, context) {
  /** @type {[Result[], Result[]]} */
  const results = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const side of ORDERS[run % ORDERS.length]) {
      const { result, reason } = await runOnce(sides[side], context);
      if (!result) return { results, cutBy: reason };
      results[side].push(result);
      context.folder?.save(result, SIDES[side], run);
      context.io.stderr.write(`run ${run + 1} of ${runs}, ${SIDES[side]}: ${summaryOf(result)}\n`);
    }
  }
  return { results, cutBy: null };
}

/** @type {(result: Result) => string} */
function summaryOf({ requests, main, errors, run }) {
  const way = safe(targetText({ origins: [], proxies: run?.proxies }));
  return `${rate(requests.rate)} requests/s, p95 ${ms(main.ok.p95)} ms, ${counted(errors.count, 'error')}${way}`;
}

/**
 * Runs one side once. An incomplete run has a reason instead of a result.
 *
 * @type {(side: Side, context: RunContext) => Promise<{ result: Result | null, reason: Reason | null }>}
 */
async function runOnce({ source, config, commandLine }, { io, signals, shutdown, version }) {
  /** @type {RunInfo | undefined} */
  let info;
  const cwd = workingFolder(io);
  const engine = new Engine(
    { source, cwd, config, commandLine, debug: false },
    {
      log: io.stderr,
      onBegin: (start) => (info = describeRun(start, { version, startedAt: new Date(), folder: cwd })),
      onProgress() {},
      onExchange() {},
    },
  );
  shutdown.add(engine.close);
  const outcome = await signals.direct(engine);
  await engine.endServer();
  if (engine.serverNotice) await printMessage(io.stderr, engine.serverNotice);
  if (outcome.kind === 'refused') throw Object.assign(new Error(outcome.error.message), outcome.error);
  if (signals.first) return { result: null, reason: 'interrupted' };
  if (outcome.kind === 'ended') {
    const run = info && { run: { ...info, why: outcome.why } };
    return { result: { schema: SCHEMA, ...run, ...outcome.stats }, reason: null };
  }
  const { message, isFault } = /** @type {Extract<Outcome, { kind: 'lost' }>} */ (outcome);
  await printMessage(io.stderr, `the run was lost: ${message}`);
  return { result: null, reason: isFault ? 'internal' : 'errors' };
}

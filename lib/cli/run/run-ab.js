import { failuresOf } from '../../measure/outcome.js';
import { compareStats } from '../../measure/compare.js';
import { targetText } from '../../report/target-text.js';
import { safe } from '../../text/safe.js';
import { workingFolder } from '../../working-folder.js';
import { configLayer, readConfig } from '../config.js';
import { Engine } from '../engine/engine.js';
import { handleSignals } from '../engine/signals.js';
import { printMessage } from '../output.js';
import { printComparison } from '../result/compare-results.js';
import { readRegressionLimit } from '../result/regression.js';
import { openSource } from './open-source.js';

/**
 * @import { FlowInput } from '../../flow/source/load.js'
 * @import { Stats } from '../../measure/types.js'
 * @import { Layer } from '../../run/options/layers.js'
 * @import { AbRequest } from '../commands/ab.js'
 * @import { Outcome } from '../engine/engine.js'
 * @import { Reason } from '../../exit-codes.js'
 * @import { Shutdown } from '../exit-process.js'
 * @import { Io } from '../main.js'
 *
 * @typedef {{ source: FlowInput, config: Layer, commandLine: Layer[] }} Side
 * @typedef {{ io: Io, signals: ReturnType<typeof handleSignals>, shutdown: Shutdown }} RunContext
 */

/**
 * Runs two flows, or one flow against two services, in turn (A B, B A, …), so that disturbances of the machine affect
 * both sides, and compares the results.
 *
 * @param {AbRequest} request
 * @param {Io} io
 * @param {Shutdown} shutdown
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function runAb(request, io, shutdown) {
  const { runs, json } = request;
  const limits = request.maxRegression.map(readRegressionLimit);
  const sides = await sidesOf(request, io);
  const signals = handleSignals(io, (text) => io.stderr.write(`${text}\n`));
  const { results, cutBy } = await runInTurn(sides, runs, { io, signals, shutdown });
  const pairs = Math.min(results[0].length, results[1].length);
  const [bases, others] = results.map((side) => side.slice(0, pairs));
  /** @type {Set<Reason>} */
  let reasons = new Set();
  if (pairs === 0) await printMessage(io.stderr, 'nothing to compare: no pair of runs was completed');
  else {
    const comparison = compareStats(bases, others, { isPaired: true });
    reasons = await printComparison(comparison, { names: ['A', 'B'], json, limits }, io);
  }
  if (cutBy) reasons.add(cutBy);
  for (const stats of [...bases, ...others]) for (const reason of failuresOf(stats)) reasons.add(reason);
  return reasons;
}

/** @type {(request: AbRequest, io: Io) => Promise<[Side, Side]>} */
async function sidesOf({ flows: [a, b], runOptions, versus }, io) {
  const cwd = workingFolder(io);
  const { warnings, ...found } = await readConfig(cwd);
  for (const warning of warnings) await printMessage(io.stderr, warning);
  const config = configLayer(found);
  const flags = { name: 'command line or environment', options: { ...runOptions, progress: 0 } };
  const base = versus === undefined ? [] : [{ name: '--versus', options: { baseUrl: versus } }];
  const context = { cwd, io, config: found, runOptions };
  const first = await openSource({ argument: a }, context);
  // a stream can be read once
  const second = a === b ? first : await openSource({ argument: b }, context);
  return [
    { source: first.source, config, commandLine: [...first.layers, flags] },
    { source: second.source, config, commandLine: [...second.layers, flags, ...base] },
  ];
}

/** @type {(sides: [Side, Side], runs: number, context: RunContext) => Promise<{ results: [Stats[], Stats[]], cutBy: Reason | null }>} */
async function runInTurn(sides, runs, context) {
  /** @type {[Stats[], Stats[]]} */
  const results = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const side of run % 2 === 0 ? [0, 1] : [1, 0]) {
      const { stats, reason, way } = await runOnce(sides[side], context);
      if (!stats) return { results, cutBy: reason };
      results[side].push(stats);
      context.io.stderr.write(
        `run ${run + 1} of ${runs}, ${side === 0 ? 'A' : 'B'}: ${summaryOf(stats)}${safe(way)}\n`,
      );
    }
  }
  return { results, cutBy: null };
}

/** @type {(stats: Stats) => string} */
function summaryOf({ requests, main, errors }) {
  const { p95 } = main.histogram;
  return `${requests.rate.toFixed(0)} requests/s, p95 ${p95?.toFixed(2)} ms, ${errors.count} errors`;
}

/**
 * Runs one side once. An incomplete run has a reason instead of stats. `way`: the proxies of its requests.
 *
 * @type {(side: Side, context: RunContext) => Promise<{ stats: Stats | null, reason: Reason | null, way: string }>}
 */
async function runOnce({ source, config, commandLine }, { io, signals, shutdown }) {
  let way = '';
  const engine = new Engine(
    { source, cwd: workingFolder(io), config, commandLine, debug: false },
    {
      log: io.stderr,
      onBegin: ({ plan: { proxies } }) => (way = targetText({ origins: [], proxies })),
      onProgress() {},
      onExchange() {},
    },
  );
  shutdown.add(engine.close);
  const outcome = await signals.direct(engine);
  if (outcome.kind === 'refused') throw Object.assign(new Error(outcome.error.message), outcome.error);
  if (signals.first) return { stats: null, reason: 'interrupted', way };
  if (outcome.kind === 'ended') return { stats: outcome.stats, reason: null, way };
  const { message, isFault } = /** @type {Extract<Outcome, { kind: 'lost' }>} */ (outcome);
  await printMessage(io.stderr, `the run was lost: ${message}`);
  return { stats: null, reason: isFault ? 'internal' : 'errors', way };
}

import { compareStats } from '../../measure/compare.js';
import { readConfig } from '../config.js';
import { startEngine } from '../engine.js';
import { readRegressionLimit } from '../regression.js';
import { heedSignals } from '../signals.js';
import { showComparison } from './compare.js';

/**
 * @import { Stats } from '../../measure/types.js'
 * @import { RunOptions } from '../../run/options.js'
 * @import { Outcome } from '../engine.js'
 * @import { Reason } from '../exit-codes.js'
 * @import { Io } from '../main.js'
 *
 * @typedef {object} AbRequest
 * @property {'ab'} command
 * @property {[string, string]} flows
 * @property {Partial<RunOptions>} given
 * @property {string} [versus] base URL of the second side
 * @property {number} runs of each side
 * @property {boolean} json
 * @property {string[]} maxRegression
 * @property {string[]} warnings that people are to read before
 */

/**
 * Two flows, or one against two services, in turn: A B, B A, … so that what disturbs the machine meets both.
 *
 * @param {AbRequest} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>}
 */
export async function ab({ flows, given, versus, runs, json, maxRegression }, io) {
  const limits = maxRegression.map(readRegressionLimit);
  const { options: below } = await readConfig(io.cwd());
  const sides = /** @type {const} */ ([
    { argument: flows[0], given },
    { argument: flows[1], given: versus === undefined ? given : { ...given, baseUrl: versus } },
  ]);
  /** @type {[Stats[], Stats[]]} */
  const results = [[], []];
  /** why there are fewer runs than were asked for @type {Reason | null} */
  let cut = null;
  const signals = heedSignals(io, (text) => io.stderr.write(`${text}\n`));
  for (let run = 0; run < runs && !cut; run++) {
    for (const side of run % 2 === 0 ? [0, 1] : [1, 0]) {
      const { stats, reason } = await once({ ...sides[side], below }, { io, signals });
      cut = reason;
      if (!stats) break;
      results[side].push(stats);
      io.stderr.write(
        `run ${run + 1} of ${runs}, ${side === 0 ? 'A' : 'B'}: ${stats.requests.rate.toFixed(0)} requests/s, p95 ${stats.main.histogram.p95?.toFixed(2)} ms, ${stats.errors.count} errors\n`,
      );
    }
  }
  const pairs = Math.min(results[0].length, results[1].length);
  const [bases, others] = results.map((side) => side.slice(0, pairs));
  /** @type {Set<Reason>} */
  const reasons =
    pairs > 0
      ? await showComparison(compareStats(bases, others, { isPaired: true }), { names: ['A', 'B'], json, limits }, io)
      : new Set();
  if (cut) reasons.add(cut);
  if ([...bases, ...others].some(({ errors }) => errors.count > 0)) reasons.add('errors');
  return reasons;
}

/** No stats where it was cut short, but the reason. @type {(side: { argument: string, given: Partial<RunOptions>, below: Partial<RunOptions> }, around: { io: Io, signals: ReturnType<typeof heedSignals> }) => Promise<{ stats: Stats | null, reason: Reason | null }>} */
async function once({ argument, given, below }, { io, signals }) {
  const engine = startEngine(
    { source: { argument }, cwd: io.cwd(), given: { ...given, progress: 0 }, below, debug: false },
    { log: io.stderr, onBegin() {}, onProgress() {}, onExchange() {} },
  );
  const outcome = await signals.during(engine);
  if (outcome.kind === 'refused') throw Object.assign(new Error(outcome.error.message), outcome.error);
  if (signals.first) return { stats: null, reason: 'interrupted' };
  if (outcome.kind === 'ended') return { stats: outcome.stats, reason: null };
  const { message, isFault } = /** @type {Extract<Outcome, { kind: 'lost' }>} */ (outcome);
  io.stderr.write(`bench-rest: the run was lost: ${message}\n`);
  return { stats: null, reason: isFault ? 'internal' : 'errors' };
}

import { makeError } from '../../errors.js';
import { startBar } from '../../report/progress/bar.js';
import { REPORTERS } from '../../report/index.js';
import { exchangeText } from '../../report/exchange-text.js';
import { planText } from '../../report/plan-text.js';
import { startEngine } from '../engine.js';
import { write } from '../output.js';
import { heedSignals } from '../signals.js';

/**
 * @import { Stats } from '../../measure/types.js'
 * @import { Outcome } from '../engine.js'
 * @import { Reason } from '../exit-codes.js'
 * @import { Io } from '../main.js'
 * @import { RunRequest } from '../options.js'
 */

/**
 * Runs a flow and prints what came of it.
 *
 * @param {RunRequest & { version: string }} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} why the exit code is not 0
 */
export async function run(request, io) {
  const { stderr } = io;
  const say = (/** @type {string} */ text) => stderr.write(text);
  const target = request.serve ? await (await import('../../target/thread.js')).startTargetThread(request.serve) : null;
  const given = target ? { ...request.given, baseUrl: target.url } : request.given;
  const isTerminal = Boolean(stderr.isTTY) && io.env.TERM !== 'dumb';
  /** @type {ReturnType<typeof startBar> | null} */
  let bar = null;

  const engine = startEngine({ source: request.source, cwd: io.cwd(), given, debug: request.debug }, {
    log: stderr,
    onBegin(plan, from) {
      if (stderr.isTTY || !request.json) say(`${planText(plan, { from, version: request.version })}\n`);
      if (isTerminal && !request.debug && given.progress !== 0) bar = startBar(stderr);
    },
    onProgress({ stats, percent, concurrent, ips }) {
      bar?.update(percent, { concurrent, ips, errors: stats.errors.count });
    },
    onExchange: (exchange) => say(exchangeText(exchange)),
  });
  const signals = heedSignals(io, engine, (text) => say(`${bar ? '\n' : ''}${text}\n`));
  const outcome = await engine.outcome;
  /** @type {ReturnType<typeof startBar> | null} */ (bar)?.stop();
  signals.close();
  await target?.close();

  /** @type {Set<Reason>} */
  const reasons = new Set();
  if (outcome.kind === 'refused') throw Object.assign(new Error(outcome.error.message), outcome.error);
  if (outcome.kind === 'lost') reasons.add(outcome.isFault ? 'internal' : 'errors');
  if (outcome.kind === 'left' || signals.first) reasons.add('interrupted');
  const words = lastWords(outcome);
  if (words) say(`${words}\n`);
  const { stats } = outcome;
  if (!stats) return reasons;
  const { thresholds = [] } = stats;
  // who says how many errors are allowed, decides
  if (stats.errors.count > 0 && !thresholds.some(({ expression }) => /^errors\b/.test(expression))) reasons.add('errors');
  if (thresholds.some(({ passed }) => !passed)) reasons.add('threshold');
  // books that do not balance are our own fault
  if (stats.verdict.status === 'invalid') reasons.add('internal');
  if (request.failIfSaturated && stats.client.saturated) reasons.add('saturated');
  if (await print(stats, request.json, io)) reasons.add('notWritten');
  return reasons;
}

/**
 * The result on stdout; where that fails, on stderr, so that it is not lost.
 * @type {(stats: Stats, json: boolean, io: Io) => Promise<boolean>} whether it failed
 */
async function print(stats, json, { stdout, stderr, env }) {
  const name = json ? 'json' : 'object';
  const colour = Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
  const reporter = /** @type {typeof REPORTERS[0]} */ (REPORTERS.find((entry) => entry.name === name));
  const text = reporter.render(stats, { colour });
  const error = await write(stdout, text);
  if (!error) return false;
  await write(stderr, `bench-rest: ${makeError('E_NOT_WRITTEN', { reason: error.message }).message}\n${text}`);
  return true;
}

/** What is to be said of how a run ended; nothing if it just ended. @type {(outcome: Exclude<Outcome, { kind: 'refused' }>) => string} */
function lastWords(outcome) {
  if (outcome.kind === 'left') return outcome.stats ? 'left at once: what was under way counts as cancelled' : 'left before there was a result';
  if (outcome.kind === 'lost') return `bench-rest: the run was lost: ${outcome.message}${outcome.stats ? '\nthis is what was known a moment before' : ''}`;
  return Object.hasOwn(ENDINGS, outcome.why) ? ENDINGS[outcome.why] : '';
}

/** @type {Record<string, string>} */
const ENDINGS = {
  before: 'bench-rest: before failed, so no iteration was run',
  bailout: 'bench-rest: stopped at the limit of errors that --bailout sets',
  threshold: 'bench-rest: stopped, as a threshold failed',
  worker: 'bench-rest: stopped, as a worker was lost',
  unreachable: 'bench-rest: stopped, as no connection could be made at all; is the server running there? (--keep-going goes on)',
};

import { Worker } from 'node:worker_threads';

/**
 * @import { Stats } from '../measure/types.js'
 * @import { Plan } from '../run/benchrest.js'
 * @import { RunOptions } from '../run/options.js'
 * @import { Exchange } from '../report/exchange-text.js'
 *
 * @typedef {object} EngineRequest
 * @property {{ argument: string } | { evaluate: string }} source
 * @property {string} cwd
 * @property {Partial<RunOptions>} given wins over what the flow carries
 * @property {Partial<RunOptions>} [below] what the flow's own options win over
 * @property {boolean} debug one iteration, every exchange told
 *
 * @typedef {object} Listener
 * @property {(begun: { plan: Plan, from: string, hash: string, options: Record<string, any> }) => void} onBegin
 * @property {(progress: { stats: Stats, percent: number, concurrent: number, ips: number }) => void} onProgress
 * @property {(exchange: Exchange) => void} onExchange
 *
 * @typedef {{ kind: 'ended', stats: Stats, why: string }
 *   | { kind: 'refused', error: { code?: string, message: string, stack?: string } }
 *   | { kind: 'left', stats: Stats | null }
 *   | { kind: 'lost', stats: Stats | null, message: string, isFault: boolean }} Outcome `left`: on our own wish, before
 *   it had ended; `lost`: the thread died
 */

/** most that a thread gets to cancel what is under way; one that hears nothing is left with what it told before */
const LEAVE_MS = 1000;

/**
 * Runs a flow in a thread of its own: whatever its hooks do, the terminal and the signals are answered here.
 *
 * @param {EngineRequest} request
 * @param {Listener & { log: NodeJS.WritableStream }} options log: gets what the flow's own code prints
 */
export function startEngine(request, { onBegin, onProgress, onExchange, log }) {
  const worker = new Worker(new URL('./engine-worker.js', import.meta.url), { workerData: request, stdout: true });
  worker.stdout.pipe(log, { end: false });
  let hasBegun = false;
  let hasLeft = false;
  /** the last that was heard of it @type {Stats | null} */
  let latest = null;
  /** @type {(outcome: Outcome) => void} */
  let settle = () => {};
  /** @type {Promise<Outcome>} */
  const outcome = new Promise((resolve) => (settle = resolve));

  worker.on('message', ({ type, ...message }) => {
    if (type === 'begun') {
      hasBegun = true;
      onBegin(message);
    } else if (type === 'progress') {
      latest = message.stats;
      onProgress(message);
    } else if (type === 'kept') latest = message.stats;
    else if (type === 'exchange') onExchange(message.exchange);
    else settle({ kind: type === 'ended' && hasLeft ? 'left' : type, ...message });
  });
  worker.on('error', (error) =>
    settle({ kind: 'lost', stats: cutShort(latest), message: String(error?.stack ?? error), isFault: true }),
  );
  worker.on('exit', (code) =>
    settle({
      kind: 'lost',
      stats: cutShort(latest),
      message: `the flow ended its process with code ${code}`,
      isFault: false,
    }),
  );

  return {
    /** The first outcome counts; the thread is gone after it. */
    outcome: outcome.finally(() => worker.terminate()),
    /** @type {(reason: string, options?: { within?: number }) => void} */
    stop(reason, options) {
      if (hasBegun) worker.postMessage({ type: 'stop', reason, options });
      else settle({ kind: 'left', stats: null });
    },
    /** Ends it now, with what is known by then; who asks again does not wait for the thread. */
    leave() {
      setTimeout(() => settle({ kind: 'left', stats: cutShort(latest) }), hasLeft ? 0 : LEAVE_MS);
      hasLeft = true;
      worker.postMessage({ type: 'leave' });
    },
  };
}

/** The books of a run that did not end by itself: what was under way is cancelled. @type {(stats: Stats | null) => Stats | null} */
function cutShort(stats) {
  if (!stats) return null;
  const { started, completed, failed, cancelled } = stats.iterations;
  const active = started - completed - failed - cancelled;
  return { ...stats, iterations: { ...stats.iterations, cancelled: cancelled + active } };
}

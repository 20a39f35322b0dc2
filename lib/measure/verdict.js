/**
 * @import { ClientFigures, Stats } from './types.js'
 *
 * @typedef {object} Verdict may the figures be quoted?
 * @property {'valid' | 'suspect' | 'invalid'} status
 * @property {string[]} reasons in plain words
 *
 * @typedef {object} Evidence
 * @property {string[]} notes of the client
 * @property {boolean} sharesLoop client and server were one thread
 * @property {{ imbalances: string[], area: number, spent: number } | null} books null before the end
 */

const SHORTEST_MS = 1000;
const BUSY = 0.95;
const STILL_MS = 1000;
const MOST_ERRORS = 0.001;
const MOST_MISSED = 0.01;
const MOST_OFF = 0.05;
/** codes of the system that say what ran out, and the cure @type {Record<string, string>} */
const EXHAUSTED = {
  EMFILE: 'files: raise the limit with ulimit -n',
  ENFILE: 'files of the whole machine: raise fs.file-max',
  EADDRNOTAVAIL: 'local ports: keep connections alive, or use fewer lanes',
  ENOBUFS: 'buffers of the system: use fewer lanes',
  ENOMEM: 'memory: use fewer lanes',
};

/**
 * Whether the client was the limit, and why. A run of less than a second is mostly start: little is said of it.
 *
 * @param {Pick<Stats, 'iterations' | 'main' | 'errors'>} stats
 * @param {ClientFigures} client
 * @param {number} measuredMs
 * @returns {{ saturated: boolean, notes: string[] }}
 */
export function judgeClient(
  { iterations, main, errors },
  { utilization, delay, startDelay, rate, workers },
  measuredMs,
) {
  const notes = exhaustion(errors);
  if (measuredMs < SHORTEST_MS) return { saturated: notes.length > 0, notes };
  if (utilization > BUSY) {
    const cure =
      workers > 1
        ? 'use fewer hooks, or another machine'
        : 'use more cores (--workers), fewer hooks, or another machine';
    notes.push(`the client was the limit: its event loop was busy ${percent(utilization)} of the time; ${cure}`);
  }
  if (delay.max >= STILL_MS)
    notes.push(
      `the client stood still for ${(delay.max / 1000).toFixed(1)} s: it was stopped, or a hook computed; what waited has it in its response time`,
    );
  const { median } = main.serviceTime;
  if (median !== null && delay.mean > median && delay.mean > 1)
    notes.push(
      `the client was late: its event loop was held up by ${delay.mean.toFixed(1)} ms on average, more than half of the requests took`,
    );
  if (rate !== null && rate.reached < rate.asked * (1 - MOST_MISSED)) {
    // with every lane taken it is the server, or too few lanes
    const isLate = startDelay.median !== null && startDelay.median > 1;
    if (iterations.late === 0 || isLate || utilization > BUSY)
      notes.push(
        `the client missed the rate: ${rate.reached.toFixed(1)} of ${rate.asked.toFixed(1)} iterations a second started, though lanes were free`,
      );
  }
  return { saturated: notes.length > 0, notes };
}

/** How many errors say that the client ran out of something, not that the target is away. @type {(errors: Stats['errors']) => number} */
export function countExhaustion({ samples }) {
  return samples.reduce((sum, { code, count }) => sum + (isExhaustion(code) ? count : 0), 0);
}

/** @type {(code: string) => boolean} */
function isExhaustion(code) {
  return Object.hasOwn(EXHAUSTED, code);
}

/** @type {(errors: Stats['errors']) => string[]} */
function exhaustion({ samples }) {
  const codes = new Set(samples.map(({ code }) => code).filter(isExhaustion));
  return [...codes].map((code) => `the client ran out of ${EXHAUSTED[code]} (${code})`);
}

/**
 * @param {Pick<Stats, 'iterations' | 'errors' | 'requests'>} stats
 * @param {Evidence} evidence
 * @returns {Verdict}
 */
export function judge({ iterations, errors, requests: { connections } }, { notes, sharesLoop, books }) {
  const reasons = [...notes];
  if (sharesLoop)
    reasons.push(
      'client and server shared an event loop: each waited for the other; give the flow as a file, without functions, or aim at a server of its own',
    );
  if (errors.count > iterations.started * MOST_ERRORS)
    reasons.push(`errors: ${errors.count} in ${iterations.started} iterations`);
  if (iterations.cancelled > 0)
    reasons.push(`cut off: ${iterations.cancelled} iterations had not ended when the run was over`);
  if (iterations.dropped > 0) reasons.push(`dropped: ${iterations.dropped} iterations were due and never started`);
  if (connections.reached < connections.asked)
    reasons.push(`connections: ${connections.asked} were asked for, ${connections.reached} ever got an answer`);
  if (!books) return { status: reasons.length > 0 ? 'suspect' : 'valid', reasons };
  const { imbalances, area, spent } = books;
  // Little's law: mean concurrency = rate x mean time; both times the length of the run
  if (iterations.cancelled === 0 && Math.abs(area - spent) > Math.max(area, spent) * MOST_OFF) {
    reasons.push(
      `Little's law: ${area.toFixed(0)} ms of iterations under way, but their times add up to ${spent.toFixed(0)} ms`,
    );
  }
  return {
    status: imbalances.length > 0 ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid',
    reasons: [...imbalances, ...reasons],
  };
}

/** @type {(share: number) => string} */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}

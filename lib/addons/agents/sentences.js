import { grouped } from '../../core/ground/decimal.js';
import { seconds } from '../../core/measure/incomplete.js';

/**
 * Agents that were lost for the same reason, in one sentence.
 * @param {string[]} names
 * @param {string} reason
 * @param {{ fromMs: number, toMs: number, openMs: number } | null} until fromMs and toMs: the first and the last time
 *   until which one of them is counted, ms since the start of the measured iterations; openMs: how long they may have
 *   gone on after that; null: nothing of them is counted
 * @returns {string}
 */
export function agentsLost(names, reason, until) {
  const are = names.length === 1 ? 'was' : 'were';
  return `${agentsNamed(names)} ${are} lost: ${reason}; ${countedUntil(until, names.length === 1 ? 'it' : 'they')}`;
}

/** @type {(until: { fromMs: number, toMs: number, openMs: number } | null, who: 'it' | 'they') => string} */
function countedUntil(until, who) {
  if (until === null) return `nothing of ${who === 'it' ? 'it' : 'them'} is counted`;
  const [from, to] = [seconds(until.fromMs), seconds(until.toMs)];
  const text = from === to ? `counted until ${to} s` : `counted until ${from} to ${to} s`;
  return until.openMs < 50 ? text : `${text}; ${who} may have gone on for up to ${seconds(until.openMs)} s`;
}

/** Names in a sentence, before the number of the others. */
const MOST_NAMED = 5;

/** @type {(names: string[]) => string} `agent a`, `agents a, b`, `400 agents: a, b, c, d, e and 395 others` */
function agentsNamed(names) {
  if (names.length === 1) return `agent ${names[0]}`;
  if (names.length <= MOST_NAMED) return `agents ${names.join(', ')}`;
  return `${grouped(names.length)} agents (${names.slice(0, MOST_NAMED).join(', ')} and ${grouped(names.length - MOST_NAMED)} others)`;
}

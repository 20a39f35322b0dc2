/**
 * @import { Stats } from './types.js'
 *
 * @typedef {'mixed' | 'sequence' | 'apart' | 'unknown'} RunOrder of the runs of two sides in time
 * @typedef {Pick<Stats, 'startedAt' | 'endedAt' | 'totalElapsed'> & { run?: { startedAt: string } }} Timed
 * @typedef {{ side: number, start: number, end: number }} Span ms
 */

/**
 * In which order the runs of two sides took place. It decides whether a drift of the machine looks like a change:
 *
 *     mixed       A B B A A B …   as often in turn as a random order would be: a drift affects both sides
 *     sequence    A A A B B B     a drift looks like a change
 *     apart       A A A … B B B   the same, with a gap that is longer than a side took, so that its runs do not show the drift
 *     unknown                     some runs have no time, or two began at once
 *
 * @param {Timed[]} bases
 * @param {Timed[]} others
 * @returns {RunOrder}
 */
export function orderOf(bases, others) {
  const spans = [bases, others]
    .flatMap((side, i) => side.map((stats) => spanOf(stats, i)))
    .sort((a, b) => a.start - b.start);
  const starts = new Set(spans.map(({ start }) => start));
  if (starts.size < spans.length || starts.has(NaN)) return 'unknown';
  const changes = spans.filter(({ side }, i) => i > 0 && side !== spans[i - 1].side).length;
  if (changes >= Math.min(bases.length, others.length) && changes > 1) return 'mixed';
  return changes === 1 && isApart(spans) ? 'apart' : 'sequence';
}

/** @type {(stats: Timed, side: number) => Span} */
function spanOf({ run, startedAt, endedAt, totalElapsed }, side) {
  const start = Date.parse(run?.startedAt ?? startedAt ?? '');
  return { side, start, end: endedAt === undefined ? start + totalElapsed : Date.parse(endedAt) };
}

/** @type {(spans: Span[]) => boolean} */
function isApart(spans) {
  const first = spans.filter(({ side }) => side === spans[0].side);
  const second = spans.slice(first.length);
  const endOf = (/** @type {Span[]} */ side) => Math.max(...side.map(({ end }) => end));
  const shortest = Math.min(...[first, second].map((side) => endOf(side) - side[0].start));
  return second[0].start - endOf(first) > shortest;
}

/** The runs of a side in the order of time. @type {<T extends Timed>(side: T[]) => T[]} */
export function inTime(side) {
  return [...side].sort((a, b) => spanOf(a, 0).start - spanOf(b, 0).start || 0);
}

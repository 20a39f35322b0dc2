/**
 * @import { ScheduleEntry, Stage } from './types.js'
 *
 * @typedef {object} Piece of the plan: between two instants the value runs straight from one to another
 * @property {number} from ms
 * @property {number} to
 * @property {number} start iterations a second, or lanes
 * @property {number} stop
 * @property {number} before the area under all pieces before this one: iterations
 */

/** @type {ScheduleEntry} */
export default {
  name: 'stages',
  about: 'ramps and steps of a rate or of lanes',
  suits: ({ stages }) => stages !== undefined,

  create({ stages = [], limit, iterations = Infinity }) {
    const isOpen = stages.some((stage) => stage.rate !== undefined);
    const pieces = piecesOf(stages, isOpen ? 'rate' : 'limit');
    const { to: end } = pieces[pieces.length - 1];
    const all = Math.min(iterations, Math.ceil(areaAt(pieces, end) - TINY));
    const most = isOpen ? limit : Math.max(...pieces.map(({ start, stop }) => Math.max(start, stop)));
    return {
      arrival: (n) => (isOpen ? (n < all ? arrivalIn(pieces, n) : Infinity) : n < iterations ? 0 : Infinity),
      lanes: (t) => (isOpen ? limit : Math.max(1, Math.min(most, Math.round(valueAt(pieces, t))))),
      most,
      end,
      arrived: isOpen ? (t) => Math.min(all, Math.floor(areaAt(pieces, t) + TINY) + 1) : null,
    };
  },
};

// of an iteration: sums of fractions do not meet whole numbers exactly
const TINY = 1e-9;

/** @type {(stages: Stage[], what: 'rate' | 'limit') => Piece[]} */
function piecesOf(stages, what) {
  let from = 0;
  let last = 0;
  let before = 0;
  return stages.map((stage) => {
    const stop = stage[what] ?? last;
    const start = stage.ramp === false ? stop : last;
    const piece = { from, to: from + stage.duration, start, stop, before };
    from = piece.to;
    last = stop;
    before += ((start + stop) / 2) * (stage.duration / 1000);
    return piece;
  });
}

/** @type {(pieces: Piece[], t: number) => Piece} */
function pieceAt(pieces, t) {
  return pieces.find(({ to }) => t < to) ?? pieces[pieces.length - 1];
}

/** @type {(pieces: Piece[], t: number) => number} */
function valueAt(pieces, t) {
  const { from, to, start, stop } = pieceAt(pieces, t);
  return start + ((stop - start) * (Math.min(t, to) - from)) / (to - from);
}

/**
 * The area under the plan up to t: the iterations due by then.
 *
 *     rate
 *      b |        ____        s seconds into a piece of d seconds that runs from rate a to b:
 *        |      /|
 *      a |    /  |            area(s) = a s + (b - a) s^2 / 2d
 *        |___/___|______ t
 *
 * @param {Piece[]} pieces
 * @param {number} t
 */
function areaAt(pieces, t) {
  const { from, to, start, stop, before } = pieceAt(pieces, t);
  const seconds = (Math.min(t, to) - from) / 1000;
  return before + start * seconds + ((stop - start) * seconds ** 2) / (2 * ((to - from) / 1000));
}

/**
 * When iteration n is due: where the area is n, the inverse of {@link areaAt}.
 *
 *     s = (sqrt(a^2 + 2 k n') - a) / k,    k = (b - a) / d, n' = n - area before the piece
 *       = 2 n' / (a + sqrt(a^2 + 2 k n'))  which has no difference of near numbers, and holds for k = 0
 *
 * @param {Piece[]} pieces
 * @param {number} n
 * @returns {number} ms; Infinity after the last piece
 */
function arrivalIn(pieces, n) {
  const piece = pieces.find(
    ({ before, start, stop, from, to }) => n < before + ((start + stop) / 2) * ((to - from) / 1000),
  );
  if (!piece) return Infinity;
  const { from, to, start: a, stop: b, before } = piece;
  const k = (b - a) / ((to - from) / 1000);
  const rest = n - before;
  if (rest === 0) return from;
  return from + (2000 * rest) / (a + Math.sqrt(Math.max(0, a * a + 2 * k * rest)));
}

import { rate as rateText } from '../ground/decimal.js';
import { writeMs, writeRate } from '../ground/units.js';
import { TINY, dueBefore } from './constant.js';
import { describeEnd, describeLimit } from './describe.js';

/** @import { ScheduleEntry, ScheduleOptions, PlannedStage } from '../contracts/schedule.js' */

/**
 * @typedef {object} RampPiece a stage with its place in time: a part of the schedule in which the value changes
 *   linearly
 * @property {number} from ms
 * @property {number} to ms
 * @property {number} start iterations per second, or lanes
 * @property {number} stop
 * @property {number} before the area under all pieces before this one, in iterations
 * @property {number} after the area including this piece: exactly `before` of the next one
 */

/** @type {ScheduleEntry} */
export default {
  name: 'stages',
  about: 'ramps and steps of the arrival rate (open model) or of the number of virtual users (closed model)',
  chosenBy: 'stages',
  options: ['stages', 'scale', 'speed', 'limit', 'iterations', 'maxBacklog', 'pacing'],
  suits: ({ stages }) => stages !== undefined,

  describe({ limit, iterations, ...options }) {
    const stages = scaledStages(options);
    const ramps = stages.length > MOST_NAMED ? [curveText(stages)] : stages.map(stageText);
    const most = hasArrivalRate({ stages }) ? [`up to ${describeLimit(limit)}`] : [];
    return [...(iterations === undefined ? [] : [describeEnd({ iterations })]), ...ramps, ...most].join(', ');
  },

  warmUp({ limit, ...options }) {
    // A stage without arrivals would warm nothing up.
    const first = scaledStages(options).find(({ rate = 1 }) => rate > 0);
    return { limit: Math.max(1, first?.limit ?? limit), rate: first?.rate };
  },

  length({ iterations = Infinity, ...options }) {
    const stages = scaledStages(options);
    const isOpen = hasArrivalRate({ stages });
    const pieces = piecesOf(stages, isOpen ? 'rate' : 'limit');
    const last = pieces[pieces.length - 1];
    return isOpen && iterations < last.after ? reachedIn(pieces, iterations) : last.to;
  },

  create({ limit, iterations = Infinity, ...options }) {
    const stages = scaledStages(options);
    const open = hasArrivalRate({ stages });
    const pieces = piecesOf(stages, open ? 'rate' : 'limit');
    const { to: end } = pieces[pieces.length - 1];
    const all = Math.min(iterations, dueBefore(areaAt(pieces, end)));
    if (open) {
      return {
        arrival: (n) => (n < all ? arrivalIn(pieces, n) : Infinity),
        lanes: () => limit,
        most: limit,
        isSteady: true,
        end,
        peakRate: highestOf(pieces),
        arrived: (t) => Math.min(all, arrivedIn(pieces, t)),
      };
    }
    const most = mostUsers({ limit, stages });
    return {
      arrival: (n) => (n < iterations ? 0 : Infinity),
      lanes: (t) => usersAt(pieces, t),
      most,
      isSteady: pieces.every(({ start, stop }) => start === most && stop === most),
      end,
      arrived: null,
    };
  },
};

/** @type {(options: Pick<ScheduleOptions, 'stages' | 'scale' | 'speed'>) => PlannedStage[]} */
export function scaledStages({ stages = [], scale = 1, speed = 1 }) {
  if (scale === 1 && speed === 1) return stages;
  return stages.map(({ duration, rate, ...others }) => ({
    ...others,
    duration: duration / speed,
    ...(rate !== undefined && { rate: rate * scale }),
  }));
}

/** Stages that a description lists; more are described as a whole. */
const MOST_NAMED = 12;

/** @type {(stage: PlannedStage) => string} */
function stageText({ duration, rate, limit = 0, ramp }) {
  return `${writeMs(duration)} ${ramp === false ? 'at' : 'to'} ${rate === undefined ? describeLimit(limit) : writeRate(rate)}`;
}

/** @type {(stages: PlannedStage[]) => string} */
function curveText(stages) {
  const values = stages.map(({ rate, limit = 0 }) => rate ?? limit);
  const all = stages.reduce((sum, { duration }) => sum + duration, 0);
  const unit = hasArrivalRate({ stages }) ? '/s' : ' virtual users';
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => rateText(value));
  return `${stages.length} stages in ${writeMs(Math.round(all))}, from ${least} to ${most}${unit}`;
}

/** The model is open then. @type {(options: Pick<ScheduleOptions, 'rate' | 'stages'>) => boolean} */
export function hasArrivalRate({ rate, stages = [] }) {
  return rate !== undefined || stages.some((stage) => stage.rate !== undefined);
}

/** They change the number of virtual users. @type {(options: Pick<ScheduleOptions, 'stages'>) => boolean} */
export function hasUserStages({ stages = [] }) {
  return stages.length > 0 && !hasArrivalRate({ stages });
}

/** @type {(options: Pick<ScheduleOptions, 'limit' | 'stages'>) => number} */
export function mostUsers({ limit, stages = [] }) {
  return hasUserStages({ stages }) ? Math.max(...stages.map((stage) => stage.limit ?? 0)) : limit;
}

/** The first ramp begins at 0. @type {(stages: PlannedStage[], what: 'rate' | 'limit') => RampPiece[]} */
function piecesOf(stages, what) {
  let from = 0;
  let last = 0;
  let before = 0;
  return stages.map((stage) => {
    const stop = stage[what] ?? last;
    const start = stage.ramp === false ? stop : last;
    const after = before + ((start + stop) / 2) * (stage.duration / 1000);
    const piece = { from, to: from + stage.duration, start, stop, before, after };
    from = piece.to;
    last = stop;
    before = after;
    return piece;
  });
}

/** @type {(pieces: RampPiece[]) => number} */
function highestOf(pieces) {
  return pieces.reduce((most, { start, stop }) => Math.max(most, start, stop), 0);
}

/** Returns the piece at t; after the end, the last one. @type {(pieces: RampPiece[], t: number) => RampPiece} */
function pieceAt(pieces, t) {
  return pieces[firstWhere(pieces, ({ to }) => t < to)] ?? pieces[pieces.length - 1];
}

/** A week has 10,080 pieces. @type {(pieces: RampPiece[], holds: (piece: RampPiece) => boolean) => number} */
function firstWhere(pieces, holds) {
  let from = 0;
  let to = pieces.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(pieces[middle])) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** @type {(pieces: RampPiece[], t: number) => number} */
function valueAt(pieces, t) {
  const { from, to, start, stop } = pieceAt(pieces, t);
  return start + ((stop - start) * (Math.min(t, to) - from)) / (to - from);
}

/**
 * Returns the virtual users at t. As with a rate, a ramp from or to 0 has one as long as it lasts; there are none only
 * in a stage that is at 0.
 * @type {(pieces: RampPiece[], t: number) => number}
 */
function usersAt(pieces, t) {
  const { start, stop } = pieceAt(pieces, t);
  return start === 0 && stop === 0 ? 0 : Math.max(1, Math.round(valueAt(pieces, t)));
}

/**
 * The area under the rate up to t: the iterations due by then.
 *
 *     rate
 *      b |        ____        s seconds into a piece of d seconds that runs from rate a to b:
 *        |      /|
 *      a |    /  |            area(s) = a s + (b - a) s^2 / 2d
 *        |___/___|______ t
 * @param {RampPiece[]} pieces
 * @param {number} t
 */
function areaAt(pieces, t) {
  const { from, to, start, stop, before } = pieceAt(pieces, t);
  const seconds = (Math.min(t, to) - from) / 1000;
  return before + start * seconds + ((stop - start) * seconds ** 2) / (2 * ((to - from) / 1000));
}

/** While the rate is 0, an iteration is due later. @type {(pieces: RampPiece[], t: number) => number} */
function arrivedIn(pieces, t) {
  const n = Math.floor(areaAt(pieces, t) + TINY);
  return arrivalIn(pieces, n) <= t + TINY ? n + 1 : n;
}

/**
 * When iteration n is due: where the area is n, the inverse of {@link areaAt}.
 *
 *     s = (sqrt(a^2 + 2 k n') - a) / k,    k = (b - a) / d, n' = n - area before the piece
 *       = 2 n' / (a + sqrt(a^2 + 2 k n'))  avoids cancellation, and holds for k = 0
 * @param {RampPiece[]} pieces
 * @param {number} n
 * @returns {number} ms; Infinity after the last piece
 */
function arrivalIn(pieces, n) {
  const piece = pieces[firstWhere(pieces, ({ after }) => n < after)];
  return piece === undefined ? Infinity : instantIn(piece, n);
}

/** While the rate is 0, an iteration is due later. @type {(pieces: RampPiece[], n: number) => number} */
function reachedIn(pieces, n) {
  return instantIn(pieces[firstWhere(pieces, ({ after }) => n <= after)], n);
}

/** @type {(piece: RampPiece, n: number) => number} */
function instantIn(piece, n) {
  const { from, to, start: a, stop: b, before } = piece;
  const k = (b - a) / ((to - from) / 1000);
  const rest = n - before;
  if (rest === 0) return from;
  return from + (2000 * rest) / (a + Math.sqrt(Math.max(0, a * a + 2 * k * rest)));
}

/**
 * When iterations are due: three pure answers, in milliseconds since the start of the run.
 *
 * @typedef {object} Schedule
 * @property {(n: number) => number} arrival when iteration n is due; 0: as soon as a lane is free; Infinity: there is none
 * @property {(t: number) => number} lanes how many lanes may work at time t
 * @property {number} end no start after this instant
 */
export {};

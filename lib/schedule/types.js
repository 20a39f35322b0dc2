/**
 * When iterations are due: pure answers, in milliseconds since the start of the run.
 *
 * @typedef {object} Schedule
 * @property {(n: number) => number} arrival when iteration n is due; 0: as soon as a lane is free; Infinity: there is
 *   none. n never falls from call to call
 * @property {(t: number) => number} lanes how many lanes may work at time t
 * @property {number} most lanes at any time
 * @property {number} end no start at or after this instant; Infinity if n alone ends it
 * @property {((t: number) => number) | null} arrived how many are due by t, where the plan says when: an open schedule;
 *   null for a closed one. t never falls
 *
 * @typedef {object} ScheduleOptions
 * @property {number} limit lanes
 * @property {number} [iterations] Infinity if there is no such end
 * @property {number} [duration] ms
 * @property {number} [rampUp] ms in which lanes start one after the other
 * @property {number} [rate] iterations a second
 * @property {'constant' | 'poisson'} [arrival]
 * @property {number} [seed] of what is random
 * @property {Stage[]} [stages]
 *
 * @typedef {object} Stage a piece of a ramp: from where the one before it ended to its own rate, or number of lanes
 * @property {number} duration ms
 * @property {number} [rate]
 * @property {number} [limit]
 * @property {boolean} [ramp] false: a step, no ramp
 *
 * @typedef {object} ScheduleEntry
 * @property {string} name
 * @property {string} about one sentence for help
 * @property {(options: ScheduleOptions) => boolean} suits
 * @property {(options: ScheduleOptions) => Schedule} create
 */
export {};

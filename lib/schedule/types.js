/**
 * Defines when iterations are due: pure functions of milliseconds since the start of the run.
 *
 * @typedef {object} Schedule
 * @property {(n: number) => number} arrival when iteration n is due; 0: as soon as a lane is free; Infinity: there is
 *   none. n never decreases from call to call
 * @property {(t: number) => number} lanes how many lanes may run at time t
 * @property {number} most lanes at any time
 * @property {number} end no start at or after this instant; Infinity if only the number of iterations ends the run
 * @property {((t: number) => number) | null} arrived how many iterations are due by t in an open model; null in a
 *   closed model. t never decreases from call to call
 * @property {number} [span] ms that all iterations of a constant or average rate stand for: until the next one would
 *   be due
 * @property {number} [peakRate] the highest rate of a ramp, iterations per second
 *
 * @typedef {object} ScheduleOptions
 * @property {number} limit lanes
 * @property {number} [iterations] Infinity if there is no such end
 * @property {number} [duration] ms
 * @property {number} [rampUp] ms over which the lanes start gradually
 * @property {number} [rate] iterations per second
 * @property {'constant' | 'poisson'} [arrival]
 * @property {number} [seed] random seed
 * @property {Stage[]} [stages]
 *
 * @typedef {object} Stage a piece of a ramp: from the value at the end of the stage before to its own
 * @property {number} duration ms
 * @property {number} [rate] iterations per second
 * @property {number} [limit] lanes
 * @property {boolean} [ramp] false: a step instead of a ramp
 *
 * @typedef {object} ScheduleEntry
 * @property {string} name
 * @property {string} about one sentence for documents
 * @property {string | null} chosenBy the run option that selects it; null: the default
 * @property {string[]} options run options that it reads, of those that not every run has
 * @property {(options: Pick<ScheduleOptions, 'rate' | 'arrival' | 'stages'>) => boolean} suits
 * @property {(options: ScheduleOptions) => string} describe how long, how fast, how many at a time
 * @property {(options: ScheduleOptions) => ScheduleOptions} warmUp the load before the measured one, without an end
 * @property {(options: ScheduleOptions) => Schedule} create
 */
export {};

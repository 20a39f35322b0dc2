import type { ThinkTimeMs } from '../ground/units.js';

/** Schedules define when iterations are due, in milliseconds since the start of the run. */

export interface Schedule {
  /** when iteration n is due; 0: as soon as a lane is free; Infinity: never, and always for n = Infinity */
  arrival: (n: number) => number;
  /** how many lanes may run at time t */
  lanes: (t: number) => number;
  /** lanes at any time */
  most: number;
  /** `lanes` is `most` from the start until the end */
  isSteady: boolean;
  /** no start at or after this instant; Infinity if only the number of iterations ends the run */
  end: number;
  /** how many iterations are due by t in an open model; null in a closed model */
  arrived: ((t: number) => number) | null;
  /** ms that all iterations of a constant or average rate stand for: until the next one would be due */
  span?: number;
  /**
   * when iteration n of a constant or average rate would be due without an end, ms; Infinity if n is so large that one
   * interval more or less does not matter
   */
  dueAt?: (n: number) => number;
  /** the highest rate of a ramp, iterations per second */
  peakRate?: number;
}

/** what a schedule is made of */
export interface ScheduleOptions {
  /** lanes */
  limit: number;
  /** Infinity if there is no such end */
  iterations?: number;
  /** ms */
  duration?: number;
  /** the precision that ends the run */
  precision?: { expression: string }[];
  /** of one of several loads: it ends when the others have ended */
  isUntilOthers?: boolean;
  /** ms over which the lanes start gradually */
  rampUp?: number;
  /** iterations per second */
  rate?: number;
  arrival?: 'constant' | 'poisson';
  /** random seed */
  seed?: number;
  stages?: PlannedStage[];
  /** factor of the rates of stages */
  scale?: number;
  /** their durations are divided by it */
  speed?: number;
}

/** One of several loads of a run, read and checked. */
export interface SideLoad extends ScheduleOptions {
  name: string;
  /** its start, ms after that of the run, or after the end of another load */
  from: number;
  /** the position of that load, whose end is not planned; undefined: there is none */
  after?: number;
  /** the position of the load after which it starts, whether its end is planned or not */
  follows?: number;
  /** its own duration, ms; `duration` is shorter if others end it, or the run does */
  ownDuration?: number;
  /** false: it goes on until the loads that have an end have ended */
  hasEnd: boolean;
  /** think time of a virtual user between iterations */
  pause?: ThinkTimeMs;
  /** due iterations that may wait for a free virtual user */
  maxBacklog?: number;
  /** iterations of one virtual user */
  iterationsOfLane?: number;
  /** that an iteration makes, if their number is known */
  requests?: number;
}

/** a piece of a ramp: from the value at the end of the stage before to its own */
export interface PlannedStage {
  /** ms */
  duration: number;
  /** iterations per second */
  rate?: number;
  /** lanes */
  limit?: number;
  /** false: a step instead of a ramp */
  ramp?: boolean;
}

/** Defines when iterations are due: pure functions of milliseconds since the start of the run. */
export interface ScheduleEntry {
  name: string;
  /** one sentence for documents */
  about: string;
  /** the run option that selects it; null: the default */
  chosenBy: string | null;
  /** run options that it reads, of those that not every run has */
  options: string[];
  suits: (options: Pick<ScheduleOptions, 'rate' | 'arrival' | 'stages'>) => boolean;
  /** how long, how fast, how many at a time */
  describe: (options: ScheduleOptions) => string;
  /** the load before the measured one, without an end */
  warmUp: (options: ScheduleOptions) => ScheduleOptions;
  create: (options: ScheduleOptions) => Schedule;
  /**
   * how long its iterations are due as planned, ms: until the one after the last would be, or its end; Infinity: it has
   * none, or only a number of iterations ends a closed model
   */
  length: (options: ScheduleOptions) => number;
}

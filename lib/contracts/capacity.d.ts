import type { GivenRunOptions } from './run-options.js';
import type { Machine, Note, SavedOutcome } from './stats.js';

/** The result of a search for the capacity of a service. Times are milliseconds. */
export interface Capacity {
  /** address of the JSON Schema */
  $schema: string;
  type: 'capacity';
  schemaVersion: number;
  /** what measured it */
  tool?: { name: string; version: string };
  /** ISO 8601 */
  startedAt: string;
  /** ISO 8601 */
  endedAt: string;
  /** what the search varies: the arrival rate, or the number of virtual users */
  by: 'rate' | 'concurrency';
  /** the precision that it was to reach, as a share of the load */
  within: number;
  conclusion: CapacityConclusion;
  /** in their order */
  steps: CapacityStep[];
  /** of a search by concurrency */
  scalability?: Scalability;
  /** those that sent the load */
  machines?: Machine[];
  /** what was loaded, and where; of a search by the command */
  run?: CapacityRun;
  /** whether the command passed */
  outcome?: SavedOutcome;
}

export interface CapacityRun {
  flow: { source: string; sha256: string };
  origins: string[];
  /** given ones, without secrets */
  options: Record<string, unknown>;
}

export interface CapacityConclusion {
  /**
   * found: as precise as asked for; atLeast: beyond it the load generator was the bottleneck; none: no load holds;
   * imprecise: the steps or the time did not suffice; unrecovered: the service did not recover from an overload
   */
  outcome: 'found' | 'atLeast' | 'none' | 'imprecise' | 'unrecovered';
  /** the highest load that holds, iterations per second or virtual users; null: none is known */
  load: number | null;
  interval: {
    low: number;
    /** null: not known */
    high: number | null;
  };
  /** the load held twice */
  confirmed: boolean;
  /** iterations that completed per second at this load */
  throughput: number | null;
  /** the load from which on response times rise more than the load; null: not known */
  knee: number | null;
  /** what limits the service */
  limit: Note;
  /** all of this in words, without a full stop */
  sentence: string;
}

export interface CapacityStep {
  /** settling: a low load after an overload, until the service has recovered */
  role: 'search' | 'confirmation' | 'settling';
  load: {
    /** iterations per second */
    rate?: number;
    /** at most, in a search by rate */
    virtualUsers: number;
    /** of the measured iterations */
    duration: number;
    /** before it, not measured */
    warmup: number;
  };
  /** `id` of its result; null if it has none */
  resultId: string | null;
  passed: boolean;
  /** saturated: the load generator was the bottleneck, or lacked CPU, so the step says nothing about the service */
  verdict: 'passed' | 'failed' | 'saturated';
  /** why it did not pass */
  reasons: Note[];
  validity: 'valid' | 'suspect' | 'invalid';
  figures: CapacityFigures;
}

export interface CapacityFigures {
  /** iterations that completed per second */
  throughput: number;
  /** response times of completed iterations */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  max: number | null;
  errors: number;
  /** of the iterations, 0 to 1 */
  errorShare: number | null;
  /** mean number of running iterations */
  concurrency: number;
  /** iterations per second by which more became due than ended; 0: it did not grow */
  backlogGrowth: number;
  /** of the event loops that sent the requests, 0 to 1 */
  loadGeneratorUtilization: number;
  /** share of the time in which the load generator was suspended, or other processes left it no CPU; 0 to 1 */
  loadGeneratorLost: number;
  /** cores that the server used, if the run started it */
  serverCores?: number;
}

/** The Universal Scalability Law (Gunther 1993): X(n) = rate n / (1 + contention (n - 1) + coherence n (n - 1)). */
export interface Scalability {
  fits: boolean;
  /** why it does not fit; what it means */
  message: string;
  /** iterations per second of one virtual user */
  rate?: Estimated;
  contention?: Estimated;
  coherence?: Estimated;
  /** the number of virtual users with the highest throughput; null: it does not fall */
  peak?: number | null;
}

export interface Estimated {
  value: number;
  /** standard error */
  error: number;
}

/** The options of a search: those of a run, without those that set the load, and its own. */
export type CapacityOptions = Omit<
  GivenRunOptions,
  | 'iterations'
  | 'duration'
  | 'forever'
  | 'rate'
  | 'stages'
  | 'rampUp'
  | 'ratePerUser'
  | 'maxRequestsPerUser'
  | 'maxRequests'
  | 'shard'
  | 'startAt'
  | 'runId'
  | 'prealloc'
  | 'expectedInterval'
> & {
  /** What to vary. Default: `'rate'`. */
  by?: 'rate' | 'concurrency';
  /** Load of the first step. Default: 20 per second, or 1 virtual user. */
  from?: number | string;
  /** Precision, as a share. Default: 0.05. */
  within?: number;
  /** Length of a step, at least. Default: `'10s'`. */
  step?: number | string;
  /** No step starts that would end later; the answer is what is known then. */
  maxDuration?: number | string;
  /** The outcome fails if the capacity is lower. */
  atLeast?: number | string;
  /** Called after each step. */
  onStep?: (step: CapacityStep) => void;
};

import type { GivenRunOptions } from '../../core/contracts/run-options.js';
import type { LoadGeneratorEntry, Note, SavedOutcome, Validity } from '../../core/contracts/stats.js';

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
  /** who sent the load */
  loadGenerators?: Pick<LoadGeneratorEntry, 'name' | 'shard' | 'toolVersion' | 'workers' | 'machine'>[];
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
  code: 'found' | 'atLeast' | 'none' | 'imprecise' | 'unrecovered';
  /** all of this in words, without a full stop */
  message: string;
  /** the highest load that holds, iterations per second or virtual users; null: none is known */
  load: number | null;
  interval: {
    low: number;
    /** null: not known */
    high: number | null;
  };
  /** the load held twice */
  confirmed: boolean;
  /** what completed at this load; null: not measured */
  iterations: { completedRate: number | null };
  /** the load from which on response times rise more than the load; null: not known */
  knee: number | null;
  /** what limits the service */
  limit: Note;
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
  outcome: {
    passed: boolean;
    /** saturated: the load generator was the bottleneck, or lacked CPU, so the step says nothing about the service */
    status: 'passed' | 'failed' | 'saturated';
    /** why it did not pass */
    reasons: Note[];
  };
  validity: Pick<Validity, 'status' | 'reasons'>;
  /** completed ones per second */
  iterations: { completedRate: number };
  /** of completed iterations; null: none completed */
  responseTime: { median: number | null; p95: number | null; p99: number | null; max: number | null };
  /** share: of the iterations */
  errors: { count: number; share: number | null };
  /** mean number of running iterations */
  concurrency: number;
  /** iterations per second by which more became due than ended; 0: it did not grow */
  backlogGrowth: number;
  /** lostShare: of the time, in which it was suspended, or other processes left it no CPU */
  loadGenerator: { eventLoopUtilization: number; lostShare: number };
  /** those that the run started */
  servers?: { name: string; cpuCores: number }[];
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

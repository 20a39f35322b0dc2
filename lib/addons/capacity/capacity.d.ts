import type { GivenRunOptions } from '../../core/contracts/run-options.js';
import type { FlowFacts, LoadGeneratorEntry, Note, SavedOutcome, Tool, Validity } from '../../core/contracts/stats.js';
import type { Amount, Cores, Count, Ms, Rate, Ratio, Share } from '../../core/contracts/quantities.js';

/**
 * What bench-rest capacity --format json prints. Times are milliseconds.
 * @title A capacity that bench-rest found
 * @experimental
 */
export interface Capacity {
  /** address of the JSON Schema */
  $schema: string;
  type: 'capacity';
  schemaVersion: number;
  /** what measured it */
  tool?: Tool;
  /** ISO 8601 */
  startedAt: string;
  /** ISO 8601 */
  endedAt: string;
  /** what the search varies: the arrival rate, or the number of virtual users */
  by: 'rate' | 'users';
  /** the precision that it was to reach, as a share of the load */
  within: Ratio;
  conclusion: CapacityConclusion;
  /** in their order */
  steps: CapacityStep[];
  /** of a search by users */
  scalability?: Scalability;
  /** who sent the load */
  loadGenerators?: Pick<LoadGeneratorEntry, 'name' | 'shard' | 'toolVersion' | 'workers' | 'machine'>[];
  /** what was loaded, and where; of a search by the command */
  run?: CapacityRun;
  /** whether the command passed */
  outcome?: SavedOutcome;
}

export interface CapacityRun {
  flow: FlowFacts;
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
  load: Amount | null;
  interval: {
    low: Amount;
    /** null: not known */
    high: Amount | null;
  };
  /** the load held twice */
  confirmed: boolean;
  /** what completed at this load; null: not measured */
  iterations: { completedRate: Rate | null };
  /** the load from which on response times rise more than the load; null: not known */
  knee: Amount | null;
  /** what limits the service */
  limit: Note;
}

export interface CapacityStep {
  /** settling: a low load after an overload, until the service has recovered */
  role: 'search' | 'confirmation' | 'settling';
  load: {
    /** iterations per second */
    rate?: Rate;
    /** at most, in a search by rate */
    virtualUsers: Count;
    /** of the measured iterations */
    duration: Ms;
    /** before it, not measured */
    warmup: Ms;
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
  iterations: { completedRate: Rate };
  /** of completed iterations; null: none completed */
  responseTime: { median: Ms | null; p95: Ms | null; p99: Ms | null; max: Ms | null };
  /** share: of the iterations */
  errors: { count: Count; share: Share | null };
  /** mean number of running iterations */
  concurrency: Amount;
  /** iterations per second by which more became due than ended; 0: it did not grow */
  backlogGrowth: Rate;
  /** lostShare: of the time, in which it was suspended, or other processes left it no CPU */
  loadGenerator: { eventLoopUtilization: Share; lostShare: Share };
  /** those that the run started */
  servers?: { name: string; cpuCores: Cores }[];
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
  peak?: Amount | null;
}

export interface Estimated {
  value: number;
  /** standard error */
  error: Amount;
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
  by?: 'rate' | 'users';
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

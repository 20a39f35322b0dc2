import type { CapacityConclusion, CapacityStep } from '../capacity/capacity.js';
import type { ComparedProfile } from '../server/profile.js';
import type { Times } from '../../core/contracts/summaries.js';
import type {
  Bounds,
  Limit,
  LoadGeneratorEntry,
  Note,
  OutcomeReason,
  RunInfo,
  SavedOutcome,
  Tool,
  Validity,
} from '../../core/contracts/stats.js';
import type { Amount, Change, Count, Ms, Rate, Ratio, Share } from '../../core/contracts/quantities.js';

/** The changes of a result against another one. */

declare module '../../core/contracts/stats.js' {
  interface Stats {
    /** the changes against an earlier result */
    baseline?: Baseline;
  }
}

/** the changes of a result against an earlier one */
export interface Baseline {
  /** its file @experimental */
  from: string;
  /** of its run @experimental */
  id?: string;
  /** @experimental */
  startedAt?: string;
  /** @experimental */
  method: Method;
  /** why noise cannot be told from change; absent if it can @experimental */
  untested?: Note;
  figures: ComparedFigure[];
  /** that both have @experimental */
  operations: ComparedOperation[];
  /** the limits of --max-regression */
  regressions: RegressionLimit[];
  /** why the two may not be comparable @experimental */
  warnings: Note[];
  /**
   * of the service, if both runs were profiled
   * @maxItems 2
   * @experimental
   */
  profiles?: ComparedProfile[];
}

/** of the significance test */
export type Method = 'pairs' | 'runs' | 'sequence' | 'noise' | 'none';

export type Verdict = 'better' | 'worse' | 'noise' | 'unknown';

/** of the confidence interval of a change; null: not known, of a capacity */
export interface ChangeInterval {
  low: Change | null;
  high: Change | null;
}

export interface ComparedFigure {
  /** as in a threshold: `responseTime.p95`; of an operation `p95` */
  figure: string;
  unit: string;
  /** geometric mean of the runs */
  base: number | null;
  new: number | null;
  /** as a share: 0.1 is 10 % more */
  change: Change | null;
  /** of the change; null if it was not tested @experimental */
  interval: ChangeInterval | null;
  /** the probability of such a change, if there is none @experimental */
  p: number | null;
  /** `noise`: not significant; `unknown`: cannot tell */
  verdict: Verdict;
  /** of the figure of a side of one run that has one @experimental */
  confidence?: { base: Bounds | null; new: Bounds | null };
  /** why this figure alone has no verdict: the others may have one */
  reason?: Note;
}

/** a limit of --max-regression */
export interface RegressionLimit extends Limit {
  /** how much worse the figure may be, as a share */
  bound: Ratio;
  /** how much worse it is; below 0 if it is better; null if it could not be compared */
  actual: Change | null;
  unit: 'ratio';
}

/** over all runs */
export interface OperationCounts {
  count: Count;
  errors: Count;
}

export interface ComparedOperation {
  name: string;
  /** of the operation; `scenario` or `group` for these */
  phase: string;
  /** null: this side does not have it */
  base: OperationCounts | null;
  new: OperationCounts | null;
  /** p50, p95 and p99 of its times */
  figures: ComparedFigure[];
}

/**
 * What bench-rest compare --format json prints: base is A of the reports, new is B. Changes and their intervals are
 * shares: 0.1 is 10 % more.
 * @title A comparison of bench-rest
 */
export interface Comparison {
  /** address of the JSON Schema */
  $schema: string;
  type: 'comparison';
  schemaVersion: number;
  /** what was compared: results of runs, or capacities @experimental */
  of: 'run' | 'capacity';
  tool: Tool;
  /** whether the command passes: sides that failed, and limits that were exceeded */
  outcome: Omit<SavedOutcome, 'reasons'> & { reasons: (OutcomeReason & { side?: SideName })[] };
  conclusion: Conclusion;
  /** @experimental */
  sides: Record<SideName, ComparedSide>;
  figures: ComparedFigure[];
  /** @experimental */
  operations: ComparedOperation[];
  /** of iterations: shares of those that failed, and that never started @experimental */
  failures: ComparedFailures[];
  /** @experimental */
  thresholds: ComparedThreshold[];
  regressions: RegressionLimit[];
  /** `intervals`: capacities differ if their intervals do not overlap @experimental */
  method: Method | 'intervals';
  /** why noise cannot be told from change; absent if it can @experimental */
  untested?: Note;
  /** how many figures were tested @experimental */
  tests: Count;
  /** other than figures: flow, load, target, machine, options @experimental */
  differences: Difference[];
  /** why the sides may not be comparable, or their figures not those of the service @experimental */
  warnings: Note[];
  /**
   * of the service, if both sides were profiled
   * @maxItems 2
   * @experimental
   */
  profiles?: ComparedProfile[];
}

export type SideName = 'base' | 'new';

/** what a comparison amounts to */
export interface Conclusion {
  /** that decides: p95, or p50 if too few values support it */
  figure: string;
  change: Change | null;
  /** @experimental */
  interval: ChangeInterval | null;
  /** `unknown` also if a side failed that would be better */
  verdict: Verdict;
  /** why it cannot tell */
  reason?: Note;
  /** the sentence, without a full stop */
  message: string;
}

/** a step of a search: iterations per second, or virtual users; times are ms */
export interface ComparedStep {
  load: Amount;
  status: CapacityStep['outcome']['status'];
  iterations: { completedRate: Rate };
  responseTime: { median: Ms | null; p95: Ms | null; p99: Ms | null };
  errors: { share: Share | null };
}

/** the runs of a side; a capacity has a label and the search */
export interface ComparedSide {
  /** what was compared: a file, a flow, a title */
  label: string;
  /** how many */
  runs?: Count;
  iterations?: SideIterations;
  errors?: { count: Count };
  /** the worst of its runs, and all reasons against their figures */
  validity?: Pick<Validity, 'status' | 'reasons'>;
  /** of the first run */
  title?: string;
  startedAt?: string;
  tool?: Tool;
  loadGenerators?: LoadGeneratorEntry[];
  run?: Pick<RunInfo, 'flow' | 'loads' | 'origins'> & Partial<Pick<RunInfo, 'proxies'>>;
  /** of the completed iterations of all runs, with `hdr` if all runs have it */
  responseTime?: Times;
  /** of a capacity */
  capacity?: {
    code: CapacityConclusion['code'];
    message: string;
    load: Amount | null;
    interval: { low: Amount | null; high: Amount | null };
    /** what limits the service */
    limit: Note;
    /** the steps along the load, without those that let the service recover */
    steps: ComparedStep[];
  };
}

export interface SideIterations {
  started: Count;
  /** and those that the end cut off although they had run longer than any other */
  failed: Count;
  /** of the started ones */
  failedShare: Share | null;
  /** planned and never started: dropped, or missing with a lost shard */
  unsent: Count;
  /** of the planned ones */
  unsentShare: Share;
}

export interface ComparedThreshold {
  expression: string;
  /** runs in which it failed */
  base: Count;
  new: Count;
}

export interface ComparedFailures {
  /** `iterations.failedShare`, `iterations.unsentShare` */
  figure: string;
  unit: 'ratio';
  base: Share | null;
  new: Share | null;
  /** null: not tested */
  p: number | null;
  verdict: 'worse' | 'noise' | 'unknown';
}

/** a fact about the first run of each side that differs */
export interface Difference {
  /** its path in the result: `run.flow.source`, `run.options.rate` */
  path: string;
  /** null: this side does not have it */
  base: string | null;
  new: string | null;
}

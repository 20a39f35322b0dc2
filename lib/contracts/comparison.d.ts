/** The changes of a result against another one. */

/** the changes of a result against an earlier one */
export interface Baseline {
  /** its file */
  from: string;
  /** of its run */
  startedAt?: string;
  method: Method;
  /** it cannot tell noise from change; null if it can */
  why: string | null;
  figures: ComparedFigure[];
  /** that both have */
  operations: ComparedOperation[];
  /** of --max-regression */
  limits: {
    expression: string;
    passed: boolean;
    problem?: string;
  }[];
  /** why the two may not be comparable */
  notes: string[];
}

/** of the significance test */
export type Method = 'pairs' | 'runs' | 'sequence' | 'noise' | 'none';

export interface ComparedFigure {
  figure: string;
  unit: string;
  /** geometric mean of the runs */
  base: number | null;
  other: number | null;
  /** as a share: 0.1 is 10 % more */
  change: number | null;
  /** bounds of the confidence interval of the change */
  low: number | null;
  high: number | null;
  /** the probability of such a change, if there is none */
  p: number | null;
  /** `noise`: not significant; `unknown`: cannot tell */
  verdict: 'better' | 'worse' | 'noise' | 'unknown';
  /** this figure was not tested */
  why?: string;
  /** it has changed, but perhaps only by the load generator */
  doubt?: string;
}

/** over all runs */
export interface OperationCounts {
  count: number;
  errors: number;
}

export interface ComparedOperation {
  name: string;
  /** of the operation; `scenario` or `group` for these */
  phase: string;
  /** null: this side does not have it */
  base: OperationCounts | null;
  other: OperationCounts | null;
  /** p50, p95 and p99 of its times */
  figures: ComparedFigure[];
}

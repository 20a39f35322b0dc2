import type { CheckPlace, Exemplar, OperationFacts } from './summaries.js';
import type { HookStats } from './hooks.js';

/** What an iteration records: the part of a recorder that it uses. */
export interface Recorder {
  operations: {
    add(name: string, phase: string, facts?: OperationFacts): OperationRecorder;
    /** The operation that functions request under a name. */
    named(name: string, phase: string, facts?: OperationFacts): OperationRecorder;
  };
  checks: { add(place: CheckPlace): CheckRecorder };
  scenarios: { add(name: string): TransactionRecorder };
  groups: { add(name: string): TransactionRecorder };
  exemplars: ExemplarRecorder;
  metrics: {
    forHooks: HookStats;
    /** Records a time in Server-Timing of a response. */
    serverTime(name: string, ms: number): void;
  };
  iterations: { endedEarly: number; furtherErrors: number };
  /** Counts an operation that `when` or a hook left out. */
  skipped(): void;
  /** Counts the start of an iteration; each ends exactly once. */
  started(holder: Holder, now: number): void;
  /** ms: how long the iteration took. */
  ended(holder: Holder, outcome: IterationOutcome, now: number, ms: number): void;
  /**
   * Records the time of `main`. `waitedMs`: how long the iteration was due and waited for a virtual user; NaN in a
   * closed run. `ownMs` and `ownWaitMs`: the parts of `ms` and `waitedMs` that are the load generator's at most.
   */
  main(ms: number, waitedMs: number, outcome: IterationOutcome, now: number, ownMs?: number, ownWaitMs?: number): void;
  /** The end of the run cuts off an iteration whose `main` has taken so long. */
  cutOff(ms: number): void;
  teardownFailed(): void;
  answered(status: number, role: Role): void;
  unanswered(isCancelled: boolean, role: Role): void;
  /** Records a wait after which a request is sent again. */
  throttled(ms: number): void;
  /** Counts such a wait that the end of the run has cut. */
  waitCut(): void;
  /** Counts a response that asks for a further request, which is not sent. */
  exhausted(): void;
  /** Counts a request to an origin that was sent without the credentials of the run. */
  withheld(origin: string): void;
}

/** How an iteration, or a transaction in it, ended. */
export type IterationOutcome = 'completed' | 'failed' | 'cancelled';

/** The counter of a request: that of first requests, or one of those that follow. */
export type Role = 'count' | 'retries' | 'redirects' | 'authChallenges' | 'reconnects' | 'throttled';

/** A lane, which runs one iteration at a time. */
export interface Holder {
  /** its iteration has begun and not ended; set by the recorder */
  isRunning: boolean;
}

/** Records an operation. Times are service times in ms, `leastMs` without what the load generator may have added. */
export interface OperationRecorder {
  name: string;
  phase: string;
  errors: number;
  skipped: number;
  /** of `main`: the longest that an iteration had taken when it was answered, ms */
  oldest: number;
  answered(status: number, ms: number, leastMs?: number): void;
  hasAnswered(status: number): boolean;
  /** A response that was measured is an error. */
  answeredWithError(ms: number, leastMs: number): void;
  unanswered(): void;
  /** The end of the run cuts off a request, after `ms` of `main`; of another phase, after `ms` of the request. */
  cutOff(ms: number): void;
  /** Returns the recorder of figures that only some operations have. */
  figures(key: string): FiguresRecorder;
}

/** Records figures that only some operations have. */
export interface FiguresRecorder {
  /** Returns the times since the last call: what was measured `of` each of them. */
  points(): object[];
  /** Returns the sum of this recorder and others. */
  with(others: any[]): FiguresRecorder;
  summary(options: { withCounts: boolean }): any;
  /** Returns the measurements since the last call. */
  drain(): unknown;
  addState(state: any): void;
}

/** Limits that are kept or not: those of a threshold, `goodput(firstEvent<500ms, gap.p99<100ms)`. */
export interface JudgedLimits {
  /** of the figures of operations that have them */
  key: string;
  /** `firstEvent<500ms, gap.p99<100ms` */
  text: string;
  /** name of the operation; null: all that have such figures */
  operation: string | null;
}

/** Records a scenario or a group. */
export interface TransactionRecorder {
  name: string;
  /** `ownMs`: the part that is the load generator's at most; `waitMs`: for a virtual user, NaN in a closed model. */
  took(ms: number, ownMs: number, waitMs?: number): void;
  cutOff(ms: number): void;
  ended(outcome: IterationOutcome): void;
}

/** Counts a check. */
export interface CheckRecorder {
  passes: number;
  fail(index: number | undefined, message: string): void;
}

/** Keeps the slowest requests, and failed ones. */
export interface ExemplarRecorder {
  /** only slower requests are kept, ms */
  bar: number;
  addSlow(exemplar: Exemplar): void;
  /** Returns whether a failed request would be kept. */
  accepts(code: string, place: Pick<Exemplar, 'path' | 'operation'>): boolean;
  addFailed(exemplar: Exemplar): void;
}

import type { TransportTotals } from '../../contracts/connection.js';
import type { RunOptions } from '../../contracts/run-options.js';
import type { AddressFigures, LogFileSummary } from '../../contracts/stats.js';
import type { SenderSummary } from '../../contracts/summaries.js';
import type { Table } from '../../flow/data/types.js';
import type { Phase } from '../../ground/phases.js';
import type { number } from '../../ground/shape.js';
import type { RunningTimes } from '../../measure/judge-thresholds.js';
import type { RecorderState } from '../../measure/state.js';
import type { SharedCounters } from '../../process/body-memory.js';
import type { PostedBatch } from '../response-events.js';
import type { FlowSource, PacingMemory } from '../types.js';
import type { PlainError } from './plain-error.js';
import type { WorkerHandle } from './worker-handle.js';

/** Types that files of lib/core/run/workers share. */

/** The input of a worker. */
export interface WorkerData {
  source: FlowSource;
  options: RunOptions;
  /** the next INDEX, and how many iterations each worker has started */
  memory: SharedArrayBuffer;
  /** responses are sent to the main thread */
  emitsResponses: boolean;
  /** counters of kept bodies, shared by all threads */
  bodies: SharedCounters;
  /** rows of the flow's feeders, shared by all threads */
  tables: Record<string, Table>;
  /** of the thread that wakes all workers; null if there is none */
  pacingMemory: PacingMemory | null;
  /** of several loads */
  loadsMemory?: SharedArrayBuffer;
  worker: number;
  workers: number;
}

/** `at`: common time. */
export type ToWorker =
  | {
      type: 'context';
      runCtx: Record<string, any>;
      vars: Record<string, any>;
      /** the flow as `before` has changed it; null: it has not */
      flow: Packed | null;
      emitsErrors: boolean;
    }
  | { type: 'warmUp' }
  | { type: 'start'; at: number }
  | { type: 'endUsers' }
  | { type: 'responsesEmitted' }
  | { type: 'stop'; reason: string; within: number }
  | { type: 'abort' };

/**
 * A part of a flow as data: a value, or an object with its members or its content; `at`: its place in the flow as it
 * was read. `isOwn`: only a read shows its value, and the other thread has it at this place.
 */
export interface Packed {
  at?: string;
  isOwn?: boolean;
  isGetter?: boolean;
  /** what those give that give another value than at first, by their places */
  answers?: [at: string, text: string][];
  value?: unknown;
  /** bytes, a date, a URL */
  content?: Uint8Array | Date | string;
  isList?: boolean;
  members?: [name: string, value: Packed][];
}

/** The measurements since the last report. */
export interface Report {
  type: 'report';
  state: RecorderState;
  /** of each load of a run with several; `state` is what belongs to none of them */
  loads?: RecorderState[];
  /** since the start */
  traffic: TransportTotals;
  /** since the start */
  addresses: AddressFigures[];
  /** since the start */
  thread: SenderSummary;
  /** requests that were sent and not answered yet */
  inFlight: number;
  running: RunningTimes;
  /** of requests, since the start */
  log: LogFileSummary | null;
  errors: { error: PlainError; phase: Phase }[];
}

/** `missed`: dropped since the last message. */
export type Responses = PostedBatch & { type: 'responses'; missed: number };

/** `at`: common time. */
export type FromWorker =
  | Report
  | Responses
  | { type: 'started'; at: number }
  | { type: 'ownStop'; reason: 'hook' | 'limit' }
  | { type: 'disagrees'; error: PlainError; phase: 'before' | 'main' }
  | { type: 'answer'; result: any }
  | { type: 'refused'; error: PlainError };

export interface WorkerListener {
  onReport: (report: Report) => void;
  onResponses: (responses: Responses) => void;
  /** when its measured iterations started, common time */
  onStarted: (time: number) => void;
  /** a hook of the worker stops the run */
  onStop: (reason: 'hook' | 'limit') => void;
  /** the worker cannot have the flow of the other threads; each of them may notice */
  onDisagreement: (error: Error & { code: string }, phase: 'before' | 'main') => void;
  /** the worker died after it was ready */
  onLost: (error: Error & { code: string }, worker: WorkerHandle) => void;
}

/** @import { TransportTotals } from '../../contracts/connection.js' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { AddressFigures, LogFileSummary } from '../../contracts/stats.js' */
/** @import { SenderSummary } from '../../contracts/summaries.js' */
/** @import { Table } from '../../flow/data/table.js' */
/** @import { Phase } from '../../ground/phases.js' */
/** @import { RunningTimes } from '../../measure/judge-thresholds.js' */
/** @import { RecorderState } from '../../measure/state.js' */
/** @import { SharedCounters } from '../../process/body-memory.js' */
/** @import { FlowSource } from '../flow-source.js' */
/** @import { PacingMemory } from '../load/pacing-thread.js' */

/**
 * @typedef {object} WorkerData the input of a worker
 * @property {FlowSource} source
 * @property {RunOptions} options
 * @property {SharedArrayBuffer} memory the next INDEX, and how many iterations each worker has started
 * @property {boolean} emitsResponses responses are sent to the main thread
 * @property {SharedCounters} bodies counters of kept bodies, shared by all threads
 * @property {Record<string, Table>} tables rows of the flow's feeders, shared by all threads
 * @property {PacingMemory | null} pacingMemory of the thread that wakes all workers; null if there is none
 * @property {SharedArrayBuffer | null} permitMemory of a run whose lost parts are given to other agents
 * @property {number} part
 * @property {number} parts
 *
 * @typedef {{ type: 'context', runCtx: Record<string, any>, vars: Record<string, any>, emitsErrors: boolean }
 *   | { type: 'warmUp' }
 *   | { type: 'start', at: number }
 *   | { type: 'responsesEmitted' }
 *   | { type: 'stop', reason: string, within: number }
 *   | { type: 'abort' }} ToWorker `at`: common time
 *
 * @typedef {{ name: string, message: string, stack?: string, code?: string, kind?: string }} PlainError
 *
 * @typedef {object} Report the measurements since the last report
 * @property {'report'} type
 * @property {RecorderState} state
 * @property {TransportTotals} traffic since the start
 * @property {AddressFigures[]} addresses since the start
 * @property {SenderSummary} thread since the start
 * @property {number} inFlight requests that were sent and not answered yet
 * @property {RunningTimes} running
 * @property {LogFileSummary | null} log of requests, since the start
 * @property {{ error: PlainError, phase: Phase }[]} errors
 *
 * @typedef {{ type: 'responses', rows: Float64Array, missed: number }} Responses `missed`: dropped since the last
 *   message
 *
 * @typedef {Report | Responses | { type: 'started', at: number } | { type: 'hookStop' }
 *   | { type: 'answer', result: any } | { type: 'refused', error: PlainError }} FromWorker `at`: common time
 */

/** Characters of a message, and of a stack. */
const MAX_LENGTH = 10_000;

/**
 * Copies the parts of anything that was thrown that can be sent to another thread.
 * @type {(error: any) => PlainError}
 */
export function toPlain(error) {
  const { name, message, stack, code, kind } = error ?? {};
  return {
    name: bounded(String(name ?? 'Error')),
    message: bounded(String(message ?? error)),
    stack: stack && bounded(String(stack)),
    code,
    kind,
  };
}

/**
 * Shortens a text: a message may hold a whole body. Copying the slice lets the rest be freed.
 * @type {(text: string) => string}
 */
function bounded(text) {
  return text.length > MAX_LENGTH ? `${Buffer.from(text.slice(0, MAX_LENGTH)).toString()}…` : text;
}

/** @type {(plain: PlainError) => Error} */
export function fromPlain({ name, message, stack, code, kind }) {
  const error = Object.assign(new Error(message), code !== undefined && { code }, kind !== undefined && { kind });
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: stack, configurable: true, writable: true },
  });
  return error;
}

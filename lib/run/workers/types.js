/**
 * @import { SharedCounters } from '../../body-memory.js'
 * @import { Table } from '../../flow/data/types.js'
 * @import { Phase } from '../../flow/types.js'
 * @import { RunningTimes } from '../../measure/abort-judge.js'
 * @import { RecorderState } from '../../measure/state.js'
 * @import { SenderSummary } from '../../measure/thread.js'
 * @import { AddressFigures, LogFileSummary } from '../../measure/types.js'
 * @import { TransportTotals } from '../../transport/types.js'
 * @import { FlowSource } from '../flow-source.js'
 * @import { PacingMemory } from '../load/pacing-thread.js'
 * @import { RunOptions } from '../options/types.js'
 *
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
 *   | { type: 'run', start: number }
 *   | { type: 'responsesEmitted' }
 *   | { type: 'stop', reason: string, within: number }
 *   | { type: 'abort' }} ToWorker `start`: common time
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
 * @typedef {{ type: 'responses', rows: Float64Array, missed: number }} Responses `missed`: dropped since the last message
 *
 * @typedef {Report | Responses | { type: 'begun', at: number } | { type: 'stop' } | { type: 'answer', result: any }
 *   | { type: 'refused', error: PlainError }} FromWorker `at`: common time
 */
export {};

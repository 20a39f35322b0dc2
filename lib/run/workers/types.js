/**
 * @import { Phase } from '../../flow/types.js'
 * @import { RecorderState } from '../../measure/recorder.js'
 * @import { ThreadSummary } from '../../measure/thread.js'
 * @import { TransportTotals } from '../../transport/types.js'
 * @import { FlowSource } from '../flow-source.js'
 * @import { RunOptions } from '../options.js'
 *
 * @typedef {object} WorkerData what a worker is born with
 * @property {FlowSource} source
 * @property {RunOptions} options
 * @property {SharedArrayBuffer} memory claims, and how many iterations each worker has started
 * @property {number} part
 * @property {number} parts
 *
 * @typedef {{ type: 'context', runCtx: Record<string, any>, tellsErrors: boolean }
 *   | { type: 'warmUp' }
 *   | { type: 'run', start: number }
 *   | { type: 'stop', reason: string, within: number }
 *   | { type: 'leave' }} ToWorker `start`: common time
 *
 * @typedef {{ name: string, message: string, stack?: string, code?: string, kind?: string }} PlainError
 *
 * @typedef {object} Report what happened since the last one
 * @property {'report'} type
 * @property {RecorderState} state
 * @property {TransportTotals} traffic of the whole
 * @property {ThreadSummary} thread of the whole
 * @property {{ error: PlainError, phase: Phase }[]} errors
 *
 * @typedef {Report | { type: 'answer', result: any } | { type: 'refused', error: PlainError }} FromWorker
 */
export {};

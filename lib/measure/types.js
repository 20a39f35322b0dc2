/**
 * @import { HistogramSummary } from './histogram.js'
 * @import { ClientSummary } from './client.js'
 * @import { MeterSummary } from './meter.js'
 * @import { OperationSummary } from './operations.js'
 * @import { Verdict } from './verdict.js'
 *
 * @typedef {object} ErrorSample one group of errors
 * @property {string} message of the first
 * @property {string} context the phase
 * @property {string} kind dns connect tls timeout reset protocol status hook
 * @property {string} code
 * @property {string} operation `flow.main[0] GET /items`
 * @property {number} count
 * @property {number | null} firstIndex the smallest iteration it was seen in; null in before and after
 *
 * @typedef {{ meter: MeterSummary, histogram: HistogramSummary }} TimerSummary
 *
 * @typedef {object} Stats
 * @property {number} totalElapsed ms, of the whole run
 * @property {TimerSummary & { serviceTime: HistogramSummary, ok: HistogramSummary }} main times of `main`, ms; `histogram`:
 *   response times, from when an iteration was due; `serviceTime`: from when it started; `ok`: response times of the completed ones
 * @property {{ started: number, completed: number, failed: number, cancelled: number, teardownFailed: number,
 *   late: number, maxBacklog: number, dropped: number }} iterations `late`: were due and found no lane free; `dropped`: due, and never started
 * @property {{ count: number, sent: number, answered: number, failed: number, cancelled: number, retries: number,
 *   redirects: number, rate: number, okRate: number, bytesSent: number, bytesReceived: number,
 *   connections: { opened: number, reused: number, closedByServer: number }, statusCodes: Record<string, number> }} requests
 * @property {OperationSummary[]} operations
 * @property {{ count: number, kinds: Record<string, number>, samples: ErrorSample[] }} errors
 * @property {ClientSummary & { saturated: boolean, notes: string[] }} client was it the limit?
 * @property {Verdict} verdict
 */
export {};

/**
 * @import { HistogramSummary } from './histogram.js'
 * @import { ExemplarsSummary } from './exemplars.js'
 * @import { MeterSummary } from './meter.js'
 * @import { OperationSummary } from './operations.js'
 * @import { SeriesSummary } from './series.js'
 * @import { ThreadSummary } from './thread.js'
 * @import { Judgement } from './thresholds.js'
 * @import { Verdict } from './verdict.js'
 *
 * @typedef {object} ErrorSample one group of errors
 * @property {string} message of the first
 * @property {string} context the phase
 * @property {string} kind dns connect tls timeout reset protocol status hook worker
 * @property {string} code
 * @property {string} operation `flow.main[0] GET /items`
 * @property {number} count
 * @property {number | null} firstIndex the smallest iteration it was seen in; null in before and after
 *
 * @typedef {{ meter: MeterSummary, histogram: HistogramSummary }} TimerSummary
 *
 * @typedef {object} Stats
 * @property {number} totalElapsed ms, of the whole run
 * @property {number} measuredElapsed ms, the part of it in which iterations ran: rates are by it
 * @property {TimerSummary & { serviceTime: HistogramSummary, ok: HistogramSummary, corrected?: HistogramSummary }} main times
 *   of `main`, ms, without pauses; `histogram`: response times, from when an iteration was due; `serviceTime`: from when it
 *   started; `ok`: response times of the completed ones; `corrected`: those of a closed run with an `expectedInterval`
 * @property {{ started: number, completed: number, failed: number, cancelled: number, teardownFailed: number,
 *   late: number, maxBacklog: number, dropped: number }} iterations `late`: were due and found no lane free; `dropped`: due, and never started
 * @property {{ count: number, sent: number, answered: number, failed: number, cancelled: number, retries: number,
 *   redirects: number, ok: number, rate: number, okRate: number, bytesSent: number, bytesReceived: number,
 *   connections: { opened: number, reused: number, closedByServer: number, discarded: number, asked: number, reached: number },
 *   statusCodes: Record<string, number>, connect: HistogramSummary, tls: HistogramSummary, ttfb: HistogramSummary }} requests
 *   `asked`: lanes that sent something, `reached`: those that ever got an answer; `ttfb`: from request to first byte
 * @property {OperationSummary[]} operations
 * @property {ExemplarsSummary} exemplars
 * @property {SeriesSummary} series
 * @property {{ count: number, kinds: Record<string, number>, samples: ErrorSample[] }} errors
 * @property {{ iterations: number, errors: number }} [warmup] what came before, and is in no other figure
 * @property {ThreadSummary} [server] the thread of a target of this process
 * @property {ClientFigures & { saturated: boolean, notes: string[] }} client was it the limit?
 * @property {Verdict} verdict
 * @property {Judgement[]} [thresholds] where there are some
 * @property {Encoded} [histograms] at the end: the counts behind the figures, in HdrHistogram's V2 compressed encoding
 *
 * @typedef {{ main: string | null, ok: string | null, serviceTime: string | null, startDelay: string | null, connect: string | null,
 *   tls: string | null, ttfb: string | null, operations: (string | null)[], timers: Record<string, string | null>,
 *   series: string[] }} Encoded base64; null where nothing was measured; of the points of the series the counts alone
 *
 * @typedef {ThreadSummary & { workers: number, cpuPerRequest: number | null, rate: { asked: number, reached: number } | null,
 *   startDelay: HistogramSummary }} ClientFigures `workers`: threads that sent; `cpuPerRequest`: ms; `rate`: iterations a second,
 *   null in a closed run; `startDelay`: how late iterations started although a lane was free
 */
export {};

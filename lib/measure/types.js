/**
 * @import { ProcessUsage } from '../process/processes.js'
 * @import { ChecksSummary } from './checks.js'
 * @import { Baseline } from './compare.js'
 * @import { CounterPath, HistogramKey, HistogramPath, NameIn } from './figures.js'
 * @import { HistogramSummary } from './histogram.js'
 * @import { OperationSummary } from './operations.js'
 * @import { ExemplarsSummary } from './samples.js'
 * @import { SeriesSummary } from './series.js'
 * @import { SenderSummary, ThreadSummary } from './thread.js'
 * @import { TagSummary } from './tags.js'
 * @import { Judgement } from './thresholds.js'
 * @import { TransactionSummary } from './transactions.js'
 * @import { MeterSummary, MetricSummary } from './user-metrics.js'
 * @import { Note, Validity } from './validity.js'
 *
 * @typedef {object} ErrorSample one group of errors
 * @property {string} message of the first
 * @property {string} context the phase
 * @property {string} kind dns connect tls timeout reset protocol status hook worker
 * @property {string} code
 * @property {string} operation `flow.main[0] GET /items`
 * @property {string} [name] of the operation, as in `operations`: `GET /items`
 * @property {number} count
 * @property {number | null} firstIndex the lowest iteration; null in before and after
 * @property {string[]} [exchange] the request of the first one and its response, without secrets: lines that begin
 *   with `>`, `<` or `!`
 * @property {CodePlace} [place] the code of the flow that the first one comes from, if that is known
 *
 * @typedef {object} ErrorsSummary
 * @property {number} count
 * @property {number} [overdue] those of what the end of the run cut off
 * @property {number | null} [share] of the started iterations that had one, at most 1
 * @property {boolean} [allowed] there are none, or an `errors` threshold decides
 * @property {Record<string, number>} kinds
 * @property {ErrorSample[]} samples
 *
 * @typedef {object} CodePlace
 * @property {string} file relative to the working directory if it is in it
 * @property {number} line
 * @property {number} column
 * @property {string} code the line
 *
 * @typedef {object} AddressFigures one address of a name that has several
 * @property {string} name and port
 * @property {string} address
 * @property {number} connections that were opened
 * @property {number} failed attempts to connect
 * @property {number} requests that were answered
 * @property {number} time sum of the times from request to last byte, ms
 * @property {string} [error] code of the first failed attempt
 *
 * @typedef {object} LogFileSummary what is in a file of the log of requests
 * @property {string} file as it was named
 * @property {number} requests that ended
 * @property {number} lines
 * @property {number} overRate requests without a line, because there were more than `logRate` per second
 * @property {number} behindDisk requests without a line, because the disk was slower
 * @property {string} [error] why nothing could be written from some time on
 *
 * @typedef {object} ReportSection what the report function of the flow returned
 * @property {string} title
 * @property {string[]} [lines]
 * @property {string[]} [columns] headings, which may be empty
 * @property {(string | number | null)[][]} [rows] as many cells as columns
 * @property {boolean} [failed] the function threw: the lines are its error
 *
 * @typedef {object} AgentSummary an agent of a run on several machines
 * @property {number} shard from 1
 * @property {string} name unique; empty if it has never reported
 * @property {string} version of bench-rest
 * @property {number} cores
 * @property {number} workers threads that sent requests
 * @property {number} iterations started
 * @property {number} rate iterations per second
 * @property {number | null} p99 of the response times, ms
 * @property {number | null} cpu of the threads that sent requests, in cores
 * @property {number} [utilization] of its event loop, 0 to 1
 * @property {number | null} loopDelay p99 of the delay of its event loop, ms
 * @property {boolean} saturated
 * @property {number | null} startDelay from the agreed start until all its threads had started, ms
 * @property {number | null} clockOffset its wall clock, less that of the queue, ms
 * @property {number | null} roundTrip to the queue, ms
 * @property {string} [lost] why it was lost
 * @property {string} [stoppedBy] the signal that stopped it, and with it the run
 * @property {string[]} [replaces] names of lost agents of whose load it took over a part: iterations, rate and CPU
 *   include it
 *
 * @typedef {object} AgentsSummary
 * @property {AgentSummary[]} each
 * @property {number} lost
 * @property {number} tolerated how many may be lost without failing the run
 * @property {number | null} startSkew between the first and the last start, ms
 *
 * @typedef {object} Stats figures.js lists the counters, histograms and derived figures
 * @property {string} $schema address of the JSON Schema
 * @property {'run'} type
 * @property {number} schemaVersion
 * @property {string} [title] of the run option
 * @property {string} [startedAt] ISO 8601
 * @property {string} [measuredAt] start of the measured iterations
 * @property {string} [endedAt] ISO 8601, at the end
 * @property {boolean} [ramped] the load changed as planned, in stages or by a ramp-up
 * @property {number} totalElapsed ms, of the whole run
 * @property {number} measuredElapsed ms, the part of it in which iterations ran; rates are per second of it
 * @property {{ meter: MeterSummary, corrected?: HistogramSummary }
 *   & Record<NameIn<'main', Exclude<HistogramPath, 'main.corrected'>>, HistogramSummary>} main times of `main` in ms,
 *   without pauses. `completed`: response times of the completed iterations, from when one was due; `serviceTime`: from
 *   when it started; `corrected`: `completed` of a closed run with an `expectedInterval`; `failed`: response times of
 *   the failed ones; `histogram`: both; `cancelled`: service times so far of those that the end of the run cut off
 * @property {{ percentile: number, ms: number | null }[]} [percentiles] of `main.completed`: those of the run option
 * @property {Record<NameIn<'iterations', CounterPath> | 'rate' | 'completedRate', number> & { overdue?: number,
 *   cutOff?: number, missing?: number }} iterations `late`: due, but no lane was free; `endedEarly`: completed by
 *   `all.end()`; `dropped`: due, but never started; `unpermitted`: those of them that an agent had no permit to start;
 *   `busyTime`: sum of the durations of all ended iterations, ms; `slowest`: service time of the slowest completed one,
 *   ms; `overdue`: those of the cancelled ones that had run longer: errors; `cutOff`: others of them that had run
 *   longer than 99 % of the completed ones; `furtherErrors`: errors of iterations that had one already; `missing`:
 *   planned for shards that were lost, which did not start or report them
 * @property {Record<NameIn<'requests', CounterPath> | 'rate' | 'bytesReceivedRate' | 'messageRate', number>
 *   & Record<NameIn<'requests', HistogramPath>, HistogramSummary>
 *   & { connections: Record<NameIn<'requests.connections', CounterPath>, number>, statusCodes: Record<string, number>,
 *   withheld?: Record<string, number>, addresses?: AddressFigures[] }} requests `withheld`: sent without the
 *   credentials of the run, by origin; `skipped`: operations left out by `all.skip()` or `when`; `connections.asked`:
 *   lanes that sent something; `reached`: lanes that ever got a response; `ttfb`: from request to first byte
 * @property {OperationSummary[]} operations
 * @property {ChecksSummary} [checks] of `expect`, if the flow has any
 * @property {TransactionSummary[]} [scenarios] of a flow with scenarios
 * @property {TransactionSummary[]} [groups] of a flow with groups of operations
 * @property {TagSummary[]} [tags] of a flow whose operations have tags: the sum of the operations with each
 * @property {ExemplarsSummary} exemplars
 * @property {SeriesSummary} series
 * @property {ErrorsSummary} errors
 * @property {Record<string, MetricSummary>} metrics of hooks, by name
 * @property {{ files: LogFileSummary[] }} [log] of requests, if the run has one
 * @property {{ iterations: number, errors: number }} [warmup] not included in any other figure
 * @property {ServerFigures} [server] a server that the run started, or the thread of a target in this process
 * @property {ClientFigures & { saturated: boolean, reasons: Note[] }} client whether the load generator was the
 *   bottleneck
 * @property {Validity} validity whether the figures can be trusted
 * @property {AgentsSummary} [agents] of a run on several machines
 * @property {Baseline} [baseline] the changes against an earlier result
 * @property {ReportSection} [report] of the flow's report function, at the end
 * @property {Judgement[]} [thresholds] if there are any
 * @property {Encoded} [histograms] at the end: the counts in HdrHistogram's V2 compressed encoding
 *
 * @typedef {Record<Exclude<HistogramKey, 'corrected'>, string | null>
 *   & { operations: (string | null)[], operationsCancelled?: (string | null)[], scenariosCancelled?: (string | null)[],
 *   groupsCancelled?: (string | null)[], operationsOk?: (string | null)[], operationsByStatus?: Record<string, string |
 *   null>[], operationsLeast?: (string | null)[], scenarios?: (string | null)[], scenariosLeast?: (string | null)[],
 *   groups?: (string | null)[], groupsLeast?: (string | null)[], timers: Record<string, string | null>, series:
 *   string[] }} Encoded base64; null if nothing was measured; for the points of the series only the payload
 *
 * @typedef {Partial<ThreadSummary> & Partial<ProcessUsage> & { cpu: number, cores?: number, cpuPerRequest?: number |
 *   null }} ServerFigures while iterations ran. A process has `memory`, resident, in bytes; a thread the others.
 *   `cores`: busy ones; `cpuPerRequest`: ms
 *
 * @typedef {SenderSummary & { workers: number, cpuPerRequest: number | null, rate: { asked: number, reached: number,
 *   peak?: number } | null, startDelay: HistogramSummary, spacing?: HistogramSummary, startGap?: number, pacing?:
 *   'timer' | 'thread' | 'poll' | 'mixed' | null, pipelining?: number }} ClientFigures `workers`: threads that sent
 *   requests; `cpuPerRequest`: ms; `rate`: iterations per second, null in a closed run, `peak`: of a ramp;
 *   `startDelay`: how late iterations started although a lane was idle; `spacing`: how far these were from their
 *   planned distance to the last one, ms; `startGap`: that distance in a thread, ms; `pacing`: how an open run waited
 *   until iterations were due; `pipelining`: iterations of a virtual user at a time, if there were several
 */
export {};

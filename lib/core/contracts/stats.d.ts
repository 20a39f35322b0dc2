import type { CounterPath, HistogramPath, NameIn } from './figure-names.js';
import type {
  ChecksSummary,
  ErrorsSummary,
  ExemplarsSummary,
  HistogramSummary,
  LoadSummary,
  MeterSummary,
  MetricSummary,
  OperationSummary,
  SenderSummary,
  SeriesSummary,
  TagSummary,
  ThreadSummary,
  TransactionSummary,
} from './summaries.js';

/** The results of a run: `figures.js` lists the counters, histograms and derived figures. */

export interface Stats {
  /** address of the JSON Schema */
  $schema: string;
  type: 'run';
  schemaVersion: number;
  /** unique: a run is not counted twice. At the end; that of a sum has the ids of its parts */
  id?: string;
  /** of the run option */
  title?: string;
  /** of the run option: what was measured, such as a version */
  label?: string;
  /** what measured it */
  tool: { name: string; version: string };
  /** ISO 8601 */
  startedAt?: string;
  /** start of the measured iterations */
  measuredAt?: string;
  /** ISO 8601, at the end */
  endedAt?: string;
  /** the load changed as planned, in stages or by a ramp-up @experimental */
  ramped?: boolean;
  /** ms, of the whole run */
  totalElapsed: number;
  /** ms, the part of it in which iterations ran; rates are per second of it */
  measuredElapsed: number;
  /**
   * times of `main` in ms, without pauses. `completed`: response times of the completed iterations, with the wait
   * for a virtual user; `serviceTime`: without it; `corrected`: `completed` of a closed run with an `expectedInterval`;
   * `failed`: response times of the failed ones; `histogram`: both; `cancelled`: service times so far of those that the
   * end of the run cut off
   */
  main: {
    meter: MeterSummary;
    corrected?: HistogramSummary;
  } & Record<NameIn<'main', Exclude<HistogramPath, 'main.corrected'>>, HistogramSummary>;
  /** of `main.completed`: those of the run option */
  percentiles?:
    | {
        percentile: number;
        responseTime: number | null;
      }[]
    | undefined;
  /**
   * `late`: due, but no virtual user was idle; `endedEarly`: completed by `all.end()`; `dropped`: due, but never
   * started; `backlog`: in an open run, those that ran when the last one was due; `busyTime`: sum of the durations of
   * all ended iterations, ms; `promptTime`: sum of the service times, without the load generator's part, of the
   * completed ones of an open run for which a virtual user was idle, ms; `slowest`: service time of the slowest
   * completed one, ms; `overdue`: those of the cancelled ones that had run longer: errors; `cutOff`: others of them
   * that had run longer than 99 % of the completed ones; `furtherErrors`: errors of iterations that had one already;
   * `missing`: planned for shards that were lost, which did not start or report them
   */
  iterations: Record<NameIn<'iterations', CounterPath> | 'rate' | 'completedRate', number> & {
    /** of arrivals; absent in a closed run */
    plannedRate?: number;
    startedRate?: number;
    /** the highest planned rate of a ramp */
    peakRate?: number;
    overdue?: number;
    cutOff?: number;
    missing?: number;
  };
  /**
   * `withheld`: sent without the credentials of the run, by origin; `skipped`: operations left out by `all.skip()` or
   * `when`; `ttfb`: from request to first byte
   */
  requests: Record<NameIn<'requests', CounterPath> | 'rate', number> &
    Record<NameIn<'requests', HistogramPath>, HistogramSummary> & {
      statusCodes: Record<string, number>;
      /** @experimental */
      withheld?: Record<string, number>;
      /** @experimental */
      addresses?: AddressFigures[];
    };
  /** requests of `before` and `after`, which `requests`, `connections`, `bytes` and rates leave out @experimental */
  outside?: Record<NameIn<'outside', CounterPath>, number>;
  /**
   * `requestsOnReused`: requests on connections that had sent one before; `discarded`: after unexpected bytes;
   * `connect`: to the open connection; `tls`: handshakes
   */
  connections: Record<NameIn<'connections', CounterPath>, number> & {
    connect: HistogramSummary;
    tls?: HistogramSummary;
  };
  bytes: Record<NameIn<'bytes', CounterPath> | 'receivedRate', number>;
  /**
   * of a flow with WebSockets; `unexpected`: received, and no operation expected them; of these `unexpectedGreetings`
   * before the first one was sent on their connection, and `surplus` on one where an operation takes any message as its
   * answer
   */
  messages?: Record<NameIn<'messages', CounterPath> | 'receivedRate', number>;
  /** of a run that speaks HTTP/2 */
  http2?: Record<NameIn<'http2', CounterPath> | 'concurrency', number> & {
    /** @experimental */
    codes?: Http2Code[];
  };
  /** `started`: sent something; `answered`: ever got a response @experimental */
  virtualUsers: Record<NameIn<'virtualUsers', CounterPath>, number>;
  operations: OperationSummary[];
  /** of `expect`, if the flow has any */
  checks?: ChecksSummary;
  /** of a flow with scenarios */
  scenarios?: TransactionSummary[];
  /** of a run with several loads, each by itself; all other figures are of all of them @experimental */
  loads?: LoadSummary[];
  /** of a flow with groups of operations */
  groups?: TransactionSummary[];
  /** of a flow whose operations have tags: the sum of the operations with each @experimental */
  tags?: TagSummary[];
  /** @experimental */
  exemplars: ExemplarsSummary;
  /** @experimental */
  series: SeriesSummary;
  errors: ErrorsSummary;
  /** of hooks, by name */
  metrics: Record<string, MetricSummary>;
  /** of requests, if the run has one @experimental */
  log?:
    | {
        files: LogFileSummary[];
      }
    | undefined;
  /** of the metrics of the run, by exporter @experimental */
  exports?: ExportSummary[];
  /** not included in any other figure @experimental */
  warmup?:
    | {
        iterations: number;
        errors: number;
      }
    | undefined;
  /** a server that the run started, or the thread of a target in this process @experimental */
  servers?: ServerFigures[];
  /** whether the load generator was the bottleneck @experimental */
  loadGenerator: LoadGeneratorFigures & {
    saturated: boolean;
    reasons: Note[];
    /** of several: between the first and the last start, ms; null: not known */
    startSkew?: number | null;
  };
  /** at the end, and of a run on several machines: one for a local run, one for each shard or agent @experimental */
  loadGenerators?: LoadGeneratorEntry[];
  /** at the end: whether the run passed */
  outcome?: SavedOutcome;
  /** whether the figures can be trusted */
  validity: Validity;
  /** at the end: how exact the figures are @experimental */
  confidence?: Confidence;
  /** of the run option @experimental */
  precision?: ReachedPrecision[];
  /** of a run on agents; maxLost: how many may be lost without failing the run @experimental */
  agents?: { lost: number; maxLost: number };
  /** of the flow's section function, at the end @experimental */
  section?: ReportSection;
  /** if there are any */
  thresholds?: Judgement[];
}

/** streams or connections of HTTP/2 that ended for the same reason */
export interface Http2Code {
  /** `reset` of a stream by the server; `goAway`: it ended the connection; `violation`: it broke the protocol */
  event: 'reset' | 'goAway' | 'violation';
  /** of RFC 9113, section 7 */
  code: string;
  count: number;
  /** the first one: what the server did, or the debug data of GOAWAY */
  message?: string;
}

/** one address of a name that has several */
export interface AddressFigures {
  /** and port */
  name: string;
  address: string;
  /** that were opened */
  connections: number;
  /** attempts to connect */
  failed: number;
  /** that were answered */
  requests: number;
  /** sum of the times from request to last byte, ms */
  time: number;
  /** code of the first failed attempt */
  error?: string;
}

/** the exports of one exporter of metrics */
export interface ExportSummary {
  /** the run option that named it */
  exporter: string;
  /** where it sent the metrics, or listened */
  to: string;
  /** how often it sent them */
  exports?: number;
  failed?: number;
  /** why the last failed export failed */
  error?: string;
}

/** what is in a file of the log of requests */
export interface LogFileSummary {
  /** as it was named */
  file: string;
  /** that ended */
  requests: number;
  lines: number;
  /** requests without a line, because the disk was slower */
  behindDisk: number;
  /** why nothing could be written from some time on */
  error?: string;
}

/** while iterations ran. `cpuCores`: busy ones; `cpuTimePerRequest`: ms */
export type ProcessLoad = Partial<ThreadSummary> & {
  cpuTime: number;
  cpuCores?: number;
  cpuTimePerRequest?: number | null;
  /** resident, B */
  memory?: { mean: number } & Level;
};

/** a figure over the run; `growth`: per minute; 0: it did not grow; null: the run is too short to tell */
export interface Level {
  peak: number;
  growth?: number | null;
}

export type ServerFigures = ProcessLoad &
  Partial<ProcessFigures> & {
    /** the run option that named it */
    name: string;
    source: 'process' | 'thread';
    /** at the end: what the figures mean */
    conclusions?: Note[];
  };

/**
 * of the processes of a server. Event loop and garbage collection are those of its busiest thread of Node. Means over
 * the run: `busiestThread`: cores of the thread that could run for the longest time of each second, and
 * `busiestThreadWait` those that it lacked; `busyThreads`: those that could run for nearly all of it; `cpuWait`:
 * threads that could run and had no CPU; `machineCores`: busy ones of `cores`, by all processes; `contextSwitchRate`:
 * how often per second a thread got a CPU
 */
export type ProcessFigures = Partial<ThreadSummary> & {
  cpuTime: number;
  memory: { mean: number } & Level;
  /** that its processes may use */
  cores: number;
  /** when none of its processes ran any more, ms; the figures are those until then */
  endedAfter?: number;
  /** how often other processes took the place of all that ran */
  restarts?: number;
  busiestThread?: number;
  busiestThreadWait?: number;
  busyThreads?: number;
  cpuWait?: number;
  machineCores?: number;
  contextSwitchRate?: number;
  /** sockets included; absent: they belong to another user */
  openFiles?: Level;
  threads: Level;
  /** B/s that system calls moved: files, sockets and pipes */
  io?: { readRate: number; writtenRate: number };
  /** B/s of its network namespace: of a container, all that runs in it */
  network?: { receivedRate: number; sentRate: number };
  /** `peak`: at a time; `details`: those with most CPU time */
  processes: { peak: number; details: { pid: number; name: string; cpuTime: number; memory: number }[] };
  /** share of the time of the event loop */
  gcShare?: number;
  /** of all threads of Node, with external memory, B */
  heap?: Level;
  /** sockets, timers and others that keep threads of Node alive */
  resources?: Level;
  nodeThreads?: NodeThreadFigures[];
  series?: { interval: number; points: ServerPoint[] };
};

export interface NodeThreadFigures {
  /** `4711`, or `4711.2` for a worker thread */
  id: string;
  pid: number;
  /** 0: the main thread of its process */
  thread: number;
  /** of its file */
  name: string;
  /** of Node */
  version: string;
  eventLoopUtilization: number;
  /** ms */
  eventLoopDelay: { mean: number; p99: number; max: number };
  /** ms */
  gcTime: number;
  gcShare: number;
  /** at the end, B */
  memory: { heap: number; external: number; limit: number };
  resources: number;
  /** figures that the thread could not send */
  losses?: { errors: number; dropped: number };
}

/** figures of a second of a server: rates are per second of it, others are those at its end */
export interface ServerPoint {
  /** since the start of the measured iterations, ms */
  at: number;
  /** requests until its end */
  answered: number;
  cpuCores: number;
  busiestThread: number;
  busiestThreadWait: number;
  busyThreads: number;
  cpuWait: number;
  machineCores: number;
  memory: number;
  threads: number;
  processes: number;
  contextSwitchRate: number;
  openFiles?: number;
  readRate?: number;
  writtenRate?: number;
  receivedRate?: number;
  sentRate?: number;
  eventLoopUtilization?: number;
  /** p99, ms */
  eventLoopDelay?: number;
  gcShare?: number;
  heap?: number;
  resources?: number;
}

/**
 * `workers`: threads that sent requests; `cpuTimePerRequest`: ms; `startDelay`: how late iterations started although a
 * virtual user was idle; `spacing`: how far these were from their planned distance to the last one, ms; `startGap`:
 * that distance in a thread, ms; `pacing`: how an open run waited until iterations were due; `pipelining`: iterations
 * of a virtual user at a time, if there were several
 */
export type LoadGeneratorFigures = SenderSummary & {
  workers: number;
  cpuTimePerRequest: number | null;
  startDelay?: HistogramSummary;
  spacing?: HistogramSummary;
  startGap?: number;
  pacing?: 'timer' | 'thread' | 'poll' | 'mixed' | null;
  pipelining?: number;
};

export interface SavedOutcome {
  passed: boolean;
  exitCode: number;
  /** why it failed, the deciding ones first; codes are those of `bench-rest list exit-codes` */
  reasons: OutcomeReason[];
}

/** why a run failed; several may have one code, such as two thresholds */
export interface OutcomeReason extends Note {
  /** that decided, as in a threshold: `responseTime.p95`, `errors` */
  figure?: string;
  /** what it is a figure of; empty: the whole run */
  of?: JudgedPart;
  /** how the figure has to compare with the bound */
  operator?: string;
  bound?: number;
  /** null: it was not measured */
  actual?: number | null;
  unit?: string;
}

/** what an add-on judges as a threshold is judged */
export interface Limit {
  expression: string;
  figure: string;
  bound: number;
  actual: number | null;
  unit: string;
  passed: boolean;
  /** it neither passed nor failed: the load generator may have made the change */
  undecided?: true;
  /** how it failed, or why it is undecided */
  message?: string;
}

/** whether the figures can be trusted */
export interface Validity {
  status: 'valid' | 'suspect' | 'invalid';
  /** against the figures */
  reasons: Note[];
  /** what could not be judged, which is no reason for doubt @experimental */
  remarks?: Note[];
  /** at the end: the part of each that may be the load generator's @experimental */
  figures?: JudgedFigure[];
}

/** code: for programs; message: a sentence for people */
export interface Note {
  code: string;
  message: string;
}

/** confidence intervals of figures */
export interface Confidence {
  /** 0 to 1: the share of such intervals that contain the figure of a run that goes on forever */
  level: number;
  /** empty if there is a reason */
  figures: FigureInterval[];
  /** why the run has none */
  reason?: Note;
}

export interface FigureInterval {
  /** as in a threshold: `responseTime.p95`, `iterations.completedRate`, `errors` */
  figure: string;
  unit: string;
  actual: number | null;
  /** in the unit of the figure; null: see `reason` */
  interval: { low: number; high: number } | null;
  /** parts of the run that are independent of each other */
  batches?: number;
  /** why it has no interval */
  reason?: Note;
}

/** a figure of the option precision */
export interface ReachedPrecision {
  /** `p95±3%` */
  expression: string;
  figure: string;
  /** half of the interval, as a share of the figure: at most */
  bound: number;
  /** the same of this run; null if the figure has no interval */
  actual: number | null;
  unit: 'ratio';
  passed: boolean;
  /** why the figure has no interval */
  reason?: Note;
}

export interface JudgedFigure {
  /** as in a threshold: `responseTime.p95`, `serviceTime.p99`; of an operation `p95` */
  figure: string;
  /** what it is a figure of; empty: the whole run */
  of: JudgedPart;
  /** ms */
  actual: number;
  /** the part of it that is the load generator's at most, ms */
  loadGeneratorTime: number;
  status: 'valid' | 'suspect';
}

export interface Machine {
  /** cores of the processor */
  cores: number;
  platform?: string;
  arch?: string;
  cpuModel?: string;
  /** bytes */
  memory?: number;
  /** `node 20.20.2` */
  runtime?: string;
}

/** a process of a local run, a shard of a merged one, or an agent; with its own figures if there are several */
export interface LoadGeneratorEntry {
  /** unique */
  name: string;
  shard?: { number: number; of: number };
  /** of bench-rest; absent: an agent that has never reported */
  toolVersion?: string;
  /** threads that sent requests */
  workers: number;
  machine?: Machine;
  /** from the first start, or the agreed one, until all its threads had started, ms; null: not known */
  startOffset?: number | null;
  /** of an agent: its wall clock, less that of the queue, ms */
  clockOffset?: number | null;
  /** of an agent: to the queue, ms */
  roundTrip?: number | null;
  iterations?: { started: number; completedRate: number };
  responseTime?: { p99: number | null };
  loadGenerator?: Pick<ThreadSummary, 'eventLoopUtilization' | 'eventLoopDelay' | 'cpuTime'> & {
    saturated: boolean;
    /** busy ones; null: no time has passed */
    cpuCores: number | null;
  };
  /** why it was lost */
  lost?: Note;
  /** the signal that stopped it, and with it the run */
  stoppedBy?: string;
}

/** what the section function of the flow returned */
export interface ReportSection {
  title: string;
  lines?: string[];
  /** headings, which may be empty */
  columns?: string[];
  /** as many cells as columns */
  rows?: (string | number | null)[][];
  /** the function threw: the lines are its error */
  failed?: boolean;
}

export interface Judgement {
  expression: string;
  figure: string;
  /** what it is a figure of; empty: the whole run */
  of: JudgedPart;
  operator: string;
  bound: number;
  /** in the unit of the bound; null without data, which fails */
  actual: number | null;
  unit: string;
  passed: boolean;
  /** of a figure of which the load generator's part matters, in the unit of the bound */
  range?: { low: number; high: number };
  /** its bound lies inside the range of its figure: it neither passed nor failed, and `passed` is false */
  undecided?: true;
  /** why it is undecided, with its range and a remedy @experimental */
  doubt?: string;
  /** the worst one, of a threshold with windows @experimental */
  window?: JudgedWindow;
  /** iterations that had not ended and count with their age: it failed by them while the run went on @experimental */
  running?: number;
  /** iterations in its window that the end of the run cut off and that count so @experimental */
  cutOff?: number;
}

export interface JudgedPart {
  load?: string;
  operation?: string;
  scenario?: string;
  group?: string;
  tag?: string;
  check?: string;
}

/** ms since the start; count: iterations that its value is of */
export interface JudgedWindow {
  from: number;
  to: number;
  count: number;
}

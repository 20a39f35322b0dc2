import type { ErrorKind, Figures } from './figure-names.js';
import type { Pacing } from './run.js';
import type {
  ChecksSummary,
  ErrorsSummary,
  ExemplarsSummary,
  GroupSummary,
  LoadSummary,
  MeterSummary,
  MetricSummary,
  OperationSummary,
  ScenarioSummary,
  SenderSummary,
  SeriesSummary,
  StatusCodes,
  TagSummary,
  ThreadSummary,
  Times,
} from './summaries.js';
import type {
  Amount,
  Bytes,
  ByteRate,
  Cores,
  Count,
  FigureUnit,
  Instant,
  Integer,
  Interval,
  Ms,
  Offset,
  Percentage,
  Position,
  Rate,
  Ratio,
  Share,
} from './quantities.js';

/** the figures of a run */
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
  tool: Tool;
  /** ISO 8601 */
  startedAt?: Instant;
  /** start of the measured iterations */
  measuredAt?: Instant;
  /** ISO 8601, at the end */
  endedAt?: Instant;
  /** the load changed as planned, in stages or by a ramp-up @experimental */
  ramped?: boolean;
  /** ms, of the whole run */
  totalElapsed: Ms;
  /** ms, the part of it in which iterations ran; rates are per second of it */
  measuredElapsed: Ms;
  /**
   * times of `main` in ms, without pauses. `completed`: response times of the completed iterations, with the wait
   * for a virtual user; `serviceTime`: without it; `corrected`: `completed` of a closed run with an `expectedInterval`;
   * `failed`: response times of the failed ones; `histogram`: both; `cancelled`: service times so far of those that the
   * end of the run cut off
   */
  main: { meter: MeterSummary } & Figures['main'];
  /** of `main.completed`: those of the run option */
  percentiles?: {
    percentile: Percentage;
    responseTime: Ms | null;
  }[];
  /**
   * `late`: due, but no virtual user was idle; `endedEarly`: completed by `all.end()`; `dropped`: due, but never
   * started; `backlog`: in an open run, those that ran when the last one was due; `busyTime`: sum of the durations of
   * all ended iterations; `promptTime`: sum of the service times, without the load generator's part, of the completed
   * ones of an open run for which a virtual user was idle; `slowest`: service time of the slowest completed one;
   * `overdue`: those of the cancelled ones that had run longer: errors; `cutOff`: others of them that had run longer
   * than 99 % of the completed ones; `furtherErrors`: errors of iterations that had one already; `missing`: planned for
   * shards that were lost, which did not start or report them; `plannedRate`: of arrivals, absent in a closed run;
   * `peakRate`: the highest planned rate of a ramp
   */
  iterations: Figures['iterations'];
  /**
   * `withheld`: sent without the credentials of the run, by origin; `skipped`: operations left out by `all.skip()` or
   * `when`; `ttfb`: from request to first byte
   */
  requests: {
    statusCodes: StatusCodes;
    /** @experimental */
    withheld?: Record<string, Count>;
    /** @experimental */
    addresses?: AddressFigures[];
  } & Figures['requests'];
  /** requests of `before` and `after`, which `requests`, `connections`, `bytes` and rates leave out @experimental */
  outside?: Figures['outside'];
  /**
   * `requestsOnReused`: requests on connections that had sent one before; `discarded`: after unexpected bytes;
   * `connect`: to the open connection; `tls`: handshakes
   */
  connections: Figures['connections'];
  bytes: Figures['bytes'];
  /** `started`: sent something; `answered`: ever got a response @experimental */
  virtualUsers: Figures['virtualUsers'];
  operations: OperationSummary[];
  /** of `expect`, if the flow has any */
  checks?: ChecksSummary;
  /** of a flow with scenarios */
  scenarios?: ScenarioSummary[];
  /** of a run with several loads, each by itself; all other figures are of all of them @experimental */
  loads?: LoadSummary[];
  /** of a flow with groups of operations */
  groups?: GroupSummary[];
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
  log?: {
    files: LogFileSummary[];
  };
  /** of the metrics of the run, by exporter @experimental */
  exports?: ExportSummary[];
  /** not included in any other figure @experimental */
  warmup?: {
    iterations: Count;
    errors: Count;
  };
  /** a server that the run started, or the thread of a target in this process @experimental */
  servers?: ServerFigures[];
  /** whether the load generator was the bottleneck @experimental */
  loadGenerator: LoadGeneratorFigures & {
    saturated: boolean;
    reasons: Note[];
    /** of several: between the first and the last start, ms; null: not known */
    startSkew?: Ms | null;
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
  agents?: { lost: Count; maxLost: Count };
  /** of the flow's section function, at the end @experimental */
  section?: ReportSection;
  /** if there are any */
  thresholds?: Judgement[];
}

/**
 * What --format json prints and the stats of a run hold. Times are milliseconds.
 * @title A result of bench-rest
 */
export interface Result extends Stats {
  /** of the command: what ran, and where it was sent */
  run?: RunInfo;
}

/** the load as the run options give it */
export interface RunLoad {
  name: string;
  /** open: iterations start at a rate; absent: the sum of results with different loads */
  model?: 'open' | 'closed';
  /** of an open one: `constant`, `poisson` */
  arrival?: string;
  /** iterations per second */
  rate?: Rate;
  /** of one of several: its start, ms after that of the run, or after the end of another load */
  startAfter?: Ms;
  /** the name of that load */
  after?: string;
  virtualUsers: Count;
  /** ms */
  duration?: Ms;
  iterations?: Count;
  /** each with its value at the end, and whether it is reached gradually */
  stages?: { duration: Ms; ramp: boolean; rate?: Rate; virtualUsers?: Count }[];
  /** the load profile in words */
  text: string;
}

/** where a flow comes from, and the hash of its text */
export interface FlowFacts {
  source: string;
  sha256: string;
}

/** the description of a run: the flow, its place and time */
export interface RunInfo {
  /** the run option `runId`: the name that its shards have in common @experimental */
  id?: string;
  flow: FlowFacts;
  /** @experimental */
  loads: RunLoad[];
  origins: string[];
  /** the proxies of its requests @experimental */
  proxies: string[];
  /** those that the user gave, without secrets */
  options: Record<string, unknown>;
  /** of the working directory, if it is in a git repository; branch: absent if none is checked out @experimental */
  git?: { commit: string; branch?: string };
  /** of a merged result: how many of how many @experimental */
  shards?: { merged: Position; of: Position };
  /** why it ended: `completed`, or what stopped it */
  endReason: string;
}

/** one address of a name that has several */
export interface AddressFigures {
  /** and port */
  name: string;
  address: string;
  /** that were opened */
  connections: Count;
  /** attempts to connect */
  failed: Count;
  /** that were answered */
  requests: Count;
  /** sum of the times from request to last byte, ms */
  time: Ms;
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
  exports?: Count;
  failed?: Count;
  /** why the last failed export failed */
  error?: string;
}

/** what is in a file of the log of requests */
export interface LogFileSummary {
  /** as it was named */
  file: string;
  /** that ended */
  requests: Count;
  lines: Count;
  /** requests without a line, because the disk was slower */
  behindDisk: Count;
  /** why nothing could be written from some time on */
  error?: string;
}

/** while iterations ran. `cpuCores`: busy ones; `cpuTimePerRequest`: ms */
export type ProcessUsage = Partial<ThreadSummary> & {
  cpuTime: Ms;
  cpuCores?: Cores;
  cpuTimePerRequest?: Ms | null;
  /** resident, B */
  memory?: { mean: Bytes } & Level<Bytes>;
};

/** a figure over the run; `growth`: 0: it did not grow; null: the run is too short to tell */
export interface Level<Of = Amount> {
  peak: Of;
  /** per minute */
  growth?: Amount | null;
}

export type ServerFigures = ProcessUsage &
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
  cpuTime: Ms;
  memory: { mean: Bytes } & Level<Bytes>;
  /** that its processes may use */
  cores: Count;
  /** when none of its processes ran any more, ms; the figures are those until then */
  endedAfter?: Ms;
  /** how often other processes took the place of all that ran */
  restarts?: Count;
  busiestThread?: Cores;
  busiestThreadWait?: Cores;
  busyThreads?: Amount;
  cpuWait?: Amount;
  machineCores?: Cores;
  contextSwitchRate?: Rate;
  /** sockets included; absent: they belong to another user */
  openFiles?: Level;
  threads: Level;
  /** B/s that system calls moved: files, sockets and pipes */
  io?: { readRate: ByteRate; writtenRate: ByteRate };
  /** B/s of its network namespace: of a container, all that runs in it */
  network?: { receivedRate: ByteRate; sentRate: ByteRate };
  /** `peak`: at a time; `details`: those with most CPU time */
  processes: { peak: Count; details: { pid: Count; name: string; cpuTime: Ms; memory: Bytes }[] };
  /** share of the time of the event loop */
  gcShare?: Share;
  /** of all threads of Node, with external memory, B */
  heap?: Level<Bytes>;
  /** sockets, timers and others that keep threads of Node alive */
  resources?: Level;
  nodeThreads?: NodeThreadFigures[];
  series?: {
    interval: Interval;
    /** @maxItems 1000 */
    points: ServerPoint[];
  };
};

export interface NodeThreadFigures {
  /** `4711`, or `4711.2` for a worker thread */
  id: string;
  pid: Count;
  /** 0: the main thread of its process */
  thread: Count;
  /** of its file */
  name: string;
  /** of Node */
  version: string;
  eventLoopUtilization: Share;
  eventLoopDelay: { mean: Ms; p99: Ms; max: Ms };
  /** ms */
  gcTime: Ms;
  gcShare: Share;
  /** at the end, B */
  memory: { heap: Bytes; external: Bytes; limit: Bytes };
  resources: Count;
  /** figures that the thread could not send */
  losses?: { errors: Count; dropped: Count };
}

/** figures of a second of a server: rates are per second of it, others are those at its end */
export interface ServerPoint {
  /** since the start of the measured iterations, ms */
  at: Ms;
  /** requests until its end */
  answered: Count;
  cpuCores: Cores;
  busiestThread: Cores;
  busiestThreadWait: Cores;
  busyThreads: Amount;
  cpuWait: Amount;
  machineCores: Cores;
  memory: Bytes;
  threads: Amount;
  processes: Amount;
  contextSwitchRate: Rate;
  openFiles?: Amount;
  readRate?: ByteRate;
  writtenRate?: ByteRate;
  receivedRate?: ByteRate;
  sentRate?: ByteRate;
  eventLoopUtilization?: Share;
  /** p99, ms */
  eventLoopDelay?: Ms;
  gcShare?: Share;
  heap?: Bytes;
  resources?: Amount;
}

/**
 * `workers`: threads that sent requests; `cpuTimePerRequest`: ms; `startDelay`: how late iterations started although a
 * virtual user was idle; `spacing`: how far these were from their planned distance to the last one, ms; `startGap`:
 * that distance in a thread, ms; `pacing`: how an open run waited until iterations were due; `pipelining`: iterations
 * of a virtual user at a time, if there were several
 */
export type LoadGeneratorFigures = SenderSummary & {
  workers: Count;
  startGap?: Ms;
  pacing?: Pacing | 'mixed';
  pipelining?: Count;
} & Figures['loadGenerator'];

/** the program that wrote a document */
export interface Tool {
  name: string;
  version: string;
}

export interface SavedOutcome {
  passed: boolean;
  exitCode: Integer;
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

/**
 * code: for programs; message: a sentence for people
 * @definition note
 */
export interface Note {
  code: string;
  message: string;
}

/** confidence intervals of figures */
export interface Confidence {
  /** 0 to 1: the share of such intervals that contain the figure of a run that goes on forever */
  level: Share;
  /** empty if there is a reason */
  figures: FigureInterval[];
  /** why the run has none */
  reason?: Note;
}

/** of a confidence interval, in the unit of its figure */
export interface Bounds {
  low: number;
  high: number;
}

export interface FigureInterval {
  /** as in a threshold: `responseTime.p95`, `iterations.completedRate`, `errors` */
  figure: string;
  unit: FigureUnit;
  actual: number | null;
  /** in the unit of the figure; null: see `reason` */
  interval: Bounds | null;
  /** parts of the run that are independent of each other */
  batches?: Count;
  /** why it has no interval */
  reason?: Note;
}

/** a figure of the option precision */
export interface ReachedPrecision {
  /** `p95±3%` */
  expression: string;
  figure: string;
  /** half of the interval, as a share of the figure: at most */
  bound: Share;
  /** the same of this run; null if the figure has no interval */
  actual: Ratio | null;
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
  actual: Ms;
  /** the part of it that is the load generator's at most, ms */
  loadGeneratorTime: Ms;
  status: 'valid' | 'suspect';
}

export interface Machine {
  /** cores of the processor */
  cores: Count;
  platform?: string;
  arch?: string;
  cpuModel?: string;
  /** bytes */
  memory?: Bytes;
  /** `node 20.20.2` */
  runtime?: string;
}

/** a process of a local run, a shard of a merged one, or an agent; with its own figures if there are several */
export interface LoadGeneratorEntry {
  /** unique */
  name: string;
  shard?: { number: Position; of: Position };
  /** of bench-rest; absent: an agent that has never reported */
  toolVersion?: string;
  /** threads that sent requests */
  workers: Count;
  machine?: Machine;
  /** from the first start, or the agreed one, until all its threads had started, ms; null: not known */
  startOffset?: Offset | null;
  /** of an agent: its wall clock, less that of the queue, ms */
  clockOffset?: Offset | null;
  /** of an agent: to the queue, ms */
  roundTrip?: Ms | null;
  iterations?: { started: Count; completedRate: Rate };
  responseTime?: { p99: Ms | null };
  loadGenerator?: Pick<ThreadSummary, 'eventLoopUtilization' | 'eventLoopDelay' | 'cpuTime'> & {
    saturated: boolean;
    /** busy ones; null: no time has passed */
    cpuCores: Cores | null;
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

/** of a value with the bound of a threshold */
export type Comparator = '<=' | '>=' | '==' | '!=' | '<' | '>';

export interface Judgement {
  expression: string;
  figure: string;
  /** what it is a figure of; empty: the whole run */
  of: JudgedPart;
  operator: Comparator;
  bound: number;
  /** in the unit of the bound; null without data, which fails */
  actual: number | null;
  unit: FigureUnit;
  passed: boolean;
  /** of a figure of which the load generator's part matters, in the unit of the bound */
  range?: Bounds;
  /** its bound lies inside the range of its figure: it neither passed nor failed, and `passed` is false */
  undecided?: true;
  /** why it is undecided, with its range and a remedy @experimental */
  doubt?: string;
  /** the worst one, of a threshold with windows @experimental */
  window?: JudgedWindow;
  /** iterations that had not ended and count with their age: it failed by them while the run went on @experimental */
  running?: Count;
  /** iterations in its window that the end of the run cut off and that count so @experimental */
  cutOff?: Count;
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
  from: Ms;
  to: Ms;
  count: Count;
}

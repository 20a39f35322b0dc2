import type { Stops } from '../process/stops.js';
import type { Note, Stats, Validity } from './stats.js';

/** Parts of the results of a run. */

/**
 * Events per second; currentRate: since the last reading. It is written here, as the types of programs refer to no
 * file of measured-core.
 */
export type MeterSummary = {
  mean: number;
  count: number;
  currentRate: number;
  '1MinuteRate': number;
  '5MinuteRate': number;
  '15MinuteRate': number;
  /** of a metric of hooks: the events while iterations ran, per second of that time @experimental */
  rate?: number;
};

/** milliseconds; null if nothing was recorded */
export interface HistogramSummary {
  min: number | null;
  max: number | null;
  /** @experimental */
  sum: number;
  /** @experimental */
  variance: number | null;
  mean: number | null;
  stddev: number | null;
  count: number;
  median: number | null;
  p75: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  p999: number | null;
  /**
   * values that have no bin: below 1 µs, which count as 1 µs, above 285 years, and those that are no numbers
   * @experimental
   */
  outOfRange: number;
  /** at the end, if anything was recorded: the counts in HdrHistogram's V2 compressed encoding, base64 */
  hdr?: string;
}

export interface OperationSummary {
  name: string;
  phase?: string;
  /** the operations beyond the first 1,000, which are added up; they have no phase @experimental */
  other?: true;
  /** `http` or `ws` */
  protocol?: string;
  labels: Labels;
  /** finished exchanges, with or without a response */
  count: number;
  /** of them per second */
  rate?: number;
  errors: number;
  /** how often `when` or a hook left it out @experimental */
  skipped?: number;
  /** of `main`: the longest that an iteration had taken when it was answered, ms @experimental */
  oldest?: number;
  statusCodes: Record<string, number>;
  times: OperationTimes;
  /** if there were several statuses @experimental */
  serviceTimeByStatus?: Record<string, HistogramSummary>;
  /** of an operation with `stream` @experimental */
  stream?: StreamSummary;
  /**
   * those of the cancelled ones that are errors: they had taken longer than the slowest completed iteration of their
   * scenario, or far longer than any that was answered here
   * @experimental
   */
  overdue?: number;
}

/** The streams of an operation; times are ms. */
export interface StreamSummary {
  /** those that have begun */
  count: number;
  events: number;
  /** of them per second */
  eventRate?: number;
  bytes: number;
  /** the sum of what they count, such as tokens */
  counted?: number;
  /** of it per second */
  countedRate?: number;
  /** connections after the first one of a stream */
  reconnects?: number;
  /** from the request to the first event; with a rate, with the wait for a virtual user */
  firstEvent: HistogramSummary;
  /** between an event and the next one */
  gap: HistogramSummary;
  /** the mean of each stream between its events, or what it counts */
  meanGap: HistogramSummary;
  /** from the head of the response to the end of its stream */
  duration: HistogramSummary;
  /** of the thresholds on it */
  goodput?: GoodputSummary[];
}

/** how many operations with a stream kept all limits */
export interface GoodputSummary {
  /** `firstEvent<500ms, gap.p99<100ms` */
  limits: string;
  good: number;
  /** all that have ended, failed ones too */
  count: number;
}

/** `scenario`, `group`, and the tags of the flow */
export type Labels = Record<string, string>;

/** ms */
export interface OperationTimes {
  /** of exchanges with a response; includes redirects, not hooks */
  serviceTime: HistogramSummary;
  /** those whose response was no error, if some were: what reports, thresholds and comparisons use @experimental */
  withoutErrors?: HistogramSummary;
  /** these without what the load generator may have added @experimental */
  least?: HistogramSummary;
  /**
   * how long `main` had taken when the end of the run cut it off in this operation; of other phases how long the
   * request had waited
   * @experimental
   */
  cancelled?: HistogramSummary;
}

export interface OperationFacts {
  protocol?: string;
  labels?: Labels;
}

export interface CheckPlace {
  /** `status 201` */
  name: string;
  /** name of its operation */
  operation: string;
  /** @experimental */
  phase: string;
  /** `flow.main[0].expect.status` */
  path: string;
  /** whose iterations perform the operation @experimental */
  scenario?: string;
  /** group and tags of the operation @experimental */
  labels?: Labels;
}

export interface FirstFailure {
  /** of the iteration; null in before and after */
  index: number | null;
  /** `expected status 201, received 200` */
  message: string;
}

/** `share`: of the evaluations that passed */
export type CheckSummary = CheckPlace & {
  passed: number;
  failed: number;
  share: number | null;
  /** @experimental */
  firstFailure?: FirstFailure;
};

export interface ChecksSummary {
  passed: number;
  failed: number;
  share: number | null;
  details: CheckSummary[];
}

/** one of several loads of a run, by itself */
export interface LoadSummary {
  name: string;
  phase: string;
  labels: Labels;
  /** its start, ms after that of the run; absent if it has not started */
  startAfter?: number;
  /** ms, from its start until its last iteration ended */
  measuredElapsed: number;
  /** iterations that have ended, except cancelled ones */
  count: number;
  /** those of them that failed */
  errors: number;
  /** of the completed ones, per second */
  rate: number;
  iterations: Stats['iterations'];
  virtualUsers: Stats['virtualUsers'];
  /** ms, without pauses */
  times: LoadTimes;
  /** those of `beforeMain`, if the end of the run cut off one of them */
  operations?: OperationSummary[];
  /** of an open load: how late iterations of idle virtual users started, and how far from their planned distance, ms */
  startDelay?: HistogramSummary;
  spacing?: HistogramSummary;
  /** on the time axis of the run */
  series: { interval: number; points: PointSummary[] };
  /** whether its figures can be trusted */
  validity: { status: Validity['status']; reasons: Note[] };
}

export interface LoadTimes {
  responseTime: HistogramSummary;
  serviceTime: HistogramSummary;
  failed?: HistogramSummary;
  cancelled?: HistogramSummary;
  least?: HistogramSummary;
  serviceLeast?: HistogramSummary;
}

/** the iterations of a scenario, or the transactions of a group */
export interface TransactionSummary {
  name: string;
  /** those beyond the first 1,000, which are added up @experimental */
  other?: true;
  phase: string;
  /** @experimental */
  labels: Labels;
  /** those that have ended, except cancelled ones */
  count: number;
  /** of them per second */
  rate?: number;
  /** those of them that failed */
  errors: number;
  /** ms, without pauses */
  times: TransactionTimes;
  /**
   * those of the cancelled ones that had run longer than the slowest completed iteration of their scenario: errors
   * @experimental
   */
  overdue?: number;
}

export interface TransactionTimes {
  /** of the iterations of a scenario */
  responseTime?: HistogramSummary;
  /** of a scenario in an open run: without the wait for a virtual user */
  serviceTime?: HistogramSummary;
  /** of a group: from the start of its first operation to the end of its last one */
  duration?: HistogramSummary;
  /** the same without what the load generator may have added @experimental */
  least?: HistogramSummary;
  /** how long `main` had taken when the end of the run cut it off in one of them @experimental */
  cancelled?: HistogramSummary;
}

/** one request, as an example; times in ms since the start of the iterations */
export interface Exemplar {
  /** of the iteration */
  index: number | null;
  /** its name: `GET /items` */
  operation: string;
  /** `flow.main[0]` */
  path: string;
  status: number | null;
  serviceTime: number;
  /** the connection had carried an earlier request */
  reused: boolean;
  /** when the iteration was due; absent in a closed run */
  due?: number;
  started: number;
  /** null if the connection was reused or failed */
  connected: number | null;
  sent: number | null;
  firstByte: number | null;
  ended: number;
  error?: string;
  code?: string;
  /** that its request named in `traceparent` */
  trace?: TraceSummary;
}

/** the trace of a request (W3C Trace Context) */
export interface TraceSummary {
  /** 32 hexadecimal digits */
  id: string;
  /** the service was asked to record it */
  sampled: boolean;
  /** URL of the recorded trace, by the option `traceLink` */
  link?: string;
}

export interface ExemplarsSummary {
  slowest: Exemplar[];
  failed: Exemplar[];
}

export interface SeriesSummary {
  /** ms */
  interval: number;
  points: PointSummary[];
  /** of the rates of the whole intervals, by the path of the rate */
  spread: SeriesSpread;
  /** the first 20, if there are several: service times of responses */
  operations?: OperationSeriesSummary[];
  /**
   * of a run of hours that goes on, whose points are longer than a second: the last 900 points of a second, or of as
   * many whole intervals as fit into one
   */
  recent?: { interval: number; points: PointSummary[] };
}

/** null with fewer than two whole intervals, or without the figure */
export type SeriesSpread = Record<'iterations.completedRate' | 'bytes.receivedRate', RateSpread | null>;

export interface PointSummary {
  /** ms since the start, the beginning of the interval */
  at: number;
  iterations: {
    completed: number;
    completedRate: number;
    failed: number;
  };
  errors: number;
  /** ms, of the completed iterations */
  responseTime: {
    median: number | null;
    p95?: number | null;
    p99: number | null;
    max: number | null;
    /** at the end: the counts, the payload of the encoding in `hdr`, base64; empty without any */
    hdrPayload?: string;
  };
  /** mean number of running iterations */
  concurrency: number;
  bytes?: {
    received: number;
    receivedRate: number;
  };
  loadGenerator: {
    /** 0 to 1 */
    eventLoopUtilization: number;
  };
}

/** how steady a rate was: over the whole intervals */
export interface RateSpread {
  min: number;
  p1?: number;
  p2_5: number;
  median: number;
  p97_5: number;
  max: number;
  mean?: number;
  stddev?: number;
}

export interface OperationSeriesSummary {
  name: string;
  phase: string;
  /** its scenario, if it has one */
  labels?: Labels;
  interval: number;
  points: {
    at: number;
    count: number;
    serviceTime: { median: number | null; p95: number | null };
    /** of an operation with `stream` */
    stream?: StreamPoint;
  }[];
}

/** the streams of an operation in an interval; times are ms */
export interface StreamPoint {
  /** per second */
  eventRate: number;
  firstEvent: { median: number | null; p95: number | null; p99: number | null };
  gap: { median: number | null; p95: number | null; p99: number | null };
}

/** one group of errors */
export interface ErrorSample {
  /** of the first */
  message: string;
  phase: string;
  /** dns connect tls timeout reset protocol status hook worker */
  kind: string;
  code: string;
  /** `flow.main[0]`; absent: no operation caused it, or it is not known which */
  path?: string;
  /** name of the operation, as in `operations`: `GET /items` */
  operation?: string;
  count: number;
  /** the lowest iteration; null in before and after */
  firstIndex: number | null;
  /**
   * the request of the first one and its response, without secrets: lines that begin with `>`, `<` or `!`
   * @experimental
   */
  exchange?: string[];
  /** the code of the flow that the first one comes from, if that is known @experimental */
  location?: CodePlace;
}

export interface CodePlace {
  /** relative to the working directory if it is in it */
  file: string;
  line: number;
  column: number;
  /** the line */
  source: string;
}

export interface ErrorsSummary {
  count: number;
  /** those of what the end of the run cut off @experimental */
  overdue?: number;
  /** of the started iterations that had one, at most 1 */
  share?: number | null;
  kinds: Record<string, number>;
  details: ErrorSample[];
}

/** a thread that sends requests */
export type SenderSummary = ThreadSummary & {
  stall: Stall;
  stops: Stops;
};

/** load of a thread while iterations ran */
export interface ThreadSummary {
  /** 0 to 1 */
  eventLoopUtilization: number;
  /** ms */
  eventLoopDelay: {
    mean: number;
    p99: number;
    max: number;
  };
  /** ms of the thread; of the whole process if the system does not count threads */
  cpuTime: number;
  /** ms of garbage collection */
  gcTime: number;
}

/** times in which a thread did not serve its event loop */
export interface Stall {
  /** ms */
  longest: number;
  /** timeouts that expired meanwhile */
  extendedTimeouts: number;
}

export interface TimerSummary {
  meter: MeterSummary;
  histogram: HistogramSummary;
}

export type MetricSummary = TimerSummary | MeterSummary | HistogramSummary | number | null;

/** the operations of `phase` with a tag; its name is `team:search` */
export type TagSummary = Pick<
  OperationSummary,
  'name' | 'phase' | 'labels' | 'count' | 'rate' | 'errors' | 'skipped' | 'statusCodes' | 'times' | 'overdue' | 'stream'
>;

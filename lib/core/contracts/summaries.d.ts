import type { Stops } from '../process/stops.js';
import type { ErrorKind, Figures, PhaseName } from './figure-names.js';
import type { Note, Stats, Validity } from './stats.js';
import type {
  Amount,
  ByteRate,
  Count,
  Integer,
  Interval,
  Ms,
  Offset,
  Rate,
  Ratio,
  Share,
  StatusName,
} from './quantities.js';

/** Parts of the results of a run. */

/**
 * Events per second; currentRate: since the last reading. It is written here, as the types of programs refer to no
 * file of measured-core.
 * @definition meter
 */
export type MeterSummary = {
  mean: Rate;
  count: Count;
  currentRate: Rate;
  '1MinuteRate': Rate;
  '5MinuteRate': Rate;
  '15MinuteRate': Rate;
  /** of a metric of hooks: the events while iterations ran, per second of that time @experimental */
  rate?: Rate;
};

/**
 * null if nothing was recorded
 * @definition histogram
 */
export interface HistogramSummary {
  min: number | null;
  max: number | null;
  /** @experimental */
  sum: number;
  /** @experimental */
  variance: number | null;
  mean: number | null;
  stddev: number | null;
  count: Count;
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
  outOfRange: Count;
  /** at the end, if anything was recorded: the counts in HdrHistogram's V2 compressed encoding, base64 */
  hdr?: string;
}

/** ms */
export type Times = HistogramSummary;

export interface OperationSummary {
  name: string;
  phase?: PhaseName;
  /** the operations beyond the first 1,000, which are added up; they have no phase @experimental */
  other?: true;
  /** `http` or `ws` */
  protocol?: string;
  labels: Labels;
  /** finished exchanges, with or without a response */
  count: Count;
  /** of them per second */
  rate?: Rate;
  errors: Count;
  /** how often `when` or a hook left it out @experimental */
  skipped?: Count;
  /** of `main`: the longest that an iteration had taken when it was answered, ms @experimental */
  oldest?: Ms;
  statusCodes: StatusCodes;
  times: OperationTimes;
  /** if there were several statuses @experimental */
  serviceTimeByStatus?: Record<StatusName, Times>;
  /** of an operation with `stream` @experimental */
  stream?: StreamSummary;
  /**
   * those of the cancelled ones that are errors: they had taken longer than the slowest completed iteration of their
   * scenario, or far longer than any that was answered here
   * @experimental
   */
  overdue?: Count;
}

/** The streams of an operation; times are ms. */
export interface StreamSummary {
  /** those that have begun */
  count: Count;
  events: Count;
  /** of them per second */
  eventRate?: Rate;
  /** B */
  bytes: Count;
  /** the sum of what they count, such as tokens */
  counted?: Count;
  /** of it per second */
  countedRate?: Rate;
  /** connections after the first one of a stream */
  reconnects?: Count;
  /** from the request to the first event; with a rate, with the wait for a virtual user */
  firstEvent: Times;
  /** between an event and the next one */
  gap: Times;
  /** the mean of each stream between its events, or what it counts */
  meanGap: Times;
  /** from the head of the response to the end of its stream */
  duration: Times;
  /** of the thresholds on it */
  goodput?: GoodputSummary[];
}

/** how many operations with a stream kept all limits */
export interface GoodputSummary {
  /** `firstEvent<500ms, gap.p99<100ms` */
  limits: string;
  good: Count;
  /** all that have ended, failed ones too */
  count: Count;
}

/**
 * how many responses had each status
 * @definition statusCodes
 */
export type StatusCodes = Record<StatusName, Count>;

/** `scenario`, `group`, and the tags of the flow */
export type Labels = Record<string, string>;

export interface OperationTimes {
  /** of exchanges with a response; includes redirects, not hooks */
  serviceTime: Times;
  /** those whose response was no error, if some were: what reports, thresholds and comparisons use @experimental */
  withoutErrors?: Times;
  /** these without what the load generator may have added @experimental */
  least?: Times;
  /**
   * how long `main` had taken when the end of the run cut it off in this operation; of other phases how long the
   * request had waited
   * @experimental
   */
  cancelled?: Times;
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
  /** empty for the checks beyond 1,000, which are added up @experimental */
  phase: PhaseName | '';
  /** `flow.main[0].expect.status` */
  path: string;
  /** whose iterations perform the operation @experimental */
  scenario?: string;
  /** group and tags of the operation @experimental */
  labels?: Labels;
}

export interface FirstFailure {
  /** of the iteration; null in before and after */
  index: Integer | null;
  /** `expected status 201, received 200` */
  message: string;
}

/** `share`: of the evaluations that passed */
export type CheckSummary = CheckPlace & {
  passed: Count;
  failed: Count;
  share: Share | null;
  /** @experimental */
  firstFailure?: FirstFailure;
};

export type ChecksSummary = { details: CheckSummary[] } & Figures['checks'];

/** one of several loads of a run, by itself */
export interface LoadSummary {
  name: string;
  phase: PhaseName;
  labels: Labels;
  /** its start, ms after that of the run; absent if it has not started */
  startAfter?: Ms;
  /** ms, from its start until its last iteration ended */
  measuredElapsed: Ms;
  /** iterations that have ended, except cancelled ones */
  count: Count;
  /** those of them that failed */
  errors: Count;
  /** of the completed ones, per second */
  rate: Rate;
  iterations: Stats['iterations'];
  virtualUsers: Stats['virtualUsers'];
  /** ms, without pauses */
  times: LoadTimes;
  /** those of `beforeMain`, if the end of the run cut off one of them */
  operations?: OperationSummary[];
  /** of an open load: how late iterations of idle virtual users started, and how far from their planned distance, ms */
  startDelay?: Times;
  spacing?: Times;
  /** on the time axis of the run */
  series: Pick<SeriesSummary, 'interval' | 'points'>;
  /** whether its figures can be trusted */
  validity: { status: Validity['status']; reasons: Note[] };
}

export interface LoadTimes {
  responseTime: Times;
  serviceTime: Times;
  failed?: Times;
  cancelled?: Times;
  least?: Times;
  serviceLeast?: Times;
}

/** the iterations of a scenario, or the transactions of a group */
export interface TransactionSummary {
  name: string;
  /** those beyond the first 1,000, which are added up @experimental */
  other?: true;
  phase: PhaseName;
  /** @experimental */
  labels: Labels;
  /** those that have ended, except cancelled ones */
  count: Count;
  /** of them per second */
  rate?: Rate;
  /** those of them that failed */
  errors: Count;
  /** ms, without pauses */
  times: TransactionTimes;
  /**
   * those of the cancelled ones that had run longer than the slowest completed iteration of their scenario: errors
   * @experimental
   */
  overdue?: Count;
}

export interface TransactionTimes {
  /** of the iterations of a scenario */
  responseTime?: Times;
  /** of a scenario in an open run: without the wait for a virtual user */
  serviceTime?: Times;
  /** of a group: from the start of its first operation to the end of its last one */
  duration?: Times;
  /** the same without what the load generator may have added @experimental */
  least?: Times;
  /** how long `main` had taken when the end of the run cut it off in one of them @experimental */
  cancelled?: Times;
}

export interface ScenarioSummary extends TransactionSummary {
  rate: Rate;
  times: Omit<TransactionTimes, 'duration'> & { responseTime: Times };
}

export interface GroupSummary extends TransactionSummary {
  rate: Rate;
  times: Omit<TransactionTimes, 'responseTime' | 'serviceTime'> & { duration: Times };
}

/** one request, as an example; times in ms since the start of the iterations */
export interface Exemplar {
  /** of the iteration */
  index: Integer | null;
  /** its name: `GET /items` */
  operation: string;
  /** `flow.main[0]` */
  path: string;
  status: Integer | null;
  serviceTime: Ms;
  /** the connection had carried an earlier request */
  reused: boolean;
  /** when the iteration was due; absent in a closed run */
  due?: Offset;
  started: Offset;
  /** null if the connection was reused or failed */
  connected: Offset | null;
  sent: Offset | null;
  firstByte: Offset | null;
  ended: Offset;
  error?: string;
  code?: string;
  /** that its request named in `traceparent` */
  trace?: TraceSummary;
}

/** the trace of a request (W3C Trace Context) */
export interface TraceSummary {
  /**
   * 32 hexadecimal digits
   * @pattern ^[0-9a-f]{32}$
   */
  id: string;
  /** the service was asked to record it */
  sampled: boolean;
  /**
   * URL of the recorded trace, by the option `traceLink`
   * @pattern ^https?://\S+$
   */
  link?: string;
}

export interface ExemplarsSummary {
  /** @maxItems 10 */
  slowest: Exemplar[];
  /** @maxItems 10 */
  failed: Exemplar[];
}

export interface SeriesSummary {
  interval: Interval;
  /** @maxItems 10000 */
  points: PointSummary[];
  /** of the rates of the whole intervals, by the path of the rate */
  spread: SeriesSpread;
  /**
   * the first 20, if there are several: service times of responses
   * @maxItems 20
   */
  operations?: OperationSeriesSummary[];
  /**
   * of a run of hours that goes on, whose points are longer than a second: the last 900 points of a second, or of as
   * many whole intervals as fit into one
   */
  recent?: {
    interval: Interval;
    /** @maxItems 900 */
    points: PointSummary[];
  };
}

/** null with fewer than two whole intervals, or without the figure */
export interface SeriesSpread {
  'iterations.completedRate': RateSpread<Rate> | null;
  'bytes.receivedRate': RateSpread<ByteRate> | null;
}

export interface PointSummary {
  /** ms since the start, the beginning of the interval */
  at: Ms;
  iterations: {
    completed: Count;
    completedRate: Rate;
    failed: Count;
  };
  errors: Count;
  /** ms, of the completed iterations */
  responseTime: {
    median: Ms | null;
    p95?: Ms | null;
    p99: Ms | null;
    max: Ms | null;
    /** at the end: the counts, the payload of the encoding in `hdr`, base64; empty without any */
    hdrPayload?: string;
  };
  /** mean number of running iterations */
  concurrency: Amount;
  bytes?: {
    /** B */
    received: Count;
    receivedRate: ByteRate;
  };
  loadGenerator: {
    /** 0 to 1 */
    eventLoopUtilization: Ratio;
  };
}

/** how steady a rate was: over the whole intervals */
export interface RateSpread<Of = number> {
  min: Of;
  p1?: Of;
  p2_5: Of;
  median: Of;
  p97_5: Of;
  max: Of;
  mean?: Of;
  stddev?: Of;
}

export interface OperationSeriesSummary {
  name: string;
  phase: PhaseName | '';
  /** its scenario, if it has one */
  labels?: Labels;
  interval: Interval;
  /** @maxItems 300 */
  points: OperationPoint[];
}

export interface OperationPoint {
  at: Ms;
  count: Count;
  serviceTime: { median: Ms | null; p95: Ms | null };
  /** of an operation with `stream` */
  stream?: StreamPoint;
}

/** the streams of an operation in an interval; times are ms */
export interface StreamPoint {
  /** per second */
  eventRate: Rate;
  firstEvent: { median: Ms | null; p95: Ms | null; p99: Ms | null };
  gap: { median: Ms | null; p95: Ms | null; p99: Ms | null };
}

/** one group of errors */
export interface ErrorSample {
  /** of the first */
  message: string;
  phase: PhaseName;
  kind: ErrorKind;
  code: string;
  /** `flow.main[0]`; absent: no operation caused it, or it is not known which */
  path?: string;
  /** name of the operation, as in `operations`: `GET /items` */
  operation?: string;
  count: Count;
  /** the lowest iteration; null in before and after */
  firstIndex: Integer | null;
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
  line: Count;
  column: Count;
  /** the line */
  source: string;
}

/** `overdue`: those of what the end of the run cut off; `share`: of the started iterations that had one, at most 1 */
export type ErrorsSummary = {
  /** @propertyNames errorKind */
  kinds: Record<string, Count>;
  details: ErrorSample[];
} & Figures['errors'];

/** errors of a recorder, which knows no share */
export type RecordedErrors = Omit<ErrorsSummary, 'share'>;

/** a thread that sends requests */
export type SenderSummary = ThreadSummary & {
  stall: Stall;
  stops: Stops;
};

/** load of a thread while iterations ran */
export interface ThreadSummary {
  /** 0 to 1 */
  eventLoopUtilization: Share;
  eventLoopDelay: {
    mean: Ms;
    p99: Ms;
    max: Ms;
  };
  /** ms of the thread; of the whole process if the system does not count threads */
  cpuTime: Ms;
  /** ms of garbage collection */
  gcTime: Ms;
}

/** times in which a thread did not serve its event loop */
export interface Stall {
  /** ms */
  longest: Ms;
  /** timeouts that expired meanwhile */
  extendedTimeouts: Count;
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

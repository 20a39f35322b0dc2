import type { Amount, ByteRate, Count, Ms, Rate, Ratio } from './quantities.js';
import type { Times } from './summaries.js';

/** Made from tables by `npm run generate`: change a row, not this file. */

export type CounterPath =
  | 'iterations.started'
  | 'iterations.completed'
  | 'iterations.failed'
  | 'iterations.endedEarly'
  | 'iterations.cancelled'
  | 'iterations.slowest'
  | 'iterations.teardownFailed'
  | 'iterations.furtherErrors'
  | 'iterations.late'
  | 'iterations.maxBacklog'
  | 'iterations.dropped'
  | 'iterations.backlog'
  | 'iterations.busyTime'
  | 'iterations.promptTime'
  | 'requests.count'
  | 'requests.sent'
  | 'requests.answered'
  | 'requests.unanswered'
  | 'requests.cancelled'
  | 'requests.retries'
  | 'requests.redirects'
  | 'requests.authChallenges'
  | 'requests.reconnects'
  | 'requests.throttled'
  | 'requests.throttledTime'
  | 'requests.waitsCut'
  | 'requests.exhausted'
  | 'requests.skipped'
  | 'requests.folded'
  | 'outside.sent'
  | 'outside.answered'
  | 'outside.unanswered'
  | 'outside.cancelled'
  | 'bytes.sent'
  | 'bytes.received'
  | 'connections.opened'
  | 'connections.requestsOnReused'
  | 'connections.closedByServer'
  | 'connections.discarded'
  | 'requests.abandoned'
  | 'http2.fallbacks'
  | 'http2.requests'
  | 'http2.connections'
  | 'http2.inFlight'
  | 'http2.resets'
  | 'http2.goAways'
  | 'http2.violations'
  | 'http2.waits'
  | 'http2.waitTime'
  | 'messages.sent'
  | 'messages.received'
  | 'messages.unexpected'
  | 'messages.unexpectedGreetings'
  | 'messages.surplus'
  | 'virtualUsers.started'
  | 'virtualUsers.answered';

export type HistogramPath =
  | 'main.histogram'
  | 'main.completed'
  | 'main.serviceTime'
  | 'main.least'
  | 'main.serviceLeast'
  | 'main.corrected'
  | 'main.failed'
  | 'main.cancelled'
  | 'requests.ttfb'
  | 'connections.connect'
  | 'connections.tls'
  | 'loadGenerator.startDelay'
  | 'loadGenerator.spacing';

/**
 * @definition errorKind
 * @values ["dns", "connect", "tls", "proxy", "timeout", "reset", "protocol", "status", "expect", "capture", "data",
 *   "hook", "cancelled", "worker", "call", "graphql", "grpc", "server"]
 */
export type ErrorKind = string;

/**
 * @definition phase
 * @values ["before", "beforeMain", "main", "afterMain", "after"]
 */
export type PhaseName = string;

export type HistogramKey =
  | 'main'
  | 'completed'
  | 'serviceTime'
  | 'least'
  | 'serviceLeast'
  | 'corrected'
  | 'failed'
  | 'cancelled'
  | 'ttfb'
  | 'connect'
  | 'tls'
  | 'startDelay'
  | 'spacing';

/** The names of a group of paths: `started` and others of `iterations`. */
export type NameIn<Group extends string, Path extends string> = Path extends `${Group}.${infer Name}`
  ? Name extends `${string}.${string}`
    ? never
    : Name
  : never;

/** The figures of a result by their groups. */
export interface Figures {
  iterations: {
    started: Count;
    completed: Count;
    failed: Count;
    /** @experimental */
    endedEarly: Count;
    cancelled: Count;
    /** @experimental */
    slowest: Ms;
    /** @experimental */
    teardownFailed: Count;
    /** @experimental */
    furtherErrors: Count;
    late: Count;
    /** @experimental */
    maxBacklog: Count;
    dropped: Count;
    /** @experimental */
    backlog: Count;
    /** @experimental */
    busyTime: Ms;
    /** @experimental */
    promptTime: Ms;
    rate: Rate;
    completedRate: Rate;
    /** @experimental */
    missing?: Count;
    /** @experimental */
    overdue?: Count;
    /** @experimental */
    cutOff?: Count;
    plannedRate?: Rate;
    /** @experimental */
    startedRate?: Rate;
    /** @experimental */
    peakRate?: Rate;
  };
  requests: {
    count: Count;
    sent: Count;
    answered: Count;
    unanswered: Count;
    /** @experimental */
    cancelled: Count;
    retries: Count;
    redirects: Count;
    /** @experimental */
    authChallenges: Count;
    /** @experimental */
    reconnects: Count;
    /** @experimental */
    throttled?: Count;
    /** @experimental */
    throttledTime?: Ms;
    /** @experimental */
    waitsCut?: Count;
    /** @experimental */
    exhausted?: Count;
    /** @experimental */
    skipped: Count;
    /** @experimental */
    folded?: Count;
    /** @experimental */
    abandoned?: Count;
    ttfb: Times;
    rate: Rate;
    /** @experimental */
    throttledShare?: Ratio | null;
  };
  outside: {
    sent: Count;
    answered: Count;
    unanswered: Count;
    cancelled: Count;
  };
  bytes: {
    /** B */
    sent: Count;
    /** B */
    received: Count;
    receivedRate: ByteRate;
  };
  connections: {
    opened: Count;
    requestsOnReused: Count;
    /** @experimental */
    closedByServer: Count;
    /** @experimental */
    discarded: Count;
    connect: Times;
    tls?: Times;
  };
  http2: {
    /** @experimental */
    fallbacks: Count;
    requests: Count;
    connections: Count;
    /** @experimental */
    inFlight: Count;
    /** @experimental */
    resets: Count;
    /** @experimental */
    goAways: Count;
    /** @experimental */
    violations: Count;
    /** @experimental */
    waits: Count;
    /** @experimental */
    waitTime: Ms;
    /** @experimental */
    concurrency: Amount | null;
  };
  messages: {
    sent: Count;
    received: Count;
    /** @experimental */
    unexpected: Count;
    /** @experimental */
    unexpectedGreetings: Count;
    /** @experimental */
    surplus: Count;
    receivedRate: Rate;
  };
  virtualUsers: {
    started: Count;
    answered: Count;
  };
  main: {
    histogram: Times;
    completed: Times;
    serviceTime: Times;
    /** @experimental */
    least: Times;
    /** @experimental */
    serviceLeast: Times;
    /** @experimental */
    corrected?: Times;
    failed: Times;
    /** @experimental */
    cancelled: Times;
  };
  loadGenerator: {
    startDelay?: Times;
    spacing?: Times;
    cpuTimePerRequest: Ms | null;
    eventLoopUtilization: Ratio;
  };
  errors: {
    share: Ratio | null;
    /** @experimental */
    overdue?: Count;
    count: Count;
  };
  checks: {
    passed: Count;
    failed: Count;
    share: Ratio | null;
  };
}

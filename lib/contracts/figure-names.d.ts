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
  | 'iterations.unpermitted'
  | 'iterations.busyTime'
  | 'requests.count'
  | 'requests.sent'
  | 'requests.answered'
  | 'requests.unanswered'
  | 'requests.cancelled'
  | 'requests.retries'
  | 'requests.redirects'
  | 'requests.authChallenges'
  | 'requests.reconnects'
  | 'requests.skipped'
  | 'requests.folded'
  | 'requests.abandoned'
  | 'bytes.sent'
  | 'bytes.received'
  | 'messages.sent'
  | 'messages.received'
  | 'messages.unexpected'
  | 'messages.unexpectedGreetings'
  | 'messages.surplus'
  | 'connections.opened'
  | 'connections.requestsOnReused'
  | 'connections.closedByServer'
  | 'connections.discarded'
  | 'http2.fallbacks'
  | 'http2.requests'
  | 'http2.connections'
  | 'http2.inFlight'
  | 'http2.resets'
  | 'http2.goAways'
  | 'http2.violations'
  | 'http2.waits'
  | 'http2.waitTime'
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

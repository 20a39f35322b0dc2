import type { FieldValue, ThinkTime, TlsMaterial } from './flows.js';
import type { PrecisionGoal, Shard, Stage, StageFile, Start, StartOptions, Target, Thresholds } from './run.js';
import type { PlannedStage, SideLoad } from './schedule.js';
import type { ThinkTimeMs } from '../ground/units.js';
import type { ProxySettings } from '../http/proxy.js';

/** Made from tables by `npm run generate`: change a row, not this file. */

/** Run options of a program: times in ms or as texts such as `'30s'`; counts may be texts such as `'10k'`. */
export interface GivenRunOptions {
  /** Iterations to run, or '10 per user'. */
  iterations?: number | string;
  /** Virtual users: iterations that run concurrently, each on its own connection. */
  limit?: number | string;
  /** Worker threads that send the requests; auto: one per core. */
  workers?: number | 'auto';
  /** How long to start iterations, such as 30s; with -n, whichever ends first. */
  duration?: number | string;
  /** Run until stopped. Default: `false`. */
  forever?: boolean;
  /**
   * Run until the 95 % confidence interval of this figure is narrow enough, such as 'p95+-3%'; repeatable.
   * @experimental
   */
  precision?: string | string[];
  /** With --precision: end at the latest after this time (default: 10m). @experimental */
  maxDuration?: number | string;
  /** Arrival rate: iterations started per second (500, 30/m), regardless of response times. */
  rate?: number | string;
  /** How arrivals are spaced: constant (evenly) or poisson (at random). Default: `"constant"`. */
  arrival?: 'constant' | 'poisson';
  /**
   * How to wait for arrivals: timer (1 ms late), thread (0.1 ms, more CPU), poll (a whole core); auto: by rate and free
   * cores. Default: `"auto"`. @experimental
   */
  pacing?: 'auto' | 'timer' | 'thread' | 'poll';
  /**
   * Random seed of arrivals, pauses, choices, tokens and rows: the same one repeats a run; random: draws and prints
   * one. Default: `1`.
   */
  seed?: number | 'random';
  /**
   * Ramp to '30s:100' (rate) or '30s:50c' (users); '30s:=100' at once, '30s:100 in 5 steps', '@curve.csv'; repeatable.
   */
  stages?: (string | Stage)[] | StageFile | (string | Stage | StageFile)[];
  /** With stages: multiply their rates, such as 2 for twice the recorded ones. @experimental */
  scale?: number | string;
  /** With stages: divide their durations, such as 10 for a day in 2.4 hours; the rates stay. @experimental */
  speed?: number | string;
  /** Due iterations that may wait for a free virtual user; more are dropped. @experimental */
  maxBacklog?: number | string;
  /**
   * Warm-up: run the flow this long before measuring, '5s', or '5s:10c' with 10 virtual users; not included in the
   * results.
   */
  warmup?: number | string | { duration: number | string; limit?: number };
  /** Start virtual users gradually over this time. */
  rampUp?: number | string;
  /** Think time of a virtual user between iterations: 500ms, or a range such as 500ms,2s. */
  pause?: ThinkTime;
  /** Maximum requests per second of one virtual user. @experimental */
  ratePerUser?: number | string;
  /** Maximum requests of one virtual user. @experimental */
  maxRequestsPerUser?: number | string;
  /** Maximum requests in total. */
  maxRequests?: number | string;
  /** Render the requests of this many iterations before the start. Default: `0`. */
  prealloc?: number | string;
  /**
   * Run a part of the load, such as 2/3; auto/3 takes the number from JOB_COMPLETION_INDEX; -n, -c and -r are of all
   * parts. @experimental
   */
  shard?: string | { number: number; of: number };
  /**
   * Start the measured iterations at this time, after before and the warm-up, such as 2026-11-22T12:00:00Z.
   * @experimental
   */
  startAt?: string;
  /** Name of the run that the shards have in common: bench-rest merge refuses shards of another one. @experimental */
  runId?: string;
  /** Ends the run early when aborted. */
  signal?: AbortSignal;
  /** Default headers of every operation. */
  headers?: Record<string, FieldValue>;
  /** A cookie of every virtual user, name=value; repeatable. */
  cookies?: Record<string, string | number> | string | string[];
  /** A value for #{args.name} in the flow, and for a flow that is a function: ({ args }) => flow; repeatable. */
  args?: Record<string, string | number | boolean>;
  /** File of environment variables for #{env.NAME}: lines NAME=value, as for node --env-file; repeatable. */
  envFiles?: string | string[];
  /** Add-on to load before the flow is read: a package, or a path such as ./my-addon.js; repeatable. @experimental */
  addons?: string | string[];
  /** User name for basic authentication, or user:password as in curl. */
  user?: string | number;
  /** Password for basic authentication. */
  password?: string | number;
  /**
   * Hosts that get the credentials of the run too, when a response or a redirect leads there; repeatable. @experimental
   */
  credentialsFor?: string | string[];
  /**
   * Send to these hosts and ports alone, such as api.example:443,*.test:*, whatever flow and responses say; repeatable.
   * @experimental
   */
  allowTargets?: string | string[];
  /**
   * Send traceparent (W3C) with each request; services shall record this share of the traces, such as 10%; default:
   * all. @experimental
   */
  traceContext?: boolean | number | string;
  /** Link to a recorded trace, with {traceId}, for the slowest requests; sends traceparent, too. @experimental */
  traceLink?: string;
  /** Time limit of an operation; 0: none. Default: `30000`. */
  timeout?: number | string;
  /**
   * Wait as responses of 429 and 503 ask (Retry-After), and send the requests again; a policy in runOptions. Default:
   * `false`. @experimental
   */
  retryAfter?:
    | boolean
    | { statuses?: number[]; attempts?: number; first?: number | string; longest?: number | string; jitter?: number };
  /** Time that running iterations get to finish after a stop. Default: `30000`. */
  gracefulStop?: number | string;
  /** Time that afterMain and after get after the graceful stop. Default: `5000`. @experimental */
  teardownTimeout?: number | string;
  /**
   * Maximum size of a response body that is kept for hooks, and of a WebSocket message, in bytes. Default: `67108864`.
   * @experimental
   */
  maxBodySize?: number | string;
  /** Maximum memory of all kept bodies together, over all workers, in bytes. Default: `536870912`. @experimental */
  maxBodyMemory?: number | string;
  /** Maximum size of a response head, in bytes. Default: `65536`. @experimental */
  maxHeaderSize?: number | string;
  /** Send the cookies of a HAR recording, instead of those that the server sets. Default: `false`. @experimental */
  harCookies?: boolean;
  /** Pause between the requests of a HAR recording as long as the recording did. Default: `false`. @experimental */
  harTiming?: boolean;
  /** Maximum number of header fields in a response. Default: `1000`. @experimental */
  maxHeaderFields?: number | string;
  /** HTTP client: builtin or undici, see bench-rest list http-clients; default: builtin. @experimental */
  httpClient?: 'builtin' | 'undici';
  /** Requests in flight per connection: this many iterations share it. @experimental */
  pipelining?: number | string;
  /**
   * Speak HTTP/2 if the server has it (https: URLs), only (fail without it), or prior-knowledge (http: URLs). Default:
   * `false`.
   */
  http2?: boolean | 'only' | 'prior-knowledge';
  /**
   * Share this many connections of HTTP/2 to each server among all virtual users; default: each has its own.
   * @experimental
   */
  connections?: number | string;
  /** Requests in flight at most on each connection of HTTP/2; default: as many as the server allows. @experimental */
  streams?: number | string;
  /** Time limit for opening a connection; counts towards timeout. Default: `10000`. @experimental */
  connectTimeout?: number | string;
  /** Open new connections after this many requests of a virtual user. @experimental */
  requestsPerConnection?: number | string;
  /** Resolve host names for every connection, not once per run. Default: `true`. @experimental */
  dnsCache?: boolean;
  /** Connect to addresses of IPv4 or IPv6 only; --ipv4 and --ipv6 are the same. @experimental */
  family?: 4 | 6;
  /**
   * Connect to another host and port, name:port:host:port (parts may be empty), with Host and TLS name of the URL;
   * repeatable. @experimental
   */
  connectTo?: string | string[] | Record<string, { host?: string; port?: number }>;
  /** Ask this DNS server for the addresses of names, instead of the system and its file of hosts. @experimental */
  resolver?: string;
  /** One request per connection: ask the server to close it after the response. Default: `true`. */
  keepAlive?: boolean;
  /** Unix socket to connect to, whatever the host. */
  socketPath?: string;
  /** Do not verify TLS certificates. Default: `false`. */
  insecure?: boolean;
  /** Trusted certificate authorities, PEM or a file. */
  ca?: TlsMaterial | TlsMaterial[];
  /** Client certificate, PEM or a file. */
  cert?: TlsMaterial | TlsMaterial[];
  /** Private key of the client certificate, PEM or a file. */
  key?: TlsMaterial | TlsMaterial[];
  /** Client certificate and private key, PKCS #12 or a file. */
  pfx?: TlsMaterial | TlsMaterial[];
  /** Passphrase of the private key. */
  passphrase?: string;
  /** Server name for TLS (SNI); default: the host of the URL. @experimental */
  servername?: string;
  /** Oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3. @experimental */
  tlsMin?: string | number;
  /** Newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default). @experimental */
  tlsMax?: string | number;
  /** Cipher suites to use, as OpenSSL names them, separated by colons. @experimental */
  ciphers?: string;
  /** HTTP proxy of all requests, such as http://proxy:3128; '' for none; default: that of the environment. */
  proxy?: string;
  /** Hosts that are reached without a proxy, instead of NO_PROXY: 'example.com,10.0.0.0/8', or '*' for all. */
  noProxy?: string;
  /** Do not verify the TLS certificate of an https:// proxy. Default: `false`. @experimental */
  proxyInsecure?: boolean;
  /** Fail unless this holds, such as 'p99<200ms' or 'errors<1%'; repeatable. */
  thresholds?: Thresholds;
  /** Stop as soon as a threshold fails; checked once per second, of many agents up to 2 s apart. Default: `false`. */
  abortOnFail?: boolean;
  /**
   * Stop as soon as a threshold of this load, scenario or operation fails; others do not stop the run; repeatable.
   * @experimental
   */
  abortOnFailOf?: string | string[];
  /**
   * With --abort-on-fail or --abort-on-fail-of: go on for at least this time from the start of the measured iterations.
   * @experimental
   */
  abortAfter?: number | string;
  /** Stop after this many errors, or this share of failed iterations, such as 5%. */
  bailout?: number | string;
  /**
   * Refuse every property and option that is unknown, not only those that are likely to be misspelled. Default:
   * `false`.
   */
  strict?: boolean;
  /**
   * Run even if no connection succeeds in 100 attempts, or the limit of open files is too low. Default: `true`.
   * @experimental
   */
  keepGoing?: boolean;
  /** Time between progress updates, in ms; 0 or false: none; true: every second. Default: `0`. */
  progress?: number | string | boolean;
  /** Emit no warnings about the flow and the options. Default: `false`. */
  quiet?: boolean;
  /** Name of the run in its results. */
  title?: string;
  /** What is measured, such as a version: bench-rest history names results by it. */
  label?: string | number;
  /** More percentiles of the response time, such as 99.5; repeatable. */
  percentiles?: (number | string)[];
  /** Length of an interval of the time series; default: 1s, and less during the first 16 s. @experimental */
  seriesInterval?: number | string;
  /**
   * Expected time between iterations of a virtual user; adds times corrected for coordinated omission. @experimental
   */
  expectedInterval?: number | string;
  /** Write a line for every request to this file: .ndjson or .csv. @experimental */
  log?: string;
  /** Export metrics to an OpenTelemetry collector every 5 s, such as http://localhost:4318. @experimental */
  otlp?: string;
  /** Let Prometheus scrape the metrics at this address; :9464 listens on this machine only. @experimental */
  prometheus?: string | number;
  /**
   * Called with every exchange: its request, response, error and time; and with a function that returns the secrets in
   * it. @experimental
   */
  trace?: (exchange: any, secrets: () => string[]) => void;
  /** Base URL of relative URLs. */
  baseUrl?: string;
  /**
   * Start the server with this command, wait until it is ready, and end it after the run; its port is in PORT.
   * @experimental
   */
  start?: string | string[] | StartOptions;
  /**
   * Watch this server of the same machine: a process number, a port such as :3000, or a container; off: not that of
   * --start. @experimental
   */
  watch?: string | number;
  /**
   * A server or an application of this process, instead of baseUrl; started on a free port if it is not listening.
   * @experimental
   */
  target?: Target;
  /**
   * Profile a Node service in the measured time; cpu (active time), heap (allocations) or all; 10s: in the last 10 s.
   * @experimental
   */
  profile?: string | boolean;
  /**
   * Run on this many agents, which wait for work on other machines (bench-rest agent); -n, -c and -r are of all.
   * @experimental
   */
  agents?: number | string;
  /** Where the agents wait: Redis or Valkey, such as redis://host:6379; rediss:// uses TLS. @experimental */
  agentsQueue?: string;
  /** Use the agents of this pool (default: default). @experimental */
  agentsPool?: string;
  /** How long to wait for agents that are not there, or busy (default: 30s). @experimental */
  agentsTimeout?: number | string;
  /** Agents that may be lost during the run without failing it. @experimental */
  agentsMaxLost?: number | string;
  /** A file that code of the flow reads, which is sent to the agents with it; repeatable. @experimental */
  agentsInclude?: string | string[];
}

/** The load of a scenario: options that a run with one load has for itself. */
export type ScenarioLoad = Pick<
  GivenRunOptions,
  | 'rate'
  | 'stages'
  | 'scale'
  | 'speed'
  | 'arrival'
  | 'limit'
  | 'iterations'
  | 'duration'
  | 'pause'
  | 'rampUp'
  | 'maxBacklog'
>;

/** Options that a run always has, or in another form: times in ms. */
export interface ReadRunOptions {
  iterations?: number;
  limit: number;
  workers?: number;
  duration?: number;
  forever: boolean;
  precision?: PrecisionGoal[];
  maxDuration?: number;
  rate?: number;
  arrival: 'constant' | 'poisson';
  pacing: 'auto' | 'timer' | 'thread' | 'poll';
  seed: number;
  stages?: PlannedStage[];
  scale?: number;
  speed?: number;
  maxBacklog?: number;
  warmup?: { duration: number; limit?: number };
  rampUp?: number;
  pause?: ThinkTimeMs;
  ratePerUser?: number;
  maxRequestsPerUser?: number;
  maxRequests?: number;
  prealloc: number;
  shard?: Shard;
  startAt?: number;
  headers?: Record<string, unknown>;
  cookies?: Record<string, string>;
  envFiles?: string[];
  addons?: string[];
  user?: string;
  password?: string;
  credentialsFor?: string[];
  allowTargets?: string[];
  traceContext?: number | false;
  timeout: number;
  retryAfter:
    | boolean
    | { statuses?: number[]; attempts?: number; first?: number | string; longest?: number | string; jitter?: number };
  gracefulStop: number;
  teardownTimeout: number;
  maxBodySize: number;
  maxBodyMemory: number;
  maxHeaderSize: number;
  harCookies: boolean;
  harTiming: boolean;
  maxHeaderFields: number;
  httpClient?: string;
  pipelining?: number;
  http2: boolean | 'only' | 'prior-knowledge';
  connections?: number;
  streams?: number;
  connectTimeout: number;
  requestsPerConnection?: number;
  dnsCache: boolean;
  connectTo?: Record<string, { host?: string; port?: number }>;
  keepAlive: boolean;
  insecure: boolean;
  proxyInsecure: boolean;
  thresholds?: any;
  abortOnFail: boolean;
  abortOnFailOf?: string[];
  abortAfter?: number;
  strict: boolean;
  keepGoing: boolean;
  progress: number;
  quiet: boolean;
  label?: string;
  percentiles?: number[];
  seriesInterval?: number;
  expectedInterval?: number;
  prometheus?: { host: string; port: number };
  start?: Start;
  watch?: string;
  profile?: { kinds: ('cpu' | 'heap')[]; lastMs?: number };
  agents?: number;
  agentsTimeout?: number;
  agentsMaxLost?: number;
  agentsInclude?: string[];
  /** Derived from envFiles. */
  variables: Record<string, string>;
  /** Derived from maxRequestsPerUser: iterations of one virtual user. */
  iterationsOfLane?: number;
  /** Derived from proxy, noProxy and the environment. */
  proxies: ProxySettings;
  /** Derived from the scenarios of the flow: of a run with several. */
  loads?: SideLoad[];
}

/** Run options, read and checked. */
export type RunOptions = Omit<GivenRunOptions, keyof ReadRunOptions> & ReadRunOptions;

import type { GivenRunOptions } from './run-options.js';
import type { Stats } from './stats.js';
import type { Phase } from '../ground/phases.js';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

/** A run: published types of its options and events, and its plan. */

/** Conditions for the run to pass, such as `'p99<200ms'` or `{ p99: '<200ms' }`. */
export type Thresholds = string | string[] | Record<string, string | string[]>;

/** How to start the server of a run. */
export interface StartOptions {
  /** A line for the shell, or a program and its arguments. */
  command?: string | string[];
  /** In place of a command, a module that exports an application, such as `./app.js`, or `./app.js#build`. */
  app?: string;
  /** A URL, or a path such as `/health`, that must answer with 2xx or 3xx. Default: a connection is enough. */
  ready?: string;
  /** Added to the environment. */
  env?: Record<string, string | number | boolean>;
  /** Its folder, relative to the working directory. */
  cwd?: string;
  /** Until it is ready. Default: `'30s'`. */
  timeout?: string | number;
}

export type NodeListener = (request: IncomingMessage, response: ServerResponse, ...others: any[]) => unknown;

/**
 * A server or an application of this process: an http.Server or https.Server, a function such as an Express or Connect
 * application, an application of Koa, Fastify, Hapi, Nest or Restify, or one with `fetch`, such as Hono and h3.
 */
export type Target =
  | HttpServer
  | HttpsServer
  | NodeListener
  | {
      callback: () => NodeListener;
    }
  | {
      ready: () => PromiseLike<unknown>;
      server: HttpServer | HttpsServer;
    }
  | {
      initialize: () => Promise<unknown>;
      listener: HttpServer | HttpsServer;
    }
  | {
      init: () => Promise<unknown>;
      getHttpServer: () => any;
    }
  | {
      server: HttpServer | HttpsServer;
    }
  | {
      fetch: (request: Request, ...others: any[]) => Response | PromiseLike<Response>;
    }
  | {
      handler: (...args: any[]) => unknown;
      use: (...args: any[]) => any;
    };

export interface StageCommon {
  /** Length of the stage, in ms or such as `'30s'`. */
  duration: number | string;
  /** false: a step to the value instead of a ramp. Default: `true`. */
  ramp?: boolean;
  /** The ramp rises or falls in this many steps. */
  steps?: number;
}

export interface RateAtEnd {
  /** Arrival rate at the end of the stage, per second. */
  rate: number | string;
}

export interface UsersAtEnd {
  /** Number of virtual users at the end of the stage. */
  limit: number | string;
}

/** A recorded curve: a CSV file with the columns time, and rate or count. */
export interface StageFile {
  /** Its path, relative to the flow. */
  file: string;
}

/** A part of a load profile that ends at an arrival rate or at a number of virtual users. */
export type Stage = StageCommon & (RateAtEnd | UsersAtEnd);

/** The options of a run. */
export type RunOptions = GivenRunOptions;

/**
 * Adds a section to the reports of a run: returns text, `{ title, text, columns, rows }`, or rows, which are arrays or
 * objects.
 * @experimental
 */
export type SectionFunction = (result: Stats) => unknown;

/** Facts that are known about a run when it starts. @experimental */
export interface StartEvent {
  /** The run option. */
  title?: string;
  /** ISO 8601. */
  startedAt: string;
  /** The load in words: `1,000 iterations, 50 virtual users`. */
  load: string;
  /** The servers that the flow names. */
  origins: string[];
  /** The names of the operations of each phase. */
  operations: Record<Phase, string[]>;
}

/** An operation got its response. Redirects belong to their operation. */
export interface ResponseEvent {
  /** The number of the iteration from 0; null in before and after. */
  index: number | null;
  /** The phase of the operation. */
  phase: Phase;
  /** The name of the operation, as in the results: `GET /items/#{INDEX}`. */
  operation: string;
  /** The status that the server sent. */
  status: number;
  /** From the start of the operation to the last byte of its response, in ms. */
  serviceTime: number;
  /** The size of the body as it was received. */
  bodyBytes: number;
}

/** The events of a run, with the arguments of their listeners. */
export interface RunEvents {
  /** The flow and the options are valid, and the first operation is about to run. */
  start: [start: StartEvent];
  /** Something in the flow or in the options has no effect. It is a warning of the process as well. */
  warning: [warning: Error];
  /** An operation got its response. The listener must be attached before the run starts. */
  response: [response: ResponseEvent];
  /** An iteration or a phase failed, or the section function (phase `section`). */
  error: [
    error: Error & {
      code?: string;
    },
    phase: string,
  ];
  /** The results so far. */
  progress: [stats: Stats, percent: number, concurrent: number, ips: number];
  /** The run has ended, or could not start. */
  end: [stats: Stats, errorCount: number];
}

/** where a run is, several times per second */
export interface Tick {
  /** `before` includes the warm-up */
  phase: Phase;
  /** of the measured iterations; null before they start */
  elapsedMs: number | null;
  /** of the run, 0 to 1; 0 if nothing ends it */
  share: number;
  /** iterations */
  ended: number;
  /** requests */
  inFlight: number;
  errors: number;
}

/** the response times of the iterations that completed in an interval of the run */
export interface IntervalCounts {
  /** ms since the start */
  from: number;
  to: number;
  /** in µs, as `toBytes` of HdrCounts returns them */
  counts: Uint8Array;
}

/** one of several loads of a run */
export interface LoadDescription {
  name: string;
  /** its start, ms after that of the run, or after the end of another load */
  from: number;
  /** the name of that load, whose end is not planned */
  after?: string;
  /** in a few words */
  text: string;
  /** of the load, as the run has them */
  options: Record<string, any>;
}

export interface PlanSummary {
  /** the load in a few words: `1,000 iterations, 50 virtual users` */
  shape: string;
  /** of a run with several, or whose load follows a file */
  loads?: LoadDescription[];
  /** of an open run */
  pacing?: Pacing;
  /** that are known before the run */
  origins: string[];
  /** how requests are sent: `5 in flight per connection` */
  transport?: string[];
  /** on the way to them, and the variable of the environment that names one */
  proxies: string[];
  /** names of the operations of each phase */
  operations: Record<Phase, string[]>;
  limits: TimeLimits;
  /** the part of the run that this machine runs */
  shard?: Shard;
  runId?: string;
  /** of open files; refused before, unless keepGoing is set */
  shortage?: string;
  /** as given, for people and results */
  options: Record<string, any>;
}

/** a figure that a run shall know, as `p95±3%` says */
export interface PrecisionGoal {
  expression: string;
  figure: string;
  unit: string;
  /** half of the interval, as a share of the figure: 0.03 */
  bound: number;
}

/** how an open run waits until iterations are due */
export type Pacing = 'timer' | 'thread' | 'poll';

/** when a run must be over, ms */
export interface TimeLimits {
  warmUpMs: number;
  /** before the measured iterations, with the warm-up */
  leadMs: number;
  /** from the first iteration to the end of the schedule; Infinity if that is not known */
  endMs: number;
  gracefulStopMs: number;
  teardownMs: number;
}

/** The part of a run that one of several machines runs. */
export interface Shard {
  /** from 1 */
  number: number;
  /** how many there are */
  of: number;
}

/** how to start the server of a run */
export interface Start {
  /** a line for the shell, or a program and its arguments */
  command: string | string[];
  /** a URL, or a path */
  ready?: string;
  env: Record<string, string>;
  cwd: string;
  /** ms */
  timeout: number;
}

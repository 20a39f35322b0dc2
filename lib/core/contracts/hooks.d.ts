import type { Needs } from './response.js';
import type { Phase } from '../ground/phases.js';
import type { Cookie, CookieJar } from 'tough-cookie';

/** Published types of hooks. */

/** The response of an operation, as an after-hook sees it. */
/** Header fields by names in any case of letters. */
export interface Caseless {
  /** The fields themselves. */
  dict: Record<string, any>;
  /** The name as the fields have it, or false. */
  has: (name: string) => string | false;
  /** The value. */
  get: (name: string) => any;
  /** Sets a value; with false, a known field gets it after a comma. */
  set: (name: string, value: unknown, replaces?: boolean) => void;
  /** Removes a field. */
  del: (name: string) => boolean;
}

export interface HookResponse {
  /** The status; a hook may change it. */
  statusCode: number;
  /** The status that the server sent. */
  originalStatusCode: number;
  /** The header fields, with names in lower case. */
  headers: Record<string, any>;
  /** The same fields, by names in any case of letters: `caseless.get('Content-Type')`. */
  caseless: Caseless;
  /** The reason phrase: `OK`. */
  statusMessage: string;
  /** Names and values of the header fields in turn, as received. */
  rawHeaders: string[];
  /** `1.1` or `1.0`; undefined with undici. */
  httpVersion: string | undefined;
  /** The body as received, whatever hooks make of `all.body`. */
  body: any;
  /** The last request, after redirects: `href`, `uri`, `method`, `host`, `port`, `path`, `headers`, `body`. */
  request: SentRequest | undefined;
  /** Milliseconds from the start of the operation to the end of the response, redirects included. */
  elapsedTime: number;
  /** What the last request had reached, in milliseconds from its start. */
  timings: {
    socket: number;
    lookup: number;
    connect: number;
    response: number;
    end: number;
  };
  /** The times between them. */
  timingPhases: {
    wait: number;
    dns: number;
    tcp: number;
    firstByte: number;
    download: number;
    total: number;
  };
  /** The start of the last request, in milliseconds since 1970. */
  timingStart: number;
  /** The first byte of the response, in milliseconds since 1970. */
  responseStartTime: number;
  /** The messages of a WebSocket operation: text, or a Buffer of binary data. */
  messages: (string | Buffer)[] | undefined;
  /** How the server closed a WebSocket, of an operation that closes it. */
  close:
    | {
        code: number;
        reason: string;
      }
    | undefined;
  /** The status, the headers, the body and the request. */
  toJSON: () => object;
}

/** the last request of an exchange, after redirects */
export interface SentRequest {
  method: string;
  href: string;
  /** without its port */
  host: string;
  port: string | number;
  /** path and query */
  path: string;
  uri: {
    href: string;
    protocol: string;
    host: string;
    hostname: string;
    port: string | null;
    pathname: string;
    search: string | null;
    query: string | null;
    path: string;
  };
  /** as they were sent, with cookies and credentials */
  headers: Record<string, string | string[]>;
  /** undefined if there was none */
  body: string | Buffer | undefined;
}

/** A timer of your own. Its times appear in the results under its name. */
export interface HookTimer {
  /** Starts a measurement; `end` records it and returns milliseconds. */
  start: () => {
    end: () => number | null;
  };
  /** Records a time in milliseconds. */
  update: (ms: number) => void;
}

/** Metrics of your own, which appear in the results under their names. */
export interface HookStats {
  /** Times in milliseconds. */
  timer: (name: string) => HookTimer;
  /** Events per second. */
  meter: (name: string) => {
    mark: (count?: number) => void;
  };
  /** A number that goes up and down. */
  counter: (name: string) => {
    inc: (by?: number) => void;
    dec: (by?: number) => void;
    reset: (to?: number) => void;
  };
  /** Values of any unit, from 0.001 to 9 * 10^12. */
  histogram: (name: string) => {
    update: (value: number) => void;
  };
  /** A number that `read` returns when results are shown. */
  gauge: (name: string, read: () => number) => unknown;
}

/** The cookies of an iteration. Its methods return values; those of tough-cookie return promises. */
export interface IterationJar {
  setCookie(cookie: SetCookie[0], url: SetCookie[1], options?: SetCookie[2]): Cookie | undefined;
  getCookies(url: GetCookies[0], options?: GetCookies[1]): Cookie[];
  getCookieString(url: GetCookies[0], options?: GetCookies[1]): string;
}
type SetCookie = Parameters<CookieJar['setCookieSync']>;
type GetCookies = Parameters<CookieJar['getCookiesSync']>;

/** The state of an iteration. */
export interface HookEnv {
  /** The number of the iteration from 0; undefined in before and after. */
  index: number | undefined;
  /** The cookies of the iteration: `setCookie`, `getCookies` and `getCookieString` return values. */
  jar: IterationJar;
  /** User name for basic authentication. */
  user?: string;
  /** Password for basic authentication. */
  password?: string;
  /** Data of the iteration, shared by its hooks. */
  iterCtx: Record<string, any>;
  /**
   * The variables of the iteration, which inherit those of the run: captures and hooks set them, tokens read them. In
   * before and after, those of the run.
   */
  vars: Record<string, any>;
  /** The number of the virtual user from 0, different in all workers; undefined in before and after. */
  vu: number | undefined;
  /** The row that the iteration has of each feeder; throws in before and after. */
  data: Record<string, any>;
  /** Data of the virtual user, kept for the whole run. */
  vuCtx: Record<string, any>;
  /** The ETags that `saveEtag` stored, by URL. */
  etags: Record<string, string> | undefined;
  /** The name of the scenario that the iteration runs; undefined without scenarios, in before and in after. */
  scenario: string | undefined;
  /** Timers and other metrics of your own. */
  stats: HookStats;
}

/** The argument of a hook. */
export interface All {
  /** The error so far, or null; set it to fail the operation, or to null to ignore the error. */
  err: any;
  /** The state of the iteration. */
  env: HookEnv;
  /** Data of the iteration, shared by its hooks. */
  iterCtx: Record<string, any>;
  /** Data of the run, shared by all iterations of a thread. */
  runCtx: Record<string, any>;
  /**
   * The variables of the iteration, which inherit those of the run: captures and hooks set them, tokens read them. In
   * before and after, those of the run.
   */
  vars: Record<string, any>;
  /** The number of the virtual user from 0, different in all workers; undefined in before and after. */
  vu: number | undefined;
  /** Data of the virtual user, kept for the whole run. */
  vuCtx: Record<string, any>;
  /** The row that the iteration has of each feeder; throws in before and after. */
  data: Record<string, any>;
  /** The index of the operation in its phase. */
  opIndex: number;
  /** The phase of the operation. */
  phase: Phase;
  /** The name of the scenario that the iteration runs; undefined without scenarios, in before and in after. */
  scenario: string | undefined;
  /** The operation with its tokens replaced; a before-hook may change it for this request. */
  requestOptions: Record<string, any>;
  /** The response; undefined before the request and if there is none. */
  response: HookResponse;
  /** The body of the response: text, a Buffer, or a JSON value. */
  body: any;
  /**
   * Milliseconds from the start of the request to the end of its response, redirects included, or to its failure;
   * undefined in before-hooks.
   */
  serviceTime: number | undefined;
  /** Milliseconds from sending the last request to the first byte of its response; undefined without a response. */
  ttfb: number | undefined;
  /** The size of the response's body as received, before decoding; undefined without a response. */
  bodyBytes: number | undefined;
  /** Completes the iteration: the rest of it is not sent, except afterMain. */
  end: () => void;
  /** In a before-hook: the operation is not sent. */
  skip: () => void;
  /** Stops the run gracefully, in all workers. */
  stop: () => void;
  /** Ends the operation, with an error or without; only for hooks written for bench-rest 1, which return false. */
  cb: (error?: unknown) => void;
}

/**
 * A function that runs before the request or after the response of an operation. It may be async, or have a second
 * parameter, which it calls when it has ended.
 */
export type Hook = (all: All, next: (error?: unknown) => void) => All | void | null | Promise<All | void | null>;

export interface HookEntry {
  /** as flows write it */
  name: string;
  /** one sentence for help */
  about: string;
  /** the parts of the response that the hook reads; default: `body`, which is everything */
  reads?: Needs;
  /** the name of a timer that it records */
  timer?: ((operation: { phase: string; opIndex: number; scenario?: string }) => string) | undefined;
  hook: Hook;
}

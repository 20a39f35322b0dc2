/**
 * @import { MethodAndUrl, OperationCommon, PhasesFlow, Scenario } from '../flow/flow-types.js'
 * @import { SentRequest } from '../iteration/response-reader.js'
 * @import { IterationJar } from '../iteration/session/cookies.js'
 * @import { Stats } from '../measure/types.js'
 * @import { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
 * @import { Server as HttpsServer } from 'node:https'
 */

/**
 * The public types: flows, hooks, options and events. Not imported at run time.
 */

/**
 * The response of an operation, as an after-hook sees it.
 * @typedef {object} HookResponse
 * @property {number} statusCode The status; a hook may change it.
 * @property {number} originalStatusCode The status that the server sent.
 * @property {Record<string, any>} headers The header fields, with names in lower case.
 * @property {string} statusMessage The reason phrase: `OK`.
 * @property {string[]} rawHeaders Names and values of the header fields in turn, as received.
 * @property {string | undefined} httpVersion `1.1` or `1.0`; undefined with undici.
 * @property {any} body The body as received, whatever hooks make of `all.body`.
 * @property {SentRequest | undefined} request The last request, after redirects: `href`, `uri`, `method`, `host`,
 *   `port`, `path`, `headers`, `body`.
 * @property {number} elapsedTime Milliseconds from the start of the operation to the end of the response, redirects
 *   included.
 * @property {{ socket: number, lookup: number, connect: number, response: number, end: number }} timings What the
 *   last request had reached, in milliseconds from its start.
 * @property {{ wait: number, dns: number, tcp: number, firstByte: number, download: number, total: number }}
 *   timingPhases The times between them.
 * @property {number} timingStart The start of the last request, in milliseconds since 1970.
 * @property {number} responseStartTime The first byte of the response, in milliseconds since 1970.
 * @property {(string | Buffer)[] | undefined} messages The messages of a WebSocket operation: text, or a Buffer of
 *   binary data.
 * @property {{ code: number, reason: string } | undefined} close How the server closed a WebSocket, of an operation
 *   that closes it.
 * @property {() => object} toJSON The status, the headers, the body and the request.
 */

/**
 * A timer of your own. Its times appear in the results under its name.
 * @typedef {object} HookTimer
 * @property {() => { end: () => number | null }} start Starts a measurement; `end` records it and returns milliseconds.
 * @property {(ms: number) => void} update Records a time in milliseconds.
 */

/**
 * Metrics of your own, which appear in the results under their names.
 * @typedef {object} HookStats
 * @property {(name: string) => HookTimer} timer Times in milliseconds.
 * @property {(name: string) => { mark: (count?: number) => void }} meter Events per second.
 * @property {(name: string) => { inc: (by?: number) => void, dec: (by?: number) => void, reset: (to?: number) => void
 *   }} counter A number that goes up and down.
 * @property {(name: string) => { update: (value: number) => void }} histogram Values of any unit, from 0.001 to
 *   3,600,000.
 * @property {(name: string, read: () => number) => unknown} gauge A number that `read` returns when results are shown.
 */

/**
 * The state of an iteration.
 * @typedef {object} HookEnv
 * @property {number | undefined} index The number of the iteration from 0; undefined in before and after.
 * @property {IterationJar} jar The cookies of the iteration: `setCookie`, `getCookies` and `getCookieString` return
 *   values.
 * @property {string} [user] User name for basic authentication.
 * @property {string} [password] Password for basic authentication.
 * @property {Record<string, any>} iterCtx Data of the iteration, shared by its hooks.
 * @property {Record<string, any>} vars The variables of the iteration, which inherit those of the run: captures and
 *   hooks set them, tokens read them. In before and after, those of the run.
 * @property {number | undefined} lane The number of the virtual user from 0, different in all workers; undefined in
 *   before and after.
 * @property {Record<string, any>} data The row that the iteration has of each feeder; throws in before and after.
 * @property {Record<string, any>} laneCtx Data of the virtual user, kept for the whole run.
 * @property {Record<string, string> | undefined} etags The ETags that `saveEtag` stored, by URL.
 * @property {string | undefined} scenario The name of the scenario that the iteration runs; undefined without
 *   scenarios, in before and in after.
 * @property {HookStats} stats Timers and other metrics of your own.
 */

/**
 * The phase of a flow.
 * @typedef {import('./phases.js').Phase} Phase
 */

/**
 * The argument of a hook.
 * @typedef {object} All
 * @property {any} err The error so far, or null; set it to fail the operation, or to null to ignore the error.
 * @property {HookEnv} env The state of the iteration.
 * @property {Record<string, any>} iterCtx Data of the iteration, shared by its hooks.
 * @property {Record<string, any>} runCtx Data of the run, shared by all iterations of a thread.
 * @property {Record<string, any>} vars The variables of the iteration, which inherit those of the run: captures and
 *   hooks set them, tokens read them. In before and after, those of the run.
 * @property {number | undefined} lane The number of the virtual user from 0, different in all workers; undefined in
 *   before and after.
 * @property {Record<string, any>} laneCtx Data of the virtual user, kept for the whole run.
 * @property {Record<string, any>} data The row that the iteration has of each feeder; throws in before and after.
 * @property {number} opIndex The index of the operation in its phase.
 * @property {Phase} phase The phase of the operation.
 * @property {string | undefined} scenario The name of the scenario that the iteration runs; undefined without
 *   scenarios, in before and in after.
 * @property {Record<string, any>} requestOptions The operation with its tokens replaced; a before-hook may change it
 *   for this request.
 * @property {HookResponse} response The response; undefined before the request and if there is none.
 * @property {any} body The body of the response: text, a Buffer, or a JSON value.
 * @property {number | undefined} ms Milliseconds from the start of the request to the end of its response, redirects
 *   included, or to its failure; undefined in before-hooks.
 * @property {number | undefined} ttfb Milliseconds from sending the last request to the first byte of its response;
 *   undefined without a response.
 * @property {number | undefined} bytes The size of the response's body as received, before decoding; undefined
 *   without a response.
 * @property {() => void} end Completes the iteration: the rest of it is not sent, except afterMain.
 * @property {() => void} skip In a before-hook: the operation is not sent.
 * @property {() => void} stop Stops the run gracefully, in all workers.
 * @property {(error?: unknown) => void} cb Ends the operation, with an error or without; only for hooks written for
 *   bench-rest 1, which return false.
 */

/**
 * A function that runs before the request or after the response of an operation. It may be async, or have a second
 * parameter, which it calls when it has ended.
 * @typedef {(all: All, next: (error?: unknown) => void) => All | void | null | Promise<All | void | null>} Hook
 */

/**
 * The argument of functions in the place of values, and of those of tokens: the state of the iteration.
 * @typedef {object} Scope
 * @property {number | undefined} index The number of the iteration from 0; undefined in before and after.
 * @property {HookEnv} env The state of the iteration, as hooks get it.
 * @property {Record<string, any>} iterCtx Data of the iteration, shared with its hooks.
 * @property {Record<string, any>} runCtx Data of the run, shared by all iterations of a thread.
 * @property {string | undefined} scenario The name of the scenario that the iteration runs; undefined without
 *   scenarios, in before and in after.
 * @property {string} [user] User name for basic authentication.
 * @property {string} [password] Password for basic authentication.
 * @property {number | undefined} lane The number of the virtual user from 0, different in all workers; undefined in
 *   before and after.
 * @property {Record<string, any>} laneCtx Data of the virtual user, kept for the whole run.
 * @property {Record<string, any>} vars The variables of the iteration; in before and after, those of the run.
 * @property {Record<string, any>} data The row that the iteration has of each feeder; throws in before and after.
 */

/**
 * A value, or a function that returns it for each request. The function may be async.
 * @template T
 * @typedef {T | ((scope: Scope) => T | Promise<T>)} Computed
 */

/**
 * The value of a token.
 * @typedef {string | number | boolean | bigint} TokenValue
 */

/**
 * The value of a header field. null and undefined remove the field.
 * @typedef {string | number | boolean | null | undefined | (string | number)[]} FieldValue
 */

/**
 * Think time: milliseconds, `'2s'`, a range, or a normal distribution with its mean and its standard deviation.
 * @typedef {number | string | [from: number | string, to: number | string] | { mean: number | string, dev: number |
 *   string }} ThinkTime
 */

/**
 * A certificate or a key: PEM text, bytes, or a file: its path, or `{ file: path }`.
 * @typedef {string | Uint8Array | { file: string }} TlsMaterial
 */

/**
 * One request of a flow, with its hooks.
 * @typedef {OperationCommon & MethodAndUrl} Operation
 */

/**
 * Several operations, of which each iteration performs one.
 * @typedef {object} OneOf
 * @property {(string | UrlObject | Operation)[]} oneOf Each iteration performs one of these operations: in turn, or
 *   by their weight.
 */

/**
 * The response of an operation that a function requested.
 * @typedef {object} RequestedResponse
 * @property {number} status The status; a hook of the operation may have changed it.
 * @property {number} statusCode The same.
 * @property {Record<string, any>} headers The header fields, with names in lower case.
 * @property {any} body The body: text, a Buffer for `encoding: null`, or a value if the operation has `json` and it
 *   is JSON.
 * @property {any} json The body as JSON; throws if it is not JSON.
 */

/**
 * The argument of a function in a phase: the state of the iteration, and what it can do.
 * @typedef {Omit<Scope, 'env'> & { env: HookEnv, request: (operation: string | UrlObject | Operation) =>
 *   Promise<RequestedResponse>, pause: (time: ThinkTime) => Promise<void> }} FunctionScope
 */

/**
 * A function in a phase: it makes its requests itself, one after the other.
 * @typedef {(scope: FunctionScope) => unknown} FunctionStep
 */

/**
 * A URL as text. Beside `string`, the function `repeat` of an operation would have two types, its own and that of
 * `String.prototype.repeat`, and its parameters none.
 * @typedef {{ valueOf: () => string }} UrlText
 */

/**
 * A `URL`. Editors would offer the members of that class, such as `hash`, among the properties of an operation.
 * @typedef {{ toJSON: () => string }} UrlObject
 */

/**
 * The operations of a phase. A URL is a GET request, a function makes its requests itself.
 * @typedef {(UrlText | UrlObject | Operation | OneOf | FunctionStep)[]} Operations
 */

/**
 * A flow with scenarios in place of main.
 * @typedef {Omit<PhasesFlow, 'main'> & { scenarios: Record<string, Scenario> }} ScenariosFlow
 */

/**
 * A flow: a URL, an operation, an array of operations, an object of phases, or the path of a flow file.
 * @typedef {UrlText | UrlObject | Operation | OneOf | Operations | PhasesFlow | ScenariosFlow} Flow
 */

/**
 * A function that a flow file exports: it returns the flow, once for each thread.
 * @typedef {(context: FlowContext) => Flow | Promise<Flow>} FlowFunction
 */

/**
 * The argument of a flow that is a function.
 * @typedef {object} FlowContext
 * @property {Record<string, string | number | boolean>} args The values of `--arg name=value`, which are texts, and
 *   of the run option `args`.
 */

/**
 * Conditions for the run to pass, such as `'p99<200ms'` or `{ p99: '<200ms' }`.
 * @typedef {string | string[] | Record<string, string | string[]>} Thresholds
 */

/**
 * How to start the server of a run.
 * @typedef {object} StartOptions
 * @property {string | string[]} command A line for the shell, or a program and its arguments.
 * @property {string} [ready] A URL, or a path such as `/health`, that must answer with 2xx or 3xx. Default: a
 *   connection is enough.
 * @property {Record<string, string | number | boolean>} [env] Added to the environment.
 * @property {string} [cwd] Its folder, relative to the working directory.
 * @property {number | string} [timeout] Until it is ready. Default: `'30s'`.
 */

/**
 * A server or an application of this process: an http.Server or https.Server, a function such as an Express or Connect
 * application, an application of Koa, Fastify, Hapi, Nest or Restify, or one with `fetch`, such as Hono and h3.
 * @typedef {HttpServer | HttpsServer | NodeListener
 *   | { callback: () => NodeListener }
 *   | { ready: () => PromiseLike<unknown>, server: HttpServer | HttpsServer }
 *   | { initialize: () => Promise<unknown>, listener: HttpServer | HttpsServer }
 *   | { init: () => Promise<unknown>, getHttpServer: () => any }
 *   | { server: HttpServer | HttpsServer }
 *   | { fetch: (request: Request, ...others: any[]) => Response | PromiseLike<Response> }
 *   | { handler: (...args: any[]) => unknown, use: (...args: any[]) => any }} Target
 */

/**
 * @typedef {(request: IncomingMessage, response: ServerResponse, ...others: any[]) => unknown} NodeListener
 */

/**
 * @typedef {object} StageCommon
 * @property {number | string} duration Length of the stage, in ms or such as `'30s'`.
 * @property {boolean} [ramp] false: a step to the value instead of a ramp. Default: `true`.
 */

/**
 * @typedef {object} RateAtEnd
 * @property {number | string} rate Arrival rate at the end of the stage, per second.
 */

/**
 * @typedef {object} UsersAtEnd
 * @property {number | string} limit Number of virtual users at the end of the stage.
 */

/**
 * A part of a load profile that ends at an arrival rate or at a number of virtual users.
 * @typedef {StageCommon & (RateAtEnd | UsersAtEnd)} Stage
 */

/**
 * Adds a section to the reports of a run: returns text, `{ title, text, columns, rows }`, or rows, which are arrays or
 * objects.
 * @typedef {(result: Stats) => unknown} ReportFunction
 */

/**
 * The options of a run.
 * @typedef {import('../run/options/types.js').GivenRunOptions} RunOptions
 */

/**
 * Facts that are known about a run when it starts.
 * @typedef {object} StartEvent
 * @property {string} [title] The run option.
 * @property {string} startedAt ISO 8601.
 * @property {string} shape The load in words: `1,000 iterations, 50 virtual users`.
 * @property {string[]} origins The servers that the flow names.
 * @property {Record<Phase, string[]>} operations The names of the operations of each phase.
 */

/**
 * An operation got its response. Redirects belong to their operation.
 * @typedef {object} ResponseEvent
 * @property {number | null} index The number of the iteration from 0; null in before and after.
 * @property {Phase} phase The phase of the operation.
 * @property {string} operation The name of the operation, as in the results: `GET /items/#{INDEX}`.
 * @property {number} status The status that the server sent.
 * @property {number} ms From the start of the operation to the last byte of its response.
 * @property {number} bytes The size of the body as it was received, in bytes.
 */

/**
 * The events of a run, with the arguments of their listeners.
 * @typedef {object} RunEvents
 * @property {[start: StartEvent]} start The flow and the options are valid, and the first operation is about to run.
 * @property {[warning: Error]} warning Something in the flow or in the options has no effect. It is a warning of the
 *   process as well.
 * @property {[response: ResponseEvent]} response An operation got its response. The listener must be attached before
 *   the run starts.
 * @property {[error: Error & { code?: string }, phase: string]} error An iteration or a phase failed, or the report
 *   function (phase `report`).
 * @property {[stats: Stats, percent: number, concurrent: number, ips: number]} progress The results so far.
 * @property {[stats: Stats, errorCount: number]} end The run has ended.
 */

export {};

/**
 * What a program that uses bench-rest sees: flows, hooks, options, events. Imported by nothing at run time.
 *
 * @import { Server as HttpServer } from 'node:http'
 * @import { Server as HttpsServer } from 'node:https'
 * @import { Stats } from './measure/types.js'
 *
 * @typedef {'useEtag' | 'saveEtag' | 'ignoreStatus' | 'verify2XX' | 'startStepTimer' | 'endStepTimer'} HookName
 *
 * @typedef {object} HookResponse
 * @property {number} statusCode may be written over
 * @property {number} originalStatusCode
 * @property {Record<string, any>} headers names in lower case
 *
 * @typedef {object} HookEnv what the iteration owns
 * @property {number | undefined} index from 0; undefined in before and after
 * @property {any} jar its cookies (tough-cookie)
 * @property {string} [user]
 * @property {string} [password]
 * @property {Record<string, any>} iterCtx
 * @property {Record<string, string> | undefined} etags
 * @property {{ timer: (name: string) => { start: () => { end: () => number | null }, update: (ms: number) => void } }} stats
 *
 * @typedef {object} All what a hook is given
 * @property {any} err what went wrong so far; set it to fail the operation, or to null
 * @property {HookEnv} env
 * @property {Record<string, any>} iterCtx of this iteration
 * @property {Record<string, any>} runCtx of the run
 * @property {number} opIndex
 * @property {Phase} phase
 * @property {any} requestOptions before: what will be sent, may be changed
 * @property {HookResponse} response after; undefined when there was none
 * @property {any} body after: text, a Buffer, or a JSON value
 * @property {(error?: unknown) => void} cb ends the operation
 *
 * @typedef {(all: All) => All | void | null | Promise<All | void | null>} Hook
 *
 * @typedef {'before' | 'beforeMain' | 'main' | 'afterMain' | 'after'} Phase
 * @typedef {string | number | boolean | null | undefined | (string | number)[]} FieldValue
 *
 * @typedef {object} OperationCommon
 * @property {string} [name]
 * @property {unknown} [json]
 * @property {string | Uint8Array} [body]
 * @property {Record<string, unknown> | string} [form]
 * @property {Record<string, unknown>} [formData]
 * @property {Record<string, FieldValue>} [headers]
 * @property {Record<string, unknown>} [qs]
 * @property {{ user?: string, username?: string, pass?: string, password?: string, bearer?: string }} [auth]
 * @property {boolean} [followRedirect]
 * @property {boolean} [followAllRedirects]
 * @property {number} [maxRedirects]
 * @property {number} [timeout] ms
 * @property {number | string | [from: number | string, to: number | string]} [pause] think time after it, ms
 * @property {boolean} [gzip]
 * @property {BufferEncoding | null} [encoding]
 * @property {boolean} [jar]
 * @property {(HookName | Hook)[]} [beforeHooks]
 * @property {(HookName | Hook)[]} [afterHooks]
 * @property {string} [socketPath]
 * @property {boolean} [rejectUnauthorized]
 * @property {boolean} [strictSSL]
 * @property {string | Buffer | (string | Buffer)[]} [ca]
 * @property {string | Buffer | (string | Buffer)[]} [cert]
 * @property {string | Buffer | (string | Buffer)[]} [key]
 * @property {string | Buffer | (string | Buffer)[]} [pfx]
 * @property {string} [passphrase]
 * @property {string} [servername]
 *
 * @typedef {{ get: string } | { head: string } | { put: string } | { post: string } | { patch: string } | { del: string }
 *   | { delete: string } | { options: string } | { method?: string, uri: string } | { method?: string, url: string }} MethodAndUrl
 * @typedef {OperationCommon & MethodAndUrl} Operation one request
 * @typedef {(string | Operation)[]} Operations a string is a GET
 *
 * @typedef {object} PhasesFlow
 * @property {Operations} [before]
 * @property {Operations} [beforeMain]
 * @property {Operations} main
 * @property {Operations} [afterMain]
 * @property {Operations} [after]
 * @property {string} [baseUrl]
 * @property {Record<string, FieldValue>} [headers]
 * @property {(HookName | Hook)[]} [beforeEach]
 * @property {(HookName | Hook)[]} [afterEach]
 * @property {RunOptions} [runOptions]
 * @property {Thresholds} [thresholds]
 *
 * @typedef {string | URL | Operation | Operations | PhasesFlow} Flow a URL, an operation, an array of them, phases, or the file of one
 *
 * @typedef {string | string[] | Record<string, string | string[]>} Thresholds `'p99<200ms'`, or `{ p99: '<200ms' }`
 * @typedef {{ duration: number | string, rate: number | string, ramp?: boolean } | { duration: number | string, limit: number | string, ramp?: boolean }} Stage
 *
 * @typedef {object} RunOptions times in ms or as texts such as `'30s'`; counts may be texts such as `'10k'`
 * @property {number | string} [limit] required, here or in the flow
 * @property {number | string} [iterations]
 * @property {number | string} [duration]
 * @property {boolean} [forever]
 * @property {number | string} [rate]
 * @property {'constant' | 'poisson'} [arrival]
 * @property {number} [seed]
 * @property {(string | Stage)[]} [stages]
 * @property {number} [maxBacklog]
 * @property {number | 'auto'} [workers]
 * @property {number | string | { duration: number | string, limit?: number }} [warmup]
 * @property {number | string} [rampUp]
 * @property {number | string | [from: number | string, to: number | string]} [pause]
 * @property {number | string} [connectionRate]
 * @property {number} [reconnectRate]
 * @property {number} [maxConnectionRequests]
 * @property {number} [maxOverallRequests]
 * @property {number} [pipelining]
 * @property {number | string} [expectedInterval]
 * @property {number | string} [bailout]
 * @property {Thresholds} [thresholds]
 * @property {boolean} [abortOnFail]
 * @property {number} [prealloc]
 * @property {string} [user]
 * @property {string} [password]
 * @property {number} [progress]
 * @property {string} [baseUrl]
 * @property {Record<string, FieldValue>} [headers]
 * @property {HttpServer | HttpsServer} [target]
 * @property {number | string} [timeout]
 * @property {number | string} [connectTimeout]
 * @property {number | string} [gracefulStop]
 * @property {number | string} [teardownTimeout]
 * @property {number | string} [maxBodySize]
 * @property {number | string} [maxHeaderSize]
 * @property {number} [maxHeaderFields]
 * @property {'wire' | 'undici'} [transport]
 * @property {boolean} [lookupEach]
 * @property {boolean} [insecure]
 * @property {boolean} [keepGoing]
 * @property {AbortSignal} [signal]
 * @property {(exchange: any) => void} [trace]
 *
 * @typedef {object} RunEvents
 * @property {[error: Error & { code?: string }, phase: string]} error
 * @property {[stats: Stats, percent: number, concurrent: number, ips: number]} progress
 * @property {[stats: Stats, errorCount: number]} end
 */
export {};

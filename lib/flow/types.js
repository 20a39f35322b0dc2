/**
 * @import { Hook } from '../hooks/types.js'
 * @import { Env } from '../iteration/env.js'
 * @import { Wants } from '../transport/types.js'
 *
 * @typedef {'before' | 'beforeMain' | 'main' | 'afterMain' | 'after'} Phase
 *
 * @typedef {Record<string, any>} Operation one entry of a phase, as the user wrote it
 *
 * @typedef {object} RawFlow all shortcuts resolved
 * @property {Record<Phase, Operation[]>} phases
 * @property {Record<string, unknown>} headers defaults for every operation
 * @property {string} [baseUrl]
 * @property {unknown[]} beforeEach hooks around every operation
 * @property {unknown[]} afterEach
 * @property {Record<string, unknown>} runOptions
 *
 * @typedef {object} Endpoint where connections lead: one object for each origin and set of TLS options
 * @property {string} key
 * @property {string} origin `https://host:8443`
 * @property {string} protocol `http:` or `https:`
 * @property {string} host name, and the port where it is not the usual one
 * @property {string} hostname
 * @property {number} port
 * @property {string} [socketPath] of a unix socket, instead of name and port
 * @property {Record<string, unknown>} tls options for tls.connect
 *
 * @typedef {object} Request
 * @property {Endpoint} endpoint
 * @property {string} method
 * @property {string} path path and query
 * @property {string[]} fields names and values in turn; the same array for every iteration where nothing depends on it
 * @property {string[] | null} extra fields of this request alone: cookies, credentials
 * @property {string | Buffer | null} body
 *
 * @typedef {{ index?: number }} Scope what tokens may look at
 *
 * @typedef {object} NamedHook
 * @property {string} where `flow.main[0].afterHooks[1]`
 * @property {Hook} hook
 * @property {'head'} [wants] looks at no body
 *
 * @typedef {object} Step an operation, compiled
 * @property {string} where `flow.main[0]`
 * @property {string} name `GET /items/#{INDEX}`
 * @property {string} [origin] where it goes, if no token decides that
 * @property {Phase} phase
 * @property {number} opIndex
 * @property {Request | null} request when every iteration sends the same one
 * @property {(scope: Scope) => Request} render
 * @property {(scope: Scope) => Operation} options a private copy for hooks
 * @property {(options: Operation, scope: Scope) => Request} renderOptions what hooks made of it
 * @property {NamedHook[]} beforeHooks
 * @property {NamedHook[]} afterHooks
 * @property {Wants} wants what hooks may look at
 * @property {boolean} parsesJson
 * @property {boolean} hasCookies false for `jar: false`
 * @property {boolean} asBuffer `encoding: null`
 * @property {BufferEncoding} encoding
 * @property {boolean} decodes content codings are undone
 * @property {number} maxRedirects 0: none is followed
 * @property {boolean} followsAll redirects of other methods than GET and HEAD too
 * @property {number | null} timeoutMs null: the run's
 * @property {[from: number, to: number] | null} pauseMs think time after it
 * @property {boolean} hasCredentials an Authorization field is set by the operation
 *
 * @typedef {Record<Phase, Step[]>} CompiledFlow
 */
export {};

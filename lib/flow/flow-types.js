/**
 * Made from the tables of hooks, operations, bodies and phases by `npm run generate`: change a row, not this file.
 *
 * @import { Computed, FieldValue, Hook, HookResponse, Operations, ReportFunction, Scope, Thresholds, TlsMaterial, TokenValue } from '../public-types.js'
 * @import { GivenRunOptions } from '../run/options/types.js'
 */

/**
 * The name of a built-in hook.
 * @typedef {'useEtag' | 'saveEtag' | 'ignoreStatus' | 'verify2XX' | 'startStepTimer' | 'endStepTimer'} HookName
 */

/**
 * The properties of an operation beside method and URL.
 * @typedef {object} OperationCommon
 * @property {Computed<string | Uint8Array | { json: unknown }> | Computed<string | Uint8Array | { json: unknown }>[]}
 *   [send] Message to send, or several: text, { json: value }, or a Buffer, which is sent as binary data.
 * @property {{ body?: string } | number | RegExp | Computed<string | Uint8Array | { json: unknown }> | (RegExp |
 *   Computed<string | Uint8Array | { json: unknown }>)[]} [expect] What the response must be; another one is an error
 *   of the kind expect; with ws: messages to wait for: how many, or what the next one is, or a list; default: as many
 *   as are sent; 0: do not wait.
 * @property {boolean | number | { code?: number, reason?: string }} [close] Close the WebSocket afterwards and wait for
 *   the answer of the server: true, or a close code.
 * @property {string | string[]} [protocols] Subprotocols to offer in the handshake.
 * @property {boolean} [keep] Keep the WebSocket open for the next iterations of the virtual user.
 * @property {string} [name] Name of the operation in results; default: method and path.
 * @property {number} [weight] Share of the iterations that perform this operation of a oneOf; default: in turn, or 1 if
 *   another one has a weight.
 * @property {unknown} [json] Request body, sent as JSON, and the response is parsed as JSON; true: parse the response,
 *   and send body as JSON.
 * @property {Computed<string | Uint8Array | (string | Uint8Array)[] | { file: string } | object>} [body] Request body:
 *   text, a Buffer, an array of them, or { file: path }; with json: true any value, sent as JSON.
 * @property {Computed<Record<string, unknown> | string>} [form] Request body, sent as
 *   application/x-www-form-urlencoded.
 * @property {Computed<Record<string, unknown>>} [formData] Request body, sent as multipart/form-data.
 * @property {Computed<({ body: unknown } & Record<string, unknown>)[] | { data: ({ body: unknown } & Record<string,
 *   unknown>)[], chunked?: boolean }>} [multipart] Request body, sent as multipart/related: an array of parts, each
 *   with its header fields and a body.
 * @property {Computed<Record<string, Computed<FieldValue>>>} [headers] Request headers.
 * @property {Computed<Record<string, unknown>>} [qs] Query parameters, added to those of the URL.
 * @property
 *   {{ user?: string, username?: string, pass?: string, password?: string, bearer?: string | (() => string), sendImmediately?: boolean }}
 *   [auth] Credentials for basic, digest or bearer authentication.
 * @property {boolean | ((response: HookResponse) => boolean)} [followRedirect] Follow redirects of GET and HEAD
 *   requests; a function gets each redirect and decides.
 * @property {boolean} [followAllRedirects] Follow redirects of all methods.
 * @property {boolean} [removeRefererHeader] Add no Referer to the requests of redirects, and keep the one of the
 *   operation.
 * @property {number} [maxRedirects] Maximum number of redirects to follow.
 * @property {number | string} [timeout] Time limit in ms, or a time such as '2s'; 0: none; default: the run option
 *   timeout.
 * @property {Computed<number | string | [from: number | string, to: number | string]>} [pause] Think time after the
 *   operation: milliseconds, '2s', or a range such as [500, 2000]; not included in any timing.
 * @property {boolean} [gzip] Ask for compressed responses if true; do not decompress if false; default: decompress
 *   unless encoding is null.
 * @property {BufferEncoding | null} [encoding] Character encoding of the response body; null: hooks get a Buffer.
 * @property {Record<string, string | number>} [cookies] Cookies of this request, beside those of the jar and of the
 *   run.
 * @property {boolean} [jar] Keep cookies and send them back; false: no cookies.
 * @property {(HookName | Hook)[]} [beforeHooks] Hooks that run before the request is sent.
 * @property {(HookName | Hook)[]} [afterHooks] Hooks that run after the response.
 * @property {boolean} [keepAlive] Keep the connection for the next request; false: close it after this one.
 * @property {string} [socketPath] Unix domain socket to connect to.
 * @property {string} [localAddress] IP address of this machine that connections come from.
 * @property {string | URL | null | false} [proxy] HTTP proxy of the request, such as http://proxy:3128; null: none;
 *   default: the run option proxy.
 * @property {boolean} [tunnel] Reach http: URLs through a tunnel of the proxy (CONNECT), as https: URLs always are.
 * @property {boolean} [rejectUnauthorized] Verify the TLS certificate of the server.
 * @property {boolean} [strictSSL] The same as rejectUnauthorized.
 * @property {TlsMaterial | TlsMaterial[]} [ca] Trusted certificate authorities, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [cert] Client certificate, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [key] Private key of the client certificate, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [pfx] Client certificate and private key, PKCS #12 or a file.
 * @property {string} [passphrase] Passphrase of the private key.
 * @property {string} [servername] Server name for TLS (SNI); default: the host of the URL.
 * @property {string | number} [minVersion] Oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3.
 * @property {string | number} [maxVersion] Newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default).
 * @property {string} [ciphers] Cipher suites to use, as OpenSSL names them, separated by colons.
 */

/**
 * A flow with phases.
 * @typedef {object} PhasesFlow
 * @property {Operations} [before] Operations that run once, first.
 * @property {Operations} [beforeMain] Operations at the start of every iteration, before main.
 * @property {Operations} main Operations of every iteration; their time is measured.
 * @property {Operations} [afterMain] Operations at the end of every iteration, even after an error.
 * @property {Operations} [after] Operations that run once, last.
 * @property {string} [baseUrl] Base URL of relative URLs.
 * @property {string} [socketPath] Unix domain socket that every operation without one of its own connects to.
 * @property {Record<string, Computed<FieldValue>>} [headers] Default headers of every operation.
 * @property {(HookName | Hook)[]} [beforeEach] Hooks that run before every operation.
 * @property {(HookName | Hook)[]} [afterEach] Hooks that run after every operation.
 * @property {Record<string, (scope: Scope) => TokenValue | Promise<TokenValue>>} [tokens] Tokens of the flow, each a
 *   function that returns its value for a request: #{name}.
 * @property {Record<string, any>} [iterCtx] Initial iterCtx: each iteration gets a copy of it.
 * @property {GivenRunOptions} [runOptions] Run options; the command line wins over them.
 * @property {Thresholds} [thresholds] Conditions for the run to pass, such as { p99: '<200ms' }.
 * @property {ReportFunction} [report] A function that gets the result and returns a section of the report: text,
 *   { title, text, rows } or rows.
 * @property {string} [$schema] URL or path of flow.schema.json, for editors.
 */
export {};

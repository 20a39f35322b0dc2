/**
 * Made from the tables of hooks, operations, bodies, scenarios and phases by `npm run generate`: change a row, not this file.
 *
 * @import { Computed, FieldValue, Hook, HookResponse, Operations, ReportFunction, Scope, ThinkTime, Thresholds, TlsMaterial, TokenValue } from '../ground/public-types.js'
 * @import { GivenRunOptions } from '../run/options/types.js'
 */

/**
 * The name of a built-in hook.
 * @typedef {'useEtag' | 'saveEtag' | 'ignoreStatus' | 'verify2XX' | 'startStepTimer' | 'endStepTimer'} HookName
 */

/**
 * Comparisons of one value, all of which must pass.
 * @typedef {object} Comparisons
 * @property {unknown} [eq] Equal; objects and arrays are compared by their content.
 * @property {unknown} [ne] Not equal; a missing value is not equal to any other.
 * @property {number | string} [gt] More than this number, or after this text.
 * @property {number | string} [gte] At least this number, or not before this text.
 * @property {number | string} [lt] Less than this number, or before this text.
 * @property {number | string} [lte] At most this number, or not after this text.
 * @property {unknown[]} [in] Equal to one of these values.
 * @property {string | string[]} [type] The type, or a list of types: string, number, integer, boolean, object, array,
 *   null.
 * @property {boolean} [exists] True: there is a value, which may be null; false: there is none.
 * @property {number | Comparisons} [length] The number of characters of a text or of items of an array: a number, or
 *   comparisons such as { gt: 0 }.
 * @property {unknown} [contains] A text with this text in it, or an array with this item.
 * @property {string | RegExp} [matches] A text that matches this regular expression.
 */

/**
 * Conditions that the response of an operation must meet.
 * @typedef {object} Expectation
 * @property {string} [name] Name of the check in results; it passes if all properties beside it do.
 * @property {number | string | (number | string)[]} [status] The status: a number, a class such as '2xx', or a list of
 *   them; it decides which statuses are errors.
 * @property {Record<string, string | number | RegExp | Comparisons>} [headers] Header fields by name, each a text in
 *   which * stands for any characters, a regular expression, or comparisons.
 * @property {Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>} [json] Values of the
 *   body by JSONPath (RFC 9535), each compared with a JSON value, with a regular expression, or by comparisons.
 * @property {object | string} [schema] A JSON Schema of the body, or the path of its file; draft 2020-12 unless its
 *   $schema names 2019-09, 7 or 6.
 * @property {string | RegExp | Comparisons} [text] The body as text: a text that it contains, a regular expression, or
 *   comparisons.
 * @property {string} [body] The whole body of the response, compared exactly.
 * @property {number | string} [within] The maximum service time of the operation, redirects included: milliseconds, or
 *   a time such as '500ms'.
 */

/**
 * Credentials of an operation.
 * @typedef {object} Auth
 * @property {string} [user] User name for basic authentication.
 * @property {string} [username] The same as user.
 * @property {string} [pass] Password for basic authentication.
 * @property {string} [password] The same as pass.
 * @property {boolean} [sendImmediately] Send credentials with the first request; false: when the server asks for them,
 *   by digest, basic or bearer authentication.
 * @property {string | (() => string)} [bearer] Token for bearer authentication, or a function that returns it.
 */

/**
 * @typedef {object} GetRequest
 * @property {Computed<string | URL>} get URL of the request, sent with GET.
 */

/**
 * @typedef {object} HeadRequest
 * @property {Computed<string | URL>} head URL of the request, sent with HEAD.
 */

/**
 * @typedef {object} PutRequest
 * @property {Computed<string | URL>} put URL of the request, sent with PUT.
 */

/**
 * @typedef {object} PostRequest
 * @property {Computed<string | URL>} post URL of the request, sent with POST.
 */

/**
 * @typedef {object} PatchRequest
 * @property {Computed<string | URL>} patch URL of the request, sent with PATCH.
 */

/**
 * @typedef {object} DelRequest
 * @property {Computed<string | URL>} del The same as delete.
 */

/**
 * @typedef {object} DeleteRequest
 * @property {Computed<string | URL>} delete URL of the request, sent with DELETE.
 */

/**
 * @typedef {object} OptionsRequest
 * @property {Computed<string | URL>} options URL of the request, sent with OPTIONS.
 */

/**
 * @typedef {object} UriRequest
 * @property {string} [method] HTTP method, used with uri or url: any name. Default: `"GET"`.
 * @property {Computed<string | URL>} uri The same as url.
 */

/**
 * @typedef {object} UrlRequest
 * @property {string} [method] HTTP method, used with uri or url: any name. Default: `"GET"`.
 * @property {Computed<string | URL>} url URL of the request, used with method.
 */

/**
 * @typedef {object} WsRequest
 * @property {string | URL} ws URL of a WebSocket: it is opened if no earlier operation of the iteration did.
 */

/**
 * The method and the URL of an operation: one key for both, or method and uri.
 * @typedef {GetRequest | HeadRequest | PutRequest | PostRequest | PatchRequest | DelRequest | DeleteRequest | OptionsRequest | UriRequest | UrlRequest | WsRequest} MethodAndUrl
 */

/**
 * The properties of an operation beside method and URL.
 * @typedef {object} OperationCommon
 * @property {Computed<string | Uint8Array | { json: unknown }> | Computed<string | Uint8Array | { json: unknown }>[]}
 *   [send] Message to send, or several: text, { json: value }, or a Buffer, which is sent as binary data.
 * @property {Expectation | Expectation[] | number | RegExp | Computed<string | Uint8Array | { json: unknown }> |
 *   (RegExp | Computed<string | Uint8Array | { json: unknown }>)[]} [expect] What the response must be; another one is
 *   an error of the kind expect; with ws: messages to wait for: how many, or what the next one is, or a list; default:
 *   as many as are sent; 0: do not wait.
 * @property {string | RegExp | Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>}
 *   [match] Which messages are answers, the others are passed over: a text that they contain, a regular expression, or
 *   values by JSONPath that tie an answer to its question.
 * @property {boolean | number | { code?: number, reason?: string }} [close] Close the WebSocket afterwards and wait for
 *   the answer of the server: true, or a close code. Default: `false`.
 * @property {string | string[]} [protocols] Subprotocols to offer in the handshake.
 * @property {boolean} [keep] Keep the WebSocket open for the next iterations of the virtual user. Default: `false`.
 * @property {string} [name] Name of the operation in results; default: method and path.
 * @property {number} [weight] Share of the iterations that perform this operation of a oneOf; default: in turn, or 1 if
 *   another one has a weight.
 * @property
 *   {((scope: Scope) => unknown) | Record<string, string | number | boolean | null | unknown[] | RegExp | Comparisons>}
 *   [when] Condition of the operation, with repeat before each time: a function, or variables with values or
 *   comparisons.
 * @property {number | ((scope: Scope) => number | Promise<number>)} [repeat] How often the operation is performed, one
 *   after the other. Default: `1`.
 * @property {string} [group] Group of consecutive operations that are measured as one transaction under this name.
 * @property {Record<string, string | number | boolean>} [tags] Tags of the operation: results have the figures of each
 *   tag, and thresholds select them: team:search p95<1s.
 * @property {unknown} [json] Request body, sent as JSON, and the response is parsed as JSON; true: parse the response,
 *   and send body as JSON.
 * @property {Computed<string | Uint8Array | (string | Uint8Array)[] | { file: string } | object>} [body] Request body:
 *   text, a Buffer, an array of them, or { file: path }; with json: true any value, sent as JSON.
 * @property {Computed<Record<string, unknown> | string>} [form] Request body, sent as
 *   application/x-www-form-urlencoded.
 * @property {Computed<Record<string, unknown>>} [formData] Request body, sent as multipart/form-data.
 * @property {Computed<({ body: unknown } & Record<string, unknown>)[] | { data: ({ body: unknown } & Record<string,
 *   unknown>)[], chunked?: boolean, preambleCRLF?: boolean, postambleCRLF?: boolean }>} [multipart] Request body, sent
 *   as multipart/related: an array of parts, each with its header fields and a body.
 * @property {Computed<Record<string, Computed<FieldValue>>>} [headers] Request headers.
 * @property {Computed<Record<string, unknown>>} [qs] Query parameters; they replace those of the same name in the URL.
 * @property {Auth} [auth] Credentials for basic, digest or bearer authentication: { user, pass } or { bearer }.
 * @property {{ accessKeyId: string, secretAccessKey: string, region: string, service: string, sessionToken?: string }}
 *   [aws] Sign the request for AWS (Signature Version 4):
 *   { accessKeyId, secretAccessKey, region, service, sessionToken }, as #{env.NAME}.
 * @property {boolean | ((response: HookResponse) => boolean)} [followRedirect] Follow redirects of GET and HEAD
 *   requests; a function gets each redirect and decides. Default: `true`.
 * @property {boolean} [followAllRedirects] Follow redirects of all methods. Default: `false`.
 * @property {boolean} [removeRefererHeader] Add no Referer to the requests of redirects, and keep the one of the
 *   operation. Default: `false`.
 * @property {number} [maxRedirects] Maximum number of redirects to follow. Default: `10`.
 * @property {number | string} [timeout] Time limit in ms, or a time such as '2s'; 0: none; default: the run option
 *   timeout.
 * @property {Computed<ThinkTime>} [pause] Think time after the operation: milliseconds, '2s', a range such as [500,
 *   2000], or a normal distribution such as { mean: '2s', dev: 500 }; not included in any timing.
 * @property {boolean} [gzip] Ask for compressed responses if true; do not decompress if false; default: decompress
 *   unless encoding is null.
 * @property {BufferEncoding | null} [encoding] Character encoding of the response body; null: hooks get a Buffer.
 *   Default: `"utf8"`.
 * @property {Record<string, string | number>} [cookies] Cookies of this request, beside those of the jar and of the
 *   run.
 * @property {boolean} [jar] Keep cookies and send them back; false: no cookies. Default: `true`.
 * @property
 *   {Record<string, string | { json?: string, header?: string, cookie?: string, status?: true, text?: string | RegExp, default?: unknown }>}
 *   [capture] Values to take from the response, each under the name of a token: a JSONPath, or { header }, { cookie },
 *   { status } or { text }; with a default if it may be missing.
 * @property {(HookName | Hook)[]} [beforeHooks] Hooks that run before the request is sent. Default: `[]`.
 * @property {(HookName | Hook)[]} [afterHooks] Hooks that run after the response. Default: `[]`.
 * @property {boolean} [keepAlive] Keep the connection for the next request; false: close it after this one. Default:
 *   `true`.
 * @property {string} [socketPath] Unix domain socket to connect to.
 * @property {string} [localAddress] IP address of this machine that connections come from.
 * @property {string | URL | null | false} [proxy] HTTP proxy of the request, such as http://proxy:3128; null: none;
 *   default: the run option proxy.
 * @property {boolean} [tunnel] Reach http: URLs through a tunnel of the proxy (CONNECT), as https: URLs always are.
 *   Default: `false`.
 * @property {boolean} [rejectUnauthorized] Verify the TLS certificate of the server. Default: `true`.
 * @property {boolean} [strictSSL] The same as rejectUnauthorized. Default: `true`.
 * @property {TlsMaterial | TlsMaterial[]} [ca] Trusted certificate authorities, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [cert] Client certificate, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [key] Private key of the client certificate, PEM or a file.
 * @property {TlsMaterial | TlsMaterial[]} [pfx] Client certificate and private key, PKCS #12 or a file.
 * @property {string} [passphrase] Passphrase of the private key.
 * @property {string} [servername] Server name for TLS (SNI); default: the host of the URL.
 * @property {string | number} [minVersion] Oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3.
 * @property {string | number} [maxVersion] Newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default).
 * @property {string} [ciphers] Cipher suites to use, as OpenSSL names them, separated by colons.
 * @property {Record<string, unknown>} [agentOptions] TLS options, such as ca and rejectUnauthorized, as in the request
 *   library; the operation can have them itself.
 * @property {string} [baseUrl] URL in front of the path of the operation; see the run option baseUrl.
 * @property {string} [secureProtocol] Such as TLSv1_2_method: minVersion and maxVersion at once.
 * @property {boolean} [preambleCRLF] Line break in front of a multipart body.
 * @property {boolean} [postambleCRLF] Line break after a multipart body.
 */

/**
 * A scenario of a flow.
 * @typedef {object} Scenario
 * @property {number} [weight] Share of the iterations that run this scenario; default: in turn, or 1 if another one has
 *   a weight.
 * @property {Operations} [beforeMain] Operations at the start of its iterations, after those of the flow. Default:
 *   `[]`.
 * @property {Operations} main Operations of its iterations; their time is measured.
 * @property {Operations} [afterMain] Operations at the end of its iterations, even after an error, before those of the
 *   flow. Default: `[]`.
 */

/**
 * The rows of a feeder, and which of them each iteration gets.
 * @typedef {object} FeederOptions
 * @property {string} [file] Path of a file, relative to the flow.
 * @property {Record<string, unknown>[]} [rows] The rows, instead of a file.
 * @property {'sequential' | 'shuffled' | 'random' | 'unique'} [order] Which row an iteration gets: sequential,
 *   shuffled, random, unique. Default: `"sequential"`.
 * @property {'end' | 'fail'} [whenEmpty] What happens after the last row of order unique: the run ends, or operations
 *   that need a row fail. Default: `"end"`.
 * @property {string} [delimiter] Character between the values of a CSV file; default: a comma, and a tab in a .tsv
 *   file.
 * @property {string[]} [columns] Names of the columns of a CSV file whose first line does not have them.
 */

/**
 * A feeder: a file of rows, rows, or an object.
 * @typedef {string | Record<string, unknown>[] | FeederOptions} FeederDefinition
 */

/**
 * A flow with phases.
 * @typedef {object} PhasesFlow
 * @property {Operations} [before] Operations that run once, first. Default: `[]`.
 * @property {Operations} [beforeMain] Operations at the start of every iteration, before main. Default: `[]`.
 * @property {Operations} main Operations of every iteration; their time is measured.
 * @property {Operations} [afterMain] Operations at the end of every iteration, even after an error. Default: `[]`.
 * @property {Operations} [after] Operations that run once, last. Default: `[]`.
 * @property {string} [baseUrl] Base URL of relative URLs.
 * @property {string} [socketPath] Unix domain socket that every operation without one of its own connects to.
 * @property {Record<string, Computed<FieldValue>>} [headers] Default headers of every operation. Default: `{}`.
 * @property {(HookName | Hook)[]} [beforeEach] Hooks that run before every operation. Default: `[]`.
 * @property {(HookName | Hook)[]} [afterEach] Hooks that run after every operation. Default: `[]`.
 * @property {Record<string, (scope: Scope) => TokenValue | Promise<TokenValue>>} [tokens] Tokens of the flow, each a
 *   function that returns its value for a request: #{name}. Default: `{}`.
 * @property {Record<string, any>} [vars] Variables of the run at its start: captures and hooks set others and replace
 *   them, tokens read them: #{name}. Default: `{}`.
 * @property {Record<string, FeederDefinition>} [data] Feeders: rows of files, of which each iteration gets one, as
 *   #{name.column}. Default: `{}`.
 * @property {Record<string, any>} [iterCtx] Initial iterCtx: each iteration gets a copy of it. Default: `{}`.
 * @property {GivenRunOptions} [runOptions] Run options; the command line wins over them.
 * @property {Thresholds} [thresholds] Conditions for the run to pass, such as { p99: '<200ms' }.
 * @property {ReportFunction} [report] A function that gets the result and returns a section of the report: text,
 *   { title, text, rows } or rows.
 * @property {string} [$schema] URL or path of flow.schema.json, for editors.
 */
export {};

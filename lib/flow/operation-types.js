/**
 * Made from the tables of hooks, operations and bodies by `npm run generate`: change a row, not this file.
 *
 * @import { FieldValue, Hook } from '../public-types.js'
 */

/**
 * The name of a built-in hook.
 * @typedef {'useEtag' | 'saveEtag' | 'ignoreStatus' | 'verify2XX' | 'startStepTimer' | 'endStepTimer'} HookName
 */

/**
 * The properties of an operation beside method and URL.
 * @typedef {object} OperationCommon
 * @property {string} [name] Name of the operation in results; default: method and path.
 * @property {unknown} [json] Request body, sent as JSON, and the response is parsed as JSON; true: only parse the
 *   response.
 * @property {string | Uint8Array} [body] Request body: text, or a Buffer.
 * @property {Record<string, unknown> | string} [form] Request body, sent as application/x-www-form-urlencoded.
 * @property {Record<string, unknown>} [formData] Request body, sent as multipart/form-data.
 * @property {Record<string, FieldValue>} [headers] Request headers.
 * @property {Record<string, unknown>} [qs] Query parameters, added to those of the URL.
 * @property {{ user?: string, username?: string, pass?: string, password?: string, bearer?: string }} [auth]
 *   Credentials for basic or bearer authentication.
 * @property {boolean} [followRedirect] Follow redirects of GET and HEAD requests.
 * @property {boolean} [followAllRedirects] Follow redirects of all methods.
 * @property {number} [maxRedirects] Maximum number of redirects to follow.
 * @property {number | string} [timeout] Time limit in ms, or a time such as '2s'; 0: none; default: the run option
 *   timeout.
 * @property {number | string | [from: number | string, to: number | string]} [pause] Think time after the operation:
 *   milliseconds, '2s', or a range such as [500, 2000]; not included in any timing.
 * @property {boolean} [gzip] Ask for compressed responses if true; do not decompress if false; default: decompress
 *   unless encoding is null.
 * @property {BufferEncoding | null} [encoding] Character encoding of the response body; null: hooks get a Buffer.
 * @property {boolean} [jar] Keep cookies and send them back; false: no cookies.
 * @property {(HookName | Hook)[]} [beforeHooks] Hooks that run before the request is sent.
 * @property {(HookName | Hook)[]} [afterHooks] Hooks that run after the response.
 * @property {string} [socketPath] Unix domain socket to connect to.
 * @property {boolean} [rejectUnauthorized] Verify the TLS certificate of the server.
 * @property {boolean} [strictSSL] The same as rejectUnauthorized.
 * @property {string | Buffer | (string | Buffer)[]} [ca] Trusted certificate authorities, PEM.
 * @property {string | Buffer | (string | Buffer)[]} [cert] Client certificate, PEM.
 * @property {string | Buffer | (string | Buffer)[]} [key] Private key of the client certificate, PEM.
 * @property {string | Buffer | (string | Buffer)[]} [pfx] Client certificate and private key, PKCS #12.
 * @property {string} [passphrase] Passphrase of the private key.
 * @property {string} [servername] Server name for TLS (SNI); default: the host of the URL.
 */
export {};

import { maskText } from './mask.js';

/**
 * Every error a user can meet, one row each: what is said and, where there is one, the cure.
 * `{name}` in a template is filled from the details given to {@link makeError}.
 * A code that starts with `E_` is ours; system codes (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) are kept as they come.
 *
 * @type {Record<string, { message: string, cure?: string, kind?: string }>}
 */
export const ERRORS = {
  E_FLOW: { message: '{problems}' },
  E_NO_MAIN: { message: 'benchmark flow requires main operations, missing flow.main?' },
  E_RUN_OPTIONS: { message: '{problems}' },
  E_NO_LIMIT: { message: 'benchmark runOptions requires iterations and limit properties' },
  E_CONFIG: { message: '{problems}' },
  E_USAGE: { message: '{problem}' },
  E_NOT_FOUND: { message: 'flow file does not exist: {path}', cure: '{cure}' },
  E_FLOW_FILE: { message: '{path}: {reason}', cure: '{cure}' },
  E_NO_FILE: { message: 'no such file: {path}', cure: 'check the path' },
  E_RESULT: { message: '{path} {reason}', cure: '{cure}' },
  E_TARGET: { message: '{problems}' },
  E_FILE_NOT_WRITTEN: { message: 'a file was not written: {reason}', cure: 'the result is on stdout' },
  E_NOT_WRITTEN: { message: 'result not written: {reason}', cure: 'here it is' },
  E_WORKER: { message: '{name} was lost: {reason}', cure: 'what it had under way counts as cancelled', kind: 'worker' },
  E_RUN_CTX: { message: 'runCtx cannot go to the workers: {reason}', cure: 'keep only data in it', kind: 'worker' },

  E_STATUS: { message: 'error statusCode: {status}', kind: 'status' },
  E_HOOK: { message: '{hook}: {reason}', kind: 'hook' },
  E_HOOK_RESULT: { message: '{hook} returned {got}', cure: 'return all, or nothing', kind: 'hook' },
  E_REQUEST_FIELD: { message: '{place} {reason}', cure: 'nothing was sent', kind: 'hook' },
  E_TIMEOUT_CONNECT: { message: 'no connection to {origin} within {ms} ms', kind: 'timeout' },
  E_TIMEOUT_REQUEST: { message: 'no complete response within {ms} ms', kind: 'timeout' },
  E_TIMEOUT_HOOK: { message: '{hook} did not finish within {ms} ms', kind: 'hook' },
  E_AFTER_CUT: { message: 'after was cut off by its time limit', cure: 'see teardownTimeout', kind: 'timeout' },
  E_CANCELLED: { message: 'cancelled: the run was over', kind: 'cancelled' },
  E_RESET_BEFORE_HEAD: { message: 'connection closed by the server before a response', kind: 'reset' },
  E_PIPELINE: { message: 'another request on this connection was given up, and the connection with it', kind: 'reset' },
  E_RESET_IN_HEAD: { message: 'connection closed by the server in the head of the response', kind: 'reset' },
  E_BODY_SHORT: {
    message: 'connection closed by the server in the body of the response, after {received}',
    kind: 'reset',
  },
  E_CHUNK_SHORT: { message: 'connection closed by the server before the last chunk', kind: 'reset' },
  E_STATUS_LINE: { message: 'malformed status line: {line}', cure: 'is this an HTTP/1.1 server?', kind: 'protocol' },
  E_FIELD: { message: 'malformed header field: {line}', kind: 'protocol' },
  E_CONTENT_LENGTH: { message: 'malformed Content-Length: {value}', kind: 'protocol' },
  E_FRAMING: { message: 'body without a certain end: {reason}', kind: 'protocol' },
  E_CHUNK: { message: 'malformed chunk: {line}', kind: 'protocol' },
  E_1XX_FLOOD: { message: 'more than {limit} interim responses (1xx)', kind: 'protocol' },
  E_UPGRADE: { message: 'the server changes to another protocol (101), which nobody asked for', kind: 'protocol' },
  E_PROTOCOL: { message: 'malformed response: {reason}', kind: 'protocol' },
  E_HEAD_TOO_LARGE: {
    message: 'head of the response is larger than {limit} bytes',
    cure: 'raise maxHeaderSize',
    kind: 'protocol',
  },
  E_TOO_MANY_FIELDS: { message: 'more than {limit} header fields', cure: 'raise maxHeaderFields', kind: 'protocol' },
  E_BODY_TOO_LARGE: {
    message: 'body of the response is larger than {limit} bytes',
    cure: 'raise maxBodySize, or remove the hook that reads it',
    kind: 'protocol',
  },
  E_DECODE: { message: 'cannot decode the body: {reason}', kind: 'protocol' },
  E_DECODED_TOO_LARGE: {
    message: 'decoded body is larger than {limit} bytes',
    cure: 'raise maxBodySize',
    kind: 'protocol',
  },
  E_ENCODING_CHAIN: { message: 'more than 5 content codings: {coding}', kind: 'protocol' },
  E_REDIRECT_LOOP: { message: 'more than {limit} redirects', cure: 'see maxRedirects', kind: 'protocol' },
  E_REDIRECT_TARGET: { message: 'redirect to {location} cannot be followed', kind: 'protocol' },
};

/** @type {WeakSet<Error>} */
const OURS = new WeakSet();

/** Whether an error was made here: what a hook throws may call itself anything. @type {(error: any) => error is Error & { code: string, kind?: string }} */
export function isOurs(error) {
  return OURS.has(error);
}

/**
 * An Error of a row above: `code`, `kind` where the row has one, and a message that ends with the cure, and tells no secret.
 *
 * @param {string} code a key of {@link ERRORS}
 * @param {Record<string, unknown>} [details] fills the template; kept on the error
 * @param {{ cause?: unknown }} [options]
 * @returns {Error & { code: string, kind?: string }}
 */
export function makeError(code, details = {}, options) {
  const row = ERRORS[code];
  const text = maskText(fill(row.message, details));
  const cure = row.cure ? fill(row.cure, details) : '';
  const error = new Error(cure ? `${text}; ${cure}` : text, options);
  error.name = 'BenchRestError';
  OURS.add(error);
  return Object.assign(error, { code }, row.kind && { kind: row.kind });
}

/** @type {(template: string, details: Record<string, unknown>) => string} */
function fill(template, details) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(details[name] ?? ''));
}

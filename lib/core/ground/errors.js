import { maskText } from '../text/mask.js';
import { offered } from './addons.js';

/**
 * @typedef {object} ErrorRow
 * @property {string} message a template; `{name}` is filled from the details given to {@link makeError}
 * @property {string} [cure] what to do, also a template
 * @property {boolean} [isExperimental] its code may change in a minor version, as those of all failures of a run may
 * @property {string} [kind] how a failure during a run is counted: a key of {@link KINDS}
 * @property {import('./exit-codes.js').Reason} [exit] the reason of the exit code, if this error ends the command;
 *   default: internal
 * @property {string} [exhausted] the resource of this machine that ran out: the load generator, not the server, is
 *   the limit
 * @property {string} [headline] the line above a list of problems
 * @property {boolean} [hasCause] its `cause` is what code of the flow threw
 * @property {boolean} [passesCause] a function that waits for the step gets its `cause`, which it knows
 * @property {boolean} [isOfClose] the server closed the connection: a request that has no effect when it is repeated is
 *   sent again, if no byte of its response has arrived
 * @property {(error: any) => unknown[]} [codesOf] the codes by which its failures are grouped: the first one that is a
 *   name; default: its own
 */

/**
 * @typedef {object} KindRow
 * @property {string} about
 * @property {string} remedy
 * @property {{ code: string, message: string }} [others] the group that counts the errors of this kind beyond the limit
 *   of groups; only of kinds whose codes or messages the flow, its clients and servers choose
 */

/**
 * @typedef {object} OfferedErrors of an add-on
 * @property {Record<string, ErrorRow>} codes
 * @property {Record<string, KindRow>} [kinds]
 * @property {Record<string, string>} [cures] what to do about errors of the core, by their codes
 */

/** The kinds by which failures of a run are counted. @type {Record<string, KindRow>} */
export const KINDS = {
  dns: { about: 'The name has no address', remedy: 'Check the name' },
  connect: {
    about: 'Refused, unreachable, or the load generator has no file descriptor or port left',
    remedy: 'Is the server running? `ulimit -n`',
  },
  tls: { about: 'Certificate or handshake', remedy: '`ca`, `servername`, `--insecure`' },
  proxy: {
    about: 'The proxy cannot be reached, or refuses to connect to the server',
    remedy: 'The message names the proxy; `--proxy`, `--noproxy`',
  },
  timeout: { about: 'No connection, or no complete response in time', remedy: '`--timeout`' },
  reset: {
    about: 'The server closed the connection before the end of the response',
    remedy: "The server's log and limits",
  },
  protocol: { about: 'Malformed response, head or body too large, redirect loop', remedy: '`--debug`' },
  status: { about: 'A status of 400 or more', remedy: '`--debug`; the hook `ignoreStatus`' },
  expect: {
    about: 'A response is not as `expect` of the operation says',
    remedy: 'The message has what was expected and what was received; `--debug`',
  },
  capture: {
    about: 'A response has nothing at the place that `capture` of the operation names',
    remedy: 'The message names the place; `--debug`; a `default`',
  },
  data: {
    about: 'A feeder has no row left, or a row lacks a value',
    remedy: 'The message names the feeder; `order`, `whenEmpty`',
  },
  hook: {
    about: 'A hook threw, timed out, or made an invalid request; or nothing caught an error of the flow',
    remedy: 'The message names the hook, `place` the line of your code; `cause` is the thrown value',
    others: { code: 'E_HOOK', message: 'other messages of this hook' },
  },
  cancelled: {
    about: 'A group or a check that the end of the run cut off; no error of the run',
    remedy: '`--graceful-stop`',
  },
  worker: {
    about: 'A worker died, or `runCtx` cannot be copied to the workers',
    remedy: 'The message names the worker; look for `process.exit` and memory leaks in hooks',
  },
};

/** A code that starts with `E_` is ours; the system's are kept (system-errors.js). @type {Record<string, ErrorRow>} */
export const ERRORS = {
  E_FLOW: { message: '{problems}', exit: 'flow', headline: 'the flow is malformed; nothing was sent' },
  E_NO_MAIN: {
    message: 'benchmark flow requires main operations{missing}',
    cure: '{cure}',
    exit: 'flow',
  },
  E_RUN_OPTIONS: { message: '{problems}', exit: 'usage', headline: 'invalid options; nothing was sent' },
  E_NO_LIMIT: { message: 'benchmark runOptions requires iterations and limit properties{problems}', exit: 'usage' },
  E_CONFIG: { message: '{problems}', exit: 'usage', headline: 'the configuration file is malformed; nothing was sent' },
  E_USAGE: { message: '{problem}', exit: 'usage' },
  E_FILE_NOT_FOUND: { message: '{what} does not exist: {path}', cure: '{cure}', exit: 'notFound' },
  E_FLOW_FILE: { message: '{path}: {reason}', cure: '{cure}', exit: 'flow' },
  E_CWD: {
    isExperimental: true,
    message: 'the working directory cannot be used: {reason}',
    cure: 'change to a folder that exists',
    exit: 'usage',
  },
  E_RESULT: { message: '{path} {reason}', cure: '{cure}', exit: 'flow' },
  E_OPEN_FILES: {
    isExperimental: true,
    message: 'the limit of open files is too low ({code}); nothing was sent',
    cure: 'raise the limit, for example ulimit -n 1024',
  },
  E_DEPENDENCY: {
    message: 'the package {name}, a dependency of bench-rest, is not installed',
    cure: 'install the dependencies: cd {folder} && npm ci',
  },
  E_RESULT_NOT_WRITTEN: { message: 'a result was not written: {reason}', cure: '{cure}', exit: 'notWritten' },
  E_SECTION: { isExperimental: true, message: 'the section function of the flow failed: {reason}', exit: 'section' },
  E_THRESHOLD: { message: 'thresholds {failures}', exit: 'threshold' },
  E_REGRESSION: { message: 'worse than {base}: {failures}', exit: 'regression' },
  E_PACKAGE: {
    message: '{feature} needs {what} not installed',
    cure: 'install it: npm install {name}',
    exit: 'usage',
  },
  E_ADDON: { isExperimental: true, message: 'the add-on {name} {reason}', cure: '{cure}', exit: 'usage' },
  E_CODE: { message: '{name} {reason}', cure: '{cure}', exit: 'usage' },
  E_TARGET_REFUSED: {
    message: '{target} is not among the targets that flows may send to here',
    cure: 'allow it by --allow-target {target} of the command that runs the flow',
    kind: 'connect',
  },
  E_DATA: { message: '{place} {reason}', kind: 'data' },
  E_WORKER: { message: '{name} was lost: {reason}', cure: 'its running iterations count as cancelled', kind: 'worker' },
  E_RUN_CTX: {
    message: 'runCtx and the variables cannot be copied to the workers: {reason}',
    cure: 'store only plain data in them',
    kind: 'worker',
  },

  E_STATUS: { message: 'error statusCode: {status}', kind: 'status' },
  E_EXPECT: { message: '{where}: {mismatch}{status}{others}', kind: 'expect' },
  E_CAPTURE: {
    message: '{where}: {reason}{status}',
    cure: 'give the capture a default if the value may be missing',
    kind: 'capture',
  },
  E_JSON_PATH: {
    message: '{path} cannot be evaluated: {reason}',
    cure: 'write a path that visits fewer of them',
    kind: 'protocol',
  },
  E_JSON_TOO_LARGE: {
    message: 'the JSON of the response has {size} bytes, and capture and expect read at most {limit}',
    cure: 'read it in a hook',
    kind: 'protocol',
  },
  E_HOOK: { message: '{hook}: {reason}', kind: 'hook', hasCause: true, codesOf: ({ cause }) => [cause?.code] },
  E_UNCAUGHT: { message: 'uncaught error in the flow: {reason}', cure: '{cure}', kind: 'hook', hasCause: true },
  E_HOOK_RESULT: { message: '{hook} returned {got}', cure: 'return all, or nothing', kind: 'hook' },
  E_REQUEST_FIELD: { message: '{place} {reason}', cure: 'this operation was not sent', kind: 'hook' },
  E_TOKEN: { message: '{token} {reason}', cure: 'this operation was not sent', kind: 'hook' },
  E_NO_VALUE: {
    message: '{token} has no value in this iteration',
    cure: 'this operation was not sent; one that captures it was left out, or a hook has not set it',
    kind: 'capture',
  },
  E_VALUE: { message: '{place} {reason}', kind: 'hook' },
  E_LOCAL_ADDRESS: {
    message: 'cannot connect from {address} ({code})',
    cure: 'localAddress must be an address of this machine, of the same IP version as the server',
    kind: 'connect',
  },
  E_FAMILY: {
    message: '{host} has no IPv{family} address',
    cure: 'leave out --ipv{family} (option family), or use another host',
    kind: 'dns',
  },
  E_RESOLVER: {
    message: 'the DNS server {server} did not look up {host}: {reason}',
    cure: 'see --resolver',
    kind: 'dns',
  },
  E_PROXY_URL: { message: '{from} in the environment {reason}', kind: 'proxy' },
  E_PROXY_CONNECT: {
    message: 'cannot connect to the proxy {proxy}: {reason}',
    cure: 'is it running there? see --proxy; --noproxy lists hosts that are reached directly',
    kind: 'proxy',
  },
  E_PROXY_TLS: {
    message: 'no TLS connection to the proxy {proxy}: {reason}',
    cure: 'trust its certificate with NODE_EXTRA_CA_CERTS, or use --proxy-insecure; is it an http:// proxy?',
    kind: 'proxy',
  },
  E_PROXY_AUTH: { message: 'the proxy {proxy} {verb} (407)', cure: '{cure}', kind: 'proxy' },
  E_PROXY_REFUSED: {
    message: 'the proxy {proxy} answered {status} to CONNECT {to}',
    cure: 'it cannot reach this server, or does not allow it; --noproxy {host} connects directly',
    kind: 'proxy',
  },
  E_PROXY_CLOSED: {
    message: 'the proxy {proxy} closed the connection before it answered CONNECT {to}',
    cure: 'is it an HTTP proxy that supports CONNECT?',
    kind: 'proxy',
  },
  E_PROXY_ANSWER: {
    message: 'the proxy {proxy} answered CONNECT {to} with {what}',
    cure: 'is it an HTTP proxy?',
    kind: 'proxy',
  },
  E_TIMEOUT_CONNECT: { message: 'no connection to {origin} within {ms} ms', kind: 'timeout' },
  E_TIMEOUT_REQUEST: { message: 'no complete response within {ms} ms', kind: 'timeout' },
  E_TIMEOUT_EVENTS: {
    message: 'no complete response within {ms} ms: it is a stream of server-sent events',
    kind: 'timeout',
  },
  E_TIMEOUT_HOOK: { message: '{hook} did not {end} within {ms} ms', cure: '{cure}', kind: 'hook' },
  E_AFTER_CUT: { message: 'after was cut off by its time limit', cure: 'see teardownTimeout', kind: 'timeout' },
  E_OVERDUE: {
    message: 'no {what} until the end of the run: {than}',
    kind: 'timeout',
  },
  E_CANCELLED: { message: 'cancelled: the run was over', kind: 'cancelled' },
  E_RESET_BEFORE_HEAD: { message: 'connection closed by {closer} before a response', kind: 'reset', isOfClose: true },
  E_PIPELINE: {
    message: 'the connection was closed, because another request on it was aborted',
    kind: 'reset',
    isOfClose: true,
  },
  E_RESET_IN_HEAD: { message: 'connection closed by {closer} in the head of the response', kind: 'reset' },
  E_BODY_SHORT: {
    message: 'connection closed by {closer} in the body of the response, after {received}',
    kind: 'reset',
  },
  E_CHUNK_SHORT: { message: 'connection closed by {closer} before the last chunk', kind: 'reset' },
  E_STATUS_LINE: { message: 'malformed status line: {line}', cure: 'is this an HTTP/1.1 server?', kind: 'protocol' },
  E_FIELD: { message: 'malformed header field: {line}', kind: 'protocol' },
  E_CONTENT_LENGTH: { message: 'malformed Content-Length: {value}', kind: 'protocol' },
  E_FRAMING: { message: 'body with an ambiguous end: {reason}', kind: 'protocol' },
  E_CHUNK: { message: 'malformed chunk: {line}', kind: 'protocol' },
  E_1XX_FLOOD: {
    message: 'connection closed by bench-rest: more than {limit} interim responses (1xx)',
    kind: 'protocol',
  },
  E_UPGRADE: { message: 'the server switches to another protocol (101), which is not supported', kind: 'protocol' },
  E_PROTOCOL: { message: 'malformed response: {reason}', kind: 'protocol' },
  E_HTTP_1_1: { message: '{origin} speaks HTTP/1.1', kind: 'protocol' },
  E_HEADERS_TOO_LARGE: {
    message: 'connection closed by bench-rest: the head of the response is larger than {limit} bytes',
    cure: 'raise maxHeaderSize',
    kind: 'protocol',
  },
  E_TOO_MANY_FIELDS: {
    message: 'connection closed by bench-rest: more than {limit} header fields',
    cure: 'raise maxHeaderFields',
    kind: 'protocol',
  },
  E_BODY_TOO_LARGE: {
    message: 'connection closed by bench-rest: the body of the response is larger than {limit} bytes',
    cure: 'raise maxBodySize, or remove the hook, the expect or the capture that reads it',
    kind: 'protocol',
  },
  E_BODY_MEMORY: {
    message: 'bodies kept for hooks exceed their shared limit of {limit} bytes',
    cure: 'raise maxBodyMemory, use fewer virtual users, or remove the hook that reads bodies',
    kind: 'protocol',
    exhausted: 'memory for bodies',
  },
  E_DECODE: { message: 'cannot decode the body: {reason}', kind: 'protocol' },
  E_DECODED_TOO_LARGE: {
    message: 'decoded body is larger than {limit} bytes',
    cure: 'raise maxBodySize',
    kind: 'protocol',
  },
  E_ENCODING_CHAIN: { message: 'more than {limit} content codings: {coding}', kind: 'protocol' },
  E_REDIRECT_LOOP: { message: 'more than {limit} redirects', cure: 'see maxRedirects', kind: 'protocol' },
  E_REDIRECT_TARGET: { message: 'redirect to {location} cannot be followed', kind: 'protocol' },
};

/** The codes and kinds that two add-ons have, or an add-on and the core. @type {string[]} */
export const DOUBLED = [];

// The command loads this table first, to explain why it cannot load the rest.
takeErrors(offered('errors', takeErrors));

/** @type {(offers: OfferedErrors[]) => void} */
function takeErrors(offers) {
  for (const { codes, kinds = {}, cures = {} } of offers) {
    for (const name of [...Object.keys(codes), ...Object.keys(kinds)])
      if (Object.hasOwn(ERRORS, name) || Object.hasOwn(KINDS, name)) DOUBLED.push(name);
    Object.assign(ERRORS, codes);
    Object.assign(KINDS, kinds);
    for (const [name, cure] of Object.entries(cures)) ERRORS[name] = { cure, ...ERRORS[name] };
  }
}

/** Returns `others` of a kind, which may be from a file. @type {(kind: string) => KindRow['others']} */
export function othersOf(kind) {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind].others : undefined;
}

/** @type {WeakSet<Error>} */
const OURS = new WeakSet();

/**
 * Reports whether an error was created by {@link makeError}: an error of a hook may have any code.
 * @type {(error: any) => error is Error & { code: string, kind?: string }}
 */
export function isOurs(error) {
  return OURS.has(error);
}

/**
 * Creates an Error from a row of {@link ERRORS}: `code`, `kind` if the row has one, and a message that ends with the
 * cure; secrets are masked. `details` fill the template, and are properties of the error.
 * @type {(code: string, details?: Record<string, unknown>, options?: { cause?: unknown }) => Error & { code: string,
 *   kind?: string }}
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

/** Details that an error may lack. `closer` closed the connection. @type {Record<string, string>} */
export const DEFAULTS = { closer: 'the server' };

/** @type {(template: string, details: Record<string, unknown>) => string} */
function fill(template, details) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(details[name] ?? DEFAULTS[name] ?? ''));
}

import { isOurs, makeError } from '../errors.js';
import { maskText } from '../mask.js';

/**
 * @typedef {object} Failure
 * @property {string} kind dns connect tls timeout reset protocol status hook cancelled
 * @property {string} code
 */

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const CONNECT = new Set(
  (
    'ECONNREFUSED EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL EMFILE ENFILE ENOBUFS ENOMEM EACCES EPERM ' +
    'ENETDOWN EHOSTDOWN EINVAL EAFNOSUPPORT ETIMEDOUT'
  ).split(' '),
);
const TLS =
  /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_OSSL|HOSTNAME_MISMATCH|EPROTO$|INVALID_CA|CRL_)/;

/**
 * Any error of an exchange as one kind, with the code it came with.
 *
 * @param {any} error
 * @returns {Failure}
 */
export function classify(error) {
  if (isOurs(error) && error.kind) return { kind: error.kind, code: error.code };
  const first = error?.code === undefined && Array.isArray(error?.errors) ? error.errors[0] : error;
  const code = typeof first?.code === 'string' ? first.code : 'E_UNKNOWN';
  if (DNS.has(code)) return { kind: 'dns', code };
  if (CONNECT.has(code) || first?.syscall === 'connect') return { kind: 'connect', code };
  if (TLS.test(code)) return { kind: 'tls', code };
  if (code === 'ECONNRESET' || code === 'EPIPE') return { kind: 'reset', code };
  return { kind: 'protocol', code };
}

/** The error of a hook, whatever it threw or broke, with the place in front and the cause kept. @type {(cause: unknown, where: string) => Error} */
export function hookError(cause, where) {
  // of its deadline, of what it returned, or of the exchange, handed on
  if (isOurs(cause)) return cause;
  return makeError('E_HOOK', { hook: where, reason: messageOf(cause) }, { cause });
}

/** What people can do about a system error that names no cure. @type {Record<string, string>} */
const CURES = {
  ECONNREFUSED: 'is the server running there?',
  ENOENT: 'does a server listen at that path?',
  EMFILE: 'too many open files: raise the limit with ulimit -n',
  EADDRNOTAVAIL: 'local ports are used up: keep connections alive, or use fewer lanes',
  ENOBUFS: 'the system has no buffers left: use fewer lanes',
  ENOMEM: 'the system has no memory left: use fewer lanes',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'give ca, or --insecure',
  SELF_SIGNED_CERT_IN_CHAIN: 'give ca, or --insecure',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'give ca, or --insecure',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'give ca, or --insecure',
  CERT_HAS_EXPIRED: 'renew it, or --insecure',
  CERT_NOT_YET_VALID: 'set the clock, or --insecure',
  ERR_TLS_CERT_ALTNAME_INVALID: 'give servername, or --insecure',
  ENOTFOUND: 'check the name of the host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'is this an http:// server?',
  EPROTO: 'is this an http:// server?',
};

/** characters of a message that are kept: it may carry a whole body */
const LONGEST = 2000;

/**
 * The message of a failure, never throwing whatever was thrown, with the cure where one is known.
 *
 * @param {unknown} error
 * @param {string} code
 * @returns {string}
 */
export function describe(error, code) {
  const message = maskText(messageOf(error));
  const cure =
    code === 'ECONNREFUSED' && isOfIpv6Alone(message)
      ? 'is the server running there? if on IPv4 alone, try 127.0.0.1'
      : Object.hasOwn(CURES, code)
        ? CURES[code]
        : '';
  return cure ? `${message}; ${cure}` : message;
}

/** `connect ECONNREFUSED ::1:8000`, and no address of IPv4 beside it. @type {(message: string) => boolean} */
function isOfIpv6Alone(message) {
  return message.includes('::') && !/\d\.\d+\.\d+\.\d/.test(message);
}

/** What an error says, within bounds, whatever it is. @type {(error: any) => string} */
export function messageOf(error) {
  try {
    const words = wordsOf(error);
    // masked before it is cut: half a secret would not be known as one
    return words.length > LONGEST ? `${maskText(words.slice(0, 2 * LONGEST)).slice(0, LONGEST)}…` : words;
  } catch {
    // a thrown Proxy or getter may throw again
    return 'an error that cannot be shown';
  }
}

/** @type {(error: any) => string} */
function wordsOf(error) {
  if (typeof error?.message === 'string' && error.message) return error.message;
  if (Array.isArray(error?.errors) && error.errors.length > 0) return error.errors.map(messageOf).join(', ');
  return String(error?.code ?? error);
}

import { fileURLToPath } from 'node:url';

import { hintsAt } from './addons.js';
import { makeError } from './errors.js';

/**
 * @typedef {object} SystemError
 * @property {'dns' | 'connect' | 'tls' | 'reset'} kind how a failure is counted
 * @property {string} [remedy] what to do, if something can be done
 * @property {string} [exhausted] the resource of this machine that ran out: the load generator, not the server, is
 *   the limit
 */

const TRUST = 'pass ca, or use --insecure';
const CLIENT_CERTIFICATE = 'does the server want a certificate of the client? pass cert and key (--cert, --key)';
const LESS_LOAD = 'use fewer virtual users';
/** @type {SystemError} */
const NO_PORTS = { kind: 'connect', remedy: `keep connections alive, or ${LESS_LOAD}`, exhausted: 'local ports' };

/** Errors of the system, name lookups and OpenSSL, by the code that Node gives. @type {Record<string, SystemError>} */
const SYSTEM_ERRORS = {
  ENOTFOUND: { kind: 'dns', remedy: 'check the name of the host' },
  EAI_AGAIN: { kind: 'dns', remedy: 'the name server did not answer: check the network' },
  ENODATA: { kind: 'dns' },
  ESERVFAIL: { kind: 'dns' },
  EAI_FAIL: { kind: 'dns' },
  EAI_NODATA: { kind: 'dns' },
  EAI_NONAME: { kind: 'dns' },

  ECONNREFUSED: { kind: 'connect', remedy: 'is the server running there?' },
  ENOENT: { kind: 'connect', remedy: 'does a server listen at that path?' },
  EMFILE: { kind: 'connect', remedy: 'raise the limit of open files with ulimit -n', exhausted: 'open files' },
  ENFILE: { kind: 'connect', remedy: 'raise fs.file-max', exhausted: 'open files of the whole machine' },
  EADDRNOTAVAIL: NO_PORTS,
  // An error of bind, with a localAddress.
  EADDRINUSE: NO_PORTS,
  ENOBUFS: { kind: 'connect', remedy: LESS_LOAD, exhausted: 'buffers of the system' },
  ENOMEM: { kind: 'connect', remedy: LESS_LOAD, exhausted: 'memory' },
  EHOSTUNREACH: { kind: 'connect' },
  ENETUNREACH: { kind: 'connect' },
  EACCES: { kind: 'connect' },
  EPERM: { kind: 'connect' },
  ENETDOWN: { kind: 'connect' },
  EHOSTDOWN: { kind: 'connect' },
  EINVAL: { kind: 'connect' },
  EAFNOSUPPORT: { kind: 'connect' },
  ETIMEDOUT: { kind: 'connect' },

  DEPTH_ZERO_SELF_SIGNED_CERT: { kind: 'tls', remedy: TRUST },
  SELF_SIGNED_CERT_IN_CHAIN: { kind: 'tls', remedy: TRUST },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { kind: 'tls', remedy: TRUST },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { kind: 'tls', remedy: TRUST },
  CERT_HAS_EXPIRED: { kind: 'tls', remedy: 'renew the certificate, or use --insecure' },
  CERT_NOT_YET_VALID: { kind: 'tls', remedy: 'set the clock, or use --insecure' },
  ERR_TLS_CERT_ALTNAME_INVALID: { kind: 'tls', remedy: 'pass servername, or use --insecure' },
  ERR_SSL_WRONG_VERSION_NUMBER: { kind: 'tls', remedy: 'is this an http:// server?' },
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: {
    kind: 'tls',
    remedy: ['the server does not speak HTTP/1.1', ...hintsAt('no HTTP/1.1')].join(': '),
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: { kind: 'tls', remedy: CLIENT_CERTIFICATE },
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: { kind: 'tls', remedy: CLIENT_CERTIFICATE },
  EPROTO: { kind: 'tls', remedy: 'is this an http:// server?' },

  ECONNRESET: { kind: 'reset' },
  EPIPE: { kind: 'reset' },
  ECONNABORTED: { kind: 'reset' },
};

/** OpenSSL and Node have too many TLS codes to list. */
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_OSSL|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;

/** Finds the row of a code; null if it is not a code of the system. @type {(code: string) => SystemError | null} */
export function systemError(code) {
  if (Object.hasOwn(SYSTEM_ERRORS, code)) return SYSTEM_ERRORS[code];
  return TLS.test(code) ? { kind: 'tls' } : null;
}

/** Reports whether the server reset the connection. @type {(code: string | undefined) => boolean} */
export function isResetCode(code) {
  return systemError(code ?? '')?.kind === 'reset';
}

/**
 * Returns E_OPEN_FILES for a file that could not be opened because of the limit of open files; null for any other
 * error. The error of a thread that cannot start for this reason is ERR_WORKER_INIT_FAILED, with the system's code in
 * its message.
 * @type {(error: any) => Error | null}
 */
export function openFilesError(error) {
  const code = error?.code === 'ERR_WORKER_INIT_FAILED' ? /\bE[MN]FILE\b/.exec(error.message)?.[0] : error?.code;
  return code === 'EMFILE' || code === 'ENFILE' ? makeError('E_OPEN_FILES', { code }, { cause: error }) : null;
}

const PACKAGE_FOLDER = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns E_DEPENDENCY for a package that a file of `folder` imports and that is not installed, as in a clone before
 * `npm ci`; null for any other error.
 * @type {(error: any, folder?: string) => Error | null}
 */
export function dependencyError(error, folder = PACKAGE_FOLDER) {
  const [, name, importer] = /^Cannot find package '(.+?)' imported from (.+)/.exec(error?.message) ?? [];
  return importer?.startsWith(folder) ? makeError('E_DEPENDENCY', { name, folder }, { cause: error }) : null;
}

/** Reports whether a file is one of this package. @type {(path: string) => boolean} */
export function isOwnFile(path) {
  return path.startsWith(PACKAGE_FOLDER);
}

/**
 * Returns the working directory of the process.
 * @throws {Error} E_CWD it was removed or cannot be read: getcwd(3)
 * @type {(process: { cwd: () => string }) => string}
 */
export function workingFolder(process) {
  try {
    return process.cwd();
  } catch (error) {
    const reason = String(/** @type {NodeJS.ErrnoException} */ (error).code);
    throw makeError('E_CWD', { reason }, { cause: error });
  }
}

import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { TLS_PROPERTIES, TLS_VERSIONS, tlsVersion } from '../http/tls-properties.js';
import { readOrComplain, readRegularFile } from '../process/read-file.js';

/** @import { Complain } from '../ground/types.js' */
/** @import { KeyObject } from 'node:crypto' */

const requireHere = createRequire(import.meta.url);

const MAX_BYTES = 1024 * 1024;
/** The beginning of PEM (RFC 7468). */
const PEM = '-----BEGIN ';
/** PKCS #8, or OpenSSL before it. */
const LOCKED = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/;
/** OpenSSL 3 allows older versions at security level 0 alone. */
const OLDEST_SECURE = 'TLSv1.2';
const INSECURE_CIPHERS = 'DEFAULT@SECLEVEL=0';
/** Sets of options of one run that are remembered. */
const MAX_KNOWN = 100;

/**
 * Reads options of TLS for tls.connect: their files are read, and material that OpenSSL could not use is reported.
 * `given` may have other keys; values that are invalid by their property are ignored. `folder` is that of relative
 * paths, by default the working directory.
 * @type {(given: Record<string, any>, complain: Complain, folder?: string) => Record<string, any>}
 */
export function readTls(given, complain, folder = '') {
  /** @type {Record<string, any>} */
  const tls = {};
  let isValid = true;
  /** @type {Complain} */
  const refuse = (key, reason) => {
    isValid = false;
    complain(key, reason);
  };
  for (const [key, { check }] of Object.entries(TLS_PROPERTIES)) {
    if (given[key] !== undefined && check(given[key])) tls[key] = readValue(key, given[key], refuse, folder);
  }
  // Each would report again what the one before it has refused.
  for (const settle of [settleVersions, checkIdentity, checkContext]) {
    if (isValid) settle(tls, refuse);
  }
  return tls;
}

/**
 * Creates a reader of the options of operations, which are merged with those of the run (`defaults`). Equal options of
 * an operation are the same object: a before-hook that changes something else has no file read again. `folder` is that
 * of relative paths, by default the working directory.
 * @type {(defaults: Record<string, any>, folder?: string) => (given: Record<string, any>, complain: Complain) =>
 *   Record<string, any>}
 */
export function createTlsReader(defaults, folder) {
  /** @type {{ given: Record<string, any>, tls: Record<string, any> }[]} */
  const known = [];
  return (given, complain) => {
    const keys = Object.keys(given);
    if (keys.length === 0) return defaults;
    const found = known.find(
      (one) => Object.keys(one.given).length === keys.length && keys.every((key) => one.given[key] === given[key]),
    );
    if (found) return found.tls;
    const { rejectUnauthorized, ...options } = { ...defaults, ...given };
    const tls = {
      ...readTls(options, complain, folder),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    };
    if (known.length >= MAX_KNOWN) known.shift();
    known.push({ given, tls });
    return tls;
  };
}

/** @type {(key: string, value: any, complain: Complain, folder: string) => any} */
function readValue(key, value, complain, folder) {
  const { kind } = TLS_PROPERTIES[key];
  if (kind === 'version') return tlsVersion(value);
  if (kind === 'text') return value;
  const all = [value].flat().map((one) => readOne(key, one, (reason) => complain(key, reason), folder));
  return Array.isArray(value) ? all : all[0];
}

/** @type {(key: string, value: any, complain: (reason: string) => void, folder: string) => any} */
function readOne(key, value, complain, folder) {
  const named = typeof value === 'string' && !value.includes(PEM) ? value : value.file;
  const path = named === undefined ? undefined : resolve(folder, named);
  const content = path === undefined ? value : readFile(key, path, complain);
  if (content !== null && (key === 'ca' || key === 'cert') && certificateIn(content) === null)
    complain(`${path === undefined ? 'has' : `${path} has`} no certificate that can be read`);
  return content;
}

/** @type {(key: string, path: string, complain: (reason: string) => void) => string | Buffer | null} */
function readFile(key, path, complain) {
  const options = { maxBytes: MAX_BYTES, isSecret: key === 'key' || key === 'pfx' };
  const bytes = readOrComplain(() => readRegularFile(path, options), complain);
  if (bytes === null || key === 'pfx') return bytes;
  const text = bytes.toString('latin1');
  if (text.includes(PEM)) return text;
  complain(`${path} is not a PEM file: it has no line ${PEM}…`);
  return null;
}

/** Checks the versions, and sets what old ones need. @type {(tls: Record<string, any>, complain: Complain) => void} */
function settleVersions(tls, complain) {
  const { minVersion, maxVersion } = tls;
  // Without a newest version, a secure one can be negotiated.
  if (maxVersion === undefined) return;
  if (minVersion !== undefined && TLS_VERSIONS.indexOf(minVersion) > TLS_VERSIONS.indexOf(maxVersion))
    complain('minVersion', `is ${minVersion}, which is newer than the newest one to use, ${maxVersion}`);
  if (TLS_VERSIONS.indexOf(maxVersion) >= TLS_VERSIONS.indexOf(OLDEST_SECURE)) return;
  tls.minVersion ??= maxVersion;
  tls.ciphers ??= INSECURE_CIPHERS;
}

/** @type {(tls: Record<string, any>, complain: Complain) => void} */
function checkIdentity({ cert, key, passphrase }, complain) {
  if (cert !== undefined && key === undefined) complain('cert', 'needs the private key of the certificate: set key');
  if (key === undefined) return;
  if (cert === undefined) complain('key', 'needs the certificate that it belongs to: set cert');
  const keys = [key].flat().map((one) => keyIn(one, passphrase, complain));
  if (cert === undefined || keys.length !== 1 || Array.isArray(cert) || keys[0] === null) return;
  if (!certificateIn(cert)?.checkPrivateKey(keys[0]))
    complain('key', 'does not belong to the certificate in cert: use the key that it was issued for');
}

/** @type {(pem: any) => X509Certificate | null} */
function certificateIn(pem) {
  try {
    return new X509Certificate(pem);
  } catch {
    // The words of OpenSSL name neither option nor file.
    return null;
  }
}

/** @type {(pem: any, passphrase: string | undefined, complain: Complain) => KeyObject | null} */
function keyIn(pem, passphrase, complain) {
  try {
    return createPrivateKey({ key: typeof pem === 'string' ? pem : Buffer.from(pem), passphrase });
  } catch {
    // Its code depends on the kind of the key.
    if (!LOCKED.test(String(pem))) complain('key', 'has no private key that can be read');
    else if (passphrase === undefined) complain('key', 'is encrypted: set passphrase');
    else complain('passphrase', 'does not open the private key in key');
    return null;
  }
}

/** Lets OpenSSL try all options together. @type {(tls: Record<string, any>, complain: Complain) => void} */
function checkContext(tls, complain) {
  // The first context of a process parses all root certificates, which takes time: not without options.
  if (Object.keys(tls).length === 0) return;
  try {
    requireHere('node:tls').createSecureContext(tls);
  } catch (/** @type {any} */ error) {
    const { code, reason = error.message } = error;
    if (code === 'ERR_SSL_NO_CIPHER_MATCH')
      complain('ciphers', `no cipher suite that OpenSSL knows is in ${tls.ciphers}: list them with openssl ciphers`);
    else if (tls.pfx === undefined) complain('cert', `cannot be used: ${reason}`);
    else if (!/mac verify/.test(reason)) complain('pfx', `cannot be read: ${reason}`);
    else if (tls.passphrase === undefined) complain('pfx', 'is encrypted: set passphrase');
    else complain('passphrase', 'does not open pfx');
  }
}

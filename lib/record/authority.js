import { X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createSecureContext } from 'node:tls';

import { makeError } from '../ground/errors.js';
import { KEY_TYPES, certificateFor, issuerOf } from './certificate.js';

/** @import { KeyObject } from 'node:crypto' */
/** @import { SecureContext } from 'node:tls' */

const MOST_HOSTS = 1000;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const KEY = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[^-]+-----END \1PRIVATE KEY-----/;

/** A certificate authority of the user: it signs the certificates by which a proxy is all servers. */
export class Authority {
  #chain;
  #issuer;
  /** One key for all certificates. */
  #keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  /** @type {Map<string, SecureContext>} */
  #contexts = new Map();

  /**
   * @param {{ text: string, name: string }} certificate PEM: that of the authority, then those above it
   * @param {{ text: string, name: string }} key PEM
   * @throws {Error} E_RECORD
   */
  constructor(certificate, key) {
    const [own, ...above] = certificate.text.match(CERTIFICATE) ?? [];
    const parsed = parse(certificate.name, 'is no certificate in PEM', () => new X509Certificate(String(own)));
    const [pem] = KEY.exec(key.text) ?? [];
    const isLocked = /ENCRYPTED/.test(String(pem));
    const reason = isLocked ? 'has a private key with a passphrase' : 'has no private key in PEM';
    const secret = parse(key.name, reason, () => createPrivateKey(String(pem)));
    check(parsed, secret, { certificate: certificate.name, key: key.name });
    this.#issuer = issuerOf(parsed, secret);
    this.#chain = [own, ...above].join('\n');
  }

  /** Returns the certificate of a host, with its key. @type {(host: string) => SecureContext} */
  contextFor(host) {
    const known = this.#contexts.get(host);
    if (known) return known;
    if (this.#contexts.size >= MOST_HOSTS) this.#contexts.clear();
    const { publicKey, privateKey } = this.#keys;
    const context = createSecureContext({
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: `${certificateFor(host, publicKey, this.#issuer)}\n${this.#chain}`,
    });
    this.#contexts.set(host, context);
    return context;
  }
}

/** @type {<T>(file: string, reason: string, read: () => T) => T} */
function parse(file, reason, read) {
  try {
    return read();
  } catch (cause) {
    throw refusal(`${file} ${reason}`, /** @type {Error} */ (cause));
  }
}

/** @type {(certificate: X509Certificate, key: KeyObject, names: { certificate: string, key: string }) => void} */
function check(certificate, key, names) {
  const type = String(key.asymmetricKeyType);
  if (!certificate.ca) throw refusal(`the certificate in ${names.certificate} is not one of an authority`);
  if (!certificate.checkPrivateKey(key)) throw refusal(`the key in ${names.key} does not belong to the certificate`);
  if (!KEY_TYPES.includes(type)) throw refusal(`${names.key} has a key of type ${type}, not ${KEY_TYPES.join(', ')}`);
  if (Date.parse(certificate.validTo) < Date.now())
    throw refusal(`the certificate in ${names.certificate} was valid until ${certificate.validTo}`);
}

/** @type {(reason: string, cause?: Error) => Error} */
function refusal(reason, cause) {
  const cure =
    '--ca needs the certificate of an authority, and --ca-key its private key without a passphrase, both in PEM';
  return makeError('E_RECORD', { reason, cure }, { cause });
}

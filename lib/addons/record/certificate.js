import { X509Certificate, createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';

import { makeError } from '../../core/ground/errors.js';

/** @import { KeyObject } from 'node:crypto' */
/** @import { SecureContext } from 'node:tls' */

/**
 * @typedef {object} Issuer
 * @property {KeyObject} key private
 * @property {Buffer} subject its name in DER
 * @property {Buffer | null} keyId its subject key identifier
 */

const MOST_HOSTS = 1000;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const KEY = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[^]+?-----END \1PRIVATE KEY-----/;

/**
 * A certificate authority of the user: it signs the certificates with which a proxy answers as any server, so that it
 * can read TLS. Node reads certificates and makes none, so their DER is written here.
 */
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
    // Without a match, parsing an empty text explains what is wrong.
    const [own = '', ...above] = certificate.text.match(CERTIFICATE) ?? [];
    const parsed = parse(certificate.name, 'is no certificate in PEM', () => new X509Certificate(own));
    const [pem = ''] = KEY.exec(key.text) ?? [];
    const reason = pem.includes('ENCRYPTED') ? 'has a private key with a passphrase' : 'has no private key in PEM';
    const secret = parse(key.name, reason, () => createPrivateKey(pem));
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

/** Tags of DER (X.690). */
const [BOOLEAN, INTEGER, BITS, OCTETS, OID, UTF8] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x0c];
const [UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET, VERSION, EXTENSIONS] = [0x17, 0x18, 0x30, 0x31, 0xa0, 0xa3];
/** The context tags of the alternatives of a general name, and of the key of an issuer (RFC 5280 4.2.1). */
const [DNS_NAME, IP_ADDRESS, KEY_IDENTIFIER] = [0x82, 0x87, 0x80];
/** NULL, the parameters of RSA signatures. */
const NULL = Buffer.of(0x05, 0);
const COMMON_NAME = '2.5.4.3';
/** The extensions of our certificates (RFC 5280 4.2.1). */
const EXTENSION = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
};
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const DAY_MS = 86_400_000;
const DAYS_VALID = 30;
/** Characters of a common name (RFC 5280 A.1). Clients look at the alternative name, which is whole. */
const LONGEST_NAME = 64;

/** Signature algorithms (RFC 5754, RFC 8410), by the type of the key. @type {Record<string, string>} */
const ALGORITHMS = { rsa: '1.2.840.113549.1.1.11', ec: '1.2.840.10045.4.3.2', ed25519: '1.3.101.112' };

const KEY_TYPES = Object.keys(ALGORITHMS);

/**
 * Reads the fields of an issuer that its certificates repeat byte for byte (RFC 5280 4.1). A certificate is a sequence
 * of a signed part, an algorithm and a signature; an extension is one of a name, perhaps `critical`, and a value.
 * @type {(certificate: X509Certificate, key: KeyObject) => Issuer}
 */
export function issuerOf({ raw }, key) {
  const [{ content: whole }] = elementsIn(raw);
  const [{ content: signed }] = elementsIn(whole);
  const fields = elementsIn(signed);
  // In front of the subject: version (may be missing), serial number, algorithm, issuer and validity.
  const subject = fields[fields[0].tag === VERSION ? 5 : 4].whole;
  const [extensionList] = fields.filter(({ tag }) => tag === EXTENSIONS).flatMap(({ content }) => elementsIn(content));
  const wrapped = elementsIn(extensionList?.content ?? Buffer.alloc(0))
    .map(({ content }) => elementsIn(content))
    .find(([name]) => name.whole.equals(oid(EXTENSION.subjectKeyId)))
    ?.at(-1);
  // The value of an extension is DER in the bytes of another element.
  return { key, subject, keyId: wrapped ? elementsIn(wrapped.content)[0].content : null };
}

/**
 * Makes the certificate of a server that an issuer signs, in PEM: valid from yesterday, for 30 days.
 * @type {(host: string, publicKey: KeyObject, issuer: Issuer) => string}
 */
export function certificateFor(host, publicKey, { key, subject, keyId }) {
  const type = String(key.asymmetricKeyType);
  const algorithm = der(SEQUENCE, oid(ALGORITHMS[type]), ...(type === 'rsa' ? [NULL] : []));
  const serial = randomBytes(16);
  // A number in DER is positive if its first bit is 0, and has no leading zeros.
  serial[0] = (serial[0] & 0x3f) | 0x40;
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const from = Date.now() - DAY_MS;
  const signed = der(
    SEQUENCE,
    // Version 3
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, serial),
    algorithm,
    subject,
    der(SEQUENCE, time(from), time(from + DAYS_VALID * DAY_MS)),
    der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(UTF8, Buffer.from(host.slice(0, LONGEST_NAME)))))),
    keyInfo,
    der(EXTENSIONS, der(SEQUENCE, ...extensions(host, keyInfo, keyId))),
  );
  const signature = sign(type === 'ed25519' ? null : 'sha256', signed, key);
  const whole = der(SEQUENCE, signed, algorithm, der(BITS, Buffer.of(0), signature));
  return new X509Certificate(whole).toString();
}

/** @type {(host: string, keyInfo: Buffer, issuerId: Buffer | null) => Buffer[]} */
function extensions(host, keyInfo, issuerId) {
  const own = createHash('sha1').update(keyInfo).digest();
  const name = isIP(host) ? der(IP_ADDRESS, addressBytes(host)) : der(DNS_NAME, Buffer.from(host));
  return [
    extension(EXTENSION.subjectAltName, der(SEQUENCE, name)),
    // An empty sequence: it is no authority.
    extension(EXTENSION.basicConstraints, der(SEQUENCE), CRITICAL),
    // The first bit alone (7 are unused): digitalSignature
    extension(EXTENSION.keyUsage, der(BITS, Buffer.of(7, 0x80)), CRITICAL),
    extension(EXTENSION.extendedKeyUsage, der(SEQUENCE, oid(SERVER_AUTH))),
    extension(EXTENSION.subjectKeyId, der(OCTETS, own)),
    ...(issuerId ? [extension(EXTENSION.authorityKeyId, der(SEQUENCE, der(KEY_IDENTIFIER, issuerId)))] : []),
  ];
}

/** @type {(name: string, value: Buffer, ...critical: Buffer[]) => Buffer} */
function extension(name, value, ...critical) {
  return der(SEQUENCE, oid(name), ...critical, der(OCTETS, value));
}

/** The mark of an extension that clients must not ignore. */
const CRITICAL = der(BOOLEAN, Buffer.of(0xff));

/** Writes an element: tag, length, and the parts. @type {(tag: number, ...parts: Buffer[]) => Buffer} */
function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  const { length } = content;
  // Two bytes are enough for the length of a certificate.
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** Writes an object identifier: 1.2.840 is 2a 86 48, as 840 = 6 * 128 + 72. @type {(name: string) => Buffer} */
function oid(name) {
  const [first, second, ...rest] = name.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    // 7 bits a byte; all but the last one have the first bit.
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(OID, Buffer.of(first * 40 + second, ...bytes));
}

/** @type {(ms: number) => Buffer} */
function time(ms) {
  const text = `${new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  // RFC 5280 4.1.2.5: two digits of the year until 2049, four from then on.
  return text < '2050' ? der(UTC_TIME, Buffer.from(text.slice(2))) : der(GENERALIZED_TIME, Buffer.from(text));
}

/** `::1` is 15 zeros and 01. @type {(address: string) => Buffer} */
function addressBytes(address) {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL writes a dotted end as numbers, too.
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((text) => text.split(':').filter(Boolean));
  const groups = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/**
 * Splits DER into its elements. Their lengths are trusted: X509Certificate has parsed the same bytes.
 * @type {(bytes: Buffer) => { tag: number, whole: Buffer, content: Buffer }[]}
 */
function elementsIn(bytes) {
  const elements = [];
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1];
    const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
    const start = at + 2 + lengthBytes;
    const end = start + (lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes));
    elements.push({ tag: bytes[at], whole: bytes.subarray(at, end), content: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
}

/**
 * @typedef {object} TlsProperty an option of TLS, of an operation and of a run
 * @property {string} about a phrase for help, schema and documents
 * @property {'material' | 'version' | 'text'} kind how the value is read
 * @property {string} type in TypeScript
 * @property {(value: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {Record<string, unknown>} schema JSON Schema
 */

/** Versions of TLS as Node names them, oldest first. */
export const TLS_VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

const material = {
  kind: /** @type {const} */ ('material'),
  type: 'TlsMaterial | TlsMaterial[]',
  expected: "PEM text, a Buffer, the path of a file, { file: 'path' }, or an array of them",
  check: (/** @type {any} */ v) => (Array.isArray(v) ? v.length > 0 && v.every(isMaterial) : isMaterial(v)),
  schema: { $ref: '#/$defs/tlsMaterial' },
};
const version = {
  kind: /** @type {const} */ ('version'),
  type: 'string | number',
  check: (/** @type {any} */ v) => tlsVersion(v) !== undefined,
  expected: 'a version of TLS: 1.0, 1.1, 1.2 or 1.3',
  schema: { enum: [...TLS_VERSIONS, '1.0', '1.1', '1.2', '1.3', 1, 1.1, 1.2, 1.3] },
};
const text = {
  kind: /** @type {const} */ ('text'),
  type: 'string',
  check: (/** @type {any} */ v) => typeof v === 'string',
  expected: 'a string',
  schema: { type: 'string' },
};

/** The options of TLS that an operation and a run have in common. @type {Record<string, TlsProperty>} */
export const TLS_PROPERTIES = {
  ca: { ...material, about: 'trusted certificate authorities, PEM or a file' },
  cert: { ...material, about: 'client certificate, PEM or a file' },
  key: { ...material, about: 'private key of the client certificate, PEM or a file' },
  pfx: { ...material, about: 'client certificate and private key, PKCS #12 or a file' },
  passphrase: { ...text, about: 'passphrase of the private key' },
  servername: { ...text, about: 'server name for TLS (SNI); default: the host of the URL' },
  minVersion: { ...version, about: 'oldest version of TLS to use: 1.0, 1.1, 1.2 (the default) or 1.3' },
  maxVersion: { ...version, about: 'newest version of TLS to use: 1.0, 1.1, 1.2 or 1.3 (the default)' },
  ciphers: { ...text, about: 'cipher suites to use, as OpenSSL names them, separated by colons' },
};

/** @type {(value: any) => boolean} */
function isMaterial(value) {
  if (typeof value === 'string') return value !== '';
  if (value instanceof Uint8Array) return true;
  return typeof value?.file === 'string' && Object.keys(value).length === 1;
}

/** Returns `TLSv1.2` for `1.2` and `'TLSv1.2'`, else undefined. @type {(given: unknown) => string | undefined} */
export function tlsVersion(given) {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const [version, minor = '0'] = /^(?:TLSv)?1(?:\.([0-3]))?$/i.exec(String(given)) ?? [];
  return version && TLS_VERSIONS[Number(minor)];
}

/** @type {WeakMap<Record<string, unknown>, Record<string, unknown>>} */
const withoutIdentities = new WeakMap();

/**
 * Returns the options of TLS that define trust, without client certificates and keys. The same options give the same
 * object, so that an endpoint is found without a new digest.
 * @type {(tls: Record<string, unknown>) => Record<string, unknown>}
 */
export function withoutIdentity(tls) {
  const found = withoutIdentities.get(tls);
  if (found) return found;
  const { cert: _cert, key: _key, pfx: _pfx, passphrase: _passphrase, servername: _servername, ...rest } = tls;
  withoutIdentities.set(tls, rest);
  return rest;
}

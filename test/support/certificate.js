import { readFileSync } from 'node:fs';

const { pfx, ...made } = JSON.parse(readFileSync(new URL('./certificates.json', import.meta.url), 'utf8'));

/**
 * An authority and its certificates, `{ ca, <name>: { key, cert } }`, valid until 2099: made by `make-certificates.js`.
 * The passphrase of `pfx` and `lockedKey` is `open sesame`.
 */
export const CERTIFICATES = Object.freeze({ ...made, pfx: Buffer.from(pfx, 'base64') });

const NAMES = ['localhost', 'one.test', 'two.test'];

/** A self-signed certificate for 127.0.0.1, localhost, one.test and two.test: `{ key, cert }`. */
export function selfSigned(...names) {
  const missing = names.find((name) => !NAMES.includes(name));
  if (missing) throw new Error(`${missing} is not a name of the certificate: add it to make-certificates.js`);
  return made.selfSigned;
}

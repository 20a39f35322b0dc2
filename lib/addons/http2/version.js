import { createRequire } from 'node:module';

/** @import { ChosenVersion } from '../../core/http/versions.js' */
/** @import { HttpVersionEntry } from '../../core/flow/types.js' */

const requireHere = createRequire(import.meta.url);

const VALUES = [true, false, 'only', 'prior-knowledge'];

/** The values of `http2`: a property of operations, and an option of runs. */
export const HTTP2 = {
  type: "boolean | 'only' | 'prior-knowledge'",
  schema: { enum: VALUES },
  check: (/** @type {any} */ v) => VALUES.includes(v),
  expected: "true, false, 'only' or 'prior-knowledge'",
};

/** Negotiated, or HTTP/1.1. @type {ChosenVersion} */
export const NEGOTIATED = { name: 'alpn', alpn: ['h2', 'http/1.1'] };
/** @type {ChosenVersion} */
export const REQUIRED = { name: 'only', alpn: ['h2'] };
/** @type {ChosenVersion} */
const IN_CLEAR = { name: 'prior-knowledge', alpn: ['h2'], isInClear: true };

/** Why HTTP/2 cannot be required of an http: URL. */
export const NOT_NEGOTIATED = "is negotiated by TLS, which an http: URL does not have: write 'prior-knowledge'";

/** The type of the frame that a server sends first (RFC 9113 6.5). */
const SETTINGS = 4;

/** @type {HttpVersionEntry} */
export const VERSION = {
  name: 'http2',
  label: 'HTTP/2',
  property: {
    ...HTTP2,
    about:
      "true: speak HTTP/2 to an https: URL, or HTTP/1.1 if the server has no HTTP/2; 'only': fail then; 'prior-knowledge': speak it to an http: URL, too; default: the run option http2",
  },
  // Without TLS nothing is negotiated: the server is known.
  choose(value = false, protocol) {
    if (value === false) return undefined;
    if (protocol === 'https:') return value === true ? NEGOTIATED : REQUIRED;
    if (value === true) return undefined;
    return value === 'only' ? REQUIRED : IN_CLEAR;
  },
  refuse: (value, protocol) => (value === 'only' && protocol === 'http:' ? `'only' ${NOT_NEGOTIATED}` : undefined),
  // A server begins with the frame SETTINGS of stream 0 (RFC 9113 3.4): its head is the length (3 octets), the type,
  // the flags, and the stream (4 octets).
  errorOf(bytes) {
    const isFrame = bytes.length >= 9 && bytes[3] === SETTINGS && bytes.readUInt32BE(5) === 0;
    return isFrame && bytes.readUInt16BE(0) === 0 ? 'E_HTTP2_SERVER' : undefined;
  },
  open: () => requireHere('./index.js').openHttp2,
};

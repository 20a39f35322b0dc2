import { offered } from '../ground/addons.js';

/** @import { Offered } from '../ground/types.js' */

/**
 * A version of HTTP beside HTTP/1.1, which an operation or a run chooses by its name.
 *
 * @typedef {object} HttpVersion
 * @property {string} name of the run option and of the property of operations
 * @property {string} label `HTTP/2`
 * @property {(value: any, protocol: string) => ChosenVersion | undefined} choose undefined: HTTP/1.1
 * @property {(value: any, protocol: string) => string | undefined} refuse explains why a value does not fit to a URL
 * @property {(bytes: Buffer) => string | undefined} errorOf the code of the error if the first bytes of a response are
 *   of this version
 *
 * @typedef {object} ChosenVersion one object for each choice
 * @property {string} name of the choice: endpoints of different choices differ
 * @property {readonly string[]} alpn the protocols that a TLS handshake offers (RFC 7301)
 * @property {boolean} [isInClear] it is spoken without TLS, so the server may send the first bytes
 */

/** @type {Offered<HttpVersion>[]} */
const OFFERED = offered('httpVersions');

/** The one that add-ons bring, if there is one. @type {HttpVersion | undefined} */
export const OTHER_VERSION = OFFERED.map(({ load }) => load())[0];

import { offered } from '../ground/addons.js';

/** @import { Offered } from '../ground/types.js' */
/** @import { Operation } from '../contracts/step.js' */
/** @import { ReaderEntry, SignatureEntry } from './types.js' */

/** @type {Offered<ReaderEntry>[]} */
const OFFERED = offered('readers');

/** The readers of bodies as they arrive: an operation chooses one by its property. @type {ReaderEntry[]} */
export const READERS = OFFERED.map(({ load }) => load());

/** @type {Offered<SignatureEntry>[]} */
const OFFERED_SIGNATURES = offered('signatures');

/** What signs requests: an operation chooses one by its property. @type {SignatureEntry[]} */
export const SIGNATURES = OFFERED_SIGNATURES.map(({ load }) => load());

/** @type {(operation: Operation) => SignatureEntry | undefined} */
export function signatureOf(operation) {
  return SIGNATURES.find(({ name }) => operation[name] !== undefined);
}

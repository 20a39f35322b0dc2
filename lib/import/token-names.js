import { HASH } from './draft.js';

/** The built-in tokens, in upper case. This layer cannot read them from lib/flow/tokens: a test compares the names. */
const BUILT_IN = new Set([
  ...['INDEX', 'VU', 'WORKER', 'SHARD', 'ARGS', 'ENV', 'UUID', 'RANDOMINT', 'RANDOMITEM', 'RANDOMSTRING'],
  ...['TIMESTAMPMS', 'TIMESTAMP', 'ISOTIMESTAMP'],
]);

/** Reports whether a built-in token has this name, in any case. @type {(name: string) => boolean} */
export function isBuiltIn(name) {
  return BUILT_IN.has(name.toUpperCase());
}

/** Reports whether no other variable of a flow can have this name. @type {(name: string) => boolean} */
export function isReserved(name) {
  return isBuiltIn(name) || name.toLowerCase() === HASH;
}

import { offered } from '../ground/addons.js';

/** @import { Operation, Retry } from '../contracts/step.js' */
/** @import { Offered } from '../ground/types.js' */
/** @import { RetryEntry } from './types.js' */

/** @type {Offered<RetryEntry>[]} */
const OFFERED = offered('retries');

/** An operation chooses one by its property, which replaces the run option of that name. @type {RetryEntry[]} */
export const RETRIES = OFFERED.map(({ load }) => load());

/**
 * Compiles what sends the requests of an operation again; null: nothing does. `run`: the options of the run, by name.
 * @type {(operation: Operation, run: Record<string, unknown>) => Retry | null}
 */
export function compileRetry(operation, run) {
  const compiled = RETRIES.map(({ name, compile }) => compile(operation[name] ?? run[name]));
  return compiled.find((retry) => retry !== null) ?? null;
}

/**
 * One run option. Its types, schema, flags and documents are generated from this row.
 *
 * @typedef {object} RunOption
 * @property {string} name
 * @property {string} about help text: a lower-case phrase without a full stop
 * @property {string} type TypeScript type of what a program or a flow may give
 * @property {string} [parsed] type of the value that the run works with, if it differs
 * @property {Record<string, unknown> | null} schema JSON Schema; null if JSON cannot express it
 * @property {(value: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {(value: any) => string | undefined} [refuse] why a value cannot be used, in more words than `expected`
 * @property {(given: any) => any} [read] turns the text of a flag, or a text in a flow, into the value
 * @property {boolean} [readsAny] `read` accepts values of every type
 * @property {string} [flag] of the command, as commander writes it
 * @property {{ flag: string, about: string }} [opposite] of a flag that begins with `--no-`: a flag for true
 * @property {(text: string) => string | undefined} [refuseText] why the command does not take a text for its flag that
 *   could be read, but is likely to mean something else; a sentence without its full stop
 * @property {boolean} [repeatable] the flag may be given several times: the value is an array
 * @property {string} [env] environment variable that the command reads
 * @property {(value: any) => boolean} [needsCapability] whether this value needs a transport with a capability of
 *   this name
 * @property {boolean} [isSecret] results do not show it
 * @property {(given: any) => unknown} [masked] the value as people and results see it, without the secrets in it
 * @property {string} [refusedInJob] why a job of Kubernetes cannot have it: completes "--start …"
 * @property {string} [refusedByAgents] why it cannot be sent to agents
 * @property {(weaker: any, stronger: any) => any} [merge] combines the values of two layers; default: the stronger one
 * @property {any} [default]
 * @property {any} [commandDefault] default of the command, if it differs
 */

import { isSecretName } from '../../text/secret-names.js';
import { typeName, formatValue } from '../../text/format-value.js';

/**
 * @param {RunOption} row
 * @param {unknown} given
 * @returns {string} why the option cannot have this value: `expected a whole number, got "x"`
 */
export function refusalOf({ name, expected, isSecret, refuse }, given) {
  const reason = refuse?.(given);
  if (reason) return reason;
  return `expected ${expected}, got ${isSecret || isSecretName(name) ? typeName(given) : formatValue(given)}`;
}

/**
 * @param {RunOption} row
 * @param {any} given
 * @returns {any} the value that the run works with; not checked yet
 */
export function readOption({ read, readsAny }, given) {
  return read && (readsAny || typeof given === 'string' || Array.isArray(given)) ? read(given) : given;
}

import { nearest } from '../../problems.js';
import { typeName } from '../../text/format-value.js';
import { isObject } from '../record.js';
import { CHECKS } from './index.js';

/**
 * @import { Needs } from '../../transport/types.js'
 * @import { Operation } from '../types.js'
 * @import { CheckContext, NamedCheck } from './types.js'
 */

/**
 * Compiles `expect` of an operation.
 *
 * @param {Operation} operation valid by {@link refuseExpect}
 * @param {CheckContext & { where: string }} context
 * @returns {{ checks: NamedCheck[], reads: Needs[] }}
 */
export function compileChecks({ expect = {} }, { where, ...context }) {
  const entries = CHECKS.filter(({ name }) => expect[name] !== undefined);
  return {
    checks: entries.map(({ name, compile }) => ({
      where: `${where}.expect.${name}`,
      check: compile(expect[name], context),
    })),
    reads: entries.map(({ reads }) => reads),
  };
}

/**
 * Explains why `expect` cannot have a value.
 *
 * @param {any} value
 * @returns {string | undefined} undefined if it can
 */
export function refuseExpect(value) {
  if (!isObject(value)) return undefined;
  for (const [key, argument] of Object.entries(value)) {
    const entry = CHECKS.find(({ name }) => name === key);
    if (!entry) return unknownCheck(key);
    if (argument !== undefined && !entry.check(argument))
      return `${key}: expected ${entry.expected}, got ${typeName(argument)}`;
  }
  return undefined;
}

/** @type {(key: string) => string} */
function unknownCheck(key) {
  const names = CHECKS.map(({ name }) => name);
  const near = nearest(key, names);
  return `has the unknown property ${key}${near ? `, did you mean ${near}?` : `: use ${names.join(', ')}`}`;
}

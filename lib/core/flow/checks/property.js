import { createRequire } from 'node:module';

import { typeName } from '../../text/format-value.js';
import { isObject } from '../record.js';

/** @import { Operation } from '../../contracts/step.js' */
/** @import { Property } from '../types.js' */
/** @import { Expect, ExpectContext } from './index.js' */
/** @import { Refusal } from './types.js' */

const requireHere = createRequire(import.meta.url);

/** @type {() => typeof import('./index.js')} */
const loadChecks = () => requireHere('./index.js');

/** @type {Expect} */
const NO_CHECKS = { checks: [], reads: [], acceptsStatus: null };

/**
 * Compiles `expect` of an operation. Many flows check nothing: these do not load the checks.
 * @type {(operation: Operation, context: ExpectContext) => Expect}
 */
export function checksOf(operation, context) {
  return operation.expect === undefined ? NO_CHECKS : loadChecks().compileChecks(operation, context);
}

/** `expect` of HTTP; that of WebSockets is among their properties. @type {Property} */
export const EXPECT = {
  type: 'Expectation | Expectation[]',
  check: (/** @type {any} */ value) => isObject(value) || Array.isArray(value),
  expected: 'an object such as { status: 201 }, or a list of them',
  refuse: refuseExpect,
  schema: {
    anyOf: [{ $ref: '#/$defs/expectation' }, { type: 'array', items: { $ref: '#/$defs/expectation' }, minItems: 1 }],
  },
  about: 'what the response must be; another one is an error of the kind expect',
};

/** Refuses a value of `expect`; `compileChecks` reports problems inside it. @type {(value: any) => Refusal[]} */
export function refuseExpect(value) {
  if (!Array.isArray(value)) return [];
  if (value.length === 0) return [{ reason: 'is an empty list: remove it' }];
  return value.flatMap((one, i) =>
    isObject(one) ? [] : [{ at: `[${i}]`, reason: `expected an object such as { status: 201 }, got ${typeName(one)}` }],
  );
}

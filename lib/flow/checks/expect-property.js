import { describedSchemas } from '../described-schemas.js';
import { isObject } from '../record.js';
import { refuseExpect } from './compile-checks.js';
import { CHECKS } from './index.js';

/** @import { Property } from '../properties.js' */

const NAME = {
  name: 'name',
  type: 'string',
  schema: { type: 'string' },
  about: 'name of the check in results; it passes if all properties beside it do',
};

/** One object of `expect`, for the JSON Schema of flows. */
export const EXPECTATION_SCHEMA = {
  type: 'object',
  properties: {
    ...describedSchemas([NAME]),
    ...describedSchemas(CHECKS),
  },
  additionalProperties: false,
};

/** The members of the type of an expectation, for `lib/flow/flow-types.js`. */
export const EXPECTATION_MEMBERS = [NAME, ...CHECKS.map(({ name, type, about }) => ({ name, type, about }))];

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

import { offered } from '../../ground/addons.js';
import { nearestOrAll } from '../../ground/problems.js';
import { anyText, typeName } from '../../text/format-value.js';
import { maskText } from '../../text/mask.js';
import { describedSchemas } from '../comparisons.js';
import body from './body.js';
import headers from './headers.js';
import json from './json.js';
import status, { accepting } from './status.js';
import text from './text.js';
import within from './within.js';

/** @import { Check, NamedCheck } from '../../contracts/expectation.js' */
/** @import { Needs } from '../../contracts/response.js' */
/** @import { Operation } from '../../contracts/step.js' */
/** @import { Complain, Offered } from '../../ground/types.js' */
/** @import { ValuePlace } from '../written-value.js' */
/** @import { CheckContext, CheckEntry, Refusal } from './types.js' */

/** @type {Offered<CheckEntry[]>[]} */
const OFFERED = offered('checks');

/** The properties of `expect`: what the response of an operation must be. @type {CheckEntry[]} */
export const CHECKS = [status, headers, json, text, body, within, ...OFFERED.flatMap(({ load }) => load())];

/**
 * @typedef {(text: string, place?: import('../written-value.js').ValuePlace, at?: string) => string} MarkPart at: the
 *   part of the argument, as in {@link CheckPart}
 *
 * @typedef {object} CheckPart
 * @property {string} name in results, unless the user gives one: `status 201`
 * @property {string} [at] the part of the argument: `["$.owner"]`
 * @property {Check} check
 *
 * @typedef {object} Expect `expect` of an operation, compiled
 * @property {NamedCheck[]} checks
 * @property {Needs[]} reads
 * @property {((status: number) => boolean) | null} acceptsStatus which statuses of 400 or more are no error; null:
 *   none of them
 */

const NAME = {
  name: 'name',
  type: 'string',
  schema: { type: 'string' },
  about: 'name of the check in results; it passes if all properties beside it do',
};

/** One object of `expect`, for the JSON Schema of flows. */
export const EXPECTATION_SCHEMA = {
  type: 'object',
  properties: describedSchemas([NAME, ...CHECKS]),
  additionalProperties: false,
};

/** The members of the type of an expectation, for `lib/core/contracts/flow-properties.d.ts`. */
export const EXPECTATION_MEMBERS = [NAME, ...CHECKS.map(({ name, type, about }) => ({ name, type, about }))];

/**
 * @typedef {object} ExpectContext
 * @property {string} where `flow.main[0]`
 * @property {(text: string, key: string, place?: ValuePlace) => string} mark
 * @property {Complain} complain
 * @property {string} [folder] of relative paths of files
 */

/** @typedef {Record<string, any>} GivenExpectation an object of `expect` */

/**
 * Compiles `expect` of an operation, an object or a list of objects. Each property is a check of its own, which results
 * count; so is each header field and each path of JSON. A `name` makes one check of all properties of its object.
 * @type {(operation: Operation, context: ExpectContext) => Expect}
 */
export function compileChecks(operation, context) {
  const { expect } = operation;
  const isList = Array.isArray(expect);
  /** @type {GivenExpectation[]} */
  const all = isList ? expect : [expect];
  const statuses = all.flatMap(({ status }) => (status === undefined ? [] : [accepting(status)]));
  return {
    checks: all.flatMap((one, i) => {
      const key = isList ? `expect[${i}]` : 'expect';
      for (const { name, needs } of entriesOf(one))
        if (needs && !operation[needs.property]) context.complain(`${key}.${name}`, needs.reason);
      return checksOf(one, key, context);
    }),
    reads: all.flatMap((one) => entriesOf(one).map(({ reads }) => reads)),
    acceptsStatus: statuses.length === 0 ? null : (status) => statuses.every((accepts) => accepts(status)),
  };
}

/** @type {(expectation: GivenExpectation) => typeof CHECKS} */
function entriesOf(expectation) {
  return CHECKS.filter(({ name }) => expectation[name] !== undefined);
}

/** @type {(expectation: GivenExpectation, key: string, context: ExpectContext) => NamedCheck[]} */
function checksOf(expectation, key, { where, mark, complain, folder }) {
  refuseNames(expectation, (name, reason) => complain(`${key}${name && `.${name}`}`, reason));
  const parts = entriesOf(expectation).flatMap((entry) => {
    const path = `${key}.${entry.name}`;
    const argument = expectation[entry.name];
    const refusals = refusalsOf(entry, argument);
    for (const { at = '', reason } of refusals) complain(path + at, reason);
    if (refusals.length > 0) return [];
    /** @type {CheckContext} */
    const context = {
      mark: (text, place, at = '') => mark(text, path + at, place),
      complain: (reason, at = '') => complain(path + at, reason),
      folder,
    };
    return entry.compile(argument, context).map((part) => placed(part, `${where}.${path}`));
  });
  if (expectation.name === undefined)
    return parts.map(({ name, where: at, check }) => ({ where: at, name, parts: [{ where: at, check }] }));
  return [{ where: `${where}.${key}`, name: maskText(anyText(expectation.name)), parts }];
}

/** @type {(part: CheckPart, where: string) => { name: string, where: string, check: CheckPart['check'] }} */
function placed({ name, at = '', check }, where) {
  return { name: maskText(name), where: `${where}${at}`, check };
}

/** @type {(entry: CheckEntry, argument: unknown) => Refusal[]} */
function refusalsOf(entry, argument) {
  if (!entry.check(argument)) return [{ reason: `expected ${entry.expected}, got ${typeName(argument)}` }];
  return entry.refuse?.(argument) ?? [];
}

/** @type {(expectation: GivenExpectation, complain: Complain) => void} */
function refuseNames({ name, ...expectation }, complain) {
  const names = ['name', ...CHECKS.map((entry) => entry.name)];
  const unknown = Object.keys(expectation).filter((key) => !names.includes(key));
  for (const key of unknown) complain(key, `unknown property${nearestOrAll(key, names)}`);
  if (name === undefined) return;
  if (typeof name !== 'string' || name.trim() === '') complain('name', `expected a text, got ${typeName(name)}`);
  if (entriesOf(expectation).every(({ allows }) => allows) && unknown.length === 0) {
    const checking = CHECKS.filter(({ allows }) => !allows).map((entry) => entry.name);
    complain('', `expects nothing beside its name: add one of ${checking.join(', ')}`);
  }
}

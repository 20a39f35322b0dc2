import { offered } from '../../ground/addons.js';
import { isEmpty } from '../record.js';
import { Placeholder } from '../placeholder.js';
import body from './body.js';
import { newBoundary } from './content.js';
import form from './form.js';
import json from './json.js';

/** @import { Operation, Scope } from '../../contracts/step.js' */
/** @import { Offered } from '../../ground/types.js' */
/** @import { BodyContext, BodyEntry, BodyTemplate } from './types.js' */
/** @import { Property } from '../types.js' */

/** @type {Offered<BodyEntry>[]} */
const OFFERED = offered('bodies');

/** The properties of an operation that hold its body. @type {BodyEntry[]} */
export const BODIES = [json, body, form, ...OFFERED.map(({ load }) => load())];

/** Properties that hold a part of a body of one kind, which is JSON. @type {Record<string, Property>} */
export const BODY_PARTS = Object.assign({}, ...BODIES.map(({ parts = {} }) => parts));

const JSON_BODIES = BODIES.filter(({ isJson = false }) => isJson);

/** Reports whether a field of an operation is sent as JSON. @type {(name: string, operation: any) => boolean} */
export function isSentAsJson(name, operation) {
  return name === 'json' || Object.hasOwn(BODY_PARTS, name) || (name === 'body' && operation.json === true);
}

/** Without one, content and type are null. @type {(operation: Operation, context: BodyContext) => BodyTemplate} */
export function compileBody(operation, context) {
  const [entry] = bodiesOf(operation);
  if (!entry) return { contentType: null, content: null };
  const value = operation[entry.name];
  return value instanceof Placeholder ? computedBody(entry, value, context) : entry.compile(value, context);
}

/**
 * The body that a function returns for each request. A request for which it returns nothing has no body, and no type.
 * Its bytes are not in the memory of bodies, and `{ file }` is read for each request.
 * @type {(entry: BodyEntry, placeholder: Placeholder, context: BodyContext) => BodyTemplate}
 */
function computedBody(entry, placeholder, context) {
  const beforeRun = { ...context, boundary: newBoundary() };
  const atRequest = { ...beforeRun, mark: (/** @type {string} */ text) => text, complain: context.refuse };
  const valueOf = placeholder.reader();
  // The blank value gives the type and what else is fixed before the run; the value of a request gives its bytes.
  const fixed = entry.compile(entry.blank, beforeRun);
  return {
    ...fixed,
    isGiven: (scope) => isSent(entry, valueOf(scope)),
    typeOf: (scope) => entry.typeOf?.(valueOf(scope), context) ?? fixed.contentType,
    content(/** @type {Scope} */ scope) {
      const value = valueOf(scope);
      if (!isSent(entry, value)) return null;
      const { content } = entry.compile(value, atRequest);
      return /** @type {Buffer} */ (content);
    },
  };
}

/**
 * Reports whether a value that a function has returned is a body. False is no JSON, as `json: false` of an operation is
 * none, which is removed before its body is compiled; NaN has no JSON form. Another body that is null, false or 0 is
 * none, as in the request library.
 * @type {(entry: Pick<BodyEntry, 'name'>, value: unknown) => boolean}
 */
function isSent({ name }, value) {
  if (name === 'json') return value !== undefined && value !== false && !Number.isNaN(value);
  return value === '' || !isEmpty(value);
}

/** It is if JSON is sent, by a function too. @type {(operation: Operation) => boolean | ((scope: Scope) => boolean)} */
export function parsesJson(operation) {
  const { json } = operation;
  if (!(json instanceof Placeholder)) return JSON_BODIES.some(({ name }) => operation[name] !== undefined);
  const valueOf = json.reader();
  return (scope) => isSent({ name: 'json' }, valueOf(scope));
}

/** Finds the bodies of an operation: at most one if it is valid. @type {(operation: Operation) => BodyEntry[]} */
export function bodiesOf(operation) {
  return BODIES.filter(({ name, sends = () => true }) => operation[name] !== undefined && sends(operation[name]));
}

/** Reports whether an operation may have its name from its body. @type {(operation: Operation) => boolean} */
export function isNamedByBody(operation) {
  return BODIES.some(({ name, hasName = false }) => hasName && operation[name] !== undefined);
}

import { createRequire } from 'node:module';

import { isEmpty, isRecord } from '../record.js';
import { Placeholder } from '../placeholder.js';
import body from './body.js';
import { newBoundary } from './content.js';
import formData from './form-data.js';
import form from './form.js';
import json from './json.js';
import multipart from './multipart.js';

/** @import { Operation, Scope } from '../../contracts/step.js' */
/** @import { BodyContext, BodyEntry, BodyTemplate, GraphqlProperties } from './types.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows have no GraphQL. @type {() => typeof import('../../../addons/graphql/graphql.js')} */
export const loadGraphql = () => requireHere('../../../addons/graphql/graphql.js');

const text = { type: 'string', minLength: 1 };

/** @type {GraphqlProperties} */
const GRAPHQL_PROPERTIES = {
  query: { ...text, description: 'Text of the query' },
  file: { ...text, description: 'Path of its file' },
  operation: { ...text, description: 'Name of the operation, if the text has several' },
  persisted: {
    type: 'boolean',
    description: 'Send the SHA-256 hash instead of the text, which is sent if the server asks for it',
  },
  schema: { ...text, description: 'Path of the schema that the query is validated against before the run' },
};

/** @type {BodyEntry} */
const graphql = {
  name: 'graphql',
  about:
    'query of GraphQL, sent as JSON with variables; the response is parsed as JSON, and its errors are errors: text, or an object with query or file, and operation (the name), persisted (by hash) and schema (a file)',
  type: `string | { ${Object.entries(GRAPHQL_PROPERTIES)
    .map(([name, { type }]) => `${name}?: ${type}`)
    .join(', ')} }`,
  check: (value) => (typeof value === 'string' && value.trim() !== '') || isRecord(value),
  expected: "a query, or an object such as { file: 'items.graphql' }",
  blank: '',
  isFixed: true,
  schema: {
    oneOf: [text, { type: 'object', properties: GRAPHQL_PROPERTIES, additionalProperties: false }],
  },
  compile: (value, context) => loadGraphql().compileGraphql(value, context, GRAPHQL_PROPERTIES),
};

/** The properties of an operation that hold its body. @type {BodyEntry[]} */
export const BODIES = [json, body, form, formData, multipart, graphql];

/**
 * Compiles the body of an operation; content and content type are null without one.
 * @type {(operation: Operation, context: BodyContext) => BodyTemplate}
 */
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

/**
 * Reports whether the response is parsed as JSON: it is if JSON is sent, also if a function returns it.
 * @type {(operation: Operation) => boolean | ((scope: Scope) => boolean)}
 */
export function parsesJson({ json, graphql: query }) {
  if (!(json instanceof Placeholder)) return json !== undefined || query !== undefined;
  const valueOf = json.reader();
  return (scope) => isSent({ name: 'json' }, valueOf(scope));
}

/** Finds the bodies of an operation: at most one if it is valid. @type {(operation: Operation) => BodyEntry[]} */
export function bodiesOf(operation) {
  return BODIES.filter(({ name, sends = () => true }) => operation[name] !== undefined && sends(operation[name]));
}

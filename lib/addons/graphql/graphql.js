import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

import { makeError } from '../../core/ground/errors.js';
import { nearest } from '../../core/ground/problems.js';
import { readOrComplain, readTextFile } from '../../core/process/read-file.js';
import { anyText, formatValue, typeName } from '../../core/text/format-value.js';
import { operationsIn } from './document.js';
import { Placeholder } from '../../core/flow/placeholder.js';
import { isObject, isPlainObject } from '../../core/flow/record.js';
import { hasToken } from '../../core/flow/tokens/index.js';
import { textContent } from '../../core/flow/bodies/content.js';
import { markedJson } from '../../core/flow/bodies/json.js';
import { decodeBeginning } from '../../core/iteration/session/decode.js';

/** @import { Received } from '../../core/contracts/expectation.js' */
/** @import { Response } from '../../core/contracts/response.js' */
/** @import { BodyContext, BodyTemplate } from '../../core/flow/bodies/types.js' */
/** @import { Operation } from '../../core/contracts/step.js' */

const MOST_BYTES = 16 * 1024 * 1024;

/** @typedef {Record<string, { type: string, description: string }>} Members those of `graphql`, as JSON Schemas */

/** @type {BodyTemplate} */
const NOTHING = { contentType: 'application/json', content: null };

/**
 * Compiles a GraphQL request (GraphQL over HTTP, 5.4). The text is fixed, so that a server that keeps what it has
 * parsed finds it again: what varies is in the variables.
 * @type {(value: unknown, context: BodyContext, properties: Members) => BodyTemplate}
 */
export function compileGraphql(value, context, properties) {
  const given = typeof value === 'string' ? { query: value } : /** @type {Record<string, any>} */ (value);
  const text = refuseGiven(given, context, properties) ? null : textOf(given, context);
  if (text === null) return NOTHING;
  refuseRequest(context.operation ?? {}, given, context);
  const name = nameIn(text, given, context);
  if (name === undefined) return NOTHING;
  const query = { query: JSON.stringify(text) };
  const others = membersBeside(name, context);
  if (given.persisted !== true) return { ...NOTHING, content: textContent(objectOf({ ...query, ...others })), name };
  // The hash is sent in place of the text, and both to a server that does not know the hash.
  const persisted = { ...others, extensions: JSON.stringify(byHash(text)) };
  const whole = textContent(objectOf({ ...query, ...persisted }));
  const body = typeof whole === 'function' ? whole : () => whole;
  return { ...NOTHING, content: textContent(objectOf(persisted)), name, resend: { isAsked: isUnknownQuery, body } };
}

/** The most bytes of an answer to an unknown hash. */
const MOST_ANSWER_BYTES = 16 * 1024;

/** @type {(response: Response) => boolean} */
function isUnknownQuery({ body, contentEncoding = '' }) {
  if (body === null || body.length > MOST_ANSWER_BYTES) return false;
  const text = (contentEncoding === '' ? body : decodeBeginning(body, contentEncoding)).toString();
  if (!/PersistedQueryNotFound|PERSISTED_QUERY_NOT_FOUND/.test(text)) return false;
  try {
    const { errors } = JSON.parse(text);
    return errors.some(
      (/** @type {any} */ error) =>
        error?.message === 'PersistedQueryNotFound' || error?.extensions?.code === 'PERSISTED_QUERY_NOT_FOUND',
    );
  } catch {
    return false;
  }
}

/** Returns members as JSON. @type {(name: string | null, context: BodyContext) => Record<string, string>} */
function membersBeside(name, context) {
  const { mark, complain, operation: { variables } = {} } = context;
  const refuse = (/** @type {string} */ reason) => complain('variables', reason);
  return {
    ...(name !== null && { operationName: JSON.stringify(name) }),
    ...(variables !== undefined && { variables: markedJson(variables, 'variables', mark, refuse) }),
  };
}

/** Automatic persisted queries of Apollo. @type {(text: string) => object} */
function byHash(text) {
  return { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') } };
}

/** @type {(members: Record<string, string>) => string} */
function objectOf(members) {
  return `{${Object.entries(members)
    .map(([key, json]) => `"${key}":${json}`)
    .join(',')}}`;
}

/**
 * Reports properties that are invalid, and returns whether some are.
 * @type {(given: Record<string, any>, context: BodyContext, properties: Members) => boolean}
 */
function refuseGiven(given, { complain }, properties) {
  const keys = Object.keys(properties);
  let isRefused = false;
  const refuse = (/** @type {string} */ key, /** @type {string} */ reason) => {
    isRefused = true;
    complain(key === '' ? 'graphql' : `graphql.${key}`, reason);
  };
  for (const [key, value] of Object.entries(given)) {
    const near = nearest(key, keys);
    const type = properties[key]?.type;
    if (!keys.includes(key))
      refuse(key, `unknown property${near ? `, did you mean ${near}?` : `: write ${keys.join(', ')}`}`);
    else if (value !== undefined && (typeof value !== type || value === ''))
      refuse(key, `expected ${type === 'string' ? 'a text' : 'true or false'}, got ${typeName(value)}`);
  }
  if ((given.query === undefined) === (given.file === undefined))
    refuse('', `has ${given.query === undefined ? 'neither query nor' : 'query and'} file: write one of them`);
  return isRefused;
}

/** The text of the query; null: refused. @type {(given: Record<string, any>, context: BodyContext) => string | null} */
function textOf({ query, file }, { complain, folder = '' }) {
  const text =
    query ??
    readOrComplain(
      () => readTextFile(resolve(folder, file), { maxBytes: MOST_BYTES }),
      (reason) => complain('graphql.file', reason),
    );
  if (text === null || !hasToken(text)) return text;
  complain(
    'graphql',
    'has a token, and tokens are not replaced in a query: write a variable, and the token in variables',
  );
  return null;
}

/** @type {(operation: Record<string, any>, given: Record<string, any>, context: BodyContext) => void} */
function refuseRequest({ variables, aws, ...operation }, { persisted }, { complain }) {
  const isPost = operation.post !== undefined || String(operation.method ?? '').toUpperCase() === 'POST';
  if (!isPost) complain('graphql', "is sent with POST: write { post: '/graphql', graphql }");
  if (variables !== undefined && !isPlainObject(variables) && !(variables instanceof Placeholder))
    complain('variables', `expected an object such as { first: 10 }, got ${typeName(variables)}`);
  if (persisted === true && (operation.stream ?? false) !== false)
    complain('graphql.persisted', 'cannot be combined with stream, as the server answers an unknown hash without one');
  if (persisted === true && aws !== undefined)
    complain('graphql.persisted', 'cannot be combined with aws, which signs one body: remove one of them');
}

/**
 * Finds the name of the operation that the server performs; null: it has none; undefined: the query was refused.
 * @type {(text: string, given: Record<string, any>, context: BodyContext) => string | null | undefined}
 */
function nameIn(text, { operation: wanted }, { complain, operation }) {
  const all = operationsIn(text);
  const names = all.flatMap(({ name }) => name ?? []);
  const [found = null] = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (all.length === 0)
    complain('graphql', "has no operation: write a query or a mutation, such as 'query items { items { id } }'");
  else if (wanted !== undefined && found === null)
    complain('graphql.operation', `is no operation of the text, which has ${names.join(', ') || 'none with a name'}`);
  else if (wanted === undefined && all.length > 1)
    complain(
      'graphql',
      `has several operations (${names.join(', ')}): name one of them, { file, operation: '${names[0]}' }`,
    );
  else if (found?.kind === 'subscription' && (operation?.stream ?? false) === false)
    complain('graphql', "is a subscription, whose results are a stream: write stream: 'sse' beside it");
  else return /** @type {NonNullable<typeof found>} */ (found).name;
  return undefined;
}

/** Characters of a message of the server. */
const LONGEST = 500;

/**
 * Creates a function that returns the error of a response to an operation: its `errors`, unless they are allowed (a
 * refused hash never is), or that it is no response of GraphQL. Null: it has no such error, or its status is an error
 * already.
 * @type {(operation: Operation) => (received: Pick<Received, 'json' | 'statusCode'>) => Error | null}
 */
export function faultOfResponse({ expect }) {
  const isAllowed = allowsErrors(expect);
  return ({ json, statusCode }) => {
    const { value, fault } = json;
    if (isObject(value) && Array.isArray(value.errors) && value.errors.length > 0)
      return isAllowed && !value.errors.some(refusesHash) ? null : errorOf(value.errors);
    if ((isObject(value) && value.data !== undefined) || statusCode >= 400) return null;
    const received = fault ?? formatValue(value);
    return makeError('E_GRAPHQL', { reason: `expected data or errors, received ${received}` });
  };
}

/** Reports whether errors of GraphQL are allowed. @type {(expect: Operation['expect']) => boolean} */
function allowsErrors(expect) {
  return [expect ?? []].flat().some((one) => one?.graphql !== undefined);
}

/** Results over Server-Sent Events have a type, and so has the end. @type {(operation: Operation) => object} */
export function eventRules({ expect }) {
  return { type: 'next', endType: 'complete', needsType: true, fault: allowsErrors(expect) ? null : faultOfEvent };
}

/** Reads a result, or a part of one (`@defer`, `@stream`). @type {(event: Pick<Received, 'json'>) => Error | null} */
function faultOfEvent({ json: { value, fault } }) {
  if (!isObject(value))
    return makeError('E_GRAPHQL', { reason: `expected a result, received ${fault ?? formatValue(value)}` });
  const parts = [value, ...[value.incremental, value.completed].flatMap((one) => (Array.isArray(one) ? one : []))];
  const errors = parts.flatMap((part) => (isObject(part) && Array.isArray(part.errors) ? part.errors : []));
  return errors.length > 0 ? errorOf(errors) : null;
}

/** Clients of Apollo send the text after this error; a flow has to say so itself. @type {(error: any) => boolean} */
function refusesHash(error) {
  return (
    isObject(error) &&
    (error.message === 'PersistedQueryNotSupported' || error.extensions?.code === 'PERSISTED_QUERY_NOT_SUPPORTED')
  );
}

const REMOVE_PERSISTED = ': the server takes no queries by their hash, so remove persisted from the operation';

/** Returns the error that a list of errors is. @type {(errors: any[]) => Error} */
export function errorOf(errors) {
  const [first, ...others] = errors;
  const { message, path, extensions } = isObject(first) ? first : { message: first };
  const at = Array.isArray(path) && path.length > 0 ? `${path.map(anyText).join('.')}: ` : '';
  const text = typeof message === 'string' ? message : formatValue(message);
  const more = others.length === 0 ? '' : `; ${others.length} more ${others.length === 1 ? 'error' : 'errors'}`;
  const reason = `${at}${text}`.slice(0, LONGEST) + more + (errors.some(refusesHash) ? REMOVE_PERSISTED : '');
  return Object.assign(makeError('E_GRAPHQL', { reason }), { ownCode: extensions?.code });
}

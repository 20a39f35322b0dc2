import { makeError } from '../../ground/errors.js';
import { isPlainObject } from '../record.js';
import { loadGraphql } from './index.js';

/** @import { Received } from '../../contracts/expectation.js' */
/** @import { Operation, Step } from '../../contracts/step.js' */

/** A document of GraphQL begins so: with its kind, or with a selection of fields. */
const QUERY =
  /^\s*(?:(?:query|mutation|subscription)\b[^{}]*\{|fragment\s+\w+\s+on\s+\w+[^{}]*\{|\{\s*(?:\.\.\.|[A-Za-z_]))/;

/**
 * Returns what finds an error in a response of 200, if the request is one of GraphQL or JSON-RPC that is written as
 * JSON or text. Null: it is another request, or the operation checks the body itself.
 * @type {(operation: Operation) => Step['fault']}
 */
export function hiddenFaultOf({ json, body, headers, expect = {} }) {
  if (['json', 'body', 'schema'].some((name) => expect[name] !== undefined)) return null;
  const requests = json === undefined ? requestsIn(body, headers) : [json].flat();
  const isGraphql = requests.some((one) => isPlainObject(one) && isQuery(one.query));
  const isRpc = requests.some((one) => isPlainObject(one) && one.jsonrpc === '2.0' && typeof one.method === 'string');
  if (isGraphql) return (received) => firstFault(received, graphqlFault);
  return isRpc ? (received) => firstFault(received, rpcFault) : null;
}

/** @type {(body: unknown, headers: any) => any[]} */
function requestsIn(body, headers) {
  if (typeof body !== 'string') return [];
  const fields = isPlainObject(headers) ? Object.entries(headers) : [];
  const type = fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (/^application\/graphql\b/i.test(String(type ?? ''))) return [{ query: body }];
  if (!/^\s*[[{]/.test(body)) return [];
  try {
    return [JSON.parse(body)].flat();
  } catch {
    return [];
  }
}

/**
 * Other bodies have a member `query`, too: it has to read as a document of GraphQL.
 * @type {(text: unknown) => boolean}
 */
function isQuery(text) {
  if (typeof text !== 'string') return false;
  const plain = text.replace(/"""[^]*?"""|"(?:[^"\\\n]|\\.)*"/g, '""').replace(/#(?![{<]).*$/gm, '');
  let depth = 0;
  for (const sign of plain) {
    if (sign === '{') depth++;
    else if (sign === '}' && --depth < 0) return false;
  }
  return depth === 0 && QUERY.test(plain) && /\}\s*$/.test(plain);
}

/** @type {(received: Received, faultOf: (value: any) => Error | null) => Error | null} */
function firstFault(received, faultOf) {
  const { json, statusCode } = received;
  if (statusCode >= 400) return null;
  const values = json.fault ? partsOf(received.text, received.header('content-type') ?? '') : [json.value].flat();
  for (const value of values) {
    const fault = isPlainObject(value) ? faultOf(value) : null;
    if (fault !== null) return fault;
  }
  return null;
}

/** The JSON of the parts of multipart/mixed (`@defer`). @type {(text: string, type: string) => any[]} */
function partsOf(text, type) {
  if (!/^multipart\/mixed\b/i.test(type)) return [];
  const boundary = /boundary="?([^";\s]+)/i.exec(type)?.[1] ?? '-';
  return text.split(`--${boundary}`).flatMap((part) => {
    try {
      return [JSON.parse(part.slice(part.search(/\r?\n\r?\n/)))];
    } catch {
      return [];
    }
  });
}

/** @type {(value: any) => Error | null} */
function graphqlFault({ errors, data }) {
  const hasFailed = Array.isArray(errors) && errors.length > 0 && (data ?? null) === null;
  return hasFailed ? loadGraphql().errorOf(errors) : null;
}

/** @type {(value: any) => Error | null} */
function rpcFault({ error, result }) {
  if (!isPlainObject(error) || result !== undefined) return null;
  return makeError('E_GRAPHQL', { reason: `JSON-RPC: ${String(error.message ?? error.code).slice(0, 500)}` });
}

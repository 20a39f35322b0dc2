import { createRequire } from 'node:module';

import { makeError } from '../../core/ground/errors.js';
import { isPlainObject } from '../../core/flow/record.js';
import { methodAndUrl } from '../../core/flow/request.js';

/** @import { Received } from '../../core/contracts/expectation.js' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Operation, Step } from '../../core/contracts/step.js' */
/** @import { FaultsOf } from '../../core/flow/types.js' */

const requireHere = createRequire(import.meta.url);

/** Most flows have no GraphQL. @type {() => typeof import('./graphql.js')} */
const loadGraphql = () => requireHere('./graphql.js');

/** Characters of a body that is read for this. */
const LONGEST = 1024 * 1024;
/** A token of a flow outside of quotes and in them: what it will be is not known yet. */
const TOKEN = /#\{[^{}]*\}|#<[^<>]*>/g;
/** What is in front of the braces of a definition (GraphQL 2.2); none is a shorthand of a query. */
const DEFINITION = /^(?:(?:query|mutation|subscription)(?: \w+)?|fragment \w+ on \w+)?$/;

/** Finds the errors of GraphQL and JSON-RPC in responses whose status is none. @type {FaultsOf} */
export function faultsOf({ valid, place, values, beforeHooks }, constant) {
  const { json, body, expect, graphql } = valid;
  if (graphql !== undefined) return { fault: loadGraphql().faultOfResponse(valid) };
  if ([expect].flat().some((one) => one?.graphql !== undefined))
    place.complain('expect.graphql', 'is for operations with graphql: remove it');
  const operation = { ...valid, url: methodAndUrl(valid).url };
  // A file, or bytes
  const sent = body === undefined || typeof body === 'string' ? undefined : constant?.body;
  // Hooks may replace it.
  const fault = beforeHooks.length > 0 ? null : hiddenFaultOf(operation, Buffer.isBuffer(sent) ? sent : undefined);
  if (fault !== null) return { fault };
  const hasBody = json !== undefined || body !== undefined;
  const isMade = beforeHooks.length > 0 || (hasBody && values.list.length > 0);
  return { fault, ...(isDecidedWhenSent(operation, isMade) && { faultOfSent }) };
}

/**
 * Returns what finds an error in a response of 200, if the request is one of GraphQL or JSON-RPC that is written as
 * JSON or text, or in the query of its URL. Null: it is another request, or the operation checks the body itself.
 * @type {(operation: Operation, bytes?: Buffer) => Step['fault']} bytes: those of a body that is no text
 */
function hiddenFaultOf({ url, qs, json, form, formData, body, headers, expect = {} }, bytes) {
  if (['json', 'body', 'schema'].some((name) => expect[name] !== undefined)) return null;
  // A form of uploads has the query in `operations`: the multipart request specification of GraphQL.
  const text = bytes?.toString('utf8', 0, LONGEST + 1) ?? /** @type {any} */ (formData)?.operations ?? body;
  const requests = (json ?? form) === undefined ? requestsIn(text, headers) : [json ?? form].flat();
  const isGraphql = [...requests, requestInUrl(url, qs)].some(
    (one) => isPlainObject(one) && (isQuery(one.query) || isPlainObject(one.extensions?.persistedQuery)),
  );
  const isRpc = requests.some((one) => isPlainObject(one) && one.jsonrpc && typeof one.method === 'string');
  if (isGraphql) return (received) => firstFault(received, graphqlFault);
  return isRpc ? (received) => firstFault(received, rpcFault) : null;
}

/** What the text of such a request has, unless its type says that it is a query. */
const SIGNS = ['"query"', '"jsonrpc"', '"persistedQuery"'];

/**
 * Reports whether functions, hooks or tokens decide if an operation is such a request. A token beside the query does
 * not.
 * @type {(operation: Operation, made: boolean) => boolean} made: functions or hooks make the body
 */
function isDecidedWhenSent({ url, qs, json, body, headers, expect = {} }, made) {
  if (['json', 'body', 'schema'].some((name) => expect[name] !== undefined)) return false;
  if (made || /graphql/i.test(String(contentTypeOf(headers)))) return true;
  if (typeof url !== 'string' || /[?&]query=#[{<]/.test(url)) return true;
  if (qs !== undefined && (!isPlainObject(qs) || /^#[{<]/.test(String(qs.query)))) return true;
  if (typeof body === 'string') return /^\s*#\{|"query"\s*:\s*"#\{/.test(body);
  return [json].flat().some((one) => /^\s*#\{/.test(String(isPlainObject(one) ? one.query : one)));
}

/** @type {(headers: any) => unknown} */
function contentTypeOf(headers) {
  const fields = isPlainObject(headers) ? Object.entries(headers) : [];
  return fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/**
 * Returns what {@link hiddenFaultOf} does, for a request that is sent. Other bodies are searched for a few words.
 * @type {(request: Request) => Step['fault']}
 */
function faultOfSent({ path, body, fields }) {
  const at = fields.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  const type = at < 0 ? '' : fields[at + 1];
  const hasText = body !== null && body.length <= LONGEST;
  const text =
    hasText && (/graphql/i.test(type) || SIGNS.some((sign) => body.includes(sign))) ? String(body) : undefined;
  if (text === undefined && !/[?&](?:query|extensions)=/.test(path)) return null;
  return hiddenFaultOf(/** @type {any} */ ({ url: path, body: text, headers: { 'content-type': type } }));
}

/** Reads `?query=…`, `?extensions=…`. @type {(url: unknown, qs: unknown) => { query?: unknown, extensions?: any }} */
function requestInUrl(url, qs) {
  if (typeof url !== 'string') return {};
  const pairs = new URLSearchParams(url.replace(TOKEN, '0').replace(/^[^?#]*|#.*$/gs, ''));
  const { query = pairs.get('query'), extensions = pairs.get('extensions') } = isPlainObject(qs) ? qs : {};
  return { query, extensions: requestsIn(extensions)[0] };
}

/** @type {(body: unknown, headers?: any) => any[]} */
function requestsIn(body, headers) {
  if (typeof body !== 'string' || body.length > LONGEST) return [];
  if (/^application\/graphql\b/i.test(String(contentTypeOf(headers) ?? ''))) return [{ query: body }];
  if (!/^\s*[[{]/.test(body)) return [];
  try {
    return [JSON.parse(body.replace(TOKEN, '0'))].flat();
  } catch {
    return [];
  }
}

/** Other bodies have a `query`: GraphQL has only fields and fragments in braces. @type {(text: unknown) => boolean} */
function isQuery(text) {
  if (typeof text !== 'string' || text.length > LONGEST) return false;
  const plain = text
    .replace(TOKEN, '0')
    .replace(/"""[^]*?"""|"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/#.*$/gm, '')
    // Arguments, and then directives
    .replace(/\([^()]*\)/g, ' ')
    .replace(/@\w+/g, ' ');
  const words = plain.match(/\.\.\.|\w+|[^\s,]/g) ?? [];
  if (MISFIT.test(words.map(signOf).join(''))) return false;
  let depth = 0;
  /** The words in front of the braces of a definition. @type {string[]} */
  let head = [];
  for (const word of words) {
    if (word === '{' && depth++ === 0) {
      if (!DEFINITION.test(head.join(' '))) return false;
      head = [];
    } else if (word === '}' && --depth < 0) return false;
    else if (depth === 0 && word !== '}') head.push(word);
  }
  return depth === 0 && words.at(-1) === '}';
}

/** What selections do not have: other signs, empty braces, braces in braces, and a colon without names around it. */
const MISFIT = /x|\{\}|\{\{|(?:^|[^n]):|:(?!n)/;

/** @type {(word: string) => string} */
function signOf(word) {
  if (/^[A-Za-z_]\w*$/.test(word)) return 'n';
  return ['{', '}', ':', '...'].includes(word) ? word : 'x';
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

/** Reads JSON of multipart/mixed (`@defer`), and of events as of MCP. @type {(text: string, type: string) => any[]} */
function partsOf(text, type) {
  const boundary = /^multipart\/mixed\b.*boundary="?([^";\s]+)/i.exec(type)?.[1];
  const isStream = /^text\/event-stream\b/i.test(type);
  if (!isStream && boundary === undefined) return [];
  const parts = isStream ? text.split(/\r?\n\r?\n/).map(dataOf) : text.split(`--${boundary}`).map(bodyOf);
  return parts.flatMap((part) => {
    try {
      return [JSON.parse(part)];
    } catch {
      return [];
    }
  });
}

/** @type {(part: string) => string} */
const bodyOf = (part) => part.slice(part.search(/\r?\n\r?\n/));

/** @type {(event: string) => string} */
const dataOf = (event) => [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');

/** @type {(value: any) => Error | null} */
function graphqlFault({ errors, data }) {
  const hasFailed = Array.isArray(errors) && errors.length > 0 && (data ?? null) === null;
  return hasFailed ? loadGraphql().errorOf(errors) : null;
}

/** @type {(value: any) => Error | null} */
function rpcFault({ error, result }) {
  // Older versions have both members, and null in one of them.
  if ((error ?? null) === null || (result ?? null) !== null) return null;
  const reason = isPlainObject(error) ? (error.message ?? error.code) : error;
  return makeError('E_GRAPHQL', { reason: `JSON-RPC: ${String(reason).slice(0, 500)}` });
}

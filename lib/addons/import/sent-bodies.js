import { isGraphql, operationsIn, withoutLiterals } from '../graphql/document.js';
import { mapOperations, operationsOf } from './draft.js';
import { isRecord } from './read-document.js';

/** @import { FlowDraft } from './import.js' */

/** @typedef {{ Accept: string | null }} Accept null: none is sent */

/**
 * Adds the Accept that means the same as none, or that a client sends, to the operations of a draft with `json`, which
 * asks for JSON by itself.
 * @type {(draft: FlowDraft, accept?: Accept) => FlowDraft}
 */
export function withSentAccept(draft, accept = ANY) {
  if (hasAccept(draft.properties ?? {})) return draft;
  const mapped = mapOperations(draft, (one) => ({ ...one, operation: withAccept(one.operation, accept) }));
  return withSharedAccept(mapped, accept);
}

/**
 * Moves that Accept to the flow if no operation has another one.
 * @type {(draft: FlowDraft, accept?: Accept) => FlowDraft}
 */
export function withSharedAccept(draft, accept = ANY) {
  const own = operationsOf(draft).filter(({ operation }) => hasAccept(operation));
  if (own.length < 2 || own.some(({ operation }) => operation.headers.Accept !== accept.Accept)) return draft;
  const moved = mapOperations(draft, (one) => {
    const { headers: { Accept: _, ...left } = {}, ...operation } = one.operation;
    return Object.keys(left).length === 0
      ? { ...one, operation }
      : { ...one, operation: { ...one.operation, headers: left } };
  });
  const { headers, ...others } = /** @type {Record<string, any>} */ (draft.properties ?? {});
  return { ...moved, properties: { headers: { ...accept, ...headers }, ...others } };
}

/** @type {Accept} */
const ANY = { Accept: '*/*' };

/** @type {(operation: Record<string, any>) => boolean} */
function hasAccept({ headers = {} }) {
  return Object.keys(headers).some((name) => /^accept$/i.test(name));
}

/** @type {(operation: Record<string, any>, accept?: Partial<Accept>) => Record<string, any>} */
export function withAccept(operation, accept = ANY) {
  if (operation.json === undefined || hasAccept(operation)) return operation;
  const { headers, ...rest } = operation;
  // Fields are above the body.
  return Object.fromEntries(
    Object.entries(rest).flatMap((one) => (one[0] === 'json' ? [['headers', { ...headers, ...accept }], one] : [one])),
  );
}

/**
 * Lets requests with a query of GraphQL as JSON be those of `graphql`, which counts the errors of a response. It asks
 * for no JSON, as `json` does.
 * @type {(draft: FlowDraft) => FlowDraft}
 */
export function withGraphql(draft) {
  /** @type {Partial<Accept>} */
  const accept = hasAccept(draft.properties ?? {}) ? {} : { Accept: 'application/json' };
  return mapOperations(draft, (one) => {
    const { operation } = one;
    if (!isGraphqlRequest(operation)) return one;
    const { json, ...rest } = withAccept(operation, accept);
    if (rest.headers && Object.keys(rest.headers).length === 0) delete rest.headers;
    const { query, variables } = json;
    return { ...one, operation: { ...rest, graphql: query, ...(isRecord(variables) && { variables }) } };
  });
}

/** Members of a request of GraphQL over HTTP that `graphql` writes. */
const MEMBERS = ['query', 'variables', 'operationName'];

/** @type {(operation: Record<string, any>) => boolean} */
export function isGraphqlRequest({ post, json }) {
  if (post === undefined || !isRecord(json) || !Object.keys(json).every((key) => MEMBERS.includes(key))) return false;
  const { query, variables = {}, operationName } = json;
  return typeof query === 'string' && isAccepted(query, variables, operationName);
}

/**
 * Reports whether a text has one operation, which is no subscription, and what its names refer to; a flow refuses
 * others before the run. A text with a token varies, which the text of `graphql` cannot, and `graphql` sends the name
 * of its operation, if it has one.
 * @type {(text: string, variables: unknown, name: unknown) => boolean}
 */
function isAccepted(text, variables, name) {
  if (/#[{<]\w/.test(text) || !isRecord(variables) || !isGraphql(text)) return false;
  const [operation, ...others] = operationsIn(text);
  if (others.length > 0 || operation.kind === 'subscription' || (operation.name ?? undefined) !== name) return false;
  const plain = withoutLiterals(text);
  const namesIn = (/** @type {RegExp} */ pattern) => [...plain.matchAll(pattern)].map(([, one]) => one);
  const declared = new Map(namesIn(/\b(?:query|mutation)\b\s*\w*\s*\(([^()]*)\)/g).flatMap(declaredIn));
  const fragments = namesIn(/\bfragment\s+(\w+)\s+on\b/g);
  const spread = namesIn(/\.\.\.\s*(?!on\b)(\w+)/g);
  return (
    [...namesIn(/\$(\w+)/g), ...Object.keys(variables)].every((one) => declared.has(one)) &&
    [...declared].every(([one, isNeeded]) => !isNeeded || variables[one] !== undefined) &&
    spread.every((one) => fragments.includes(one))
  );
}

/** Reads `$id: ID!, $n: Int = 1`; the first one is needed. @type {(list: string) => [string, boolean][]} */
function declaredIn(list) {
  return list
    .split('$')
    .slice(1)
    .map((one) => [one.split(':')[0].trim(), /!\s*,?\s*$/.test(one) && !one.includes('=')]);
}

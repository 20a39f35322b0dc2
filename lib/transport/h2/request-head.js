import { HAS_NO_BODY, withoutSpace } from '../../http/field-values.js';
import { CONNECTION_FIELDS } from './check-fields.js';

/** @import { Request } from '../../contracts/request.js' */
/** @import { Endpoint } from '../../http/endpoint.js' */
/** @import { HeadParts } from './hpack-encoder.js' */

/**
 * @typedef {object} RequestHead
 * @property {HeadParts} parts the same object for all requests that have them: it is encoded once per connection
 * @property {string[] | null} own fields that no other request has
 * @property {boolean} isFramed one of the fields is the length of the body
 * @property {boolean} closes the connection ends after the response
 */

/** Fields that are not sent; `:authority` replaces Host. */
const DROPPED = new Set([...CONNECTION_FIELDS, 'host']);

const MAX_PARTS = 1000;

/**
 * Creates a reader of request heads. A list of fields that the iterations of a step share is fitted to HTTP/2 once. It
 * is recognized when it comes twice in a row, as in HTTP/1.1. Only its fields get entries in the table of the server.
 * @type {() => (request: Request) => RequestHead}
 */
export function createHeadReader() {
  /** @type {WeakMap<string[], { endpoint: Endpoint, head: RequestHead }>} */
  const known = new WeakMap();
  /** Parts without fields. @type {Map<string, HeadParts>} */
  const bare = new Map();
  /** The last list that was not known. @type {string[] | null} */
  let latest = null;

  return function headOf({ endpoint, method, fields }) {
    const shared = known.get(fields);
    if (shared !== undefined && shared.endpoint === endpoint && shared.head.parts.method === method) return shared.head;
    const isShared = fields === latest;
    const { authority, fitted, isFramed, closes } = fit(fields, endpoint);
    const about = { method, scheme: endpoint.protocol.slice(0, -1), authority };
    const head = isShared
      ? { parts: { ...about, fields: fitted }, own: null, isFramed, closes }
      : { parts: bareOf(about), own: fitted, isFramed, closes };
    if (isShared) known.set(fields, { endpoint, head });
    latest = fields;
    return head;
  };

  /** @type {(about: Pick<HeadParts, 'method' | 'scheme' | 'authority'>) => HeadParts} */
  function bareOf(about) {
    const key = `${about.method} ${about.scheme} ${about.authority}`;
    const found = bare.get(key);
    if (found !== undefined) return found;
    if (bare.size >= MAX_PARTS) bare.clear();
    const made = { ...about, fields: [] };
    bare.set(key, made);
    return made;
  }
}

/**
 * Returns the fields that no other request has: those with tokens, its cookies and credentials, and the length of its
 * body.
 * @type {(request: Request, head: RequestHead, size: number) => string[] | null}
 */
export function ownFields({ method, extra, body }, { own, isFramed }, size) {
  const needsLength = !isFramed && (body !== null || !HAS_NO_BODY.has(method));
  if (own === null && extra === null && !needsLength) return null;
  const all = own === null ? [] : [...own];
  if (extra !== null) all.push(...extra);
  if (needsLength) all.push('content-length', String(size));
  return all;
}

/**
 * @type {(given: string[], endpoint: Endpoint) => { authority: string, fitted: string[], isFramed: boolean, closes:
 *   boolean }}
 */
function fit(given, { host }) {
  const head = { authority: host, fitted: /** @type {string[]} */ ([]), isFramed: false, closes: false };
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i].toLowerCase();
    const value = withoutSpace(given[i + 1]);
    if (name === 'host') head.authority = value;
    else if (name === 'connection') head.closes ||= /\bclose\b/i.test(value);
    if (DROPPED.has(name) || (name === 'te' && value.toLowerCase() !== 'trailers')) continue;
    head.isFramed ||= name === 'content-length';
    head.fitted.push(name, value);
  }
  return head;
}

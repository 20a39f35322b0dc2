/** @import { Answer, TargetRequest } from './resources.js' */

/**
 * @typedef {object} Document
 * @property {Buffer} body
 * @property {string} type
 * @property {string} etag
 */

const MAX_DOCUMENTS = 100_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** what is there at the start: a list, and its entries */
const ITEMS = [
  { id: 'book', name: 'book', price: 12 },
  { id: 'cup', name: 'cup', price: 7 },
  { id: 'pen', name: 'pen', price: 2 },
];
const ALLOW = 'GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS';

/**
 * Documents by path, with strong etags and conditional requests (RFC 9110 13). Beyond 100,000 documents or 256 MiB the
 * oldest ones are deleted, so a long run finds its latest documents.
 */
export class Documents {
  /** @type {Map<string, Document>} */
  #documents = new Map();
  #version = 0;
  #bytes = 0;
  #lastId = 0;

  constructor() {
    const store = (/** @type {string} */ path, /** @type {unknown} */ value) =>
      this.#store(path, Buffer.from(JSON.stringify(value)), 'application/json');
    store('/items', ITEMS);
    for (const item of ITEMS) store(`/items/${item.id}`, item);
  }

  /** @type {(path: string) => boolean} */
  has(path) {
    return this.#documents.has(path);
  }

  /**
   * @param {TargetRequest} request
   * @param {string} path without a query
   * @returns {Answer}
   */
  answer(request, path) {
    const { method, headers } = request;
    const found = this.#documents.get(path);
    const isRead = method === 'GET' || method === 'HEAD';
    const refused = precondition(headers, found?.etag, isRead);
    if (refused) return { status: refused, headers: found && { etag: found.etag } };
    if (method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW } };
    if (method === 'PUT' || method === 'POST') return this.#write(request, path, found);
    if (!ALLOW.split(', ').includes(method)) return { status: 405, headers: { allow: ALLOW } };
    if (!found) return missing(path);
    return isRead ? represent(200, found) : this.#change(request, path, found);
  }

  /** @type {(request: TargetRequest, path: string, found: Document | undefined) => Answer} */
  #write({ method, headers, body }, path, found) {
    if (method === 'PUT') return represent(found ? 200 : 201, this.#store(path, body, headers['content-type']));
    const location = `${path.replace(/\/$/, '')}/${++this.#lastId}`;
    return represent(201, this.#store(location, body, headers['content-type']), { location });
  }

  /** DELETE, or a merge patch (RFC 7396). @type {(request: TargetRequest, path: string, found: Document) => Answer} */
  #change({ method, body }, path, found) {
    if (method === 'DELETE') {
      this.#remove(path, found);
      return { status: 204 };
    }
    const merged = mergePatch(found.body, body);
    if (merged === null)
      return { status: 415, headers: { 'content-type': 'text/plain' }, body: 'PATCH is for JSON documents' };
    return represent(200, this.#store(path, merged, 'application/json'));
  }

  /** @type {(path: string, body: Buffer, type?: string) => Document} */
  #store(path, body, type = 'application/octet-stream') {
    const old = this.#documents.get(path);
    if (old) this.#remove(path, old);
    const document = { body, type, etag: `"${++this.#version}"` };
    this.#documents.set(path, document);
    this.#bytes += body.length;
    for (const [oldest, { body: evicted }] of this.#documents) {
      if (this.#documents.size <= MAX_DOCUMENTS && this.#bytes <= MAX_BYTES) break;
      this.#documents.delete(oldest);
      this.#bytes -= evicted.length;
    }
    return document;
  }

  /** @type {(path: string, document: Document) => void} */
  #remove(path, { body }) {
    this.#documents.delete(path);
    this.#bytes -= body.length;
  }
}

/**
 * Status of a conditional request that is refused; 0 if it may proceed (RFC 9110 13.2.2).
 *
 * @type {(headers: TargetRequest['headers'], etag: string | undefined, isRead: boolean) => number}
 */
function precondition(headers, etag, isRead) {
  const match = headers['if-match'];
  if (match !== undefined && !matches(match, etag)) return 412;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && matches(noneMatch.replaceAll('W/', ''), etag)) return isRead ? 304 : 412;
  return 0;
}

/** @type {(field: string, etag: string | undefined) => boolean} */
function matches(field, etag) {
  if (etag === undefined) return false;
  return field.trim() === '*' || field.split(',').some((tag) => tag.trim() === etag);
}

/** @type {(status: number, document: Document, headers?: Record<string, string>) => Answer} */
function represent(status, { body, type, etag }, headers) {
  return { status, headers: { 'content-type': type, etag, ...headers }, body };
}

/** @type {(path: string) => Answer} */
function missing(path) {
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `not found: ${path}; PUT it first`,
  };
}

/** @type {(document: Buffer, change: Buffer) => Buffer | null} */
function mergePatch(document, change) {
  try {
    return Buffer.from(JSON.stringify(merge(JSON.parse(document.toString()), JSON.parse(change.toString()))));
  } catch {
    // not JSON, or nested deeper than the stack
    return null;
  }
}

/** @type {(target: any, change: any) => any} */
function merge(target, change) {
  if (!isObject(change)) return change;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** @type {(value: unknown) => boolean} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @import { Answer, TargetRequest } from './resources.js' */

/**
 * @typedef {object} Document
 * @property {Buffer} body
 * @property {string} type
 * @property {string} etag
 */

const MOST_DOCUMENTS = 100_000;
const MOST_BYTES = 256 * 1024 * 1024;
const ALLOW = 'GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS';

/**
 * Documents by path, with strong etags and conditional requests (RFC 9110 13). The oldest give way when there are more
 * than 100,000 or 256 MiB of them, so that a long run finds what it stored last.
 */
export function createDocuments() {
  /** @type {Map<string, Document>} */
  const documents = new Map();
  let version = 0;
  let bytes = 0;
  let lastId = 0;

  return { has: (/** @type {string} */ path) => documents.has(path), answer };

  /** @type {(request: TargetRequest, path: string) => Answer} */
  function answer(request, path) {
    const { method, headers } = request;
    const found = documents.get(path);
    const isRead = method === 'GET' || method === 'HEAD';
    const refused = precondition(headers, found?.etag, isRead);
    if (refused) return { status: refused, headers: found && { etag: found.etag } };
    switch (method) {
      case 'GET':
      case 'HEAD':
        return found ? shown(200, found) : missing(path);
      case 'PUT':
        return shown(found ? 200 : 201, store(path, request.body, headers['content-type']));
      case 'POST': {
        const location = `${path.replace(/\/$/, '')}/${++lastId}`;
        return shown(201, store(location, request.body, headers['content-type']), { location });
      }
      case 'PATCH':
        return found ? patch(path, found, request) : missing(path);
      case 'DELETE':
        if (!found) return missing(path);
        remove(path, found);
        return { status: 204 };
      case 'OPTIONS':
        return { status: 204, headers: { allow: ALLOW } };
      default:
        return { status: 405, headers: { allow: ALLOW } };
    }
  }

  /** @type {(path: string, body: Buffer, type?: string) => Document} */
  function store(path, body, type = 'application/octet-stream') {
    const old = documents.get(path);
    if (old) remove(path, old);
    const document = { body, type, etag: `"${++version}"` };
    documents.set(path, document);
    bytes += body.length;
    for (const [oldest, { body: gone }] of documents) {
      if (documents.size <= MOST_DOCUMENTS && bytes <= MOST_BYTES) break;
      documents.delete(oldest);
      bytes -= gone.length;
    }
    return document;
  }

  /** @type {(path: string, document: Document) => void} */
  function remove(path, { body }) {
    documents.delete(path);
    bytes -= body.length;
  }

  /** A merge patch (RFC 7396). @type {(path: string, found: Document, request: TargetRequest) => Answer} */
  function patch(path, found, { body }) {
    const merged = patched(found.body, body);
    if (merged === null)
      return { status: 415, headers: { 'content-type': 'text/plain' }, body: 'PATCH is for json documents' };
    return shown(200, store(path, merged, 'application/json'));
  }
}

/**
 * The status that a conditional request is refused with, 0 if it may go on (RFC 9110 13.2.2).
 * @type {(headers: TargetRequest['headers'], etag: string | undefined, isRead: boolean) => number}
 */
function precondition(headers, etag, isRead) {
  const match = headers['if-match'];
  if (match !== undefined && !names(match, etag)) return 412;
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && names(noneMatch.replaceAll('W/', ''), etag)) return isRead ? 304 : 412;
  return 0;
}

/** @type {(field: string, etag: string | undefined) => boolean} */
function names(field, etag) {
  if (etag === undefined) return false;
  return field.trim() === '*' || field.split(',').some((tag) => tag.trim() === etag);
}

/** @type {(status: number, document: Document, headers?: Record<string, string>) => Answer} */
function shown(status, { body, type, etag }, headers) {
  return { status, headers: { 'content-type': type, etag, ...headers }, body };
}

/** @type {(path: string) => Answer} */
function missing(path) {
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: `nothing at ${path}: PUT it first`,
  };
}

/** @type {(document: Buffer, change: Buffer) => Buffer | null} */
function patched(document, change) {
  try {
    return Buffer.from(JSON.stringify(merge(JSON.parse(document.toString()), JSON.parse(change.toString()))));
  } catch {
    // not json, or nested deeper than the stack
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

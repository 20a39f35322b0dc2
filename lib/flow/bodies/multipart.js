import { randomBytes } from 'node:crypto';

import { nearest } from '../../problems.js';
import { isObject } from '../record.js';
import { readPart } from './part.js';
import { joinPieces } from './pieces.js';

/**
 * @import { Complain } from '../../problems.js'
 * @import { BodyContext, BodyEntry, BodyTemplate } from './types.js'
 */

const EXPECTED = "an array of parts such as { 'content-type': 'text/plain', body: '…' }";
const KEYS = ['data', 'chunked', 'preambleCRLF', 'postambleCRLF'];

/** @type {BodyEntry} */
export default {
  name: 'multipart',
  about: 'request body, sent as multipart/related: an array of parts, each with its header fields and a body',
  type: 'Computed<({ body: unknown } & Record<string, unknown>)[] | { data: ({ body: unknown } & Record<string, unknown>)[], chunked?: boolean, preambleCRLF?: boolean, postambleCRLF?: boolean }>',
  check: (value) => Array.isArray(value) || Array.isArray(value?.data),
  expected: EXPECTED,
  blank: [],
  schema: { oneOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }] },
  compile,
};

/**
 * Builds a multipart body (RFC 2046 5.1, RFC 2387), as the request library does it: the properties of a part are its
 * header fields. A Content-Type of the operation that is multipart too gets the boundary, unless it has one.
 * @type {(multipart: any, context: BodyContext) => BodyTemplate}
 */
function compile(multipart, context) {
  const { mark, complain, boundary: own = newBoundary(), maxBytes = Infinity, folder, givenType = '' } = context;
  const isGiven = /^multipart\//i.test(givenType);
  const givenBoundary = isGiven ? boundaryIn(givenType) : undefined;
  const boundary = givenBoundary ?? own;
  /** @type {(Buffer | string)[]} marked text, or bytes that are sent as they are */
  const pieces = [];
  const { data, preambleCRLF, postambleCRLF, ...others } = Array.isArray(multipart) ? { data: multipart } : multipart;
  refuseUnknown(others, complain);
  if (preambleCRLF) pieces.push('\r\n');
  for (const [i, part] of data.entries()) {
    /** @type {(reason: string) => void} */
    const refuse = (reason) => complain(`multipart[${i}]`, reason);
    if (!isObject(part) || part.body === undefined)
      refuse(`expected ${EXPECTED.replace(/^an array of parts/, 'a part')}`);
    else addPart(pieces, part, { boundary, mark, refuse, maxBytes, folder });
  }
  pieces.push(`--${boundary}--${postambleCRLF ? '\r\n' : ''}`);
  const type = isGiven ? givenType : 'multipart/related';
  return {
    contentType: givenBoundary ? type : `${type}; boundary=${boundary}`,
    overridesHeaders: true,
    ...joinPieces(pieces),
  };
}

/** @type {(others: Record<string, any>, complain: Complain) => void} */
function refuseUnknown(others, complain) {
  const unknown = Object.keys(others).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return;
  const near = nearest(unknown, KEYS);
  complain(`multipart.${unknown}`, `unknown property${near ? `, did you mean ${near}?` : ''}`);
}

/**
 * @param {(Buffer | string)[]} pieces
 * @param {Record<string, any>} part
 * @param {{ boundary: string, mark: BodyContext['mark'], refuse: (reason: string) => void, maxBytes: number, folder?: string }} context
 */
function addPart(pieces, { body, ...fields }, { boundary, mark, refuse, maxBytes, folder }) {
  const part = readPart(body, { complain: (reason) => refuse(`body: ${reason}`), maxBytes, folder });
  if (!part) return;
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const broken = lines.find((line) => /[\r\n]/.test(line));
  if (broken !== undefined) refuse('has a line end in a header field');
  const head = ['', ...lines].join('\r\n');
  pieces.push(mark(`--${boundary}${head}\r\n\r\n`, 'multipart', 'part'));
  pieces.push(typeof part.content === 'string' ? mark(part.content, 'multipart') : part.content, '\r\n');
}

/** @type {(contentType: string) => string | undefined} */
function boundaryIn(contentType) {
  return /boundary="?([^\s;"]+)/i.exec(contentType)?.[1];
}

function newBoundary() {
  return `bench-rest-${randomBytes(12).toString('hex')}`;
}

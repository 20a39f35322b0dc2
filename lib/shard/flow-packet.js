import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';

import { grouped } from '../decimal.js';
import { makeError } from '../errors.js';
import {
  ShapeError,
  choice,
  json,
  list,
  mapOf,
  nullable,
  optional,
  rebuild,
  record,
  tagged,
  text,
  where,
} from '../shape.js';

/**
 * A flow on its way to agents: plain JSON.
 *
 * @import { Shape } from '../shape.js'
 *
 * @typedef {object} FlowPacket
 * @property {'data' | 'code' | 'disk'} kind data: never executed; code: a bundle, for agents that allow code; disk: an agent
 *   needs the same files
 * @property {string} name of the flow, for people
 * @property {string} hash of the flow as results have it
 * @property {{ kind: 'urls', urls: string[], request?: Record<string, any> } | { kind: 'file', file: string }} source file: the name
 *   of the flow's file; for `disk` it is relative to the folder of the agent
 * @property {string} folder of relative paths in a flow that is no file
 * @property {PacketFile[]} files that travel
 * @property {Digest[] | null} disk of code: the files that an agent needs to run the flow from its own disk, which is possible
 *   unless this is null
 *
 * @typedef {object} PacketFile
 * @property {string} name relative, with / between folders
 * @property {'utf8' | 'base64'} encoding
 * @property {string} content
 *
 * @typedef {{ name: string, sha256: string }} Digest
 */

/**
 * The most bytes of a flow with its files. Redis keeps them in memory for each run, and each agent reads them at once:
 * 50 agents load 400 MiB. 8 MiB are 80,000 rows of 100 bytes.
 */
export const MAX_FLOW_BYTES = 8 * 1024 * 1024;

const LONGEST_NAME = 500;
const DIGEST = /^[\da-f]{64}$/;
const name = where(text({ most: LONGEST_NAME }), (value) => !isUnsafeName(value), 'the name of a file in the flow');

/** @type {Shape<FlowPacket>} */
export const PACKET = where(
  where(
    record({
      kind: choice('data', 'code', 'disk'),
      name: text(),
      hash: text({ most: LONGEST_NAME }),
      source: tagged('kind', {
        urls: { urls: list(text({ most: MAX_FLOW_BYTES }), { least: 1 }), request: optional(mapOf(json)) },
        file: { file: name },
      }),
      folder: where(text(), (value) => value === '' || !isUnsafeName(value), 'the name of a folder in the flow'),
      files: list(record({ name, encoding: choice('utf8', 'base64'), content: text({ most: 2 * MAX_FLOW_BYTES }) })),
      disk: nullable(list(record({ name, sha256: text({ pattern: DIGEST, expected: 'a SHA-256' }) }), { least: 1 })),
    }),
    ({ kind, source }) => kind === 'data' || source.kind === 'file',
    'a file, as a URL is no code',
  ),
  ({ files }) => bytesOf(files) <= MAX_FLOW_BYTES,
  `at most ${grouped(MAX_FLOW_BYTES)} bytes of files`,
);

/**
 * @param {Map<string, Uint8Array>} contents by name
 * @returns {PacketFile[]}
 * @throws {Error} E_FLOW_TOO_LARGE
 */
export function packFiles(contents) {
  const sizes = [...contents].map(([name, { length }]) => ({ name, length })).sort((a, b) => b.length - a.length);
  const size = sizes.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_FLOW_BYTES) {
    const [{ name, length }] = sizes;
    const count = (/** @type {number} */ bytes) => grouped(bytes);
    throw makeError('E_FLOW_TOO_LARGE', {
      size: count(size),
      limit: count(MAX_FLOW_BYTES),
      largest: `${name} (${count(length)})`,
    });
  }
  return [...contents].map(([name, bytes]) => {
    const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
    return { name, encoding, content: Buffer.from(bytes).toString(encoding) };
  });
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} 64 hexadecimal digits
 */
export function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Rebuilds what came from a queue, which other programs can write to, too.
 *
 * @param {unknown} packet
 * @returns {FlowPacket}
 * @throws {Error} E_PACKET
 */
export function checkPacket(packet) {
  try {
    return rebuild(PACKET, packet, { name: 'flow' });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw makeError('E_PACKET', { reason: error.message }, { cause: error });
  }
}

/** @type {(files: PacketFile[]) => number} */
function bytesOf(files) {
  return files.reduce((sum, { content, encoding }) => sum + Buffer.byteLength(content, encoding), 0);
}

/**
 * Reports whether a name could be that of a file elsewhere, on any system.
 *
 * @param {unknown} name
 * @returns {boolean}
 */
export function isUnsafeName(name) {
  if (typeof name !== 'string' || name.length > LONGEST_NAME || /[\0\\:]/.test(name)) return true;
  return name.split('/').some((part) => part === '' || part === '.' || part === '..');
}

import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';

import { grouped } from '../decimal.js';
import { makeError } from '../errors.js';
import { isRecord } from '../flow/record.js';

/**
 * A flow on its way to agents: plain JSON.
 *
 * @typedef {object} FlowPacket
 * @property {'data' | 'code' | 'disk'} kind data: never executed; code: a bundle, for agents that allow code; disk: an agent
 *   needs the same files
 * @property {string} name of the flow, for people
 * @property {string} hash of the flow as results have it
 * @property {{ urls: string[], request?: Record<string, any> } | { file: string }} source urls, or the name of the flow's file;
 *   for `disk` it is relative to the folder of the agent
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

const MOST_FILES = 10_000;
const LONGEST_NAME = 500;
const KINDS = ['data', 'code', 'disk'];
/** @type {Record<string, (value: any) => boolean>} */
const PROPERTIES = {
  kind: (value) => KINDS.includes(value),
  name: isText,
  hash: isText,
  source: isSource,
  folder: isText,
  files: (value) => isList(value, isFile),
  disk: (value) => value === null || (isList(value, isDigest) && value.length > 0),
};

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
 * Checks what came from a queue, which other programs can write to, too.
 *
 * @param {any} packet
 * @returns {FlowPacket}
 * @throws {Error} E_PACKET
 */
export function checkPacket(packet) {
  const reason = refusePacket(packet);
  if (reason) throw makeError('E_PACKET', { reason });
  return packet;
}

/** @type {(packet: any) => string | undefined} */
function refusePacket(packet) {
  if (!isRecord(packet)) return 'it is no object';
  const wrong = Object.entries(PROPERTIES).find(([name, check]) => !check(packet[name]));
  if (wrong) return `its ${wrong[0]} is not readable`;
  const { kind, source, folder, files, disk } = packet;
  if (kind !== 'data' && source.urls) return 'a URL is no code';
  const names = [...files, ...(disk ?? [])].map((one) => one.name);
  const bad = [...names, ...(source.file ? [source.file] : []), ...(folder === '' ? [] : [folder])].find(isUnsafeName);
  if (bad !== undefined) return `${JSON.stringify(String(bad).slice(0, LONGEST_NAME))} is not the name of a file in it`;
  const bytes = files.reduce(
    (/** @type {number} */ sum, /** @type {PacketFile} */ { content, encoding }) =>
      sum + Buffer.byteLength(content, encoding),
    0,
  );
  return bytes > MAX_FLOW_BYTES ? `it has more than ${MAX_FLOW_BYTES} bytes` : undefined;
}

/** @type {(value: any) => boolean} */
function isSource(value) {
  if (!isRecord(value)) return false;
  const { urls, file } = value;
  return urls === undefined ? isText(file) : Array.isArray(urls) && urls.every(isText) && file === undefined;
}

/** @type {(value: any, isOne: (one: any) => boolean) => boolean} */
function isList(value, isOne) {
  return Array.isArray(value) && value.length <= MOST_FILES && value.every(isOne);
}

/** @type {(value: any) => boolean} */
function isFile(value) {
  return isRecord(value) && isText(value.content) && (value.encoding === 'utf8' || value.encoding === 'base64');
}

/** @type {(value: any) => boolean} */
function isDigest(value) {
  return isRecord(value) && /^[\da-f]{64}$/.test(String(value.sha256));
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string';
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

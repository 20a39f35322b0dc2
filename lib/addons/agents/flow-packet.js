import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

import { isCode } from '../../core/flow/source/formats/index.js';
import { grouped } from '../../core/ground/decimal.js';
import { makeError } from '../../core/ground/errors.js';
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
} from '../../core/ground/shape.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { confine } from '../../core/process/confinement.js';
import { FileRefusal, readRegularFile } from '../../core/process/read-file.js';

/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Shape } from '../../core/ground/shape.js' */
/** @import { Allowed, FlowPacket } from './types.js' */

// A flow on its way to agents: its shape, its files, and how an agent unpacks it.

/**
 * @typedef {object} PacketFile
 * @property {string} name relative, with / between folders
 * @property {'utf8' | 'base64'} encoding
 * @property {string} content
 */

/** @typedef {{ name: string, sha256: string }} Digest */

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

/** Packs files by name. @throws {Error} E_FLOW_TOO_LARGE @type {(contents: Map<string, Uint8Array>) => PacketFile[]} */
export function packFiles(contents) {
  const sizes = [...contents].map(([name, { length }]) => ({ name, length })).sort((a, b) => b.length - a.length);
  const size = sizes.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_FLOW_BYTES) {
    const [{ name, length }] = sizes;
    throw makeError('E_FLOW_TOO_LARGE', {
      size: grouped(size),
      limit: grouped(MAX_FLOW_BYTES),
      largest: `${name} (${grouped(length)})`,
    });
  }
  return [...contents].map(([name, bytes]) => {
    const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
    return { name, encoding, content: Buffer.from(bytes).toString(encoding) };
  });
}

/** Computes a digest of 64 hexadecimal digits. @type {(bytes: Uint8Array) => string} */
export function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Rebuilds a packet from a queue, which other programs can write to, too.
 * @throws {Error} E_PACKET
 * @type {(packet: unknown) => FlowPacket}
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

/** Reports whether a name could be that of a file elsewhere, on any system. @type {(name: unknown) => boolean} */
export function isUnsafeName(name) {
  if (typeof name !== 'string' || name.length > LONGEST_NAME || /[\0\\:]/.test(name)) return true;
  return name.split('/').some((part) => part === '' || part === '.' || part === '..');
}

/**
 * @typedef {object} UnpackOptions
 * @property {Allowed} allowed
 * @property {string} folder a {@link PrivateFolder}, empty
 * @property {string} [disk] folder of flows of the agent; default: its working directory
 */

/** The name of a file or folder is taken, or none can have it. */
const NAME_ERRORS = ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'];
/** Bytes of a file on the disk of an agent. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Packages and hidden files are no flows. */
const NO_FLOW = /(?:^|\/)(?:node_modules|\.[^/]*)(?:\/|$)/;

/**
 * Writes a {@link FlowPacket} that came from a queue to a private folder, and confines this process: unless code runs
 * that was sent, no file outside of the folder is read, apart from those of a flow on the disk of the agent whose
 * content is that of the command. `cwd` is the folder of relative paths in a flow that is no file.
 * @throws {Error} E_PACKET; E_CODE if it is code that neither may run nor is on the disk of the agent
 * @type {(packet: unknown, options: UnpackOptions) => Promise<FlowInput & { cwd: string }>}
 */
export async function unpackFlow(packet, { allowed, folder, disk = workingFolder(process) }) {
  const flow = checkPacket(packet);
  const isData = flow.kind === 'data';
  const runsCode = allowed.code && flow.kind === 'code';
  const { variables, targets } = allowed;
  const rules = { folder, isClosed: !runsCode, files: [], variables, targets };
  if (!isData && !runsCode) {
    // Code that was not sent, or may not run here: the agent may have the same files.
    const files = await ownFlow(flow, { allowCode: allowed.code, disk });
    confine({ ...rules, files });
    return { argument: files[0], cwd: disk };
  }
  confine(rules);
  // The format of a data flow is that of its extension: a module would run.
  if (isData && flow.source.kind === 'file' && isCode(flow.source.file))
    throw makeError('E_PACKET', { reason: `${flow.source.file} is code` });
  const cwd = join(folder, flow.folder);
  await makeNamed(flow.folder, () => makeFolder(cwd));
  for (const { name, content, encoding } of flow.files)
    await makeNamed(name, async () => {
      const path = join(folder, name);
      await makeFolder(dirname(path));
      await writeFile(path, Buffer.from(content, encoding), { flag: 'wx', mode: 0o600 });
    });
  return { ...inputOf(flow.source, folder), cwd };
}

/** @type {(source: FlowPacket['source'], folder: string) => FlowInput} */
function inputOf(source, folder) {
  if (source.kind === 'file') return { argument: join(folder, source.file) };
  const { urls, request } = source;
  return { urls, ...(request && { request }) };
}

/** @type {(path: string) => Promise<unknown>} */
function makeFolder(path) {
  return mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Makes a file or folder of a packet.
 * @throws {Error} E_PACKET: its name is taken, or none can have it
 * @type {(name: string, make: () => Promise<unknown>) => Promise<void>}
 */
async function makeNamed(name, make) {
  try {
    await make();
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!NAME_ERRORS.includes(code)) throw error;
    throw makeError('E_PACKET', { reason: `it has ${name} twice, or a name that nothing can have` }, { cause: error });
  }
}

/**
 * Finds the flow on the disk of the agent, if its files are the same.
 * @type {(flow: FlowPacket, options: { allowCode: boolean, disk: string }) => Promise<string[]>} absolute paths, the
 *   flow first
 */
async function ownFlow({ name, kind, disk: digests }, { allowCode, disk }) {
  const faults = digests && (await faultsOf(digests, disk));
  if (digests && faults?.length === 0) return digests.map((digest) => join(disk, digest.name));
  const isSent = kind === 'code';
  const why =
    isSent && !allowCode ? 'is code, which this agent does not run when it is sent' : 'is code, which was not sent';
  const sending = isSent ? 'start the agent with --allow-code' : 'start all agents with --allow-code';
  throw makeError('E_CODE', {
    name,
    reason: faults ? `${why}; ${faults.join(', ')} in ${disk}` : why,
    cure: faults
      ? `${sending}, or put the files of the command into ${disk}`
      : `${sending}, or write the flow to a file in the folder where the command runs, and put it into ${disk}`,
  });
}

/** Explains why files are not those of the command. @type {(digests: Digest[], disk: string) => Promise<string[]>} */
async function faultsOf(digests, disk) {
  const root = await realpath(disk);
  const found = await Promise.all(digests.map((digest) => faultOf(digest, { disk, root })));
  return found.filter((fault) => fault !== null);
}

/** @type {(digest: Digest, folders: { disk: string, root: string }) => Promise<string | null>} */
async function faultOf({ name, sha256 }, { disk, root }) {
  if (NO_FLOW.test(name)) return `${name} is hidden or in node_modules`;
  try {
    const path = await realpath(join(disk, name));
    const target = relative(root, path).split(sep).join('/');
    if (target.startsWith('../') || isAbsolute(target)) return `${name} is a link to another folder`;
    if (NO_FLOW.test(target)) return `${name} is a link to a file that is hidden or in node_modules`;
    return digestOf(readRegularFile(path, { maxBytes: MOST_BYTES })) === sha256 ? null : `${name} is different`;
  } catch (error) {
    return `${name} ${error instanceof FileRefusal ? error.reason : 'is missing'}`;
  }
}

import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

import { makeError } from '../errors.js';
import { isCode } from '../flow/source/extensions.js';
import { confine } from '../confinement.js';
import { FileRefusal, readRegularFile } from '../read-file.js';
import { workingFolder } from '../working-folder.js';
import { checkPacket, digestOf } from './flow-packet.js';

/**
 * @import { FlowInput } from '../flow/source/load.js'
 * @import { Digest, FlowPacket, PacketFile } from './flow-packet.js'
 *
 * @typedef {object} Allowed what flows from a queue may do on an agent
 * @property {boolean} code that was sent runs
 * @property {string[]} variables of the environment that they may read
 * @property {string[] | null} targets `host:port` where they may send requests; null: everywhere
 *
 * @typedef {object} UnpackOptions
 * @property {Allowed} allowed
 * @property {string} folder a {@link PrivateFolder}, empty
 * @property {string} [disk] folder of flows of the agent; default: its working directory
 */

/** of a file whose name is taken, or cannot be one */
const NAME_ERRORS = ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'];
const MOST_BYTES = 256 * 1024 * 1024;
/** packages, and files that are hidden, are no flows */
const NO_FLOW = /(?:^|\/)(?:node_modules|\.[^/]*)(?:\/|$)/;

/**
 * Writes a flow that came from a queue to a private folder, and confines this process: unless code runs that was sent, no
 * file outside of the folder is read, apart from those of a flow on the disk of the agent whose content is that of the command.
 *
 * @param {unknown} packet a {@link FlowPacket}
 * @param {UnpackOptions} options
 * @returns {Promise<FlowInput & { cwd: string }>} cwd: of relative paths in a flow that is no file
 * @throws {Error} E_PACKET; E_CODE if it is code that neither may run nor is on the disk of the agent
 */
export async function unpackFlow(packet, { allowed, folder, disk = workingFolder(process) }) {
  const flow = checkPacket(packet);
  const isData = flow.kind === 'data';
  const runsCode = allowed.code && flow.kind === 'code';
  const { variables, targets } = allowed;
  const rules = { folder, isClosed: !runsCode, files: [], variables, targets };
  if (!isData && !runsCode) {
    const files = await ownFlow(flow, { allowCode: allowed.code, disk });
    confine({ ...rules, files });
    return { argument: files[0], cwd: disk };
  }
  confine(rules);
  // the format of a data flow is that of its extension: a module would run
  if (isData && flow.source.kind === 'file' && isCode(flow.source.file))
    throw makeError('E_PACKET', { reason: `${flow.source.file} is code` });
  const cwd = join(folder, flow.folder);
  await mkdir(cwd, { recursive: true, mode: 0o700 });
  for (const file of flow.files) await writePrivately(join(folder, file.name), file);
  return { ...inputOf(flow.source, folder), cwd };
}

/** @type {(source: FlowPacket['source'], folder: string) => FlowInput} */
function inputOf(source, folder) {
  if (source.kind === 'file') return { argument: join(folder, source.file) };
  const { urls, request } = source;
  return { urls, ...(request && { request }) };
}

/** @type {(path: string, file: PacketFile) => Promise<void>} */
async function writePrivately(path, { name, encoding, content }) {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, Buffer.from(content, encoding), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!NAME_ERRORS.includes(code)) throw error;
    throw makeError('E_PACKET', { reason: `it has ${name} twice, or a name that is no file` }, { cause: error });
  }
}

/** The flow on the disk of the agent, if its files are the same. @type {(flow: FlowPacket, options: { allowCode: boolean, disk: string }) => Promise<string[]>} absolute paths, the flow first */
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

/** Why files are not those of the command. @type {(digests: Digest[], disk: string) => Promise<string[]>} */
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

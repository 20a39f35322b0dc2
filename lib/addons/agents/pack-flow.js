import { writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { sourcesOf } from '../../core/flow/source/formats/imports.js';
import { isCode } from '../../core/flow/source/formats/index.js';
import { hashFlow, loadFlow } from '../../core/flow/source/load.js';
import { makeError } from '../../core/ground/errors.js';
import { docUrl } from '../../core/ground/package.js';
import { createProblems } from '../../core/ground/problems.js';
import { PrivateFolder } from '../processes/private-folder.js';
import { readRegularFile, recordReads } from '../../core/process/read-file.js';
import { findUncloneable, openFlow } from '../../core/run/flow-source.js';
import { commandLayers } from '../../core/run/options/layers.js';
import { prepare } from '../../core/run/prepare.js';
import { digestOf, isUnsafeName, packFiles } from './flow-packet.js';
import { bundleCode, leanRecording } from './pack-files.js';
import { optionFiles, refuseOptions, refuseSockets } from './pack-options.js';
import { allTextsIn, refuseSecrets } from './secrets.js';

/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Problems } from '../../core/ground/types.js' */
/** @import { OpenFlow } from '../../core/run/types.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { FlowPacket } from './types.js' */

/**
 * @typedef {object} PackOptions
 * @property {string} cwd
 * @property {Layer} [config] run options of the configuration file
 * @property {Layer[]} [commandLine] run options of flags, weakest first
 * @property {string[]} [include] paths of more files that the flow reads, relative to `cwd`
 * @property {boolean} [bundle] an agent allows code: a flow that is code is bundled; default: true
 *
 * @typedef {object} Contents what of a flow travels, before its files are named
 * @property {'data' | 'code' | 'disk'} kind
 * @property {FlowPacket['source']} source the file of a flow: its absolute path
 * @property {Map<string, Uint8Array>} texts contents by absolute path, of files that need not exist
 * @property {string[]} paths of more files
 * @property {string[] | null} disk paths of the files that an agent needs to run code from its own disk
 */

/** Bytes of one file; all of them together are limited more. */
const MOST_BYTES = 64 * 1024 * 1024;
const TYPESCRIPT = /\.[cm]?ts$/;
/** Agents refuse unknown properties: the author of a flow does not see their notices. */
const STRICT = { name: 'queue', options: { strict: true } };
const NO_CONFIG = { name: 'configuration', options: {} };
/** `#{env.NAME} (column 3) has no value`: the flow may need a variable that only agents have. */
const WITHOUT_VARIABLE = /^#[{<]env\.\S* \(column \d+\) has no value/;

/**
 * Packs a flow for agents, after checking that the flow and its options are valid: with the files that it reads, or, if
 * it is code, as one bundle with its imports. No secret is in it, and no value of an environment variable.
 * @throws {Error} E_NOT_SENT with all reasons; E_FLOW_TOO_LARGE, E_BUNDLE, E_PACKAGE; any error of the flow and its
 *   options
 * @type {(source: FlowInput, options: PackOptions) => Promise<FlowPacket>}
 */
export async function packFlow(source, { cwd, config = NO_CONFIG, commandLine = [], include = [], bundle = true }) {
  const flow = await openFlow(source, [config, ...commandLine], { cwd, load: bundle ? loadOrBundle : loadFlow });
  const contents = await contentsOf(source, flow, { cwd, bundle });
  const ofAgents = contents.kind === 'data' ? [...commandLine, STRICT] : commandLine;
  const reads = readsOf(flow, { config, commandLine: ofAgents });
  const problems = createProblems('E_NOT_SENT');
  refuseFlowOptions(flow.raw, problems);
  for (const [path, { isSecret }] of reads)
    if (isSecret)
      problems.add(path, `has secrets, which are not sent to agents: see ${docUrl('guide/many-machines.md#secrets')}`);
  if (contents.kind === 'data') {
    refuseSecrets(flow.raw, problems);
    refuseSockets(flow.raw, problems);
    // Paths of a request were made relative.
    if (source.request === undefined) refuseAbsolute(flow.raw, reads, problems);
  }
  if (contents.kind === 'code') refuseSecrets(flow.raw, problems, { code: textOf(contents) });
  problems.throwIfAny();
  contents.paths.push(...reads.keys(), ...include.map((path) => resolve(cwd, path)));
  return packetOf(contents, flow, cwd);
}

/** All files that travel, as one text. @type {(contents: Contents) => string} */
function textOf({ texts }) {
  return [...texts.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n');
}

/** Node 20 reads no TypeScript, but its bundle. @type {typeof loadFlow} */
async function loadOrBundle(input, options = {}) {
  try {
    return await loadFlow(input, options);
  } catch (error) {
    const path = isFile(input) ? resolve(options.cwd ?? '', input.argument) : '';
    if (!TYPESCRIPT.test(path)) throw error;
    return loadBundle(path, input, options.args);
  }
}

/**
 * @type {(path: string, input: FlowInput, args: Record<string, unknown> | undefined) => ReturnType<typeof loadFlow>}
 */
async function loadBundle(path, input, args) {
  const bundle = await bundleCode({ path });
  const folder = await PrivateFolder.open();
  try {
    const argument = join(folder.path, basename(bundle.path));
    await writeFile(argument, bundle.code);
    return { ...(await loadFlow({ ...input, argument }, { args })), from: path, folder: dirname(path) };
  } finally {
    await folder.remove();
  }
}

/**
 * Decides what of a flow travels: its URLs, its document, its bundle, or its name alone.
 * @type {(source: FlowInput, flow: OpenFlow, options: { cwd: string, bundle: boolean }) => Promise<Contents>}
 */
async function contentsOf(source, flow, { cwd, bundle }) {
  const { raw, origin } = flow;
  const urls = urlsOf(source, flow);
  const none = { texts: new Map(), paths: [], disk: null };
  if (urls) return { kind: 'data', source: { kind: 'urls', urls, ...requestOf(source, cwd) }, ...none };
  if (isFile(source)) {
    const path = resolve(cwd, source.argument);
    if (isCode(path)) return codeOf({ path }, { bundle, cwd });
    return documentOf(path, read(path), origin);
  }
  // A literal or a text on standard input: it is data if JSON has all of it.
  const isData = findUncloneable(raw) === null && hashFlow(copyOf(raw)) === hashFlow(raw);
  const text = 'evaluate' in source ? source.evaluate : Buffer.from(/** @type {any} */ (source).bytes).toString();
  if (!isData) return codeOf({ text, cwd }, { bundle, cwd });
  // A literal in JavaScript was evaluated here; a recording travels as it is, and the agent translates it.
  const path = join(cwd, 'evaluate' in source ? 'inline.json' : 'standard-input.json');
  return documentOf(path, Buffer.from(origin.isRecording ? text : JSON.stringify(raw)), origin);
}

/** @type {(path: string, bytes: Uint8Array, origin: OpenFlow['origin']) => Promise<Contents>} */
async function documentOf(path, bytes, { isRecording }) {
  const content = isRecording ? await leanRecording(bytes) : bytes;
  const texts = new Map([[path, content]]);
  return { kind: 'data', source: { kind: 'file', file: path }, texts, paths: [], disk: null };
}

/**
 * Packs a flow that is code: as a bundle, or, if no agent allows code, as the names of its files, which agents may
 * have.
 * @type {(flow: { path: string } | { text: string, cwd: string }, options: { bundle: boolean, cwd: string }) =>
 *   Promise<Contents>}
 */
async function codeOf(flow, { bundle, cwd }) {
  const disk = 'path' in flow ? sourcesOf(flow.path) : null;
  const mayBeOnAgents = disk !== null && disk.every((path) => !isUnsafeName(nameIn(cwd, path)));
  if (!bundle) {
    if (mayBeOnAgents)
      return { kind: 'disk', source: { kind: 'file', file: disk[0] }, texts: new Map(), paths: [], disk };
    const [name, reason] = disk
      ? [disk[0], 'is not in the working directory, or imports a file that is not']
      : ['-e', 'is code'];
    throw makeError('E_CODE', {
      name,
      reason: `${reason}, and no agent allows code`,
      cure: 'start the agents with --allow-code, or start the command in the folder of the flow',
    });
  }
  const { path, code, sources } = await bundleCode(flow);
  return {
    kind: 'code',
    source: { kind: 'file', file: path },
    texts: new Map([[path, code]]),
    paths: sources,
    disk: mayBeOnAgents ? disk : null,
  };
}

/** Refuses run options in the flow that agents cannot have. @type {(flow: any, problems: Problems) => void} */
function refuseFlowOptions({ socketPath, runOptions: options = {} }, problems) {
  const layers = [{ socketPath }, options].map((own) => ({ name: 'flow', options: own }));
  refuseOptions(layers, problems, {});
  if (optionFiles(layers).length > 0)
    problems.add('flow.runOptions', 'has files of this machine: pass them as options of the command, such as --ca');
}

/**
 * Lists the files that the flow reads when it is compiled, by their paths, without those that options name.
 * @type {(flow: OpenFlow, options: { config: Layer, commandLine: Layer[] }) => Map<string, { isSecret: boolean }>}
 */
function readsOf({ read, from, origin }, { config, commandLine }) {
  const layers = commandLayers({ config, flow: read.flow, from, commandLine });
  const { error, files } = recordReads(() => prepare(read, layers, origin));
  if (error && !lacksVariable(error)) throw error;
  for (const path of optionFiles([config, ...commandLine])) files.delete(path);
  return files;
}

/** Reports whether agents, with their variables, may accept such a flow. @type {(error: any) => boolean} */
export function lacksVariable({ problems = [] }) {
  return problems.some((/** @type {{ reason: string }} */ { reason }) => WITHOUT_VARIABLE.test(reason));
}

/** @type {(flow: unknown, reads: Map<string, unknown>, problems: Problems) => void} */
function refuseAbsolute(flow, reads, problems) {
  for (const { path, text } of allTextsIn(flow)) {
    if (isAbsolute(text) && reads.has(resolve(text)))
      problems.add(path, `${text} is a path of this machine: write it relative to the flow`);
  }
}

/**
 * Names the files relative to the folder that contains all of them, and adds their contents; those of the disk of an
 * agent are named relative to `cwd`, with digests.
 * @type {(contents: Contents, flow: OpenFlow, cwd: string) => FlowPacket}
 */
function packetOf({ kind, source, texts, paths, disk }, { raw, from, origin: { folder } }, cwd) {
  const own = { name: isAbsolute(from) ? relative(cwd, from) : from, hash: hashFlow(raw) };
  const needed = disk && [...new Set([...disk, ...paths])].filter((path) => !isUnsafeName(nameIn(cwd, path)));
  const digests = needed?.map((path) => ({ name: nameIn(cwd, path), sha256: digestOf(read(path)) })) ?? null;
  if (kind === 'disk') return { kind, ...own, source: namedIn(source, cwd), folder: '', files: [], disk: digests };
  const all = new Map(texts);
  for (const path of paths) if (!all.has(path)) all.set(path, read(path));
  const root = commonFolder([folder, ...[...all.keys()].map(dirname)]);
  const files = packFiles(new Map([...all].map(([path, bytes]) => [nameIn(root, path), bytes])));
  return { kind, ...own, source: namedIn(source, root), folder: nameIn(root, folder), files, disk: digests };
}

/** @type {(source: FlowPacket['source'], folder: string) => FlowPacket['source']} */
function namedIn(source, folder) {
  return source.kind === 'file' ? { kind: 'file', file: nameIn(folder, source.file) } : source;
}

/** @type {(source: FlowInput) => source is FlowInput & { argument: string }} */
function isFile(source) {
  return 'argument' in source;
}

/** Returns the URLs of a flow; null: it has none. @type {(source: FlowInput, flow: OpenFlow) => string[] | null} */
function urlsOf(source, { raw, from }) {
  if ('urls' in source) return source.urls;
  if ('argument' in source) return isAbsolute(from) ? null : [source.argument];
  return typeof raw === 'string' ? [raw] : null;
}

/** Paths are relative to `cwd`. @type {(source: FlowInput, cwd: string) => { request?: Record<string, any> }} */
function requestOf({ request }, cwd) {
  if (request === undefined) return {};
  /** @type {(value: any) => any} */
  const portable = (value) => {
    if (Array.isArray(value)) return value.map(portable);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, one]) => [
      key,
      key === 'file' && typeof one === 'string' ? nameIn(cwd, resolve(cwd, one)) : portable(one),
    ]);
    return Object.fromEntries(entries);
  };
  return { request: portable(request) };
}

/** @type {(path: string) => Buffer} */
function read(path) {
  return readRegularFile(path, { maxBytes: MOST_BYTES });
}

/** @type {(value: unknown) => any} */
function copyOf(value) {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

/** Finds the innermost folder that contains all of these. @type {(folders: string[]) => string} */
function commonFolder([first, ...others]) {
  const parts = others.reduce((common, folder) => {
    const own = folder.split(sep);
    const end = common.findIndex((part, i) => part !== own[i]);
    return end < 0 ? common : common.slice(0, end);
  }, first.split(sep));
  return parts.join(sep) || sep;
}

/** @type {(folder: string, path: string) => string} */
function nameIn(folder, path) {
  return relative(folder, path).split(sep).join('/');
}

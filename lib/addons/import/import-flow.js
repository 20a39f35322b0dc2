import { existsSync } from 'node:fs';
import { basename, dirname, normalize, resolve } from 'node:path';

import { baseUrlFault } from '../../core/flow/request-url.js';
import { counted } from '../../core/ground/decimal.js';
import { makeError } from '../../core/ground/errors.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { TLS_PROPERTIES } from '../../core/http/tls-properties.js';
import { addressOf, writeAddress } from '../../core/http/url-parts.js';
import { describeOther } from './describe-other.js';
import { URL_KEYS, operationsOf, splitOrigin } from './draft.js';
import { EnvironmentNames } from './environment-names.js';
import { mergeDrafts } from './merge-drafts.js';
import { BEGINNING, SOURCES, sourceOf } from './sources.js';
import { commentsOf, writeFlow } from './write-flow.js';
import { isOutside } from '../../core/process/confinement.js';
import { FileRefusal, readRegularFile } from '../../core/process/read-file.js';
import { isOneOf, replaceFile } from '../../core/cli/result/replace-file.js';
import { unwritable } from '../../core/cli/result/unwritable.js';
import { print, printMessage } from '../../core/cli/output.js';
import { valueIn } from '../../core/cli/program.js';
import { isStream, readStream } from '../../core/cli/run/open-source.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { FlowDraft, ImportOptions, ImportSource } from './import.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { ImportRequest } from './requests.js' */

const MAX_BYTES = 256 * 1024 * 1024;
const MOST_LISTED = 20;
const LEFT_OUT = /\b(?:is|are) left out\b/;

/** A base URL that is known when the flow runs. */
const VALUE_ELSEWHERE = /^#\{(?:env|args)\./;

/**
 * Reads what another tool wrote, writes a flow, and prints what was skipped and what to do next.
 * @type {(request: ImportRequest, io: Io) => Promise<Reason[]>}
 */
export async function importFlow(request, io) {
  const { output, format, force, options } = request;
  const { baseUrl } = options;
  const fault = baseUrl === undefined || VALUE_ELSEWHERE.test(baseUrl) ? undefined : baseUrlFault(baseUrl);
  if (fault !== undefined) throw usageError(`the base URL ${fault}`);
  const cwd = workingFolder(io);
  const path = output === undefined ? undefined : resolve(cwd, output);
  const sources = request.sources.map((source) => resolve(cwd, source));
  if (path !== undefined && isOneOf(path, sources))
    throw usageError(`${output} is the source: write the flow to another file`);
  if (path !== undefined && !force) refuseExisting(path, output);
  const flowFolder = path === undefined ? cwd : dirname(path);
  // Equal secrets of several sources have one variable, and others have variables of their own.
  const common = { ...options, flowFolder, cwd, environmentNames: new EnvironmentNames() };
  const drafts = [];
  const kinds = [];
  for (const { bytes, ...place } of await readSources(request, io)) {
    const { kind, draft } = await readDraft(bytes, request.from, { ...common, ...place });
    kinds.push(kind);
    drafts.push(draft);
  }
  refuseForeignFlags(options, kinds);
  if (drafts.length > 1 && drafts.some(({ scenarios }) => scenarios !== undefined))
    throw usageError('a source with scenarios is a flow of its own: import it without the others');
  return writeDraft(mergeDrafts(drafts), { path, output, format }, io);
}

/**
 * Reads a source as a draft. `name`: that of its kind; undefined: it is detected.
 * @type {(bytes: Buffer, name: string | undefined, options: ImportOptions) => Promise<{ kind: ImportSource, draft:
 *   FlowDraft }>}
 */
async function readDraft(bytes, name, options) {
  const { from } = options;
  const named = SOURCES.find((source) => source.name === name);
  // A recording of many megabytes is read as bytes: as a text it would take several times the memory.
  const large = named ?? sourceOf(bytes.toString('utf8', 0, BEGINNING), basename(from));
  const { readBytes } = large?.readsBytes ? await large.load() : {};
  if (large && readBytes) return { kind: large, draft: await readBytes(bytes, options) };
  const text = decode(bytes, from);
  const kind = named ?? sourceOf(text, basename(from));
  if (!kind) throw makeError('E_FLOW_FILE', { path: from, ...describeOther(text) });
  const { read } = await kind.load();
  return { kind, draft: await read(text, options) };
}

/**
 * Refuses a flag that none of the sources of the flow reads.
 * @type {(options: Record<string, unknown>, kinds: ImportSource[]) => void}
 */
function refuseForeignFlags(options, kinds) {
  const own = new Set(kinds.flatMap(({ flags = [] }) => flags.map(({ flag }) => flag)));
  for (const { name, flags = [] } of SOURCES)
    for (const { flag } of flags)
      if (!own.has(flag) && valueIn(options, flag) !== undefined)
        throw usageError(`${flag} is for ${name}, and the source is ${kinds[0].name}: leave it out`);
}

/**
 * Refuses to replace a file. `output` is its path as the user wrote it.
 * @throws {Error} E_USAGE
 * @type {(path: string, output?: string) => void}
 */
export function refuseExisting(path, output) {
  if (existsSync(path)) throw usageError(`${output} exists: choose another file, or add --force to replace it`);
}

/**
 * Writes a draft to a file, or prints it, with remarks for people on stderr. path: absolute; output: as it was given.
 * @type {(draft: FlowDraft, to: { path?: string, output?: string, format: ImportRequest['format'] }, io: Io) =>
 *   Promise<Reason[]>}
 */
export async function writeDraft(draft, { path, output, format }, io) {
  const text = writeFlow(draft, format);
  if (path === undefined) {
    const reasons = await print(text, io);
    await printMessage(io.stderr, remarksOn(draft, { format, isPrinted: true }));
    return reasons;
  }
  try {
    replaceFile(path, text);
  } catch (error) {
    throw unwritable(path, /** @type {NodeJS.ErrnoException} */ (error));
  }
  await printMessage(io.stderr, remarksOn(draft, { format, output }));
  return [];
}

/** @type {(request: ImportRequest, io: Io) => Promise<{ bytes: Buffer, from: string, folder: string }[]>} */
async function readSources({ sources, evaluate }, io) {
  const cwd = workingFolder(io);
  if (evaluate !== undefined) return [{ bytes: Buffer.from(evaluate), from: '-e', folder: cwd }];
  const read = [];
  for (const source of sources) {
    if (isStream(source)) {
      const { bytes, from } = await readStream(source, io);
      read.push({ bytes: Buffer.from(bytes), from, folder: cwd });
    } else {
      if (/^https?:\/\//i.test(source))
        throw usageError(`${source} is not downloaded: save it to a file, and import that`);
      const path = resolve(cwd, source);
      read.push({ bytes: bytesOf(path), from: path, folder: dirname(path) });
    }
  }
  return read;
}

/** @type {(path: string) => Buffer} */
function bytesOf(path) {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    if (error.isMissing) throw makeError('E_FILE_NOT_FOUND', { what: 'source', path, cure: 'check the path' });
    throw makeError('E_FLOW_FILE', { path, reason: error.reason, cure: error.cure }, { cause: error });
  }
}

/** @type {(bytes: Uint8Array, from: string) => string} */
function decode(bytes, from) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw makeError('E_FLOW_FILE', { path: from, reason: 'is not UTF-8', cure: 'save it as UTF-8' }, { cause: error });
  }
}

/**
 * Tells what was converted and what was not, what the flow needs, and what to run next.
 * @type {(draft: FlowDraft, written: { format: ImportRequest['format'], output?: string, isPrinted?: boolean }) =>
 *   string}
 */
function remarksOn(draft, { format, output, isPrinted = false }) {
  const all = operationsOf(draft);
  const active = all.filter(({ disabled }) => disabled === undefined).length;
  const { skipped, dialectNotes, environment } = draft;
  const disabled = all.length - active;
  const leftOut = all.flatMap(({ comments }) => comments).filter((text) => LEFT_OUT.test(text)).length;
  const notes = [
    ...new Set([...dialectNotes, ...filesOutside(draft), ...(format === 'json' ? commentsOf(draft) : [])]),
  ];
  return [
    `${isPrinted ? 'converted' : `wrote ${output}:`} ${counted(active, 'operation')}` +
      `${disabled > 0 ? `, ${disabled} commented out` : ''}${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}` +
      `${notes.length > 0 ? `; ${counted(notes.length, 'note')}` : ''}` +
      `${leftOut > 0 ? `; ${counted(leftOut, 'comment')} on what is left out` : ''}`,
    ...listed(
      'Skipped:',
      skipped.map(({ what, why }) => `${what}: ${why}`),
    ),
    ...listed('Notes:', notes),
    ...listed(
      'The flow reads these environment variables; set them, or write them to a file and pass --dotenv <file>:',
      // After an operation named Digest, and no period, the next name would be masked as its credentials.
      environment.map(({ name, of }) => `${name}: ${of}.`),
    ),
    ...nextLines([draft.runFlags ?? [], output ?? 'flow.mjs'].flat().join(' '), {
      ...{ isPrinted, count: active, hasLoad: hasLoad(draft), targets: targetsOf(draft) },
    }),
  ].join('\n');
}

/** @type {(title: string, lines: string[]) => string[]} */
function listed(title, lines) {
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LISTED ? [`  and ${lines.length - MOST_LISTED} more`] : [];
  return [title, ...lines.slice(0, MOST_LISTED).map((line) => `  ${line}`), ...more];
}

/** A source of others may send any file. @type {(draft: FlowDraft) => string[]} */
function filesOutside(draft) {
  /** @type {Set<string>} */
  const outside = new Set();
  /** @type {(value: any) => void} */
  const search = (value) => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
    const { file } = value;
    if (typeof file === 'string' && isOutside(normalize(file))) outside.add(file);
    for (const one of Object.values(value)) search(one);
  };
  for (const { operation } of operationsOf(draft)) for (const key of FILE_KEYS) search(operation[key]);
  return outside.size > 0 ? [`The flow reads files outside of its folder: ${[...outside].join(', ')}.`] : [];
}

const FILE_KEYS = [
  ...['body', 'formData', 'multipart'],
  ...Object.keys(TLS_PROPERTIES).filter((name) => TLS_PROPERTIES[name].kind === 'material'),
];

/** @type {(draft: FlowDraft) => boolean} */
function hasLoad({ properties, scenarios = {} }) {
  const runOptions = /** @type {Record<string, unknown>} */ (properties?.runOptions ?? {});
  const isOfRun = ['stages', 'rate', 'duration', 'iterations'].some((name) => runOptions[name] !== undefined);
  return isOfRun || Object.values(scenarios).some((one) => 'load' in one);
}

const MOST_TARGETS = 3;

/** Lists targets for `--allow-target`; null: none, many, or a variable. @type {(draft: FlowDraft) => string | null} */
function targetsOf(draft) {
  const urls = operationsOf(draft).flatMap(({ operation }) => URL_KEYS.map((key) => operation[key]));
  const origins = [draft.baseUrl, ...urls].map((url) => (typeof url === 'string' ? splitOrigin(url)[0] : ''));
  const targets = new Set(
    origins.filter(Boolean).map((origin) => {
      if (origin.includes('#{') || !URL.canParse(origin)) return null;
      const { hostname, port } = addressOf(new URL(origin));
      return writeAddress(hostname, port);
    }),
  );
  const isKnown = targets.size > 0 && targets.size <= MOST_TARGETS && !targets.has(null);
  return isKnown ? [...targets].join(',') : null;
}

/**
 * @type {(words: string, draft: { isPrinted: boolean, count: number, hasLoad: boolean, targets: string | null }) =>
 *   string[]}
 */
function nextLines(words, { isPrinted, count, hasLoad, targets }) {
  if (count === 0) return ['The flow has no operation that is sent: write its requests before you run it.'];
  if (isPrinted) return [];
  const rows = [
    [`bench-rest --debug ${words}`, 'run one iteration and print every exchange'],
    hasLoad
      ? [`bench-rest ${words}`, 'measure with the load of the flow']
      : [`bench-rest -t 10s -c 10 ${words}`, 'measure'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  return [
    'Next:',
    ...rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`),
    ...(targets === null
      ? []
      : [`With --allow-target ${targets} a run sends to no other host, whatever a response or a variable says.`]),
  ];
}

import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';

import { stringify } from 'yaml';

import { sourcesOf, textOf } from '../../flow/source/formats/imports.js';
import { isCode } from '../../flow/source/formats/index.js';
import { accepts } from '../../flow/source/formats/url.js';
import { grouped } from '../../ground/decimal.js';
import { createProblems } from '../../ground/problems.js';
import { workingFolder } from '../../ground/system-errors.js';
import { FileRefusal, readRegularFile, recordReads } from '../../process/read-file.js';
import { openFlow } from '../../run/flow-source.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { commandLayers } from '../../run/options/layers.js';
import { prepare } from '../../run/prepare.js';
import { missingImport, leanRecording } from '../../shard/pack-files.js';
import { lacksVariable } from '../../shard/pack-flow.js';
import { hasPrivateKey, refuseSecrets, secretIn } from '../../shard/secrets.js';
import { print } from '../output.js';
import { usageError } from '../usage-error.js';
import { CONFIG_FILE, jobOf, mergeJobOf } from './job.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { OpenFlow } from '../../run/types.js' */
/** @import { JobRequest, Io } from '../types.js' */

/**
 * @typedef {OpenFlow & { reads: string[], lastingMs: number, leadMs: number }} CheckedFlow reads: absolute paths of the
 *   files that it reads; leadMs: from the agreement of the pods to the start of their load
 *
 * @typedef {object} CheckOptions
 * @property {Record<string, any>} runOptions
 * @property {number} pods
 * @property {string} cwd
 * @property {boolean} hasSecret the pods have variables that this machine need not have
 */

/** Bytes of the files of a ConfigMap: 1 MiB, less their names. */
const MAX_BYTES = 1_000_000;
/** Completes "a password …". */
const READABLE =
  'would be readable in the job: write #{env.NAME}, keep the value in a secret of Kubernetes, and use --secret';
/** Characters of a label of Kubernetes. */
const LONGEST_LABEL = 63;
/** RFC 1123, as Kubernetes demands of the names of volume claims and secrets */
const NAME = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;
/** An image: registry, path, tag and digest. */
const IMAGE = /^[\w][\w./:@-]*$/;
/** A key of a ConfigMap. */
const FILE_NAME = /^[-.\w]{1,253}$/;
/**
 * From the agreement of the pods on, the containers of bench-rest have begun by then; `before` of the flow takes more.
 */
const LEAD_MS = 15_000;
const BEFORE_MS = 15_000;
/** The time of a part of a run without a limit. */
const UNKNOWN_MS = 3_600_000;
const UNKNOWN = { leadMs: 0, warmUpMs: 0, endMs: UNKNOWN_MS, gracefulStopMs: 0, teardownMs: 0 };
/** `from 'x'`, `import 'x'`, `import('x')` and `require('x')` */
const PACKAGE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])((?:@[\w.-]+\/)?[\w-][\w.:/-]*)\1/g;

/**
 * Prints the job of a flow, after checking that the flow and the options are valid.
 * @throws {Error} E_USAGE; any error of the flow and the options
 * @type {(request: JobRequest & { version: string }, io: Io) => Promise<Reason[]>}
 */
export async function printJob(request, io) {
  const { flow, files, runOptions: given, version, isMerge, ...settings } = request;
  const { pods, claim, image, secret } = settings;
  const { name = nameOf(flow, pods) } = settings;
  const cwd = workingFolder(io);
  const { thresholds, ...runOptions } = given;
  refuseOptions(given, claim);
  refuseNames({ ...settings, name });
  const options = { runOptions: given, pods, cwd, hasSecret: secret !== undefined };
  const { raw, read, origin, reads, lastingMs, leadMs } = await checkFlow(flow, options);
  const { thresholds: flowThresholds = [], ...flowOptions } = read.flow.runOptions;
  if (isMerge) {
    const judged = [thresholds ?? flowThresholds].flat();
    return printDocuments(
      [mergeJobOf({ name, version, image, secret, claim: claimOf(claim), thresholds: judged })],
      io,
    );
  }
  const own = isUrl(flow) ? [] : [...new Set([flow, ...neighboursOf(resolve(cwd, flow), { reads, image })])];
  const contents = contentsOf([...own, ...files], { cwd, folder: isUrl(flow) ? cwd : dirname(resolve(cwd, flow)) });
  refuseSecretsIn(raw, isUrl(flow) ? null : basename(flow), contents);
  refuseOptions(flowOptions, claim);
  if (origin.isRecording) contents[basename(flow)] = Buffer.from(await leanRecording(contents[basename(flow)]));
  if (!isUrl(flow)) await checkInPod(flow, contents, options);
  const documents = jobOf({
    ...settings,
    name,
    version,
    lastingMs,
    leadMs,
    hasThresholds: [flowThresholds].flat().length > 0,
    flow: isUrl(flow) ? flow : basename(flow),
    files: { ...contents, [CONFIG_FILE]: Buffer.from(JSON.stringify(runOptions)) },
  });
  return printDocuments(documents, io);
}

/** @type {(documents: object[], io: Io) => Promise<Reason[]>} */
async function printDocuments(documents, io) {
  const text = documents
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true }))
    .join('---\n');
  return print(text, io);
}

/** @type {(claim: string | false) => string} */
function claimOf(claim) {
  if (claim === false) throw usageError('--merge needs the volume of the results: leave --no-claim out');
  return claim;
}

/** @type {(argument: string) => boolean} */
function isUrl(argument) {
  return accepts({ argument, from: argument, cwd: '', limitMs: 0 });
}

/**
 * Refuses run options, of flags or of the flow, that a job cannot have.
 * @type {(runOptions: JobRequest['runOptions'], claim: JobRequest['claim']) => void}
 */
function refuseOptions(runOptions, claim) {
  if (runOptions.startAt !== undefined && claim !== false)
    throw usageError('--start-at: the pods agree on a start themselves: leave it out, or add --no-claim');
  for (const row of RUN_OPTIONS) {
    const { name, flag = '', refusedInJob } = row;
    const value = /** @type {Record<string, any>} */ (runOptions)[name];
    if (value === undefined) continue;
    if (name === 'abortOnFail' && value)
      throw usageError(
        '--abort-on-fail would judge one shard: the job that merges judges thresholds; agents judge the sum while they run',
      );
    const [option] = flag.split(/,? /).filter((word) => word.startsWith('--'));
    const secret = secretIn(row, value);
    if (secret)
      throw usageError(
        `${option}: ${secret} would be readable in the job: keep it in a secret of Kubernetes, and use --secret`,
      );
    if (refusedInJob) throw usageError(`${option} ${refusedInJob}`);
  }
}

/**
 * Refuses secrets: a ConfigMap can be read by everyone who can read the namespace.
 * @type {(flow: any, name: string | null, contents: Record<string, Buffer>) => void} name: of the file of the flow
 */
function refuseSecretsIn(flow, name, contents) {
  const problems = createProblems('E_NOT_SENT');
  const code = name !== null && isCode(name) ? contents[name].toString() : null;
  refuseSecrets(flow, problems, { consequence: READABLE, code });
  for (const row of RUN_OPTIONS) {
    const value = flow?.runOptions?.[row.name];
    const secret = value === undefined || value === null ? null : secretIn(row, value);
    if (secret && (code === null || code.includes(String(value))))
      problems.add(`flow.runOptions.${row.name}`, `${secret} ${READABLE}`);
  }
  for (const [file, content] of Object.entries(contents))
    if (hasPrivateKey(content.toString())) problems.add(file, `a private key ${READABLE}`);
  if (problems.list.length > 0)
    throw usageError(problems.list.map(({ path, reason }) => `${path}: ${reason}`).join('\n  '));
}

/** Kubernetes adds -INDEX for the pods, and we add -merge. @type {(pods: number) => number} */
function longestName(pods) {
  return LONGEST_LABEL - Math.max(`-${pods - 1}`.length, '-merge'.length);
}

/**
 * Refuses what Kubernetes would refuse when the job is applied.
 * @type {(names: Pick<JobRequest, 'pods' | 'claim' | 'image' | 'secret'> & { name: string }) => void}
 */
function refuseNames({ name, pods, claim, image, secret }) {
  const longest = longestName(pods);
  if (name.length > longest || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
    throw usageError(`--name ${name} is not valid: use up to ${longest} lower-case letters, digits and -`);
  for (const [flag, value] of Object.entries({ '--claim': claim, '--secret': secret }))
    if (typeof value === 'string' && !NAME.test(value))
      throw usageError(`${flag} ${value} is not valid: use up to 253 lower-case letters, digits, - and .`);
  if (image !== undefined && !IMAGE.test(image))
    throw usageError(`--image ${image} is not valid: use the name of an image, such as registry.test/mine:1`);
}

/** Names the job of a flow: `checkout.mjs` makes bench-rest-checkout. @type {(flow: string, pods: number) => string} */
function nameOf(flow, pods) {
  const base = isUrl(flow) ? '' : basename(flow).replace(/\.\w+$/, '');
  const words = base.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return ['bench-rest', ...words].join('-').slice(0, longestName(pods)).replace(/-$/, '');
}

/**
 * Plans the run of the first pod, which finds mistakes here, not in twenty pods. A flow that reads a variable which
 * only pods have is not planned: its times are not known then.
 * @type {(flow: string, options: CheckOptions) => Promise<CheckedFlow>}
 */
async function checkFlow(argument, { runOptions, pods, cwd, hasSecret }) {
  const commandLine = [{ name: 'command line', options: { ...runOptions, shard: { number: 1, of: pods } } }];
  const flow = await openFlow({ argument }, commandLine, { cwd });
  const { read, from, origin } = flow;
  const config = { name: 'configuration', options: {} };
  const layers = commandLayers({ config, flow: read.flow, from, commandLine });
  const { result, error, files } = recordReads(() => prepare(read, layers, origin));
  if (error && !(hasSecret && lacksVariable(error))) throw error;
  const summary = result?.summary;
  const limits = summary?.limits ?? UNKNOWN;
  const times = [limits.leadMs, limits.endMs, limits.gracefulStopMs, limits.teardownMs].map((ms) =>
    Number.isFinite(ms) ? ms : UNKNOWN_MS,
  );
  const hasBefore = !summary || summary.operations.before.length > 0;
  return {
    ...flow,
    reads: [...files.keys()],
    lastingMs: times.reduce((sum, ms) => sum + ms, 0),
    leadMs: LEAD_MS + limits.warmUpMs + (hasBefore ? BEFORE_MS : 0),
  };
}

/**
 * Opens the flow once more from a folder with the files of the pods alone, which finds missing files: those that code
 * names at run time, and modules that the text of another one does not name.
 * @type {(flow: string, contents: Record<string, Buffer>, options: CheckOptions) => Promise<void>}
 */
async function checkInPod(flow, contents, options) {
  const path = resolve(options.cwd, flow);
  const missing = isCode(path) ? await missingImport(path) : null;
  if (missing !== null) throw usageError(`${missing}; pods would not find it either`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-pod-'));
  try {
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
    const [packages] = (createRequire(path).resolve.paths('x') ?? []).filter((one) => existsSync(one));
    // a junction needs no privilege of Windows, and is a link elsewhere
    if (packages !== undefined) symlinkSync(packages, join(folder, 'node_modules'), 'junction');
    await checkFlow(join(folder, basename(flow)), { ...options, cwd: folder });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw usageError(
      `in a pod, ${message.replaceAll(folder + sep, '')}: add the files that it needs with --include, or build an --image`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Lists the files that the flow imports and reads. A ConfigMap has no folders, and pods have no packages.
 * @type {(path: string, options: { reads: string[], image?: string }) => string[]}
 */
function neighboursOf(path, { reads, image }) {
  if (!isCode(path)) return reads;
  const sources = sourcesOf(path);
  for (const source of sources) {
    const missing = image === undefined ? packageIn(source) : undefined;
    if (missing !== undefined)
      throw usageError(
        `${source} imports the package ${missing}, which the pods do not have: build an --image that has it`,
      );
  }
  return [...sources, ...reads];
}

/** Finds a package that a module imports, and that is installed here. @type {(path: string) => string | undefined} */
function packageIn(path) {
  const { resolve: find } = createRequire(path);
  const names = [...textOf(path).matchAll(PACKAGE_IMPORT)].map(([, , name]) => name);
  return names.find((name) => {
    if (isBuiltin(name) || /^bench-rest(\/|$)/.test(name)) return false;
    const folders = find.paths(name) ?? [];
    return folders.some((folder) => existsSync(join(folder, name)));
  });
}

/**
 * Reads the files of the pods, by their names. Several paths may lead to one file: `./flow.mjs` imports itself, too.
 * @type {(paths: string[], at: { cwd: string, folder: string }) => Record<string, Buffer>}
 */
function contentsOf(paths, { cwd, folder }) {
  /** @type {Record<string, Buffer>} */
  const contents = {};
  let bytes = 0;
  for (const [absolute, path] of new Map(paths.map((path) => [resolve(cwd, path), path]))) {
    if (dirname(absolute) !== folder)
      throw usageError(`${path} is not in the folder of the flow: a ConfigMap has no folders`);
    if (!FILE_NAME.test(basename(path)))
      throw usageError(`${path}: a ConfigMap allows letters, digits, -, _ and . in names of files: rename it`);
    const content = contentOf(absolute);
    bytes += content.length;
    if (bytes > MAX_BYTES)
      throw usageError(
        `the files have more than ${grouped(MAX_BYTES)} bytes, which is all that a ConfigMap holds: build an --image that has them`,
      );
    contents[basename(path)] = content;
  }
  return contents;
}

/** @type {(path: string) => Buffer} */
function contentOf(path) {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    throw error instanceof FileRefusal ? usageError(error.message) : error;
  }
}

import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

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
import { leanRecording } from '../../shard/pack-files.js';
import { hasPrivateKey, refuseSecrets, secretIn } from '../../shard/secrets.js';
import { print } from '../output.js';
import { usageError } from '../usage-error.js';
import { CONFIG_FILE, jobOf, mergeJobOf } from './job.js';

/**
 * @import { Reason } from '../../ground/exit-codes.js'
 * @import { OpenFlow } from '../../run/flow-source.js'
 * @import { JobRequest } from '../commands/k8s.js'
 * @import { Io } from '../main.js'
 *
 * @typedef {OpenFlow & { reads: string[], lastingMs: number }} CheckedFlow reads: absolute paths of the files that it
 *   reads
 */

/** The size of a ConfigMap, less its names. */
const MAX_BYTES = 1_000_000;
/** completes "a password …" */
const READABLE =
  'would be readable in the job: write #{env.NAME}, keep the value in a secret of Kubernetes, and use --secret';
/** of a label of Kubernetes */
const LONGEST_LABEL = 63;
/** A part of a run without a limit. */
const UNKNOWN_MS = 3_600_000;
const UNKNOWN = { leadMs: 0, endMs: UNKNOWN_MS, gracefulStopMs: 0, teardownMs: 0 };
/** `from 'x'`, `import 'x'`, `import('x')` and `require('x')` */
const PACKAGE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])((?:@[\w.-]+\/)?[\w-][\w.:/-]*)\1/g;

/**
 * Prints the job of a flow, after checking that the flow and the options are valid.
 *
 * @param {JobRequest & { version: string }} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 * @throws {Error} E_USAGE; any error of the flow and the options
 */
export async function printJob(request, io) {
  const { flow, files, runOptions: given, version, isMerge, ...settings } = request;
  const { agents, claim, image, secret } = settings;
  const { name = nameOf(flow, agents) } = settings;
  const cwd = workingFolder(io);
  const { thresholds = [], ...runOptions } = given;
  refuseOptions(given);
  refuseName(name, agents);
  const { raw, origin, reads, lastingMs } = await checkFlow(flow, { runOptions: given, agents, cwd });
  if (isMerge)
    return printDocuments(
      [mergeJobOf({ name, version, image, secret, claim: claimOf(claim), thresholds: [thresholds].flat() })],
      io,
    );
  const own = isUrl(flow) ? [] : [...new Set([flow, ...neighboursOf(resolve(cwd, flow), { reads, image })])];
  const texts = textsOf([...own, ...files], { cwd, folder: isUrl(flow) ? cwd : dirname(resolve(cwd, flow)) });
  refuseSecretsIn(raw, isUrl(flow) ? null : basename(flow), texts);
  if (origin.isRecording)
    texts[basename(flow)] = Buffer.from(await leanRecording(Buffer.from(texts[basename(flow)]))).toString();
  const documents = jobOf({
    ...settings,
    name,
    version,
    lastingMs,
    flow: isUrl(flow) ? flow : basename(flow),
    files: { ...texts, [CONFIG_FILE]: JSON.stringify(runOptions) },
  });
  return printDocuments(documents, io);
}

/** @type {(documents: object[], io: Io) => Promise<Set<Reason>>} */
async function printDocuments(documents, io) {
  const text = documents
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true }))
    .join('---\n');
  return new Set(/** @type {Reason[]} */ ((await print(text, io)) ? [] : ['notWritten']));
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

/** @type {(runOptions: JobRequest['runOptions']) => void} */
function refuseOptions(runOptions) {
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
 * A ConfigMap can be read by everyone who can read the namespace.
 *
 * @type {(flow: any, name: string | null, texts: Record<string, string>) => void} name: of the file of the flow
 */
function refuseSecretsIn(flow, name, texts) {
  const problems = createProblems('E_NOT_SENT');
  const code = name !== null && isCode(name) ? texts[name] : null;
  refuseSecrets(flow, problems, { consequence: READABLE, code });
  for (const row of RUN_OPTIONS) {
    const value = flow?.runOptions?.[row.name];
    const secret = value === undefined || value === null ? null : secretIn(row, value);
    if (secret && (code === null || code.includes(String(value))))
      problems.add(`flow.runOptions.${row.name}`, `${secret} ${READABLE}`);
  }
  for (const [file, text] of Object.entries(texts))
    if (hasPrivateKey(text)) problems.add(file, `a private key ${READABLE}`);
  if (problems.list.length > 0)
    throw usageError(problems.list.map(({ path, reason }) => `${path}: ${reason}`).join('\n  '));
}

/** Kubernetes adds -INDEX for the pods, and we add -merge. @type {(agents: number) => number} */
function longestName(agents) {
  return LONGEST_LABEL - Math.max(`-${agents - 1}`.length, '-merge'.length);
}

/** As Kubernetes demands of the names of jobs (RFC 1123). @type {(name: string, agents: number) => void} */
function refuseName(name, agents) {
  const longest = longestName(agents);
  if (name.length <= longest && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) return;
  throw usageError(`--name ${name} is not valid: use up to ${longest} lower-case letters, digits and -`);
}

/** `checkout.mjs` makes bench-rest-checkout. @type {(flow: string, agents: number) => string} */
function nameOf(flow, agents) {
  const base = isUrl(flow) ? '' : basename(flow).replace(/\.\w+$/, '');
  const words = base.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return ['bench-rest', ...words].join('-').slice(0, longestName(agents)).replace(/-$/, '');
}

/**
 * Mistakes are found here, not by twenty pods.
 *
 * @type {(flow: string, options: { runOptions: Record<string, any>, agents: number, cwd: string }) =>
 *   Promise<CheckedFlow>}
 */
async function checkFlow(argument, { runOptions, agents, cwd }) {
  const commandLine = [{ name: 'command line', options: { ...runOptions, shard: { number: 1, of: agents } } }];
  const flow = await openFlow({ argument }, commandLine, { cwd });
  const { read, from, origin } = flow;
  const config = { name: 'configuration', options: {} };
  const layers = commandLayers({ config, flow: read.flow, from, commandLine });
  const { result, error, files } = recordReads(() => prepare(read, layers, origin));
  if (error) throw error;
  const { leadMs, endMs, gracefulStopMs, teardownMs } = result?.summary?.limits ?? UNKNOWN;
  const times = [leadMs, endMs, gracefulStopMs, teardownMs].map((ms) =>
    Number.isFinite(ms) ? Number(ms) : UNKNOWN_MS,
  );
  return { ...flow, reads: [...files.keys()], lastingMs: times.reduce((sum, ms) => sum + ms, 0) };
}

/**
 * What the flow imports and reads. A ConfigMap has no folders, and pods have no packages.
 *
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

/** A package that a module imports, and that is installed here. @type {(path: string) => string | undefined} */
function packageIn(path) {
  const { resolve: find } = createRequire(path);
  const names = [...textOf(path).matchAll(PACKAGE_IMPORT)].map(([, , name]) => name);
  return names.find((name) => {
    if (isBuiltin(name) || /^bench-rest(\/|$)/.test(name)) return false;
    const folders = find.paths(name) ?? [];
    return folders.some((folder) => existsSync(join(folder, name)));
  });
}

/** @type {(paths: string[], at: { cwd: string, folder: string }) => Record<string, string>} texts by file name */
function textsOf(paths, { cwd, folder }) {
  /** @type {Record<string, string>} */
  const texts = {};
  let bytes = 0;
  for (const path of paths) {
    const absolute = resolve(cwd, path);
    if (dirname(absolute) !== folder)
      throw usageError(`${path} is not in the folder of the flow: a ConfigMap has no folders`);
    const content = read(absolute);
    bytes += content.length;
    if (bytes > MAX_BYTES)
      throw usageError(
        `the files have more than ${grouped(MAX_BYTES)} bytes, which is all that a ConfigMap holds: build an --image that has them`,
      );
    texts[basename(path)] = new TextDecoder('utf-8', { fatal: true }).decode(content);
  }
  return texts;
}

/** @type {(path: string) => Buffer} */
function read(path) {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    throw error instanceof FileRefusal ? usageError(error.message) : error;
  }
}

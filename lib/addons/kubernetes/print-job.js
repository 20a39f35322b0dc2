import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, sep } from 'node:path';

import { stringify } from 'yaml';

import { isCode } from '../../core/flow/source/formats/index.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { recordReads } from '../../core/process/read-file.js';
import { openFlow } from '../../core/run/flow-source.js';
import { thresholdTexts } from '../../core/run/options/checks.js';
import { commandLayers } from '../../core/run/options/layers.js';
import { prepare } from '../../core/run/prepare.js';
import { missingImport } from '../agents/pack-files.js';
import { lacksVariable } from '../agents/pack-flow.js';
import { print, printMessage } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { longestName, refuseNames, refuseOptions, refuseSecretFlags, refuseSecretsIn } from './job-refusals.js';
import { CONFIG_FILE, jobOf, mergeJobOf } from './job.js';
import { podFiles } from './pod-files.js';

/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { OpenFlow } from '../../core/run/types.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { JobRequest } from './requests.js' */

/**
 * @typedef {OpenFlow & { reads: Map<string, { isSecret: boolean }>, lastingMs: number, leadMs: number }} CheckedFlow
 *   reads: the files that it reads, by their absolute paths; leadMs: from the agreement of the pods to the start of
 *   their load
 *
 * @typedef {object} CheckOptions
 * @property {Record<string, any>} runOptions
 * @property {number} pods
 * @property {string} cwd
 * @property {boolean} hasSecret the pods have variables that this machine need not have
 */

/** From the agreement of the pods to their load: time in which the containers of bench-rest begin. */
const LEAD_MS = 15_000;
/** More of that time, if the flow has a `before`. */
const BEFORE_MS = 15_000;
/** The time of a part of a run without a limit. */
const UNKNOWN_MS = 3_600_000;
/** The limits of a run that cannot be planned here. */
const UNPLANNED = { leadMs: 0, warmUpMs: 0, endMs: UNKNOWN_MS, gracefulStopMs: 0, teardownMs: 0 };
/** `kubectl apply` stores an object in an annotation of itself, which has at most 256 KiB. */
const MOST_TO_APPLY = 256 * 1024;

/**
 * Prints the job of a flow, after checking that the flow and the options are valid. Thresholds are for the sum of the
 * pods, so only the job that merges has them. Options of flags travel in a file of their own, those of the flow in it.
 * @throws {Error} E_USAGE; any error of the flow and the options
 * @type {(request: JobRequest & { version: string }, io: Io) => Promise<Reason[]>}
 */
export async function printJob(request, io) {
  const { flow, files: include, runOptions, version, isMerge, ...settings } = request;
  const { pods, claim, image, secret } = settings;
  const cwd = workingFolder(io);
  refuseOptions(runOptions, claim);
  refuseSecretFlags(runOptions);
  const options = { runOptions, pods, cwd, hasSecret: secret !== undefined };
  const { raw, read, from, origin, reads, lastingMs, leadMs } = await checkFlow(flow, options);
  const path = isAbsolute(from) ? from : null;
  const { name = nameOf(path, pods) } = settings;
  refuseNames({ ...settings, name });
  const { thresholds, ...podOptions } = runOptions;
  const { thresholds: flowThresholds, ...flowOptions } = read.flow.runOptions;
  if (isMerge) {
    const judged = thresholdTexts(thresholds ?? flowThresholds);
    return printDocuments(
      [mergeJobOf({ name, version, image, secret, claim: claimOf(claim), thresholds: judged })],
      io,
    );
  }
  const { isRecording = false } = origin;
  const contents = await podFiles(path, { reads: [...reads.keys()], include, cwd, image, isRecording });
  const secretFiles = [...reads].flatMap(([file, { isSecret }]) => (isSecret ? [basename(file)] : []));
  refuseSecretsIn(raw, path && basename(path), { contents, secret: secretFiles });
  refuseOptions(flowOptions, claim);
  if (path !== null) await checkInPod(path, contents, options);
  const documents = jobOf({
    ...settings,
    name,
    version,
    lastingMs,
    leadMs,
    hasThresholds: thresholdTexts(flowThresholds).length > 0,
    flow: path === null ? flow : basename(path),
    files: { ...contents, [CONFIG_FILE]: Buffer.from(JSON.stringify(podOptions)) },
  });
  return printDocuments(documents, io);
}

/** @type {(documents: object[], io: Io) => Promise<Reason[]>} */
async function printDocuments(documents, io) {
  const text = documents
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true }))
    .join('---\n');
  const reasons = await print(text, io);
  if (documents.some((document) => Buffer.byteLength(JSON.stringify(document)) > MOST_TO_APPLY))
    await printMessage(io.stderr, 'kubectl apply takes at most 256 KiB of files: use kubectl apply --server-side');
  return reasons;
}

/** @type {(claim: string | false) => string} */
function claimOf(claim) {
  if (claim === false) throw usageError('--merge needs the volume of the results: leave --no-claim out');
  return claim;
}

/**
 * Names the job of a flow: `checkout.mjs` makes bench-rest-checkout.
 * @type {(path: string | null, pods: number) => string} path: null: the flow is a URL
 */
function nameOf(path, pods) {
  const base = path === null ? '' : basename(path).replace(/\.\w+$/, '');
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
  const { problems = [] } = /** @type {any} */ (error ?? {});
  const shards = problems.find((/** @type {any} */ { path }) => path === 'runOptions.shard');
  if (shards) throw usageError(`--pods: ${shards.reason.replace('shards', 'pods')}`);
  if (error && !(hasSecret && lacksVariable(error))) throw error;
  const summary = result?.summary;
  const limits = summary?.limits ?? UNPLANNED;
  const times = [limits.leadMs, limits.endMs, limits.gracefulStopMs, limits.teardownMs].map((ms) =>
    Number.isFinite(ms) ? ms : UNKNOWN_MS,
  );
  const hasBefore = !summary || summary.operations.before.length > 0;
  return {
    ...flow,
    reads: files,
    lastingMs: times.reduce((sum, ms) => sum + ms, 0),
    leadMs: LEAD_MS + limits.warmUpMs + (hasBefore ? BEFORE_MS : 0),
  };
}

/**
 * Opens the flow once more from a folder with the files of the pods alone, which finds missing files: those that code
 * names at run time, and modules that the text of another one does not name.
 * @type {(path: string, contents: Record<string, Buffer>, options: CheckOptions) => Promise<void>}
 */
async function checkInPod(path, contents, options) {
  const missing = isCode(path) ? await missingImport(path) : null;
  if (missing !== null) throw usageError(`${missing}; pods would not find it either`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-pod-'));
  try {
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
    // The packages of the image are likely the same.
    const [packages] = (createRequire(path).resolve.paths('x') ?? []).filter((one) => existsSync(one));
    // a junction needs no privilege of Windows, and is a link elsewhere
    if (packages !== undefined) symlinkSync(packages, join(folder, 'node_modules'), 'junction');
    await checkFlow(join(folder, basename(path)), { ...options, cwd: folder });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw usageError(
      `in a pod, ${message.replaceAll(folder + sep, '')}: add the files that it needs with --include, or build an --image`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

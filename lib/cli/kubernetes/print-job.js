import { basename, dirname, resolve } from 'node:path';

import { stringify } from 'yaml';

import { grouped } from '../../decimal.js';
import { accepts } from '../../flow/source/formats/url.js';
import { FileRefusal, readRegularFile } from '../../read-file.js';
import { openFlow } from '../../run/open-flow.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { commandLayers } from '../../run/options/layers.js';
import { secretIn } from '../../run/options/option-secret.js';
import { prepare } from '../../run/prepare.js';
import { workingFolder } from '../../working-folder.js';
import { print } from '../output.js';
import { usageError } from '../usage-error.js';
import { jobOf } from './job.js';

/**
 * @import { Reason } from '../../exit-codes.js'
 * @import { JobRequest } from '../commands/k8s.js'
 * @import { Io } from '../main.js'
 */

/** The size of a ConfigMap, less its names. */
const MAX_BYTES = 1_000_000;
const CONFIG_FILE = '.bench-restrc.json';
/**
 * Prints the job of a flow, after checking that the flow and the options are valid.
 *
 * @param {JobRequest & { version: string }} request
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 * @throws {Error} E_USAGE; any error of the flow and the options
 */
export async function printJob({ flow, files, runOptions, version, name = nameOf(flow), ...settings }, io) {
  const cwd = workingFolder(io);
  refuseOptions(runOptions);
  refuseName(name);
  await checkFlow(flow, { runOptions, agents: settings.agents, cwd });
  const own = isUrl(flow) ? [] : [flow];
  const texts = textsOf([...own, ...files], { cwd, folder: isUrl(flow) ? cwd : dirname(resolve(cwd, flow)) });
  const documents = jobOf({
    ...settings,
    name,
    version,
    flow: isUrl(flow) ? flow : basename(flow),
    files: { ...texts, [CONFIG_FILE]: JSON.stringify(runOptions) },
  });
  const text = documents
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true }))
    .join('---\n');
  return new Set(/** @type {Reason[]} */ ((await print(text, io)) ? [] : ['notWritten']));
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
    const [option] = flag.split(/,? /).filter((word) => word.startsWith('--'));
    const secret = secretIn(row, value);
    if (secret)
      throw usageError(
        `${option}: ${secret} would be readable in the job: keep it in a secret of Kubernetes, and use --secret`,
      );
    if (refusedInJob) throw usageError(`${option} ${refusedInJob}`);
  }
}

/** As Kubernetes demands of the names of jobs (RFC 1123). @type {(name: string) => void} */
function refuseName(name) {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return;
  throw usageError(`--name ${name} is not valid: use up to 63 lower-case letters, digits and -`);
}

/** `checkout.mjs` makes bench-rest-checkout. @type {(flow: string) => string} */
function nameOf(flow) {
  const base = isUrl(flow) ? '' : basename(flow).replace(/\.\w+$/, '');
  const words = base.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return ['bench-rest', ...words].join('-').slice(0, 63).replace(/-$/, '');
}

/**
 * Mistakes are found here, not by twenty pods.
 *
 * @type {(flow: string, options: { runOptions: Record<string, any>, agents: number, cwd: string }) => Promise<void>}
 */
async function checkFlow(argument, { runOptions, agents, cwd }) {
  const commandLine = [{ name: 'command line', options: { ...runOptions, shard: { number: 1, of: agents } } }];
  const { read, from, origin } = await openFlow({ argument }, commandLine, { cwd });
  const config = { name: 'configuration', options: {} };
  prepare(read, commandLayers({ config, flow: read.flow, from, commandLine }), origin);
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

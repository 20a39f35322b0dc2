import { refusalOf } from './options/refused.js';
import { basename, join, resolve } from 'node:path';

import { splitUnixSocket } from '../../core/http/url-parts.js';
import { makeError } from '../../core/ground/errors.js';
import { createProblems } from '../../core/ground/problems.js';
import { TLS_PROPERTIES } from '../../core/http/tls-properties.js';
import { FileRefusal, readRegularFile } from '../../core/process/read-file.js';
import { EXPORTERS, exportersOf } from '../export/options.js';
import { withParts } from '../log/log-format.js';
import { TLS_OPTIONS } from '../../core/run/options/connections.js';
import { RUN_OPTIONS, rowOf } from '../../core/run/options/index.js';
import { longFlag } from '../../core/run/options/row.js';
import { USE_ENV, secretIn, textsIn } from './secrets.js';

/** @import { Problems } from '../../core/ground/types.js' */
/** @import { Layer, RunOption } from '../../core/run/options/types.js' */

/** @typedef {Record<string, string | undefined>} Variables of the environment */

const MAX_BYTES = 1024 * 1024;
const PEM = '-----BEGIN ';
/** Certificates are public: their text travels. */
const CERTIFICATES = ['ca', 'cert'];
/** Rows with a secret that agents read from their own environment. */
const OWN = RUN_OPTIONS.filter(({ isSecret, env }) => isSecret && env !== undefined);
/** The name of a file in a folder that the agent decides on. On Windows a colon would lead to a hidden stream. */
const LOG_NAME = /^[^\\/:.\0-\x1f][^\\/:\0-\x1f]{0,199}$/;
const REFUSED = RUN_OPTIONS.filter((row) => refusalOf(row, 'agents') !== undefined);

/** Options that runs on agents never have: null is the default. @type {Readonly<Record<string, null>>} */
export const WITHOUT_REFUSED = Object.freeze(Object.fromEntries(REFUSED.map(({ name }) => [name, null])));

/**
 * Packs the run options of a command for agents: plain JSON without secrets. Layers are weakest first. Options that
 * came from the environment of the command are left out, as agents have their own; the files of certificates become
 * their text. {@link logLayer} has the log, and the command itself exports.
 * @throws {Error} E_NOT_SENT with all reasons
 * @type {(layers: Layer[], env?: Variables) => Layer[]}
 */
export function packOptions(layers, env = process.env) {
  const problems = createProblems('E_NOT_SENT');
  refuseOptions(layers, problems, env);
  // How a layer came to be was judged here, by `checkRun`: it stays here.
  const packed = layers.map(({ options, isWritten: _isWritten, isFlow: _isFlow, ...layer }) => {
    const withheld = new Set(['log', ...exportersOf(options).map(({ name }) => name)]);
    return {
      ...layer,
      options: Object.fromEntries(
        Object.entries(options)
          .filter(([name, value]) => value !== undefined && !withheld.has(name) && !isOwn(name, value, env))
          .map(([name, value]) => [name, CERTIFICATES.includes(name) ? textOf(name, value, problems) : value]),
      ),
    };
  });
  problems.throwIfAny();
  return packed;
}

/**
 * Returns the options that an agent gets from its own environment, such as BENCH_REST_PASSWORD, as the weakest layer:
 * the options of a run replace them.
 * @throws {Error} FileRefusal of a key
 * @type {(env?: Variables) => Layer}
 */
export function ownOptions(env = process.env) {
  const set = OWN.filter((row) => env[String(row.env)]);
  const options = set.map((row) => [row.name, contentOf(row.name, String(env[String(row.env)]))]);
  return { name: 'environment of the agent', options: Object.fromEntries(options) };
}

/** Lists the variables that {@link ownOptions} reads. @type {(env?: Variables) => string[]} */
export function ownVariables(env = process.env) {
  return OWN.map((row) => String(row.env)).filter((name) => env[name]);
}

/**
 * Checks the options that came from a queue, which other programs can write to, too: `start` would run a command.
 * @throws {Error} E_PACKET
 * @type {(layers: Layer[]) => void}
 */
export function checkReceivedOptions(layers) {
  for (const { options } of layers) {
    const row = REFUSED.find(({ name }) => (options[name] ?? null) !== null);
    if (row) throw makeError('E_PACKET', { reason: `its option ${row.name} ${refusalOf(row, 'agents')}` });
  }
}

/**
 * Returns the log of requests of a run, by its options and those of its flow, as agents get it: the name of its file,
 * as each agent has a folder of its own. `label` keeps the logs of several runs apart, such as the steps of a capacity.
 * @throws {Error} E_NOT_SENT: no agent would accept the name
 * @type {(options: { log?: string }, label?: string) => Layer[]}
 */
export function logLayer({ log }, label) {
  if (log === undefined) return [];
  const name = withParts(basename(log), ...(label === undefined ? [] : [label]));
  const problems = createProblems('E_NOT_SENT');
  if (!LOG_NAME.test(name))
    problems.add('--log', 'agents accept names of up to 200 characters, without a dot at the start, \\ and a colon');
  problems.throwIfAny();
  return [{ name: '--log', options: { log: name } }];
}

/**
 * Returns the longest duration of a run with a precision, by its options and those of its flow: agents have no
 * precision of their own.
 * @type {(options: { precision?: object[], duration?: number }) => Layer[]}
 */
export function precisionLayer({ precision, duration }) {
  return precision === undefined ? [] : [{ name: '--max-duration', options: { duration } }];
}

/**
 * Returns the absolute path of the log that an agent writes for a run; null: the run has no log. The received layers
 * are weakest first. Other programs can write to the queue, too: they decide on no path.
 * @throws {Error} E_LOG: the agent has no folder; E_PACKET
 * @type {(layers: Layer[], folder: string | null) => string | null}
 */
export function agentLog(layers, folder) {
  const log = layers.map(({ options }) => options.log ?? null).findLast((one) => one !== null) ?? null;
  if (log === null) return null;
  if (typeof log !== 'string' || !LOG_NAME.test(log))
    throw makeError('E_PACKET', { reason: 'its option log is not the name of a file' });
  if (folder === null)
    throw makeError('E_LOG', {
      path: log,
      reason: 'this agent has no folder for it',
      cure: 'start agents with --log-folder',
    });
  return join(folder, log);
}

/**
 * Reports options that agents cannot have. An option with the value of its variable in `env` is left out.
 * @type {(layers: Layer[], problems: Problems, env: Variables) => void}
 */
export function refuseOptions(layers, problems, env) {
  for (const { options = {} } of layers) {
    for (const row of RUN_OPTIONS.filter(({ name }) => EXPORTERS.every((one) => one.name !== name))) {
      const value = options[row.name];
      if (value === undefined || value === null || isOwn(row.name, value, env)) continue;
      const reason = refusalOf(row, 'agents') ?? refuseSecret(row, value);
      if (reason) problems.add(longFlag(row), reason);
    }
  }
}

/** Explains why agents cannot use a URL of a unix socket. @type {(url: unknown) => string | undefined} */
function refuseSocket(url) {
  return typeof url === 'string' && splitUnixSocket(url) ? refusalOf(rowOf('socketPath'), 'agents') : undefined;
}

/** @type {(flow: unknown, problems: Problems) => void} */
export function refuseSockets(flow, problems) {
  for (const { path, keys, text } of textsIn(flow)) {
    // Options are refused by themselves.
    if (keys[0] === 'runOptions' || path === 'flow.socketPath') continue;
    const reason = keys.at(-1) === 'socketPath' ? refusalOf(rowOf('socketPath'), 'agents') : refuseSocket(text);
    if (reason) problems.add(path, reason);
  }
}

/** Lists the absolute paths of the files that run options name. @type {(layers: Layer[]) => string[]} */
export function optionFiles(layers) {
  const names = [...TLS_OPTIONS, 'envFiles'];
  const values = layers.flatMap(({ options = {} }) => names.flatMap((name) => options[name] ?? []));
  return values.flatMap((value) => {
    const path = typeof value === 'string' && !value.includes(PEM) ? value : value?.file;
    return typeof path === 'string' ? [resolve(path)] : [];
  });
}

/** @type {(row: RunOption, value: any) => string | undefined} */
function refuseSecret(row, value) {
  const { name, env } = row;
  if (name === 'key' || name === 'pfx')
    return `is not sent to agents: set ${env} in the environment of each agent, to the path of its own file`;
  if (name === 'passphrase') return `is not sent to agents: set ${env} in the environment of each agent`;
  const socket = name === 'baseUrl' ? refuseSocket(value) : undefined;
  if (socket) return socket;
  const secret = secretIn(row, value);
  if (secret === null) return undefined;
  const cure =
    name === 'proxy' ? 'set HTTP_PROXY and HTTPS_PROXY in the environment of each agent' : `${USE_ENV}${orSet(env)}`;
  return `${secret} is not sent to agents: ${cure}`;
}

/** @type {(env: string | undefined) => string} */
function orSet(env) {
  return env ? `; or set ${env} there` : '';
}

/** @type {(name: string, value: unknown, env: Variables) => boolean} */
function isOwn(name, value, env) {
  const row = OWN.find((one) => one.name === name);
  return row !== undefined && env[String(row.env)] === value;
}

/** @type {(name: string, value: any, problems: Problems) => any} */
function textOf(name, value, problems) {
  if (Array.isArray(value)) return value.map((one) => textOf(name, one, problems));
  try {
    return contentOf(name, value);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    problems.add(longFlag(rowOf(name)), error.message);
    return value;
  }
}

/** Returns the content of a file of TLS. @type {(name: string, value: any) => any} */
function contentOf(name, value) {
  if (TLS_PROPERTIES[name]?.kind !== 'material') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value === 'string' && value.includes(PEM)) return value;
  const bytes = readRegularFile(resolve(value.file ?? value), { maxBytes: MAX_BYTES });
  return name === 'pfx' ? bytes : bytes.toString('latin1');
}

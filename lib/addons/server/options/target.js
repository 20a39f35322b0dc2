import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isRecord } from '../../../core/flow/record.js';
import { asHttp } from '../../../core/http/schemes.js';
import { makeError } from '../../../core/ground/errors.js';
import { HIGHEST_PORT, readMs, refuseBareTime } from '../../../core/ground/units.js';
import { formatValue, typeName } from '../../../core/text/format-value.js';
import { maskFields, maskText } from '../../../core/text/mask.js';
import { PROFILE } from './profile.js';
import { RUNS_COMMAND } from '../../../core/run/options/row.js';

/** @import { Start } from '../../../core/contracts/run.js' */
/** @import { OptionPart, RunOption } from '../../../core/run/options/types.js' */

const requireHere = createRequire(import.meta.url);

/** Only a program has a target. @type {() => typeof import('../target-kinds.js')} */
const loadTargetKinds = () => requireHere('../target-kinds.js');

/** The value of `watch` for a server of `start` that is not watched. */
export const WATCH_OFF = 'off';

/** @type {OptionPart[]} */
const START_PARTS = [
  {
    name: 'app',
    flag: '--start-app <module>',
    about: 'start the application that this module exports, such as ./app.js or ./app.js#build',
  },
  {
    name: 'ready',
    flag: '--start-ready <url>',
    about: 'with --start: wait until this URL or path answers with 2xx or 3xx (default: for its port)',
  },
  {
    name: 'timeout',
    flag: '--start-timeout <time>',
    about: 'with --start: how long to wait for the server (default: 30s)',
    check: (text) => readMs(text) > 0,
    expected: 'a time above 0, such as 30s',
    refuseText: refuseBareTime,
  },
];

/** The server under test. @type {RunOption[]} */
export const TARGET = [
  {
    name: 'start',
    flag: '--start <command>',
    inHelp: 'common',
    type: 'string | string[] | StartOptions',
    parsed: 'Start',
    reaches: RUNS_COMMAND,
    schema: null,
    read: readStart,
    readsAny: true,
    check: (v) => v !== undefined,
    expected: "a command such as 'node app.js'",
    refuse: refuseStart,
    refuseSecond: 'A run starts one command',
    readWords: startOfWords,
    parts: START_PARTS,
    inFolder: startInFolder,
    bringsTarget: true,
    excludes: ({ watch }) => (watch === WATCH_OFF ? ['target'] : ['watch', 'target']),
    merge: mergeStart,
    masked: maskStart,
    about: 'start the server with this command, wait until it is ready, and end it after the run; its port is in PORT',
    refusedElsewhere: {
      kubernetes: 'would start a server in each pod: run the server as a service, and pass its URL',
      agents: 'would start a server on each agent: start it elsewhere, and pass its URL',
    },
  },
  {
    name: 'watch',
    flag: '--watch <server>',
    type: 'string | number',
    parsed: 'string',
    schema: { type: ['string', 'integer'] },
    read: (given) => (typeof given === 'number' ? String(given) : given),
    readsAny: true,
    check: isWatched,
    expected: 'a process number, a port such as :3000, a container, or off',
    refuseSecond: 'A run watches one server',
    reaches: 'watches a process',
    about:
      'watch this server of the same machine: a process number, a port such as :3000, or a container; off: not that of --start',
    refusedElsewhere: {
      kubernetes: 'would watch processes of each pod: leave it out',
      agents: 'would watch processes on each agent, and not the server: run bench-rest on its machine',
    },
  },
  {
    name: 'target',
    type: 'Target',
    schema: null,
    check: (value) => loadTargetKinds().isTarget(value),
    expected: 'an http.Server, a (request, response) function, or an application such as one of Express, Koa or Hono',
    refuse: (value) => loadTargetKinds().refuseTarget(value),
    bringsTarget: true,
    excludes: ['watch'],
    about:
      'a server or an application of this process, instead of baseUrl; started on a free port if it is not listening',
  },
  ...PROFILE,
];

/** Serves the application of a module. */
const SERVE_APPLICATION = fileURLToPath(new URL('../serve-application.js', import.meta.url));
/** How long a server may take to be ready, unless `timeout` is set. */
const DEFAULT_MS = 30_000;

/** The properties of `start`. @type {Record<string, { check: (value: any) => boolean, expected: string }>} */
const PROPERTIES = {
  command: { check: isCommand, expected: "a command such as 'node app.js', or a program and its arguments" },
  ready: {
    check: (v) => typeof v === 'string' && (v.startsWith('/') || (/^https?:/i.test(asHttp(v)) && URL.canParse(v))),
    expected: 'a URL such as http://localhost:3000/health, or a path such as /health',
  },
  env: {
    check: (v) => isRecord(v) && Object.values(v).every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
    expected: 'an object of variables',
  },
  cwd: { check: (v) => typeof v === 'string' && v !== '', expected: 'a folder' },
  timeout: { check: (v) => readMs(v) > 0, expected: 'a time above 0, such as 30s' },
  app: { check: (v) => typeof v === 'string' && v !== '', expected: 'a module such as ./app.js, or ./app.js#build' },
};

/** Reads a start: a command, its words, or an object; or undefined. @type {(given: unknown) => Start | undefined} */
export function readStart(given) {
  if (refuseStart(given) !== undefined) return undefined;
  const { app, ready, env = {}, cwd = '.', timeout = DEFAULT_MS, ...fields } = startFields(given);
  const command = app === undefined ? fields.command : [process.execPath, SERVE_APPLICATION, app];
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  return { command, ...(ready !== undefined && { ready }), env: variables, cwd, timeout: readMs(timeout) };
}

/**
 * Reports whether a value names a server to watch. Addresses such as 10.0.0.7 are refused, and numbers of 12 digits or
 * more are ids of containers.
 * @type {(value: unknown) => boolean}
 */
function isWatched(value) {
  if (typeof value !== 'string' || !/^:?\w[\w:.-]{0,199}$/.test(value) || /^[\d.]*\.[\d.]*$/.test(value)) return false;
  const [, colon, number] = /^(:?)(\d+)$/.exec(value) ?? [];
  if (number === undefined || (number.length >= 12 && colon === '')) return !value.startsWith(':');
  return Number(number) > 0 && (colon === '' || Number(number) <= HIGHEST_PORT);
}

/** Reports whether a run starts or watches a server. @type {(options: Record<string, any>) => boolean} */
export function hasServer({ start, watch = WATCH_OFF }) {
  return start !== undefined || watch !== WATCH_OFF;
}

/** Explains why a start is invalid. @type {(given: unknown) => string | undefined} */
export function refuseStart(given) {
  const fields = startFields(given);
  if (!isRecord(fields)) return `expected ${PROPERTIES.command.expected}, got ${formatValue(given)}`;
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(PROPERTIES, name));
  if (unknown !== undefined)
    return `unknown property ${formatValue(unknown)}; use ${Object.keys(PROPERTIES).join(', ')}`;
  if (fields.command !== undefined && fields.app !== undefined) return 'use either command or app, not both';
  if (fields.command === undefined && fields.app === undefined)
    return 'needs the command that starts the server, such as --start "node app.js"';
  for (const [name, { check, expected }] of Object.entries(PROPERTIES)) {
    const value = fields[name];
    if (value === undefined || check(value)) continue;
    // The values of env may be secrets.
    return `${name}: expected ${expected}, got ${name === 'env' ? typeName(value) : formatValue(value)}`;
  }
  return undefined;
}

/** Combines layers: `--start-ready` adds to a command. @type {(weaker: unknown, stronger: unknown) => unknown} */
export function mergeStart(weaker, stronger) {
  const [below, above] = [startFields(weaker), startFields(stronger)];
  return isRecord(below) && isRecord(above) ? { ...below, ...above } : stronger;
}

/**
 * The words after `--` are a command, too.
 * @throws {Error} E_USAGE
 * @type {(words: string[], given: unknown) => unknown}
 */
function startOfWords(words, given) {
  const [first] = words;
  if (given !== undefined)
    throw makeError('E_USAGE', {
      problem: `use either --start or -- ${first}, not both: each is the command that starts the server`,
    });
  if (/^https?:/i.test(first))
    throw makeError('E_USAGE', {
      problem: `after -- comes the command that starts the server: write ${first} before it`,
    });
  return { command: words };
}

/** The command of a configuration file runs in its folder. @type {(given: any, folder: string) => unknown} */
function startInFolder(given, folder) {
  const own = isRecord(given) && given.cwd ? { ...given, cwd: resolve(folder, given.cwd) } : given;
  return mergeStart({ cwd: folder }, own);
}

/** @type {(given: unknown) => unknown} the values of variables may be secrets */
export function maskStart(given) {
  if (refuseStart(given) !== undefined) return typeName(given);
  const { command, env, ...others } = startFields(given);
  return {
    ...(command !== undefined && { command: [command].flat().map(maskText).join(' ') }),
    ...others,
    ...(env && { env: maskFields(env) }),
  };
}

/** The fields of a start, which may be its command alone. @type {(given: any) => any} */
export function startFields(given) {
  return isCommand(given) ? { command: given } : given;
}

/** @type {(value: unknown) => boolean} */
function isCommand(value) {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every((one) => typeof one === 'string');
}

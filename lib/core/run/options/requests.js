import { isRecord } from '../../flow/record.js';
import { mergeCookies, readCookies } from '../../http/field-values.js';
import { isTarget } from '../../process/confinement.js';
import { maskAll, maskFields } from '../../text/mask.js';
import { refuseBareTime } from '../../ground/units.js';
import { count, ms, paths, text } from './row.js';

/** @import { RunOption } from './types.js' */

/** All hosts, the subdomains of a domain, or a host, which may have a scheme and a port. */
const HOST = /^(?:\*|\*\.[^\s/:@?#*\\[\]]+|(?:https?:\/\/)?(?:\[[\da-f:.]+\]|[^\s/:@?#*\\[\]]+)(?::\d{1,5})?\/?)$/i;
const numberOrText = {
  ...text,
  type: 'string | number',
  parsed: 'string',
  read: (/** @type {unknown} */ given) => (typeof given === 'number' ? String(given) : given),
  readsAny: true,
};

/** @type {RunOption} */
export const BASE_URL = {
  name: 'baseUrl',
  flag: '--base-url <url>',
  inHelp: 'short',
  ...text,
  expected: 'a URL',
  about: 'base URL of relative URLs',
};

/** @satisfies {Partial<RunOption>} */
const hosts = {
  repeatable: true,
  type: 'string | string[]',
  parsed: 'string[]',
  schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  read: readHosts,
};

/** Options of requests, their time limits and the memory they may use. @type {RunOption[]} */
export const REQUESTS = [
  {
    name: 'headers',
    type: 'Record<string, FieldValue>',
    parsed: 'Record<string, unknown>',
    schema: { $ref: '#/$defs/fields' },
    check: (v) => typeof v === 'object' && v !== null && !Array.isArray(v),
    expected: "an object such as { accept: 'text/html' }",
    merge: mergeFields,
    masked: maskFields,
    about: 'default headers of every operation',
  },
  {
    name: 'cookies',
    flag: '-C, --cookie <pair>',
    repeatable: true,
    type: 'Record<string, string | number> | string | string[]',
    parsed: 'Record<string, string>',
    schema: { $ref: '#/$defs/cookies' },
    read: readCookies,
    readsAny: true,
    check: (v) => v !== undefined,
    expected: 'name=value, or an object of names and values',
    merge: mergeCookies,
    isSecret: true,
    masked: maskCookies,
    about: 'a cookie of every virtual user, name=value; repeatable',
  },
  {
    name: 'args',
    flag: '--arg <name=value>',
    inHelp: 'common',
    repeatable: true,
    type: 'Record<string, string | number | boolean>',
    schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    read: readArguments,
    check: areArguments,
    expected: 'name=value, or an object of values; a name is made of letters, digits, dots, _ and -',
    merge: mergeArguments,
    masked: maskArguments,
    about: 'a value for #{args.name} in the flow, and for a flow that is a function: ({ args }) => flow; repeatable',
  },
  {
    name: 'envFiles',
    flag: '--dotenv <file>',
    ...paths,
    expected: 'the path of a file of variables',
    reaches: 'reads variables from a file',
    about: 'file of environment variables for #{env.NAME}: lines NAME=value, as for node --env-file; repeatable',
  },
  {
    name: 'addons',
    isExperimental: true,
    flag: '--addon <name>',
    ...paths,
    expected: 'the name of a package, or a path such as ./my-addon.js',
    reaches: 'runs code',
    isOfCommand: true,
    about: 'add-on to load before the flow is read: a package, or a path such as ./my-addon.js; repeatable',
  },
  {
    name: 'user',
    flag: '-u, --user <user>',
    inHelp: 'common',
    env: 'BENCH_REST_USER',
    ...numberOrText,
    isSecret: true,
    about: 'user name for basic authentication, or user:password as in curl',
  },
  {
    name: 'password',
    flag: '-p, --password <password>',
    env: 'BENCH_REST_PASSWORD',
    ...numberOrText,
    isSecret: true,
    about: 'password for basic authentication',
  },
  {
    name: 'credentialsFor',
    isExperimental: true,
    flag: '--credentials-for <hosts>',
    ...hosts,
    check: areHosts,
    expected:
      'hosts such as api.example.com, *.example.com, localhost:8000 or https://example.com, separated by commas',
    about: 'hosts that get the credentials of the run too, when a response or a redirect leads there; repeatable',
  },
  {
    name: 'allowTargets',
    isExperimental: true,
    flag: '--allow-target <targets>',
    ...hosts,
    check: (targets) => Array.isArray(targets) && targets.length > 0 && targets.every(isTarget),
    expected: 'host:port, such as api.example:443,*.test:*,[::1]:80',
    about:
      'send to these hosts and ports alone, such as api.example:443,*.test:*, whatever flow and responses say; repeatable',
  },
  {
    name: 'timeout',
    flag: '--timeout <time>',
    inHelp: 'common',
    ...ms,
    refuseText: refuseBareTime,
    default: 30_000,
    about: 'time limit of an operation; 0: none',
  },
  {
    name: 'gracefulStop',
    flag: '--graceful-stop <time>',
    ...ms,
    refuseText: refuseBareTime,
    default: 30_000,
    about: 'time that running iterations get to finish after a stop',
  },
  {
    name: 'teardownTimeout',
    isExperimental: true,
    ...ms,
    refuseText: refuseBareTime,
    default: 5_000,
    about: 'time that afterMain and after get after the graceful stop',
  },
  {
    name: 'maxBodySize',
    isExperimental: true,
    ...count,
    default: 64 * 1024 * 1024,
    expected: 'a number of bytes',
    about: 'maximum size of a response body that is kept for hooks, and of a WebSocket message, in bytes',
  },
  {
    name: 'maxBodyMemory',
    isExperimental: true,
    flag: '--max-body-memory <bytes>',
    ...count,
    default: 512 * 1024 * 1024,
    expected: 'a number of bytes',
    about: 'maximum memory of all kept bodies together, over all workers, in bytes',
  },
  {
    name: 'maxHeaderSize',
    isExperimental: true,
    ...count,
    default: 64 * 1024,
    expected: 'a number of bytes',
    about: 'maximum size of a response head, in bytes',
  },
  {
    name: 'maxHeaderFields',
    isExperimental: true,
    ...count,
    default: 1000,
    about: 'maximum number of header fields in a response',
  },
];

/**
 * Splits user and password in the options of one layer: `ann:password` has both, as in curl: no user has a colon in its
 * name (RFC 7617 2). With a password beside it, it is sent as it was by 1.2.4.
 * @type {<T extends Record<string, any>>(options: T) => T}
 */
export function splitUser(options) {
  const { user, password } = options;
  const colon = typeof user === 'string' && (password === undefined || password === null) ? user.indexOf(':') : -1;
  return colon < 0 ? options : { ...options, user: user.slice(0, colon), password: user.slice(colon + 1) };
}

/** Splits texts into hosts; a value that is no list stays as it is. @type {(given: unknown) => unknown} */
function readHosts(given) {
  const texts = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(texts)) return given;
  return texts.flatMap((text) =>
    typeof text === 'string' ? text.split(/[,\s]+/).filter((one) => one !== '') : [text],
  );
}

/** @type {(hosts: unknown) => boolean} */
function areHosts(hosts) {
  // The URL refuses a port above 65535, and an address of too many parts.
  const isHost = (/** @type {unknown} */ host) =>
    typeof host === 'string' && HOST.test(host) && URL.canParse(`http://${host.replace(/^https?:\/\//i, '')}`);
  return Array.isArray(hosts) && hosts.length > 0 && hosts.every(isHost);
}

/** @type {(given: unknown) => Record<string, string>} */
function maskCookies(given) {
  return Object.fromEntries(Object.keys(readCookies(given) ?? {}).map((name) => [name, maskAll()]));
}

/** Masks values whose name marks them as secrets. @type {(given: unknown) => Record<string, string>} */
function maskArguments(given) {
  const values = readArguments(given);
  return areArguments(values) ? maskFields(/** @type {Record<string, unknown>} */ (values)) : {};
}

const ARGUMENT_NAME = /^[\w.-]+$/;
const ARGUMENT = /^([\w.-]+)=(.*)$/s;

/**
 * Reads the texts of `--arg name=value`, or an object of values. A value that is no such text stays as it is, for
 * {@link areArguments} to refuse.
 * @type {(given: unknown) => unknown}
 */
export function readArguments(given) {
  const texts = [given].flat();
  const pairs = texts.map((text) => (typeof text === 'string' ? ARGUMENT.exec(text) : null));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
    : given;
}

/** Reports whether a value is an object of scalars whose names fit tokens. @type {(value: unknown) => boolean} */
export function areArguments(value) {
  return (
    isRecord(value) &&
    Object.entries(/** @type {object} */ (value)).every(
      ([name, one]) => ARGUMENT_NAME.test(name) && ['string', 'number', 'boolean'].includes(typeof one),
    )
  );
}

/** Merges objects; else returns `stronger`, which the check refuses. @type {(weaker: any, stronger: any) => any} */
export function mergeArguments(weaker, stronger) {
  const [below, above] = [readArguments(weaker), readArguments(stronger)];
  return isRecord(below) && isRecord(above)
    ? { .../** @type {object} */ (below), .../** @type {object} */ (above) }
    : stronger;
}

/**
 * Merges header fields of two layers: the stronger one wins field by field, whatever the case of their names. If either
 * is no object of fields, `stronger` itself is returned, and the check of the option refuses it.
 * @type {(weaker: any, stronger: any) => any}
 */
export function mergeFields(weaker, stronger) {
  if (!isRecord(weaker) || !isRecord(stronger)) return stronger;
  const replaced = new Set(Object.keys(stronger).map((name) => name.toLowerCase()));
  const kept = Object.entries(weaker).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...stronger };
}

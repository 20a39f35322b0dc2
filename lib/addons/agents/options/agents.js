import { maskText } from '../../../core/text/mask.js';
import { refuseBareTime } from '../../../core/ground/units.js';
import { withoutBrackets, writeAddress } from '../../../core/http/url-parts.js';
import { count, ms, paths, text, textOf } from '../../../core/run/options/row.js';
import { MOST_SHARDS } from '../../../core/run/options/shard.js';

/** @import { RunOption } from '../../../core/run/options/types.js' */

export const QUEUE_VARIABLE = 'BENCH_REST_QUEUE';
/** Pool of agents if none is named. */
export const POOL = 'default';
/** How long a run waits for agents, ms. */
export const AGENTS_TIMEOUT = 30_000;

const NAME = /^[\w.@-]{1,60}$/;

/** @type {(value: unknown) => boolean} whether it can be the name of an agent or of a pool */
export function isName(value) {
  return typeof value === 'string' && NAME.test(value);
}

/** @type {RunOption[]} */
const ROWS = [
  {
    name: 'agents',
    flag: '--agents <n>',
    inHelp: 'common',
    ...count,
    check: (v) => count.check(v) && v <= MOST_SHARDS,
    expected: `a whole number from 1 to ${MOST_SHARDS}`,
    about:
      'run on this many agents, which wait for work on other machines (bench-rest agent); -n, -c and -r are of all',
  },
  {
    name: 'agentsQueue',
    flag: '--agents-queue <url>',
    env: QUEUE_VARIABLE,
    ...text,
    check: (v) => readQueueUrl(v) !== null,
    masked: maskText,
    expected: 'the URL of Redis or Valkey, such as redis://host:6379, or rediss://host:6379 for TLS',
    about: 'where the agents wait: Redis or Valkey, such as redis://host:6379; rediss:// uses TLS',
  },
  {
    name: 'agentsPool',
    flag: '--agents-pool <name>',
    ...text,
    check: isName,
    expected: 'up to 60 letters, digits, or characters of _ . @ -',
    about: `use the agents of this pool (default: ${POOL})`,
  },
  {
    name: 'agentsTimeout',
    flag: '--agents-timeout <time>',
    ...ms,
    refuseText: refuseBareTime,
    about: 'how long to wait for agents that are not there, or busy (default: 30s)',
  },
  {
    name: 'agentsMaxLost',
    flag: '--agents-max-lost <n>',
    ...count,
    schema: { type: 'integer', minimum: 0 },
    check: (v) => Number.isSafeInteger(v) && v >= 0,
    expected: 'a whole number from 0',
    about: 'agents that may be lost during the run without failing it',
  },
  {
    name: 'agentsInclude',
    flag: '--agents-include <file>',
    ...paths,
    expected: 'the path of a file, or an array of them',
    about: 'a file that code of the flow reads, which is sent to the agents with it; repeatable',
  },
];

/** Options of a run on agents. @type {RunOption[]} */
export const AGENTS = ROWS.map((row) => ({ ...row, isOfCommand: true }));

export const AGENT_OPTIONS = AGENTS.map(({ name }) => name);

const SCHEMES = ['redis:', 'rediss:'];
const PORT = 6379;
const HIGHEST_DATABASE = 1_000_000;

/**
 * Where a queue is, and who may use it.
 *
 * @typedef {object} QueueAddress
 * @property {string} host
 * @property {number} port
 * @property {number} database
 * @property {boolean} isSecure by TLS
 * @property {string} user empty if the URL has none
 * @property {string} password empty if the URL has none
 */

/**
 * Reads `redis://[user:password@]host[:port][/database]`; `rediss:` uses TLS. Returns null for anything else.
 * @type {(given: unknown) => QueueAddress | null}
 */
export function readQueueUrl(given) {
  const url = URL.canParse(textOf(given)) ? new URL(textOf(given)) : null;
  if (url === null || !SCHEMES.includes(url.protocol) || url.hostname === '') return null;
  const database = Number(url.pathname.slice(1));
  if (!Number.isSafeInteger(database) || database < 0 || database > HIGHEST_DATABASE) return null;
  if (url.search !== '' || url.hash !== '') return null;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null) return null;
  return {
    host: withoutBrackets(url.hostname),
    port: Number(url.port || PORT),
    database,
    isSecure: url.protocol === 'rediss:',
    user,
    password,
  };
}

/** @type {(text: string) => string | null} null: a % that encodes nothing */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Writes the address of a queue for messages: without user and password. @type {(address: QueueAddress) => string} */
export function queueText({ host, port, database, isSecure }) {
  return `${isSecure ? 'rediss' : 'redis'}://${writeAddress(host, port)}${database === 0 ? '' : `/${database}`}`;
}

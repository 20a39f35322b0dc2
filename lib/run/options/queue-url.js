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
 * @param {unknown} given `redis://[user:password@]host[:port][/database]`; `rediss:` uses TLS
 * @returns {QueueAddress | null} null if it is not one
 */
export function readQueueUrl(given) {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : null;
  if (url === null || !SCHEMES.includes(url.protocol) || url.hostname === '') return null;
  const database = Number(url.pathname.slice(1));
  if (!Number.isSafeInteger(database) || database < 0 || database > HIGHEST_DATABASE) return null;
  if (url.search !== '' || url.hash !== '') return null;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null) return null;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
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

/**
 * @param {QueueAddress} address
 * @returns {string} for messages: without user and password
 */
export function queuePlace({ host, port, database, isSecure }) {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${isSecure ? 'rediss' : 'redis'}://${name}:${port}${database === 0 ? '' : `/${database}`}`;
}

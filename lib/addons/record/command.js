import { HIGHEST_PORT } from '../../core/ground/units.js';
import { portOf } from '../../core/http/url-parts.js';
import { PAUSE_FACTORS, readPauseFactor } from '../import/correlation/pause-factor.js';
import { argumentParser, collect, wholeNumber } from '../../core/cli/flags/argument-parser.js';
import { usageError } from '../../core/cli/usage-error.js';
import { writtenFormat } from '../import/command.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { RecordRequest } from './requests.js' */

const DEFAULT_PORT = 8080;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_OUTPUT = 'flow.mjs';
const readTarget = argumentParser(
  (text) => (URL.canParse(text) ? new URL(text) : null),
  (url) => /^https?:$/.test(url?.protocol ?? '') && url.pathname === '/' && url.search === '' && url.username === '',
  'scheme, host and port, such as http://localhost:3000',
);
const readFactor = argumentParser(readPauseFactor, (factor) => !Number.isNaN(factor), PAUSE_FACTORS);

/** Writes a flow from the requests that a program, or a person, sends. @type {CommandModule} */
export default {
  declare(command, { words, submit }) {
    command
      .usage('[options] [--target <url>] [-o <file>] [-- <command>]')
      .option(
        '--target <url>',
        'be a proxy of this service (default: record what reaches applications in the Node processes of the command)',
        readTarget,
      )
      .option('--proxy', 'be a forward proxy instead, for requests to any server; TLS is recorded with --ca')
      .option(
        '--ca <file>',
        'certificate authority of your own, in PEM: --proxy signs certificates for all hosts by it',
      )
      .option('--ca-key <file>', 'private key of --ca, in PEM (default: the one in the file of --ca)')
      .option(
        '--port <port>',
        `port of the proxy; 0: any free port (default: ${DEFAULT_PORT})`,
        wholeNumber(0, HIGHEST_PORT),
      )
      .option('--host <address>', `address that the proxy listens on (default: ${DEFAULT_HOST})`)
      .option(
        '-o, --output <file>',
        `write the flow to this file: .mjs, .yaml or .json (of a suite: ${DEFAULT_OUTPUT})`,
      )
      .option('--force', 'replace the file of -o if it exists')
      .option('--merge', 'write one flow for all clients (default: one for each)')
      .option('--again', 'run the command twice, and find values that differ and come from nowhere')
      .option('--include <what>', 'keep static, third-party, or the URLs that begin so, too; repeatable', collect)
      .option('--think-time <factor>', 'pauses between requests: keep, drop, or a factor (default: drop)', readFactor)
      .option('--keep-secrets', 'write passwords, tokens and cookies into the flow, instead of #{env.NAME}')
      .option('-k, --insecure', 'accept any certificate of the target')
      .action((options) => submit(requestOf(options, words())));
  },

  /** @param {RecordRequest} request */
  async run(request, io) {
    const { recordFlow } = await import('./record-flow.js');
    return recordFlow(request, io);
  },
};

/** @type {(options: Record<string, any>, words: string[]) => RecordRequest} */
function requestOf(given, words) {
  const isSuite = given.target === undefined && !given.proxy && words.length > 0;
  const { target = null, port = DEFAULT_PORT, host = DEFAULT_HOST, insecure = false, ...options } = given;
  const { output = isSuite ? DEFAULT_OUTPUT : undefined, ca, caKey = ca, include, thinkTime } = options;
  if (isSuite) refuseOfProxy(given);
  else refuse({ ...options, target, port, host }, words);
  return {
    command: 'record',
    proxy: isSuite ? null : { target, port, host, insecure },
    ...(ca !== undefined && { authority: { certificate: ca, key: caKey } }),
    words,
    output,
    format: writtenFormat(output),
    force: Boolean(options.force),
    merge: Boolean(options.merge),
    again: Boolean(options.again),
    keepSecrets: Boolean(options.keepSecrets),
    correlate: { ...(include && { include }), ...(thinkTime !== undefined && { thinkTime }) },
  };
}

/** @type {(options: Record<string, any>) => void} */
function refuseOfProxy(options) {
  const flags = { ca: '--ca', caKey: '--ca-key', port: '--port', host: '--host', insecure: '--insecure' };
  for (const [name, flag] of Object.entries(flags))
    if (options[name] !== undefined)
      throw usageError(`${flag} belongs to a proxy: add --target, such as http://localhost:3000, or --proxy`);
}

/** @type {(options: Record<string, any>, words: string[]) => void} */
function refuse({ target, proxy = false, ca, caKey, port, host, output, again }, words) {
  if (!proxy && target === null)
    throw usageError(
      '--target is missing: the service, such as http://localhost:3000, or a command, such as -- npm test',
    );
  if (proxy && target !== null)
    throw usageError('use either --target or --proxy: a forward proxy gets its servers from the requests');
  if (!proxy && ca !== undefined)
    throw usageError('--ca belongs to --proxy: with --target the proxy itself speaks TLS');
  if (ca === undefined && caKey !== undefined)
    throw usageError('--ca-key needs --ca, the certificate of the authority');
  if (target !== null && isProxyItself(target, port, host))
    throw usageError(`--target ${target.origin} is the address of the proxy: let --port name another one, or 0`);
  if (output === undefined) throw usageError('-o is missing: the file of the flow, such as flow.mjs');
  if (again && words.length === 0) throw usageError('--again needs a command after --, which it runs twice');
}

/** Names of this machine: `localhost`, `127.0.0.1`, `::`, `[::1]`, `0.0.0.0`. */
const LOCAL = /^(?:localhost|127\.[\d.]+|\[?::1?\]?|0\.0\.0\.0)$/;

/** @type {(target: URL, port: number, host: string) => boolean} */
function isProxyItself({ protocol, hostname, port: given }, port, host) {
  const isSamePort = portOf({ protocol, port: given }) === port;
  return isSamePort && (hostname === host || (LOCAL.test(hostname) && LOCAL.test(host)));
}

import { HIGHEST_PORT, readCount } from '../../core/ground/units.js';
import { SIGNALS } from '../../core/cli/exit-process.js';
import { wholeNumber } from '../../core/cli/flags/argument-parser.js';
import { addFlags } from '../../core/cli/flags/companions.js';
import { write } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { targetFlags } from './flags.js';

/** @import { TargetOptions } from './server.js' */
/** @import { CommandModule } from '../../core/cli/types.js' */

export const DEFAULT_PORT = 8000;
const GRPC_PORT = 50051;
/** While the target is used, its rate is printed this often. */
const SECONDS = 5;
const RESOURCES = `
  GET /                         answers hello
  PUT GET HEAD PATCH DELETE     documents at any path, with ETag, If-Match and If-None-Match
  POST                          creates a document: 201 and Location
  /items /items/book            a list, and its entries, as JSON
  /login /me                    a session cookie and its token, and the user they belong to
  /token /token/:s              a token for /me that expires in an hour or s seconds, and one that renews it (OAuth 2)
  /pages/:n                     a list in n pages, each with the URL of the next one
  /events /events/:n            5 or n server-sent events, ten per second
  /status/:code /delay/:ms /redirect/:n /echo
  ws:// at any path             answers each message with itself
`;

/** Serves the embedded target until a signal arrives. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command.argument('[port]', 'the same as --port', wholeNumber(0, HIGHEST_PORT));
    addFlags(command, targetFlags(String(DEFAULT_PORT)))
      .option('--body <text>', 'answer every request with this text, or with a number of bytes, such as 10k', readBody)
      .option('--grpc [port]', `also serve gRPC, by default on port ${GRPC_PORT}`, wholeNumber(0, HIGHEST_PORT))
      .option('--seed <n>', 'random seed of --delay (default: 1)', wholeNumber(0, Number.MAX_SAFE_INTEGER))
      .action((argument, { port, grpc, ...options }) => {
        if (argument !== undefined && port !== undefined)
          throw usageError(`use either the port ${argument} or --port ${port}, not both`);
        submit({
          command: 'serve',
          options: { port: argument ?? port ?? DEFAULT_PORT, ...options },
          ...(grpc !== undefined && { grpcPort: grpc === true ? GRPC_PORT : grpc }),
        });
      });
  },

  /** @param {{ command: 'serve', options: TargetOptions, grpcPort?: number }} request */
  async run({ options, grpcPort }, io, shutdown) {
    const { startTarget } = await import('./server.js');
    const { counted, rate } = await import('../../core/ground/decimal.js');
    const target = await startTarget(options);
    shutdown.add(target.close);
    const interrupted = new Promise((resolve) => SIGNALS.forEach((name) => io.on(name, resolve)));
    const resources = options.body === undefined ? RESOURCES : '\n  every request gets the same body\n';
    if (grpcPort !== undefined) {
      const { startGrpcTarget } = await import('./grpc.js');
      const grpc = await startGrpcTarget({ port: grpcPort });
      shutdown.add(grpc.close);
      await write(io.stdout, `gRPC target at ${grpc.url} (bench-rest list ${grpc.url})\n`);
    }
    await write(io.stdout, `REST target at ${target.url}/ (press Ctrl-C to stop)${resources}`);
    const readRate = createRateReader();
    const timer = setInterval(() => {
      const perSecond = readRate(target.requests);
      if (perSecond !== null) io.stdout.write(`${rate(perSecond)} requests per second\n`);
    }, 1000);
    await interrupted;
    clearInterval(timer);
    await write(io.stdout, `${counted(target.requests, 'request')}\n`);
    return [];
  },
};

/**
 * Computes the rate of the seconds in which requests came: after each SECONDS of them, or at the first idle second. The
 * function is called every second with the number of all requests; null: there is nothing to print.
 * @type {() => (requests: number) => number | null}
 */
export function createRateReader() {
  let [printed, last, busySeconds] = [0, 0, 0];
  return (requests) => {
    const isIdle = requests === last;
    last = requests;
    if (!isIdle) busySeconds++;
    if (busySeconds === 0 || (!isIdle && busySeconds < SECONDS)) return null;
    const perSecond = (requests - printed) / busySeconds;
    [printed, busySeconds] = [requests, 0];
    return perSecond;
  };
}

/** Reads the body of responses. A count is a number of bytes. @type {(text: string) => string | number} */
function readBody(text) {
  const bytes = readCount(text);
  return Number.isNaN(bytes) ? text : bytes;
}

import { hasUnknownOrigins, stepsOf } from '../../core/flow/origins.js';
import { counted } from '../../core/ground/decimal.js';
import { lacksCapability, transportNamed } from '../../core/transport/index.js';
import { NEGOTIATED } from './version.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { RunOption } from '../../core/run/options/types.js' */

/** Refuses options that do not fit to HTTP/2, or need it. @type {NonNullable<RunOption['fit']>} */
export function fitToFlow(options, flow, problems, onNotice) {
  const { http2 = false, httpClient, pipelining = 1, connections, streams } = options;
  const user = stepsOf(flow).find((step) => step.version !== undefined);
  const isUsed = user !== undefined;
  const add = (/** @type {string} */ name, /** @type {string} */ reason) =>
    problems.add(`runOptions.${name}`, reason, [name]);
  if (!isUsed && http2 === false) {
    for (const [name, value] of Object.entries({ connections, streams })) if (value !== undefined) add(name, NOT_USED);
    return;
  }
  const lacking = http2 === false ? lacksCapability(transportNamed(httpClient), 'http2') : undefined;
  if (lacking !== undefined) problems.add(`${user?.where}.http2`, lacking);
  if (!isUsed && http2 === true && !hasUnknownOrigins(flow)) onNotice(`runOptions.http2: ${NO_HTTPS}`);
  if (pipelining > 1)
    add(
      'pipelining',
      'is for HTTP/1.1: requests share a connection of HTTP/2 with connections, such as --connections 1',
    );
  if (connections !== undefined) checkConnections({ ...options, connections }, add);
}

/** Why options of HTTP/2 have no effect. */
const NOT_USED =
  'is for HTTP/2: set http2 (--http2), or remove it; virtual users, each with its own connection, are limit (-c)';
const NO_HTTPS =
  "no URL of the flow is https:, and HTTP/2 is negotiated by TLS: requests are sent in HTTP/1.1; write 'prior-knowledge' for HTTP/2 in clear text";

/** @type {(options: RunOptions & { connections: number }, add: (name: string, reason: string) => void) => void} */
function checkConnections({ connections, limit, requestsPerConnection, workers = 1, shard }, add) {
  if (requestsPerConnection !== undefined)
    add('requestsPerConnection', 'is of the connections of each virtual user, and connections shares them: remove one');
  if (connections > limit)
    add(
      'connections',
      `${connections} cannot be shared by ${limit} virtual users: use fewer connections, or more virtual users`,
    );
  const shards = shard?.of ?? 1;
  const threads = workers * shards;
  const ofShards = `${shards} shards${workers > 1 ? ` of ${counted(workers, 'worker')}` : ''}`;
  const among = shards > 1 ? ofShards : counted(workers, 'worker');
  if (connections < threads) add('connections', `${connections} cannot be divided among ${among}: each needs one`);
}

/** Describes the use of HTTP/2; empty: not used. @type {NonNullable<RunOption['describe']>} */
export function describe({ http2, connections, streams }, flow) {
  const steps = Object.values(flow ?? {}).flat();
  const own = steps.flatMap((step) => step.version ?? []);
  const isUsed = http2 !== false || own.length > 0;
  const isChosen = http2 === true || (http2 === false && own.includes(NEGOTIATED));
  const isPartial = http2 === false && own.length < steps.length;
  return [
    ...(isUsed ? [`HTTP/2${isPartial ? ' in some operations' : ''}${isChosen ? ' where servers have it' : ''}`] : []),
    ...(isUsed ? new Set(steps.flatMap(({ protocol }) => protocol.besideHttp2 ?? [])) : []),
    ...(connections === undefined ? [] : [`${counted(connections, 'shared connection')}`]),
    ...(streams === undefined ? [] : [`${streams} in flight per connection`]),
  ];
}

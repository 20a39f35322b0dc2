import { once } from 'node:events';

import { goalTable } from './goal.js';
import { childSeconds, timed } from './measure-peer.js';
import { median } from './median.js';
import { notInstalled, pathInBench } from './peers/installed.js';
import { end, endOf, start } from './processes.js';

const ROUNDS = 3;
const SECONDS = 4;
const STREAMS = 1000;
const EVENTS_PER_SECOND = 50;
/** The longer run; its CPU less that of the shorter one has no start of a process in it. */
const LONGER = 3;

/** @type {{ name: string, missing?: () => string | undefined, command: (url: string) => string[], eventsIn?: (stdout: string) => number }[]} */
const CLIENTS = [
  {
    name: 'ours',
    command: (url) => [
      ...[process.execPath, pathInBench('../bin/bench-rest.js'), '--json', '-d', '0', '--timeout', '0'],
      ...['-c', `${STREAMS}`, '-n', `${STREAMS}`, '-e', JSON.stringify({ get: url, stream: 'sse', name: 'stream' })],
    ],
    eventsIn: (stdout) => JSON.parse(stdout).operations[0].stream.events,
  },
  {
    name: 'node-net',
    command: (url) => [process.execPath, pathInBench('clients/node-net-streams.js'), url, `${STREAMS}`],
    eventsIn: (stdout) => JSON.parse(stdout).events,
  },
  {
    name: 'autocannon',
    missing: () => notInstalled('autocannon'),
    command: (url) => [
      ...[process.execPath, pathInBench('node_modules/autocannon/autocannon.js'), '--json', '-t', '600'],
      ...['-c', `${STREAMS}`, '-a', `${STREAMS}`, url],
    ],
  },
];

/**
 * Prints the CPU time per event of many streams, beside clients that measure less: node-net counts events, autocannon
 * whole responses.
 *
 * @param {{ rounds?: number, seconds?: number }} [settings]
 */
export async function streams({ rounds = ROUNDS, seconds = SECONDS } = {}) {
  const server = start([process.execPath, pathInBench('clients/streams.js'), `${EVENTS_PER_SECOND}`], {
    cpu: 1,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = await once(server, 'message');
  say(
    `streams: ${STREAMS} with ${EVENTS_PER_SECOND} events/s each, ${seconds} and ${LONGER * seconds} s, ${rounds} rounds`,
  );
  for (const { name, missing } of CLIENTS) if (missing?.()) say(`missing: ${name} (${missing()})`);
  const clients = CLIENTS.filter(({ missing }) => !missing?.());
  /** @type {Map<string, number[]>} */
  const found = new Map(clients.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < rounds; round++)
      for (const client of clients) found.get(client.name)?.push(await usOfEvent(client, { url, seconds }));
  } finally {
    await end(server);
  }
  for (const [name, each] of found)
    say(
      `${name.padEnd(12)} CPU us/event ${median(each).toFixed(2).padStart(6)}  (${each.map((us) => us.toFixed(2)).join(', ')})`,
    );
  const beside = (/** @type {string} */ name) => {
    const other = found.get(name);
    return other && median(other.map((us, i) => /** @type {number[]} */ (found.get('ours'))[i] / us));
  };
  say(
    goalTable([
      { what: 'CPU of an event, beside node-net', sign: '<=', bound: 1.6, value: beside('node-net') },
      { what: 'CPU of an event, beside autocannon', sign: '<=', bound: 1.5, value: beside('autocannon') },
    ]),
  );
}

/** @type {(client: typeof CLIENTS[0], options: { url: string, seconds: number }) => Promise<number>} */
async function usOfEvent(client, { url, seconds }) {
  const short = await cpuOf(client, { url, seconds });
  const long = await cpuOf(client, { url, seconds: LONGER * seconds });
  return (1e6 * (long - short)) / (STREAMS * EVENTS_PER_SECOND * (LONGER - 1) * seconds);
}

/** Returns the CPU seconds of a client. @type {typeof usOfEvent} */
async function cpuOf({ name, command, eventsIn }, { url, seconds }) {
  const child = start(['sh', '-c', timed, 'sh', ...command(`${url}/${seconds}`)], {
    cpu: 0,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr, extra } = await endOf(child);
  const wanted = STREAMS * EVENTS_PER_SECOND * seconds;
  const events = code === 0 && eventsIn ? eventsIn(stdout) : wanted;
  if (code !== 0 || events !== wanted)
    throw new Error(`${name}: exit ${code}, ${events} of ${wanted} events; ${stderr}`);
  return childSeconds(extra);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

import { once } from 'node:events';
import { pathInBench } from './peers/installed.js';
import { median } from './median.js';
import { end, endOf, start } from './processes.js';

const TRANSPORTS = ['builtin', 'undici'];
/** names in the result, and the part of the response times that each one exceeds */
const PERCENTILES = [
  ['median', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
];
const ROUNDS = 3;
const ITERATIONS = 3000;
const CONNECTIONS = 100;
/** opens the connections and compiles the code */
const WARM_UP = '2s';
const MOST = 0.01;

/**
 * Prints the percentiles that both transports measure of a server with known delays, and how far they are from the delays
 * that the server made and from each other. The transports take turns.
 */
export async function percentiles() {
  const server = start([process.execPath, pathInBench('clients/delays.js')], {
    cpu: 1,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  /** by transport, a pair for each round: what the server made and what was measured, ms */
  const runs = Object.fromEntries(TRANSPORTS.map((name) => [name, []]));
  try {
    const [{ url }] = await once(server, 'message');
    for (let round = 0; round < ROUNDS; round++)
      for (const name of TRANSPORTS) runs[name].push(await measure(server, url, name));
  } finally {
    await end(server);
  }
  say(
    `percentiles: ${ITERATIONS} requests over ${CONNECTIONS} connections, delays of 100 ms to 1 s; medians of ${ROUNDS}`,
  );
  for (const [key] of PERCENTILES) say(lineOf(key, runs));
}

async function measure(server, url, transport) {
  const load = ['-n', `${ITERATIONS}`, '-c', `${CONNECTIONS}`, '-W', WARM_UP];
  const argv = [...load, '--json', '--http-client', transport, `${url}/#{INDEX}`];
  const client = start([process.execPath, pathInBench('../bin/bench-rest.js'), ...argv], { cpu: 0 });
  const { code, stdout, stderr } = await endOf(client);
  if (code !== 0) throw new Error(`${transport} exited with ${code}: ${stderr.trim()}`);
  server.send('report');
  const [{ made }] = await once(server, 'message');
  const delays = made.slice(-ITERATIONS).sort((a, b) => a - b);
  const known = Object.fromEntries(PERCENTILES.map(([key, part]) => [key, delays[Math.ceil(part * ITERATIONS) - 1]]));
  return { known, measured: JSON.parse(stdout).main.histogram };
}

function lineOf(key, runs) {
  const ms = (name, kind) => median(runs[name].map((run) => run[kind][key]));
  const off = (name) => median(runs[name].map(({ known, measured }) => measured[key] / known[key] - 1));
  const [wire, undici] = TRANSPORTS.map((name) => ms(name, 'measured'));
  const apart = wire / undici - 1;
  const isEqual = [apart, ...TRANSPORTS.map(off)].every((part) => Math.abs(part) <= MOST);
  const columns = [
    `server ${ms('builtin', 'known').toFixed(1)} ms`,
    ...TRANSPORTS.map((name) => `${name} ${ms(name, 'measured').toFixed(1)} ms (${percent(off(name))})`),
    `builtin beside undici ${percent(apart)}`,
  ];
  return `  ${key.padEnd(6)}  ${columns.join(', ')}; <= ${percent(MOST)} ${isEqual ? 'reached' : 'missed'}`;
}

function percent(part) {
  return `${(part * 100).toFixed(2)} %`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

import { readFileSync } from 'node:fs';
import https from 'node:https';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '../test/support/certificate.js';
import { REFUSED_URL, faulty } from '../test/support/faulty-server.js';
import { notInstalled, pathInBench } from './peers/installed.js';
import { end, endOf, programPath, start } from './processes.js';

const SECONDS = 2;
const LANES = 10;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const head = (...fields) => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');

/** Faults by name: what the server does at every second request of a connection; the others get a good response. */
const FAULTS = [
  ['closed before a response', (io) => io.fin()],
  ['reset before a response', (io) => io.rst()],
  ['closed in the body', (io) => io.send(`${head('Content-Length: 9')}ok`).then(io.fin)],
  ['chunks cut short', (io) => io.send(`${head('Transfer-Encoding: chunked')}2\r\nok\r\n`).then(io.fin)],
  ['not HTTP', (io) => io.send('SSH-2.0-x\r\n\r\n').then(io.fin)],
  ['an invalid length', (io) => io.send(`${head('Content-Length: 2x')}ok`).then(io.fin)],
  ['two different lengths', (io) => io.send(`${head('Content-Length: 2', 'Content-Length: 3')}okk`)],
  [
    'a length and chunks',
    (io) => io.send(`${head('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`),
  ],
  ['a malformed chunk', (io) => io.send(`${head('Transfer-Encoding: chunked')}x\r\nok\r\n0\r\n\r\n`).then(io.fin)],
  ['a head without an end', (io) => io.send('HTTP/1.1 200 OK\r\n').then(() => io.pour('a: b\r\n'.repeat(100)))],
  ['never answered', (io) => io.hang()],
  ['503', (io) => io.send('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n')],
];

/** Each peer with a function that returns its error counts by name, or nothing if it counted none. */
const PEERS = [
  {
    name: 'ours',
    missing: () => undefined,
    command: (url) => [
      process.execPath,
      fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url)),
      '-c',
      String(LANES),
      '-t',
      `${SECONDS}s`,
      '--timeout',
      '1s',
      '--json',
      url,
    ],
    read(stdout) {
      const { errors, requests } = JSON.parse(stdout);
      return { ...errors.kinds, retried: requests.retries };
    },
  },
  {
    name: 'autocannon',
    missing: () => notInstalled('autocannon'),
    command: (url) => [
      process.execPath,
      pathInBench('node_modules/autocannon/autocannon.js'),
      '-c',
      String(LANES),
      '-d',
      String(SECONDS),
      '-t',
      '1',
      '--json',
      url,
    ],
    read(stdout) {
      const { errors, timeouts, mismatches, resets, non2xx } = JSON.parse(stdout);
      return { errors: errors - timeouts, timeouts, mismatches, resets, non2xx };
    },
  },
  {
    name: 'loadtest',
    missing: () => notInstalled('loadtest'),
    command: (url) => [
      process.execPath,
      pathInBench('node_modules/loadtest/bin/loadtest.js'),
      '-k',
      '--cores',
      '1',
      '-c',
      String(LANES),
      '-t',
      String(SECONDS),
      '--timeout',
      '1000',
      url,
    ],
    read: (stdout) => ({
      ...Object.fromEntries(
        [...stdout.matchAll(/^ *(-?[\w ]+): +(\d+) errors/gm)].map(([, name, n]) => [name.trim(), Number(n)]),
      ),
      total: Number(/Total errors: +(\d+)/.exec(stdout)?.[1] ?? 0),
    }),
  },
  {
    name: 'wrk',
    missing: () => (programPath('wrk') ? undefined : 'not installed'),
    command: (url) => ['wrk', '-t1', `-c${LANES}`, `-d${SECONDS}s`, '--timeout', '1s', url],
    read(stdout) {
      const [, connect, read, write, timeout] =
        /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout) ?? [];
      return { connect, read, write, timeout, 'non-2xx': /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] };
    },
  },
];

/** Prints a table: how each peer counts a fault, its exit code and its memory. */
export async function faults() {
  const peers = PEERS.filter(({ name, missing }) => {
    const why = missing();
    if (why) say(`missing: ${name} (${why})`);
    return !why;
  });
  say(
    `faults: every second request of a connection meets one, ${LANES} connections, ${SECONDS} s; sent: how often the server caused it\n`,
  );
  row('fault', 'peer', 'dealt', 'counted as', 'exit', 'memory');
  for (const [what, act] of FAULTS) for (const peer of peers) await meet(what, peer, () => dealing(act));
  for (const peer of peers) await meet('connection refused', peer, refusing);
  for (const peer of peers) await meet('a self-signed certificate', peer, selfSigning);
}

async function meet(what, { name, command, read }, open) {
  const server = await open();
  const child = start(command(`${server.url}/`));
  let mb = 0;
  const timer = setInterval(() => (mb = Math.max(mb, peakMb(child.pid))), 50);
  const patience = setTimeout(() => end(child), SECONDS * 1000 + 8000);
  const { code, stdout } = await endOf(child);
  clearInterval(timer);
  clearTimeout(patience);
  row(what, name, server.dealt() ?? '-', counted(read, stdout), String(code), `${mb.toFixed(0)} MB`);
  await server.close();
}

function counted(read, stdout) {
  try {
    const kinds = Object.entries(read(stdout)).filter(([, count]) => Number(count) > 0);
    return kinds.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'not counted';
  } catch {
    return 'no result'; // it printed nothing, or was killed
  }
}

async function dealing(act) {
  let dealt = 0;
  const server = await faulty(async (io) => {
    for (;;) {
      await io.readRequest();
      await io.send(OK);
      await io.readRequest();
      dealt++;
      await act(io);
    }
  });
  return { url: server.url, dealt: () => dealt, close: server.close };
}

async function refusing() {
  return { url: REFUSED_URL, dealt: () => null, close: async () => {} };
}

async function selfSigning() {
  let answered = 0;
  const server = https.createServer(selfSigned(), (req, res) => {
    answered++;
    res.end('ok');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${server.address().port}`,
    // requests that went to a stranger
    dealt: () => answered,
    close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

function peakMb(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it is over
  }
}

function row(what, peer, dealt, kinds, exit, memory) {
  say(
    `${what.padEnd(31)} ${peer.padEnd(11)} ${String(dealt).padStart(7)}  ${kinds.padEnd(42)} ${exit.padStart(7)} ${memory.padStart(7)}`,
  );
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

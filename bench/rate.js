import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { notInstalled, pathInBench } from './peers/installed.js';
import { childSeconds, timed } from './measure-peer.js';
import { end, endOf, programPath, start } from './processes.js';

const rates = [100, 1000, 10_000, 50_000];
const seconds = 10;
const connections = 100;
const program = fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url));

/** Peers that can keep an arrival rate: argv for a URL and a rate. */
const keepers = [
  {
    name: 'ours',
    command: (url, rate) => [
      process.execPath,
      program,
      '--json',
      '-d',
      '0',
      '-r',
      `${rate}`,
      '-t',
      `${seconds}s`,
      '-c',
      `${connections}`,
      `${url}/`,
    ],
  },
  {
    name: 'autocannon -R',
    missing: () => notInstalled('autocannon'),
    command: (url, rate) => [
      process.execPath,
      pathInBench('node_modules/autocannon/autocannon.js'),
      '-R',
      `${rate}`,
      '-d',
      `${seconds}`,
      '-c',
      `${connections}`,
      '--json',
      `${url}/`,
    ],
  },
  {
    name: 'loadtest --rps',
    missing: () => notInstalled('loadtest'),
    command: (url, rate) => [
      process.execPath,
      pathInBench('node_modules/loadtest/bin/loadtest.js'),
      '--rps',
      `${rate}`,
      '-k',
      '--cores',
      '1',
      '-t',
      `${seconds}`,
      '-c',
      `${connections}`,
      `${url}/`,
    ],
  },
  {
    name: 'wrk2',
    missing: () => (programPath('wrk2') ? undefined : 'not installed'),
    command: (url, rate) => ['wrk2', '-t1', `-c${connections}`, `-d${seconds}s`, `-R${rate}`, `${url}/`],
  },
  {
    name: 'vegeta',
    missing: () => (programPath('vegeta') ? undefined : 'not installed'),
    command: (url, rate) => [
      'sh',
      '-c',
      `echo 'GET ${url}/' | vegeta attack -rate ${rate} -duration ${seconds}s -workers ${connections} -max-workers ${connections} > /dev/null`,
    ],
  },
];

/** Prints how well a rate is kept, measured by the target: the number of requests and their spread over tenths of a second. */
export async function rate() {
  const target = start([process.execPath, pathInBench('clients/arrivals.js')], {
    cpu: 1,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = await once(target, 'message');
  say(`rate: ${seconds} s each, up to ${connections} connections; windows of 100 ms as shares of the mean`);
  for (const { name, missing } of keepers) if (missing?.()) say(`missing: ${name} (${missing()})`);
  try {
    for (const asked of rates) {
      say(
        `\n${asked.toLocaleString('en')}/s  ${'peer'.padEnd(16)}count of asked   least window   most window   CPU us/request   start error (its own report)`,
      );
      for (const keeper of keepers.filter(({ missing }) => !missing?.()))
        say(await kept(keeper, { url, asked, target }));
    }
  } finally {
    await end(target);
  }
}

async function kept({ name, command }, { url, asked, target }) {
  const child = start(['sh', '-c', timed, 'sh', ...command(url, asked)], {
    cpu: 0,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { stdout, extra } = await endOf(child);
  target.send('read');
  const [{ windows }] = await once(target, 'message');
  const count = windows.reduce((sum, one) => sum + one, 0);
  // the first and the last are partial
  const whole = windows.slice(1, -1);
  const mean = (asked * 100) / 1000;
  const cells = [
    `${((count / (asked * seconds)) * 100).toFixed(2)} %`.padStart(14),
    (Math.min(...whole) / mean).toFixed(2).padStart(12),
    (Math.max(...whole) / mean).toFixed(2).padStart(11),
    ((childSeconds(extra) * 1e6) / count).toFixed(1).padStart(14),
    name === 'ours' ? startError(stdout) : '',
  ];
  return `${' '.repeat(`${asked.toLocaleString('en')}/s  `.length)}${name.padEnd(16)}${cells.join('   ')}`.trimEnd();
}

function startError(stdout) {
  const {
    client: { startDelay },
    iterations: { late },
  } = JSON.parse(stdout);
  return `median ${startDelay.median.toFixed(2)} ms, p99 ${startDelay.p99.toFixed(2)} ms; ${late} started late`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

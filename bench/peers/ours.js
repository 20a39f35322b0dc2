import { existsSync } from 'node:fs';
import { pathInBench } from './installed.js';

const program = pathInBench('../bin/bench-rest.js');

export default {
  name: 'ours',
  works: ['plain-get', 'put-get', 'login', 'hook', 'capture', 'workers', 'websocket'],
  iterationsPerSecond: {
    'plain-get': 80_000,
    'put-get': 35_000,
    login: 12_000,
    hook: 50_000,
    capture: 25_000,
    websocket: 30_000,
    // long enough to make the start of a thread negligible
    workers: 200_000,
    tls: 45_000,
    large: 10_000,
  },
  missing: () => (existsSync(program) ? undefined : 'bin/bench-rest.js is not there'),
  command({ url, path, work, iterations, connections }) {
    const source =
      work === 'workers'
        ? ['-w', '2', url + path]
        : work === 'plain-get' || work === 'websocket'
          ? [url + path]
          : ['--base-url', url, pathInBench(`flows/${work}.js`)];
    return [
      process.execPath,
      program,
      '--json',
      '--insecure',
      '-n',
      String(iterations),
      '-c',
      String(connections),
      ...source,
    ];
  },
  read(stdout) {
    const { requests, totalElapsed, errors } = JSON.parse(stdout);
    return { requests: requests.count, seconds: totalElapsed / 1000, errors: errors.count };
  },
};

import { existsSync } from 'node:fs';
import { pathInBench } from './installed.js';

const program = pathInBench('../bin/bench-rest.js');

export default {
  name: 'ours',
  works: ['plain-get', 'put-get', 'login', 'hook', 'capture', 'workers', 'websocket'],
  missing: () => (existsSync(program) ? undefined : 'bin/bench-rest.js is not there'),
  command({ url, path, work, seconds, connections }) {
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
      '-t',
      `${seconds}s`,
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

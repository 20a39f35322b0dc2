import { existsSync } from 'node:fs';
import { pathInBench } from './installed.js';

const program = pathInBench('../bin/bench-rest.js');

export default {
  name: 'ours',
  works: ['plain-get', 'post-large', 'put-get', 'login', 'hook', 'capture', 'workers', 'websocket'],
  missing: () => (existsSync(program) ? undefined : 'bin/bench-rest.js is not there'),
  command({ url, path, work, seconds, connections, streams, body }) {
    const source =
      work === 'workers'
        ? ['-w', '2', url + path]
        : work === 'plain-get' || work === 'websocket'
          ? [url + path]
          : work === 'post-large'
            ? ['-b', `@${body}`, url + path]
            : ['--base-url', url, pathInBench(`flows/${work}.js`)];
    return [
      process.execPath,
      program,
      '--json',
      '--insecure',
      '-t',
      `${seconds}s`,
      ...loadOf(url, connections, streams),
      ...source,
    ];
  },
  read(stdout) {
    const { requests, totalElapsed, errors } = JSON.parse(stdout);
    return { requests: requests.count, seconds: totalElapsed / 1000, errors: errors.count };
  },
};

/** A virtual user for each connection, or over HTTP/2 for each stream. */
function loadOf(url, connections, streams) {
  if (streams === undefined) return ['-c', `${connections}`];
  const mode = url.startsWith('https:') ? 'only' : 'prior-knowledge';
  return ['--http2', mode, '--connections', `${connections}`, '-c', `${connections * streams}`];
}

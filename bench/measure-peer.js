import { end, endOf, start } from './processes.js';
import { errorLine } from './error-line.js';

const clientCpu = 0;

// The shell's `times` prints the CPU time of its children, in any language; fd 3 separates it from their output.
export const timed = '"$@" 3>&-; code=$?; times >&3; exit $code';

/**
 * One run of one peer.
 * @returns {Promise<{ rate: number, errors: number, cpuUs: number }>} requests/s, errors, client CPU (user and
 * system, including the start of the process) per request
 */
export async function measurePeer(peer, { work, name, seconds, ...how }) {
  const { iterationsPerSecond: each } = peer;
  const iterations = each && Math.round((each[name] ?? each[work]) * seconds);
  const argv = peer.command({ ...how, work, seconds, iterations });
  const child = start(['sh', '-c', timed, 'sh', ...argv], {
    cpu: clientCpu,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const overdue = setTimeout(() => end(child), (seconds * 10 + 30) * 1000);
  const { code, stdout, stderr, extra } = await endOf(child);
  clearTimeout(overdue);
  const { requests, seconds: took, errors } = read(peer, stdout, code, stderr);
  return { rate: requests / took, errors, cpuUs: (childSeconds(extra) * 1e6) / requests };
}

function read(peer, stdout, code, stderr) {
  let result;
  try {
    result = (peer.read ?? JSON.parse)(stdout);
  } catch (err) {
    throw new Error(`exit ${code}, ${errorLine(stderr) || errorLine(stdout) || err.message}`, { cause: err });
  }
  if (!(result.requests > 0 && result.seconds > 0))
    throw new Error(`exit ${code}, nothing measured; ${errorLine(stderr)}`);
  return result;
}

/** '0m1.50s 0m2.25s' in the second line of `times`: user and system time of the children. */
export function childSeconds(times) {
  const [, children = ''] = times.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + m * 60 + Number(s), 0);
}

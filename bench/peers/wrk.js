import { programPath } from '../processes.js';

export default {
  name: 'wrk',
  works: ['plain-get'],
  missing: () => (programPath('wrk') ? undefined : 'not installed'),
  command({ url, seconds, connections }) {
    return ['wrk', '-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, `${url}/`];
  },
  read(stdout) {
    const [, requests, amount, unit] = stdout.match(/(\d+) requests in ([\d.]+)(ms|s|m)/);
    const [, ...socketErrors] =
      stdout.match(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/) ?? [];
    const [, non2xx = 0] = stdout.match(/Non-2xx or 3xx responses: (\d+)/) ?? [];
    const unitSeconds = { ms: 0.001, s: 1, m: 60 };
    return {
      requests: Number(requests),
      seconds: amount * unitSeconds[unit],
      errors: [...socketErrors, non2xx].reduce((sum, count) => sum + Number(count), 0),
    };
  },
};

import { programPath } from '../processes.js';
import { pathInBench } from './installed.js';

export default {
  name: 'wrk',
  works: ['plain-get', 'put-get'],
  missing: () => (programPath('wrk') ? undefined : 'not installed'),
  command({ url, path, work, seconds, connections }) {
    const script = work === 'put-get' ? ['-s', pathInBench('clients/put-get.lua')] : [];
    return ['wrk', '-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, ...script, url + path];
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

import { programPath } from '../processes.js';

export default {
  name: 'h2load',
  isHttp2: true,
  works: ['plain-get', 'post-large'],
  missing: () => (programPath('h2load') ? undefined : 'not installed'),
  command({ url, path, work, seconds, connections, streams, body }) {
    const sent = work === 'post-large' ? ['-d', body] : [];
    return ['h2load', '-t1', `-c${connections}`, `-m${streams}`, `-D${Math.ceil(seconds)}`, ...sent, url + path];
  },
  read(stdout) {
    const [, amount, unit] = stdout.match(/finished in ([\d.]+)(ms|s|us)/);
    const [, succeeded, failed, errored, timeout] = stdout.match(
      /(\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout/,
    );
    const unitSeconds = { us: 1e-6, ms: 0.001, s: 1 };
    return {
      requests: Number(succeeded) + Number(failed),
      seconds: amount * unitSeconds[unit],
      errors: Number(failed) + Number(errored) + Number(timeout),
    };
  },
};

import { notInstalled, pathInBench } from './installed.js';

export default {
  name: 'autocannon',
  works: ['plain-get', 'put-get'],
  missing: () => notInstalled('autocannon'),
  command({ url, work, seconds, connections }) {
    const how = ['-c', String(connections), '-d', String(seconds), '--json'];
    return work === 'plain-get'
      ? [process.execPath, pathInBench('node_modules/autocannon/autocannon.js'), ...how, `${url}/`]
      : [process.execPath, pathInBench('clients/autocannon.js'), url, String(seconds), String(connections)];
  },
  read(stdout) {
    const result = JSON.parse(stdout);
    return { requests: result['2xx'], seconds: result.duration, errors: result.errors + result.non2xx };
  },
};

import { notInstalled, pathInBench } from './installed.js';

export default {
  name: 'autocannon',
  works: ['plain-get', 'put-get', 'capture'],
  missing: () => notInstalled('autocannon'),
  command({ url, path, work, seconds, connections }) {
    const how = ['-c', String(connections), '-d', String(seconds), '--json'];
    return work === 'plain-get'
      ? [process.execPath, pathInBench('node_modules/autocannon/autocannon.js'), ...how, url + path]
      : [process.execPath, pathInBench('clients/autocannon.js'), work, url, String(seconds), String(connections)];
  },
  read(stdout) {
    const result = JSON.parse(stdout);
    return { requests: result['2xx'], seconds: result.duration, errors: result.errors + result.non2xx };
  },
};

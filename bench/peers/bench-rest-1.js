import { notInstalled, pathInBench } from './installed.js';

export default {
  name: 'bench-rest-1',
  works: ['plain-get', 'put-get'],
  iterationsPerSecond: { 'plain-get': 5000, 'put-get': 2000 },
  missing: () => notInstalled('bench-rest-1'),
  command({ url, work, iterations, connections }) {
    return [
      process.execPath,
      pathInBench('clients/bench-rest-1.js'),
      url,
      work,
      String(iterations),
      String(connections),
    ];
  },
};

import { programPath } from '../processes.js';
import { pathInBench } from './installed.js';

export default {
  name: 'k6',
  works: ['capture'],
  missing: () => (programPath('k6') ? undefined : 'not installed: go install go.k6.io/k6@v0.57.0'),
  command({ url, seconds, connections }) {
    const settings = { URL: url, SECONDS: Math.ceil(seconds), CONNECTIONS: connections };
    const env = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return ['k6', 'run', '--quiet', '--no-usage-report', ...env, pathInBench('clients/capture-k6.js')];
  },
};

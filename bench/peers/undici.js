import { notInstalled, pathInBench } from './installed.js';

export default {
  name: 'undici',
  works: ['plain-get', 'put-get'],
  missing: () => notInstalled('undici'),
  command({ url, work, seconds, connections }) {
    return [process.execPath, pathInBench('clients/undici.js'), url, work, String(seconds), String(connections)];
  },
};

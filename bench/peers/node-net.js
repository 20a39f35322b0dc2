import { pathInBench } from './installed.js';

/** Bare callbacks of `node:net`, or `node:tls`: what any client of Node costs. */
export default {
  name: 'node-net',
  works: ['plain-get', 'put-get'],
  command({ url, work, seconds, connections }) {
    return [process.execPath, pathInBench('clients/node-net.js'), url, work, String(seconds), String(connections)];
  },
};

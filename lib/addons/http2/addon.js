import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'http2',
  about: 'HTTP/2',
  sections: [
    {
      name: 'http2',
      suits: ({ http2 }) => http2 !== undefined,
      text: { before: 'latency', isFailure: true },
      markdown: { before: 'traces' },
      load: () => requireHere('./report/http2.js'),
    },
  ],
  httpVersions: [{ name: 'http2', load: () => requireHere('./index.js').openHttp2 }],
};

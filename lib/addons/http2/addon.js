import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'http2',
  about: 'HTTP/2',
  options: [{ group: 'Connections', after: 'pipelining', load: () => requireNow('./options.js').HTTP2_OPTIONS }],
  sections: [
    {
      name: 'http2',
      suits: ({ http2 }) => http2 !== undefined,
      text: { before: 'latency', isFailure: true },
      markdown: { before: 'traces' },
      page: { after: 'addresses', heading: 'HTTP/2' },
      load: () => requireHere('./report/http2.js'),
    },
  ],
  httpVersions: [{ name: 'http2', load: () => requireHere('./index.js').openHttp2 }],
  errors: [
    {
      codes: {
        E_TIMEOUT_STREAM: { message: 'no free stream of HTTP/2 within {ms} ms: nothing was sent', kind: 'timeout' },
        E_TIMEOUT_SETTINGS: {
          message: 'the server accepted the connection and sent no settings of HTTP/2 within {ms} ms',
          cure: 'check that it speaks HTTP/2, or write http2: false',
          kind: 'timeout',
        },
        E_HPACK: { message: 'malformed header block of HTTP/2 (HPACK): {reason}', kind: 'protocol' },
        E_NO_HTTP2: {
          message: 'the server does not speak HTTP/2: {what}',
          cure: 'write http2: true, which falls back to HTTP/1.1',
          kind: 'protocol',
        },
      },
    },
  ],
};

import { createRequire } from 'node:module';

import { FIGURES } from './figures.js';

const requireHere = createRequire(import.meta.url);
const requireNow = createRequire(import.meta.url);

/** The code that the server sent. @type {(error: any) => unknown[]} */
const sentCode = ({ ownCode }) => [ownCode];

/** @type {import('../../core/addon.js').Addon} */
export default {
  name: 'http2',
  about: 'HTTP/2',
  hints: [{ at: 'no HTTP/1.1', text: 'write http2 (--http2) if it speaks HTTP/2 alone' }],
  options: [{ group: 'Connections', after: 'pipelining', load: () => requireNow('./options.js').HTTP2_OPTIONS }],
  figures: [FIGURES],
  resultKeys: [{ name: 'http2', before: 'operations' }],
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
  httpVersions: [{ load: () => requireNow('./version.js').VERSION }],
  errors: [
    {
      codes: {
        E_HTTP2: {
          message: 'connection closed by bench-rest: the server broke HTTP/2: {what}',
          kind: 'protocol',
          codesOf: sentCode,
        },
        E_HTTP2_SERVER: {
          message: 'the server speaks HTTP/2, and the request was sent in HTTP/1.1',
          cure: "write --http2 prior-knowledge, or http2: 'prior-knowledge' in the operation",
          kind: 'protocol',
        },
        E_STREAM_RESET: { message: 'the server reset the stream: {code}', kind: 'reset', codesOf: sentCode },
        E_GOAWAY: {
          message: 'the server ended the connection {when}: {reason}',
          kind: 'reset',
          isOfClose: true,
          codesOf: sentCode,
        },
        E_HTTP2_CLOSED: {
          message: 'connection of HTTP/2 closed by {closer} before a response',
          kind: 'reset',
          isOfClose: true,
        },
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

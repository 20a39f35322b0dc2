import { createServer } from 'node:http2';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { PROTO } from '../support/grpc/server.js';
import { listen } from '../support/serve.js';
import { balance, leavingNothing } from './ground.js';

const HEAD = { ':status': 200, 'content-type': 'application/grpc' };
const OK = { 'grpc-status': '0' };

/** A message with its head; `length` is the one that it tells. */
function message(content, { flag = 0, length = content.length } = {}) {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, content]);
}
const CONTENT = Buffer.from([10, 1, 97]);
const ORDER = message(CONTENT);

/** Answers a call with a head, bytes and trailers; null: the stream ends without trailers. */
const answer =
  (bytes, trailers, head = HEAD) =>
  (stream) => {
    stream.respond(head, { waitForTrailers: trailers !== null });
    if (trailers !== null) stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.end(bytes);
  };
const begin = (stream) => {
  stream.respond(HEAD);
  stream.write(ORDER);
};

/** Calls a server that answers by itself, and returns the result. */
async function calling(respond, { method = 'Create', options, ...operation } = {}) {
  const server = createServer();
  const sessions = new Set();
  server.on('session', (session) => sessions.add(session.on('error', () => {})));
  server.on('stream', (stream) => respond(stream.on('error', () => {})));
  const { port } = new URL(await listen(server));
  const call = { grpc: `grpc://127.0.0.1:${port}/shop.Orders/${method}`, proto: PROTO };
  try {
    return await leavingNothing(async () => {
      const { stats } = await benchrest({ main: [{ ...call, ...operation }] }, { iterations: 2, limit: 1, ...options });
      balance(stats);
      return stats;
    });
  } finally {
    for (const session of sessions) session.destroy();
    server.close();
  }
}

const READ = { capture: { id: '$.id' } };
const SHORT = { timeout: 100 };
const WATCH = { method: 'Watch' };

/** The kind and the code that each call is counted by, the answered ones of two calls, and the message. */
const BROKEN = ['protocol E_GRPC_PROTOCOL', 0];
const LATE = ['timeout E_TIMEOUT_REQUEST', 0];
const TOO_LARGE = ['protocol E_GRPC_MESSAGE_TOO_LARGE', 0];

for (const [title, respond, operation, [counted, answered], reason] of [
  ['F201 trailers without a status', answer(ORDER, { a: 'b' }), READ, BROKEN, /without grpc-status; is this a gRPC/],
  ['F201 no trailers', answer(ORDER, null), READ, BROKEN, /without grpc-status/],
  [
    'F202 a status in the head',
    answer('', null, { ...HEAD, 'grpc-status': '7', 'grpc-message': 'no' }),
    {},
    ['grpc E_GRPC_PERMISSION_DENIED', 2],
    /^status PERMISSION_DENIED: no; check metadata/,
  ],
  [
    'F203 a message over the limit',
    answer(message(Buffer.alloc(2000)), OK),
    { options: { maxBodySize: 1000 } },
    TOO_LARGE,
    /larger than 1000 bytes; raise maxBodySize/,
  ],
  ['F204 a length above the body', answer(message(CONTENT, { length: 9 }), OK), {}, BROKEN, /ended within a message/],
  [
    'F204 a length below the message',
    answer(message(CONTENT, { length: 2 }), OK),
    READ,
    BROKEN,
    /a message that is no shop\.Order/,
  ],
  [
    'F205 a gzip bomb',
    answer(message(gzipSync(Buffer.alloc(1e6)), { flag: 1 }), OK, { ...HEAD, 'grpc-encoding': 'gzip' }),
    { options: { maxBodySize: 10_000 } },
    TOO_LARGE,
    /larger than 10000 bytes/,
  ],
  ['F206 a stream that stays half-open', begin, SHORT, LATE, /no complete response within 100 ms/],
  [
    'F207 a connection that ends within a message, after GOAWAY',
    (stream) => {
      stream.respond(HEAD);
      stream.write(ORDER.subarray(0, 6));
      stream.session.goaway(0);
      stream.session.destroy();
    },
    {},
    ['reset E_BODY_SHORT', 0],
    /closed by the server in the body of the response, after 6 bytes/,
  ],
  ['F208 a deadline before the head', () => {}, SHORT, LATE, /no complete response within 100 ms/],
  ['F208 a deadline after the head', (stream) => stream.respond(HEAD), SHORT, LATE, /within 100 ms/],
  ['F208 a deadline within a stream', begin, { ...WATCH, ...SHORT }, LATE, /within 100 ms, after 1 event/],
  [
    'F208 a deadline that the server keeps',
    answer('', null, { ...HEAD, 'grpc-status': '4' }),
    {},
    ['grpc E_GRPC_DEADLINE_EXCEEDED', 2],
    /^status DEADLINE_EXCEEDED; the server did not answer in time: raise timeout/,
  ],
  [
    'F209 a reset before the head',
    (stream) => stream.close(2),
    {},
    ['reset INTERNAL_ERROR', 0],
    /the server reset the stream: INTERNAL_ERROR/,
  ],
  [
    'F209 a reset within a stream',
    (stream) => {
      begin(stream);
      setImmediate(() => stream.destroy(new Error('broken')));
    },
    WATCH,
    ['reset INTERNAL_ERROR', 0],
    /the server reset the stream: INTERNAL_ERROR/,
  ],
])
  it(`${title} is counted and explained`, async () => {
    const { errors, requests, iterations } = await calling(respond, operation);
    expect(errors.details.map(({ kind, code, count }) => [`${kind} ${code}`, count])).to.deep.equal([[counted, 2]]);
    expect(errors.details[0].message).to.match(reason);
    expect([iterations.failed, requests.sent, requests.answered]).to.deep.equal([2, 2, answered]);
  });

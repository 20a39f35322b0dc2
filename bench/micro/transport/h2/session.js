// Measures the CPU time per response of HTTP/2 sessions, without sockets:
// node bench/micro/transport/h2/session.js 50 1 600000
import { createEndpoints } from '../../../../lib/core/http/endpoint.js';
import { openHttp2 } from '../../../../lib/addons/http2/index.js';
import {
  ACK,
  DATA,
  END_HEADERS,
  END_STREAM,
  FRAME_HEAD,
  HEADERS,
  SETTINGS,
  writeFrameHead,
} from '../../../../lib/addons/http2/frames.js';
import { Traffic, UNTIMED } from '../../../../lib/core/transport/traffic.js';
import { WireResponse } from '../../../../lib/core/transport/wire/response.js';
import { Inbox, Outbox } from '../../../../lib/core/transport/wire/socket.js';

const [connections, streams, count] = [50, 1, 600_000].map((value, i) => Number(process.argv[2 + i] ?? value));
/** The head of a response of nginx, which adds its fields to the table each time. */
const HEAD = Buffer.concat([
  Buffer.of(0x88),
  ...[
    [54, 'nginx/1.22.1'],
    [33, 'Thu, 26 Nov 2026 12:00:00 GMT'],
    [31, 'text/plain'],
    [28, '5'],
  ].map(([index, value]) => Buffer.concat([Buffer.of(0x40 | index, value.length), Buffer.from(value)])),
]);
const BODY = Buffer.from('hello');

const now = performance.now.bind(performance);
const outbox = new Outbox(now);
const buffer = Buffer.allocUnsafeSlow(64 * 1024);
/** The servers at the other end of the connections. */
const servers = [];
const wire = {
  open(_, own, listener) {
    const server = { listener, ids: [], isNew: true };
    const socket = {
      write: (bytes) => readIds(bytes, server.ids),
      cork() {},
      uncork() {},
      destroy() {},
      destroySoon() {},
    };
    servers.push(Object.assign(server, { socket }));
    queueMicrotask(() => listener.onOpen(socket, socket));
    return socket;
  },
  ...{ buffer, outbox, now, response: new WireResponse(), inbox: new Inbox(outbox) },
  ...{ traffic: new Traffic(), timings: UNTIMED, peerOf: () => null },
  limits: { maxBodySize: 1e6, maxHeadBytes: 65_536, maxFields: 1000 },
};
const endpoint = createEndpoints()(new URL('http://a.example/'), {}, { version: 'prior-knowledge' });
const request = { endpoint, method: 'GET', path: '/', fields: ['user-agent', 'bench'], extra: null, body: null };
const connect = openHttp2(() => wire, { connections });
let answered = 0;
let start = null;

for (let i = 0; i < connections * streams; i++) {
  const connection = connect(endpoint);
  const onResponse = () => {
    if (++answered < count) connection.send(request, 'status', { onResponse, onError });
  };
  connection.send(request, 'status', { onResponse, onError });
}
setImmediate(turn);

/** Lets all servers answer the requests that they got. */
function turn() {
  for (const server of servers) {
    let at = 0;
    if (server.isNew) for (const flags of [0, ACK]) at = writeFrameHead(buffer, at, 0, SETTINGS, flags, 0);
    server.isNew = false;
    for (const id of server.ids.splice(0)) {
      at = writeFrameHead(buffer, at, HEAD.length, HEADERS, END_HEADERS, id);
      at += HEAD.copy(buffer, at);
      at = writeFrameHead(buffer, at, BODY.length, DATA, END_STREAM, id);
      at += BODY.copy(buffer, at);
    }
    if (at > 0) server.listener.onData(server.socket, at);
  }
  if (start === null && answered > count / 3) start = { answered, cpu: process.cpuUsage() };
  if (answered < count) setImmediate(turn);
  else {
    const { user, system } = process.cpuUsage(start.cpu);
    console.log(`${((user + system) / (answered - start.answered)).toFixed(3)} us of CPU per response`);
  }
}

/** Adds the ids of the requests in a write. @type {(bytes: Buffer, ids: number[]) => void} */
function readIds(bytes, ids) {
  const preface = bytes[0] === 0x50 ? 24 : 0;
  for (let at = preface; at < bytes.length; at += FRAME_HEAD + bytes.readUIntBE(at, 3))
    if (bytes[at + 3] === HEADERS) ids.push(bytes.readUInt32BE(at + 5));
}

function onError(error) {
  throw error;
}

import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

import { WebSocketServer } from 'ws';

import { listen, ok, shut } from './serve.js';

/**
 * Runs `story(url, seen)` against a server of WebSockets that is closed afterwards; requests without an upgrade get `ok`.
 * `talk(socket, request)` is called for each connection; by default it echoes. `seen` has the handshakes, the messages and
 * the close codes.
 */
export async function chatting(talk, story, { tls, ...options } = {}) {
  const seen = { handshakes: [], messages: [], requests: [], closes: [] };
  const handler = (req, res) => {
    seen.requests.push(`${req.method} ${req.url}`);
    return ok(req, res);
  };
  const server = tls ? https.createServer(tls, handler) : http.createServer(handler);
  const sockets = new WebSocketServer({ server, ...options });
  sockets.on('connection', (socket, request) => {
    seen.handshakes.push({ url: request.url, headers: request.headers });
    socket.on('message', (data, isBinary) => seen.messages.push(isBinary ? data : data.toString()));
    socket.on('close', (code) => seen.closes.push(code));
    socket.on('error', () => {});
    talk(socket, request);
  });
  const url = (await listen(server)).replace('http:', tls ? 'wss:' : 'ws:');
  try {
    return await story(url, seen, sockets);
  } finally {
    for (const socket of sockets.clients) socket.terminate();
    await shut(server);
  }
}

export const echo = (socket) => socket.on('message', (data, binary) => socket.send(data, { binary }));

/** The answer of a server to the handshake whose head is given. */
export function acceptance(head, accept = acceptOf(head)) {
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
}

function acceptOf(head) {
  const key = /^sec-websocket-key: *(.*)$/im.exec(head)[1];
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** A frame of a server (RFC 6455 5.2), by default a whole text message. */
export function frame(payload, { opcode = 1, fin = true, masked = false } = {}) {
  const data = Buffer.from(payload);
  const size = data.length < 126 ? Buffer.of(data.length) : Buffer.of(126, data.length >> 8, data.length & 0xff);
  if (masked) size[0] |= 0x80;
  return Buffer.concat([Buffer.of((fin ? 0x80 : 0) | opcode), size, masked ? Buffer.alloc(4) : Buffer.alloc(0), data]);
}

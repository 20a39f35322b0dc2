import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

import { listen, shut } from './serve.js';

/**
 * Runs `story(url, seen, tunnels)` against an HTTP proxy that forwards requests and opens tunnels. `seen` lists what it
 * got: `{ line, headers }`; `tunnels` its open ones: `{ client, server }`. With `tls`, it is spoken to by TLS.
 */
export async function proxying(story, { tls } = {}) {
  const seen = [];
  const tunnels = new Set();
  const note = ({ method, url, headers }) => seen.push({ line: `${method} ${url}`, headers });
  const server = tls ? https.createServer(tls) : http.createServer();
  server.on('request', (req, res) => {
    note(req);
    const { 'proxy-authorization': _, ...headers } = req.headers;
    const { hostname, port, pathname, search } = new URL(req.url);
    const onward = http.request(
      { host: hostname, port, path: pathname + search, method: req.method, headers },
      (answer) => {
        res.writeHead(answer.statusCode, answer.statusMessage, answer.headers);
        answer.pipe(res);
      },
    );
    onward.on('error', () => res.writeHead(502).end());
    req.pipe(onward);
  });
  server.on('connect', (req, client) => {
    note(req);
    const { hostname, port } = new URL(`http://${req.url}`);
    const to = net.connect(Number(port) || 80, hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      to.pipe(client).pipe(to);
    });
    const tunnel = { client, server: to };
    tunnels.add(tunnel);
    for (const socket of [client, to]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        tunnels.delete(tunnel);
        client.destroy();
        to.destroy();
      });
    }
  });
  const url = await listen(server);
  try {
    return await story(tls ? url.replace('http:', 'https:') : url, seen, tunnels);
  } finally {
    for (const { client } of tunnels) client.destroy();
    await shut(server);
  }
}

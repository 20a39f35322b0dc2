import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { turns } from './until.js';

/**
 * Runs `story(url, seen, deserted)` against a server that is always closed afterwards. `handler(req, res, text)`
 * gets the whole body; `seen` lists the requests in their order; `deserted()` resolves when all clients have
 * disconnected and everything they sent has been read.
 */
export async function serving(handler, story) {
  const seen = [];
  const server = http.createServer(async (req, res) => {
    const chunks = [];
    try {
      for await (const chunk of req) chunks.push(chunk);
    } catch {
      return; // the client disconnected in the middle
    }
    const body = Buffer.concat(chunks);
    seen.push({
      method: req.method,
      url: req.url,
      headers: req.headers,
      body: body.toString(),
      line: `${req.method} ${req.url}`,
    });
    await handler(req, res, body.toString());
  });
  const url = await listen(server);
  try {
    return await story(url, seen, () => desertion(server));
  } finally {
    await shut(server);
  }
}

async function desertion(server) {
  const count = () =>
    new Promise((resolve, reject) =>
      server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
    );
  // a new connection is accepted within a turn; after a suspension of this process, timers run before sockets are read
  do {
    await wait(5);
    await turns();
  } while ((await count()) > 0);
}

/**
 * Answers at once, except `slow`, which waits for `release()`; `arrived` resolves at its first request.
 * `story({ url, seen, arrived, release, deserted })`.
 */
export function holding(slow, story) {
  const held = [];
  let isReleased = false;
  let asked;
  const arrived = new Promise((resolve) => (asked = resolve));
  const release = () => {
    isReleased = true;
    for (const res of held) res.end('ok');
  };
  return serving(
    (req, res) => {
      if (req.url !== slow || isReleased) return ok(req, res);
      held.push(res);
      return asked();
    },
    (url, seen, deserted) => story({ url, seen, arrived, release, deserted }),
  );
}

export async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

export async function shut(server) {
  server.closeAllConnections?.();
  await new Promise((resolve) => server.close(resolve));
}

export const ok = (req, res) => res.end('ok');

export function deepFreeze(value) {
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

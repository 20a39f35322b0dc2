import net from 'node:net';

/**
 * A server that plays a script for each connection: `play(io, id)`, with the acts
 * readRequest() send(bytes) wait(ms) fin() rst() hang().
 */
export async function faulty(play) {
  const seen = { connections: 0, requests: 0, lines: [], open: new Set() };
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const id = seen.connections++;
    seen.open.add(socket);
    socket.on('error', () => {}).on('close', () => seen.open.delete(socket));
    play(acts(socket, seen), id).catch(() => {});
  });
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 511 }, resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    async close() {
      for (const socket of seen.open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs `story(url, seen)` against a faulty server that is closed afterwards. */
export async function faulting(play, story) {
  const server = await faulty(play);
  try {
    return await story(server.url, server.seen);
  } finally {
    await server.close();
  }
}

/** A URL of 127.0.0.1 at which nothing listens. */
export async function refusedUrl() {
  const { url, close } = await faulty(async () => {});
  await close();
  return url;
}

function acts(socket, seen) {
  let buffer = Buffer.alloc(0);
  let more = () => {};
  let hasEnded = false;
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    more();
  });
  for (const name of ['end', 'close']) {
    socket.on(name, () => {
      hasEnded = true;
      if (name === 'end') socket.end();
      more();
    });
  }
  return {
    async readRequest() {
      for (;;) {
        const end = buffer.indexOf('\r\n\r\n');
        const head = end < 0 ? '' : buffer.toString('latin1', 0, end);
        const size = end + 4 + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        if (end >= 0 && buffer.length >= size) {
          buffer = buffer.subarray(size);
          seen.requests++;
          seen.lines.push(head.split('\r\n')[0]);
          return head;
        }
        if (hasEnded) throw new Error('the client left');
        await new Promise((resolve) => (more = resolve));
      }
    },
    send: (bytes) => new Promise((resolve) => socket.write(bytes, resolve)),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    fin: () => socket.end(),
    rst: () => socket.resetAndDestroy(),
    hang: () => new Promise(() => {}),
  };
}

export const GOOD = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

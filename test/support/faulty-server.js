import { once } from 'node:events';
import net from 'node:net';

/**
 * A server that plays a script for each connection: `play(io, id)`, with the acts
 * readRequest() send(bytes) drip(bytes, ms) pour(bytes) read() wait(ms) fin() rst() pause() hang().
 * `seen` counts connections and requests as they arrive, whether a script reads them or not. `actsOf`: other acts, of
 * another protocol.
 */
export async function faulty(play, { port = 0, actsOf = acts } = {}) {
  const seen = { connections: 0, requests: 0, lines: [], heads: [], open: new Set() };
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const id = seen.connections++;
    seen.open.add(socket);
    socket.on('error', () => {}).on('close', () => seen.open.delete(socket));
    play(actsOf(socket, seen), id).catch((error) => {
      // a script ends if it waits for data after the end of the connection
      if (error !== CLIENT_LEFT) throw error;
    });
  });
  server.listen({ port, host: '127.0.0.1', backlog: 511 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    server,
    async close() {
      for (const socket of seen.open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs `story(url, seen)` against a faulty server that is closed afterwards. */
export async function faulting(play, story, options) {
  const server = await faulty(play, options);
  try {
    return await story(server.url, server.seen, server.server);
  } finally {
    await server.close();
  }
}

/** A port without a listener; a port that was free a moment ago may be in use by another process. */
export const REFUSED_URL = 'http://127.0.0.1:1';

const CLIENT_LEFT = new Error('the client left');

function acts(socket, seen) {
  const { readNext, ...io } = actsWith(socket, (buffer) => {
    const end = buffer.indexOf('\r\n\r\n');
    const head = end < 0 ? '' : buffer.toString('latin1', 0, end);
    const size = end + 4 + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (end < 0 || buffer.length < size) return null;
    seen.requests++;
    seen.heads.push(head);
    seen.lines.push(head.split('\r\n')[0]);
    return { item: head, size };
  });
  return { ...io, readRequest: readNext };
}

/**
 * The acts of any protocol. `take(buffer)` takes an item from the beginning of what has arrived, `{ item, size }`, or
 * returns null until more has arrived; `readNext` reads the items.
 */
export function actsWith(socket, take) {
  /** that arrived and are still unread */
  const items = [];
  let buffer = Buffer.alloc(0);
  let hasEnded = false;
  let more = () => {};
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let taken = take(buffer); taken !== null; taken = take(buffer)) {
      buffer = buffer.subarray(taken.size);
      items.push(taken.item);
    }
    more();
  });
  for (const name of ['end', 'close']) {
    socket.on(name, () => {
      hasEnded = true;
      if (name === 'end') socket.end();
      more();
    });
  }
  const io = {
    async readNext() {
      while (items.length === 0) {
        if (hasEnded) throw CLIENT_LEFT;
        await new Promise((resolve) => (more = resolve));
      }
      return items.shift();
    },
    /** true if the write failed */
    send: (bytes) => new Promise((resolve) => socket.write(bytes, resolve)),
    async drip(bytes, ms) {
      for (const byte of Buffer.from(bytes))
        if (await io.send(Buffer.of(byte)).then((failed) => failed || io.wait(ms))) throw CLIENT_LEFT;
    },
    /** until the client disconnects; one turn of the event loop each, because the client is in this process */
    async pour(bytes, pause = () => new Promise(setImmediate)) {
      while (!(await io.send(bytes))) await pause();
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    fin: () => socket.end(),
    rst: () => socket.resetAndDestroy(),
    /** until the client in this process has read the bytes: if bytes and reset arrive together, libuv reports bytes and end */
    async read() {
      for (let i = 0; i < 3; i++) await new Promise(setImmediate);
    },
    pause: () => socket.pause(),
    hang: () => new Promise(() => {}),
  };
  return io;
}

export const GOOD = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Answers every request; `act(io)` answers those from the `n`th of a connection on. */
export const afterGood = (n, act) => async (io) => {
  for (let i = 0; i < n; i++) {
    await io.readRequest();
    await io.send(GOOD);
  }
  await io.readRequest();
  return act(io);
};

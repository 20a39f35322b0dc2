// The least that a client of Node can do with streams: callbacks of node:net that count the ends of events.
import net from 'node:net';

const [url, connections] = process.argv.slice(2);
const { hostname, port, host, pathname } = new URL(url);
const buffer = Buffer.allocUnsafe(65_536);
const LF = 0x0a;
const END = Buffer.from('0\r\n\r\n');

let events = 0;
let open = Number(connections);

for (let i = 0; i < connections; i++) {
  const onread = { buffer, callback: (size) => read(socket, size) };
  const socket = net.connect({ host: hostname, port, noDelay: true, onread }, () =>
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
  );
}

function read(socket, size) {
  for (let i = 1; i < size; i++) if (buffer[i] === LF && buffer[i - 1] === LF) events++;
  if (buffer.subarray(Math.max(0, size - END.length), size).equals(END)) leave(socket);
  return true;
}

function leave(socket) {
  socket.destroy();
  if (--open === 0) process.stdout.write(`${JSON.stringify({ events })}\n`);
}

// Answers every request and counts arrivals per tenth of a second, to measure how evenly they are spaced.
import { createServer } from 'node:net';

const WINDOW_MS = 100;
const RESPONSE = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
let windows = [];
let first = NaN;

const server = createServer({ noDelay: true }, (socket) => {
  let end = '';
  socket.on('error', () => {}); // a client that disconnects
  socket.on('data', (bytes) => {
    const text = end + bytes.toString('latin1');
    const requests = text.split('\r\n\r\n').length - 1;
    end = text.slice(-3);
    if (requests === 0) return;
    const now = performance.now();
    if (Number.isNaN(first)) first = now;
    const window = Math.floor((now - first) / WINDOW_MS);
    windows[window] = (windows[window] ?? 0) + requests;
    socket.write(requests === 1 ? RESPONSE : Buffer.concat(Array.from({ length: requests }, () => RESPONSE)));
  });
});

process.on('disconnect', () => process.exit());
process.on('message', () => {
  process.send({ windows: Array.from(windows, (count) => count ?? 0) });
  windows = [];
  first = NaN;
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));

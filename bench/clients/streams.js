// A service whose streams have as many events per second as its argument, for as long as `/SECONDS`. The streams take
// turns within the milliseconds between two events. Frames of chunks are written to the sockets, so that the service is
// not the bottleneck.
import http from 'node:http';

const GAP_MS = 1000 / Number(process.argv[2]);
const DATA = `data: {"choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}]}\n\n`;
const FRAME = Buffer.from(`${DATA.length.toString(16)}\r\n${DATA}\r\n`);

/** Streams by the millisecond of their turn: how many events are left of each. */
const turns = Array.from({ length: GAP_MS }, () => new Map());
let opened = 0;

const server = http.createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const events = (Number(request.url.slice(1)) * 1000) / GAP_MS;
  turns[opened++ % GAP_MS].set(response, events);
  response.on('close', () => turns.forEach((turn) => turn.delete(response)));
});

let turn = 0;
const startedAt = performance.now();
setInterval(() => {
  for (; turn < performance.now() - startedAt; turn++) {
    const due = turns[turn % GAP_MS];
    for (const [response, left] of due) {
      if (left > 0) {
        response.socket?.write(FRAME);
        due.set(response, left - 1);
      } else {
        due.delete(response);
        response.end();
      }
    }
  }
}, 1);

server.listen(0, '127.0.0.1', 4096, () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit());

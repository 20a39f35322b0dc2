// Answers after known delays: the delays of /0, /1, … are spread evenly over the logarithms from 100 ms to 1 s, in a scattered
// order. Reports the delays that it really made, since a timer of Node is late by up to some milliseconds.
import { createServer } from 'node:http';

const SHORTEST_MS = 100;
const LONGEST_MS = 1000;
/** multiples of the golden ratio, modulo 1, are spread evenly */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
let made = [];

const server = createServer((request, response) => {
  const askedAt = performance.now();
  const fraction = (Number(request.url.slice(1)) * GOLDEN) % 1;
  setTimeout(
    () => {
      response.end('ok');
      made.push(performance.now() - askedAt);
    },
    SHORTEST_MS * (LONGEST_MS / SHORTEST_MS) ** fraction,
  );
});
server.keepAliveTimeout = 0;

process.on('disconnect', () => process.exit());
process.on('message', () => {
  process.send({ made });
  made = [];
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));

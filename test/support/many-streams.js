import http from 'node:http';

const DATA = `data: ${'x'.repeat(1000)}\n\n`;

/**
 * A handler that keeps streams open until there are `count`, and then sends `events` to each, in rounds.
 * `onRound(round)` is called at the beginning of each.
 */
export function manyStreams({ count, events, onRound }) {
  const open = [];
  const round = (n) => {
    onRound(n);
    for (const one of open)
      if (n === events) one.end(DATA);
      else one.write(DATA);
    if (n < events) setTimeout(round, 10, n + 1);
  };
  return (_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.flushHeaders();
    if (open.push(res) === count) round(1);
  };
}

// As a process of its own: a process has a limited number of open files.
if (process.argv[1] === import.meta.filename && process.send) {
  const [count, events] = process.argv.slice(2).map(Number);
  const server = http.createServer(manyStreams({ count, events, onRound: (round) => process.send({ round }) }));
  server.listen(0, '127.0.0.1', 20_000, () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
  process.on('disconnect', () => process.exit());
}

// Answers every request and records when each one arrived, to measure how evenly they are spaced, and how long its answer
// took. /delay/MS answers after a time, /stall not in the last of every 5 s.
import { createServer } from 'node:net';

const WINDOW_MS = 100;
/** arrivals while connections are opened and code is compiled */
const SKIPPED = 0.05;
const RESPONSE = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
const PERIOD_MS = 5000;
const STALL_MS = 1000;
/** timers are exact to a millisecond; a shorter delay is work */
const LEAST_TIMER_MS = 1;
/** how long answers took by this process @type {[string, number][]} */
const DELAYS = [
  ['median', 0.5],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
];
/** @type {number[]} */
let arrivals = [];
/** @type {number[]} */
let delays = [];

const server = createServer({ noDelay: true }, (socket) => {
  let end = '';
  socket.on('error', () => {}); // a client that disconnects
  socket.on('data', (bytes) => {
    const text = end + bytes.toString('latin1');
    const requests = text.split('\r\n\r\n').length - 1;
    end = text.slice(-3);
    if (requests === 0) return;
    const now = performance.now();
    for (let i = 0; i < requests; i++) arrivals.push(now);
    const answer = requests === 1 ? RESPONSE : Buffer.concat(Array.from({ length: requests }, () => RESPONSE));
    const delay = text.startsWith('GET / ') ? 0 : delayOf(text, now);
    const respond = () => {
      socket.write(answer);
      delays.push(performance.now() - now);
    };
    if (delay >= LEAST_TIMER_MS) return void setTimeout(respond, delay);
    while (performance.now() < now + delay);
    respond();
  });
});

/** @type {(request: string, now: number) => number} ms */
function delayOf(request, now) {
  const [, path] = request.split(' ', 2);
  if (path !== '/stall') return Number(path.replace('/delay/', ''));
  const inPeriod = (now - arrivals[0]) % PERIOD_MS;
  return inPeriod < PERIOD_MS - STALL_MS ? 0 : PERIOD_MS - inPeriod;
}

/** The nearest rank, as in histograms. @type {(sorted: number[], part: number) => number} */
const quantile = (sorted, part) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];

/** Kolmogorov and Smirnov: the largest distance between the gaps and exponential ones of the same mean. */
function distanceFromExponential(sorted, mean) {
  return sorted.reduce(
    (most, gap, i) => Math.max(most, Math.abs((i + 0.5) / sorted.length - (1 - Math.exp(-gap / mean)))),
    0,
  );
}

function report() {
  const steady = arrivals.slice(Math.ceil(arrivals.length * SKIPPED));
  const gaps = steady.slice(1).map((at, i) => at - steady[i]);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  const sorted = gaps.sort((a, b) => a - b);
  const sortedDelays = delays.sort((a, b) => a - b);
  const windows = [];
  for (const at of arrivals) {
    const window = Math.floor((at - arrivals[0]) / WINDOW_MS);
    windows[window] = (windows[window] ?? 0) + 1;
  }
  return {
    count: arrivals.length,
    windows: Array.from(windows, (count) => count ?? 0),
    gaps: { p25: quantile(sorted, 0.25), p75: quantile(sorted, 0.75), cv: Math.sqrt(variance) / mean },
    distance: distanceFromExponential(sorted.slice(), mean),
    delays: Object.fromEntries(DELAYS.map(([name, part]) => [name, quantile(sortedDelays, part)])),
  };
}

process.on('disconnect', () => process.exit());
process.on('message', () => {
  process.send(report());
  arrivals = [];
  delays = [];
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));

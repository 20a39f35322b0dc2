// A service that knows how long each answer took, to compare what a load generator reports. Paths: see SERVICES.
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { cpuTimes } from '../../lib/core/measure/thread.js';
import { clock } from '../../lib/core/run/clock.js';
import { ReadDelay, loopIdleMs } from '../../lib/core/run/load/read-delay.js';

const MEAN_MS = 6;
const SPREAD = 0.25;
const TICK_MS = 5;
const rows = Array.from({ length: 4000 }, (_, i) => ({ id: i, name: `row ${i}`, value: Math.sin(i) }));
const packed = gzipSync(JSON.stringify(rows));
const LARGE = Buffer.concat([
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`,
  ),
  packed,
]);
const SMALL = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
const REFUSED = Buffer.from('HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n');
const LAST = Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok');
/** @type {{ at: number, ms: number }[]} */
let answers = [];
const delay = new ReadDelay({ clock, idleMs: loopIdleMs, cpuTimes });
clock.every(() => delay.tick(clock.now()), TICK_MS);

const serve = (socket) => {
  let head = '';
  socket.on('error', () => {}); // a client that disconnects
  socket.on('data', (bytes) => {
    const now = performance.now();
    // what a server without a CPU did not read is its time, too
    const from = now - delay.at(now);
    head += bytes.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    const [, path] = head.split(' ', 2);
    head = '';
    if (path.startsWith('/other')) {
      socket.end(LAST);
      return;
    }
    const [, name, ...numbers] = path.split('/');
    const { status = 200, until = from + delayMs() } = SERVICES[name]?.(from, ...numbers.map(Number)) ?? {};
    const answer = () => {
      socket.write(status === 429 ? REFUSED : path.startsWith('/large') ? LARGE : SMALL);
      answers.push({ at: performance.timeOrigin + from, ms: performance.now() - from });
    };
    if (until <= performance.now()) answer();
    else setTimeout(answer, until - performance.now());
  });
};

/** When each worker of a pool is idle, and the tokens of a bucket. */
let idleAt = [];
let [tokens, filledAt] = [Infinity, 0];

/** The services by the first part of the path, others answer after 5 to 12 ms: when they answer, and the status. */
const SERVICES = {
  /** /delay/MS: always as fast, however many requests wait. */
  delay: (from, ms) => ({ until: from + ms }),
  /** /pool/SIZE/MS: a queue in front of workers. */
  pool(from, size, ms) {
    idleAt.length = size;
    const worker = Array.from(idleAt, (at = 0) => at).reduce((best, at, i, all) => (at < all[best] ? i : best), 0);
    idleAt[worker] = Math.max(from, idleAt[worker] ?? 0) + ms;
    return { until: idleAt[worker] };
  },
  /** /bucket/RATE/BURST/MS: refuses requests beyond a rate. */
  bucket(from, rate, burst, ms) {
    tokens = Math.min(burst, tokens + ((from - filledAt) * rate) / 1000);
    filledAt = from;
    if (tokens < 1) return { until: from, status: 429 };
    tokens--;
    return { until: from + ms };
  },
};

/** Lognormal. */
function delayMs() {
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return MEAN_MS * Math.exp(SPREAD * normal);
}

/** @type {(sorted: number[], part: number) => number} */
const quantile = (sorted, part) => sorted[Math.max(0, Math.ceil(part * sorted.length - 1e-6) - 1)];

process.on('disconnect', () => process.exit());
process.on('message', ({ since }) => {
  const times = answers.flatMap(({ at, ms }) => (at >= since ? [ms] : [])).sort((a, b) => a - b);
  answers = [];
  idleAt = [];
  tokens = Infinity;
  process.send({
    count: times.length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  });
});

const { key, cert } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const plain = createServer({ noDelay: true }, serve);
const secure = createTlsServer({ noDelay: true, key, cert }, serve);
plain.listen(0, '127.0.0.1', () =>
  secure.listen(0, '127.0.0.1', () => process.send({ port: plain.address().port, tlsPort: secure.address().port })),
);

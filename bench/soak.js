import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { end, start } from './processes.js';
import { startTarget } from './target.js';

const FIRST = 500_000;
const MOST_MB = 2;
const script = fileURLToPath(new URL('clients/soak.js', import.meta.url));

/** Kinds of runs: how many iterations, over how many connections. */
const KINDS = [
  { name: 'ok', iterations: 20_000_000, connections: 1000 },
  { name: 'failing', iterations: 5_000_000, connections: 50 },
  { name: 'cookies', iterations: 3_000_000, connections: 50 },
  { name: 'hooks', iterations: 10_000_000, connections: 50 },
  { name: 'capture', iterations: 5_000_000, connections: 50 },
  { name: 'scenarios', iterations: 5_000_000, connections: 50 },
  { name: 'workers', iterations: 10_000_000, connections: 50 },
];

/** Resident memory must not grow with the iterations: measures its slope after the first half million (Linux). */
export async function soak() {
  const target = await startTarget();
  say(
    `soak: target ${target.name}; resident memory after ${FIRST.toLocaleString('en')} iterations; wanted: a slope below ${MOST_MB} MB per million`,
  );
  let isGood = true;
  try {
    for (const { name, iterations, connections } of KINDS) {
      const { errors, samples } = await sample(name, target.url, iterations, connections);
      const mb = slope(samples);
      const isKept = mb < MOST_MB && errors === (name === 'failing' ? iterations : 0);
      isGood &&= isKept;
      const [first, last] = [samples[0][1], samples.at(-1)[1]];
      say(
        `${name.padEnd(9)} ${iterations.toLocaleString('en').padStart(10)} iterations over ${String(connections).padStart(4)} connections, ${errors.toLocaleString('en')} errors: ` +
          `${first.toFixed(1)} MB, ${last.toFixed(1)} MB at the end, slope ${mb.toFixed(2)} MB per million ${isKept ? 'kept' : 'MISSED'}`,
      );
    }
  } finally {
    await target.close();
  }
  if (!isGood) throw new Error('memory grows, or there were errors');
}

/** Iterations (in millions) and resident memory (MB), a pair four times per second. */
async function sample(name, url, iterations, connections) {
  const child = start([process.execPath, script, name, url, String(iterations), String(connections)], {
    cpu: 0,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  /** @type {[number, number][]} */
  const samples = [];
  try {
    const errors = await new Promise((resolve, reject) => {
      child.on('error', reject).on('exit', (code) => reject(new Error(`the soak of ${name} ended early (${code})`)));
      child.on('message', ({ iterations: done, isOver, errors: count }) => {
        if (done >= FIRST) samples.push([done / 1e6, rssMb(child.pid)]);
        if (isOver) resolve(count);
      });
    });
    return { errors, samples };
  } finally {
    await end(child);
  }
}

/** Least squares. @type {(points: [number, number][]) => number} */
function slope(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([a]) => a)), mean(points.map(([, b]) => b))];
  return (
    points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
  );
}

function rssMb(pid) {
  const [, kb] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/);
  return kb / 1024;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { end, start } from './processes.js';
import { startTarget } from './target.js';

const requests = 20_000_000;
const connections = 1000;
const early = 1_000_000;

/** 20 million requests over 1,000 connections: no error, and no memory that grows after the first million. */
export async function soak() {
  const target = await startTarget();
  say(`soak: ${requests.toLocaleString('en')} x GET / over ${connections.toLocaleString('en')} connections, target ${target.name}`);
  const script = fileURLToPath(new URL('clients/memory.js', import.meta.url));
  const child = start([process.execPath, script, `${target.url}/`, String(requests), String(connections)], { cpu: 0, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  /** @type {[number, number][]} iterations and RSS in MB, after the first million */
  const samples = [];
  try {
    const errors = await new Promise((resolve, reject) => {
      child.on('error', reject).on('exit', (code) => reject(new Error(`the soak ended early (${code})`)));
      child.on('message', ({ iterations, isOver, errors: count }) => {
        if (iterations >= early) samples.push([iterations / 1e6, rssMb(child.pid)]);
        if (isOver) resolve(count);
      });
    });
    const [first, last] = [samples[0][1], samples.at(-1)[1]];
    say(`soak: ${errors} errors; RSS ${first.toFixed(1)} MB after a million, ${last.toFixed(1)} MB at the end, slope ${slope(samples).toFixed(2)} MB a million`);
  } finally {
    await end(child);
    await target.close();
  }
}

/** Least squares. @type {(points: [number, number][]) => number} */
function slope(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([a]) => a)), mean(points.map(([, b]) => b))];
  return points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

function rssMb(pid) {
  const [, kb] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/);
  return kb / 1024;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

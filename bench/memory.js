import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { end, start } from './processes.js';
import { startTarget } from './target.js';

const iterations = 5_000_000;
const early = 500_000;

/** Prints what memory our plain GET takes after 500,000 iterations and after 5 million: it must not grow with them. */
export async function memory() {
  const target = await startTarget();
  process.stdout.write(`memory: ${iterations.toLocaleString('en')} iterations of GET /, target ${target.name}\n`);
  try {
    const { earlyMb, endMb, errors } = await sample(target.url);
    process.stdout.write(`memory: RSS ${earlyMb.toFixed(1)} MB after ${early.toLocaleString('en')} iterations, `
      + `${endMb.toFixed(1)} MB at the end, difference ${(endMb - earlyMb).toFixed(1)} MB${errors ? `, ${errors} ERRORS` : ''}\n`);
  } finally {
    await target.close();
  }
}

/** The child waits at its end, so that its memory can still be read. */
function sample(url) {
  const script = fileURLToPath(new URL('clients/memory.js', import.meta.url));
  const child = start([process.execPath, script, `${url}/`, String(iterations)], { cpu: 0, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let done = 0;
  let earlyMb;
  const timer = setInterval(() => {
    const mb = rssMb(child.pid);
    if (done >= early) earlyMb ??= mb;
    process.stderr.write(`${done} iterations, RSS ${mb.toFixed(1)} MB\n`);
  }, 500);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the memory child ended early (${code})`)));
    child.on('message', (message) => {
      done = message.iterations;
      if (message.isOver) resolve({ earlyMb: earlyMb ?? NaN, endMb: rssMb(child.pid), errors: message.errors });
    });
  }).finally(() => {
    clearInterval(timer);
    return end(child);
  });
}

function rssMb(pid) {
  const [, kb] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/);
  return kb / 1024;
}

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { endOf, start } from './processes.js';

const runs = 20;
const program = fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url));

/** Prints the median times of what every start costs, in turns: Node alone, the help, and the first request. */
export async function startup() {
  let firstRequest = Promise.resolve(0);
  const server = createServer((request, response) => {
    server.emit('asked', performance.now());
    response.end('ok');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const works = [
    { name: 'node alone', argv: ['-e', '0'] },
    { name: '--version', argv: [program, '--version'] },
    { name: '--help', argv: [program, '--help'] },
    { name: 'first request', argv: [program, '-n', '1', url], until: () => firstRequest },
  ].map((work) => ({ ...work, times: [] }));
  try {
    for (let i = 0; i < runs; i++) {
      for (const { name, argv, until, times } of works) {
        firstRequest = new Promise((resolve) => server.once('asked', resolve));
        const started = performance.now();
        const { code, stderr } = await endOf(start([process.execPath, ...argv]));
        if (code !== 0) throw new Error(`${name} exited with ${code}: ${tellingLine(stderr)}`);
        times.push((until ? await until() : performance.now()) - started);
      }
    }
  } finally {
    server.close();
  }
  for (const { name, times } of works) process.stdout.write(line(name, times));
}

/** @type {(name: string, times: number[]) => string} */
function line(name, times) {
  times.sort((a, b) => a - b);
  const median = (times[runs / 2 - 1] + times[runs / 2]) / 2;
  return `startup: ${name} ${median.toFixed(0)} ms, median of ${runs} (fastest ${times[0].toFixed(0)})\n`;
}

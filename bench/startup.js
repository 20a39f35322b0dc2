import { fileURLToPath } from 'node:url';
import { endOf, start } from './processes.js';
import { errorLine } from './error-line.js';

const runs = 20;

/** Prints the median time of `bench-rest --version`: the cost of every start. */
export async function startup() {
  const program = fileURLToPath(new URL('../bin/bench-rest.js', import.meta.url));
  const times = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    const { code, stderr } = await endOf(start([process.execPath, program, '--version'], { cpu: 0 }));
    if (code !== 0) throw new Error(`bench-rest --version exited with ${code}: ${errorLine(stderr)}`);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const median = (times[runs / 2 - 1] + times[runs / 2]) / 2;
  process.stdout.write(
    `startup: bench-rest --version ${median.toFixed(0)} ms, median of ${runs} (fastest ${times[0].toFixed(0)})\n`,
  );
}

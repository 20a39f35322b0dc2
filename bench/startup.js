import { createServer } from 'node:http';
import { errorLine } from './error-line.js';
import { median } from './median.js';
import { pathInBench } from './peers/installed.js';
import { endOf, start } from './processes.js';

const RUNS = 20;
const program = pathInBench('../bin/bench-rest.js');
const probe = pathInBench('clients/cpu-at-exit.cjs');

/**
 * Prints what every start costs, in turns: Node alone, the version, the help, and the first request. Times are those of
 * the clock, for the first request until the server has it; CPU times are those of the whole process.
 *
 * @returns {Promise<import('./goal.js').Goal[]>}
 */
export async function startup() {
  let firstRequest = Promise.resolve(0);
  const server = createServer((request, response) => {
    server.emit('asked', performance.now());
    response.end('ok');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const works = [
    { name: 'Node alone', argv: ['-e', '0'] },
    { name: '--version', argv: [program, '--version'], most: { cpu: 100 } },
    { name: '--help', argv: [program, '--help'], most: { cpu: 100 } },
    { name: 'first request', argv: [program, '-n', '1', url], until: () => firstRequest, most: { time: 200 } },
  ].map((work) => ({ ...work, times: [], cpu: [] }));
  try {
    for (let i = 0; i < RUNS; i++) {
      for (const { name, argv, until, times, cpu } of works) {
        firstRequest = new Promise((resolve) => server.once('asked', resolve));
        const started = performance.now();
        const child = start([process.execPath, '--require', probe, ...argv], {
          stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        });
        const { code, stderr, extra } = await endOf(child);
        if (code !== 0) throw new Error(`${name} exited with ${code}: ${errorLine(stderr)}`);
        times.push((until ? await until() : performance.now()) - started);
        cpu.push(Number(extra));
      }
    }
  } finally {
    server.close();
  }
  const [bare] = works;
  for (const work of works) process.stdout.write(line(work, bare));
  return works.flatMap(goalsOf);
}

/** @type {(work: { name: string, times: number[], cpu: number[] }, bare: { cpu: number[] }) => string} */
function line({ name, times, cpu }, bare) {
  const ratio = median(cpu) / median(bare.cpu);
  return (
    `startup: ${name} ${ms(median(times))}, fastest ${ms(Math.min(...times))}; ` +
    `CPU ${ms(median(cpu))}, least ${ms(Math.min(...cpu))}, ${ratio.toFixed(2)} of Node alone; medians of ${RUNS}\n`
  );
}

function goalsOf({ name, times, cpu, most = {} }) {
  return [
    { what: `start-up, ${name}: ms`, sign: '<=', bound: most.time, value: median(times) },
    { what: `start-up, ${name}: CPU ms`, sign: '<=', bound: most.cpu, value: median(cpu) },
  ].filter(({ bound }) => bound !== undefined);
}

function ms(value) {
  return `${value.toFixed(0)} ms`;
}

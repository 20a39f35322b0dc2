import { exitCodeRows } from '../exit-codes.js';
import { PHASES } from '../phases.js';

/** @import { Command } from 'commander' */

/** The most used flags: the short help of -h. */
const COMMON = [
  '--iterations',
  '--concurrency',
  '--duration',
  '--rate',
  '--workers',
  '--warmup',
  '--body',
  '--header',
  '--evaluate',
  '--base-url',
  '--threshold',
  '--output',
  '--debug',
];

/**
 * @param {Command} program
 * @param {number} width
 * @returns {string} one page: the most used flags and two examples
 */
export function shortHelp(program, width) {
  const help = program.createHelp();
  help.helpWidth = width;
  const options = COMMON.map((long) => program.options.find((option) => option.long === long)).filter(
    (found) => !!found,
  );
  const column = Math.max(...options.map(({ flags }) => flags.length));
  const lines = options.map((option) => help.formatItem(option.flags, column, help.optionDescription(option), help));
  return `Usage: bench-rest [options] <flow file or URL>

${lines.join('\n')}

Examples:
  bench-rest -n 1000 -c 50 http://localhost:8000/
  bench-rest -r 500 -t 30s --threshold 'p95<200ms' ./flow.js

bench-rest --help lists all options, commands and exit codes.
`;
}

export const EXAMPLES = `
Examples:
  bench-rest --serve -n 10k                                   try it: a run against the embedded target
  bench-rest -n 1000 -c 50 http://localhost:8000/             GET a URL
  bench-rest -n 1000 -b '{"a":1}' -T json http://localhost:8000/   POST JSON
  bench-rest -n 1000 -c 50 ./flow.js                          run a flow: .js .mjs .cjs .ts .json .yaml
  bench-rest -r 500 -t 30s -c 100 ./flow.js                   500 iterations per second, regardless of response times
  bench-rest -w auto -W 5s -t 30s -c 200 ./flow.js            all cores, after a warm-up
  bench-rest -n 1000 ./flow.js --base-url http://localhost:3000
  bench-rest -e "{ head: 'http://localhost:8000/' }"          run a flow given on the command line
  bench-rest --debug ./flow.js                                run one iteration and print every exchange
  bench-rest --json -n 10k ./flow.js > result.json            for programs
  bench-rest -t 30s --threshold 'p95<200ms' -o page.html ./flow.js   a test with an HTML report
  bench-rest ab ./old.js ./new.js -n 5000 -c 50               compare two flows: which is faster, is it significant
  bench-rest serve --port 8000                                only the embedded REST target

A flow is an array of operations, or an object with ${PHASES.join(', ')}:
  export default { main: [{ put: '/items/#{INDEX}', json: { name: 'n#{INDEX}' } }, { get: '/items/#{INDEX}' }] };
`;

/**
 * @returns {string} the end of the full help: examples and exit codes
 */
export function helpEnd() {
  const rows = exitCodeRows().map(({ code, about }) => `${String(code).padStart(5)}  ${about}\n`);
  return `${EXAMPLES}\nExit codes:\n${rows.join('')}`;
}

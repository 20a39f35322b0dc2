import { constants } from 'node:os';

import { expect } from 'chai';

import { saidBy } from '../../support/command.js';

const MODULE = new URL('../../../lib/core/process/helper-threads.js', import.meta.url);
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
const OWN = "Number(readlinkSync('/proc/thread-self').split('/').at(-1))";

/** A process whose worker thread calls it, and prints its own number and the niceness of each thread by number. */
const PROGRAM = `
  import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
  import { Worker, isMainThread } from 'node:worker_threads';
  const code = \`
    import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
    import { COMPILATION, precedeHelperThreads, setCompilation } from '${MODULE}';
    precedeHelperThreads();
    Object.values(COMPILATION).forEach(setCompilation);
    const nicenessOf = (thread) => Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16]);
    const threads = readdirSync('/proc/self/task').map((thread) => [Number(thread), nicenessOf(thread)]);
    process.stdout.write(JSON.stringify({ own: ${OWN}, main: process.pid, threads }));
  \`;
  new Worker(new URL('data:text/javascript,' + encodeURIComponent(code)));
`;

describe('process/helper-threads', () => {
  it('gives this thread and the main thread priority over the others, and V8 knows the flags that it sets', async function () {
    if (process.platform !== 'linux') this.skip();
    const { stdout, stderr } = await saidBy(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    expect(stderr).to.equal('');
    const { own, main, threads } = JSON.parse(stdout);
    const niceness = new Map(threads);
    expect(niceness.get(own)).to.equal(niceness.get(main));
    const others = threads.filter(([thread]) => thread !== own && thread !== main);
    expect(others.length).to.be.above(0);
    // A process that has the lowest priority already gives its threads no lower one.
    const lower = Math.min(PRIORITY_LOW, niceness.get(main) + PRIORITY_BELOW_NORMAL);
    for (const [, nice] of others) expect(nice).to.equal(lower);
  });
});

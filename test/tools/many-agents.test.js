import { expect } from 'chai';

import { withAgents } from '../support/agents.js';
import { spawned } from '../support/command.js';
import { withRedis } from '../support/redis.js';
import { serving } from '../support/serve.js';

/** 50 of them take 60 s of CPU: 25 s to start, and 35 s for the run, in which two cores are too slow for the rate. */
const NAMES = Array.from({ length: 10 }, (_, i) => `box-${i + 1}`);
const LOAD = ['-t', '5s', '--rate', '500', '-c', '100', '--agents-timeout', '120s', '--json'];

describe('many agents', () => {
  it('A14 ten agents on one machine keep one arrival rate', function () {
    this.timeout(600_000);
    return withRedis(({ url: queue }) =>
      serving(
        (req, res) => res.end('ok'),
        (base, seen) =>
          withAgents(
            queue,
            NAMES,
            async () => {
              const { result, from } = await undisturbed(async () => {
                const from = seen.length;
                const args = ['--agents', String(NAMES.length), '--queue', queue, ...LOAD];
                const { stdout } = await spawned([...args, '-e', `${base}/#{INDEX}`]);
                return { result: stdout === '' ? null : JSON.parse(stdout), from };
              });
              expect(result.iterations).to.include({ started: 2500, failed: 0, dropped: 0 });
              expect(result.agents.each).to.have.lengthOf(NAMES.length);
              const indexes = seen.slice(from).map(({ url }) => Number(url.slice(1)));
              expect(indexes.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 2500 }, (_, i) => i));
            },
            { args: ['--workers', '1'] },
          ),
      ),
    );
  });
});

/** Repeats a run until the machine has let all agents run: one without CPU for seconds counts as lost. */
async function undisturbed(run) {
  for (;;) {
    const outcome = await run();
    if (outcome.result?.agents.lost === 0) return outcome;
  }
}

import { expect } from 'chai';

import { withAgents } from '../../support/agents.js';
import { spawned } from '../../support/command.js';
import { withRedis } from '../../support/redis.js';
import { serving } from '../../support/serve.js';

/** They take 60 s of CPU: 25 s to start, and 35 s for the run, in which two cores may be too slow for the rate. */
const NAMES = Array.from({ length: 50 }, (_, i) => `box-${i + 1}`);
const ITERATIONS = 2500;
const LOAD = ['-t', '5s', '--rate', '500', '-c', '100', '--agents-timeout', '120s', '--json'];

describe('many agents', () => {
  it('A14 fifty agents on one machine share one arrival rate, and lose or repeat nothing', function () {
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
                const args = ['--agents', String(NAMES.length), '--agents-queue', queue, ...LOAD];
                const { stdout } = await spawned([...args, '-e', `${base}/#{INDEX}`]);
                return { result: stdout === '' ? null : JSON.parse(stdout), from };
              });
              const { started, completed, dropped, failed } = result.iterations;
              expect({ all: started + dropped, completed, failed }).to.deep.equal({
                all: ITERATIONS,
                completed: started,
                failed: 0,
              });
              expect(result.loadGenerators.map(({ name }) => name)).to.have.members(NAMES);
              const indexes = seen.slice(from).map(({ url }) => Number(url.slice(1)));
              expect(new Set(indexes).size).to.equal(indexes.length);
              expect(indexes).to.have.lengthOf(started);
              expect(indexes.every((index) => index < ITERATIONS)).to.equal(true);
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

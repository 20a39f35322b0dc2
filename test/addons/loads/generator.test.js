import { expect } from 'chai';

import { loadsMemory } from '../../../lib/addons/loads/shared-loads.js';
import { indexMemory, sharedIndexes } from '../../../lib/core/run/load/arrivals.js';
import { planned } from '../../support/planned-generator.js';
import { serving } from '../../support/serve.js';
import { until } from '../../support/until.js';

describe('several loads in two threads', () => {
  it('a load without an end goes on in a thread that has no virtual user of the others', async () => {
    const started = [0, 0];
    let hasEnded = false;
    const endJob = until(() => Math.min(...started) >= 20 || hasEnded);
    await serving(
      async (req, res) => {
        if (req.url === '/job') await endJob;
        res.end();
      },
      async (url) => {
        const open = planned({
          scenarios: {
            background: { load: { limit: 2, pause: 1 }, main: [{ get: url }] },
            job: { load: { limit: 1, iterations: 1 }, main: [{ get: `${url}/job` }] },
          },
        });
        const [memory, shared] = [indexMemory(2, 2), loadsMemory(2)];
        const parts = await Promise.all(
          [0, 1].map((worker) =>
            open({
              ...{ worker, workers: 2, isWorker: true, loadsMemory: shared },
              ...{ indexes: [0, 1].map((place) => sharedIndexes(memory, place)), onStart: () => started[worker]++ },
            }),
          ),
        );
        const start = performance.now();
        await Promise.all(parts.map((generator) => generator.run(start).then(() => (hasEnded = true))));
        await Promise.all(parts.map((generator) => generator.close()));
      },
    );
    expect(Math.min(...started)).to.be.at.least(20);
  });
});

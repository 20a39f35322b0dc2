import { expect } from 'chai';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { planLoad } from '../../../../lib/core/run/plan.js';
import { LoadGenerator } from '../../../../lib/core/run/load/generator.js';
import { programLayers } from '../../../../lib/core/run/options/layers.js';
import { readRunOptions } from '../../../support/run-options.js';
import { ok, serving } from '../../../support/serve.js';

/** Opens the generator of a flow, and closes it after the story. */
const generating = async (flow, given, story) => {
  const read = readFlow(flow);
  const options = readRunOptions(programLayers(read.flow, given));
  const generator = await LoadGenerator.open(planLoad(read.compile(options), options));
  try {
    return await story(generator);
  } finally {
    await generator.close();
  }
};

describe('the warm-up', () => {
  it('its iterations have indexes from 1e12, and are not recorded', () =>
    serving(ok, (url, seen) =>
      generating(`${url}/#{INDEX}`, { limit: 2, iterations: 3, warmup: 50 }, async (generator) => {
        const { iterations, errors } = await generator.warmUp();
        expect(seen).to.have.lengthOf(iterations);
        expect(seen.map(({ url: path }) => path)).to.include('/1000000000000');
        expect(errors).to.equal(0);
        expect(generator.recorder.iterations.started).to.equal(0);
        expect(generator.recorder.histograms.connect.count).to.equal(0);
        expect(generator.traffic()).to.include({ opened: 0, bytesSent: 0 });
      }),
    ));

  it('its connections are reused by the run', () =>
    serving(ok, (url, seen) =>
      generating(`${url}/#{INDEX}`, { limit: 1, iterations: 3, warmup: 50 }, async (generator) => {
        const warm = await generator.warmUp();
        await generator.run(performance.now());
        expect(seen.slice(warm.iterations).map(({ url: path }) => path)).to.deep.equal(['/0', '/1', '/2']);
        expect(generator.traffic()).to.include({ opened: 0, reused: 3 });
        expect(generator.recorder.iterations).to.include({ started: 3, completed: 3 });
      }),
    ));

  it('its errors are counted separately', () =>
    serving(
      (req, res) => res.writeHead(500).end(),
      (url) =>
        generating(url, { limit: 1, iterations: 1, warmup: 50 }, async (generator) => {
          const { iterations, errors } = await generator.warmUp();
          expect(errors).to.equal(iterations).and.to.be.above(0);
          expect(generator.recorder.errorCount).to.equal(0);
        }),
    ));

  it('iterations without an answer are cut off after the grace period, count as errors, and the run follows', () => {
    let isWarm = false;
    return serving(
      (req, res) => void (isWarm && res.end()),
      (url) =>
        generating(url, { limit: 2, iterations: 3, warmup: 50, gracefulStop: 50 }, async (generator) => {
          expect(await generator.warmUp()).to.deep.equal({ iterations: 2, errors: 2 });
          isWarm = true;
          await generator.run(performance.now());
          expect(generator.recorder.iterations).to.include({ started: 3, completed: 3, cancelled: 0 });
        }),
    );
  });

  it('a stop of the run ends it, and no iteration is measured', () => {
    let stop = () => {};
    return serving(
      (req, res) => {
        stop();
        res.end();
      },
      (url) =>
        generating(url, { limit: 1, iterations: 1, warmup: 3_600_000 }, async (generator) => {
          stop = () => generator.ending.stop('stopped');
          await generator.warmUp();
          await generator.run(performance.now());
          expect(generator.recorder.iterations.started).to.equal(0);
        }),
    );
  });
});

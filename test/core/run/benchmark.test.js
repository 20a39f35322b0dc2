import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { Benchmark } from '../../../lib/core/run/benchmark.js';
import { originOf } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { benchmark, recordingRun } from '../../support/recording-run.js';
import { createPlan } from '../../../lib/core/run/plan.js';
import { readRunOptions } from '../../support/run-options.js';
import { ok, serving } from '../../support/serve.js';
import { missingIn } from '../../../lib/core/measure/validity.js';

describe('run/benchmark', () => {
  it('before, main and after begin in their order', () =>
    serving(ok, async (url, seen) => {
      const run = recordingRun();
      const flow = { before: [`${url}/before`], main: [`${url}/main`], after: [`${url}/after`] };
      const { stats, errorCount, endReason } = await benchmark(run, flow);
      expect(run.log).to.deep.equal([
        'start',
        'before',
        'response',
        'main',
        'response',
        'response',
        'after',
        'response',
      ]);
      expect(seen.map(({ url: path }) => path)).to.deep.equal(['/before', '/main', '/main', '/after']);
      expect([stats.iterations.completed, errorCount, endReason]).to.deep.equal([2, 0, 'completed']);
      expect(missingIn(stats)).to.deep.equal([]);
    }));

  it('without before no iteration runs, but after does', () =>
    serving(
      (req, res) => {
        res.statusCode = req.url === '/before' ? 500 : 200;
        res.end();
      },
      async (url, seen) => {
        const run = recordingRun();
        const flow = { before: [`${url}/before`], main: [`${url}/main`], after: [`${url}/after`] };
        const { errorCount, endReason } = await benchmark(run, flow);
        expect(seen.map(({ url: path }) => path)).to.deep.equal(['/before', '/after']);
        expect([errorCount, endReason]).to.deep.equal([1, 'before']);
        expect(run.log.filter((entry) => entry === 'error')).to.have.lengthOf(1);
      },
    ));

  it('an abort as soon as it is attached starts nothing, and the result says what it lacks', () =>
    serving(ok, async (url, seen) => {
      const run = recordingRun(({ abort }) => abort());
      const flow = { before: [`${url}/before`], main: [`${url}/main`], after: [`${url}/after`] };
      const { stats, endReason } = await benchmark(run, flow);
      expect(seen).to.deep.equal([]);
      expect(endReason).to.equal('aborted');
      expect(missingIn(stats).join()).to.match(/aborted: .*after did not finish/);
    }));

  it('the controls stop the run and show its results so far', () =>
    serving(ok, async (url) => {
      let controls;
      const run = recordingRun((given) => (controls = given));
      run.onPhase = (phase) => {
        if (phase !== 'main') return;
        expect(controls.snapshot().iterations.started).to.equal(0);
        expect(controls.inFlight()).to.equal(0);
        controls.stop('enough');
      };
      const { stats, endReason } = await benchmark(run, url, { iterations: 1000 });
      expect(endReason).to.equal('enough');
      expect(stats.iterations.started).to.be.below(1000);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { endedAt, totalElapsed } = controls.snapshot();
      expect({ endedAt, totalElapsed }).to.deep.equal({ endedAt: stats.endedAt, totalElapsed: stats.totalElapsed });
    }));

  for (const [what, load] of [
    ['a rate', { rate: 100, duration: 20 }],
    ['a ramp', { stages: [{ duration: 20, rate: 100 }] }],
  ])
    it(`the results before the first iteration of ${what} are numbers`, () =>
      serving(ok, async (url) => {
        const early = [];
        const run = recordingRun(({ snapshot }) => early.push(snapshot().iterations.plannedRate));
        await benchmark(run, url, { iterations: undefined, ...load });
        expect(early).to.have.lengthOf(1);
        expect(early[0]).to.satisfy(Number.isFinite);
      }));

  it('progress is emitted once more at the end', () =>
    serving(ok, async (url) => {
      const run = recordingRun();
      await benchmark(run, url, { progress: 3_600_000 });
      expect(run.log.at(-1)).to.equal('progress');
    }));

  it('an internal error rejects the run, after its other lanes and its timers have ended', () =>
    serving(ok, async (url, _seen, deserted) => {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = timers();
      const read = readFlow(url);
      const given = { limit: 3, duration: 3_600_000, progress: 3_600_000, abortOnFail: true };
      const options = readRunOptions(programLayers(read.flow, given));
      const plan = createPlan(read, options, originOf(url));
      let due = 0;
      const arrival = () => {
        if (++due === 20) throw new Error('a fault');
        return 0;
      };
      const run = recordingRun();
      const [load] = plan.loads;
      const loads = [{ ...load, schedule: { ...load.schedule, arrival } }];
      const benchmark = new Benchmark(run, { ...plan, loads });
      expect(await benchmark.run().catch(({ message }) => message)).to.equal('a fault');
      await deserted();
      expect(timers()).to.equal(before);
      expect(run.log).not.to.include('after');
    }));

  it('errors beyond --bailout end the run', () =>
    serving(
      (req, res) => {
        res.statusCode = 500;
        res.end();
      },
      async (url) => {
        const { stats, endReason } = await benchmark(recordingRun(), url, { iterations: 1000, bailout: 3 });
        expect(endReason).to.equal('bailout');
        expect(stats.iterations.started).to.equal(3);
      },
    ));
});

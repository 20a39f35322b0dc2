import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';

const balanced = ({ iterations: { started, completed, failed, cancelled } }) => expect(started).to.equal(completed + failed + cancelled);

describe('load shapes', function () {
  this.timeout(60_000);

  it('a duration ends a closed run; what is under way may end', () =>
    serving((req, res) => setTimeout(() => res.end(), 50), async (url, seen) => {
      const { stats, why } = await benchrest(url, { limit: 3, duration: 300 });
      expect(why).to.equal('done');
      expect(stats.iterations.started).to.be.within(6, 30);
      expect(stats.iterations.completed).to.equal(seen.length);
      balanced(stats);
    }));

  it('of a duration and iterations the first that is reached ends it', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest(url, { limit: 2, duration: '1h', iterations: 10 });
      expect(stats.iterations.completed).to.equal(10);
    }));

  it('forever goes on until it is stopped', () =>
    serving(ok, async (url) => {
      const run = benchrest(url, { limit: 2, forever: true, progress: 20 });
      run.on('progress', ({ iterations }) => iterations.completed > 20 && run.stop());
      const { stats, why } = await run;
      expect(why).to.equal('stopped');
      expect(stats.iterations.completed).to.be.above(20);
      balanced(stats);
    }));

  it('a rate starts as many as it says, and percent goes to 100', () =>
    serving(ok, async (url, seen) => {
      const ticks = [];
      const { stats } = await benchrest(url, { limit: 20, rate: 200, duration: 1000, progress: 100 }).on('progress', (_, percent) => ticks.push(percent));
      expect(stats.iterations.started + stats.iterations.dropped).to.equal(200);
      expect(seen).to.have.lengthOf(stats.iterations.started);
      expect(Math.max(...ticks)).to.equal(100);
      expect(ticks).to.deep.equal([...ticks].sort((a, b) => a - b));
    }));

  it('a rate that the lanes cannot keep is told: late, backlog, dropped, and the waiting is in the response time', () =>
    serving((req, res) => setTimeout(() => res.end(), 100), async (url) => {
      const { stats } = await benchrest(url, { limit: 2, rate: 100, duration: 1000 });
      const { started, late, maxBacklog, dropped } = stats.iterations;
      expect(started + dropped).to.equal(100);
      expect(dropped).to.be.above(50);
      expect(late).to.be.above(5);
      expect(maxBacklog).to.be.above(50);
      expect(stats.main.histogram.max).to.be.above(500);
      expect(stats.main.serviceTime.p95).to.be.below(stats.main.histogram.p95 / 2);
      balanced(stats);
    }));

  it('in a closed run response time and service time are one', () =>
    serving(ok, async (url) => {
      const { main, iterations } = (await benchrest(url, { limit: 2, iterations: 50 })).stats;
      expect(main.serviceTime).to.deep.equal(main.histogram);
      expect(iterations).to.include({ late: 0, maxBacklog: 0, dropped: 0 });
    }));

  it('a random rate has the same arrivals for the same seed', () =>
    serving(ok, async (url) => {
      const counts = [];
      for (const seed of [1, 1, 2]) {
        const { iterations } = (await benchrest(url, { limit: 50, rate: 300, arrival: 'poisson', duration: 500, seed })).stats;
        counts.push(iterations.started + iterations.dropped);
      }
      expect(counts[0]).to.equal(counts[1]).and.not.equal(counts[2]);
    }));

  it('stages of a rate start the area under the ramp', () =>
    serving(ok, async (url) => {
      const { iterations } = (await benchrest(url, { limit: 20, stages: ['500ms:200', { duration: 500, rate: 0 }] })).stats;
      expect(iterations.started + iterations.dropped).to.equal(100);
    }));

  it('stages of lanes raise and lower how many work at a time', () => {
    let active = 0;
    const most = [];
    const started = Date.now();
    return serving((req, res) => {
      active++;
      most.push({ at: Date.now() - started, active });
      setTimeout(() => (active--, res.end()), 20);
    }, async (url) => {
      const { stats } = await benchrest(url, { limit: 1, stages: [{ duration: 400, limit: 8 }, { duration: 400, limit: 1, ramp: false }] });
      expect(Math.max(...most.map((one) => one.active))).to.be.within(5, 8);
      expect(most[0].active).to.equal(1);
      expect(Math.max(...most.slice(-3).map((one) => one.active))).to.be.below(8);
      balanced(stats);
    });
  });

  for (const [bailout, fewest, most] of [[10, 10, 20], ['50%', 100, 130]]) {
    it(`bailout ${bailout} ends a run that fails`, () =>
      serving((req, res) => res.writeHead(500).end(), async (url) => {
        const { stats, errorCount, why } = await benchrest(url, { limit: 5, iterations: 10_000, bailout });
        expect(why).to.equal('bailout');
        expect(errorCount).to.be.within(fewest, most);
        balanced(stats);
      }));
  }

  for (const limit of [200, 10]) {
    it(`a server that freezes for half of 5 s at 200/s shows in the response time with ${limit} lanes`, () => {
      let frozenUntil = 0;
      let first = 0;
      return serving((req, res) => {
        const now = performance.now();
        first ||= now;
        if (!frozenUntil && now - first > 2000) frozenUntil = now + 500;
        setTimeout(() => res.end(), Math.max(0, frozenUntil - now));
      }, async (url) => {
        const { main } = (await benchrest(url, { limit, rate: 200, duration: 5000 })).stats;
        // share of the stall 10 %, response uniform on 0..500 ms: p95 250, p99 450
        expect(main.histogram.p95).to.be.within(150, 480);
        expect(main.histogram.p99).to.be.within(350, 1000);
        expect(main.serviceTime.max).to.be.above(400);
        if (limit === 10) expect(main.serviceTime.p95, 'hidden from the service time').to.be.below(main.histogram.p95 / 2);
        else expect(main.serviceTime.p99).to.be.above(350);
      });
    });
  }

  const wrong = [
    [{ rate: 0 }, /runOptions\.rate: expected a rate above 0/],
    [{ rate: 'fast' }, /runOptions\.rate: .* got fast/],
    [{ duration: '5x' }, /runOptions\.duration: .* got 5x/],
    [{ arrival: 'often' }, /constant or poisson/],
    [{ stages: [] }, /runOptions\.stages/],
    [{ stages: [{ duration: '1s' }] }, /runOptions\.stages/],
    [{ stages: ['1s:5', '1s:5c'] }, /runOptions\.stages/],
    [{ stages: ['1s:5'], rate: 5 }, /stages and rate do not go together/],
    [{ forever: true, duration: '1s' }, /forever and duration do not go together/],
    [{ maxBacklog: 5 }, /nothing waits without a rate/],
    [{ bailout: '200%' }, /bailout/],
    [{ bailout: 0 }, /bailout/],
  ];
  for (const [options, message] of wrong) {
    it(`${JSON.stringify(options)} is refused`, () => {
      const ends = options.duration || options.stages || options.forever ? {} : { iterations: 1 };
      expect(() => benchrest('http://127.0.0.1/', { limit: 1, ...ends, ...options })).to.throw(message).with.property('code', 'E_RUN_OPTIONS');
    });
  }
});

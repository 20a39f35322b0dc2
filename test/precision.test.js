import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { IS_FULL } from './support/scale.js';
import { ok, serving } from './support/serve.js';

const problemsOf = (options) => {
  try {
    benchrest('http://127.0.0.1:1/', { limit: 1, ...options });
  } catch ({ problems }) {
    return problems.map(({ path, reason }) => `${path}: ${reason}`);
  }
  return [];
};

describe('precision', () => {
  it('a run that ends before its precision is reached says so, with the exit code 98', () =>
    serving(ok, async (url) => {
      const { code, stdout, stderr } = await command(['--precision', 'p95+-3%', '-n', '20', url], {
        env: { LC_ALL: 'C.UTF-8' },
      });
      expect(code).to.equal(98);
      expect(stdout).to.match(
        /✗ failed: [Tt]he precision p95±3% was not reached: an interval needs 10 s of\s+measured\s+iterations/,
      );
      expect(stdout).to.match(/✗ p95±3% +an interval needs 10 s of measured iterations/);
      expect(stderr).to.match(/until p95±3%.* 20 iterations|20 iterations.*until p95±3%/);
    }));

  it('is ASCII where the locale is not UTF-8', () =>
    serving(ok, async (url) => {
      const args = ['--precision', 'p95±3%', '-n', '20', url];
      const { stderr } = await command(args, { env: { LC_ALL: 'C' } });
      expect(stderr)
        .to.include('until p95+-3%')
        .and.not.match(/[^\n -~]/);
    }));

  it('needs no other end, and the result has the goal and how near the run came', () =>
    serving(ok, async (url) => {
      const { stats, endReason } = await benchrest(url, {
        limit: 1,
        precision: ['mean±5%', 'errors±10%'],
        signal: AbortSignal.timeout(50),
      });
      expect(endReason).to.equal('aborted');
      expect(stats.precision.map(({ reason, ...goal }) => ({ ...goal, code: reason?.code }))).to.deep.equal([
        {
          expression: 'mean±5%',
          figure: 'responseTime.mean',
          bound: 0.05,
          actual: null,
          unit: 'ratio',
          passed: false,
          code: 'tooShort',
        },
        {
          expression: 'errors±10%',
          figure: 'errors',
          bound: 0.1,
          actual: null,
          unit: 'ratio',
          passed: false,
          code: 'tooShort',
        },
      ]);
      expect(stats.confidence).to.deep.equal({
        level: 0.95,
        figures: [],
        reason: { code: 'tooShort', message: 'an interval needs 10 s of measured iterations' },
      });
    }));

  it('-t and -n end the run as well', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest(url, { limit: 1, iterations: 5, precision: 'p50±1%' });
      expect(stats.iterations.started).to.equal(5);
    }));

  it('is refused before the first request if it cannot be read, or if the load changes', () => {
    expect(problemsOf({ precision: 'p95' })).to.deep.equal([
      `runOptions.precision[0]: expected a figure and how exact it shall be, such as 'p95±3%' or 'p95+-3%', got "p95"`,
    ]);
    expect(problemsOf({ precision: ['p95±0%', 'p95±100%'] })).to.deep.equal([
      'runOptions.precision[0]: expected a precision above 0 % and below 100 %, got "p95±0%"',
      'runOptions.precision[1]: expected a precision above 0 % and below 100 %, got "p95±100%"',
    ]);
    expect(
      problemsOf({ precision: ['p95±3%', 'max ± 3 %', 'ttfb.p95±3%'] }).map((text) => text.slice(0, 60)),
    ).to.deep.equal([
      'runOptions.precision[1]: max has no interval: use a percenti',
      'runOptions.precision[2]: ttfb.p95 has no interval: use a per',
    ]);
    expect(problemsOf({ precision: 'p95±3%', rampUp: 1000 })).to.deep.equal([
      'runOptions: precision and rampUp cannot be combined: use one of them',
    ]);
    expect(problemsOf({ precision: 'p95±3%', shard: '1/2', limit: 2 })).to.deep.equal([
      'runOptions: precision and shard cannot be combined: use one of them',
    ]);
    for (const [options, name, ms] of [
      [{ duration: '5s' }, 'duration', '5 s'],
      [{ maxDuration: '9s', duration: '1m' }, 'maxDuration', '9 s'],
      [{ iterations: 50, rate: 10 }, 'iterations', '5 s at its rate'],
    ])
      expect(problemsOf({ precision: 'p95±3%', ...options })).to.deep.equal([
        `runOptions.${name}: ends after ${ms}, and the interval of a precision needs 10 s of measured iterations: use a longer one, or leave out precision`,
      ]);
    expect(problemsOf({ precision: 'p95±3%', seriesInterval: '2s', duration: '20s' })[0]).to.match(
      /duration: ends after 20 s, .* needs 30 s of measured iterations, 15 points of the series:/,
    );
    expect(problemsOf({ iterations: 1, maxDuration: '1m' })).to.deep.equal([
      'runOptions.maxDuration: has no effect without precision: set both',
    ]);
  });

  if (IS_FULL)
    for (const workers of [undefined, 2])
      it(`ends a run as soon as it is reached, ${workers ? 'with workers' : 'without workers'}`, async () =>
        serving(ok, async (url) => {
          // The rate is that of the schedule, however busy the machine is.
          const options = { limit: 2, workers, rate: 50, precision: 'iterations.completedRate±50%' };
          const { stats, endReason } = await benchrest(url, { ...options, maxDuration: '60s' });
          expect(endReason).to.equal('precision');
          expect(stats.measuredElapsed).to.be.within(9000, 60_000);
          expect(stats.precision[0]).to.deep.include({ passed: true });
          const { actual, interval } = stats.confidence.figures.find(
            ({ figure }) => figure === 'iterations.completedRate',
          );
          expect(interval.low).to.be.at.most(actual);
          expect(interval.high).to.be.at.least(actual);
        }));
});

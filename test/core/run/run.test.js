import { expect } from 'chai';

import { Run } from '../../../lib/core/run/run.js';
import { uncaught } from '../../support/uncaught.js';

const RESULT = { stats: {}, errorCount: 2, why: 'completed' };
/** Controls that log their calls. */
const controls = (log) => ({
  stop: (...given) => log.push(['stop', ...given]),
  abort: () => log.push(['abort']),
  snapshot: () => 'so far',
  inFlight: () => 3,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('run/run', () => {
  it('the work starts after the caller has attached its listeners', async () => {
    const log = [];
    const run = new Run(async () => log.push('work') && RESULT);
    log.push('returned');
    await run;
    expect(log).to.deep.equal(['returned', 'work']);
  });

  it('the result can be awaited, and end is emitted with it', async () => {
    const run = new Run(async () => RESULT);
    const ended = new Promise((resolve) => run.once('end', (...values) => resolve(values)));
    expect(await run).to.equal(RESULT);
    expect(await ended).to.deep.equal([RESULT.stats, 2]);
  });

  it('before the benchmark starts there is no snapshot and nothing in flight', () => {
    const run = new Run(async () => RESULT);
    expect([run.snapshot(), run.inFlight(), run.counters(), run.plan]).to.deep.equal([null, 0, null, null]);
  });

  it('a stop and an abort that came early take effect when the benchmark starts', async () => {
    const log = [];
    const run = new Run(async (own) => {
      own.attach(controls(log));
      return RESULT;
    });
    run.stop('enough', { within: 5 });
    run.stop('again');
    run.abort();
    await run;
    expect(log).to.deep.equal([['stop', 'enough', { within: 5 }], ['abort']]);
  });

  it('later ones are passed on, leave is an abort, and the snapshot is that of the benchmark', async () => {
    const log = [];
    const run = new Run(async () => RESULT);
    run.attach(controls(log));
    run.stop();
    run.leave();
    expect(log).to.deep.equal([['stop', 'stopped', undefined], ['abort']]);
    expect([run.snapshot(), run.inFlight()]).to.deep.equal(['so far', 3]);
    await run;
  });

  it('is stopped as soon as it was told to stop or to abort', async () => {
    const runs = [new Run(async () => RESULT), new Run(async () => RESULT), new Run(async () => RESULT)];
    runs[1].stop();
    runs[2].abort();
    expect(runs.map(({ isStopped }) => isStopped)).to.deep.equal([false, true, true]);
    await Promise.all(runs);
  });

  it('errors that nothing caught are counted by the benchmark, early ones when it starts', async () => {
    const counted = [];
    const run = new Run(async (own) => {
      own.attach({ ...controls([]), uncaught: ({ message }) => counted.push(message) });
      return RESULT;
    });
    run.uncaught(new Error('early'));
    expect(counted).to.deep.equal([]);
    await run;
    run.uncaught(new Error('late'));
    expect(counted).to.deep.equal(['early', 'late']);
  });

  it('a run that failed to start rejects, or emits error with the phase internal', async () => {
    const failure = new Error('no start');
    const start = async () => {
      throw failure;
    };
    expect(await new Run(start).catch((error) => error)).to.equal(failure);
    const emitted = await new Promise((resolve) => new Run(start).once('error', (...values) => resolve(values)));
    expect(emitted).to.deep.equal([failure, 'internal']);
  });

  it('an exception of an error listener is thrown after the rejection of a run that failed to start', async () => {
    const run = new Run(async () => {
      throw new Error('no start');
    });
    run.on('error', () => {
      throw new Error('of the listener');
    });
    const thrown = uncaught();
    expect(await run.catch(({ message }) => message)).to.equal('no start');
    expect((await thrown).message).to.equal('of the listener');
  });

  it('an error without a listener is only counted', async () => {
    const run = new Run(async () => RESULT);
    expect(run.emit('error', new Error('x'), 'main')).to.equal(false);
    await run;
  });

  it('an exception of a listener does not fail the run', async () => {
    let reached = false;
    const run = new Run(async (own) => {
      own.emit('progress', {}, 1, 1, 1);
      reached = true;
      return RESULT;
    });
    run.on('progress', () => {
      throw new Error('of the listener');
    });
    const thrown = uncaught();
    expect(await run).to.equal(RESULT);
    expect((await thrown).message).to.equal('of the listener');
    expect(reached).to.equal(true);
    await turn();
  });
});

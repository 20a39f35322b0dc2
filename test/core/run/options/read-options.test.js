import { expect } from 'chai';

import { programLayers } from '../../../../lib/core/run/options/layers.js';
import { readRunOptions } from '../../../support/run-options.js';

const read = (runOptions, given) => readRunOptions(programLayers({ runOptions }, given));

describe('run/options/read-options', () => {
  it('values that are nested too deeply are refused, those of merged options too', () => {
    const deep = Array.from({ length: 100_000 }).reduce((a) => ({ a }), 'x');
    for (const name of ['headers', 'args', 'cookies', 'title'])
      expect(() => read({ limit: 1, iterations: 1, [name]: { a: 1 } }, { [name]: { a: deep } }), name).to.throw(
        `runOptions.${name}: nested deeper than 500 levels`,
      );
  });

  it('options that are not given have their defaults', () => {
    expect(read({}, { limit: 1, iterations: 2 })).to.include({
      limit: 1,
      iterations: 2,
      timeout: 30000,
      progress: 0,
      prealloc: 0,
    });
  });

  it('workers are at most one per virtual user of a shard, if their layer adapts them; others are refused', () => {
    const run = { name: 'program', options: { limit: 6, iterations: 6, shard: { number: 1, of: 3 } } };
    const machine = { name: 'machine', options: { workers: 8 } };
    const given = (...layers) => readRunOptions([...programLayers({ runOptions: {} }, {}), ...layers]).workers;
    const adapting = { ...machine, adapts: ['workers'] };
    expect(given(adapting, run)).to.equal(2);
    expect(given({ ...adapting, options: { workers: 2 } }, run)).to.equal(2);
    expect(() => given(machine, run)).to.throw(/8 workers need at least as many virtual users, got 2 of limit 6/);
    expect(() => given(adapting, { ...run, options: { ...run.options, workers: 8 } })).to.throw(/8 workers need/);
  });

  it('stages of virtual users replace the limit, for all that counts virtual users', () => {
    const stages = ['1s:20c', '1s:30c', '1s:0c'];
    const given = (options) => read({}, { limit: 2, stages, ...options });
    expect(given({}).limit).to.equal(30);
    expect(given({ workers: 30, shard: '1/1' }).workers).to.equal(30);
    expect(given({ shard: '30/30' }).shard).to.deep.equal({ number: 30, of: 30 });
    expect(() => given({ workers: 31 })).to.throw('31 workers need at least as many virtual users, got stages with up');
    expect(() => given({ shard: '1/31' })).to.throw('30 virtual users cannot be divided by 31 shards: --stage is of');
    expect(given({ stages: ['1s:20'] }).limit).to.equal(2);
  });

  it('a single worker is left out if its layer adapts it', () => {
    const given = (layer, limit) => {
      const run = { name: 'program', options: { limit, iterations: 6 } };
      return readRunOptions([...programLayers({ runOptions: {} }, {}), { name: 'machine', ...layer }, run]).workers;
    };
    expect(given({ options: { workers: 1 }, adapts: ['workers'] }, 6)).to.equal(undefined);
    expect(given({ options: { workers: 8 }, adapts: ['workers'] }, 1)).to.equal(undefined);
    expect(given({ options: { workers: 'auto' }, adapts: ['workers'] }, 1)).to.equal(undefined);
    expect(given({ options: { workers: 'auto' } }, 1)).to.equal(1);
    expect(given({ options: { workers: 1 } }, 6)).to.equal(1);
  });

  it('the program wins over the flow; undefined leaves the value of the flow', () => {
    expect(read({ limit: 1, iterations: 1, user: 'a' }, { limit: 5, user: undefined })).to.include({
      limit: 5,
      iterations: 1,
      user: 'a',
    });
  });

  for (const given of [null, undefined, {}, { limit: 1 }, { iterations: 1 }, { limit: 0, iterations: 1 }]) {
    it(`${JSON.stringify(given)} is refused: limit and an end are required`, () => {
      expect(() => read({}, given)).to.throw(/benchmark runOptions requires iterations and limit properties/);
    });
  }

  it('unknown and invalid options are listed below a missing limit', () => {
    const given = { vus: 5, iterations: 10, rate: 'fast', limti: 1, colour: 'red' };
    expect(() => read({}, given)).to.throw(
      [
        'benchmark runOptions requires iterations and limit properties',
        'runOptions.rate: expected a rate above 0, such as 500 or 30/m, got "fast"',
        "runOptions.vus: k6's vus is limit here",
        'runOptions.limti: unknown option, did you mean limit?',
        'runOptions.colour: unknown option',
      ].join('\n'),
    );
  });

  for (const [given, message] of [
    [{ limti: 1 }, 'runOptions.limti: unknown option, did you mean limit?'],
    [{ requestsPerSecond: 1 }, "runOptions.requestsPerSecond: loadtest's requestsPerSecond is rate here"],
    [{ limit: 1.5 }, 'runOptions.limit: expected a whole number from 1 to 100000, got 1.5'],
    [{ timeout: -1 }, 'runOptions.timeout: expected milliseconds from 0'],
    [{ signal: {} }, 'runOptions.signal: expected an AbortSignal'],
  ]) {
    it(message, () => expect(() => read({ limit: 1, iterations: 1 }, given)).to.throw(message));
  }
});

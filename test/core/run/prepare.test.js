import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { originOf } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { COMMAND_LINE } from '../../../lib/core/run/options/names.js';
import { prepare, startRun } from '../../../lib/core/run/prepare.js';

const OPTIONS = { limit: 2, iterations: 4 };
const prepared = (flow, options, caller) => {
  const read = readFlow(flow);
  return prepare(read, programLayers(read.flow, { ...OPTIONS, ...options }), originOf(flow), caller);
};

describe('run/prepare', () => {
  it('the plan holds the options that results show, without secrets', async () => {
    const read = readFlow('http://127.0.0.1:9/');
    const layers = programLayers(read.flow, { ...OPTIONS, user: 'u', password: 'p', trace: () => {} });
    const run = startRun(read, layers, { source: null, uncloneable: null });
    expect(run.plan.options).to.deep.equal(OPTIONS);
    expect(run.plan.origins).to.deep.equal(['http://127.0.0.1:9']);
    run.abort();
    await run;
  });

  it('problems of options come with those of the flow', () => {
    expect(() => prepared([{ gett: 'http://127.0.0.1:9/' }], { timeout: -1 }))
      .to.throw(/timeout[\s\S]*the flow is malformed, too:[\s\S]*gett/)
      .with.property('code', 'E_RUN_OPTIONS');
  });

  it('a random seed is drawn, noticed and kept in the result; shards refuse it', () => {
    const notices = [];
    const { summary } = prepared('http://127.0.0.1:9/', { seed: 'random' }, { onNotice: (text) => notices.push(text) });
    const { seed } = summary.options;
    expect(Number.isSafeInteger(seed)).to.equal(true);
    expect(notices).to.deep.equal([`the seed of this run is ${seed}; --seed ${seed} repeats it`]);
    expect(() => prepared('http://127.0.0.1:9/', { seed: 'random', shard: '1/2' })).to.throw(
      'runOptions.seed: is random, but all shards of a run need the same one: use a number',
    );
  });

  it('a number of virtual users beside stages that set it is noticed, unless a weaker layer or a program sets it', () => {
    const FLOW = 'a flow';
    const noticesFor = (stages, limit, stage = '1s:5c') => {
      const notices = [];
      const read = readFlow('http://127.0.0.1:9/');
      const given = [{ name: stages, options: { stages: [stage] } }];
      const layers = programLayers(read.flow, {}).slice(0, 1);
      const above = ['a configuration', FLOW, COMMAND_LINE, 'program'].map((name) => ({
        name,
        options: { ...given.find((one) => one.name === name)?.options, ...(name === limit && { limit: 20 }) },
      }));
      prepare(read, [...layers, ...above], originOf(read), { onNotice: (text) => notices.push(text) });
      return notices;
    };
    const flag = '-c (--concurrency) has no effect: the stages set the number of virtual users; leave it out';
    const option = flag.replace('-c (--concurrency)', 'runOptions.limit');
    expect(noticesFor(COMMAND_LINE, COMMAND_LINE, '1s:5')).to.deep.equal([]);
    expect(noticesFor(COMMAND_LINE, COMMAND_LINE)).to.deep.equal([flag]);
    expect(noticesFor(FLOW, COMMAND_LINE)).to.deep.equal([flag]);
    expect(noticesFor(FLOW, FLOW)).to.deep.equal([option]);
    expect(noticesFor('a configuration', FLOW)).to.deep.equal([option]);
    expect(noticesFor(COMMAND_LINE, FLOW)).to.deep.equal([]);
    expect(noticesFor('program', 'program')).to.deep.equal([]);
  });

  it('an option of another tool in an operation is noticed, and refused in a strict run, with what it is here', () => {
    const operation = { get: 'http://127.0.0.1:9/', expectBody: 'x' };
    const notices = [];
    prepared(operation, {}, { onNotice: (text) => notices.push(text) });
    expect(notices[0]).to.include("flow.main[0].expectBody: write expect: { body: 'text' }");
    expect(() => prepared(operation, { strict: true })).to.throw(
      "flow.main[0].expectBody: unknown property: write expect: { body: 'text' }",
    );
  });

  it('a setting that a flow is unlikely to mean is noticed when it is planned', () => {
    const notices = [];
    prepared('/users', { baseUrl: 'http://127.0.0.1:9/api' }, { onNotice: (text) => notices.push(text) });
    expect(notices).to.have.length(1);
    expect(notices[0]).to.include('http://127.0.0.1:9/users');
  });
});

import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { originOf } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { readRunOptions } from '../../support/run-options.js';
import { createPlan } from '../../../lib/core/run/plan.js';

const URL = 'http://127.0.0.1:9/';

function planOf(flow, given) {
  const read = readFlow(flow);
  return createPlan(read, readRunOptions(programLayers(read.flow, given)), originOf(flow));
}

describe('the plan of a run with a target', () => {
  it('gives a server of this process a thread of its own if the flow can leave it', () => {
    const target = { fetch() {} };
    const given = { limit: 1, iterations: 1, target, baseUrl: URL };
    expect(planOf('/', given).options.workers).to.equal(1);
    expect(planOf([{ get: '/', afterHooks: [() => {}] }], given).options.workers).to.equal(undefined);
    expect(planOf('/', { ...given, trace: () => {} }).options.workers).to.equal(undefined);
  });

  it('has a notice if functions of the flow share a variable, so that the load runs beside the server', async () => {
    const evaluate = `{ before: [{ get: '/', afterHooks: [() => (globalThis.ofFlow = 1)] }], main: [{ get: () => ofFlow }] }`;
    const read = readFlow(new Function(`return (${evaluate})`)(), { isLive: true });
    const options = readRunOptions(programLayers(read.flow, { limit: 1, iterations: 1, target: { fetch() {} } }));
    const plan = createPlan(read, { ...options, baseUrl: URL }, { source: { evaluate }, uncloneable: null });
    expect(plan.options.workers).to.equal(undefined);
    expect(read.notices).to.deep.equal([
      'target: the load runs in the thread of the server: flow.before[0].afterHooks[0] changes the variable ofFlow, which flow.main[0].get reads; all.runCtx is copied to all workers',
    ]);
  });
});

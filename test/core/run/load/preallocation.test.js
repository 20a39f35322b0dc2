import { expect } from 'chai';

import { BodyMemory } from '../../../../lib/core/process/body-memory.js';
import { preallocate } from '../../../../lib/core/run/load/before-start.js';
import { Stride } from '../../../../lib/core/run/options/shard.js';
import { compiledFlow } from '../../../support/compiled-flow.js';

const MIB = 2 ** 20;
const FLOW = { beforeMain: ['http://a/b#{INDEX}'], main: ['http://a/', { put: 'http://a/#{INDEX}', body: 'x' }] };

describe('requests that are rendered before the start', () => {
  // accounts count for the whole process
  const accounts = [];
  const account = (limit = MIB) => {
    accounts.push(new BodyMemory(limit).open());
    return accounts.at(-1);
  };
  /** @type {(flow: any, prealloc: number, load?: object, account?: any) => any} */
  const preallocated = (flow, prealloc, { position = 0, of = 1, ...options } = {}, own = account()) =>
    preallocate(flow, prealloc, { position, of, options }, { stride: new Stride(), account: own });
  afterEach(() => accounts.splice(0).forEach((one) => one.close()));

  it('the requests of the first iterations are rendered, each for one taking', () => {
    const { take } = preallocated(compiledFlow(FLOW), 2, { iterations: 9 });
    const { beforeMain, main, afterMain } = take(1);
    expect([...beforeMain, ...main].map(({ path }) => path)).to.deep.equal(['/b1', '/', '/1']);
    expect(afterMain).to.deep.equal([]);
    expect([take(1), take(2)]).to.deep.equal([undefined, undefined]);
    expect(take(0).main[1].path).to.equal('/0');
  });

  it('no more than the iterations of the run are rendered', () => {
    const { take } = preallocated(compiledFlow(FLOW), 5, { iterations: 1 });
    expect([typeof take(0), take(1)]).to.deep.equal(['object', undefined]);
  });

  it('the iterations of one of several loads have their own INDEX', () => {
    const { take } = preallocated(compiledFlow(FLOW), 2, { position: 1, of: 3 });
    expect(take(4).main[1].path).to.equal('/4');
    expect(take(1).main[1].path).to.equal('/1');
    expect(take(7)).to.equal(undefined);
  });

  it('an operation with before-hooks is left to its iteration', () => {
    const flow = [{ get: 'http://a/#{INDEX}', beforeHooks: ['useEtag'] }];
    expect(preallocated(compiledFlow(flow), 1).take(0).main).to.deep.equal([null]);
  });

  it('a request that all iterations share is not rendered again', () => {
    const flow = compiledFlow('http://a/');
    expect(preallocated(flow, 1).take(0).main[0]).to.equal(flow.main[0].request);
  });

  it('requests that do not fit into the memory are refused, and their memory is released', () => {
    const flow = compiledFlow([{ put: 'http://a/#{INDEX}', body: `#{INDEX}${'x'.repeat(1000)}` }]);
    expect(() => preallocated(flow, 100, {}, account(4096)))
      .to.throw(/the requests of [1-9] of 100 iterations fit/)
      .with.property('code', 'E_RUN_OPTIONS');
    account(4096).reserve(4096);
  });
});

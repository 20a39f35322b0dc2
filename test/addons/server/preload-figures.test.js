import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';
import { itSlow } from '../../support/slow.js';

const figures = createRequire(import.meta.url)('../../../lib/addons/server/preload/figures.cjs');

describe('figures that Node in a server sends', () => {
  let collect;
  before(() => {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
  });

  /** The last figures of this thread while something runs. */
  const figuresWhile = async (work) => {
    const sent = [];
    const context = {
      send: (_, body) => sent.push(body),
      guard: (fn) => fn,
      losses: () => ({ errors: 0, dropped: 0 }),
    };
    figures({ action: 'begin', interval: 60_000 }, context);
    await work(sent);
    figures({ action: 'end' }, context);
    return sent.at(-1);
  };

  it('many collections are counted by the first ones, and cost no more', async () => {
    const { gc } = await figuresWhile(async () => {
      for (let i = 0; i < 300; i++) {
        collect({ type: 'minor' });
        await turn();
      }
    });
    // How many more there were is known by the time that the first ones took.
    expect(gc.count).to.be.at.least(50);
    expect(gc.time).to.be.above(0);
  });

  itSlow('a collection of the whole heap is noticed among many others', async () => {
    const { memory } = await figuresWhile(async () => {
      for (let i = 0; i < 100; i++) {
        collect({ type: 'minor' });
        await turn();
      }
      collect();
      for (let i = 0; i < 10; i++) await turn();
    });
    expect(memory.collected).to.be.within(1, memory.heap + memory.external + 50e6);
  });
});

import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import {
  indexMemory,
  localIndexes,
  sharedIndexes,
  startedCounts,
  stridedIndexes,
} from '../../../../lib/core/run/load/arrivals.js';
import { itSlow } from '../../../support/slow.js';

const take = (indexes, count) => Array.from({ length: count }, () => indexes.next());

describe('indexes that are handed out once', () => {
  for (const [name, create] of [
    ['local', localIndexes],
    ['shared', () => sharedIndexes(indexMemory(1))],
  ]) {
    it(`${name}: indexes are handed out in order, and skipped ones never`, () => {
      const indexes = create();
      expect(take(indexes, 3)).to.deep.equal([0, 1, 2]);
      expect(indexes.skip(3, 10)).to.equal(true);
      expect([indexes.count(), ...take(indexes, 2)]).to.deep.equal([10, 10, 11]);
    });
  }

  it('shared: a skip from an index that is already taken has no effect', () => {
    const indexes = sharedIndexes(indexMemory(1));
    take(indexes, 5);
    expect(indexes.skip(3, 9)).to.equal(false);
    expect(indexes.next()).to.equal(5);
  });

  it('C8 shared: indexes go on beyond 2^32', () => {
    const indexes = sharedIndexes(indexMemory(1));
    indexes.skip(0, 2 ** 32 - 1);
    expect(take(indexes, 3)).to.deep.equal([2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1]);
  });

  it('strided: all threads together hand out each index once', () => {
    const all = [0, 1, 2].flatMap((part) => take(stridedIndexes(part, 3), 4));
    expect(all.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 12 }, (_, i) => i));
  });

  itSlow('four concurrent threads hand out each of a million indexes once', async () => {
    const each = 250_000;
    const memory = indexMemory(4);
    const source = `
      import { parentPort, workerData } from 'node:worker_threads';
      import { sharedIndexes, startedCounts } from ${JSON.stringify(new URL('../../../../lib/core/run/load/arrivals.js', import.meta.url).href)};
      const indexes = sharedIndexes(workerData.memory);
      const taken = new Float64Array(${each});
      for (let i = 0; i < ${each}; i++) { taken[i] = indexes.next(); startedCounts(workerData.memory)[workerData.part]++; }
      parentPort.postMessage(taken);`;
    const script = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
    const taken = await Promise.all(
      [0, 1, 2, 3].map(
        (part) =>
          new Promise((resolve, reject) => {
            new Worker(script, { workerData: { memory, part } }).on('message', resolve).on('error', reject);
          }),
      ),
    );
    const seen = new Uint8Array(4 * each);
    for (const part of taken) for (const index of part) seen[index]++;
    expect(seen.every((count) => count === 1)).to.equal(true);
    expect([...startedCounts(memory)]).to.deep.equal([each, each, each, each]);
  });
});

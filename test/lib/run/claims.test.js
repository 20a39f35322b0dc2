import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import { claimsMemory, localClaims, sharedClaims, startedCounts, stridingClaims } from '../../../lib/run/claims.js';

const take = (claims, count) => Array.from({ length: count }, () => claims.take());

describe('run/claims', () => {
  for (const [name, create] of [
    ['local', localClaims],
    ['shared', () => sharedClaims(claimsMemory(1))],
  ]) {
    it(`${name}: one after the other, and what is skipped is never given`, () => {
      const claims = create();
      expect(take(claims, 3)).to.deep.equal([0, 1, 2]);
      expect(claims.skip(3, 10)).to.equal(true);
      expect([claims.count(), ...take(claims, 2)]).to.deep.equal([10, 10, 11]);
    });
  }

  it('shared: who skips from what is past skips nothing', () => {
    const claims = sharedClaims(claimsMemory(1));
    take(claims, 5);
    expect(claims.skip(3, 9)).to.equal(false);
    expect(claims.take()).to.equal(5);
  });

  it('C8 shared: beyond 2^32 they go on', () => {
    const claims = sharedClaims(claimsMemory(1));
    claims.skip(0, 2 ** 32 - 1);
    expect(take(claims, 3)).to.deep.equal([2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1]);
  });

  it('striding: those of all threads together are each one once', () => {
    const all = [0, 1, 2].flatMap((part) => take(stridingClaims(part, 3), 4));
    expect(all.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 12 }, (_, i) => i));
  });

  it('of four threads at once, a million is given each one once', async () => {
    const each = 250_000;
    const memory = claimsMemory(4);
    const source = `
      import { parentPort, workerData } from 'node:worker_threads';
      import { sharedClaims, startedCounts } from ${JSON.stringify(new URL('../../../lib/run/claims.js', import.meta.url).href)};
      const claims = sharedClaims(workerData.memory);
      const taken = new Float64Array(${each});
      for (let i = 0; i < ${each}; i++) { taken[i] = claims.take(); startedCounts(workerData.memory)[workerData.part]++; }
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
    for (const indexes of taken) for (const index of indexes) seen[index]++;
    expect(seen.every((count) => count === 1)).to.equal(true);
    expect([...startedCounts(memory)]).to.deep.equal([each, each, each, each]);
  }).timeout(20_000);
});

import { expect } from 'chai';

import { Shutdown } from '../../../lib/core/cli/exit-process.js';

describe('cli/exit-process', () => {
  it('everything that was left open is closed at once', async () => {
    const shutdown = new Shutdown();
    const started = [];
    let release;
    const both = new Promise((resolve) => (release = resolve));
    for (const name of ['a', 'b'])
      shutdown.add(async () => {
        if (started.push(name) === 2) release();
        await both;
      });
    expect(await shutdown.run()).to.equal(true);
    expect(started).to.deep.equal(['a', 'b']);
  });

  it('a thread that is left is reported', async () => {
    const shutdown = new Shutdown();
    shutdown.add(async () => true);
    shutdown.add(async () => false);
    expect(await shutdown.run()).to.equal(false);
  });
});

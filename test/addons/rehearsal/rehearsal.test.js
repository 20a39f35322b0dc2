import { createHook } from 'node:async_hooks';
import { Server } from 'node:net';

import { expect } from 'chai';

import addon from '../../../lib/addons/rehearsal/addon.js';
import { command } from '../../support/command.js';
import { inFolder } from '../../support/in-folder.js';
import { ok, serving } from '../../support/serve.js';

const MODULE = '../../../lib/addons/rehearsal/rehearsal.js';
/** Each import of another URL is a module that has not rehearsed yet. */
const fresh = (name) => import(`${MODULE}?${name}`);

/** Counts the servers that a function opens. */
async function serversOf(perform) {
  let count = 0;
  const hook = createHook({ init: (_id, type) => (count += type === 'TCPSERVERWRAP' ? 1 : 0) }).enable();
  try {
    await perform();
  } finally {
    hook.disable();
  }
  return count;
}

describe('rehearsal', () => {
  it('takes part in runs at a rate without a warm-up and without workers', () => {
    const [{ suits }] = addon.participants;
    expect(suits({ rate: 500 })).to.equal(true);
    expect(suits({ stages: [{ duration: 1000, rate: 500 }] })).to.equal(true);
    expect(suits({ stages: [{ duration: 1000, limit: 5 }] })).to.equal(false);
    expect(suits({ iterations: 10 })).to.equal(false);
    expect(suits({ rate: 500, warmup: { duration: 1000 } })).to.equal(false);
    expect(suits({ rate: 500, workers: 2 })).to.equal(false);
  });

  it('opens a server of its own, once in a thread', async () => {
    const { rehearse } = await fresh('once');
    expect(await serversOf(() => rehearse({ httpClient: 'builtin' }))).to.equal(1);
    expect(await serversOf(() => rehearse({ httpClient: 'builtin' }))).to.equal(0);
  });

  it('leaves the run as it is where no server may listen', async () => {
    const { rehearse } = await fresh('refused');
    const { listen } = Server.prototype;
    Server.prototype.listen = function refuse() {
      process.nextTick(() => this.emit('error', Object.assign(new Error('listen EPERM'), { code: 'EPERM' })));
      return this;
    };
    try {
      await rehearse({ httpClient: 'builtin' });
    } finally {
      Server.prototype.listen = listen;
    }
  });

  it('has no part in the thread of a program', async () => {
    const { open } = await fresh('program');
    expect(open({ options: { httpClient: 'builtin' } })).to.deep.equal({});
  });

  it('calls no code of the flow, and sends its service nothing', () =>
    inFolder(
      (folder) =>
        serving(ok, async (url, seen) => {
          const args = ['--json', '-r', '1000', '-n', '20', '--base-url', url, `${folder}/flow.mjs`];
          const { code, stderr } = await command(args, { engine: 'thread' });
          expect(code, stderr).to.equal(0);
          const called = seen.map(({ headers }) => Number(headers['x-called']));
          expect(called).to.have.members(Array.from({ length: 20 }, (_, index) => index));
        }),
      {
        'flow.mjs': `let called = 0;
          const count = (all) => ((all.requestOptions.headers = { 'x-called': called++ }), all);
          export default { main: [{ get: '/', beforeHooks: [count] }] };`,
      },
    ));
});

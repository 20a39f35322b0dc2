import { Writable } from 'node:stream';

import { expect } from 'chai';

import { CapacityView } from '../../../lib/addons/capacity/capacity-view.js';
import { literalCapacity } from '../../support/literal-capacity.js';

const START = {
  plan: { options: {}, origins: [], limits: { endMs: 12_000 } },
  from: 'flow.js',
  hash: 'x',
  notices: [],
};
const TICK = { elapsedMs: 5000, share: 0.4, ended: 100, errors: 0, inFlight: 3, phase: 'main' };

describe('the progress of a capacity search', () => {
  it('a terminal shows the step that runs, and a line for each that has ended', async () => {
    let said = '';
    const write = (chunk, _, done) => {
      said += chunk;
      done();
    };
    const stderr = Object.assign(new Writable({ write }), { isTTY: true, columns: 100 });
    const io = { stderr, env: { TERM: 'xterm', LC_ALL: 'C.UTF-8' }, cwd: () => '/' };
    const view = new CapacityView({ by: 'rate', quiet: false, color: 'never' }, io);
    await view.load();
    const [, step] = literalCapacity().steps;
    const answer = { load: 20, low: 19.5, high: null };
    view.begin({ rate: 80, limit: 20 }, { steps: [step], answer });
    view.onBegin(START);
    view.onTick(TICK);
    for (const part of ['of the ', 'flow\nand its ', 'rest']) view.log.write(part);
    view.end();
    expect(said).to.match(/of the flow\n[^]*and its rest$/);
    view.onStep(step, { steps: [step, step], answer: { load: 80, low: 78, high: null } });
    expect(said).to.include('step 2: 80/s (from 19.5/s)');
    expect(said).to.include('   2  ✓ 80/s      79.9/s, p95 19.1 ms, p99 21.2 ms, 0 errors; so far 80/s, from 78.0/s\n');
    expect(view.info.flow.source).to.equal('flow.js');
    // The first step may be repeated.
    view.onBegin({ ...START, notices: ['a notice'] });
    expect(said).not.to.include('a notice');
    view.end();
  });

  it('warns once of too few open files, not at each step', () => {
    const texts = [];
    const stderr = new Writable({ write: (chunk, _, done) => (texts.push(String(chunk)), done()) });
    const view = new CapacityView({ by: 'users', quiet: false }, { stderr, env: {}, cwd: () => '/' });
    for (const limit of [300, 600])
      view.onBegin({ ...START, plan: { ...START.plan, shortage: `${limit} are needed` } });
    expect(texts.join('').match(/EMFILE/g)).to.have.length(1);
  });
});

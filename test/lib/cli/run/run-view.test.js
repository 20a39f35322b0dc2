import { Writable } from 'node:stream';

import { expect } from 'chai';

import { RunView } from '../../../../lib/cli/run/run-view.js';
import { DISPLAYS } from '../../../../lib/report/live/index.js';
import { literalStats } from '../../../support/literal-stats.js';

const TICK = { elapsedMs: 10, share: 0.5, ended: 1, errors: 0, inFlight: 0, phase: 'main' };
const START = {
  plan: { shape: '1 iteration', origins: [], operations: {}, options: {}, limits: { endMs: 1000 } },
  from: 'flow.js',
  hash: 'x',
  notices: [],
  hints: [],
};

/** A view with one display, and what it wrote. */
async function viewWith(live) {
  const said = { stdout: '', stderr: '' };
  const into = (name) =>
    new Writable({
      write(chunk, _, done) {
        said[name] += chunk;
        done();
      },
    });
  const outputs = { load: async () => {}, sample() {} };
  const io = { stdout: into('stdout'), stderr: into('stderr'), env: {}, cwd: () => '/' };
  const request = { format: 'text', quiet: false, debug: false, outputs: [], percentiles: [], version: '2' };
  const view = new RunView(request, { io, outputs, baseline: null, dashboard: null });
  const displays = DISPLAYS.splice(0, DISPLAYS.length, {
    name: 'trial',
    about: 'of a test',
    suits: () => true,
    load: async () => ({ start: () => live }),
  });
  await view.load().finally(() => DISPLAYS.splice(0, DISPLAYS.length, ...displays));
  view.onBegin(START);
  return { view, said };
}

describe('cli/run/run-view', () => {
  const CALLS = {
    tick: (view) => view.onTick(TICK),
    state: (view) => view.onState(literalStats()),
    print: (view) => view.notice('stopping'),
    stop: (view) => view.stop(),
  };
  for (const [method, call] of Object.entries(CALLS)) {
    it(`a display that fails in ${method} is closed, and the run goes on`, async () => {
      const log = [];
      const live = Object.fromEntries(Object.keys(CALLS).map((name) => [name, () => log.push(name)]));
      live[method] = () => {
        throw new Error('no columns');
      };
      const { view, said } = await viewWith(live);
      call(view);
      expect(said.stderr).to.include('the display of the progress failed: no columns');
      for (const other of Object.values(CALLS)) other(view);
      expect(log).to.deep.equal([]);
    });
  }
});

import { Writable } from 'node:stream';

import { expect } from 'chai';

import { RunView, planText } from '../../../../lib/core/cli/run/run-view.js';
import { DISPLAYS } from '../../../../lib/core/report/live/index.js';
import { literalStats } from '../../../support/literal-stats.js';
import { START } from '../../../support/run-views.js';

const TICK = { elapsedMs: 10, share: 0.5, ended: 1, errors: 0, inFlight: 0, phase: 'main' };
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
  const outputs = { load: async () => {}, sample() {}, save() {} };
  const io = { stdout: into('stdout'), stderr: into('stderr'), env: {}, cwd: () => '/' };
  const request = { format: 'text', quiet: false, debug: false, outputs: [], percentiles: [], version: '2' };
  const view = new RunView(request, { io, outputs });
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
      // The display gives the terminal back, and is used no more.
      expect(log).to.deep.equal(method === 'stop' ? [] : ['stop']);
    });
  }
});

describe('the screen of a run', () => {
  /** Returns the screen that a view requests from the displays. */
  const askedFor = (screen, stdout) => {
    const asked = [];
    const displays = DISPLAYS.splice(0, DISPLAYS.length, { suits: (io) => asked.push(io.screen) && false });
    const io = { stdout, stderr: { isTTY: true }, env: {}, cwd: () => '/' };
    const request = { format: 'text', quiet: false, debug: false, outputs: [], version: '2', screen };
    const { needsIntervals } = new RunView(request, { io, outputs: {} });
    DISPLAYS.splice(0, DISPLAYS.length, ...displays);
    expect(needsIntervals).to.equal(false);
    return asked[0];
  };

  it('is not used beside a pipe, unless the user wants it', () => {
    expect(askedFor('auto', { isTTY: true })).to.equal('auto');
    expect(askedFor('auto', {})).to.equal('never');
    expect(askedFor('always', {})).to.equal('always');
  });
});

const about = { from: '/flow.js', version: '2.0.0' };
const phases = { before: [], beforeMain: [], main: ['GET /'], afterMain: [], after: [] };

describe('the text of a plan', () => {
  it('prints the load, the target, and the operations of each phase', () => {
    const operations = { ...phases, before: ['POST /login'], main: ['PUT /x', 'GET /x?token=abc'] };
    expect(
      planText(
        { shape: '10,000 iterations, 50 virtual users', origins: ['http://a:1', 'http://b'], operations },
        about,
      ),
    ).to.equal(`bench-rest 2.0.0: 10,000 iterations, 50 virtual users against http://a:1, http://b
flow: /flow.js
  before      POST /login
  main        PUT /x
              GET /x?token=***
`);
  });

  it('breaks the first line between its words if the terminal is narrow', () => {
    const load = { shape: '10,000 iterations, 50 virtual users', origins: ['http://localhost:8000'], operations: {} };
    const lines = planText(load, { ...about, width: 60 }).split('\n');
    expect(lines.slice(0, 2)).to.deep.equal([
      `bench-rest ${about.version}: 10,000 iterations, 50 virtual users`,
      '  against http://localhost:8000',
    ]);
  });

  it('names how an open run waits for its arrivals', () => {
    const text = planText({ shape: '5 s, 100/s', pacing: 'thread', origins: [], proxies: [], operations: {} }, about);
    expect(text).to.match(/^bench-rest 2\.0\.0: 5 s, 100\/s, paced by a thread\n/);
  });

  it('prints no origin if it depends on a token', () => {
    expect(planText({ shape: 'until stopped', origins: [], operations: phases }, about)).to.match(
      /^bench-rest 2\.0\.0: until stopped\n/,
    );
  });

  it('truncates a long flow', () => {
    const operations = { ...phases, main: Array.from({ length: 100 }, (_, i) => `GET /${i}`) };
    const text = planText({ shape: '', origins: [], operations }, about);
    expect(text).to.include('GET /11\n').and.include('and 88 more\n').and.not.include('GET /12\n');
  });
});

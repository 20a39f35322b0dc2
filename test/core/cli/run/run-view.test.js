import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { expect } from 'chai';

import { readResult } from '../../../../lib/core/cli/result/read-result.js';
import { RunView, planText } from '../../../../lib/core/cli/run/run-view.js';
import { DISPLAYS } from '../../../../lib/core/report/live/index.js';
import { resultAt } from '../../../support/literal-history.js';
import { literalStats } from '../../../support/literal-stats.js';
import { START, stateAt, viewIn } from '../../../support/run-views.js';
import { until } from '../../../support/until.js';

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

describe('files of a run that goes on', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);

  const viewOf = (names) => viewIn(folder, names);
  const read = () => readResult('a.json', folder);

  it('are written after each minute, and say that they are a part of a run', async () => {
    const view = viewOf(['a.json', 'a.md']);
    view.onState(stateAt(59));
    view.onState(stateAt(61), 3);
    await until(() => existsSync(at('a.json')) && existsSync(at('a.md')));
    const one = read();
    expect([one.measuredElapsed, one.endedAt, one.run.endReason]).to.deep.equal([61_000, undefined, 'running']);
    expect(one.outcome.reasons.map(({ code }) => code)).to.include('interrupted');
    expect(one.validity.reasons.map(({ message }) => message)).to.include(
      'the run had not ended: this is its state after 61.0 s',
    );
    expect(one.requests.cancelled).to.equal(resultAt(0, 1).requests.cancelled + 3);
    expect(readFileSync(at('a.md'), 'utf8')).to.include('A part of a run');
    view.onState(stateAt(120));
    view.onState(stateAt(122));
    await until(() => read().measuredElapsed !== 61_000);
    expect([read().measuredElapsed, read().id]).to.deep.equal([122_000, one.id]);
  });

  it('outlive a process that is killed: at most a minute is lost', () => {
    const lib = (path) => JSON.stringify(new URL(`../../../../lib/${path}`, import.meta.url).href);
    writeFileSync(
      at('program.mjs'),
      `import { existsSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { openOutputs } from ${lib('core/cli/result/outputs.js')};
      import { RunView, planText } from ${lib('core/cli/run/run-view.js')};
      const stats = ${JSON.stringify(stateAt(60))};
      const { stdout, stderr, cwd } = process;
      const view = new RunView(
        { format: 'text', quiet: true, outputs: ['a.json'] },
        { io: { stdout, stderr, env: {}, cwd }, outputs: openOutputs(['a.json'], cwd()) },
      );
      view.onBegin(${JSON.stringify(START)});
      view.onState(stats);
      while (!existsSync('a.json')) await setTimeout(1);
      view.onState({ ...stats, measuredElapsed: 119_000 });
      process.kill(process.pid, 'SIGKILL');`,
    );
    const { signal } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, timeout: 60_000 });
    expect(signal).to.equal('SIGKILL');
    expect(read().measuredElapsed).to.equal(60_000);
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

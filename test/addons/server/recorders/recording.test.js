import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import profile from '../../../../lib/addons/server/preload/profile.cjs';
import { NodeRecorder } from '../../../../lib/addons/server/recorders/node-recorder.js';
import { ProfileRecording } from '../../../../lib/addons/server/recorders/recording.js';
import { bytesOf, cpuProfile } from '../../../support/profiles.js';
import { itSlow } from '../../../support/slow.js';

const thread = (id) => ({ id, pid: 1, thread: Number(id.split('.')[1] ?? 0), name: 'app.js', version: 'v22.0.0' });

/** A link to threads of a service, whose messages the test writes. */
class Link {
  sent = [];
  #listeners = [];

  constructor(folder, ids) {
    this.folder = folder;
    this.threads = ids.map(thread);
  }

  send(kind, { action, measured = [] }, to) {
    this.sent.push([action, to ?? 'all', ...measured].join(' '));
  }

  on(kind, listener) {
    this.#listeners.push({ kind, listener });
    return () => {};
  }

  receive(kind, body, id) {
    for (const one of this.#listeners) if (one.kind === kind) one.listener(body, thread(id));
  }

  answer(id, stacks) {
    writeFileSync(join(this.folder, `${id}.cpuprofile`), bytesOf(cpuProfile(stacks)));
    const files = [{ kind: 'cpu', file: `${id}.cpuprofile`, overhead: 0.02 }];
    this.receive('profile', { files, maps: null }, id);
  }
}

describe('recording a profile', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The measured time begins, whether the service has answered or not. */
  function begin(recording, endMs = Infinity) {
    void recording.prepare(endMs);
    recording.begin();
  }

  const recordingOf = (recorder) => new ProfileRecording({ recorder, folder: '/srv' });

  it('all threads are recorded, also one that begins meanwhile, and added up', async () => {
    const link = new Link(folder, ['1']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
    begin(recording);
    link.receive('profile', { started: true }, '1');
    link.receive('hello', {}, '1.2');
    recording.end();
    expect(link.sent).to.deep.equal(['start 1', 'start 1.2', 'stop all 1']);
    link.answer('1', { 'list@app.js:3': 10 });
    link.answer('1.2', { 'list@app.js:3': 30 });
    const { profiles, notes } = await recording.take();
    expect(profiles.map(({ total, overhead }) => [total, overhead])).to.deep.equal([[40, 0.02]]);
    expect(profiles[0].processes).to.deep.equal([
      { name: 'app.js (1.2)', total: 30, isWorker: true },
      { name: 'app.js (1)', total: 10 },
    ]);
    expect(notes.map(({ code, message }) => [code, message])).to.deep.equal([
      [
        'profiled',
        'the service was profiled meanwhile, which took 2.0 % of its CPU time: compare its figures with those of profiled runs',
      ],
    ]);
  });

  itSlow('a thread measures the overhead if it is asked to, and never reports that it has none', () => {
    const context = { folder, id: '7', self: () => ({}), send: (_kind, body) => answers.push(body) };
    const answers = [];
    for (const measured of [undefined, ['1'], ['7']]) {
      profile({ action: 'start', cpu: { interval: 1000 } }, context);
      profile({ action: 'stop', measured }, context);
    }
    const [first, second, third] = answers.filter(({ files }) => files).map(({ files }) => files[0].overhead);
    expect([first, second]).to.deep.equal([undefined, undefined]);
    expect(third ?? 0.01).to.be.above(0);
  });

  it('the main threads of four processes measure the overhead, as all together would block a cluster for long', () => {
    const link = new Link(folder, ['0', '1', '1.1', '2', '3', '4', '5', '6']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
    begin(recording);
    link.receive('bye', {}, '0');
    recording.end();
    expect(link.sent.at(-1)).to.equal('stop all 1 2 3 4');
  });

  it('a thread that ends before its profile arrives is named, and the others count', async () => {
    const link = new Link(folder, ['1', '2', '3']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
    begin(recording);
    recording.end();
    link.receive('bye', {}, '1');
    link.receive('profile', { error: 'no inspector' }, '2');
    link.answer('3', { 'list@app.js:3': 10 });
    const { profiles, notes } = await recording.take();
    expect(profiles).to.have.length(1);
    expect(notes.at(-1)).to.deep.equal({
      code: 'profileIncomplete',
      message: 'profile: app.js (1) ended before its profile arrived; app.js (2) could not be recorded: no inspector',
    });
  });

  it('the recording has begun when each thread records, cannot record, or has ended', async () => {
    const link = new Link(folder, ['1', '2', '3']);
    const recorder = new NodeRecorder(link, { kinds: ['cpu'] });
    recorder.begin(Infinity);
    let hasBegun = false;
    const begun = recorder.begun().then(() => (hasBegun = true));
    link.receive('profile', { started: true }, '1');
    link.receive('profile', { error: 'no inspector' }, '2');
    await Promise.resolve();
    expect(hasBegun).to.equal(false);
    link.receive('bye', {}, '3');
    await begun;
  });

  it('the last part of a run begins late, also of one that is longer than a timer of Node', async () => {
    const begun = [];
    const recorder = { begin: (ms) => begun.push(ms), begun: async () => {}, end: () => {}, cancel: () => {} };
    const recording = new ProfileRecording({ recorder, folder: '/srv', lastMs: 10_000 });
    await recording.prepare(30 * 86_400_000);
    recording.begin();
    // A timer that is too long rings at once.
    await new Promise((resolve) => setTimeout(resolve, 5));
    recording.cancel();
    expect(begun).to.deep.equal([]);
  });

  it('a folder that cannot be used is named, and no run is lost', async () => {
    const link = new Link(join(folder, 'removed'), ['1']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
    begin(recording);
    recording.end();
    link.receive('profile', { files: [], maps: null }, '1');
    const { notes } = await recording.take();
    expect(notes.at(-1).message).to.match(
      /^profile: app\.js \(1\) had not begun to record; the folder for profiles cannot be used: ENOENT/,
    );
  });

  it('a profile counts without the file of its operations', async () => {
    const link = new Link(folder, ['1']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
    begin(recording);
    recording.end();
    writeFileSync(join(folder, '1.cpuprofile'), bytesOf(cpuProfile({ 'list@app.js:3': 10 })));
    const files = [{ kind: 'cpu', file: '1.cpuprofile' }];
    link.receive('profile', { files, maps: null, marks: '1.marks.json' }, '1');
    const { profiles, notes } = await recording.take();
    expect(profiles.map(({ total }) => total)).to.deep.equal([10]);
    expect(notes.at(-1).message).to.match(/^profile: app\.js \(1\): ENOENT.*1\.marks\.json/);
  });

  it('threads that end before they are connected leave their profiles, which are checked', async () => {
    const link = new Link(folder, ['1']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'], routes: { names: [], patterns: [] } }));
    begin(recording);
    const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
    expect(JSON.parse(readFileSync(join(folder, 'first.json')))).to.deep.equal({
      ...{ kind: 'profile', action: 'start', cpu: { interval: 1000 } },
    });
    recording.end();
    expect(existsSync(join(folder, 'first.json'))).to.equal(false);
    link.answer('1', { 'list@app.js:3': 10 });
    const ended = (own, file = '1') => ({
      ...{ thread: own, maps: null },
      files: [{ kind: 'cpu', file: `${file}.cpuprofile` }],
    });
    write('2.answer.json', ended(thread('2')));
    write('3.answer.json', ended(thread('2')));
    write('4.answer.json', ended({ ...thread('4'), pid: 'x' }));
    write('5.answer.json', ended(thread('5'), '../x'));
    writeFileSync(join(folder, '6.answer.json'), '{');
    const { profiles, notes } = await recording.take();
    expect(profiles[0].processes.map(({ name }) => name)).to.deep.equal(['app.js (1)', 'app.js (2)']);
    expect(notes.at(-1).message).to.match(/^profile: app\.js \(5\) could not be recorded: .*the name of a file/);
  });

  for (const [about, body] of [
    ['a file elsewhere', { files: [{ kind: 'cpu', file: '../../etc/passwd' }], maps: null }],
    ['a file that is missing', { files: [{ kind: 'cpu', file: 'none.cpuprofile' }], maps: null }],
    ['no answer', 'x'],
    ['another kind', { files: [{ kind: 'memory', file: '1.cpuprofile' }], maps: null }],
  ])
    it(`an answer with ${about} is named, and no run is lost`, async () => {
      const link = new Link(folder, ['1']);
      const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
      begin(recording);
      recording.end();
      link.receive('profile', body, '1');
      const { profiles, notes } = await recording.take();
      expect(profiles).to.deep.equal([]);
      expect(notes.map(({ code }) => code)).to.deep.equal(['profileIncomplete']);
    });

  it('a profile that is no JSON is named', async () => {
    const link = new Link(folder, ['1']);
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'] }));
    begin(recording);
    recording.end();
    writeFileSync(join(folder, '1.cpuprofile'), '{"nodes":');
    link.receive('profile', { files: [{ kind: 'cpu', file: '1.cpuprofile' }], maps: null }, '1');
    const { notes } = await recording.take();
    expect(notes[0].message).to.match(/^profile: the profile cannot be read: .*JSON/);
  });

  it('the raw profile is saved; of several threads each in a file of its own', async () => {
    const link = new Link(folder, ['1', '1.2']);
    const saveTo = [join(folder, 'raw.cpuprofile'), join(folder, 'raw.heapprofile')];
    const recording = recordingOf(new NodeRecorder(link, { kinds: ['cpu'], saveTo }));
    begin(recording);
    recording.end();
    for (const { id } of link.threads) link.answer(id, { 'list@app.js:3': 10 });
    const { profiles, notes } = await recording.take();
    expect(readdirSync(folder)).to.include.members(['raw.1.cpuprofile', 'raw.1.2.cpuprofile']);
    expect(readFileSync(join(folder, 'raw.1.cpuprofile'))).to.deep.equal(readFileSync(join(folder, '1.cpuprofile')));
    expect(profiles[0].files).to.have.length(2);
    expect(notes.at(-1).message).to.equal('profile: raw.heapprofile was not written: nothing was recorded for it');
  });

  it('a service without Node is named', async () => {
    const recording = recordingOf(new NodeRecorder(null, { kinds: ['cpu'] }));
    begin(recording);
    recording.end();
    expect((await recording.take()).notes[0].message).to.equal(
      'profile: the service has no Node process that could be recorded: does it keep NODE_OPTIONS and BENCH_REST_CHANNEL of its environment, and may it read files?',
    );
  });

  it('a run that ends before its last part has no profile', async () => {
    const link = new Link(folder, ['1']);
    const recorder = new NodeRecorder(link, { kinds: ['cpu'] });
    const recording = new ProfileRecording({ recorder, folder: '/srv', lastMs: 10 });
    begin(recording, 3_600_000);
    recording.end();
    expect(link.sent).to.deep.equal([]);
    const { profiles, notes } = await recording.take();
    expect(profiles).to.deep.equal([]);
    expect(notes[0].message).to.equal('profile: the run ended before the recording began');
  });
});

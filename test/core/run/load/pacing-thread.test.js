import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { expect } from 'chai';

import { clock } from '../../../../lib/core/run/clock.js';
import { openAlarm } from '../../../../lib/core/run/load/pacer.js';
import { LeadTime, PacingThread, ThreadAlarm } from '../../../../lib/core/run/load/pacing-thread.js';

const MODULE = new URL('../../../../lib/core/run/load/pacing-thread.js', import.meta.url).href;

describe('run/load/pacing-thread', () => {
  const ring = (alarm, at) => new Promise((resolve) => alarm.set(at, () => resolve(clock.now())));

  it('one thread wakes several load threads at their instants, never before', async () => {
    const thread = await PacingThread.start(3);
    const alarms = [0, 1, 2].map((part) => new ThreadAlarm(clock, thread.memory, part));
    for (let round = 0; round < 20; round++) {
      const instants = alarms.map((_, part) => clock.now() + ((round * 7 + part * 3) % 5));
      const rung = await Promise.all(alarms.map((alarm, part) => ring(alarm, instants[part])));
      rung.forEach((at, part) => expect(at).to.be.at.least(instants[part] - 0.02));
    }
    await thread.close();
  });

  it('the thread asks Linux to end its sleeps exactly', async function () {
    const slackOf = (id) => {
      try {
        return readFileSync(`/proc/${id}/timerslack_ns`, 'utf8');
      } catch {
        return null;
      }
    };
    if (process.platform !== 'linux') this.skip();
    const slacks = () => readdirSync('/proc/self/task').map(slackOf);
    // The slack of another thread can be read by root, or with CAP_SYS_NICE.
    if (slacks().includes(null)) this.skip();
    const thread = await PacingThread.start(1);
    while (!slacks().includes('1\n')) await setTimeout(5);
    await thread.close();
  });

  it('an alarm that is set for the past rings at once, and a cancelled one never', async () => {
    const thread = await PacingThread.start(1);
    const alarm = new ThreadAlarm(clock, thread.memory, 0);
    await ring(alarm, clock.now() - 5);
    let rings = 0;
    alarm.set(clock.now() + 1, () => rings++)();
    await ring(alarm, clock.now() + 20);
    expect(rings).to.equal(0);
    await thread.close();
  });

  it('a timer rings if the thread does not', async () => {
    const memory = { words: new Int32Array(new SharedArrayBuffer(16)), instants: new Float64Array(1) };
    const alarm = new ThreadAlarm(clock, memory, 0);
    const at = clock.now() + 3;
    expect(await ring(alarm, at)).to.be.at.least(at);
  });

  it('the thread is started only where it paces, and ends when it is closed', async () => {
    const { alarm, close } = await openAlarm('timer', { clock });
    expect(alarm.leadMs).to.equal(0);
    await close();
    const own = await openAlarm('thread', { clock });
    expect(own.alarm).to.be.instanceOf(ThreadAlarm);
    await own.close();
  });

  it('modules that a program preloads are not loaded in the thread', () => {
    const script = `const thread = await (await import(${JSON.stringify(MODULE)})).PacingThread.start(1);
      const { words } = thread.memory;
      Atomics.add(words, 2, 1);
      Atomics.add(words, 0, 1);
      Atomics.notify(words, 0);
      // it works
      await Atomics.waitAsync(words, 3, 0).value;
      await thread.close();`;
    const preload = ['--import', 'data:text/javascript,import{writeSync}from"node:fs";writeSync(1,"loaded\\n")'];
    const { stdout } = spawnSync(process.execPath, [...preload, '--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(stdout).to.equal('loaded\n');
  });

  it('if the system refuses the thread, a timer takes over, unless the run asks for the thread', async () => {
    const start = () => Promise.reject(new Error('no more threads'));
    const { pacing, alarm } = await openAlarm('thread', { clock, start });
    expect([pacing, alarm.leadMs]).to.deep.equal(['timer', 0]);
    const refused = await openAlarm('thread', { clock, start, isRequired: true }).catch((error) => error);
    expect(refused).to.include({ code: 'E_RUN_OPTIONS' });
    expect(refused.message).to.match(/runOptions\.pacing: the thread cannot be started \(no more threads\); use timer/);
  });

  it('an alarm that rings early, for one that was cancelled, lengthens no lead', () => {
    const lead = new LeadTime();
    for (let i = 0; i < 100; i++) lead.add(0.1);
    const before = lead.ms;
    lead.add(-1000);
    expect(lead.ms).to.be.within(0.05, before + 0.05);
  });

  it('the lead of an alarm follows how late alarms are, within bounds', () => {
    const lead = new LeadTime();
    for (let i = 0; i < 100; i++) lead.add(0.1);
    expect(lead.ms).to.be.closeTo(0.1, 0.01);
    for (let i = 0; i < 100; i++) lead.add(i % 2 ? 0.1 : 0.2);
    expect(lead.ms).to.be.within(0.2, 0.25);
    for (let i = 0; i < 100; i++) lead.add(50);
    expect(lead.ms).to.equal(0.25);
    for (let i = 0; i < 100; i++) lead.add(0);
    expect(lead.ms).to.equal(0.05);
  });
});

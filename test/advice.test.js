import { expect } from 'chai';

import { judge, judgeClient } from '../lib/measure/verdict.js';
import { seeded } from './support/random.js';

/**
 * A run against a service that answers `users` virtual users in given times, without any real clock. Each iteration takes the event loop
 * of one of the workers for some time. `peak`: the rate rises to it from 0.
 */
function simulated({ rate, peak, users, seconds, serviceMs, workers = 1, loopMs = 0 }) {
  const endMs = 1000 * seconds;
  const planned = peak ? (peak * seconds) / 2 : rate * seconds;
  const due = (i) => (peak ? Math.sqrt((2 * i * endMs * 1000) / peak) : (1000 * i) / rate);
  const freeAt = Array(users).fill(0);
  const loopFreeAt = Array(workers).fill(0);
  const used = new Set();
  let [started, busyTime, loopTime] = [0, 0, 0];
  for (let i = 0; i < planned; i++) {
    const user = freeAt.indexOf(Math.min(...freeAt));
    const worker = user % workers;
    const start = Math.max(freeAt[user], due(i), loopFreeAt[worker]);
    if (start >= endMs) break;
    const ms = serviceMs() + loopMs;
    loopFreeAt[worker] = start + loopMs;
    freeAt[user] = start + ms;
    used.add(user);
    started++;
    busyTime += ms;
    loopTime += loopMs;
  }
  const connections = { asked: used.size, reached: used.size };
  return {
    measuredElapsed: endMs,
    iterations: { started, completed: started, failed: 0, cancelled: 0, dropped: planned - started, busyTime },
    errors: { count: 0, samples: [] },
    requests: { connections },
    client: {
      rate: { asked: planned / seconds, reached: started / seconds, ...(peak && { peak }) },
      utilization: loopMs > 0 ? loopTime / (endMs * workers) : 0.2,
      startDelay: { median: 0 },
      standstill: { longest: 0, spared: 0 },
      workers,
    },
  };
}
const reasonsOf = (stats) =>
  judge(stats, { notes: [], sharesLoop: false, accounting: { errors: [], area: 1, busyTime: 1 } }).reasons.join('\n');

describe('the advice of the verdict', () => {
  const random = seeded(1).next;
  const services = {
    'a constant time': () => 20,
    'exponential times': () => -20 * Math.log(1 - random()),
    'one slow answer in ten': () => (random() < 0.1 ? 200 : 10),
  };
  for (const [name, serviceMs] of Object.entries(services))
    for (const rate of [100, 1000, 3000])
      it(`S45 -c of the advice ends the dropping: ${name} at ${rate}/s`, () => {
        const run = { rate, users: 1, seconds: 5, serviceMs };
        const users = Number(/\(-c (\d+)\)$/m.exec(reasonsOf(simulated(run)))?.[1]);
        expect(users).to.be.above(1);
        expect(reasonsOf(simulated({ ...run, users }))).to.not.include('dropped');
      });

  for (const [name, serviceMs] of Object.entries(services))
    it(`S45 -c of the advice ends the dropping of a ramp, whose highest rate decides: ${name}`, () => {
      const run = { peak: 1000, users: 3, seconds: 10, serviceMs };
      const users = Number(/highest rate needs about .* \(-c (\d+)\)$/m.exec(reasonsOf(simulated(run)))?.[1]);
      expect(reasonsOf(simulated({ ...run, users }))).to.not.include('dropped');
    });

  for (const [name, serviceMs] of Object.entries(services))
    it(`S45 more workers, as the advice says, end the dropping of an event loop that is busy: ${name}`, () => {
      const run = { rate: 600, users: 200, seconds: 5, serviceMs, loopMs: 2.5 };
      const once = simulated(run);
      expect(judgeClient(once, once.client, 5000).notes.join()).to.include('(--workers)');
      expect(reasonsOf(once)).to.match(/dropped: .*use more cores \(--workers\)/);
      const followed = simulated({ ...run, workers: 2 });
      expect(judgeClient(followed, followed.client, 5000).notes).to.deep.equal([]);
      expect(reasonsOf(followed)).to.not.include('dropped');
    });

  for (const [rate, users] of [
    [2, 1],
    [10, 5],
    [500, 100],
  ])
    it(`S45 -t of the advice is long enough to judge at ${rate}/s by ${users} users`, () => {
      const run = { rate, users, seconds: 0.5, serviceMs: () => 1 };
      const seconds = Number(/-t (\d+)s$/m.exec(reasonsOf(simulated(run)))?.[1]);
      expect(seconds).to.be.above(1);
      expect(reasonsOf(simulated({ ...run, seconds }))).to.equal('');
    });
});

import { expect } from 'chai';

import { shortfallsOf } from '../lib/core/measure/shortfalls.js';
import { meanOf, squaresOf } from '../lib/core/measure/statistics.js';
import { judge, judgeClient } from '../lib/core/measure/validity.js';
import { seeded } from './support/random.js';
import { noStops } from './support/no-stops.js';

/**
 * A run against a service that answers `users` virtual users in given times, without any real clock. Each iteration takes the event loop
 * of one of the workers for some time. `peak`: the rate rises to it from 0. `servers`: the service works on so many
 * iterations at a time. `pauseMs`: of each iteration, at its end. `gapMs`: between random arrivals.
 */
function simulated(run) {
  const { rate, peak, users, seconds, serviceMs, workers = 1, loopMs = 0, iterations = Infinity } = run;
  const { servers = users, pauseMs = () => 0, gapMs } = run;
  const endMs = 1000 * seconds;
  const arrivals = gapMs ? arrivalsOf(gapMs, endMs) : null;
  const planned = arrivals?.length ?? Math.min(iterations, peak ? (peak * seconds) / 2 : rate * seconds);
  const due = (i) => arrivals?.[i] ?? (peak ? Math.sqrt((2 * i * endMs * 1000) / peak) : (1000 * i) / rate);
  const freeAt = Array(users).fill(0);
  const loopFreeAt = Array(workers).fill(0);
  const serverFreeAt = Array(servers).fill(0);
  const used = new Set();
  const times = [];
  let [started, busyTime, loopTime, idle, promptTime] = [0, 0, 0, 0, 0];
  for (let i = 0; i < planned; i++) {
    const user = freeAt.indexOf(Math.min(...freeAt));
    const worker = user % workers;
    const start = Math.max(freeAt[user], due(i), loopFreeAt[worker]);
    if (start >= endMs) break;
    const server = serverFreeAt.indexOf(Math.min(...serverFreeAt));
    serverFreeAt[server] = Math.max(start, serverFreeAt[server]) + serviceMs() + loopMs;
    const ms = serverFreeAt[server] - start;
    loopFreeAt[worker] = start + loopMs;
    if (freeAt[user] <= due(i)) {
      idle++;
      promptTime += ms;
    }
    freeAt[user] = start + ms + pauseMs();
    used.add(user);
    started++;
    times.push(ms);
    busyTime += freeAt[user] - start;
    loopTime += loopMs;
  }
  const measuredElapsed = iterations < Infinity ? Math.max(...freeAt) : endMs;
  const rates = {
    plannedRate: peak ? peak / 2 : rate,
    startedRate: (started * 1000) / measuredElapsed,
    ...(peak && { peakRate: peak }),
  };
  return {
    measuredElapsed,
    iterations: {
      started,
      completed: started,
      failed: 0,
      cancelled: 0,
      dropped: planned - started,
      ...{ busyTime, promptTime },
      ...rates,
    },
    main: { serviceLeast: { mean: meanOf(times), stddev: Math.sqrt(squaresOf(times) / times.length) } },
    errors: { count: 0, details: [] },
    virtualUsers: { started: used.size, answered: used.size },
    loadGenerator: {
      eventLoopUtilization: loopMs > 0 ? loopTime / (endMs * workers) : 0.2,
      startDelay: { count: idle, median: 0 },
      stall: { longest: 0, extendedTimeouts: 0 },
      stops: noStops(),
      workers,
    },
  };
}

function arrivalsOf(gapMs, endMs) {
  const arrivals = [];
  for (let at = gapMs(); at < endMs; at += gapMs()) arrivals.push(at);
  return arrivals;
}

const reasonsOf = (stats, iterationLimit = null) => {
  const input = { notes: [], sharesLoop: false, iterationLimit, accounting: { errors: [], area: 1, busyTime: 1 } };
  const { reasons, remarks = [] } = judge(stats, input);
  return [
    ...[...reasons, ...remarks].map(({ message }) => message),
    ...shortfallsOf(stats).map(({ what, advice }) => `${what}: ${advice}`),
  ].join('\n');
};

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
      const users = Number(/are enough for the highest rate \(-c (\d+)\)$/m.exec(reasonsOf(simulated(run)))?.[1]);
      expect(reasonsOf(simulated({ ...run, users }))).to.not.include('dropped');
    });

  const exponential = (mean) => () => -mean * Math.log(1 - random());
  // Each can do 100 iterations per second.
  const queues = {
    'one worker': { servers: 1, serviceMs: () => 10 },
    'one worker, random times': { servers: 1, serviceMs: exponential(10) },
    'a pool of 4': { servers: 4, serviceMs: () => 40 },
    'a pool of 8, random times': { servers: 8, serviceMs: exponential(80) },
    'one worker, and pauses': { servers: 1, serviceMs: () => 10, pauseMs: () => 100 },
    'a pool of 4, random times and pauses': { servers: 4, serviceMs: exponential(40), pauseMs: exponential(100) },
  };
  const loads = {
    even: (rate) => ({ rate, seconds: 10 }),
    random: (rate) => ({ rate, seconds: 10, gapMs: exponential(1000 / rate) }),
  };
  for (const [name, queue] of Object.entries(queues))
    for (const [kind, loadOf] of Object.entries(loads)) {
      it(`more users are no advice for a service that is full: ${name}, ${kind} arrivals`, () => {
        for (const rate of [130, 200, 500])
          for (const users of [40, 100]) {
            const advice = reasonsOf(simulated({ ...queue, ...loadOf(rate), users }));
            if (!advice.includes('dropped')) continue;
            expect(advice, `${rate}/s, -c ${users}`).to.match(
              /the service is the limit, at about [\d.]+\/s.*bench-rest capacity/,
            );
            expect(Number(/about ([\d.]+)\/s/.exec(advice)[1])).to.be.within(85, 115);
          }
      });

      it(`-c of the advice suffices for a service that has time left: ${name}, ${kind} arrivals`, () => {
        for (const users of [2, 3]) {
          const advice = reasonsOf(simulated({ ...queue, ...loadOf(80), users }));
          const needed = Number(/\(-c (\d+)\)$/m.exec(advice)?.[1] ?? users);
          expect(advice).to.not.include('is the limit, at');
          expect(reasonsOf(simulated({ ...queue, ...loadOf(80), users: needed }))).to.not.include('dropped');
        }
      });

      it(`the advice never leads to more and more users: ${name}, ${kind} arrivals`, () => {
        let users = 5;
        const advices = [];
        for (let advice = ''; users && advices.length < 5; advices.push(advice)) {
          advice = reasonsOf(simulated({ ...queue, ...loadOf(250), users }));
          users = Number(/\(-c (\d+)\)$/m.exec(advice)?.[1]);
        }
        expect(advices.length, advices.join('\n')).to.be.at.most(3);
        expect(advices.at(-1)).to.include('the service is the limit');
      });
    }

  for (const [name, serviceMs] of Object.entries(services))
    it(`S45 more workers, as the advice says, end the dropping of an event loop that is busy: ${name}`, () => {
      const run = { rate: 600, users: 200, seconds: 5, serviceMs, loopMs: 2.5 };
      const once = simulated(run);
      expect(judgeClient(once, once.loadGenerator, 5000).reasons[0].message).to.include('(--workers)');
      expect(reasonsOf(once)).to.match(/dropped: .*use more cores \(--workers\)/);
      const followed = simulated({ ...run, workers: 2 });
      expect(judgeClient(followed, followed.loadGenerator, 5000).reasons).to.deep.equal([]);
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

  for (const [rate, users] of [
    [20, 1],
    [500, 100],
  ])
    it(`-n of the advice is enough to judge at ${rate}/s by ${users} users`, () => {
      const run = { rate, users, seconds: 3600, serviceMs: () => 1 };
      const limit = (iterations) => ({ own: iterations, whole: iterations });
      const advice = reasonsOf(simulated({ ...run, iterations: 20 }), limit(20));
      const iterations = Number(/-n (\d+)$/m.exec(advice)?.[1]);
      expect(iterations).to.be.above(20);
      expect(reasonsOf(simulated({ ...run, iterations }), limit(iterations))).to.equal('');
    });
});

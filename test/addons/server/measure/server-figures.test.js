import { expect } from 'chai';

import { Histogram } from '../../../../lib/core/measure/histogram.js';
import { seeded } from '../../../support/random.js';
import { conclusionsOf } from '../../../../lib/addons/server/measure/server-conclusions.js';
import { ServerRecorder, growthOf, heapGrowthOf } from '../../../../lib/addons/server/measure/server-figures.js';
import { noStops } from '../../../support/no-stops.js';
import { itSlow } from '../../../support/slow.js';

const sample = (parts = {}) => ({
  ...{ elapsed: 1000, cpuTime: 500, machineCpuTime: 900, busiestThread: 400, busiestThreadWait: 0, busyThreads: 0 },
  ...{ cpuWait: 0, contextSwitches: 50, memory: 100e6, openFiles: 20, threads: 11, processes: 2, restarts: 0 },
  ...{ io: { read: 1000, written: 2000 }, network: null },
  ...parts,
});

const THREAD = { id: '7', pid: 7, thread: 0, name: 'app.js', version: 'v20.0.0' };
const node = (parts = {}) => ({
  loop: { active: 600, idle: 400 },
  delay: { mean: 1, p99: 30, max: 40 },
  recent: { mean: 1, p99: 20, max: 25 },
  gc: { time: 50, count: 3 },
  memory: { heap: 10e6, external: 1e6, limit: 4e9, collected: 0 },
  resources: 12,
  losses: { errors: 0, dropped: 0 },
  ...parts,
});

/** A repeatable noise of -1 to 1. */
const noise = (i) => Math.sin(i * 12.9898) * 43758.5453 - Math.floor(Math.sin(i * 12.9898) * 43758.5453);
const points = (length, valueAt) => Array.from({ length }, (_, i) => ({ at: i * 1000, memory: valueAt(i) }));

describe('figures of a server', () => {
  it('has the sums, means and peaks of its samples', () => {
    const recorder = new ServerRecorder();
    expect(recorder.summary()).to.equal(null);
    recorder.add(sample(), [], 10);
    recorder.add(sample({ cpuTime: 700, memory: 120e6, openFiles: 30 }), [{ pid: 7 }], 20);
    const summary = recorder.summary();
    expect(summary).to.deep.include({
      cpuTime: 1200,
      memory: { mean: 110e6, peak: 120e6 },
      openFiles: { peak: 30 },
      threads: { peak: 11 },
      processes: { peak: 2, details: [{ pid: 7 }] },
      busiestThread: 0.4,
      machineCores: 0.9,
      contextSwitchRate: 50,
      io: { readRate: 1000, writtenRate: 2000 },
    });
    expect(summary).to.not.have.any.keys('network', 'nodeThreads');
    expect(recorder.summary({ isOver: true }).series.points.map(({ at, answered }) => [at, answered])).to.deep.equal([
      [0, 10],
      [1000, 20],
    ]);
  });

  it('names the time at which its processes ended, and its cores are those that they could use', () => {
    const recorder = new ServerRecorder();
    recorder.add(sample({ cores: 3 }), [], 10);
    recorder.addGap(1000);
    recorder.addGap(1000);
    expect(recorder.summary()).to.include({ endedAfter: 1000, cpuTime: 500, cores: 3 });
    const none = new ServerRecorder();
    none.addGap(1000);
    expect(none.summary()).to.deep.include({ endedAfter: 0, cpuTime: 0, memory: { mean: 0, peak: 0 } });
  });

  it('a server that was started again has not ended, and its points have their times', () => {
    const recorder = new ServerRecorder();
    recorder.add(sample(), [], 10);
    recorder.addGap(1000);
    recorder.add(sample({ restarts: 1 }), [], 20);
    const summary = recorder.summary();
    expect(summary).to.include({ restarts: 1, cpuTime: 1000 }).and.not.have.property('endedAfter');
    expect(summary.series.points.map(({ at }) => at)).to.deep.equal([0, 2000]);
  });

  it('has the event loop and the heap of the threads of Node, the busiest one first', () => {
    const recorder = new ServerRecorder();
    recorder.addThread(THREAD, node());
    recorder.addThread({ ...THREAD, id: '7.1', thread: 1 }, node({ loop: { active: 900, idle: 100 } }));
    recorder.add(sample(), [], 10);
    const { eventLoopUtilization, gcShare, heap, resources, nodeThreads, series } = recorder.summary({ isOver: true });
    expect([eventLoopUtilization, gcShare]).to.deep.equal([0.9, 0.05]);
    expect(nodeThreads.map(({ id }) => id)).to.deep.equal(['7.1', '7']);
    expect(heap).to.deep.equal({ peak: 22e6, growth: null });
    expect(resources.peak).to.equal(24);
    expect(series.points[0]).to.include({ eventLoopUtilization: 0.9, eventLoopDelay: 20, heap: 22e6 });
  });

  it('names a process of Node that uses most of the CPU time and sends no figures, and has not those of npm', () => {
    const recorder = new ServerRecorder();
    recorder.addThread({ ...THREAD, name: 'npm' }, node());
    const rowsOf = (name, cpuTime) => [{ pid: 9, name, cpuTime, memory: 1 }];
    recorder.add(sample(), rowsOf('node', 400), 10);
    const summary = recorder.summary({ isOver: true });
    expect(summary).to.have.property('nodeThreads').with.lengthOf(1);
    expect(summary).to.not.have.any.keys('eventLoopDelay', 'gcShare', 'heap');
    expect(summary.series.points[0]).to.not.have.any.keys('eventLoopDelay', 'heap');
    const [{ code, message }] = conclusionsOf({ ...summary, busiestThread: 1 }, { series: { points: [] } });
    expect([code, message]).to.deep.equal([
      'serverSilent',
      'node (9), which used 80 % of its CPU time, sends no figures of Node and no profile: if its start sets NODE_OPTIONS, write NODE_OPTIONS="$NODE_OPTIONS …" there',
    ]);
    recorder.add(sample(), rowsOf('ffmpeg', 900), 20);
    expect(recorder.summary().eventLoopDelay.p99).to.equal(30);
  });

  itSlow('a run of hours keeps at most a thousand points, of one length', () => {
    const recorder = new ServerRecorder();
    for (let i = 0; i < 5000; i++) {
      if (i === 1001) recorder.addThread(THREAD, node());
      recorder.add(sample(), [], i);
    }
    const { interval, points: kept } = recorder.summary({ isOver: true }).series;
    expect(kept.length).to.be.within(500, 1000);
    expect(kept[1].at - kept[0].at).to.equal(interval);
    // The first point of several seconds in one of which a thread of Node ran has its figures.
    expect(kept.find(({ heap }) => heap !== undefined).at).to.equal(1_000_000);
  });

  it('keeps 50 threads at most: a new one replaces an ended one that was busy least', () => {
    const recorder = new ServerRecorder();
    for (let i = 0; i < 100; i++) recorder.addThread({ ...THREAD, id: String(i) }, node());
    recorder.add(sample(), [], 0);
    const ids = () => recorder.summary().nodeThreads.map(({ id }) => Number(id));
    expect(ids()).to.have.lengthOf(50).and.not.include(50);
    recorder.addThread({ ...THREAD, id: '7' }, node({ loop: { active: 700, idle: 400 } }));
    for (const id of ['7', '8']) recorder.endThread(id);
    recorder.addThread({ ...THREAD, id: '50' }, node());
    expect(ids()).to.have.lengthOf(50).and.include.members([7, 50]).and.not.include(8);
  });

  it('ended threads hold nothing, and where threads take turns the busiest one of each second counts', () => {
    const recorder = new ServerRecorder();
    recorder.addThread(THREAD, node({ loop: { active: 100, idle: 900 } }));
    for (let i = 1; i <= 4; i++) {
      recorder.addThread({ ...THREAD, id: `7.${i}`, thread: i }, node({ loop: { active: 1000, idle: 0 } }));
      if (i > 2) recorder.endThread(`7.${i}`);
      recorder.addThread(THREAD, node({ loop: { active: 100 * i, idle: 900 * i } }));
      if (i === 2) for (const id of ['7.1', '7.2']) recorder.endThread(id);
      recorder.add(sample(), [], 10);
    }
    const { eventLoopUtilization, heap, resources, series, nodeThreads } = recorder.summary({ isOver: true });
    expect(series.points.map((point) => point.eventLoopUtilization)).to.deep.equal([1, 0.1, 0.1, 0.1]);
    expect(series.points.map((point) => point.heap / 11e6)).to.deep.equal([2, 1, 1, 1]);
    expect([heap.peak, resources.peak]).to.deep.equal([22e6, 24]);
    expect(eventLoopUtilization).to.be.closeTo(1.3 / 4, 1e-9);
    expect(nodeThreads.map((one) => one.eventLoopUtilization)).to.deep.equal([1, 1, 1, 1, 0.1]);
  });

  for (const [sentence, length, valueAt, expected] of [
    ['a steady growth is one', 60, (i) => 100e6 + i * 0.2e6 + noise(i) * 2e6, [11e6, 13e6]],
    ['of few points nothing can be told', 14, (i) => 100e6 + i * 1e6, null],
    ['noise is no growth', 60, (i) => 100e6 + noise(i) * 20e6, [0, 0]],
    ['a growth that ends is none', 60, (i) => 100e6 + Math.min(i, 15) * 2e6 + noise(i) * 1e6, [0, 0]],
    ['garbage that is collected is none', 60, (i) => 100e6 + (i % 4) * 20e6 + noise(i) * 1e6, [0, 0]],
    ['a growth that does not matter is none', 60, (i) => 100e6 + i * 0.02e6, [0, 0]],
    ['a fall is none', 60, (i) => 100e6 - i * 0.5e6, [0, 0]],
  ])
    it(sentence, () => {
      const growth = growthOf(points(length, valueAt), 'memory');
      if (expected === null) expect(growth).to.equal(null);
      else expect(growth).to.be.within(...expected);
    });

  it('the growth of a figure that only some points have is per minute of these points', () => {
    const all = points(120, (i) => i * 1e6);
    for (const point of all.slice(0, 60)) delete point.memory;
    expect(growthOf(all, 'memory')).to.be.closeTo(60e6, 1e6);
  });

  it('seldom finds a growth in a random walk', () => {
    let found = 0;
    for (let run = 0; run < 100; run++) {
      let level = 100e6;
      const walk = points(60, (i) => (level += noise(run * 100 + i) * 4e6 - 2e6));
      if (growthOf(walk, 'memory')) found++;
    }
    expect(found).to.be.at.most(10);
  });

  /** Sizes in MB, at seconds. */
  const heapsOf = (sizes, seconds = sizes.map((_, i) => i * 4)) =>
    sizes.map((size, i) => ({ at: seconds[i] * 1000, size: size * 1e6 }));

  for (const [sentence, sizes, seconds, expected] of [
    ['heaps that V8 collects at ever larger sizes grow', [26, 40, 48, 73, 123], [2, 6, 10, 20, 41], 149],
    ['four collections are enough', [13.1, 22.6, 32.3, 42.5], [3, 7, 11, 16], 136],
    ['three collections are not enough', [26, 40, 73], undefined, null],
    ['an exception among many is no objection', [10, 14, 13, 18, 22, 26, 30], undefined, 50],
    ['heaps without an order do not grow', [10, 16, 11, 15, 10.5, 13], undefined, 0],
    ['a growth that does not matter is none', [10, 10.1, 10.2, 10.3, 10.4], undefined, 0],
    ['a cache that fills is no growth', [10, 20, 30, 40, 40.1, 40.2, 40.3, 40.4], undefined, 0],
    ['heaps that shrink do not grow', [50, 40, 30, 20], undefined, 0],
  ])
    it(`after collections, ${sentence}`, () => {
      const growth = heapGrowthOf(heapsOf(sizes, seconds));
      if (expected === null) expect(growth).to.equal(null);
      else expect(growth / 1e6).to.be.closeTo(expected, 1);
    });

  itSlow('after collections, heaps of noise seldom grow', () => {
    let found = 0;
    for (let run = 0; run < 1000; run++) {
      const sizes = Array.from({ length: 4 + (run % 40) }, (_, i) => 100 + 20 * noise(run * 50 + i));
      if (heapGrowthOf(heapsOf(sizes)) > 0) found++;
    }
    expect(found).to.be.at.most(20);
  });

  it('a leak in a service of Node is its growth from the first to the last collection', () => {
    const recorder = new ServerRecorder();
    const troughs = { 2: 26, 6: 40, 10: 48, 20: 73, 41: 123 };
    let collected = 0;
    for (let second = 0; second <= 45; second++) {
      collected = (troughs[second] ?? 0) * 1e6 || collected;
      const heap = collected + (second % 7) * 9e6;
      recorder.addThread(THREAD, node({ memory: { heap, external: 0, limit: 4e9, collected } }));
      recorder.add(sample(), [], second);
    }
    expect(recorder.summary({ isOver: true }).heap.growth / 1e6).to.be.closeTo(149, 1);
  });

  itSlow('keeps the first and the last of thousands of collections', () => {
    const recorder = new ServerRecorder();
    for (let second = 0; second < 3600; second++) {
      const collected = 100e6 + second * 1e5;
      recorder.addThread(THREAD, node({ memory: { heap: collected, external: 0, limit: 4e9, collected } }));
      recorder.add(sample(), [], second);
    }
    expect(recorder.summary({ isOver: true }).heap.growth).to.be.closeTo(6e6, 1e3);
  });
});

describe('conclusions about a server', () => {
  const stats = (parts = {}) => ({
    main: { serviceTime: { median: 1, min: 0.5 } },
    operations: [{}],
    measuredElapsed: 10_000,
    iterations: { completedRate: 100 },
    series: { points: [{ concurrency: 50 }, { concurrency: 50 }] },
    loadGenerator: { saturated: false, eventLoopUtilization: 0.3, workers: 1, stops: noStops() },
    ...parts,
  });
  const SERVER = { cores: 8, cpuCores: 0.3, busiestThread: 0.2, busiestThreadWait: 0, machineCores: 1, cpuWait: 0 };
  const BUSY = { cpuCores: 1.02, busiestThread: 0.98, busyThreads: 1 };
  const slow = stats({ main: { serviceTime: { median: 400, min: 20 } } });
  const generator = (saturated, eventLoopUtilization) => ({
    ...slow,
    loadGenerator: { saturated, eventLoopUtilization, workers: 1, stops: noStops() },
  });
  /** Three requests in each iteration. */
  const threeEach = { interval: 1000, points: [{ at: 19_000, answered: 6000 }] };
  const twoMs = stats({ main: { serviceTime: { median: 2, min: 0.5 } } });

  const slowly = stats({
    main: { serviceTime: { median: 4, min: 0.5 } },
    iterations: { completedRate: 9000 },
    series: { points: [{ concurrency: 2 }, { concurrency: 2 }] },
  });
  const ELSEWHERE = {
    ...{ cpuCores: 0, busiestThread: 0, cpuTime: 10, cpuTimePerRequest: 0.001, contextSwitchRate: 3 },
    series: { points: [{ answered: 9000 }] },
  };
  const SLOW =
    'the server used 0.00 of 8 cores: it waits for something else, such as a database, another service or a timer';

  for (const [server, expected, facts = stats()] of [
    [{}, []],
    [BUSY, ['the server used 1.0 of 8 cores: one thread is the limit']],
    [
      ELSEWHERE,
      ['the server used 0.00 of 8 cores, too little for 9,000 requests: a process that is not watched answered them'],
      slowly,
    ],
    // It may have answered all requests that were sent each time that it woke up.
    [{ ...ELSEWHERE, contextSwitchRate: 3000 }, [SLOW], slowly],
    [{ ...ELSEWHERE, cpuTime: 90 }, [SLOW], slowly],
    [{ ...ELSEWHERE, series: { points: [{ answered: 900 }] } }, [SLOW], slowly],
    [{ endedAfter: 0 }, ['its processes ended before their first figures, within a second']],
    [{ endedAfter: 2990 }, ['its processes ended after 3.0 s; the figures are those until then']],
    [
      { cpuCores: 4.1, busiestThread: 0.97, busyThreads: 4 },
      ['the server used 4.1 of 8 cores: 4 threads are the limit'],
    ],
    [{ cpuCores: 7.6, busiestThread: 0.97, busyThreads: 7 }, ['the server used 7.6 of 8 cores: the CPU is the limit']],
    [
      { ...BUSY, cores: 2, cpuCores: 0.5, busiestThread: 0.5, busiestThreadWait: 0.5, machineCores: 2, cpuWait: 0.6 },
      [
        'the server used 0.5 of 2 cores: one thread is the limit, which had no CPU for 50 % of the time; other processes, the load generator among them, used 1.5, so none was left',
      ],
    ],
    [
      { cpuTimePerRequest: 3 },
      ['the server used 0.3 of 8 cores: it waits for something else, such as a database, another service or a timer'],
      slow,
    ],
    [
      { ...BUSY, cores: 2, cpuCores: 1.6, busiestThread: 0.6, machineCores: 1.83, cpuWait: 0.6 },
      [
        'the server used 1.6 of 2 cores: the CPU is the limit, as other processes, the load generator among them, used 0.2',
      ],
    ],
    // Other processes take its CPU, and that of the load generator, but not for so long.
    [
      {
        ...{ cores: 2, cpuCores: 0.07, busiestThread: 0.07, busiestThreadWait: 0.2, machineCores: 2, cpuWait: 0.3 },
        cpuTimePerRequest: 3,
      },
      ['the server used 0.07 of 2 cores: it waits for something else, such as a database, another service or a timer'],
      generator(true, 0.2),
    ],
    [{ cpuTimePerRequest: 0.2 }, []],
    // The load generator is the limit, or takes turns with the server.
    [{ cpuTimePerRequest: 3 }, [], generator(true, 0.96)],
    [{ cpuTimePerRequest: 3 }, [], generator(false, 0.85)],
    // A queue in front of a thread that is busy for 58 % of the time.
    [{ cpuTimePerRequest: 0.25, busiestThread: 0.58 }, [], twoMs],
    [
      { eventLoopUtilization: 0.98 },
      [
        'the server used 0.3 of 8 cores, but its event loop was busy 98 % of the time: synchronous calls that wait, such as of files or child processes, block it',
      ],
    ],
    [
      { ...BUSY, eventLoopUtilization: 0.99, eventLoopDelay: { p99: 31, max: 310 } },
      [
        'the server used 1.0 of 8 cores: one thread is the limit',
        'its event loop was blocked for up to 310 ms (p99 31 ms) and busy 99 % of the time: synchronous code delays all other requests',
      ],
    ],
    [{ gcShare: 0.14 }, ['garbage collection took 14 % of the time of its event loop']],
    [{ gcShare: 0.14, eventLoopDelay: { p99: 0, max: 0 } }, []],
    [{ memory: { growth: 12e6 } }, ['memory grew by 12 MB per minute']],
    [{ memory: { growth: 12e6 }, heap: { growth: 0 } }, []],
    [
      { memory: { growth: 12e6 }, heap: { growth: 11e6 } },
      ['its heap grew by 11 MB per minute: objects stay reachable after their requests'],
    ],
    [
      { memory: { growth: 12e6 }, heap: { growth: null } },
      [
        'memory grew by 12 MB per minute, garbage included: its heap was collected too seldom to tell what stays; a longer run shows it',
      ],
    ],
    [{ openFiles: { growth: 6000 } }, ['open files grew with every request']],
    [{ openFiles: { growth: 6000 }, series: threeEach }, ['open files grew with every iteration']],
    [{ openFiles: { growth: 18000 }, series: threeEach }, ['open files grew with every request']],
    [{ openFiles: { growth: 60 } }, ['open files grew by 60 per minute']],
    [{ resources: { growth: 600 } }, ['active sockets and timers grew by 600 per minute']],
  ])
    it(`${JSON.stringify(server)} means: ${expected.join('; ') || 'nothing'}`, () => {
      const found = conclusionsOf({ ...SERVER, ...server }, facts);
      expect(found.map(({ message }) => message)).to.deep.equal(expected);
    });

  /** 20 virtual users: after the first requests all take as long. */
  const poolOf = (first, others = [200], count = 480) => {
    const histogram = new Histogram();
    const rest = Array.from({ length: count }, (_, i) => others[i % others.length]);
    for (const ms of [...first, ...rest]) histogram.update(ms);
    const facts = stats({
      main: { serviceTime: histogram.summary(true) },
      series: { points: Array(3).fill({ concurrency: 20 }) },
    });
    const [found] = conclusionsOf({ ...SERVER, cpuTimePerRequest: 1 }, facts);
    return /works on (about \d+|a few) of 20 requests at a time: a pool or a lock/.exec(found.message)?.[1] ?? null;
  };
  const rising = (count, from, to) => Array.from({ length: count }, (_, i) => from + (i * (to - from)) / (count - 1));

  for (const [about, first, expected, ...others] of [
    ['a pool of 2', [20, 20, 40, 40, 60, 60, 80, 80, 100, 100, 120, 120, 140, 140], 'about 2'],
    ['a pool of 4', [40, 40, 41, 41, 80, 80, 81, 81, 120, 120, 121, 121], 'about 4'],
    ['a pool of 8 whose first request took longer', [81, 80, 80, 83, 81, 92, 80, 81], 'about 8'],
    ['a pool of half of them', Array(10).fill(95), 'about 10'],
    ['a pool of most of them', Array(14).fill(140), null],
    ['a lock', [10, ...rising(14, 20, 150)], 'about 1'],
    // As they were measured: 20 ms in front of a pool of 2, on a machine with 2 cores, of which other work took one.
    [
      'a pool of 2 beside other work',
      [58, 71.7, 96.5, 96.5, 105.6, 105.8, 120.9, 121.8, 142.9, 142.9, 165.8, 166.3],
      'a few',
    ],
    ['a pool of 2 that started late', [79.1, 128.5, 145.2, 149.6, 151.1, 165.2], 'a few', [218]],
    ['a pool of 4 that started late', [90, 90, 91, 91, 130, 130, 131, 131, 170, 170, 171, 171], 'a few'],
    ['random times', rising(20, 30, 190), null, rising(50, 20, 380)],
    ['times of a cache', Array(10).fill(3), null],
    ['the same time for all', [], null],
  ])
    it(`the size of ${about} is ${expected ?? 'not told'}`, () => {
      expect(poolOf(first, ...others)).to.equal(expected);
    });

  /** The pool in the conclusion of a simulated run; `late`: s until the pool begins. */
  const simulatedPool = ({ size, users, random, rate = Infinity, late = 0, spread = 0 }) => {
    const [freeAt, userAt] = [Array(size).fill(late), Array(users).fill(0)];
    const histogram = new Histogram();
    let [busy, end] = [0, 0];
    for (let i = 0; i < 2000; i++) {
      const [user, server] = [userAt, freeAt].map((all) => all.indexOf(Math.min(...all)));
      const at = Math.max(userAt[user], i / rate);
      freeAt[server] = Math.max(at, freeAt[server]) + 0.02 * (1 + spread * (random() - 0.5));
      userAt[user] = freeAt[server] + 0.0003 * random();
      histogram.update((userAt[user] - at) * 1000);
      busy += userAt[user] - at;
      end = userAt[user];
    }
    const facts = stats({
      main: { serviceTime: histogram.summary(true) },
      series: { points: Array(3).fill({ concurrency: busy / end }) },
    });
    const [found] = conclusionsOf({ ...SERVER, cpuTimePerRequest: 1 }, facts);
    return /works on (about \d+|a few) of/.exec(found?.message ?? '')?.[1] ?? null;
  };

  itSlow('the size of each pool with constant times is exact, and none is named that is not full', () => {
    const random = seeded(1).next;
    for (let size = 1; size <= 16; size++)
      for (const users of [2 * size + 1, 3 * size, 50]) {
        const run = { size, users, random };
        const about = `${size} of ${users}`;
        expect(simulatedPool(run), about).to.equal(`about ${size}`);
        expect(simulatedPool({ ...run, rate: (2 * size) / 0.02 }), `${about}, open`).to.equal(`about ${size}`);
        for (const share of [0.3, 0.8])
          expect(simulatedPool({ ...run, rate: (share * size) / 0.02 }), `${about}, ${share}`).to.equal(null);
        for (const other of [{ late: 0.003 }, { late: 0.05 }, { spread: 0.5 }])
          expect(simulatedPool({ ...run, ...other }), `${about}, ${JSON.stringify(other)}`).to.be.oneOf([
            ...[size - 1, size, size + 1].map((one) => `about ${one}`),
            ...['a few', null],
          ]);
      }
  });
});

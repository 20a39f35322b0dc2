import { expect } from 'chai';

import { judge, judgeClient } from '../../../lib/core/measure/validity.js';
import { STOPS } from '../../../lib/core/process/stops.js';
import { noStops } from '../../support/no-stops.js';

/** A row has its rates beside the load generator. */
const ratesOf = ({ rate }) => (rate ? { plannedRate: rate.asked, startedRate: rate.reached } : {});
const stats = ({
  started = 1000,
  completed = started,
  busyTime = 10 * started,
  measuredElapsed = 2000,
  loop = client(),
  late = 0,
  dropped = 0,
  cancelled = 0,
  errors = 0,
  median = 10,
  codes = [],
  asked = 10,
  reached = 10,
} = {}) => ({
  measuredElapsed,
  iterations: { started, completed, failed: 0, late, dropped, cancelled, busyTime, ...ratesOf(loop) },
  loadGenerator: loop,
  main: { serviceTime: { median } },
  errors: { count: errors, details: codes.map((code) => ({ code })) },
  virtualUsers: { started: asked, answered: reached },
});
const client = ({
  utilization = 0.5,
  rate = null,
  startDelay = 0.1,
  idle = 1000,
  workers = 1,
  still = {},
  stops = noStops(),
} = {}) => ({
  eventLoopUtilization: utilization,
  stops,
  eventLoopDelay: { mean: 0.2, p99: 1, max: 5 },
  cpuTime: 1,
  gcTime: 1,
  stall: { longest: 0, extendedTimeouts: 0, ...still },
  rate,
  startDelay: { median: startDelay, count: idle },
  workers,
});
const spaced = (p95, pacing, count = 1000) => ({
  ...client({ rate: { asked: 2000, reached: 2000 } }),
  spacing: { count, p95 },
  startGap: 0.5,
  pacing,
});
const stopsOf = (totals) =>
  Object.fromEntries(STOPS.map((cause) => [cause, { count: 1, longest: 9, total: totals[cause] ?? 0 }]));
const missed = { asked: 1000, reached: 500 };

describe('measure/validity', () => {
  const rows = [
    ['an idle client is not saturated', stats(), client(), []],
    [
      'an event loop that is never idle means saturation',
      stats(),
      client({ utilization: 0.99 }),
      [/event loop was busy 99 %.*more cores \(--workers\)/],
    ],
    [
      'several threads do not get the advice to use more cores',
      stats(),
      client({ utilization: 0.99, workers: 4 }),
      [/busy 99 % of the time; use fewer hooks, or another machine/],
    ],
    [
      'N9 a standstill that put timeouts off is named',
      stats(),
      client({ still: { longest: 690, extendedTimeouts: 16 } }),
      [/stalled for 0\.7 s; timeouts that expired meanwhile were postponed: 16$/],
    ],
    ['N9 a short standstill that no timeout met is not', stats(), client({ still: { longest: 690 } }), []],
    [
      'a closed run whose times are 20 % its own has rates that are too low',
      { ...stats(), main: { completed: { mean: 10, count: 9 }, least: { mean: 8, count: 9 } } },
      client({ stops: stopsOf({ noCpu: 190, suspended: 10 }) }),
      [/^rates may be up to 20 % too low: other programs used the CPU for 0\.2 of 1\.0 s$/],
    ],
    [
      'a closed run that had no CPU while its users waited for the service lost no rate',
      { ...stats(), main: { completed: { mean: 10, count: 9 }, least: { mean: 9.9, count: 9 } } },
      client({ stops: stopsOf({ noCpu: 290 }) }),
      [],
    ],
    [
      'an open run sends what was due after a stop',
      stats(),
      client({ stops: stopsOf({ suspended: 500 }), rate: { asked: 1000, reached: 1000 } }),
      [],
    ],
    [
      'a rate missed because all lanes were busy does not mean saturation',
      stats({ late: 500, dropped: 500 }),
      client({ rate: missed }),
      [],
    ],
    [
      'a rate missed because all virtual users hang, so that none was ever late, does not mean saturation',
      stats({ started: 5, completed: 0, dropped: 95 }),
      client({ rate: missed, startDelay: 104 }),
      [],
    ],
    [
      'a rate missed by idle virtual users that start late means saturation',
      stats({ late: 5 }),
      client({ rate: missed, startDelay: 8 }),
      [/missed the rate: 500\.0 of 1000\.0 iterations per second started, half of them more than 8 ms late$/],
    ],
    [
      'the few first starts of virtual users that were busy from then on say nothing about the load generator',
      stats({ late: 995 }),
      client({ rate: missed, startDelay: 9, idle: 5 }),
      [],
    ],
    [
      'a rate missed by a busy client gives two notes',
      stats({ late: 500 }),
      client({ utilization: 0.97, rate: missed }),
      [/busy 97 %/, /missed the rate/],
    ],
    ['a rate that is met gives no note', stats(), client({ rate: { asked: 1000, reached: 995 } }), []],
    [
      'exhausted files and ports mean saturation',
      stats({ codes: ['EMFILE', 'E_STATUS', 'EADDRNOTAVAIL', 'EMFILE'] }),
      client(),
      [/ran out of open files \(EMFILE\): .*ulimit -n/, /ran out of local ports.*\(EADDRNOTAVAIL\)/],
    ],
  ];
  for (const [what, figures, loop, notes] of rows) {
    it(what, () => {
      const rated = { ...figures, iterations: { ...figures.iterations, ...ratesOf(loop) } };
      const judged = judgeClient(rated, loop, 1000);
      expect(judged.saturated).to.equal(notes.length > 0);
      expect(judged.reasons).to.have.lengthOf(notes.length);
      notes.forEach((note, i) => expect(judged.reasons[i].message).to.match(note));
    });
  }

  it('a run of less than a second is only saturated by exhausted resources', () => {
    expect(judgeClient(stats(), client({ utilization: 1 }), 999)).to.deep.equal({ saturated: false, reasons: [] });
    expect(judgeClient(stats({ codes: ['EMFILE'] }), client(), 999).saturated).to.equal(true);
  });

  const input = ({ errors = [], area = 1000, busyTime = 1000, missing } = {}) => ({
    missing,
    notes: [],
    sharesLoop: false,
    accounting: { errors, area, busyTime },
    iterationLimit: null,
  });
  const verdicts = [
    ['a clean run is valid', stats(), input(), 'valid', []],
    [
      'errors of the service are its outcome, no doubt about the measurement',
      stats({ errors: 700 }),
      input(),
      'valid',
      [],
    ],
    [
      'virtual users none of which got a response are its outcome, too',
      stats({ errors: 5, reached: 0 }),
      input(),
      'valid',
      [],
    ],
    [
      'iterations that were cut off, never started, or got no response are the outcome, too',
      stats({ cancelled: 3, dropped: 500, reached: 5, loop: client({ rate: { asked: 1500, reached: 1000 } }) }),
      input(),
      'valid',
      [],
    ],
    [
      'a saturated client is suspect',
      stats(),
      { ...input(), notes: [{ code: 'saturated', message: 'why' }] },
      'suspect',
      [/^why$/],
    ],
    [
      'starts in bunches are suspect if the service could feel them',
      stats({ loop: spaced(1.2, 'timer'), median: 2 }),
      input(),
      'suspect',
      [/^iterations started in bunches: .* 1\.20 ms or more from its distance of 0\.50 ms .*: use --pacing thread$/],
    ],
    [
      'a thread that cannot space the starts needs another remedy',
      stats({ loop: spaced(1.2, 'thread'), median: 2 }),
      input(),
      'suspect',
      [/: use a lower rate, or more cores \(--workers\)$/],
    ],
    [
      'a thread that waited for a CPU a fortieth of the time needs one, at any rate and pacing',
      stats({ loop: { ...spaced(1.2, 'timer'), stops: stopsOf({ noCpu: 30, suspended: 20 }) }, median: 2 }),
      input(),
      'suspect',
      [/: end other programs, or give the load generator a core of its own: it was suspended, or waited for a CPU$/],
    ],
    [
      'the starts of one thread of many have a longer distance, which decides',
      stats({ loop: { ...spaced(3.2, 'timer'), startGap: 10 }, median: 2 }),
      input(),
      'valid',
      [],
    ],
    ['a slow service does not feel bunches', stats({ loop: spaced(1.2, 'timer'), median: 10 }), input(), 'valid', []],
    [
      'starts near their planned distance are even',
      stats({ loop: spaced(0.4, 'timer'), median: 0.2 }),
      input(),
      'valid',
      [],
    ],
    ['too few starts are no bunches', stats({ loop: spaced(1.2, 'timer', 50), median: 2 }), input(), 'valid', []],
    [
      'a server in the same thread is suspect',
      stats(),
      { ...input(), sharesLoop: true },
      'suspect',
      [/^load generator and server shared an event loop/],
    ],
    [
      'S44 twenty iterations are too short to judge',
      stats({ started: 20, reached: 1, asked: 1, measuredElapsed: 170 }),
      input(),
      'suspect',
      [/^too short to judge: 20 iterations in 0\.17 s; run it for longer, such as -t 10s$/],
    ],
    [
      'one iteration of each virtual user is too short to judge',
      stats({ started: 100, reached: 100, asked: 100 }),
      input(),
      'suspect',
      [/^too short to judge: 100 iterations of 100 virtual users in 2\.00 s; run it for longer, such as -t 10s$/],
    ],
    ['two iterations of each virtual user can be judged', stats({ asked: 500, reached: 500 }), input(), 'valid', []],
    [
      'S44 many iterations in less than a second are too short to judge',
      stats({ measuredElapsed: 170 }),
      input(),
      'suspect',
      [/^too short to judge: 1,000 iterations of 10 virtual users in 0\.17 s/],
    ],
    [
      'a number of iterations that ended the run is raised by the advice',
      stats({ started: 20, asked: 1, reached: 1, measuredElapsed: 170 }),
      { ...input(), iterationLimit: { own: 20, whole: 20 } },
      'suspect',
      [/in 0\.17 s; run more iterations, such as -n 1000$/],
    ],
    [
      'one that did not end it is not',
      stats({ started: 20, asked: 1, reached: 1, measuredElapsed: 1000 }),
      { ...input(), iterationLimit: { own: 5000, whole: 5000 } },
      'suspect',
      [/run it for longer, such as -t 10s$/],
    ],
    [
      'the number of a shard is that of the whole run',
      stats({ started: 20, asked: 1, reached: 1, measuredElapsed: 170 }),
      { ...input(), iterationLimit: { own: 20, whole: 80 } },
      'suspect',
      [/such as -n 5000$/],
    ],
    [
      'a rate that needs hours has a higher one as advice',
      stats({
        started: 5,
        asked: 1,
        reached: 1,
        measuredElapsed: 180_000,
        loop: client({ rate: { asked: 1 / 36, reached: 1 / 36 } }),
      }),
      { ...input(), iterationLimit: { own: 5, whole: 5 } },
      'suspect',
      [/; use a higher rate, or run more iterations, such as -n 200$/],
    ],
    [
      'a sum of results, whose limits are not known, names no option',
      stats({ started: 20, asked: 1, reached: 1, measuredElapsed: 10_000 }),
      { ...input(), iterationLimit: undefined },
      'suspect',
      [/in 10\.00 s; run it for longer$/],
    ],
    [
      'the advised length has enough iterations',
      stats({ started: 20, asked: 1, reached: 1, measuredElapsed: 10_000 }),
      input(),
      'suspect',
      [/in 10\.00 s; run it for longer, such as -t 63s$/],
    ],
    [
      'a failed accounting check is invalid',
      stats(),
      input({ errors: ['accounting: one is missing'] }),
      'invalid',
      [/^accounting: one is missing$/],
    ],
    ["a deviation of 4 % from Little's law is accepted", stats(), input({ area: 1040 }), 'valid', []],
    [
      "a deviation of 10 % from Little's law is suspect",
      stats(),
      input({ area: 1100 }),
      'suspect',
      [/^Little's law: 1100 ms of running iterations, but their durations add up to 1000 ms$/],
    ],
    [
      "Little's law is not checked if the result lacks something",
      stats(),
      input({ area: 1100, missing: ['agent a was lost'] }),
      'suspect',
      [/^agent a was lost$/],
    ],
    [
      "Little's law is not checked if iterations were cancelled",
      stats({ cancelled: 1 }),
      input({ area: 1100 }),
      'valid',
      [],
    ],
    [
      'the accounting is not checked before the end',
      stats(),
      { notes: [], sharesLoop: false, accounting: null },
      'valid',
      [],
    ],
  ];
  for (const [title, figures, given, status, reasons] of verdicts) {
    it(title, () => {
      const judged = judge(figures, given);
      // A short run has wide intervals, and percentiles without enough values: its figures are as true as others.
      if (judged.remarks?.[0]?.code === 'tooShort') {
        expect(judged.status).to.equal('valid');
        expect(judged.remarks[0].message).to.match(reasons[0]);
        return;
      }
      expect(judged.status).to.equal(status);
      expect(judged.reasons).to.have.lengthOf(reasons.length);
      reasons.forEach((reason, i) => expect(judged.reasons[i].message).to.match(reason));
    });
  }
});

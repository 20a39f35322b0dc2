import { expect } from 'chai';

import { judge, judgeClient } from '../../../lib/measure/verdict.js';

const stats = ({
  started = 1000,
  late = 0,
  dropped = 0,
  cancelled = 0,
  errors = 0,
  median = 10,
  codes = [],
  asked = 10,
  reached = 10,
} = {}) => ({
  iterations: { started, late, dropped, cancelled },
  main: { serviceTime: { median } },
  errors: { count: errors, samples: codes.map((code) => ({ code })) },
  requests: { connections: { asked, reached } },
});
const client = ({ utilization = 0.5, mean = 0.2, rate = null, startDelay = 0.1, workers = 1, still = {} } = {}) => ({
  utilization,
  delay: { mean, p99: 1, max: 5 },
  cpu: 1,
  gc: 1,
  standstill: { longest: 0, spared: 0, ...still },
  rate,
  startDelay: { median: startDelay },
  workers,
});
const missed = { asked: 1000, reached: 500 };

describe('measure/verdict', () => {
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
      'an event loop delay above the median service time means saturation',
      stats({ median: 5 }),
      client({ mean: 8 }),
      [/mean delay of its event loop was 8\.0 ms/],
    ],
    [
      'N9 a standstill that put timeouts off is named',
      stats(),
      client({ still: { longest: 690, spared: 16 } }),
      [/stalled for 0\.7 s.*; 16 timeouts that expired meanwhile were postponed/],
    ],
    ['N9 a short standstill that no timeout met is not', stats(), client({ still: { longest: 690 } }), []],
    ['delays below a millisecond are the resolution of timers', stats({ median: 0.1 }), client({ mean: 0.9 }), []],
    ['a slow server does not mean saturation', stats({ median: 200 }), client({ mean: 3 }), []],
    [
      'a rate missed because all lanes were busy does not mean saturation',
      stats({ late: 500, dropped: 500 }),
      client({ rate: missed }),
      [],
    ],
    [
      'a rate missed although virtual users were free means saturation',
      stats(),
      client({ rate: missed }),
      [/missed the rate: 500\.0 of 1000\.0 iterations per second/],
    ],
    [
      'a rate missed by lanes that start late means saturation',
      stats({ late: 5 }),
      client({ rate: missed, startDelay: 4 }),
      [/missed the rate/],
    ],
    [
      'a rate missed by a busy client gives two notes',
      stats({ late: 500 }),
      client({ utilization: 0.97, rate: missed }),
      [/busy 97 %/, /missed the rate/],
    ],
    ['a rate that is met gives no note', stats(), client({ rate: { asked: 1000, reached: 995 } }), []],
    ['a run without times gives no note', stats({ median: null }), client({ mean: 9 }), []],
    [
      'exhausted files and ports mean saturation',
      stats({ codes: ['EMFILE', 'E_STATUS', 'EADDRNOTAVAIL', 'EMFILE'] }),
      client(),
      [/ran out of open files \(EMFILE\): .*ulimit -n/, /ran out of local ports.*\(EADDRNOTAVAIL\)/],
    ],
  ];
  for (const [what, figures, loop, notes] of rows) {
    it(what, () => {
      const judged = judgeClient(figures, loop, 1000);
      expect(judged.saturated).to.equal(notes.length > 0);
      expect(judged.notes).to.have.lengthOf(notes.length);
      notes.forEach((note, i) => expect(judged.notes[i]).to.match(note));
    });
  }

  it('a run of less than a second is only saturated by exhausted resources', () => {
    expect(judgeClient(stats(), client({ utilization: 1 }), 999)).to.deep.equal({ saturated: false, notes: [] });
    expect(judgeClient(stats({ codes: ['EMFILE'] }), client(), 999).saturated).to.equal(true);
  });

  const input = ({ errors = [], area = 1000, busyTime = 1000 } = {}) => ({
    notes: [],
    sharesLoop: false,
    accounting: { errors, area, busyTime },
  });
  const verdicts = [
    ['a clean run is valid', stats(), input(), 'valid', []],
    ['one error in a thousand is accepted', stats({ errors: 1 }), input(), 'valid', []],
    ['more errors are suspect', stats({ errors: 2 }), input(), 'suspect', [/^errors: 2 in 1,000 iterations$/]],
    [
      'cancelled iterations are suspect',
      stats({ cancelled: 3 }),
      input(),
      'suspect',
      [/^cancelled: 3 iterations were still running/],
    ],
    [
      'dropped iterations are suspect',
      stats({ dropped: 1 }),
      input(),
      'suspect',
      [/^dropped: 1 iteration was due, but never started; use more virtual users \(-c\), or a lower rate$/],
    ],
    [
      'dropped iterations have no remedy if the load generator was the limit',
      stats({ dropped: 98_592 }),
      { ...input(), notes: ['why'] },
      'suspect',
      [/^why$/, /^dropped: 98,592 iterations were due, but never started$/],
    ],
    ['a saturated client is suspect', stats(), { ...input(), notes: ['why'] }, 'suspect', [/^why$/]],
    [
      'a server in the same thread is suspect',
      stats(),
      { ...input(), sharesLoop: true },
      'suspect',
      [/^client and server shared an event loop/],
    ],
    [
      'connections without any response are suspect',
      stats({ reached: 5 }),
      input(),
      'suspect',
      [/^connections: 5 of 10 ever received a response$/],
    ],
    [
      'a handful of iterations is too short to judge',
      stats({ started: 9, reached: 1, asked: 1 }),
      input(),
      'suspect',
      [/^too short to judge: 9 iterations; run more of them, such as -n 1000 or -t 10s$/],
    ],
    [
      'one iteration of each virtual user is too short to judge',
      stats({ started: 100, reached: 100, asked: 100 }),
      input(),
      'suspect',
      [/^too short to judge: 100 iterations of 100 virtual users;/],
    ],
    ['two iterations of each virtual user can be judged', stats({ started: 20 }), input(), 'valid', []],
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
      "Little's law is not checked if iterations were cancelled",
      stats({ cancelled: 1 }),
      input({ area: 1100 }),
      'suspect',
      [/^cancelled/],
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
      expect(judged.status).to.equal(status);
      expect(judged.reasons).to.have.lengthOf(reasons.length);
      reasons.forEach((reason, i) => expect(judged.reasons[i]).to.match(reason));
    });
  }
});

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
const client = ({ utilization = 0.5, mean = 0.2, rate = null, startDelay = 0.1, workers = 1 } = {}) => ({
  utilization,
  delay: { mean, p99: 1, max: 5 },
  cpu: 1,
  gc: 1,
  rate,
  startDelay: { median: startDelay },
  workers,
});
const missed = { asked: 1000, reached: 500 };

describe('measure/verdict', () => {
  const rows = [
    ['a free client is not the limit', stats(), client(), []],
    [
      'an event loop that is never idle is',
      stats(),
      client({ utilization: 0.99 }),
      [/event loop was busy 99 %.*more cores \(--workers\)/],
    ],
    [
      'of several threads, more cores are no cure',
      stats(),
      client({ utilization: 0.99, workers: 4 }),
      [/busy 99 % of the time; use fewer hooks, or another machine/],
    ],
    [
      'one that is held up longer than half of the requests take is late',
      stats({ median: 5 }),
      client({ mean: 8 }),
      [/held up by 8\.0 ms/],
    ],
    ['delays below a millisecond are those of timers', stats({ median: 0.1 }), client({ mean: 0.9 }), []],
    ['a slow server is not the client', stats({ median: 200 }), client({ mean: 3 }), []],
    [
      'a rate missed because all lanes were taken is not the client',
      stats({ late: 500, dropped: 500 }),
      client({ rate: missed }),
      [],
    ],
    [
      'a rate missed though lanes were free is',
      stats(),
      client({ rate: missed }),
      [/missed the rate: 500\.0 of 1000\.0 iterations a second/],
    ],
    [
      'a rate missed by lanes that wake late is',
      stats({ late: 5 }),
      client({ rate: missed, startDelay: 4 }),
      [/missed the rate/],
    ],
    [
      'a rate missed by a busy client is',
      stats({ late: 500 }),
      client({ utilization: 0.97, rate: missed }),
      [/busy 97 %/, /missed the rate/],
    ],
    ['a rate that is met is not worth a word', stats(), client({ rate: { asked: 1000, reached: 995 } }), []],
    ['nothing measured, nothing said', stats({ median: null }), client({ mean: 9 }), []],
    [
      'files and ports that ran out are the client',
      stats({ codes: ['EMFILE', 'E_STATUS', 'EADDRNOTAVAIL', 'EMFILE'] }),
      client(),
      [/ran out of files: .*ulimit -n.*\(EMFILE\)/, /ran out of local ports.*\(EADDRNOTAVAIL\)/],
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

  it('of a run of less than a second only what ran out is said', () => {
    expect(judgeClient(stats(), client({ utilization: 1 }), 999)).to.deep.equal({ saturated: false, notes: [] });
    expect(judgeClient(stats({ codes: ['EMFILE'] }), client(), 999).saturated).to.equal(true);
  });

  const books = ({ imbalances = [], area = 1000, spent = 1000 } = {}) => ({
    notes: [],
    sharesLoop: false,
    books: { imbalances, area, spent },
  });
  const verdicts = [
    ['nothing speaks against it', stats(), books(), 'valid', []],
    ['one error in a thousand does not', stats({ errors: 1 }), books(), 'valid', []],
    ['more errors do', stats({ errors: 2 }), books(), 'suspect', [/^errors: 2 in 1000 iterations$/]],
    ['what was cut off does', stats({ cancelled: 3 }), books(), 'suspect', [/^cut off: 3 iterations had not ended/]],
    [
      'what was dropped does',
      stats({ dropped: 1 }),
      books(),
      'suspect',
      [/^dropped: 1 iterations were due and never started$/],
    ],
    ['a client that was the limit does', stats(), { ...books(), notes: ['why'] }, 'suspect', [/^why$/]],
    [
      'a server in the same thread does',
      stats(),
      { ...books(), sharesLoop: true },
      'suspect',
      [/^client and server shared an event loop/],
    ],
    [
      'lanes that never got an answer do',
      stats({ reached: 5 }),
      books(),
      'suspect',
      [/^connections: 10 were asked for, 5 ever got an answer$/],
    ],
    [
      'books that do not balance make it worthless',
      stats(),
      books({ imbalances: ['books: one is missing'] }),
      'invalid',
      [/^books: one is missing$/],
    ],
    ["Little's law within 5 % is kept", stats(), books({ area: 1040 }), 'valid', []],
    [
      "Little's law further off is not",
      stats(),
      books({ area: 1100 }),
      'suspect',
      [/^Little's law: 1100 ms of iterations under way, but their times add up to 1000 ms$/],
    ],
    [
      "of iterations that were cut off Little's law says nothing",
      stats({ cancelled: 1 }),
      books({ area: 1100 }),
      'suspect',
      [/^cut off/],
    ],
    ['before the end the books are not looked at', stats(), { notes: [], sharesLoop: false, books: null }, 'valid', []],
  ];
  for (const [what, figures, evidence, status, reasons] of verdicts) {
    it(`valid, suspect or invalid: ${what}`, () => {
      const judged = judge(figures, evidence);
      expect(judged.status).to.equal(status);
      expect(judged.reasons).to.have.lengthOf(reasons.length);
      reasons.forEach((reason, i) => expect(judged.reasons[i]).to.match(reason));
    });
  }
});

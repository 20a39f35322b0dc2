import { expect } from 'chai';

import { judge, judgeClient } from '../../../lib/measure/verdict.js';

const stats = ({ started = 1000, dropped = 0, cancelled = 0, errors = 0, median = 10 } = {}) => ({
  iterations: { started, dropped, cancelled },
  main: { serviceTime: { median } },
  errors: { count: errors },
});
const client = ({ utilization = 0.5, mean = 0.2 } = {}) => ({ utilization, delay: { mean, p99: 1, max: 5 }, cpu: 1, gc: 1 });

describe('measure/verdict', () => {
  const rows = [
    ['a free client is not the limit', stats(), client(), []],
    ['an event loop that is never idle is', stats(), client({ utilization: 0.99 }), [/event loop was busy 99 %/]],
    ['one that is held up longer than half of the requests take is late', stats({ median: 5 }), client({ mean: 8 }), [/held up by 8\.0 ms/]],
    ['delays below a millisecond are those of timers', stats({ median: 0.1 }), client({ mean: 0.9 }), []],
    ['a slow server is not the client', stats({ median: 200 }), client({ mean: 3 }), []],
    ['a rate missed by a server that is slow is not the client', stats({ dropped: 500 }), client(), []],
    ['a rate missed by a busy client is', stats({ dropped: 500 }), client({ utilization: 0.97 }), [/busy 97 %/, /500 of 1500 iterations never started/]],
    ['nothing measured, nothing said', stats({ median: null }), client({ mean: 9 }), []],
  ];
  for (const [what, figures, loop, notes] of rows) {
    it(what, () => {
      const judged = judgeClient(figures, loop, 1000);
      expect(judged.saturated).to.equal(notes.length > 0);
      expect(judged.notes).to.have.lengthOf(notes.length);
      notes.forEach((note, i) => expect(judged.notes[i]).to.match(note));
    });
  }

  it('a run of less than a second is not judged', () => {
    expect(judgeClient(stats(), client({ utilization: 1 }), 999)).to.deep.equal({ saturated: false, notes: [] });
  });

  const free = { saturated: false, notes: [] };
  const verdicts = [
    ['nothing speaks against it', stats(), free, 'valid', []],
    ['one error in a thousand does not', stats({ errors: 1 }), free, 'valid', []],
    ['more errors do', stats({ errors: 2 }), free, 'suspect', ['errors: 2 in 1000 iterations']],
    ['what was cut off does', stats({ cancelled: 3 }), free, 'suspect', ['cut off: 3 iterations had not ended when the run was over']],
    ['what was dropped does', stats({ dropped: 1 }), free, 'suspect', ['dropped: 1 iterations were due and never started']],
    ['a client that was the limit does', stats(), { saturated: true, notes: ['why'] }, 'suspect', ['why']],
  ];
  for (const [what, figures, judged, status, reasons] of verdicts) {
    it(`valid or suspect: ${what}`, () => expect(judge(figures, judged)).to.deep.equal({ status, reasons }));
  }
});

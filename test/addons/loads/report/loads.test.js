import { expect } from 'chai';

import { LOAD_COLUMNS, loadRows } from '../../../../lib/addons/loads/report/loads.js';
import { glyphsOf } from '../../../../lib/core/report/terminal.js';
import { table, widthOf } from '../../../../lib/core/report/text/layout.js';

const load = (name, code) => ({
  name,
  ...{ startAfter: 300, errors: 0, rate: 1234, virtualUsers: { started: 100 } },
  iterations: { started: 12_345, completed: 12_345, dropped: 0, late: 12, maxBacklog: 10, plannedRate: 1234 },
  series: { interval: 1000, points: [] },
  validity: { status: 'suspect', reasons: [{ code, message: '' }] },
});

describe('the table of loads', () => {
  it('says how many iterations of a load are missing, as its agent was lost', () => {
    const lacking = load('visits', 'tooShort');
    lacking.iterations.missing = 1200;
    expect(loadRows({ loads: [lacking] })[0]).to.include({ state: 'undecided' });
    expect(loadRows({ loads: [lacking] })[0].cells.at(-1)).to.equal('1,200 missing');
  });

  it('names what fails the run before what is missing, and what a threshold allows as passed', () => {
    const failing = { ...load('visits', 'tooShort'), errors: 100 };
    failing.iterations.missing = 1200;
    const sent = { ...failing, iterations: { ...failing.iterations, missing: 0 } };
    sent.validity = { status: 'valid', reasons: [] };
    const errors = { count: 100, kinds: {} };
    const verdict = (one, thresholds = []) => {
      const [{ state, cells }] = loadRows({ loads: [one], errors, thresholds });
      return `${state}: ${cells.at(-1)}`;
    };
    expect(verdict(failing)).to.equal('failed: 0.8 % failed');
    expect(verdict(failing, [{ expression: 'errors<1%' }])).to.equal('undecided: 1,200 missing');
    expect(verdict(sent, [{ expression: 'errors<1%' }])).to.equal('passed: 0.8 % failed');
    sent.iterations.dropped = 12_345;
    expect(verdict(sent, [{ expression: 'errors<1%' }])).to.equal('failed: 50 % dropped');
    expect(
      verdict(
        sent,
        ['errors<1%', 'visits dropped<50000'].map((expression) => ({ expression })),
      ),
    ).to.equal('passed: 50 % dropped');
  });

  for (const code of ['loadGeneratorInFigures', 'bunchedStarts', 'accounting', 'tooShort'])
    it(`fits a terminal of 80 columns, with the verdict of ${code}`, () => {
      const rows = loadRows({ loads: [load('visits of the first page', code)] });
      const cells = rows.map(({ name, cells: own }) => [name, ...own.slice(0, -1), `! ${own.at(-1)}`]);
      const columns = [{ head: 'load', isText: true }, ...LOAD_COLUMNS];
      const lines = table(columns, cells, { width: 80, paint: (_style, text) => text, glyphs: glyphsOf(true) });
      expect(lines.map(widthOf).filter((width) => width > 80)).to.deep.equal([]);
    });
});

import { expect } from 'chai';

import { LOAD_COLUMNS, loadRows } from '../../../lib/report/loads.js';
import { table, widthOf } from '../../../lib/report/text/layout.js';

const load = (name, code) => ({
  name,
  ...{ startAfter: 300, errors: 0, rate: 1234, virtualUsers: { started: 100 } },
  iterations: { started: 12_345, completed: 12_345, dropped: 0, late: 12, maxBacklog: 10, plannedRate: 1234 },
  validity: { status: 'suspect', reasons: [{ code, message: '' }] },
});

describe('the table of loads', () => {
  it('says how many iterations of a load are missing, as its agent was lost', () => {
    const lacking = load('visits', 'tooShort');
    lacking.iterations.missing = 1200;
    expect(loadRows({ loads: [lacking] })[0]).to.include({ state: 'suspect' });
    expect(loadRows({ loads: [lacking] })[0].cells.at(-1)).to.equal('1,200 missing');
  });

  for (const code of ['loadGeneratorInFigures', 'bunchedStarts', 'accounting', 'tooShort'])
    it(`fits a terminal of 80 columns, with the verdict of ${code}`, () => {
      const rows = loadRows({ loads: [load('visits of the first page', code)] });
      const cells = rows.map(({ name, cells: own }) => [name, ...own.slice(0, -1), `! ${own.at(-1)}`]);
      const columns = [{ head: 'load', isText: true }, ...LOAD_COLUMNS];
      const lines = table(columns, cells, { width: 80, paint: (_style, text) => text });
      expect(lines.map(widthOf).filter((width) => width > 80)).to.deep.equal([]);
    });
});

import { expect } from 'chai';

import { headOf } from '../../../lib/core/report/rows.js';
import { literalResult } from '../../support/literal-result.js';

describe('report/rows: what a report is about', () => {
  const titleOf = (from) => {
    const { run, ...result } = literalResult();
    return headOf({ ...result, run: { ...run, flow: { ...run.flow, source: from } } }).title;
  };

  it('the title is that of the run, or the file of the flow', () => {
    expect(headOf({ ...literalResult(), title: 'mine' }).title).to.equal('mine');
    expect(titleOf('/home/me/checkout.mjs')).to.equal('checkout.mjs');
    expect(headOf({ ...literalResult(), run: undefined })).to.deep.equal({ title: 'result', subtitle: '', about: [] });
  });

  for (const from of ['-e', '/', 'http://localhost:8000/items/1', 'https://a/, https://b/'])
    it(`the title of ${from} is the first operation`, () =>
      expect(titleOf(from)).to.equal(literalResult().operations[0].name));

  it('the other lines are the load with its target, and date, version and machine', () => {
    const { subtitle, about } = headOf(literalResult());
    expect(subtitle).to.equal('3 s, 34/s against http://127.0.0.1:8000');
    expect(about).to.deep.equal(['2026-11-21 00:00:00 UTC', 'bench-rest 2.0.0', 'Node 20.0.0', 'linux, 2 x CPU']);
  });
});

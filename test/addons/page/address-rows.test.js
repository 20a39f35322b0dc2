import { expect } from 'chai';

import { render as markdown } from '../../../lib/addons/formats/markdown.js';
import { modelOf } from '../../../lib/addons/page/model.js';
import { addressRows } from '../../../lib/core/report/rows.js';
import { render as text } from '../../../lib/core/report/text/index.js';
import { literalResult } from '../../support/literal-result.js';

const one = (address, more) => ({
  ...{ name: 'api.test:80', address, connections: 2, failed: 0, requests: 40, time: 100 },
  ...more,
});
const addresses = [
  one('10.0.0.1'),
  one('10.0.0.2', { connections: 0, failed: 1, requests: 0, error: 'ECONNREFUSED' }),
  one('10.0.0.3', { connections: 0, requests: 0 }),
];
const FIGURES = [
  '2 connections, 40 requests, mean 2.50 ms',
  '1 failed attempt to connect (ECONNREFUSED), not used',
  'not used: fewer connections than addresses',
];

describe('addresses in reports', () => {
  it('a row has the figures of an address in words', () => {
    const { rows, more } = addressRows({ requests: { addresses } });
    expect(rows.map(({ figures }) => figures)).to.deep.equal(FIGURES);
    expect([rows.map(({ hasFailed }) => hasFailed), more]).to.deep.equal([[false, true, false], '']);
  });

  it('a run of names with one address has none, and of many addresses ten are named', () => {
    expect(addressRows({ requests: {} }).rows).to.deep.equal([]);
    const many = Array.from({ length: 12 }, (_, i) => one(`10.0.0.${i}`));
    const moreOf = (count) => addressRows({ requests: { addresses: many.slice(0, count) } }).more;
    expect(addressRows({ requests: { addresses: many } }).rows).to.have.lengthOf(10);
    expect([10, 11, 12].map(moreOf)).to.deep.equal([
      '',
      '1 more address in the result (requests.addresses)',
      '2 more addresses in the result (requests.addresses)',
    ]);
  });

  it('text, Markdown and page have the same words', () => {
    const result = literalResult();
    result.requests.addresses = addresses;
    for (const figures of FIGURES) expect(text(result)).to.include(figures);
    expect(markdown(result)).to.include(`| 10.0.0.1 | api.test:80 | ${FIGURES[0]} |`);
    expect(modelOf(result, () => []).addresses).to.deep.equal(addressRows(result));
  });
});

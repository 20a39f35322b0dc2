import { expect } from 'chai';

import { render as markdown } from '../../../lib/addons/formats/markdown.js';
import { modelOf } from '../../../lib/addons/page/model.js';
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

/** The blocks of the page of a result with these addresses. */
const blocksOf = (all) => {
  const result = literalResult();
  if (all) result.requests.addresses = all;
  return modelOf(result, () => []).sections.find(({ name }) => name === 'addresses').blocks;
};

describe('addresses in reports', () => {
  it('an address has its figures in words, and a failed attempt is marked', () =>
    expect(blocksOf(addresses)).to.deep.equal([
      {
        title: { text: 'addresses of api.test:80', style: 'bold' },
        list: addresses.map(({ address, failed }, i) => ({
          text: `${address}  ${FIGURES[i]}`,
          ...(failed > 0 && { style: 'yellow' }),
        })),
      },
    ]));

  it('a run of names with one address has none, and of many addresses ten are named', () => {
    expect(blocksOf()).to.deep.equal([]);
    const many = Array.from({ length: 12 }, (_, i) => one(`10.0.0.${i}`));
    const moreOf = (count) => blocksOf(many.slice(0, count))[1]?.remarks[0].text;
    expect(blocksOf(many)[0].list).to.have.lengthOf(10);
    expect([10, 11, 12].map(moreOf)).to.deep.equal([
      undefined,
      '1 more address in the result (requests.addresses)',
      '2 more addresses in the result (requests.addresses)',
    ]);
  });

  it('text and Markdown have the same words', () => {
    const result = literalResult();
    result.requests.addresses = addresses;
    for (const figures of FIGURES) expect(text(result)).to.include(figures);
    expect(markdown(result)).to.include(`- 10.0.0.1  ${FIGURES[0]}\n- **10.0.0.2  ${FIGURES[1]}**\n`);
  });
});

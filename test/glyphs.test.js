import { expect } from 'chai';

import { CAPACITY_COMPARISON_FORMATS } from '../lib/addons/capacity/formats.js';
import { compareCapacities } from '../lib/addons/capacity/report/comparison.js';
import { comparisonOf } from '../lib/addons/compare/report/index.js';
import { COMPARISON_FORMATS } from '../lib/addons/compare/formats.js';
import { glyphsOf } from '../lib/core/report/terminal.js';
import { render as renderResult } from '../lib/core/report/text/index.js';
import { literalCapacity } from './support/literal-capacity.js';
import { literalResult } from './support/literal-result.js';

const LONG = 'x'.repeat(200);
const PROFILE = { kind: 'cpu', unit: 'ms', base: 0.005, new: 0.006 };
const CHANGED = { name: LONG, file: LONG, line: 3, origin: 'own', base: 0.001, new: 0.002 };

const [renderComparison, renderCapacities] = await Promise.all(
  [COMPARISON_FORMATS, CAPACITY_COMPARISON_FORMATS].map(async ([{ load }]) => (await load()).render),
);

describe('report/glyphs', () => {
  it('both sets have the same keys', () => {
    expect(Object.keys(glyphsOf(false))).to.deep.equal(Object.keys(glyphsOf(true)));
  });

  it('one of them is ASCII', () => {
    expect(Object.values(glyphsOf(false)).flat().join('')).to.match(/^[!-~]+$/);
  });

  it('texts for a locale that is not UTF-8 are ASCII, and no wider than the terminal', () => {
    const result = literalResult();
    const comparison = comparisonOf([result], [result], { labels: ['a', 'b'] });
    const [operation] = comparison.operations;
    const long = { ...comparison, operations: [{ ...operation, name: LONG }, operation] };
    const profiles = [{ ...PROFILE, functions: [CHANGED] }];
    const section = { title: 'own', lines: [], columns: ['', 'b'], rows: [[LONG, 1]], failed: false };
    const capacities = compareCapacities(literalCapacity(), literalCapacity(), [LONG, 'b']);
    const options = { unicode: false, width: 80 };
    const texts = [
      renderComparison({ ...long, profiles }, options),
      renderResult({ ...result, section, baseline: { ...long, from: 'a', profiles } }, { ...options, full: true }),
      renderCapacities(capacities, options),
    ];
    for (const text of texts) {
      expect(text)
        .to.match(/^[\n -~]+$/)
        .and.include('...');
      expect(text.split('\n').filter((line) => line.length > options.width)).to.deep.equal([]);
    }
  });
});

import { expect } from 'chai';

import { comparisonOf } from '../../../lib/addons/compare/report/index.js';
import { render } from '../../../lib/addons/page/comparison.js';
import { expectOneScope } from '../../support/one-scope.js';
import { literalResult } from '../../support/literal-result.js';

describe('the page of a comparison', () => {
  it('the modules of the script are one script, in which no name is used twice', () => {
    expectOneScope(render(comparisonOf([literalResult()], [literalResult()])));
  });

  it('is a page in one file, without uPlot', () => {
    const html = render(comparisonOf([literalResult()], [literalResult()]));
    expect(html)
      .to.match(/^<!doctype html>/)
      .and.include("default-src 'none'")
      .and.not.include('uPlot(');
    expect(html.length).to.be.below(60_000);
  });
});

import { expect } from 'chai';

import { capacityModel, render } from '../../../lib/addons/page/capacity.js';
import { outcomeFor } from '../../../lib/core/measure/outcome.js';
import { literalCapacity } from '../../support/literal-capacity.js';
import { expectOneScope } from '../../support/one-scope.js';

describe('the page of a capacity', () => {
  it('the modules of the script are one script, in which no name is used twice', () => {
    expectOneScope(render(literalCapacity()));
  });

  it('is a page in one file, without uPlot', () => {
    const html = render(literalCapacity());
    expect(html)
      .to.match(/^<!doctype html>/)
      .and.include("default-src 'none'")
      .and.not.include('uPlot(');
    expect(html.length).to.be.below(60_000);
  });

  it('the curves are along the load, without settling steps, and mark the capacity and the knee', () => {
    const { points, marks, bands, outcome, steps } = capacityModel(literalCapacity());
    expect(points.map(({ load }) => load)).to.deep.equal([20, 80, 198, 198, 208, 320]);
    expect(marks).to.deep.equal([
      { load: 198, label: 'capacity 198/s' },
      { load: 80, label: 'knee 80/s' },
    ]);
    expect(bands).to.deep.equal([{ low: 193, high: 213 }]);
    expect(outcome).to.deep.include({ status: 'passed', word: '✓ found' });
    expect(steps.rows).to.have.length(7);
  });

  it('a capacity that failed its demand has a red band', () => {
    const failed = { ...literalCapacity(), outcome: outcomeFor(['threshold']) };
    expect(capacityModel(failed).outcome).to.include({ status: 'failed', word: '✗ failed' });
  });
});

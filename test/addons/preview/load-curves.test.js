import { expect } from 'chai';

import { curveOf, drawLoads, valueOf } from '../../../lib/addons/preview/load-curves.js';
import { widthOf } from '../../../lib/core/report/text/layout.js';

const OPEN = /** @type {const} */ ({ model: 'open' });
const VISITS = { ...OPEN, name: 'visits', rate: 200, virtualUsers: 50, duration: 60_000, text: '' };
const RAMP = {
  ...OPEN,
  name: 'ramp',
  virtualUsers: 10,
  startAfter: 10_000,
  stages: [
    { duration: 10_000, ramp: true, rate: 100 },
    { duration: 10_000, ramp: false, rate: 50 },
  ],
  text: '',
};
const IMPORT = { name: 'import', virtualUsers: 4, iterations: 1000, text: '' };

describe('the planned curve of a load', () => {
  it('is a rate or virtual users from its start to its end', () => {
    expect(curveOf(VISITS)).to.include({ isOpen: true, from: 0, to: 60_000, most: 200 });
    expect(curveOf({ ...VISITS, iterations: 200, duration: undefined }).to).to.equal(1000);
    expect(curveOf(IMPORT)).to.include({ isOpen: false, to: Infinity, most: 4 });
    const ramp = curveOf(RAMP);
    expect([0, 10_000, 15_000, 19_999, 20_000, 30_000].map((at) => valueOf(ramp, at))).to.deep.equal([
      null,
      0,
      50,
      99.99,
      50,
      null,
    ]);
  });

  it('has no value if the list of its stages is empty', () => {
    expect(valueOf(curveOf({ ...RAMP, stages: [] }), 10_000)).to.equal(null);
  });

  it('is drawn in the width of a terminal, whatever the names are', () => {
    const loads = ['a scenario with a name that goes on and on and on and on', '导入'].map((name) => ({
      ...RAMP,
      name,
    }));
    const lines = drawLoads(loads, { width: 80, unicode: true });
    expect(lines.map(widthOf).filter((width) => width > 80)).to.deep.equal([]);
    expect(lines[1]).to.match(/^a scenario with a n\w*… {2}/);
    expect(lines[2]).to.match(/^导入 {16,}/);
  });

  it('is drawn over time, all loads on one axis', () => {
    const [axis, visits, ramp] = drawLoads([VISITS, RAMP], { width: 200, unicode: true });
    expect(axis).to.match(/^ {8}0 +1 m$/);
    expect(visits).to.equal(`visits  ${'█'.repeat(60)}  200/s, up to 50 virtual users`);
    expect(ramp).to.match(/^ramp {4} {10}▁▂▂▃▄▅▆▆▇█▄{10} {30} {2}0 to 100\/s, up to 10 virtual users, from 10 s$/);
  });

  it('of a load that starts after another one has no known place', () => {
    const later = { ...IMPORT, name: 'later', after: 'import', iterations: undefined, duration: 1000 };
    const [, , line] = drawLoads([VISITS, later], { width: 200, unicode: false });
    expect(line).to.equal(`later   ${' '.repeat(59)}>  4 virtual users, after import`);
  });

  it('ends with an arrow if its end is not known, also in ASCII', () => {
    const [, line] = drawLoads([IMPORT], { width: 200, unicode: false });
    expect(line).to.equal(`import  ${'#'.repeat(59)}>  4 virtual users, 1,000 iterations`);
  });
});

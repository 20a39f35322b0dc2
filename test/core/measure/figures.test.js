import { expect } from 'chai';

import { COUNTERS, FIGURES, HISTOGRAMS, valueAt } from '../../../lib/core/measure/figures.js';
import { judgeThresholds } from '../../../lib/core/measure/judge-thresholds.js';
import { readThreshold } from '../../../lib/core/measure/thresholds.js';
import { recorded, resultOf } from '../../support/recorded.js';

const stats = () => resultOf(recorded([{ at: 0, ms: 2, status: 200, waited: 1 }]), { planned: 1, peakRate: 2 });

/** This run has no expected interval, no TLS, no HTTP/2, no measured calls, and nothing before or after it. */
const OTHERS = FIGURES.flatMap(({ path }) => (/^(http2|outside)\./.test(path) ? path : []));
const NOT_HERE = ['main.corrected', 'connections.tls', 'requests.abandoned', 'requests.folded', ...OTHERS];

describe('measure/figures', () => {
  it('paths and names in thresholds are unique', () => {
    const names = FIGURES.flatMap(({ short }) => short ?? []);
    for (const all of [FIGURES.map(({ path }) => path), names]) expect(new Set(all).size).to.equal(all.length);
  });

  for (const { path, isOptional } of FIGURES.filter(({ path }) => !NOT_HERE.includes(path))) {
    it(`${path} is in the result${isOptional ? ', and may be missing' : ''}`, () => {
      expect(valueAt(stats(), path)).to.not.equal(undefined);
    });
  }

  for (const { path, short = path, kind, unit } of FIGURES.filter(({ kind }) => kind !== 'flag')) {
    const name = kind === 'histogram' ? `${short}.max` : short;
    if (/^(checks|errors)\./.test(name) || NOT_HERE.includes(path)) continue;
    it(`a threshold can name ${name}`, () => {
      const bound = unit === 'ms' ? '<1h' : name === 'checks' ? '>=0%' : '>=0';
      const result = stats();
      const [{ actual }] = judgeThresholds([readThreshold(`${name}${bound}`).threshold], result);
      expect(actual).to.equal(kind === 'histogram' ? valueAt(result, path).max : valueAt(result, path));
    });
  }

  it('counters and histograms are recorded under their names', () => {
    expect(COUNTERS.every(({ path, group, name }) => path === `${group}.${name}`)).to.equal(true);
    expect(
      HISTOGRAMS.filter(({ isRecorded }) => isRecorded).every(({ key, path }) => path.endsWith(`.${key}`)),
    ).to.equal(true);
  });
});

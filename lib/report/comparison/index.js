import { measurementOf } from '../outcome.js';
import { compareStats } from '../../measure/compare.js';
import { Histogram } from '../../measure/histogram.js';
import { headOf } from '../head.js';
import { silhouettes } from '../silhouettes.js';
import { supportedOnly } from '../supported.js';
import { differencesOf } from './differences.js';
import { sentenceOf } from './sentence.js';

/**
 * @import { Noise } from '../../measure/noise.js'
 * @import { Result } from '../types.js'
 * @import { Comparison, Side } from './types.js'
 */

/**
 * Compares results: their figures, and all that a report of the comparison shows, as plain data.
 *
 * @param {Result[]} bases at least one
 * @param {Result[]} others at least one
 * @param {{ isPaired?: boolean, labels?: [base: string, other: string], noise?: Noise }} [options] isPaired: run i of one side ran
 *   next to run i of the other; noise: how much runs differ by chance
 * @returns {Comparison}
 */
export function comparisonOf(bases, others, { isPaired = false, labels, noise } = {}) {
  const compared = compareStats(bases, others, { isPaired, noise });
  const sides = /** @type {[Side, Side]} */ (
    [bases, others].map((results, i) => sideOf(results, i === 0 ? 'A' : 'B', labels?.[i]))
  );
  return {
    sentence: sentenceOf(compared),
    sides,
    ...compared,
    differences: differencesOf(bases[0], others[0]),
    distribution: distributionOf([bases, others]),
    regressions: [],
  };
}

/** @type {(results: Result[], name: 'A' | 'B', label?: string) => Side} */
function sideOf(results, name, label) {
  const { title, subtitle, about } = headOf(results[0]);
  return {
    name,
    label: label ?? title,
    subtitle,
    about,
    measurement: [...new Set(results.map(measurementOf))],
    reasons: [...new Set(results.flatMap(({ verdict }) => verdict.reasons))],
  };
}

/** The response times of all runs of each side. @type {(sides: Result[][]) => Comparison['distribution']} */
function distributionOf(sides) {
  if (sides.flat().some(({ histograms }) => !histograms)) return null;
  return silhouettes(
    sides.map((results, i) => {
      const sum = new Histogram();
      for (const { main, histograms } of results) sum.add(Histogram.decode(main.ok, histograms?.ok));
      return {
        name: i === 0 ? 'A' : 'B',
        points: sum.percentileDistribution(),
        summary: supportedOnly(sum.toJSON()),
        hasMarks: true,
      };
    }),
  );
}

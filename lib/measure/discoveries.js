import { LEVEL } from './change.js';
import { discoveryLimit } from './statistics.js';

/**
 * @import { ComparedFigure } from './change.js'
 * @import { ComparedOperation } from './compared-operations.js'
 */

/** The level of all figures beside the deciding one, if that has not changed. */
const REST = 0.005;

/**
 * Corrects the verdicts of many tests. The figure of the conclusion is tested first, at its own level. The others share the rest of the
 * 5 %, and get its part as well if it has changed (the fallback procedure of Wiens 2003); among them Benjamini and Hochberg's procedure controls the
 * share of wrong discoveries. So a comparison of equal sides says in at most 5 % of cases that anything changed, however many figures it has.
 *
 * @param {{ figures: ComparedFigure[], operations: ComparedOperation[] }} compared each figure with a verdict of its own
 * @param {string} deciding the figure of the conclusion
 * @returns {{ figures: ComparedFigure[], operations: ComparedOperation[], tests: number }} tests: how many figures were tested
 */
export function withDiscoveries({ figures, operations }, deciding) {
  const first = figures.find(({ figure }) => figure === deciding);
  const others = [...figures, ...operations.flatMap((one) => one.figures)].filter((one) => one !== first);
  const ps = others.flatMap(({ p }) => p ?? []);
  const hasChanged = first?.verdict === 'better' || first?.verdict === 'worse';
  const limit = discoveryLimit(ps, hasChanged ? LEVEL + REST : REST);
  const corrected = (/** @type {ComparedFigure} */ one) =>
    one === first || one.p === null || one.p <= limit ? one : { ...one, verdict: /** @type {const} */ ('noise') };
  return {
    figures: figures.map(corrected),
    operations: operations.map((one) => ({ ...one, figures: one.figures.map(corrected) })),
    tests: ps.length + (first !== undefined && first.p !== null ? 1 : 0),
  };
}

import { statisticOf } from '../../measure/threshold-figures.js';
import { interval, percent, signed } from '../numbers.js';
import { isDeciding } from './objections.js';
import { cannotTell } from './rows.js';

/** @import { ComparedFigure, Conclusion } from '../../contracts/comparison.js' */
/** @import { ComparedStats } from '../../measure/compare.js' */
/** @import { FailedSide } from './objections.js' */

/**
 * @typedef {Pick<ComparedStats, 'conclusion' | 'figures' | 'totals'> & { failed?: FailedSide[] }} Concluded
 */

/**
 * Concludes a comparison in one sentence without a full stop: `p95 of B is 18.2 % lower (-20.1 % to -16.3 %)`. A side
 * that failed is named first.
 * @type {(comparison: Concluded) => string}
 */
export function sentenceOf({ failed = [], ...comparison }) {
  if (comparison.conclusion.change === null) return `Nothing to compare: ${obstacleOf(comparison)}`;
  const first = failed.filter(isDeciding).map(({ text }) => `${text}; `);
  const hasFailed = failed.some(({ isOnlyThreshold }) => !isOnlyThreshold);
  const text = conclusionText(comparison.conclusion, comparison.conclusion.change, hasFailed);
  return `${first.join('')}${text}${exceptionsText(comparison)}${failuresText(comparison)}`;
}

/** @type {(comparison: Concluded) => string} */
function obstacleOf({ totals }) {
  const [base, other] = [totals.base, totals.new].map(({ iterations }) => iterations.failedShare === 1);
  if (base && other) return 'all iterations of both sides failed';
  if (base || other) return `all iterations of ${base ? 'A' : 'B'} failed`;
  return 'a side has no measured iterations';
}

/** @type {(conclusion: Omit<Conclusion, 'message'>, change: number, hasFailed: boolean) => string} */
function conclusionText({ figure, verdict, interval: ends, ...conclusion }, change, hasFailed) {
  const name = statisticOf(figure);
  if (verdict === 'noise') return `No significant difference (${name}: ${interval(ends)})`;
  const reason = untestedReason(conclusion);
  if (reason) return `${cannotTell(reason)} (${name}: ${signed(change)})`;
  const amount = signed(Math.abs(change)).replace('+', '');
  return `${name} of ${hasFailed ? 'what B completed' : 'B'} is ${amount} ${change > 0 ? 'higher' : 'lower'} (${interval(ends)})`;
}

/**
 * A side that failed is not better, but its change was tested.
 * @type {(conclusion: Pick<Conclusion, 'reason'>) => Conclusion['reason']}
 */
function untestedReason({ reason }) {
  return reason?.code === 'sideFailed' ? undefined : reason;
}

/**
 * Other figures that changed, if not in the same direction: `, but p99 is worse`.
 * @type {(comparison: Concluded) => string}
 */
function exceptionsText({ conclusion, figures }) {
  const { verdict, change } = conclusion;
  // A side that failed is not better, but the iterations that it completed were.
  const isTested = verdict === 'unknown' && !untestedReason(conclusion);
  const named = isTested ? ((change ?? 0) > 0 ? 'worse' : 'better') : verdict;
  const parts = /** @type {const} */ (['better', 'worse']).flatMap((direction) => {
    const names = figures.filter((one) => one.verdict === direction && direction !== named).map(nameOf);
    return names.length > 0 ? [`${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} ${direction}`] : [];
  });
  return parts.length > 0 ? `, but ${parts.join(', ')}` : '';
}

/** @type {(figure: ComparedFigure) => string} */
function nameOf({ figure, unit }) {
  return unit === 'ms' ? statisticOf(figure) : 'the rate';
}

/** A side that fails answers faster or slower for it. @type {(comparison: Concluded) => string} */
function failuresText({ totals }) {
  const [base, other] = [totals.base.iterations, totals.new.iterations];
  const parts = [
    ...(base.failed > 0 || other.failed > 0
      ? [`; iterations failed: A ${percent(base.failedShare ?? 0)}, B ${percent(other.failedShare ?? 0)}`]
      : []),
    ...(base.unsentShare > 0 || other.unsentShare > 0
      ? [`; never started: A ${percent(base.unsentShare)}, B ${percent(other.unsentShare)}`]
      : []),
  ];
  return parts.join('');
}

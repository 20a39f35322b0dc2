import { INTERVAL, THRESHOLD_HEAD, figureRow, methodText, operationRow, thresholdRows } from '../comparison/rows.js';
import { count, counted } from '../numbers.js';
import { embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { ComparedFigure } from '../../contracts/comparison.js' */
/** @import { Comparison, RenderComparison } from '../comparison/formats.js' */

const ASSETS = readAssets('client/comparison-page.js');

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div id="sides" class="sides"></div>
${section('Figures', 'figures')}
${section('Distribution', 'distribution')}
${section('Operations', 'operations')}
${section('Thresholds', 'thresholds')}
${section('What differs', 'differences')}
<p id="method" class="quiet small"></p>`;

/** The page of a comparison. @type {RenderComparison} */
export function render(comparison) {
  const data = embeddedJson(comparisonModel(comparison));
  return shellOf({ title: 'bench-rest', body: BODY, data, assets: ASSETS });
}

/**
 * @typedef {ReturnType<typeof comparisonModel>} ComparisonModel
 */

const STATUSES = {
  better: { status: 'passed', word: '✓ better' },
  worse: { status: 'failed', word: '✗ worse' },
  noise: { status: 'noise', word: 'not significant' },
  unknown: { status: 'noise', word: 'cannot tell' },
};

/** The content of the page of a comparison, as plain data; its script draws it. @param {Comparison} comparison */
export function comparisonModel(comparison) {
  const { sides, totals, figures, operations, differences, distribution, sentence, regressions, objections } =
    comparison;
  return {
    title: [...new Set(sides.map(({ label }) => label))].join(' and '),
    outcome: { ...statusOf(comparison), sentence, regressions, objections },
    interval: INTERVAL,
    thresholds: { head: THRESHOLD_HEAD, rows: thresholdRows(comparison) },
    sides: [totals.base, totals.other].map(({ runs, started, failed, errors }, i) => ({
      ...sides[i],
      counts: [
        counted(runs, 'run'),
        `${counted(started, 'iteration')}, ${count(failed)} failed`,
        counted(errors, 'error'),
      ],
      hasFailed: failed > 0,
    })),
    figures: figures.map(plotted),
    operations: operations.map((operation) => ({
      ...operationRow(operation),
      figures: operation.figures.map(plotted),
      hasErrors: [operation.base, operation.other].map((side) => (side?.errors ?? 0) > 0),
    })),
    distribution: distribution && {
      ...distribution,
      above: { ...distribution.above, name: `A, ${sides[0].label}` },
      below: distribution.below && { ...distribution.below, name: `B, ${sides[1].label}` },
    },
    differences,
    method: methodText(comparison),
  };
}

/** @type {(comparison: Comparison) => { status: string, word: string }} */
function statusOf({ conclusion: { verdict }, outcome, regressions, totals: { base, other } }) {
  if (regressions.length > 0 || outcome !== null) return { status: 'failed', word: '✗ failed' };
  // Errors can be fast.
  const failsMore = (other.failedShare ?? 0) > (base.failedShare ?? 0);
  return verdict === 'better' && failsMore ? { ...STATUSES.better, status: 'noise' } : STATUSES[verdict];
}

/**
 * Returns its texts, and the data that is drawn.
 * @type {(figure: ComparedFigure) => ReturnType<typeof figureRow> & { drawn: Pick<ComparedFigure, 'change' | 'low' |
 *   'high' | 'verdict'> }}
 */
function plotted(figure) {
  const { change, low, high, verdict } = figure;
  return { ...figureRow(figure), drawn: { change, low, high, verdict } };
}

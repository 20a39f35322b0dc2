import { count, counted } from '../../core/ground/decimal.js';
import { Histogram } from '../../core/measure/histogram.js';
import { statusOfOutcome } from '../../core/measure/outcome.js';
import { regressionsIn } from '../compare/measure/compared-figures.js';
import { silhouettes } from './chart-data.js';
import { differencesBlock, thresholdsBlock } from '../compare/report/blocks.js';
import { factName } from '../compare/report/run-facts.js';
import { INTERVAL, figureRow, methodText, namedSides, operationRow, streamFigureRows } from '../compare/report/rows.js';
import { headOf } from '../../core/report/rows.js';
import { supportedOnly } from '../../core/report/supported.js';
import { glyphsOf } from '../../core/report/terminal.js';
import { comparedProfileModel } from '../server/report/profile.js';
import { embeddedJson, readAssets, readProfileAssets, section, shellOf } from './shell.js';

/** @import { ComparedFigure, ComparedOperation, ComparedSide, Comparison } from '../compare/comparison.js' */
/** @import { Silhouettes } from './chart-data.js' */
/** @import { FigureRow } from '../compare/report/rows.js' */
/** @import { RenderDocument } from '../compare/report/documents.js' */

const ASSETS = readAssets('client/comparison-page.js');
const withProfileAssets = readProfileAssets();

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div id="sides" class="sides"></div>
${section('Figures', 'figures')}
${section('Profile of the service', 'profile')}
${section('What changed in the service', 'profile-changes')}
${section('Distribution', 'distribution')}
${section('Operations', 'operations')}
${section('Streams', 'streams')}
${section('Thresholds', 'thresholds')}
${section('What differs', 'differences')}
<p id="method" class="quiet small"></p>`;

/** @type {RenderDocument<Comparison>} */
export function render(comparison) {
  const data = embeddedJson(comparisonModel(comparison));
  const isProfiled = comparison.profiles !== undefined;
  const assets = withProfileAssets(ASSETS, isProfiled);
  return shellOf({ title: 'bench-rest', body: BODY, data, assets });
}

/** @typedef {ReturnType<typeof comparisonModel>} ComparisonModel */

const STATUSES = {
  better: { status: 'passed', word: '✓ better' },
  worse: { status: 'failed', word: '✗ worse' },
  noise: { status: 'noise', word: 'not significant' },
  unknown: { status: 'noise', word: 'cannot tell' },
};

/** The content of the page of a comparison, as plain data; its script draws it. @param {Comparison} comparison */
export function comparisonModel(comparison) {
  const { outcome, conclusion, warnings, figures, operations, differences, profiles } = comparison;
  const sides = namedSides(comparison);
  return {
    title: [...new Set(sides.map(({ side }) => side.label))].join(' and '),
    outcome: {
      ...statusOf(comparison),
      sentence: conclusion.message,
      regressions: regressionsIn(outcome),
      warnings: warnings.map(({ message }) => message),
    },
    interval: INTERVAL,
    thresholds: thresholdsBlock(comparison),
    sides: sides.map(({ name, side }) => ({ name, ...sideModel(side) })),
    figures: figures.map((figure) => plotted(figure, figureRow(figure))),
    operations: operations.map(operationModel),
    streams: streamFigureRows(comparison).map(({ figure, row }) => plotted(figure, row)),
    distribution: distributionOf(sides),
    differences: differencesBlock(differences, factName),
    method: methodText(comparison),
    ...(profiles && { comparedProfiles: profiles.map(comparedProfileModel), comparedTrees: profiles }),
  };
}

/** @param {ComparedOperation} operation */
function operationModel(operation) {
  const { figures: rows, ...row } = operationRow(operation);
  return {
    ...row,
    figures: operation.figures.map((figure, i) => plotted(figure, rows[i])),
    hasErrors: [operation.base, operation.new].map((side) => (side?.errors ?? 0) > 0),
  };
}

/** @param {ComparedSide} side */
function sideModel(side) {
  const { label, runs = 1, iterations, errors, validity } = side;
  const { started = 0, failed = 0, unsent = 0 } = iterations ?? {};
  const { subtitle, about } = headOf({ ...side, operations: [] });
  return {
    label,
    subtitle,
    about,
    reasons: (validity?.reasons ?? []).map(({ message }) => message),
    counts: [
      counted(runs, 'run'),
      `${counted(started, 'iteration')}, ${count(failed)} failed`,
      ...(unsent > 0 ? [`${count(unsent)} never started`] : []),
      counted(errors?.count ?? 0, 'error'),
    ],
    hasFailed: failed + unsent > 0,
  };
}

/**
 * Returns the response times of all runs of each side; null if a side has no counts.
 * @type {(sides: ReturnType<typeof namedSides>) => Silhouettes | null}
 */
function distributionOf(sides) {
  const drawn = sides.flatMap(({ name, side: { label, responseTime } }) => {
    const counts = Histogram.decode(responseTime);
    if (!counts || !responseTime) return [];
    const points = counts.percentileDistribution();
    return [{ name: `${name}, ${label}`, points, summary: supportedOnly(responseTime), hasMarks: true }];
  });
  return drawn.length === sides.length ? silhouettes(drawn) : null;
}

/** @type {(comparison: Comparison) => { status: string, word: string }} */
function statusOf({ conclusion: { verdict }, outcome, sides }) {
  const state = statusOfOutcome(outcome);
  if (state !== 'passed') return { status: state, word: `${glyphsOf(true)[state]} ${state}` };
  // A side that fails may be faster for it, so it has not the color of success.
  const [base, other] = [sides.base, sides.new].map(({ iterations }) => iterations?.failedShare ?? 0);
  return verdict === 'better' && other > base ? { ...STATUSES.better, status: 'noise' } : STATUSES[verdict];
}

/**
 * Returns the texts of a figure, and the data that is drawn.
 * @type {(figure: ComparedFigure, row: FigureRow) => FigureRow & { drawn: { change: number | null, low: number | null,
 *   high: number | null, verdict: string } }}
 */
function plotted({ change, interval, verdict }, row) {
  const { low = null, high = null } = interval ?? {};
  return { ...row, drawn: { change, low, high, verdict } };
}

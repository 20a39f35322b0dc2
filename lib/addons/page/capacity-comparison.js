import { differencesBlock } from '../compare/report/blocks.js';
import { nameOf, sidesBlock } from '../capacity/report/comparison.js';
import { loadText } from '../capacity/report/rows.js';
import { embeddedJson, readAssets, section, shellOf } from './shell.js';

/** @import { CapacityComparison } from '../capacity/report/comparison.js' */

const ASSETS = readAssets('client/capacity-comparison-page.js');

const BODY = `<div id="outcome" class="outcome" role="status"></div>
<div id="sides" class="sides"></div>
${section('Capacities', 'capacities')}
<div class="columns">
${section('Response times', 'times')}
${section('Throughput', 'throughput')}
</div>
${section('What differs', 'differences')}`;

/** The page of a comparison of two capacities. @type {(comparison: CapacityComparison) => string} */
export function render(comparison) {
  const data = embeddedJson(capacityComparisonModel(comparison));
  return shellOf({ title: 'bench-rest', body: BODY, data, assets: ASSETS });
}

/** @typedef {ReturnType<typeof capacityComparisonModel>} CapacityComparisonModel */

const STATUSES = {
  better: { status: 'passed', word: '✓ higher' },
  worse: { status: 'failed', word: '✗ lower' },
  noise: { status: 'noise', word: 'not significant' },
  unknown: { status: 'noise', word: 'cannot tell' },
};

/** The content of the page, as plain data; its script draws it. @param {CapacityComparison} comparison */
export function capacityComparisonModel(comparison) {
  const { conclusion, figures, outcome, differences } = comparison;
  const sides = [comparison.sides.base, comparison.sides.new];
  const by = figures[0].unit === '/s' ? 'rate' : 'users';
  return {
    title: [...new Set(sides.map(({ label }) => label))].join(' and '),
    outcome: {
      ...(outcome.reasons.length > 0 ? { status: 'failed', word: '✗ failed' } : STATUSES[conclusion.verdict]),
      sentence: conclusion.message,
      regressions: outcome.reasons.map(({ message }) => message),
    },
    unit: figures[0].unit,
    capacities: sidesBlock(comparison),
    sides: sides.map(({ label, capacity: { load, interval, message, steps } }, i) => ({
      label: `${'AB'[i]}, ${label}`,
      message,
      points: steps,
      load,
      interval: load === null ? null : interval,
      loadText: load === null ? '' : loadText(load, by),
    })),
    differences: differencesBlock(differences, nameOf),
  };
}

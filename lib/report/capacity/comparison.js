import { COMPARISON_HEAD } from '../../measure/document.js';
import { formatValue } from '../../text/format-value.js';
import { escaped, table as markdownTable } from '../markup.js';
import { interval, signed } from '../numbers.js';
import { DEFAULT_WIDTH, widthWithin } from '../terminal.js';
import { painter, table, wrapped } from '../text/layout.js';
import { intervalText, loadText } from './rows.js';

/** @import { Capacity } from '../../contracts/capacity.js' */

/**
 * @typedef {object} CapacitySide
 * @property {string} label
 * @property {number | null} load
 * @property {Capacity['conclusion']['interval']} interval
 * @property {Capacity['conclusion']['outcome']} outcome
 * @property {string} sentence
 *
 * @typedef {ReturnType<typeof compareCapacities>} CapacityComparison
 */

/**
 * Compares two capacities: they differ if their intervals do not overlap.
 *
 * @param {Capacity} base
 * @param {Capacity} other found by the same load as `base`
 * @param {[base: string, other: string]} labels
 */
export function compareCapacities(base, other, labels) {
  const sides = /** @type {[CapacitySide, CapacitySide]} */ ([base, other].map((one, i) => sideOf(one, labels[i])));
  const [a, b] = sides;
  const change = a.load !== null && a.load > 0 && b.load !== null ? b.load / a.load - 1 : null;
  const low = b.load !== null && a.interval.high !== null ? b.interval.low / a.interval.high - 1 : null;
  const high = a.load !== null && b.interval.high !== null ? b.interval.high / a.interval.low - 1 : null;
  const verdict = verdictOf({ change, low, high });
  return {
    ...COMPARISON_HEAD,
    of: /** @type {const} */ ('capacity'),
    by: base.by,
    sentence: sentenceOf(sides, { change, low, high, verdict }),
    sides,
    change,
    interval: { low, high },
    verdict,
    differences: differencesOf(base, other),
    regressions: /** @type {string[]} */ ([]),
  };
}

/** @type {(capacity: Capacity, label: string) => CapacitySide} */
function sideOf({ conclusion: { load, interval: ends, outcome, sentence } }, label) {
  return { label, load, interval: ends, outcome, sentence };
}

/** @typedef {{ change: number | null, low: number | null, high: number | null }} Change */

/** @type {(change: Change) => 'better' | 'worse' | 'noise' | 'unknown'} */
function verdictOf({ change, low, high }) {
  // one end suffices: at least this much more, or at most this much less
  if (low !== null && low > 0) return 'better';
  if (high !== null && high < 0) return 'worse';
  return change === null || low === null || high === null ? 'unknown' : 'noise';
}

/** @type {(sides: [CapacitySide, CapacitySide], compared: Change & { verdict: string }) => string} */
function sentenceOf([a, b], { change, low, high, verdict }) {
  if (change === null) return `Nothing to compare: ${a.load === null ? a.label : b.label} has no capacity`;
  const ends = interval(low, high);
  const range = ends === '' ? '' : `: ${ends}`;
  if (verdict === 'noise') return `No significant difference: the intervals overlap (${signed(change)}${range})`;
  if (verdict === 'unknown') return `Cannot tell: an end of the intervals is not known (${signed(change)})`;
  return `The capacity of B is ${verdict === 'better' ? 'higher' : 'lower'} by ${signed(Math.abs(change)).replace('+', '')}${ends === '' ? '' : ` (${ends})`}`;
}

/** What differs beside the capacities. @type {(base: Capacity, other: Capacity) => CapacityDifference[]} */
function differencesOf(base, other) {
  const facts = [base, other].map((one) => ({
    flow: one.run?.flow.source ?? '',
    'content of the flow': one.run?.flow.sha256.slice(0, 8) ?? '',
    target: one.run?.origins.join(', ') ?? '',
    machine: (one.machines ?? []).map((machine) => `${machine.cores} x ${machine.cpuModel ?? '?'}`).join(', '),
    precision: String(one.within),
    ...Object.fromEntries(
      Object.entries(one.run?.options ?? {}).map(([name, value]) => [`option ${name}`, formatValue(value)]),
    ),
  }));
  const names = [...new Set(facts.flatMap((one) => Object.keys(one)))];
  const values = facts.map((one) => /** @type {Record<string, string>} */ (one));
  return names
    .map((name) => ({ name, base: values[0][name] ?? '', other: values[1][name] ?? '' }))
    .filter((one) => one.base !== one.other);
}

/** @typedef {{ name: string, base: string, other: string }} CapacityDifference */

const HEAD = ['', 'capacity', 'interval', ''];

/** The rows of both sides. @type {(comparison: CapacityComparison) => string[][]} */
function rowsOf({ sides, by }) {
  return sides.map(({ label, load, interval: ends, outcome }, i) => [
    `${'AB'[i]}  ${label}`,
    load === null ? '-' : loadText(load, by),
    load === null ? '-' : intervalText(ends, by),
    outcome === 'found' ? '' : WORDS[outcome],
  ]);
}

/** @type {Record<CapacitySide['outcome'], string>} */
const WORDS = {
  found: '',
  atLeast: 'at least: the load generator was the bottleneck',
  none: 'no load holds',
  imprecise: 'not precise',
  unrecovered: 'not recovered from an overload',
};

/** @type {(comparison: CapacityComparison, options?: { color?: boolean, width?: number }) => string} */
export function renderText(comparison, { color = false, width: given = DEFAULT_WIDTH } = {}) {
  const width = widthWithin(given);
  const paint = painter(color);
  const columns = HEAD.map((head, i) => ({ head, isText: i === 0 || i === 3 }));
  const differences = comparison.differences.map(({ name, base, other }) =>
    wrapped(`- ${name} differs: ${base || '-'} and ${other || '-'}`, 2, width),
  );
  const parts = [
    table(columns, rowsOf(comparison), { width, paint }),
    differences,
    [paint('bold', wrapped(comparison.sentence, 0, width))],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** @type {(comparison: CapacityComparison) => string} */
export function renderMarkdown(comparison) {
  const { sentence, differences, regressions } = comparison;
  const parts = [
    `### ${escaped(sentence)}`,
    regressions.map((text) => `- **${escaped(text)}**`).join('\n'),
    markdownTable(
      HEAD,
      rowsOf(comparison).map((row) => row.map(escaped)),
    ),
    differences.length > 0
      ? markdownTable(
          ['what differs', 'A', 'B'],
          differences.map((one) => [one.name, one.base || '-', one.other || '-'].map(escaped)),
        )
      : '',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

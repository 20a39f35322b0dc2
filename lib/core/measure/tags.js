import { OWN_LABELS, PHASES, isOfIterations } from '../ground/phases.js';
import { perSecond } from '../ground/units.js';
import { figuresWithRates } from './operation-figures.js';
import { Histogram } from './histogram.js';

/**
 * Tags of operations, `{ team: 'search' }`: labels that the flow chooses. The figures of a tag are the sum of its
 * operations of one phase, computed from theirs, so a request pays nothing for its tags.
 * @import { Stats } from '../contracts/stats.js'
 * @import { HistogramSummary, Labels, OperationSummary, OperationTimes, TagSummary } from '../contracts/summaries.js'
 * @import { OperationRows } from './operations.js'
 *
 * @typedef {Pick<OperationRows, 'times' | 'figures'>} Recorded
 * @typedef {{ ratedMs: number, withCounts: boolean }} RowOptions withCounts: of the histograms
 */

const MAIN = 'main';
const MOST_VALUES = 50;
const MOST_ROWS = 200;
/** The value that values beyond the bounds become. */
const OTHER = 'other';

/** The values of tags, which functions of a flow may compute: at most 50 of a tag, 200 in all, then `other`. */
export class TagValues {
  /** @type {Map<string, Set<string>>} */
  #values = new Map();
  #rows = 0;

  /** @type {(labels: Labels) => Labels} the same object, if nothing is beyond the bounds */
  bounded(labels) {
    const tags = tagsOf(labels);
    const beyond = tags.filter(([tag, value]) => !this.#keeps(tag, value));
    return beyond.length === 0 ? labels : { ...labels, ...Object.fromEntries(beyond.map(([tag]) => [tag, OTHER])) };
  }

  /** @type {(tag: string, value: string) => boolean} */
  #keeps(tag, value) {
    const values = this.#values.get(tag) ?? new Set();
    if (values.has(value) || value === OTHER) return true;
    if (values.size >= MOST_VALUES || this.#rows >= MOST_ROWS) return false;
    this.#values.set(tag, values.add(value));
    this.#rows++;
    return true;
  }
}

/** @type {(labels?: Labels) => [tag: string, value: string][]} */
export function tagsOf(labels = {}) {
  return Object.entries(labels).filter(([name]) => !OWN_LABELS.includes(name));
}

/** As thresholds and reports name it. @type {(tag: string, value: string) => string} */
export function tagName(tag, value) {
  return `${tag}:${value}`;
}

/** @type {(operation: { labels?: Labels }, name: string) => boolean} */
export function hasTag({ labels }, name) {
  return tagsOf(labels).some(([tag, value]) => tagName(tag, value) === name);
}

/**
 * Reports whether a threshold with a name is of an operation: one of its own names, that of its scenario (a load), its
 * group or a tag.
 * @type {(operation: { name: string, labels?: Labels }, name: string) => boolean}
 */
export function isNamed(operation, name) {
  const { scenario, group } = operation.labels ?? {};
  return [...namesOf(operation), scenario, group].includes(name) || hasTag(operation, name);
}

/**
 * Lists the operations, or the checks, that a threshold with a name is of: those with a tag of one phase.
 * @type {<R extends { name: string, labels?: Labels, phase?: string }>(rows: R[], name: string, selects?: (row: R) =>
 *   boolean) => R[]}
 */
export function rowsNamed(rows, name, selects = (/** @type {any} */ row) => isNamed(row, name)) {
  const own = rows.filter(selects);
  const phase = phaseOfTag(own);
  return own.some((row) => hasTag(row, name)) ? own.filter((row) => phaseOf(row) === phase) : own;
}

/**
 * Returns the phase whose operations a tag stands for: `main`, or if none of them has it, the first phase that does.
 * Times of a setup are none of the iterations'.
 * @type {(rows: { phase?: string }[]) => string}
 */
function phaseOfTag(rows) {
  const phases = rows.map(phaseOf);
  return phases.includes(MAIN) ? MAIN : (PHASES.find((phase) => phases.includes(phase)) ?? MAIN);
}

/** A row without a phase is one of main. @type {(row: { phase?: string }) => string} */
function phaseOf({ phase = '' }) {
  return phase === '' ? MAIN : phase;
}

/** Returns the name, and that with a scenario. @type {(operation: { name: string, labels?: Labels }) => string[]} */
export function namesOf({ name, labels: { scenario } = {} }) {
  return scenario === undefined ? [name] : [name, nameInScenario(name, scenario)];
}

/** @type {(name: string, scenario: string) => string} */
function nameInScenario(name, scenario) {
  return `${name} (${scenario})`;
}

/**
 * Names operations so that those of several scenarios differ: `GET /items`, or `GET /items (buy)` if another scenario
 * has it in this phase, too.
 * @type {(all: { name: string, phase?: string, labels?: Labels }[]) => string[]}
 */
export function distinctNames(all) {
  /** @type {Map<string, Set<string | undefined>>} */
  const scenarios = new Map();
  const keyOf = (/** @type {{ name: string, phase?: string }} */ { name, phase }) => `${phase} ${name}`;
  for (const one of all) {
    const key = keyOf(one);
    scenarios.set(key, (scenarios.get(key) ?? new Set()).add(one.labels?.scenario));
  }
  return all.map((one) => {
    const [name, nameWithScenario = name] = namesOf(one);
    return Number(scenarios.get(keyOf(one))?.size) > 1 ? nameWithScenario : name;
  });
}

/**
 * The figures of each tag.
 * @param {OperationSummary[]} operations
 * @param {Recorded} recorded the same operations
 * @param {RowOptions} options
 * @returns {Pick<Stats, 'tags'>} empty without tags
 */
export function tagRows(operations, recorded, options) {
  /** @type {Map<string, { labels: Labels, own: OperationSummary[], positions: number[] }>} */
  const tags = new Map();
  for (const [position, operation] of operations.entries())
    for (const [tag, value] of tagsOf(operation.labels)) {
      const name = tagName(tag, value);
      const row = tags.get(name) ?? { labels: { [tag]: value }, own: [], positions: [] };
      row.own.push(operation);
      row.positions.push(position);
      tags.set(name, row);
    }
  if (tags.size === 0) return {};
  return {
    tags: [...tags].map(([name, { labels, own: all, positions: at }]) => {
      const phase = phaseOfTag(all);
      const own = all.filter((one) => phaseOf(one) === phase);
      const positions = at.filter((_, i) => phaseOf(all[i]) === phase);
      return { name, phase, labels, ...figuresOf(own, positions, recorded, options) };
    }),
  };
}

/**
 * @type {(own: OperationSummary[], positions: number[], recorded: Recorded, options: RowOptions) => Omit<TagSummary,
 *   'name' | 'phase' | 'labels'>} own: the operations of a tag, at these positions
 */
function figuresOf(own, positions, recorded, { ratedMs, withCounts }) {
  const sum = (/** @type {(one: OperationSummary) => number} */ of) => own.reduce((all, one) => all + of(one), 0);
  /** @type {(key: keyof OperationTimes) => HistogramSummary} */
  const summary = (key) =>
    sumOf(own.map((one, i) => recorded.times(positions[i], presentKey(one, key)))).summary(withCounts);
  const [skipped, overdue] = [sum((one) => one.skipped ?? 0), sum((one) => one.overdue ?? 0)];
  const keys = /** @type {const} */ (['withoutErrors', 'least', 'cancelled']).filter((key) =>
    own.some((one) => one.times[key]),
  );
  /** @type {Record<string, number>} */
  const statusCodes = {};
  for (const one of own)
    for (const [status, count] of Object.entries(one.statusCodes))
      statusCodes[status] = (statusCodes[status] ?? 0) + count;
  const count = sum((one) => one.count);
  /** @type {(key: string) => any} */
  const figures = (key) => {
    const [first, ...others] = positions.flatMap((position) => recorded.figures(position, key) ?? []);
    return first?.with(others).summary({ withCounts });
  };
  return {
    count,
    errors: sum((one) => one.errors),
    ...(isOfIterations(own[0]) && { rate: perSecond(count, ratedMs) }),
    statusCodes,
    ...(skipped > 0 && { skipped }),
    ...(overdue > 0 && { overdue }),
    times: { serviceTime: summary('serviceTime'), ...Object.fromEntries(keys.map((key) => [key, summary(key)])) },
    ...figuresWithRates(figures, own[0], ratedMs),
  };
}

/**
 * The times to read: an operation without errors has no separate times without errors.
 * @type {(operation: OperationSummary, key: keyof OperationTimes) => keyof OperationTimes}
 */
function presentKey({ times }, key) {
  return key === 'withoutErrors' && !times.withoutErrors ? 'serviceTime' : key;
}

/** @type {(all: Histogram[]) => Histogram} */
function sumOf(all) {
  const sum = new Histogram();
  for (const one of all) sum.add(one);
  return sum;
}

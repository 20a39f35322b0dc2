import { nearest } from '../ground/problems.js';
import { readBytes, readPercent, readTime } from '../ground/units.js';
import { codeFrame } from '../text/code-frame.js';
import { maskText } from '../text/mask.js';
import { shareOf } from './checks.js';
import { OPERATION_FIGURES } from './operation-figures.js';
import { isNamed, rowsNamed } from './tags.js';
import {
  CHECKS,
  ERRORS,
  STATUS,
  figureOfHooks,
  figureOfPart,
  figureOfRun,
  isOfLoads,
  percentileOf,
  splitFigure,
  unknownFigure,
  unknownPartFigure,
} from './threshold-figures.js';

/** @import { JudgedLimits } from '../contracts/recorders.js' */
/** @import { Comparator, Judgement, Stats } from '../contracts/stats.js' */
/** @import { CheckPlace } from '../contracts/summaries.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { OperationFigures } from './operation-figures.js' */
/** @import { HookMetrics } from './threshold-figures.js' */

/**
 * Reads thresholds such as `p99<200ms`, from run options and from saved results, and decides which failed ones end a
 * run. The figures that they may name are in threshold-figures.js, their values are computed in judge-thresholds.js.
 */

/**
 * @typedef {object} Threshold
 * @property {string} expression as the user wrote it
 * @property {string | null} operation the name of the part that it judges: an operation, a load, a scenario, a group or
 *   a tag; null: the whole run
 * @property {string | null} check its name; null: all checks, or another figure
 * @property {string} figure its one name: `responseTime.p95`, `requests.rate`, `errors`; of an operation `p95`
 * @property {Comparator} operator
 * @property {number} bound
 * @property {string} unit of the bound: `ms`, `ratio` for a share of 1, `/s`, `B`, or nothing
 * @property {number | null} overMs the length of the windows that it is judged over; null: the whole run
 * @property {JudgedLimits} [limits] which are kept or not: the figure is the share that keeps them
 *
 * @typedef {Pick<CheckPlace, 'name' | 'operation' | 'scenario' | 'labels'>} KnownCheck a check of the flow
 *
 * @typedef {object} FlowNames the names of a flow that thresholds can use
 * @property {string[]} [operations] of operations, loads, scenarios, groups and tags; default: any
 * @property {HookMetrics} [metrics] of hooks; default: none
 * @property {KnownCheck[]} [checks] default: any
 * @property {boolean} [isOpen] there may be more operations and checks, as functions of the flow may use any name
 * @property {string[]} [loads] those of `operations` that are loads
 *
 * @typedef {{ abortOnFail?: boolean, abortOnFailOf?: string[] }} AbortOptions which thresholds end the run: all, or
 *   those of these parts
 *
 * @typedef {{ threshold: Threshold } | { column: number, reason: string }} ReadThreshold `column`: position of the
 *   error,
 *   from 0
 */

/** By operator, in the order in which a text is searched for them: those of two characters first. */
export const COMPARATORS = /** @type {Record<Comparator, (a: number, b: number) => boolean>} */ ({
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
});
const COMPARISONS = /** @type {Comparator[]} */ (Object.keys(COMPARATORS));
const SIGNS = '<>=!';
const SHARE = /%\s*$/;
/** ` over` of ` 200ms over 10s`. */
const OVER = /\sover(?=\s|$)/;
/** The points of a series are shorter only at the beginning of a run. */
const SHORTEST_WINDOW_MS = 1000;

/** The names of a flow that is not known. @type {FlowNames} */
export const ANY_NAMES = { metrics: { names: [], hasFunctions: true } };

/**
 * Reads the thresholds of the run option, and reports each that cannot be read with a code frame.
 * @type {(texts: string[], problems: Problems, names?: FlowNames) => Threshold[]}
 */
export function readThresholds(texts, problems, names) {
  return texts.flatMap((text, i) => {
    const reading = readThreshold(text, names);
    if ('threshold' in reading) return [reading.threshold];
    problems.add(`thresholds[${i}]`, `${reading.reason}\n${codeFrame(text, reading.column + 1, '    ')}`);
    return [];
  });
}

/**
 * Reads a threshold: `p99<200ms`, `errors<1%`, `requests.rate>1000`, `status.500==0`, `GET /items p95<50ms`,
 * `serviceTime.p99<1s`. Also checks: `checks>99%`, `checks.status 201>99%`, `GET /items checks==100%`, and metrics of
 * hooks: `step_0.p95<1s`, `size.max<1000` of a histogram, `hits>10` of a counter. `p99<200ms over 10s` holds for each
 * window of 10 s. The name before a figure must be one of the operations, and a check one of those of the flow: their
 * names come first, though they look like a figure; in quotes they are names only.
 * @type {(expression: string, names?: FlowNames) => ReadThreshold}
 */
export function readThreshold(expression, names = {}) {
  const parts = splitAtComparison(expression);
  if (!parts.comparison)
    return { column: expression.length, reason: "has no comparison: write <, <=, >, >=, == or !=, as in 'p99<200ms'" };
  const splits = splitsOf(maskText(parts.left).trim(), names);
  const readings = splits.map((split) => readSplit(expression, parts, { ...split, names }));
  const valid = readings.flatMap((one) => ('threshold' in one ? one : []));
  const meant = valid.filter(({ threshold }) => hasKnownNames(threshold, names));
  const [first, second] = meant.length > 0 ? meant : valid.slice(0, 1);
  if (second !== undefined) return { column: 0, reason: ambiguous(first.threshold, second.threshold) };
  return first ?? readings[0];
}

/**
 * The name of a part of the flow and the text behind it, the figure; null: the figure is one of the run.
 * @typedef {{ operation: string | null, rest: string }} Split
 */

/** `"checks.list" p95`: a name in quotes, as in JSON. */
const QUOTED = /^("(?:[^"\\]|\\.)*")\s+(\S.*)$/s;
/** `checks.status 201`, `GET /items checks.status 201`: any name, and the check. */
const CHECK_FIGURE = /^(?:(.*\S)\s+)?(checks\..+)$/s;
/** The names of shares that keep limits; without one, nothing matches. */
const LIMITED = OPERATION_FIGURES.map(({ limits }) => limits.name).join('|') || '(?!)';
/** `goodput(gap.max<1s)`, `chat goodput(gap.max<1s)` */
const LIMITS_FIGURE = new RegExp(`^(?:(.*\\S)\\s+)?((?:${LIMITED})\\(.*)$`, 's');
/** Other figures than these have no blanks. */
const FIGURE = new RegExp(`^(\\S*|(checks\\.|(?:${LIMITED})\\().*)$`, 's');
/** `GET /items p95`: other figures have no blanks. */
const LAST_WORD = /^(?:(.*\S)\s+)?(\S*)$/s;

/**
 * Splits the left side of a threshold in each way that its names allow, since names of operations and checks may have
 * blanks and the words of figures. If none can be read, the error of the first is reported.
 * @type {(left: string, names: FlowNames) => Split[]}
 */
function splitsOf(left, { operations = [] }) {
  const named = [...new Set(operations)].flatMap((operation) => {
    const rest = left.startsWith(operation.trim()) ? left.slice(operation.trim().length) : '';
    return /^\s/.test(rest) ? { operation, rest: rest.trimStart() } : [];
  });
  const [, quoted, rest = ''] = QUOTED.exec(left) ?? [];
  const any = [LIMITS_FIGURE, CHECK_FIGURE, LAST_WORD].flatMap((pattern) => {
    const [, operation = null, figure] = pattern.exec(left) ?? [];
    return figure === undefined ? [] : { operation, rest: figure };
  });
  const all = [
    ...named.filter((split) => FIGURE.test(split.rest)).sort((a, b) => b.operation.length - a.operation.length),
    ...(quoted === undefined ? [] : [{ operation: unquoted(quoted), rest }]),
    ...any,
    { operation: null, rest: left },
  ];
  const isNew = (/** @type {Split} */ one, /** @type {number} */ i) =>
    all.findIndex((other) => other.operation === one.operation && other.rest === one.rest) === i;
  return all.filter(isNew);
}

/** The text of a name in quotes. @type {(name: string) => string} */
function unquoted(name) {
  try {
    return JSON.parse(name);
  } catch {
    return name.slice(1, -1);
  }
}

/** @type {(threshold: Threshold, names: FlowNames) => boolean} */
function hasKnownNames({ operation, check }, { operations = [], checks }) {
  const isCheck = check === null || checks === undefined || checks.some(({ name }) => name === check);
  return (operation === null || operations.includes(operation)) && isCheck;
}

/** @type {(one: Threshold, other: Threshold) => string} */
function ambiguous(one, other) {
  const [first, second] = [one, other].map(({ operation, check, figure }) => {
    const name = operation === null ? '' : `${JSON.stringify(operation)} `;
    return `${name}${check === null ? figure : `${CHECKS}.${JSON.stringify(check)}`}`;
  });
  return `could mean two figures of this flow: write ${first} or ${second}, with the quotes`;
}

/**
 * Reads a threshold that is split.
 * @type {(expression: string, parts: ReturnType<typeof splitAtComparison>, split: Split & { names: FlowNames }) =>
 *   ReadThreshold}
 */
function readSplit(expression, parts, { operation, rest, names }) {
  const { operations = [], isOpen = names.operations === undefined } = names;
  const nameAt = parts.left.length - rest.length;
  if (operation !== null && !isOpen && !operations.includes(operation))
    return { column: 0, reason: noOperation(operation, operations) };
  const split = { operation, rest, nameAt, names: { ...names, isOpen } };
  const limited = OPERATION_FIGURES.find(({ limits }) => rest.startsWith(`${limits.name}(`));
  return limited
    ? readLimitsThreshold(expression, split, parts, limited)
    : readFigureThreshold(expression, split, parts);
}

/** @typedef {Split & { nameAt: number, names: FlowNames }} PlacedSplit nameAt: position of the figure, from 0 */

/** @type {(expression: string, split: PlacedSplit, parts: ReturnType<typeof splitAtComparison>) => ReadThreshold} */
function readFigureThreshold(expression, { operation, rest, nameAt, names }, parts) {
  const { comparison, right, rightAt, over } = parts;
  const { metrics, loads = [] } = names;
  const check = rest.startsWith(`${CHECKS}.`) ? checkNamed(rest.slice(CHECKS.length + 1), names.checks) : null;
  const name = check === null ? rest : CHECKS;
  const found = operation === null ? (figureOfRun(name) ?? figureOfHooks(name, right, metrics)) : figureOfPart(name);
  if (!found) return { column: nameAt, reason: unknownOf(operation, name, { metrics, loads }) };
  const refused = refuseFigure(found.figure, { name, check, operation }, names);
  if (refused) return { column: nameAt, reason: refused };
  const { bound, unit } = readBound(right, found);
  if (Number.isNaN(bound)) {
    const boundAt = rightAt + right.length - right.trimStart().length;
    return { column: boundAt, reason: `expected ${exampleOf(found)}` };
  }
  const { figure } = found;
  const whole = {
    expression: expression.trim(),
    operation,
    check,
    figure,
    operator: /** @type {Comparator} */ (comparison),
    bound,
    unit,
    overMs: null,
  };
  return over === undefined
    ? { threshold: whole }
    : readWindow(whole, over, { nameAt, end: expression.trimEnd().length });
}

/** The name of a check, in quotes or without. @type {(text: string, checks?: KnownCheck[]) => string} */
function checkNamed(text, checks = []) {
  const name = /^"(?:[^"\\]|\\.)*"$/s.test(text) ? unquoted(text) : text;
  const isKnown = (/** @type {string} */ one) => checks.some((check) => check.name === one);
  return isKnown(text) && !isKnown(name) ? text : name;
}

/**
 * Reads `goodput(firstEvent<500ms, gap.p99<100ms)>95%`: the share that keeps all limits.
 * @type {(expression: string, split: PlacedSplit, parts: ReturnType<typeof splitAtComparison>, row: OperationFigures)
 *   => ReadThreshold}
 */
function readLimitsThreshold(expression, { operation, rest, nameAt }, { comparison, right, rightAt, over }, row) {
  const { key, noun, limits } = row;
  const noShare = `expected a share of the ${noun.many}, as in '${limits.example}>95%'`;
  if (!rest.endsWith(')')) return { column: expression.length, reason: noShare };
  const given = rest.slice(limits.name.length + 1, -1);
  const refusal = row.load().refuseLimits(given);
  if (refusal) return { column: nameAt + limits.name.length + 1 + refusal.at, reason: refusal.reason };
  const { bound, unit } = readBound(right, { figure: limits.name, unit: 'ratio' });
  if (Number.isNaN(bound) || bound > 1) return { column: rightAt, reason: noShare };
  if (over !== undefined) return { column: nameAt, reason: NO_WINDOWS };
  const text = given
    .split(',')
    .map((limit) => limit.trim())
    .join(', ');
  const figure = `${limits.name}(${text})`;
  const operator = /** @type {Comparator} */ (comparison);
  return {
    threshold: {
      ...{ expression: expression.trim(), operation, check: null, figure, operator, bound, unit },
      overMs: null,
      limits: { key, text, operation },
    },
  };
}

/** @type {(threshold: Threshold, over: string, columns: { nameAt: number, end: number }) => ReadThreshold} */
function readWindow(threshold, over, { nameAt, end }) {
  if (threshold.operation !== null || !hasWindows(threshold.figure)) return { column: nameAt, reason: NO_WINDOWS };
  const overMs = readTime(over);
  if (overMs >= SHORTEST_WINDOW_MS) return { threshold: { ...threshold, overMs } };
  return { column: end - over.trimEnd().length, reason: NO_LENGTH };
}

/**
 * Reports whether a figure of the run can be judged over windows: the points of the series have counts of the response
 * times, and errors.
 * @type {(figure: string) => boolean}
 */
function hasWindows(figure) {
  return figure === ERRORS || percentileOf(figure) !== null;
}

const NO_WINDOWS =
  "windows are for percentiles, median and max of all iterations, and for errors, as in 'p99<200ms over 10s' or 'errors<1% over 10s'";
const NO_LENGTH = "expected the length of a window, at least 1s, as in 'p99<200ms over 10s'";

/**
 * The bound, NaN if it cannot be read, and its unit: that of the figure, or `ratio` of `errors<1%`.
 * @type {(text: string, figure: { figure: string, unit: string }) => { bound: number, unit: string }}
 */
function readBound(text, { figure, unit }) {
  if (unit === 'ms') return { bound: readTime(text), unit };
  if ((figure === ERRORS || unit === 'ratio') && SHARE.test(text))
    return { bound: readNumber(text.replace(SHARE, ''), readPercent), unit: 'ratio' };
  if (unit === 'B') return { bound: readBytes(text), unit };
  return { bound: figure === CHECKS ? NaN : readNumber(text), unit };
}

/**
 * Splits a threshold at its last comparison: the name of an operation may contain others. `rightAt` is the position of
 * the bound, from 0; `over` the length of a window, empty if it is missing.
 * @type {(expression: string) => { left: string, comparison: Comparator | undefined, right: string, rightAt: number,
 *   over: string | undefined }}
 */
export function splitAtComparison(expression) {
  let rightAt = expression.length;
  while (rightAt > 0 && !SIGNS.includes(expression[rightAt - 1])) rightAt--;
  const before = expression.slice(0, rightAt);
  const comparison = COMPARISONS.find((one) => before.endsWith(one));
  const left = before.slice(0, before.length - (comparison?.length ?? 0)).trimEnd();
  const rest = expression.slice(rightAt);
  const overAt = rest.search(OVER);
  if (overAt < 0) return { left, comparison, right: rest, rightAt, over: undefined };
  const over = rest.slice(overAt + ' over'.length).trim();
  return { left, comparison, right: rest.slice(0, overAt).trimEnd(), rightAt, over };
}

/**
 * Explains why a part of the flow does not have a figure.
 * @type {(figure: string, named: { name: string, check: string | null, operation: string | null }, names: FlowNames) =>
 *   string | undefined}
 */
function refuseFigure(figure, { name, check, operation }, { checks, loads = [], isOpen }) {
  // Any name may be that of a load if the names are not known.
  const isLoad = operation === null || isOpen || loads.includes(operation);
  if (isOfLoads(figure) && !isLoad) return noLoad(name, operation, loads) ?? unknownPartFigure(name, false);
  return figure === CHECKS && checks && !isOpen ? noCheck(check, operation, checks) : undefined;
}

/** Keys of `checks` in a result. */
const CHECK_COUNTS = ['share', 'passed', 'failed'];
const SHARE_OF_CHECKS = "the share of the checks that passed is called checks, as in 'checks>90%'";
/**
 * Explains why a threshold names no check of the flow; `part`: name of an operation, a scenario, a group or a tag.
 * @type {(check: string | null, part: string | null, checks: KnownCheck[]) => string | undefined}
 */
function noCheck(check, part, checks) {
  const own = checks.filter((one) => isOf(one, part));
  const names = [...new Set(own.map(({ name }) => name))];
  const of = part === null ? 'the flow' : JSON.stringify(part);
  if (check !== null && CHECK_COUNTS.includes(check) && !names.includes(check)) return SHARE_OF_CHECKS;
  if (names.length === 0) return `${of} has no checks: add expect to an operation`;
  if (check === null || names.includes(check)) return undefined;
  const near = nearest(check, names);
  const cure = near ? `, did you mean checks.${near}?` : `: there are ${names.join(', ')}`;
  return `no check is called ${JSON.stringify(check)}${cure}`;
}

/** @type {(check: KnownCheck, part: string | null) => boolean} */
function isOf({ operation, scenario, labels }, part) {
  return part === null || isNamed({ name: operation, labels: { ...(scenario && { scenario }), ...labels } }, part);
}

/**
 * Returns the share of the evaluations that passed, null if nothing was checked. A check of null stands for all, and so
 * does a `part` (the name of an operation, a scenario, a group or a tag) of null.
 * @type {(check: string | null, part: string | null, stats: Pick<Stats, 'checks'>) => number | null}
 */
export function shareOfChecks(check, part, { checks }) {
  const named = (checks?.details ?? []).filter((one) => check === null || one.name === check);
  const each = part === null ? named : rowsNamed(named, part, (one) => isOf(one, part));
  const sum = (/** @type {'passed' | 'failed'} */ key) => each.reduce((total, one) => total + one[key], 0);
  return shareOf(sum('passed'), sum('failed'));
}

/** @type {(operation: string | null, name: string, known: { metrics?: HookMetrics, loads: string[] }) => string} */
function unknownOf(operation, name, { metrics, loads }) {
  return operation === null ? unknownFigure(name, metrics) : unknownPartFigure(name, loads.includes(operation));
}

/** @type {(figure: string, name: string, loads: string[]) => string | undefined} undefined: the run has one load */
function noLoad(figure, name, loads) {
  if (loads.length === 0) return undefined;
  return `${figure} is a figure of a load or of the whole run, and ${name} is none: the loads are ${[...new Set(loads)].join(', ')}`;
}

/** @type {(operation: string, operations: string[]) => string} */
function noOperation(operation, operations) {
  const near = nearest(operation, operations);
  const cure = near ? `, did you mean ${JSON.stringify(near)}?` : `: there are ${[...new Set(operations)].join(', ')}`;
  return `no operation is called ${JSON.stringify(operation)}${cure}`;
}

/** @type {(found: { figure: string, unit: string }) => string} */
function exampleOf({ figure, unit }) {
  if (unit === 'ms') return 'a time with its unit, such as 200ms or 1.5s';
  if (unit === 'B') return 'a number of bytes, such as 500MB';
  if (figure === CHECKS) return 'a share of the checks that pass, such as 99%';
  return figure === ERRORS ? 'a number or a share, such as 10 or 1%' : 'a number';
}

/**
 * Reports whether a run that has not ended fails by a threshold that ends it.
 * @type {(stats: { thresholds?: Judgement[], ramped?: boolean }, options: AbortOptions) => boolean}
 */
export function failsByThreshold({ thresholds = [], ramped = false }, options) {
  return thresholds.some((judgement) => {
    const [threshold] = thresholdsOf({ thresholds: [judgement] });
    return threshold !== undefined && endsRun(threshold, options) && failsForGood(threshold, judgement, ramped);
  });
}

/** Reports whether a threshold ends the run. @type {(threshold: Threshold, options: AbortOptions) => boolean} */
export function endsRun(threshold, { abortOnFail = false, abortOnFailOf = [] }) {
  return abortOnFail || abortOnFailOf.includes(partOfThreshold(threshold) ?? '');
}

/** Returns the part that a threshold judges; null: the run. @type {(threshold: Threshold) => string | null} */
export function partOfThreshold({ operation, limits }) {
  return operation ?? limits?.operation ?? null;
}

/**
 * Reports whether a threshold that was judged while the run goes on has failed: not one that has no data yet, or whose
 * figure may still rise to its bound. `isRamped`: the load changes as planned.
 * @type {(threshold: Threshold, judgement: Pick<Judgement, 'passed' | 'undecided' | 'actual'>, isRamped: boolean) =>
 *   boolean}
 */
export function failsForGood(threshold, { passed, undecided, actual }, isRamped) {
  if (passed || undecided || actual === null) return false;
  const { operator, bound } = threshold;
  // A figure that rises may pass > and >= later, == from below its bound, and !=, which fails at its bound only.
  const mayReach = operator === '==' ? actual < bound : !operator.startsWith('<');
  return !(mayReach && isRising(threshold, isRamped));
}

/**
 * Reports whether a figure may become greater while the run goes on: counts always, and rates in a ramp.
 * @type {(threshold: Threshold, isRamped: boolean) => boolean}
 */
function isRising({ operation, figure, unit, overMs }, isRamped) {
  if (unit === 'ratio' || overMs !== null) return false;
  if (operation !== null) return unit === '' || (unit === '/s' && isRamped);
  if (figure === ERRORS || STATUS.test(figure)) return true;
  const known = figureOfRun(figure);
  if (known) return known.number?.rises === 'always' || (known.number?.rises === 'in ramps' && isRamped);
  const [, metricFigure] = splitFigure(figure);
  return unit !== 'ms' && (metricFigure === '' || metricFigure === 'count');
}

/**
 * Reads the thresholds of a result again, of whose names only those that they judge are known; one that an earlier
 * version wrote and this one cannot read is left out.
 * @type {(stats: { thresholds?: (Pick<Judgement, 'expression'> & Partial<Pick<Judgement, 'of'>>)[] }) => Threshold[]}
 */
export function thresholdsOf({ thresholds = [] }) {
  return thresholds.flatMap(({ expression, of = {} }) => {
    const { check, ...part } = of;
    const operations = Object.values(part);
    const checks = check === undefined ? [] : [{ name: check, operation: '' }];
    const reading = readThreshold(expression, { ...ANY_NAMES, isOpen: true, operations, checks });
    return 'threshold' in reading ? [reading.threshold] : [];
  });
}

/** @type {(text: string, read?: (digits: string) => number) => number} */
function readNumber(text, read = Number) {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? read(text.trim()) : NaN;
}

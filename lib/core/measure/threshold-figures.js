import { offered } from '../ground/addons.js';
import { misspelled, nearest } from '../ground/problems.js';
import { FIGURES, HISTOGRAMS, ROW_FIGURES, SCOPES, SERVER_TIMING, scopeOf } from './figures.js';
import { OPERATION_FIGURES } from './operation-figures.js';
import { STATISTICS } from './percentiles.js';

/** @import { JudgedPart } from '../contracts/stats.js' */
/** @import { Figure, FigureScope } from './figures.js' */
/** @import { OperationFigures } from './operation-figures.js' */

/**
 * The figures that a threshold can name: each by its path in the result, a few by a shorter name.
 *
 * @typedef {object} NamedFigure
 * @property {string} figure its one name: `responseTime.p95`, `requests.rate`, `errors`
 * @property {string} unit `ms`, `ratio`, `/s`, `B`, or nothing
 * @property {Figure} [number] its row, if it is one number
 * @property {typeof HISTOGRAMS[number]} [times] the row of its histogram
 * @property {string} [statistic] of that histogram: `p95`, `mean`
 *
 * @typedef {object} HookMetrics the metrics that hooks may record
 * @property {string[]} names those that are known before the run
 * @property {string[]} [timers] the known ones that are of times; default: all
 * @property {boolean} hasFunctions functions may record others
 */

/** Keys of a histogram summary by their names in a threshold; any other percentile is computed from the counts. */
export const TIMES = /** @type {Record<string, string>} */ ({
  min: 'min',
  median: 'median',
  ...Object.fromEntries(STATISTICS.map(({ key, label }) => [label, key])),
  p100: 'max',
});
/** Names that mean the same. @type {Record<string, string>} */
const SAME = { median: 'p50', p100: 'max' };
export const PERCENTILE = /^p(\d{1,2}(?:\.\d+)?|100)$/;
export const STATUS = /^status\.([1-9]\d\d)$/;
/** `errors<10` is their number, `errors<1%` their share of the iterations. */
export const ERRORS = 'errors';
/** The share of checks that passed: `checks>99%`, `checks.status 201>99%`, `GET /items checks==100%`. */
export const CHECKS = 'checks';
/** The rate that reports print and comparisons compare. */
export const COMPLETED_RATE = 'iterations.completedRate';
/** Figures that a load generator limits. */
export const RATES = ['requests.rate', 'messages.receivedRate', 'iterations.rate', COMPLETED_RATE];
/** The times that are meant without a name: `p95`. */
export const RESPONSE_TIME = 'responseTime';

/**
 * @typedef {object} OfferedFigure a number of the whole run
 * @property {string} name in a threshold
 * @property {string} path its place in the result
 * @property {string} unit
 */

/** @type {OfferedFigure[]} */
export const OFFERED = offered('thresholdFigures');

/** Thresholds name these `errors` and `checks`, not by their path. */
const NOT_BY_PATH = /^(errors|checks)\./;
const NUMBERS = FIGURES.filter(({ kind, path }) => kind !== 'histogram' && !NOT_BY_PATH.test(path));
/** Figures of an operation, a scenario or a group that are no times, with their units. */
export const PART_FIGURES = /** @type {Record<string, string>} */ ({
  count: '',
  errors: '',
  rate: '/s',
  checks: 'ratio',
});
/** Figures that only some operations have: those that are no times, with their units. @type {Record<string, string>} */
const UNITS_OF_SOME = Object.fromEntries(OPERATION_FIGURES.flatMap((row) => Object.entries(unitsOf(row))));
/** Their times. */
const TIMES_OF_SOME = OPERATION_FIGURES.flatMap(({ key: of, times }) => times.map(({ key }) => ({ of, key })));

const NAMES_OF_SOME = OPERATION_FIGURES.flatMap(namesOf);
const METER_FIGURES = ['count', 'rate'];

const STATISTIC_NAMES = Object.keys(TIMES).filter((name) => !Object.hasOwn(SAME, name));
const SHORT_NAMES = [...NUMBERS.flatMap(({ short }) => short ?? []), ERRORS, CHECKS];
const SHORT_OF_LOADS = NUMBERS.flatMap(({ path, short }) => (isOfLoads(path) ? (short ?? []) : []));
const SHORT_TIMES = HISTOGRAMS.flatMap(({ short }) => short ?? []);
const PATHS = NUMBERS.map(({ path }) => path);
const TIME_NAMES = [...SHORT_TIMES, ...HISTOGRAMS.map(({ path }) => path)];
/** The first keys of paths: metrics of hooks are not called so. */
const GROUPS = new Set([...Object.keys(SCOPES), ...OFFERED.map(({ name }) => name)].map((path) => path.split('.')[0]));

/** The figures of thresholds, with their units; times have the statistics of `p95`. @type {Record<string, string>} */
export const THRESHOLD_FIGURES = {
  ...Object.fromEntries(Object.keys(TIMES).map((name) => [name, 'ms'])),
  ...Object.fromEntries(TIME_NAMES.map((name) => [`${name}.p95`, 'ms'])),
  ...Object.fromEntries(
    NUMBERS.flatMap(({ path, short, unit }) => [path, ...(short ? [short] : [])].map((name) => [name, unit])),
  ),
  ...Object.fromEntries(OFFERED.map(({ name, unit }) => [name, unit])),
  [ERRORS]: '',
  [CHECKS]: 'ratio',
  'status.200': '',
  ...Object.fromEntries(Object.entries(PART_FIGURES).map(([name, unit]) => [`operation ${name}`, unit])),
  ...Object.fromEntries(TIMES_OF_SOME.map(({ key }) => [`operation ${key}.p95`, 'ms'])),
  ...Object.fromEntries(Object.entries(UNITS_OF_SOME).map(([name, unit]) => [`operation ${name}`, unit])),
  ...Object.fromEntries(OPERATION_FIGURES.map(({ limits }) => [limits.example, 'ratio'])),
};

const ALL = `use one of ${[...STATISTIC_NAMES, ...SHORT_NAMES].join(' ')}, status.NNN, or the path of a figure in the result, such as requests.rate iterations.rate iterations.started; times also of ${SHORT_TIMES.join(' ')}, as in serviceTime.p99`;

const ALSO_OF_SOME = OPERATION_FIGURES.map((row) => {
  const times = row.times.map(({ key }) => key).join(' ');
  return `; of ${row.noun.many} also ${Object.keys(unitsOf(row)).join(' ')}, and times of ${times}, as in ${row.example}`;
}).join('');

/** @type {(row: OperationFigures) => string[]} */
function namesOf(row) {
  return [...row.times.map(({ key }) => key), ...Object.keys(unitsOf(row))];
}

/** The units of figures of such a row that are no times. @type {(row: OperationFigures) => Record<string, string>} */
function unitsOf({ counts }) {
  const [, ...others] = counts;
  return Object.fromEntries(
    others.flatMap(({ key, unit, rate }) => [[key, unit], ...(rate === undefined ? [] : [[rate, '/s']])]),
  );
}

/** Names that could mean two figures. @type {Map<string, string>} */
const AMBIGUOUS = new Map([
  ['rate', 'requests.rate for requests per second, or iterations.rate for iterations per second'],
  ['count', 'iterations.started for iterations, or requests.sent for requests'],
]);

/** Names of our figures in other tools, and among people. */
const ELSEWHERE = [
  { pattern: /^p\((\d|median)/i, example: "p95, as in 'p95<200ms'" },
  { pattern: /^(avg|average)$/i, example: 'mean' },
  { pattern: /^med$/i, example: 'median' },
  {
    pattern: /^(latency|duration|time|response_?time|http_req_(duration|waiting))\b/i,
    example: "p95, as in 'p95<200ms'",
  },
  {
    pattern: /^(http_req_failed|failed|failures?|fail_?rate|error_?rate|non2xx)$/i,
    example: "errors, as in 'errors<1%'",
  },
  { pattern: /^(rps|qps|tps|throughput|req\/s|http_reqs)$/i, example: "requests.rate, as in 'requests.rate>1000'" },
  { pattern: /^errors\.(count|share)$/, example: "errors, as in 'errors<1%' or 'errors<10'" },
  { pattern: /^requests\.failed$/, example: 'requests.unanswered' },
  { pattern: /^requests$/i, example: 'requests.sent' },
  { pattern: /^iterations$/i, example: 'iterations.started' },
];

/** Finds a figure of the whole run: `p95`, `requests.rate`, `errors`. @type {(name: string) => NamedFigure | null} */
export function figureOfRun(name) {
  if (name === ERRORS) return { figure: name, unit: '' };
  if (name === CHECKS) return { figure: name, unit: 'ratio' };
  if (STATUS.test(name)) return { figure: name, unit: '' };
  const number = NUMBERS.find(({ path, short }) => name === path || name === short);
  if (number) return { figure: number.path, unit: number.unit, number };
  const one = OFFERED.find((row) => row.name === name);
  if (one) return { figure: name, unit: one.unit, number: { ...one, kind: 'number' } };
  const prefix = TIME_NAMES.find((one) => name.startsWith(`${one}.`));
  const statistic = prefix === undefined ? name : name.slice(prefix.length + 1);
  if (!isValue(statistic)) return null;
  const times = HISTOGRAMS.find(({ path, short }) => [path, short].includes(prefix ?? RESPONSE_TIME));
  if (!times) return null;
  const only = SAME[statistic] ?? statistic;
  return { figure: `${times.short ?? times.path}.${only}`, unit: 'ms', times, statistic: only };
}

/** Finds a figure of a part: a load, a group, … @type {(name: string) => { figure: string, unit: string } | null} */
export function figureOfPart(name) {
  if (isValue(name)) return { figure: SAME[name] ?? name, unit: 'ms' };
  if (STATUS.test(name)) return { figure: name, unit: '' };
  const time = timeOfSome(name);
  if (time) return { figure: `${time.key}.${SAME[time.statistic] ?? time.statistic}`, unit: 'ms' };
  for (const units of [UNITS_OF_SOME, PART_FIGURES])
    if (Object.hasOwn(units, name)) return { figure: name, unit: units[name] };
  const number = NUMBERS.find(({ path, short }) => isOfLoads(path) && (name === path || name === short));
  return number ? { figure: number.path, unit: number.unit } : null;
}

/**
 * Returns the scope of a figure of the run, or of one of its operations: iterations or requests, and their phases.
 * @type {(figure: { operation: string | null, figure: string, unit: string }) => FigureScope}
 */
export function scopeOfThreshold({ operation, figure, unit }) {
  if (operation !== null) return scopeOf(unit === '/s' ? RATE_OF_OPERATION : { path: 'operations[]' });
  const { number, times } = figureOfRun(figure) ?? {};
  return scopeOf(number ?? times ?? { path: 'errors' });
}

const RATE_OF_OPERATION = ROW_FIGURES.filter(({ path }) => path === 'operations[].rate')[0];

/**
 * Splits the name of a time that only some operations have, `firstEvent.p95`; undefined for any other. `of`: the key of
 * its row.
 * @type {(name: string) => { of: string, key: string, statistic: string } | undefined}
 */
export function timeOfSome(name) {
  const row = TIMES_OF_SOME.find(({ key }) => name.startsWith(`${key}.`));
  const statistic = row === undefined ? '' : name.slice(row.key.length + 1);
  return row !== undefined && isValue(statistic) ? { ...row, statistic } : undefined;
}

/** Returns the row; undefined if all operations have it. @type {(figure: string) => OperationFigures | undefined} */
export function rowOfSome(figure) {
  const time = timeOfSome(figure);
  return OPERATION_FIGURES.find((row) => (time ? row.key === time.of : Object.hasOwn(unitsOf(row), figure)));
}

/** Reports whether only some operations have a figure. @type {(figure: string) => boolean} */
export function isOfSome(figure) {
  return rowOfSome(figure) !== undefined;
}

/** Reports whether only loads have such a figure: `visits dropped==0`. @type {(figure: string) => boolean} */
export function isOfLoads(figure) {
  return figure.startsWith('iterations.');
}

/** @type {HookMetrics} */
const NO_METRICS = { names: [], hasFunctions: false };

/**
 * Finds a metric of hooks, `step_0.p95` or `hits`: the metrics of functions are not known before the run, so every name
 * is good that is not close to one of ours. The unit of the bound decides: times have one, the values of a histogram
 * have none.
 * @type {(name: string, bound: string, metrics?: HookMetrics) => { figure: string, unit: string } | null}
 */
export function figureOfHooks(name, bound, { names, timers = names, hasFunctions } = NO_METRICS) {
  const [metric, figure] = splitFigure(name);
  // The names in Server-Timing are not known before the run.
  const isServed = metric.startsWith(SERVER_TIMING) && metric.length > SERVER_TIMING.length;
  const isKnown = names.includes(metric) || (isServed ? figure !== '' : hasFunctions && isNewName(metric, figure));
  if (!isKnown) return null;
  const isTime = isServed || (names.includes(metric) ? timers.includes(metric) : /[a-z]\s*$/.test(bound));
  if (figure === 'rate') return { figure: name, unit: '/s' };
  return { figure: name, unit: isValue(figure) && isTime ? 'ms' : '' };
}

/** @type {(name: string, figure: string) => boolean} */
function isNewName(name, figure) {
  // Hooks often have a metric called check, which is close to checks.
  const ours = figure ? TIME_NAMES : [...STATISTIC_NAMES, ...SHORT_NAMES.filter((one) => one !== CHECKS)];
  return (
    /^[\w-]+(\.[\w-]+)*$/.test(name) &&
    !/^(p|status\.)\d+$/.test(name) &&
    !GROUPS.has(name.split('.')[0]) &&
    !(figure !== '' && NAMES_OF_SOME.includes(name)) &&
    !(figure === '' && AMBIGUOUS.has(name)) &&
    !nearest(name, ours) &&
    // A metric may be called load, which a path begins with.
    !misspelled(name, PATHS)
  );
}

/**
 * Splits a figure of a metric of hooks: `step_0.p99.9` is `['step_0', 'p99.9']`, and without a figure at its end
 * `a.hits` is `['a.hits', '']`.
 * @type {(metric: string) => [name: string, figure: string]}
 */
export function splitFigure(metric) {
  const [, name, figure] = /^(.*?)\.(p\d{1,2}\.\d+|[^.]+)$/.exec(metric) ?? ['', metric, ''];
  return isValue(figure) || METER_FIGURES.includes(figure) ? [name, figure] : [metric, ''];
}

/** Reports whether a figure is one of single values: a percentile, the mean, … @type {(figure: string) => boolean} */
export function isValue(figure) {
  return Object.hasOwn(TIMES, figure) || PERCENTILE.test(figure);
}

/** Returns a percentile: 50 for `p50`, 100 for `max`; null if it is none. @type {(figure: string) => number | null} */
export function percentileOf(figure) {
  const name = statisticOf(figure);
  const percentile = name === 'max' ? '100' : PERCENTILE.exec(name)?.[1];
  return percentile === undefined ? null : Number(percentile);
}

/** Figures other than times that the points of the series have; confidence.js computes their intervals. */
const SERIES_RATES = ['iterations.rate', COMPLETED_RATE, 'bytes.receivedRate', ERRORS];

/** Reports whether the series tells a figure: an extreme has no interval. @type {(figure: string) => boolean} */
export function hasSeries(figure) {
  const percentile = percentileOf(figure);
  return (
    (percentile !== null && percentile > 0 && percentile < 100) ||
    figure === `${RESPONSE_TIME}.mean` ||
    SERIES_RATES.includes(figure)
  );
}

/** An interval needs a run of this length, ms: connections, and the compilers of both sides, have settled. */
export const LEAST_MS = 10_000;
/** Points of the series that an interval needs. */
export const FEWEST_POINTS = 15;

/** As reports name it: `responseTime.p95` is `p95`. @type {(figure: string) => string} */
export function statisticOf(figure) {
  return figure.startsWith(`${RESPONSE_TIME}.`) ? figure.slice(RESPONSE_TIME.length + 1) : figure;
}

/** As reports name it: `p95`, `GET /items p95`. @type {(judged: { figure: string, of: JudgedPart }) => string} */
export function figureText({ figure, of }) {
  const [part] = Object.values(of);
  return part === undefined ? statisticOf(figure) : `${part} ${figure}`;
}

/** Explains that no figure has this name, with the nearest one. @type {(name: string, isLoad: boolean) => string} */
export function unknownPartFigure(name, isLoad) {
  const own = [...Object.keys(PART_FIGURES), ...(isLoad ? SHORT_OF_LOADS : [])];
  const near = nearest(name, [...own, ...(isLoad ? [] : NAMES_OF_SOME)]);
  const meant = near && TIMES_OF_SOME.some(({ key }) => key === near) ? `${near}.p95` : near;
  const all = `use one of ${[...STATISTIC_NAMES, ...own].join(' ')} or status.NNN${isLoad ? '' : ALSO_OF_SOME}`;
  const cure = meant ? `, did you mean ${meant}?` : `: ${all}`;
  return `unknown figure ${name} of ${isLoad ? 'a load' : 'an operation'}${cure}`;
}

/** Why no figure has a name, with the nearest one. @type {(name: string, metrics?: HookMetrics) => string} */
export function unknownFigure(name, { names } = NO_METRICS) {
  const [metric, figure] = splitFigure(name);
  if (figure !== '' && NAMES_OF_SOME.includes(metric)) return ofSome(metric, name, name);
  const either = AMBIGUOUS.get(name);
  if (either) return `unknown figure ${name}: write ${either}`;
  const elsewhere = ELSEWHERE.find(({ pattern }) => pattern.test(name));
  if (elsewhere) return `unknown figure ${name}, did you mean ${elsewhere.example}?`;
  if (TIMES_OF_SOME.some(({ key }) => key === name)) return ofSome(name, name, `${name}.p95`);
  const nearName = nearest(metric, [...names, ...TIME_NAMES]);
  const near =
    nearName && figure
      ? `${nearName}.${figure}`
      : nearest(name, [...STATISTIC_NAMES, ...SHORT_NAMES, ...OFFERED.map(({ name }) => name), ...PATHS]);
  return `unknown figure ${name}${near ? `, did you mean ${near}?` : `: ${ALL}`}`;
}

/** @type {(metric: string, name: string, example: string) => string} */
function ofSome(metric, name, example) {
  const row = OPERATION_FIGURES.find((one) => namesOf(one).includes(metric));
  return `${name} is of the ${row?.noun.many} of an operation: write its name first, as in 'chat ${example}<800ms'`;
}

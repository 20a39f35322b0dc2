import { fileURLToPath } from 'node:url';

import './addons.js';
import { makeError } from './core/ground/errors.js';
import { baselineOf } from './addons/compare/measure/compare.js';
import { readRegressionLimits, refuseUntested } from './addons/compare/measure/compared-figures.js';
import { whyUntested } from './addons/compare/measure/comparison-method.js';
import { COMPARISON_HEAD } from './addons/compare/measure/head.js';
import { HISTOGRAMS, valueAt } from './core/measure/figures.js';
import { Histogram, hasCounts } from './core/measure/histogram.js';
import { judgeFigures } from './core/measure/judge-figures.js';
import { judgeThresholds } from './core/measure/judge-thresholds.js';
import { measuredBeside, whenOf, unmeasured } from './core/measure/outcome-reasons.js';
import { stateOf } from './core/measure/outcome.js';
import { RESPONSE_TIME } from './core/measure/threshold-figures.js';
import { partsOf } from './core/measure/transactions.js';
import { withoutMetricNames } from './core/measure/user-metrics.js';
import { COMPARISON_FORMATS } from './addons/compare/formats.js';
import { errorLines } from './core/report/errors.js';
import { comparisonOf } from './addons/compare/report/index.js';
import { differencesTo } from './addons/compare/report/objections.js';
import { REPORTERS } from './core/report/formats/index.js';
import { DEFAULT_WIDTH } from './core/report/terminal.js';
import { formatValue } from './core/text/format-value.js';
import { knownNoise, refuseUncomparable, warningsOfBaseline } from './addons/compare/baseline.js';
import { distributionsOf } from './core/cli/result/describe-run.js';
import { mergedResult, readResultThresholds } from './addons/merge/merge-results.js';
import { openOutputs } from './core/cli/result/outputs.js';
import { readResult as readSaved } from './addons/saved/read-result.js';

/**
 * The module `bench-rest/results`: what the command does with results, for programs.
 * @import { Comparison } from './addons/compare/comparison.js'
 * @import { Thresholds } from './core/contracts/run.js'
 * @import { Judgement, Stats } from './core/contracts/stats.js'
 * @import { Result } from './core/report/types.js'
 * @import { Outputs } from './core/cli/result/outputs.js'
 */

/**
 * A result: of a run that was awaited, its stats, or a saved one.
 * @typedef {{ stats: Stats } | Stats | Result} AnyResult
 */

/**
 * How a result is rendered.
 * @typedef {object} RenderSettings
 * @property {string} [format] The name of a format, as for `--format`: `text` (default), `markdown`, `json`, `csv`,
 *   `html`, …
 * @property {boolean} [color] Colors in text, for a terminal.
 * @property {number} [width] Columns of a line of text, 40 to 120.
 * @property {boolean} [full] Everything: connections, bytes, load generator, servers, distributions, as with `--full`.
 */

/**
 * How much runs of an unchanged service differ by chance. It tells noise from change where each side has one run.
 * @experimental
 * @typedef {object} KnownNoise
 * @property {string | string[]} [noise] Standard deviation: `'p99=8%'`, or `'4%'` for every compared figure.
 * @property {AnyResult[]} [history] Three or more earlier results that show it.
 */

/**
 * Which times a percentile is of.
 * @experimental
 * @typedef {object} PercentileOf
 * @property {string} [of] The name of the times, as in a threshold: `serviceTime`, `ttfb`, `connect`, `tls`, or a path
 *   such as `main.failed`. Default: `responseTime`, that of completed iterations.
 * @property {string} [operation] The name of an operation, of a scenario or of a group, instead of `of`.
 */

/**
 * Renders a result, or a comparison, in one of the formats of the command.
 * @param {AnyResult | Comparison} value a result, or what {@link compareResults} returned
 * @param {RenderSettings} [settings]
 * @returns {Promise<string>}
 * @throws {Error} E_USAGE: no format has this name
 */
export async function renderResult(
  value,
  { format = 'text', color = false, width = DEFAULT_WIDTH, full = false } = {},
) {
  if (isComparison(value)) {
    const { render } = await formatNamed(format, COMPARISON_FORMATS).load();
    return render(value, { color, width });
  }
  const whole = resultOf(value);
  const { render } = await formatNamed(format, REPORTERS).load();
  return render(whole, { color, width, full, distributionOf: distributionsOf(whole) });
}

/** @type {<F extends { name: string }>(name: string, formats: F[]) => F} */
function formatNamed(name, formats) {
  const found = formats.find((format) => format.name === name);
  if (found) return found;
  const names = formats.map((format) => format.name).join(', ');
  throw makeError('E_USAGE', { problem: `no format is called ${formatValue(name)}: use one of ${names}` });
}

/** @type {(value: AnyResult | Comparison) => value is Comparison} */
function isComparison(value) {
  return 'type' in value && value.type === COMPARISON_HEAD.type;
}

/**
 * Saves a result, or a comparison, in a file; its extension selects the format.
 * @param {AnyResult | Comparison} value a result, or what {@link compareResults} returned
 * @param {string | URL} file
 * @returns {Promise<void>}
 * @throws {Error} E_USAGE: the extension is unknown, or the folder does not exist; E_RESULT_NOT_WRITTEN
 */
export async function writeResult(value, file) {
  const formats = isComparison(value) ? COMPARISON_FORMATS : REPORTERS;
  const outputs = openOutputs([pathOf(file)], process.cwd(), { formats });
  const { failures } = await (isComparison(value) ? outputs.write(value, {}) : writeOutputs(resultOf(value), outputs));
  const [reason] = failures;
  if (reason !== undefined)
    throw makeError('E_RESULT_NOT_WRITTEN', { reason, cure: 'is there space, and may you write there?' });
}

/** @type {(result: Result, outputs: Outputs) => ReturnType<Outputs['write']>} */
function writeOutputs(result, outputs) {
  outputs.sample(result.series.points);
  return outputs.write(result, { width: DEFAULT_WIDTH, distributionOf: distributionsOf(result) });
}

/**
 * Reads a result that was saved as `.json` or `.ndjson`, by the command or by {@link writeResult}.
 * @throws {Error} E_FILE_NOT_FOUND, E_RESULT
 * @type {(file: string | URL) => Promise<Result>}
 */
export async function readResult(file) {
  return readSaved(pathOf(file), process.cwd(), (text) => process.emitWarning(text, 'BenchRestWarning'));
}

/**
 * Merges results as if their load had been one run: counts and histograms add up exactly.
 * @param {AnyResult[]} results whole runs, or the shards of one
 * @param {{ partial?: boolean }} [options] partial: shards may be missing
 * @returns {Result}
 * @throws {Error} E_RESULT: a result has no histograms, two are of the same run, or the shards are not those of one run
 * @experimental
 */
export function mergeResults(results, { partial = false } = {}) {
  const names = results.map((_, i) => `results[${i}]`);
  if (names.length === 0)
    throw makeError('E_RESULT', { path: 'mergeResults', reason: 'got no results', cure: 'pass at least one' });
  return mergedResult(results.map(resultOf), names, { isPartial: partial });
}

/**
 * Compares two results, or several of each side, and tests whether the differences are more than noise.
 * @param {AnyResult | AnyResult[]} base
 * @param {AnyResult | AnyResult[]} other
 * @param {{ paired?: boolean, labels?: [base: string, other: string] } & KnownNoise} [options] paired: run i of
 *   one side ran next to run i of the other; labels: names of the sides for reports
 * @returns {Comparison}
 * @throws {Error} E_RESULT: a side has no results
 */
export function compareResults(base, other, { paired, labels, ...known } = {}) {
  const [bases, others] = [base, other].map((side) => (Array.isArray(side) ? side : [side]).map(resultOf));
  if (bases.length === 0 || others.length === 0)
    throw makeError('E_RESULT', {
      path: 'compareResults',
      reason: 'got no results of a side',
      cure: 'pass at least one each',
    });
  const names = [base, other].flatMap((side, i) => namesOf(side, i === 0 ? 'base' : 'new'));
  refuseUncomparable([...bases, ...others], names);
  return comparisonOf(bases, others, { isPaired: paired, labels, ...noiseFrom(known, bases) });
}

/** @type {(side: AnyResult | AnyResult[], name: string) => string[]} for messages */
function namesOf(side, name) {
  return Array.isArray(side) ? side.map((_, i) => `${name}[${i}]`) : [name];
}

/**
 * Adds the changes against an earlier result, as `--baseline` does: every format that {@link renderResult} and
 * {@link writeResult} write shows them.
 * @param {AnyResult} result
 * @param {AnyResult} base
 * @param {{ from?: string, maxRegression?: string | string[] } & KnownNoise} [settings] from: the name of the earlier
 *   result; maxRegression: `'p99=10%'`, or `'10%'` for every compared figure
 * @returns {Result} `baseline` has the changes, and in `regressions` whether each limit holds
 * @throws {Error} E_USAGE: a limit cannot be read, or there is a limit and no noise or history to tell a change from
 *   noise by
 * @experimental
 */
export function withBaseline(result, base, { from = 'baseline', maxRegression = [], ...known } = {}) {
  const [whole, earlier] = [resultOf(result), resultOf(base)];
  const limits = [maxRegression].flat().flatMap(readRegressionLimits);
  refuseUncomparable([earlier, whole], [from, 'the result']);
  const { warnings: doubts, ...noise } = noiseFrom(known, [earlier]);
  refuseUntested(limits, (figure) => whyUntested(figure, noise));
  const differences = whole.run && earlier.run ? differencesTo(earlier, whole.run) : [];
  const warnings = [...differences, ...doubts, ...warningsOfBaseline(earlier, whole)];
  return { ...whole, baseline: baselineOf(whole, earlier, { from, limits, warnings, ...noise }) };
}

/** @type {(known: KnownNoise, bases: Result[]) => ReturnType<typeof knownNoise>} */
function noiseFrom({ noise = [], history = [] }, bases) {
  const names = history.map((_, i) => `history[${i}]`);
  return knownNoise({ noise: [noise].flat(), history: history.map(resultOf), names }, bases);
}

/**
 * Checks a result against an earlier one, as `--baseline` with `--max-regression` does.
 * @param {AnyResult} result
 * @param {AnyResult} base
 * @param {string | string[]} maxRegression `'p99=10%'`, or `'10%'` for every compared figure
 * @param {{ from?: string } & KnownNoise} [settings] from: the name of the earlier result
 * @returns {Result} the result with its changes, if no figure is worse by more than allowed
 * @throws {Error} E_REGRESSION: some are; its `baseline` has all changes. E_USAGE: a limit cannot be read
 */
export function assertNoRegression(result, base, maxRegression, { from = 'the baseline', ...known } = {}) {
  const compared = withBaseline(result, base, { from, maxRegression, ...known });
  const { baseline } = /** @type {Required<Result>} */ (compared);
  const failures = baseline.regressions.flatMap(({ message }) => message ?? []);
  if (failures.length === 0) return compared;
  throw Object.assign(makeError('E_REGRESSION', { base: from, failures: failures.join(', ') }), { baseline });
}

/**
 * Any percentile of a result, in ms.
 * @param {AnyResult} result of a run that has ended
 * @param {number} share the percentile, above 0, up to 100
 * @param {PercentileOf} [which]
 * @returns {number | null} null if nothing was measured
 * @throws {Error} E_USAGE; E_RESULT: the result has no histograms
 */
export function percentile(result, share, { of = RESPONSE_TIME, operation } = {}) {
  const whole = resultOf(result);
  if (!(share > 0 && share <= 100))
    throw makeError('E_USAGE', { problem: `expected a percentile above 0, up to 100, got ${formatValue(share)}` });
  if (!hasCounts(whole)) throw makeError('E_RESULT', NO_HISTOGRAMS);
  return (operation === undefined ? timesOf(whole, of) : timesOfPart(whole, operation))?.valueAt(share) ?? null;
}

/**
 * Checks a result against thresholds, such as `'p99<200ms'`.
 * @param {AnyResult} result
 * @param {Thresholds} thresholds
 * @returns {Judgement[]} all of them, if they passed
 * @throws {Error} E_THRESHOLD: some failed; its `thresholds` are all judgements. E_RUN_OPTIONS: one cannot be read
 */
export function assertThresholds(result, thresholds) {
  const whole = resultOf(result);
  const read = readResultThresholds(thresholds, whole);
  const judgements = judgeThresholds(read, whole, { figures: judgeFigures(whole, read) });
  const failed = judgements.filter(({ passed }) => !passed);
  if (failed.length === 0) return judgements;
  const failures = /** @type {const} */ (['failed', 'undecided']).flatMap((state) => {
    const texts = failed.filter((one) => stateOf(one) === state);
    const list = texts.map((one) => `${one.expression} (${shortfallOf(one, whole)})`).join(', ');
    return list === '' ? [] : [`${state}: ${list}`];
  });
  const reasons = [failures.join('; '), ...errorLines(whole)].join('\n');
  throw Object.assign(makeError('E_THRESHOLD', { failures: reasons }), { thresholds: judgements });
}

/** Explains why a threshold did not pass. @type {(judgement: Judgement, whole: Result) => string} */
function shortfallOf(judgement, whole) {
  if (judgement.undecided) return `${judgement.doubt}`;
  if (judgement.actual === null) return unmeasured(whole);
  return [`it was ${measuredBeside(judgement)}`, ...whenOf(judgement)].join(' ');
}

const NO_HISTOGRAMS = {
  path: 'this result',
  reason: 'has no histograms: it is of an aborted run, or the run has not ended',
  cure: 'pass the result of a run that has ended',
};

/** @type {(given: AnyResult) => Result} */
function resultOf(given) {
  const { stats } = /** @type {{ stats?: Stats }} */ (given);
  return withoutMetricNames(/** @type {Result} */ (stats ?? given));
}

/** @type {(file: string | URL) => string} */
function pathOf(file) {
  return file instanceof URL ? fileURLToPath(file) : file;
}

/** @type {(result: Result, name: string) => Histogram | null} */
function timesOf(result, name) {
  const all = HISTOGRAMS.filter(({ key }) => key !== 'corrected');
  const row = all.find(({ path, short }) => name === path || name === short);
  if (!row) {
    const names = all.map(({ path, short }) => short ?? path).join(', ');
    throw makeError('E_USAGE', { problem: `no times are called ${formatValue(name)}: use one of ${names}` });
  }
  return Histogram.decode(valueAt(result, row.path));
}

/** @type {(result: Result, name: string) => Histogram | null} */
function timesOfPart(result, name) {
  const parts = partsOf(result);
  const part = parts.find(({ names }) => names.includes(name));
  if (!part) {
    const names = parts.map((one) => one.name).join(', ');
    throw makeError('E_USAGE', { problem: `no operation is called ${formatValue(name)}: there are ${names}` });
  }
  return part.counts();
}

import { fileURLToPath } from 'node:url';

import { makeError } from '../../errors.js';
import { compareStats } from '../../measure/compare.js';
import { HISTOGRAMS } from '../../measure/figures.js';
import { Histogram } from '../../measure/histogram.js';
import { judgeThresholds } from '../../measure/thresholds.js';
import { valueAt } from '../../measure/value-at.js';
import { createProblems } from '../../problems.js';
import { REPORTERS } from '../../report/formats/index.js';
import { readThresholds } from '../../run/options/read-thresholds.js';
import { formatValue } from '../../text/format-value.js';
import { SCHEMA, distributionsOf } from './describe-run.js';
import { mergedResult } from './merge-results.js';
import { openOutputs } from './output-files.js';
import { readResult } from './read-result.js';

/**
 * The module `bench-rest/report`: what the command does with results, for programs.
 *
 * @import { Comparison } from '../../measure/compare.js'
 * @import { Judgement } from '../../measure/thresholds.js'
 * @import { Stats } from '../../measure/types.js'
 * @import { Thresholds } from '../../public-types.js'
 * @import { Result } from '../../report/types.js'
 */

/**
 * What a run resolves to, its stats, or a saved result.
 * @typedef {{ stats: Stats } | Stats | Result} AnyResult
 */

/**
 * How a result is rendered.
 * @typedef {object} RenderSettings
 * @property {string} [format] The name of a format, as for `--format`: `text` (default), `markdown`, `json`, `csv`, `html`, …
 * @property {boolean} [color] Colors in text, for a terminal.
 * @property {number} [width] Columns of a line of text, 40 to 120.
 * @property {boolean} [full] The full percentile distribution, as with `--latency`.
 */

/**
 * Which times a percentile is of.
 * @typedef {object} PercentileOf
 * @property {'main' | 'ok' | 'serviceTime' | 'ttfb' | 'connect' | 'tls'} [of] Default: `main`, the response time.
 * @property {string} [operation] The name of an operation, instead of `of`.
 */

/**
 * Renders a result in one of the formats of the command.
 *
 * @param {AnyResult} result
 * @param {RenderSettings} [settings]
 * @returns {Promise<string>}
 * @throws {Error} E_USAGE: no format has this name
 */
export async function render(result, { format = 'text', color = false, width = 100, full = false } = {}) {
  const reporter = REPORTERS.find(({ name }) => name === format);
  if (!reporter) {
    const names = REPORTERS.map(({ name }) => name).join(', ');
    throw makeError('E_USAGE', { problem: `no format is called ${formatValue(format)}: use one of ${names}` });
  }
  const whole = resultOf(result);
  const text = await reporter.load();
  return text.render(whole, { colour: color, width, fullDistribution: full, distributionOf: distributionsOf(whole) });
}

/**
 * Saves a result in a file; its extension selects the format.
 *
 * @param {AnyResult} result
 * @param {string | URL} file
 * @returns {Promise<void>}
 * @throws {Error} E_USAGE: the extension is unknown, or the folder does not exist; E_SAVE
 */
export async function save(result, file) {
  const whole = resultOf(result);
  const outputs = openOutputs([pathOf(file)], process.cwd());
  outputs.sample(whole.series.points);
  const [reason] = await outputs.write(whole, { width: 100, distributionOf: distributionsOf(whole) });
  if (reason !== undefined) throw makeError('E_SAVE', { reason });
}

/**
 * Reads a result that was saved as `.json` or `.ndjson`, by the command or by {@link save}.
 *
 * @param {string | URL} file
 * @returns {Promise<Result>}
 * @throws {Error} E_NO_FILE, E_RESULT
 */
export async function load(file) {
  return readResult(pathOf(file), process.cwd());
}

/**
 * Merges results as if their load had been one run: counts and histograms add up exactly.
 *
 * @param {AnyResult[]} results
 * @returns {Result}
 * @throws {Error} E_RESULT: a result has no histograms, or two are of the same run
 */
export function merge(results) {
  const names = results.map((_, i) => `results[${i}]`);
  if (names.length === 0)
    throw makeError('E_RESULT', { path: 'merge', reason: 'got no results', cure: 'pass at least one' });
  return mergedResult(results.map(resultOf), names);
}

/**
 * Compares two results, or several of each side, and tests whether the differences are more than noise.
 *
 * @param {AnyResult | AnyResult[]} base
 * @param {AnyResult | AnyResult[]} other
 * @param {{ isPaired?: boolean }} [options] isPaired: run i of one side ran next to run i of the other
 * @returns {Comparison}
 */
export function compare(base, other, options) {
  const [bases, others] = [base, other].map((side) => (Array.isArray(side) ? side : [side]).map(resultOf));
  return compareStats(bases, others, options);
}

/**
 * Any percentile of a result, in ms.
 *
 * @param {AnyResult} result of a run that has ended
 * @param {number} share the percentile, above 0, up to 100
 * @param {PercentileOf} [which]
 * @returns {number | null} null if nothing was measured
 * @throws {Error} E_USAGE; E_RESULT: the result has no histograms
 */
export function percentile(result, share, { of = 'main', operation } = {}) {
  const whole = resultOf(result);
  if (!(share > 0 && share <= 100))
    throw makeError('E_USAGE', { problem: `expected a percentile above 0, up to 100, got ${formatValue(share)}` });
  if (!whole.histograms) throw makeError('E_RESULT', NO_HISTOGRAMS);
  return (operation === undefined ? timesOf(whole, of) : timesOfOperation(whole, operation)).valueAt(share);
}

/**
 * Checks a result against thresholds, such as `'p99<200ms'`.
 *
 * @param {AnyResult} result
 * @param {Thresholds} thresholds
 * @returns {Judgement[]} all of them, if they passed
 * @throws {Error} E_THRESHOLD: some failed; its `thresholds` are all judgements. E_RUN_OPTIONS: one cannot be read
 */
export function assertThresholds(result, thresholds) {
  const whole = resultOf(result);
  const problems = createProblems('E_RUN_OPTIONS');
  const operations = whole.operations.map(({ name }) => name);
  const read = readThresholds(thresholds, operations, problems, { names: [], hasFunctions: true });
  problems.throwIfAny();
  const judgements = judgeThresholds(read, whole);
  const failed = judgements.filter(({ passed }) => !passed);
  if (failed.length === 0) return judgements;
  const failures = failed.map(
    ({ expression, actual, unit }) =>
      `${expression} (${actual === null ? 'nothing was measured' : `it was ${actual} ${unit}`.trim()})`,
  );
  throw Object.assign(makeError('E_THRESHOLD', { failures: failures.join(', ') }), { thresholds: judgements });
}

const NO_HISTOGRAMS = {
  path: 'this result',
  reason: 'has no histograms: it is of an aborted run, or the run has not ended',
  cure: 'pass the result of a run that has ended',
};

/** @type {(given: AnyResult) => Result} */
function resultOf(given) {
  const { stats } = /** @type {{ stats?: Stats }} */ (given);
  const whole = /** @type {Result} */ (stats ?? given);
  return { ...whole, schema: SCHEMA };
}

/** @type {(file: string | URL) => string} */
function pathOf(file) {
  return file instanceof URL ? fileURLToPath(file) : file;
}

/** @type {(result: Result, key: string) => Histogram} */
function timesOf(result, key) {
  const row = HISTOGRAMS.find((one) => one.key === key && key !== 'corrected');
  if (!row) {
    const keys = HISTOGRAMS.map((one) => one.key).filter((one) => one !== 'corrected');
    throw makeError('E_USAGE', { problem: `no times are called ${formatValue(key)}: use one of ${keys.join(', ')}` });
  }
  // in a closed run an iteration is due when it starts: its service time is the response time
  const encoded = valueAt(result, `histograms.${key}`) ?? (key === 'serviceTime' ? result.histograms?.main : null);
  return Histogram.decode(valueAt(result, row.path), encoded);
}

/** @type {(result: Result, name: string) => Histogram} */
function timesOfOperation({ operations, histograms }, name) {
  const at = operations.findIndex((one) => one.name === name);
  if (at < 0) {
    const names = operations.map((one) => one.name).join(', ');
    throw makeError('E_USAGE', { problem: `no operation is called ${formatValue(name)}: there are ${names}` });
  }
  return Histogram.decode(operations[at].serviceTime, histograms?.operations[at]);
}

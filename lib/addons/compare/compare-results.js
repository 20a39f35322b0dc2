import { basename } from 'node:path';

import { workingFolder } from '../../core/ground/system-errors.js';
import { judgedLimit, readRegressionLimits, refuseUntestedIn, regressionsIn } from './measure/compared-figures.js';
import { outcomeFor } from '../../core/measure/outcome.js';
import { COMPARISON_FORMATS } from './formats.js';
import { comparisonOf, withReasons, withRegressions } from './report/index.js';
import { withNotices } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { readNoise, refuseUncomparable } from './baseline.js';
import { compareSavedCapacities } from '../capacity/capacities.js';
import { openDocument, printDocument } from './print-document.js';
import { readResult, resultsIn } from '../saved/read-result.js';

/** @import { Comparison } from './comparison.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { CompareRequest, ComparisonOptions } from './requests.js' */

/** @type {(request: CompareRequest, io: Io) => Promise<Set<Reason>>} */
export async function compareResults({ base, other, paired, ...options }, io) {
  const compared = compareSavedCapacities({ base, other, paired, ...options }, io);
  if (compared) return compared;
  const cwd = workingFolder(io);
  const sides = [base, other].map((paths) => paths.flatMap((path) => resultsIn(path, cwd)));
  const [bases, others] = sides.map((files) => files.length);
  if (paired && bases !== others)
    throw usageError(`--paired needs as many results of each side, got ${bases} and ${others}`);
  const output = openComparison(options, cwd, { sources: sides.flat(), role: 'one of the results' });
  const { baseResults, newResults, ...noise } = await withNotices(io, (onNotice) => {
    const [baseResults, newResults] = sides.map((files) => files.map((file) => readResult(file, cwd, onNotice)));
    refuseUncomparable([...baseResults, ...newResults], sides.flat());
    return { baseResults, newResults, ...readNoise(options, baseResults, cwd, onNotice) };
  });
  const comparison = comparisonOf(baseResults, newResults, {
    isPaired: paired,
    labels: labelsOf({ paths: base, count: bases }, { paths: other, count: others }),
    limits: output.limits,
    ...noise,
  });
  refuseUntestedIn(comparison, output.limits);
  return printComparison(comparison, output, io);
}

/**
 * Names of the files or folders; their paths if these are equal.
 * @typedef {{ paths: string[], count: number }} Side paths as they were given, and the number of results in them
 * @type {(base: Side, other: Side) => [string, string]}
 */
function labelsOf(base, other) {
  const label = (/** @type {Side} */ { paths, count }) => (paths.length === 1 ? basename(paths[0]) : `${count} files`);
  const [one, two] = [label(base), label(other)];
  return one === two ? [base.paths.join(', '), other.paths.join(', ')] : [one, two];
}

/** @typedef {ReturnType<typeof openComparison>} ComparisonOutput */

/**
 * Checks where a comparison is written, and its limits, before anything is run or compared.
 * @param {ComparisonOptions} options
 * @param {string} cwd
 * @param {{ sources: string[], role: string }} inputs paths that no file may replace, and what they are
 * @throws {Error} E_USAGE
 */
export function openComparison({ format, outputs, maxRegression, color }, cwd, inputs) {
  return {
    document: openDocument({ format, outputs, color, cwd, formats: COMPARISON_FORMATS, ...inputs }),
    limits: maxRegression.flatMap(readRegressionLimits),
  };
}

/**
 * Checks a comparison against its limits, writes its files and prints it. `more` are other reasons for which the
 * command fails.
 * @type {(comparison: Comparison, output: ComparisonOutput, io: Io, more?: Set<Reason>) => Promise<Set<Reason>>}
 */
export async function printComparison(comparison, { document, limits }, io, more = new Set()) {
  const judged = withRegressions(
    comparison,
    limits.map((limit) => judgedLimit(comparison, limit)),
  );
  const known = codesOf(judged);
  const further = [...more].filter((code) => !known.has(code));
  const whole = withReasons(judged, outcomeFor(further).reasons);
  return printDocument(whole, document, { reasons: codesOf(whole), notices: regressionsIn(whole.outcome) }, io);
}

/** @type {(comparison: Comparison) => Set<Reason>} */
function codesOf({ outcome }) {
  return new Set(/** @type {Reason[]} */ (outcome.reasons.map(({ code }) => code)));
}

import { basename } from 'node:path';

import { workingFolder } from '../../ground/system-errors.js';
import { judgedLimit, readRegressionLimits, refuseUntestedIn } from '../../measure/compared-figures.js';
import { outcomeFor, regressionsIn } from '../../measure/outcome.js';
import { COMPARISON_FORMATS } from '../../report/documents.js';
import { comparisonOf, withReasons, withRegressions } from '../../report/comparison/index.js';
import { withNotices } from '../output.js';
import { usageError } from '../usage-error.js';
import { readNoise, refuseUncomparable } from './baseline.js';
import { compareSavedCapacities } from './capacities.js';
import { openDocument, printDocument } from './documents.js';
import { readResult, resultsIn } from './read-result.js';

/** @import { Comparison } from '../../contracts/comparison.js' */
/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { CompareRequest, ComparisonOptions, Io } from '../types.js' */

/** @type {(request: CompareRequest, io: Io) => Promise<Set<Reason>>} */
export async function compareResults({ base, other, paired, ...options }, io) {
  const compared = compareSavedCapacities({ base, other, paired, ...options }, io);
  if (compared) return compared;
  const cwd = workingFolder(io);
  const sides = [base, other].map((paths) => paths.flatMap((path) => resultsIn(path, cwd)));
  const [bases, others] = sides;
  if (paired && bases.length !== others.length)
    throw usageError(`--paired needs as many results of each side, got ${bases.length} and ${others.length}`);
  const output = openComparison(options, cwd, { sources: sides.flat(), role: 'one of the results' });
  const { results, ...known } = await withNotices(io, (onNotice) => {
    const results = sides.map((paths) => paths.map((path) => readResult(path, cwd, onNotice)));
    refuseUncomparable(results.flat(), sides.flat());
    return { results, ...readNoise(options, results[0], cwd, onNotice) };
  });
  const comparison = comparisonOf(results[0], results[1], {
    isPaired: paired,
    labels: labelsOf(base, other),
    ...known,
  });
  refuseUntestedIn(comparison, output.limits);
  return printComparison(comparison, output, io);
}

/** Names of the files; their paths if these are equal. @type {(base: string[], other: string[]) => [string, string]} */
function labelsOf(base, other) {
  const label = (/** @type {string[]} */ paths) => (paths.length === 1 ? basename(paths[0]) : `${paths.length} files`);
  const [one, two] = [label(base), label(other)];
  return one === two ? [base.join(', '), other.join(', ')] : [one, two];
}

/** @typedef {ReturnType<typeof openComparison>} ComparisonOutput */

/**
 * Checks where a comparison is written, and its limits, before anything is run or read.
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
  const others = [...more].filter((code) => !known.has(code));
  const whole = withReasons(judged, outcomeFor(others).reasons);
  return printDocument(whole, document, { reasons: codesOf(whole), notices: regressionsIn(whole.outcome) }, io);
}

/** @type {(comparison: Comparison) => Set<Reason>} */
function codesOf({ outcome }) {
  return new Set(/** @type {Reason[]} */ (outcome.reasons.map(({ code }) => code)));
}

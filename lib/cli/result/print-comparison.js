import { makeError } from '../../errors.js';
import { COMPARISON_FORMATS } from '../../report/comparison/formats.js';
import { render as renderJson } from '../../report/comparison/json.js';
import { DEFAULT_WIDTH } from '../../report/width.js';
import { print, printMessage } from '../output.js';
import { hasColors } from '../terminal.js';
import { openOutputs } from './output-files.js';
import { readRegressionLimits, regressionsOf } from '../../measure/regression.js';

/**
 * @import { Reason } from '../../exit-codes.js'
 * @import { Comparison, ComparisonFormat } from '../../report/comparison/types.js'
 * @import { Io } from '../main.js'
 * @import { ComparisonOptions } from '../flags/comparison-flags.js'
 *
 * @typedef {ReturnType<typeof openComparison>} ComparisonOutput
 */

/**
 * Checks where a comparison is written, and its limits, before anything is run or read.
 *
 * @param {ComparisonOptions} options
 * @param {string} cwd
 * @param {{ sources: string[], role: string }} inputs paths that no file may replace, and what they are
 * @throws {Error} E_USAGE
 */
export function openComparison({ format, outputs, maxRegression, color }, cwd, inputs) {
  return {
    format: /** @type {ComparisonFormat} */ (COMPARISON_FORMATS.find(({ name }) => name === format)),
    color,
    files: openOutputs(outputs, cwd, { ...inputs, formats: COMPARISON_FORMATS }),
    limits: maxRegression.flatMap(readRegressionLimits),
  };
}

/**
 * Checks a comparison against its limits, writes its files and prints it. If a file cannot be written, the JSON is
 * printed, so that no comparison is lost.
 *
 * @param {Comparison} comparison
 * @param {ComparisonOutput} output
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function printComparison(comparison, { format, color, files: outputs, limits }, io) {
  const whole = { ...comparison, regressions: regressionsOf(comparison, limits) };
  /** @type {Set<Reason>} */
  const reasons = new Set(whole.regressions.length > 0 ? ['regression'] : []);
  const { files, failures } = await outputs.write(whole, {});
  const { render } = await format.load();
  const width = io.stdout.columns ?? DEFAULT_WIDTH;
  if (!(await print(render(whole, { color: hasColors(io.stdout, io.env, color), width }), io)))
    reasons.add('notWritten');
  for (const regression of whole.regressions) await printMessage(io.stderr, regression);
  for (const failure of failures) {
    reasons.add('notWritten');
    await printMessage(io.stderr, makeError('E_FILE_NOT_WRITTEN', { reason: failure }).message);
  }
  if (failures.length > 0 && format.name !== 'json') await print(renderJson(whole), io);
  if (files.length > 0 && (format.name === 'text' || io.stderr.isTTY))
    await printMessage(io.stderr, `wrote ${files.join(', ')}`);
  return reasons;
}

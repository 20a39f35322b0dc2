import { makeError } from '../errors.js';
import { REPORTERS } from '../report/index.js';
import { exitCode } from './exit-codes.js';
import { openOutputs } from './output-files.js';
import { hasColours, write } from './output.js';
import { spectraOf } from './result.js';

/**
 * @import { Look, Reporter, Result } from '../report/types.js'
 * @import { Reason } from './exit-codes.js'
 * @import { Io } from './main.js'
 *
 * @typedef {object} Wish how a result is to be shown
 * @property {string} [format] name of a reporter; text unless told otherwise
 * @property {string[]} outputs files
 * @property {boolean} latency
 * @property {boolean} quiet
 */

/**
 * Shows a result that is there already.
 *
 * @param {Result} result
 * @param {Wish} wish
 * @param {Io} io
 * @returns {Promise<Set<Reason>>}
 */
export async function reportResult(result, wish, io) {
  const outputs = openOutputs(wish.outputs, io.cwd());
  /** @type {Set<Reason>} */
  const reasons = new Set();
  if (result.thresholds?.some(({ passed }) => !passed)) reasons.add('threshold');
  const shown = { ...result, exit: { code: exitCode(reasons), reasons: [...reasons] } };
  for (const failure of await showResult(shown, wish, outputs, io)) reasons.add(failure);
  return reasons;
}

/**
 * Prints a result and writes its files; where stdout fails it goes to stderr, so that it is not lost.
 *
 * @param {Result} result
 * @param {Wish} wish
 * @param {ReturnType<typeof openOutputs>} outputs
 * @param {Io} io
 * @returns {Promise<Reason[]>}
 */
export async function showResult(result, { format = 'text', latency, quiet }, outputs, io) {
  const { stdout, stderr } = io;
  /** @type {Look} */
  const look = {
    colour: hasColours(io),
    width: stdout.columns ?? 100,
    spectrum: latency,
    quiet,
    spectrumOf: spectraOf(result),
  };
  const reporter = /** @type {Reporter} */ (REPORTERS.find(({ name }) => name === format));
  const text = await reporter.render(result, look);
  const error = await write(stdout, text);
  if (error)
    await write(stderr, `bench-rest: ${makeError('E_NOT_WRITTEN', { reason: error.message }).message}\n${text}`);
  const failures = await outputs.write(result, { ...look, colour: false, width: 100 });
  for (const failure of failures)
    await write(stderr, `bench-rest: ${makeError('E_FILE_NOT_WRITTEN', { reason: failure }).message}\n`);
  return error || failures.length > 0 ? ['notWritten'] : [];
}

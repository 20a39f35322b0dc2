import { makeError } from '../../errors.js';
import { REPORTERS } from '../../report/formats/index.js';
import { render as renderJson } from '../../report/formats/json.js';
import { DEFAULT_WIDTH } from '../../report/width.js';
import { exitCode, inOrder } from '../../exit-codes.js';
import { reasonsOf } from '../../measure/outcome.js';
import { openOutputs } from './output-files.js';
import { print, printMessage } from '../output.js';
import { hasColors, hasUnicode } from '../terminal.js';
import { distributionsOf } from './describe-run.js';
import { workingFolder } from '../../working-folder.js';

/**
 * @import { Demands } from '../../measure/outcome.js'
 * @import { RenderOptions, Reporter, Result } from '../../report/types.js'
 * @import { Reason } from '../../exit-codes.js'
 * @import { Io } from '../main.js'
 * @import { OutputOptions } from '../flags/output-flags.js'
 *
 * @typedef {object} PrintContext
 * @property {OutputOptions} options
 * @property {Iterable<Reason>} reasons for an exit code other than 0
 * @property {ReturnType<typeof openOutputs>} outputs
 */

/**
 * Prints a saved result and writes it to files.
 *
 * @param {Result} result
 * @param {Demands & OutputOptions} options
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} reasons for an exit code other than 0
 */
export async function reportResult(result, options, io) {
  const outputs = openOutputs(options.outputs, workingFolder(io));
  return printResult(result, { options, reasons: reasonsOf(result, options), outputs }, io);
}

/**
 * Writes the files of a result and prints it. If a file cannot be written, the complete JSON is printed on stdout, or on
 * stderr if stdout fails too, so that no result is lost.
 *
 * @param {Result} result without `exit`
 * @param {PrintContext} context
 * @param {Io} io
 * @returns {Promise<Set<Reason>>} the reasons, and `notWritten` if it applies
 */
export async function printResult(result, { options, reasons: before, outputs }, io) {
  const { format = 'text', full, latency, quiet, color } = options;
  const reasons = new Set(before);
  /** @type {RenderOptions} */
  const rendering = {
    color: hasColors(io.stdout, io.env, color),
    width: io.stdout.columns ?? DEFAULT_WIDTH,
    unicode: hasUnicode(io.env),
    full,
    fullDistribution: latency,
    quiet,
    distributionOf: distributionsOf(result),
  };
  // a file is for later: --quiet is about the terminal
  const inFiles = { ...rendering, quiet: false, color: false, width: DEFAULT_WIDTH, unicode: true };
  const { files, failures } = await outputs.write(withExit(result, reasons), inFiles);
  if (failures.length > 0) reasons.add('notWritten');
  const whole = withExit(result, reasons);
  const reporter = /** @type {Reporter} */ (REPORTERS.find(({ name }) => name === format));
  const { render } = await reporter.load();
  if (!(await print(render(whole, { ...rendering, files }), io))) reasons.add('notWritten');
  // the report for people names them
  if (format !== 'text' && io.stderr.isTTY && files.length > 0 && !quiet)
    await printMessage(io.stderr, `wrote ${files.join(', ')}`);
  for (const failure of failures)
    await printMessage(io.stderr, makeError('E_FILE_NOT_WRITTEN', { reason: failure }).message);
  if (failures.length > 0 && !COMPLETE.includes(format)) await print(renderJson(whole), io);
  return reasons;
}

/** Formats that contain the complete result, so that their output can be read again. */
const COMPLETE = ['json', 'ndjson'];

/** Adds the exit code and its reasons to a result. @type {(result: Result, reasons: Set<Reason>) => Result} */
export function withExit(result, reasons) {
  return { ...result, exit: { code: exitCode(reasons), reasons: inOrder(reasons) } };
}

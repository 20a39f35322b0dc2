import { outcomeFor, outcomeWith } from '../../core/measure/outcome.js';
import { DEFAULT_WIDTH } from '../../core/report/terminal.js';
import { hasColors, hasUnicode, print, printMessage, terminalColumns } from '../../core/cli/output.js';
import { usageError } from '../../core/cli/usage-error.js';
import { openOutputs, printFailures } from '../../core/cli/result/outputs.js';

/** @import { SavedOutcome } from '../../core/contracts/stats.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { ColorChoice, FileFormat, Io } from '../../core/cli/types.js' */

/**
 * Documents other than results are written and printed here: comparisons, capacities and histories.
 *
 * @typedef {object} DocumentOutput where a document is written, and in which format
 * @property {string} format name
 * @property {string[]} outputs files
 * @property {ColorChoice} color
 * @property {string} cwd
 * @property {FileFormat[]} formats
 * @property {string[]} sources paths that no file may replace
 * @property {string} [role] of the sources, for messages
 */

/** @typedef {ReturnType<typeof openDocument>} OpenDocument */

/**
 * Checks where a document is written.
 * @param {DocumentOutput} output
 * @throws {Error} E_USAGE
 */
export function openDocument({ format: name, outputs, color, cwd, sources, role, formats }) {
  const format = formats.find((one) => one.name === name);
  if (!format) throw usageError(`--format ${name}: use one of ${formats.map((one) => one.name).join(', ')}`);
  return { format, color, outputs: openOutputs(outputs, cwd, { sources, role, formats }) };
}

/**
 * Writes the files of a document and prints it, then `notices` on stderr. If a file cannot be written, the JSON is
 * printed, so that nothing is lost. Returns the reasons for an exit code other than 0, with `notWritten` if it applies.
 * @param {{ outcome?: SavedOutcome }} document
 * @param {OpenDocument} output
 * @param {{ reasons: Iterable<Reason>, notices?: string[] }} outcome
 * @param {Io} io
 * @returns {Promise<Set<Reason>>}
 */
export async function printDocument(document, { format, color, outputs }, { reasons: known, notices = [] }, io) {
  const reasons = new Set(known);
  // Files have the defaults of a format: no colors, and Unicode.
  const { files, failures } = await outputs.write(document, {});
  if (failures.length > 0) reasons.add('notWritten');
  const whole = failures.length > 0 ? withNotWritten(document) : document;
  const { render } = await format.load();
  const shown = {
    color: hasColors(io.stdout, io.env, color),
    width: terminalColumns(io.stdout) ?? DEFAULT_WIDTH,
    unicode: hasUnicode(io.env),
  };
  for (const reason of await print(render(whole, shown), io)) reasons.add(reason);
  for (const notice of notices) await printMessage(io.stderr, notice);
  await printFailures(failures, { whole, format: format.name }, io);
  if (files.length > 0 && (format.name === 'text' || io.stderr.isTTY))
    await printMessage(io.stderr, `wrote ${files.join(', ')}`);
  return reasons;
}

/** @type {(document: { outcome?: SavedOutcome }) => object} */
function withNotWritten(document) {
  const reasons = document.outcome?.reasons ?? [];
  return { ...document, outcome: outcomeWith([...reasons, ...outcomeFor(['notWritten']).reasons]) };
}

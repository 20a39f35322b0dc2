import { makeError } from '../../ground/errors.js';
import { workingFolder } from '../../ground/system-errors.js';
import { CAPACITY_FORMATS } from '../../report/capacity/formats.js';
import { render as renderJson } from '../../report/formats/json.js';
import { DEFAULT_WIDTH } from '../../report/terminal.js';
import { hasColors, hasUnicode, print, printMessage } from '../output.js';
import { usageError } from '../usage-error.js';
import { ON_STDOUT, openOutputs } from './outputs.js';

/** @import { Capacity } from '../../contracts/capacity.js' */
/** @import { FlowInput } from '../../flow/source/types.js' */
/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { CapacityOutput, Io, ColorChoice, FileFormat } from '../types.js' */

/**
 * @typedef {object} DocumentOutput where a document is written, and in which format
 * @property {string} format name
 * @property {string[]} outputs files
 * @property {ColorChoice} color
 * @property {string} cwd
 * @property {FileFormat[]} formats
 * @property {string[]} sources paths that no file may replace
 */

/**
 * Checks where a capacity is written before anything is run.
 * @throws {Error} E_USAGE
 * @type {(options: CapacityOutput, cwd: string, source: FlowInput | null) => ReturnType<typeof openDocument>}
 */
export function openCapacityOutput({ format, outputs, color }, cwd, source) {
  const sources = source && 'argument' in source ? [source.argument] : [];
  return openDocument({ format, outputs, color, cwd, sources, formats: CAPACITY_FORMATS });
}

/** @param {DocumentOutput} output */
function openDocument({ format: name, outputs, color, cwd, sources, formats }) {
  const format = formats.find((one) => one.name === name);
  if (!format) throw usageError(`--format ${name}: use one of ${formats.map((one) => one.name).join(', ')}`);
  return { format, color, files: openOutputs(outputs, cwd, { sources, formats }) };
}

/**
 * Prints a document, and writes its files.
 * @type {(document: object, output: DocumentOutput, outcome: { reasons: Reason[], notices: string[] }, io: Io) =>
 *   Promise<Set<Reason>>}
 */
export async function printAs(document, output, { reasons, notices }, io) {
  const printed = await printCapacity(document, openDocument(output), new Set(reasons), io);
  for (const notice of notices) await printMessage(io.stderr, notice);
  return printed;
}

/**
 * Prints a saved capacity, and writes it in other formats.
 * @throws {Error} E_USAGE: capacities do not have the format
 * @type {(capacity: Capacity, options: Omit<CapacityOutput, 'format'> & { format?: string, path: string }, io: Io) =>
 *   Promise<Set<Reason>>}
 */
export function reportCapacity(capacity, { format = 'text', outputs, color, path }, io) {
  const cwd = workingFolder(io);
  const output = { format, outputs, color, cwd, formats: CAPACITY_FORMATS, sources: [path] };
  const reasons = /** @type {Reason[]} */ ((capacity.outcome?.reasons ?? []).map(({ code }) => code));
  return printAs(capacity, output, { reasons, notices: [] }, io);
}

/**
 * Writes the files of a capacity and prints it. If a file cannot be written, the JSON is printed, so that no search is
 * lost. Returns the reasons for an exit code other than 0, with `notWritten` if it applies.
 * @type {(capacity: object, output: ReturnType<typeof openDocument>, before: Set<Reason>, io: Io) =>
 *   Promise<Set<Reason>>}
 */
export async function printCapacity(capacity, { format, color, files: outputs }, before, io) {
  const reasons = new Set(before);
  const { files, failures } = await outputs.write(capacity, {});
  const { render } = await format.load();
  const shown = {
    color: hasColors(io.stdout, io.env, color),
    width: io.stdout.columns ?? DEFAULT_WIDTH,
    unicode: hasUnicode(io.env),
  };
  if (!(await print(render(capacity, shown), io))) reasons.add('notWritten');
  for (const failure of failures) {
    reasons.add('notWritten');
    await printMessage(io.stderr, makeError('E_RESULT_NOT_WRITTEN', { reason: failure, cure: ON_STDOUT }).message);
  }
  if (failures.length > 0 && format.name !== 'json') await print(renderJson(capacity), io);
  if (files.length > 0 && (format.name === 'text' || io.stderr.isTTY))
    await printMessage(io.stderr, `wrote ${files.join(', ')}`);
  return reasons;
}

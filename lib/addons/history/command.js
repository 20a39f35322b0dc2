import { resolve } from 'node:path';

import { workingFolder } from '../../core/ground/system-errors.js';
import { HISTORY_FORMATS } from './formats.js';
import { addColorFlags, addFormatFlags, formatOptions } from '../../core/cli/flags/output-flags.js';
import { withNotices } from '../../core/cli/output.js';

/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { LeftOut } from './history.js' */
/** @import { ColorChoice, CommandModule, Io } from '../../core/cli/types.js' */

/**
 * @typedef {object} HistoryRequest
 * @property {'history'} command
 * @property {string[]} paths of saved results, or of folders with them
 * @property {string} format
 * @property {string[]} outputs files
 * @property {boolean} check the newest result must be no change for the worse
 * @property {ColorChoice} color
 */

/** Prints how results changed over commits. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    const named = addColorFlags(command)
      .argument('<results...>', 'a folder of .json files, or such files')
      .option('--check', 'exit with 99 if the newest result is a change for the worse');
    addFormatFlags(named, 'history', HISTORY_FORMATS).action((paths, { check = false, ...options }) =>
      submit({ command: 'history', paths, check, ...formatOptions(options) }),
    );
  },

  run: printHistory,
};

/** @type {(request: HistoryRequest, io: Io) => Promise<Set<Reason>>} */
async function printHistory({ paths, check, format, outputs, color }, io) {
  const [
    { readResult, resultsIn },
    { openDocument, printDocument },
    { historyOf },
    { historyEntry },
    { regressionsIn },
  ] = await Promise.all([
    import('../saved/read-result.js'),
    import('../compare/print-document.js'),
    import('./report/index.js'),
    import('./report/entry.js'),
    import('../compare/measure/compared-figures.js'),
  ]);
  const cwd = workingFolder(io);
  const sources = [...new Set(paths.flatMap((path) => resultsIn(path, cwd)))];
  const formats = HISTORY_FORMATS;
  const output = openDocument({ format, outputs, color, cwd, sources, role: 'one of the results', formats });
  const entries = await withNotices(io, (onNotice) =>
    // each alone: a history has thousands
    sources.map((file) => {
      try {
        return historyEntry(readResult(file, cwd, onNotice), file);
      } catch (error) {
        return leftOut(file, /** @type {NodeJS.ErrnoException} */ (error), { cwd, isGiven: paths.includes(file) });
      }
    }),
  );
  const history = historyOf(entries);
  const counted = history.outcome.reasons.filter(({ code }) => check || code !== 'regression');
  const reasons = /** @type {Reason[]} */ (counted.map(({ code }) => code));
  const notices = [...regressionsIn(history.outcome), ...history.notes.map(({ message }) => message)];
  return printDocument(history, output, { reasons, notices: check ? notices : [] }, io);
}

/**
 * Describes a file that cannot be read as a result, which the history does without. `isGiven`: the user named it.
 * @throws the error, if it is another one
 * @type {(file: string, error: NodeJS.ErrnoException, context: { cwd: string, isGiven: boolean }) => LeftOut}
 */
function leftOut(file, error, { cwd, isGiven }) {
  // a file of a folder may be removed meanwhile, or be a link to nothing
  if (error.code === 'E_FILE_NOT_FOUND' && !isGiven) return { file, code: 'missing', message: 'does not exist' };
  if (error.code !== 'E_RESULT') throw error;
  return { file, code: 'unreadable', message: reasonOf(error, resolve(cwd, file)) };
}

/** Drops path, cure and lines of a file: `is damaged at 3:4: …`. @type {(error: Error, path: string) => string} */
function reasonOf({ message }, path) {
  const [line] = message.replace(path, '').split('\n');
  const [reason] = line.split('; ');
  return reason.startsWith(':') ? `is damaged at ${reason.slice(1)}` : reason.trim();
}

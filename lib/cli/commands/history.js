import { resolve } from 'node:path';

import { Option } from 'commander';

import { workingFolder } from '../../ground/system-errors.js';
import { HISTORY_FORMATS } from '../../report/history/formats.js';
import { collect } from '../flags/argument-parser.js';
import { addColorFlags, colorChoice } from '../flags/output-flags.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { HistoryEntry, LeftOut } from '../../report/history/index.js' */
/** @import { ColorChoice, CommandModule, Io } from '../types.js' */

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
    const names = HISTORY_FORMATS.map(({ name }) => name);
    const extensions = HISTORY_FORMATS.map(({ extension }) => extension).join(' ');
    addColorFlags(command)
      .argument('<results...>', 'a folder of .json files, or such files')
      .option('--check', 'exit with 97 if the newest result is a change for the worse')
      .option('-o, --output <file>', `write the history to a file: ${extensions}; repeatable`, collect)
      .addOption(new Option('--format <name>', 'output format (default: text)').choices(names))
      .addOption(new Option('--json', 'same as --format json: one document on stdout').conflicts('format'))
      .action((paths, { json = false, format = 'text', output = [], check = false, ...options }) =>
        submit({
          command: 'history',
          paths,
          format: json ? 'json' : format,
          outputs: output,
          check,
          color: colorChoice(options),
        }),
      );
  },

  run: printHistory,
};

/** @type {(request: HistoryRequest, io: Io) => Promise<Set<Reason>>} */
async function printHistory({ paths, check, format, outputs, color }, io) {
  const [{ resultsIn }, { openDocument, printDocument }, { historyOf }, { printMessage }] = await Promise.all([
    import('../result/read-result.js'),
    import('../result/capacities.js'),
    import('../../report/history/index.js'),
    import('../output.js'),
  ]);
  const cwd = workingFolder(io);
  const sources = [...new Set(paths.flatMap((path) => resultsIn(path, cwd)))];
  const formats = HISTORY_FORMATS;
  const output = openDocument({ format, outputs, color, cwd, sources, role: 'one of the results', formats });
  const history = historyOf(await entriesOf(sources, paths, io));
  /** @type {Set<Reason>} */
  const reasons = new Set(history.groups.length === 0 ? ['flow'] : []);
  if (check && history.regressions.length > 0) reasons.add('regression');
  const printed = await printDocument(history, output, reasons, io);
  for (const regression of check ? history.regressions : []) await printMessage(io.stderr, regression);
  return printed;
}

/**
 * Reads results, each alone: a history has thousands. Files that cannot be read are left out, with the reason.
 * @type {(files: string[], given: string[], io: Io) => Promise<(HistoryEntry | LeftOut)[]>}
 */
async function entriesOf(files, given, io) {
  const [{ readResult }, { historyEntry }, { withNotices }] = await Promise.all([
    import('../result/read-result.js'),
    import('../../report/history/index.js'),
    import('../output.js'),
  ]);
  const cwd = workingFolder(io);
  return withNotices(io, (onNotice) =>
    files.map((file) => {
      try {
        return historyEntry(readResult(file, cwd, onNotice), file);
      } catch (error) {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        // a file of a folder may be removed meanwhile, or be a link to nothing
        const isGone = code === 'E_FILE_NOT_FOUND' && !given.includes(file);
        if (isGone) return { file, reason: 'does not exist' };
        if (code !== 'E_RESULT') throw error;
        return { file, reason: reasonOf(/** @type {Error} */ (error), resolve(cwd, file)) };
      }
    }),
  );
}

/**
 * The message of E_RESULT without the path, the cure, and the lines of a file.
 * @type {(error: Error, path: string) => string}
 */
function reasonOf({ message }, path) {
  const [line] = message.replace(path, '').split('\n');
  const [reason] = line.split('; ');
  return reason.startsWith(':') ? `is damaged at ${reason.slice(1)}` : reason.trim();
}

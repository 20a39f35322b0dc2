import { workingFolder } from '../../ground/system-errors.js';
import { printMessage } from '../output.js';
import { addOutcomeFlags, addOutputFlags, demandsOf, outputOptions } from '../flags/output-flags.js';

/**
 * @import { Demands } from '../../measure/outcome.js'
 * @import { OutputOptions } from '../flags/output-flags.js'
 * @import { CommandEntry } from './index.js'
 *
 * @typedef {{ command: 'report', path: string } & Demands & OutputOptions} ReportRequest
 */

/** Prints a saved result, or writes it in other formats. @type {CommandEntry} */
export default {
  name: 'report',
  about: 'print a saved result, or convert it to other formats',

  declare(command, { submit }) {
    command.argument('<result>', 'a .json or .ndjson file');
    addOutputFlags(addOutcomeFlags(command)).action((path, options) =>
      submit({ command: 'report', path, ...demandsOf(options), ...outputOptions(options) }),
    );
  },

  /** @param {ReportRequest} request */
  async run({ path, ...outputs }, io) {
    const [{ readResult }, { reportResult }] = await Promise.all([
      import('../result/read-result.js'),
      import('../result/outputs.js'),
    ]);
    /** @type {string[]} */
    const notices = [];
    const result = readResult(path, workingFolder(io), (text) => notices.push(text));
    for (const notice of notices) await printMessage(io.stderr, notice);
    return reportResult(result, outputs, io);
  },
};

import { offered } from '../../core/ground/addons.js';
import { workingFolder } from '../../core/ground/system-errors.js';
import { withNotices } from '../../core/cli/output.js';
import { addOutcomeFlags, addOutputFlags, demandsOf, outputOptions } from '../../core/cli/flags/output-flags.js';

/** @import { Demands } from '../../core/measure/outcome.js' */
/** @import { OutputOptions, CommandModule, DocumentEntry } from '../../core/cli/types.js' */

/** Saved documents other than results. @type {DocumentEntry[]} */
const DOCUMENTS = offered('documents');

/** Prints a saved result, or writes it in other formats. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command.argument('<result>', 'a .json or .ndjson file');
    addOutputFlags(addOutcomeFlags(command)).action((path, options) =>
      submit({ command: 'report', path, ...demandsOf(options), ...outputOptions(options) }),
    );
  },

  /** @param {{ command: 'report', path: string } & Demands & OutputOptions} request */
  async run({ path, ...outputs }, io) {
    const [{ readResult }, { reportResult }, ...others] = await Promise.all([
      import('./read-result.js'),
      import('../../core/cli/result/outputs.js'),
      ...DOCUMENTS.map(({ load }) => load()),
    ]);
    for (const { read, report } of others) {
      const document = read(path, workingFolder(io));
      if (document) return report(document, { ...outputs, path }, io);
    }
    const result = await withNotices(io, (onNotice) => readResult(path, workingFolder(io), onNotice));
    return reportResult(result, { ...outputs, sources: [path] }, io);
  },
};

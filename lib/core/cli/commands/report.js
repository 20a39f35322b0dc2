import { workingFolder } from '../../ground/system-errors.js';
import { withNotices } from '../output.js';
import { addOutcomeFlags, addOutputFlags, demandsOf, outputOptions } from '../flags/output-flags.js';

/** @import { Demands } from '../../measure/outcome.js' */
/** @import { OutputOptions, CommandModule } from '../types.js' */

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
    const [{ readResult }, { reportResult }, { readCapacity, reportCapacity }] = await Promise.all([
      import('../result/read-result.js'),
      import('../result/outputs.js'),
      import('../../../addons/capacity/capacities.js'),
    ]);
    const capacity = readCapacity(path, workingFolder(io));
    if (capacity) return reportCapacity(capacity, { ...outputs, path }, io);
    const result = await withNotices(io, (onNotice) => readResult(path, workingFolder(io), onNotice));
    return reportResult(result, { ...outputs, sources: [path] }, io);
  },
};

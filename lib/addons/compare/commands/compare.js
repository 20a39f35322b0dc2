import { COMPARISON_FORMATS } from '../formats.js';
import { addFlags } from '../../../core/cli/flags/companions.js';
import { addColorFlags, addFormatFlags, formatOptions } from '../../../core/cli/flags/output-flags.js';
import { usageError } from '../../../core/cli/usage-error.js';
import { marked } from '../../../core/ground/addons.js';
import { REGRESSION_FLAGS, regressionOptions } from '../flags.js';

/** @import { ColorChoice, CommandModule } from '../../../core/cli/types.js' */
/** @import { ComparisonOptions } from '../requests.js' */
/** @import { Command } from 'commander' */

/**
 * @typedef {object} CompareSides
 * @property {'compare'} command
 * @property {string[]} base paths of saved results, or of folders with them
 * @property {string[]} other
 * @property {boolean} paired run i of one side ran next to run i of the other
 *
 * @typedef {object} FormatOptions
 * @property {string} format name of a format
 * @property {string[]} outputs files
 * @property {string[]} maxRegression
 * @property {ColorChoice} color
 */

/** Compares saved results. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    addComparisonFlags(command)
      .argument('<base>', 'a .json file, several separated by commas, or a folder with them')
      .argument('<new>', 'the same for the other side')
      .option('--paired', 'the first runs of both sides ran next to each other, and so on, as those of ab')
      .action((base, other, { paired = false, ...options }) =>
        submit({
          command: 'compare',
          base: pathsIn(base),
          other: pathsIn(other),
          paired,
          ...comparisonOptions(options),
        }),
      );
  },

  async run(request, io) {
    const { compareResults } = await import('../compare-results.js');
    return compareResults(request, io);
  },
};

/** An empty path would be the working folder. @type {(text: string) => string[]} */
function pathsIn(text) {
  const paths = text.split(',');
  if (!paths.includes('')) return paths;
  throw usageError(`'${text}': a path is missing beside a comma; write a.json,b.json without spaces`);
}

/** @type {(command: Command) => Command} */
export function addComparisonFlags(command) {
  return addFormatFlags(addFlags(addColorFlags(command), marked(REGRESSION_FLAGS)), 'comparison', COMPARISON_FORMATS);
}

/** @type {(options: Record<string, any>) => ComparisonOptions} */
export function comparisonOptions(options) {
  return { ...formatOptions(options), ...regressionOptions(options) };
}

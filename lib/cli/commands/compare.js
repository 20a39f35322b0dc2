import { addComparisonFlags, comparisonOptions } from '../flags/output-flags.js';

/**
 * @import { ComparisonOptions } from '../flags/output-flags.js'
 * @import { CommandEntry } from './index.js'
 *
 * @typedef {object} CompareSides
 * @property {'compare'} command
 * @property {string[]} base paths of saved results, or of folders with them
 * @property {string[]} other
 * @property {boolean} paired run i of one side ran next to run i of the other
 *
 * @typedef {CompareSides & ComparisonOptions} CompareRequest
 */

/** Compares saved results. @type {CommandEntry} */
export default {
  name: 'compare',
  about: 'compare two saved results, and test whether the difference is significant',

  declare(command, { submit }) {
    addComparisonFlags(command)
      .argument('<base>', 'a .json file, several separated by commas, or a folder with them')
      .argument('<new>', 'the same for the other side')
      .option('--paired', 'the first runs of both sides ran next to each other, and so on, as those of ab')
      .action((base, other, { paired = false, ...options }) =>
        submit({
          command: 'compare',
          base: base.split(','),
          other: other.split(','),
          paired,
          ...comparisonOptions(options),
        }),
      );
  },

  async run(request, io) {
    const { compareResults } = await import('../result/compare-results.js');
    return compareResults(request, io);
  },
};

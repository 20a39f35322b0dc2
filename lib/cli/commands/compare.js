import { addComparisonFlags } from '../flags/comparison-flags.js';

/**
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {object} CompareRequest
 * @property {'compare'} command
 * @property {string[]} base paths of saved results
 * @property {string[]} other paths of saved results
 * @property {boolean} json
 * @property {string[]} maxRegression
 */

/** Compares saved results. @type {CommandEntry} */
export default {
  name: 'compare',
  about: 'compare two saved results, and test whether the difference is significant',

  declare(command, { submit }) {
    addComparisonFlags(command)
      .argument('<base>', 'a .json file, or several separated by commas')
      .argument('<new>', 'the same for the other side')
      .action((base, other, { json = false, maxRegression = [] }) =>
        submit({ command: 'compare', base: base.split(','), other: other.split(','), json, maxRegression }),
      );
  },

  async run(request, io) {
    const { compareResults } = await import('../result/compare-results.js');
    return compareResults(request, io);
  },
};

import { RUN_OPTIONS } from '../../run/options/index.js';
import { collect } from '../flags/argument-parser.js';
import { addOutputFlags, outputOptions } from '../flags/output-flags.js';

/**
 * @import { OutputOptions } from '../flags/output-flags.js'
 * @import { RunOption } from '../../run/options/row.js'
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {{ command: 'merge', paths: string[], isPartial: boolean, thresholds: string[] } & OutputOptions} MergeRequest
 */

const THRESHOLD = /** @type {RunOption} */ (RUN_OPTIONS.find(({ name }) => name === 'thresholds'));

/** Merges saved results. @type {CommandEntry} */
export default {
  name: 'merge',
  about: 'merge saved results: shards of one run, or runs of several machines',

  declare(command, { submit }) {
    command.argument('<results...>', '.json or .ndjson files');
    command.option('--partial', 'merge the shards of a run although some are missing');
    command.option(/** @type {string} */ (THRESHOLD.flag), THRESHOLD.about, collect, []);
    addOutputFlags(command).action((paths, { partial, threshold: thresholds, ...outputs }) =>
      submit({ command: 'merge', paths, isPartial: partial === true, thresholds, ...outputOptions(outputs) }),
    );
  },

  async run(request, io) {
    const { mergeResults } = await import('../result/merge-results.js');
    return mergeResults(request, io);
  },
};

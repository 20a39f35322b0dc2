import { addOutputFlags, outputOptions } from '../flags/output-flags.js';

/**
 * @import { OutputOptions } from '../flags/output-flags.js'
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {{ command: 'merge', paths: string[], isPartial: boolean } & OutputOptions} MergeRequest
 */

/** Merges saved results. @type {CommandEntry} */
export default {
  name: 'merge',
  about: 'merge saved results: shards of one run, or runs of several machines',

  declare(command, { submit }) {
    command.argument('<results...>', '.json or .ndjson files');
    command.option('--partial', 'merge the shards of a run although some are missing');
    addOutputFlags(command).action((paths, options) =>
      submit({ command: 'merge', paths, isPartial: options.partial === true, ...outputOptions(options) }),
    );
  },

  async run(request, io) {
    const { mergeResults } = await import('../result/merge-results.js');
    return mergeResults(request, io);
  },
};

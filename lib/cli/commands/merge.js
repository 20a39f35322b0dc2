import { addOutputFlags, outputOptions } from '../flags/output-flags.js';

/**
 * @import { OutputOptions } from '../flags/output-flags.js'
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {{ command: 'merge', paths: string[] } & OutputOptions} MergeRequest
 */

/** Merges saved results. @type {CommandEntry} */
export default {
  name: 'merge',
  about: 'merge saved results, such as those of several machines',

  declare(command, { submit }) {
    command.argument('<results...>', '.json or .ndjson files');
    addOutputFlags(command).action((paths, options) => submit({ command: 'merge', paths, ...outputOptions(options) }));
  },

  async run(request, io) {
    const { mergeResults } = await import('../result/merge-results.js');
    return mergeResults(request, io);
  },
};

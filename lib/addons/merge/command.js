import { rowOf } from '../../core/run/options/index.js';
import { collect } from '../../core/cli/flags/argument-parser.js';
import { addOutcomeFlags, addOutputFlags, demandsOf, outputOptions } from '../../core/cli/flags/output-flags.js';

/** @import { CommandModule } from '../../core/cli/types.js' */

const THRESHOLD = rowOf('thresholds');

/** Merges saved results. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command.argument('<results...>', '.json or .ndjson files; with --log the files of --log');
    command.option('--log', 'join logs of requests, in the order of time');
    command.option('--partial', 'merge the shards of a run although some are missing, or ran at another time');
    command.option(/** @type {string} */ (THRESHOLD.flag), THRESHOLD.about, collect, []);
    addOutputFlags(addOutcomeFlags(command)).action((paths, { partial, log, threshold: thresholds, ...options }) =>
      submit({
        command: 'merge',
        paths,
        isPartial: partial === true,
        isLog: log === true,
        thresholds,
        ...demandsOf(options),
        ...outputOptions(options),
      }),
    );
  },

  async run(request, io) {
    if (request.isLog) {
      const { mergeLogs } = await import('./merge-logs.js');
      return mergeLogs(request, io);
    }
    const { mergeResults } = await import('./merge-results.js');
    return mergeResults(request, io);
  },
};

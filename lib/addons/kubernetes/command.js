import { readCount } from '../../core/ground/units.js';
import { MOST_SHARDS } from '../../core/run/options/shard.js';
import { argumentParser, collect } from '../../core/cli/flags/argument-parser.js';
import { addRunFlags, runOptionsOf, warningsOf } from '../../core/cli/flags/run-flags.js';

/** @import { CommandModule } from '../../core/cli/types.js' */
/** @import { JobRequest } from './requests.js' */

/** Writes a Job of Kubernetes that runs a flow in shards. @type {CommandModule} */
export default {
  declare(command, { submit }) {
    command
      .argument('<flow>', 'a flow file, or a URL')
      .requiredOption(
        '--pods <n>',
        'number of pods',
        argumentParser(readCount, (v) => v > 0 && v <= MOST_SHARDS, `a whole number from 1 to ${MOST_SHARDS}`),
      )
      .option('--include <file>', 'a file that code of the flow reads, beside it; repeatable', collect, [])
      .option('--name <name>', 'name of the job (default: from the flow)')
      .option('--image <image>', 'image with bench-rest as its entry point (default: npx in an image of Node)')
      .option('--claim <name>', 'volume claim for the results', 'bench-rest-results')
      .option('--no-claim', 'print the results as JSON instead: for clusters without a shared volume')
      .option('--merge', 'print the job that merges the results, and judges the thresholds')
      .option('--secret <name>', 'secret whose entries are environment variables, such as BENCH_REST_PASSWORD');
    addRunFlags(command, { without: ['Agents'] });
    // The shard and the credentials of this environment are not those of the pods.
    command.action((flow, options) => submit(requestOf(flow, options)));
  },

  async run(request, io) {
    const { printJob } = await import('./print-job.js');
    return printJob(request, io);
  },
};

/** @type {(flow: string, options: Record<string, any>) => JobRequest} */
function requestOf(flow, { pods, include, name, image, claim, merge, secret, ...options }) {
  return {
    command: 'k8s',
    flow,
    files: include,
    pods,
    name,
    image,
    claim,
    isMerge: merge === true,
    secret,
    runOptions: runOptionsOf(options, { env: {}, words: () => [] }),
    warnings: warningsOf(options, [flow]),
  };
}

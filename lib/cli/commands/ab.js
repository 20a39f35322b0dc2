import { readCount } from '../../units.js';
import { argumentParser } from '../flags/argument-parser.js';
import { addComparisonFlags } from '../flags/comparison-flags.js';
import { addRunFlags, runOptionsOf, warningsOf } from '../flags/run-flags.js';
import { usageError } from '../usage-error.js';

/**
 * @import { RunOptions } from '../../run/options/types.js'
 * @import { CommandEntry } from './types.js'
 *
 * @typedef {object} AbRequest
 * @property {'ab'} command
 * @property {[string, string]} flows
 * @property {Partial<RunOptions>} runOptions
 * @property {string} [versus] base URL of the second side
 * @property {number} runs of each side
 * @property {boolean} json
 * @property {string[]} maxRegression
 * @property {string[]} warnings to print before the runs
 */

/** Runs two flows in turn and compares them. @type {CommandEntry} */
export default {
  name: 'ab',
  about: 'run two flows, or one flow against two services, in turn and compare them',

  declare(command, { env, submit }) {
    addComparisonFlags(command)
      .argument('<flow>', 'the first flow, a file or a URL')
      .argument('[other]', 'the second flow; or --versus')
      .option(
        '--runs <n>',
        'runs of each side (default: 10)',
        argumentParser(readCount, (v) => v > 0, 'a whole number from 1'),
      )
      .option('--versus <url>', 'base URL of the second side, for the same flow')
      .action((flow, other, options) => submit(requestOf(flow, other, options, env)));
    addRunFlags(command);
  },

  async run(request, io, shutdown) {
    const { runAb } = await import('../run/run-ab.js');
    return runAb(request, io, shutdown);
  },
};

/** @type {(flow: string, other: string | undefined, options: Record<string, any>, env: NodeJS.ProcessEnv) => AbRequest} */
function requestOf(flow, other, options, env) {
  const { runs = 10, versus, json = false, maxRegression = [] } = options;
  if ((other === undefined) === (versus === undefined))
    throw usageError('give a second flow, or --versus with the base URL of the second side');
  return {
    command: 'ab',
    flows: [flow, other ?? flow],
    runOptions: runOptionsOf(options, env),
    versus,
    runs,
    json,
    maxRegression,
    warnings: warningsOf(options, [flow, other, versus]),
  };
}

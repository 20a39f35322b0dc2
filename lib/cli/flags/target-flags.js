import { DELAYS, readDelay } from '../../delay.js';
import { argumentParser, wholeNumber } from './argument-parser.js';

/** @import { Command } from 'commander' */

/**
 * Adds the flags of the embedded target.
 *
 * @param {Command} command
 * @param {string} defaultPort for the help
 * @returns {Command}
 */
export function addTargetFlags(command, defaultPort) {
  return command
    .option('--port <n>', `port of the embedded target (default: ${defaultPort})`, wholeNumber(0, 65_535))
    .option(
      '--delay <time>',
      'delay of every response: 20ms, a range, 10ms,50ms, or either with a slow tail, 20ms,1%:500ms',
      // the text is kept: the target reads it, too
      argumentParser(String, (text) => readDelay(text) !== null, DELAYS),
    )
    .option('--error <status>', 'status code of failing responses (default with --percent: 500)', wholeNumber(200, 599))
    .option(
      '--percent <n>',
      'percentage of responses that fail (default: 100)',
      argumentParser(Number, (v) => v >= 0 && v <= 100, 'a number from 0 to 100'),
    );
}

import { readMs } from '../../units.js';
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
      '--delay <ms>',
      'delay of every response',
      argumentParser(readMs, (v) => v >= 0 && v <= 600_000, 'milliseconds from 0 to 600000'),
    )
    .option('--error <status>', 'status code of failing responses (default with --percent: 500)', wholeNumber(200, 599))
    .option(
      '--percent <n>',
      'percentage of responses that fail (default: 100)',
      argumentParser(Number, (v) => v >= 0 && v <= 100, 'a number from 0 to 100'),
    );
}

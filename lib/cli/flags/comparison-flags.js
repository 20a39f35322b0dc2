import { collect } from './argument-parser.js';

/** @import { Command } from 'commander' */

/**
 * Adds the flags of a comparison.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addComparisonFlags(command) {
  return command
    .option(
      '--max-regression <figure=share>',
      'exit with 97 if the figure is worse by more than this, such as p99=10%; repeatable',
      collect,
    )
    .option('--json', 'print one JSON document');
}

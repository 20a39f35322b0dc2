/**
 * @import { Command } from 'commander'
 * @import { Demands } from '../../measure/outcome.js'
 */

/**
 * Adds the flags that make a judgement of the measurement an exit code.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addOutcomeFlags(command) {
  return command
    .option('--fail-if-saturated', 'exit with 98 if the load generator was saturated')
    .option(
      '--fail-on-doubt',
      'exit with 94 if the measurement is doubtful, such as when the load generator added to a figure',
    );
}

/** @type {(options: Record<string, any>) => Demands} options: from commander */
export function demandsOf({ failIfSaturated = false, failOnDoubt = false }) {
  return { failIfSaturated, failOnDoubt };
}

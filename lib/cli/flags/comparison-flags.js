import { Option } from 'commander';

import { COMPARISON_FORMATS } from '../../report/comparison/formats.js';
import { collect } from './argument-parser.js';
import { addColorFlags, colorChoice } from './output-flags.js';

/**
 * @import { Command } from 'commander'
 * @import { ColorChoice } from '../terminal.js'
 *
 * @typedef {object} NoiseOptions
 * @property {string[]} noise how much runs differ by chance: `p95=4%`, or `4%`
 * @property {string} [history] folder of earlier results that show it
 *
 * @typedef {NoiseOptions & FormatOptions} ComparisonOptions
 *
 * @typedef {object} FormatOptions
 * @property {string} format name of a format
 * @property {string[]} outputs files
 * @property {string[]} maxRegression
 * @property {ColorChoice} color
 */

/**
 * Adds the flags of a comparison.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addComparisonFlags(command) {
  const names = COMPARISON_FORMATS.map(({ name }) => name);
  const extensions = COMPARISON_FORMATS.map(({ extension }) => extension).join(' ');
  return addRegressionFlag(addColorFlags(command))
    .option('-o, --output <file>', `write the comparison to a file: ${extensions}; repeatable`, collect)
    .addOption(new Option('--format <name>', 'output format (default: text)').choices(names))
    .addOption(new Option('--json', 'same as --format json: one document on stdout').conflicts('format'));
}

/**
 * Adds the limit of a change, and what tells noise from change.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addRegressionFlag(command) {
  return command
    .option(
      '--max-regression <share>',
      'exit with 97 if a figure is significantly worse, by more than this, such as p99=10%, or 10% for all; repeatable',
      collect,
    )
    .option(
      '--noise <share>',
      'how much runs of an unchanged service differ (standard deviation), such as p99=8%, or 4% for all; repeatable',
      collect,
    )
    .option('--history <folder>', 'earlier results of an unchanged service, which show how much runs differ');
}

/**
 * @param {Record<string, any>} options from commander
 * @returns {ComparisonOptions}
 */
export function comparisonOptions({ json = false, format = 'text', output = [], maxRegression = [], ...options }) {
  return {
    format: json ? 'json' : format,
    outputs: output,
    maxRegression,
    ...noiseOptions(options),
    color: colorChoice(options),
  };
}

/** @type {(options: Record<string, any>) => NoiseOptions} */
export function noiseOptions({ noise = [], history }) {
  return { noise, ...(history !== undefined && { history }) };
}

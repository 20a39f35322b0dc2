import { Option } from 'commander';

import { REPORTERS } from '../../report/formats/index.js';
import { collect } from './argument-parser.js';

/**
 * @import { Command } from 'commander'
 * @import { ColorChoice } from '../terminal.js'
 *
 * @typedef {object} OutputOptions where a result is written, and in which format
 * @property {string} [format] name of a reporter; default: text
 * @property {string[]} outputs files
 * @property {boolean} full print everything
 * @property {boolean} latency print the full percentile distribution
 * @property {boolean} quiet print only errors and failed thresholds
 * @property {ColorChoice} color
 */

/**
 * Adds the flags for the output of a result.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addOutputFlags(command) {
  const extensions = [...new Set(REPORTERS.map(({ extension }) => extension))].join(' ');
  const withOutput = command
    .option('-o, --output <file>', `write the result to a file: ${extensions}; repeatable`, collect)
    .addOption(
      new Option('--format <name>', 'output format (default: text)').choices(REPORTERS.map(({ name }) => name)),
    )
    .addOption(new Option('--json', 'same as --format json: one document on stdout').conflicts('format'))
    .option('--full', 'print everything: connections, bytes, client, server, distributions')
    .option('--latency', 'print the full percentile distribution')
    .option('--quiet', 'print only errors and failed thresholds');
  return addColorFlags(withOutput);
}

/**
 * Adds the flags for colors.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addColorFlags(command) {
  // before it: commander would make true the value without a flag
  return command
    .addOption(new Option('--no-color', 'same as --color never'))
    .addOption(
      new Option('--color <when>', 'when to print colors (default: auto, in a terminal)').choices([
        'auto',
        'always',
        'never',
      ]),
    );
}

/**
 * @param {Record<string, any>} options from commander
 * @returns {ColorChoice}
 */
export function colorChoice({ color }) {
  if (color === false) return 'never';
  return typeof color === 'string' ? /** @type {ColorChoice} */ (color) : 'auto';
}

/**
 * @param {Record<string, any>} options from commander
 * @returns {OutputOptions}
 */
export function outputOptions({ json = false, format, output = [], ...options }) {
  const { full = false, latency = false, quiet = false } = options;
  return { format: json ? 'json' : format, outputs: output, full, latency, quiet, color: colorChoice(options) };
}

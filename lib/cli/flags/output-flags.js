import { Option } from 'commander';

import { REPORTERS } from '../../report/formats/index.js';
import { collect } from './argument-parser.js';

/**
 * @import { Command } from 'commander'
 *
 * @typedef {object} OutputOptions where a result is written, and in which format
 * @property {string} [format] name of a reporter; default: text
 * @property {string[]} outputs files
 * @property {boolean} latency print the full percentile distribution
 * @property {boolean} quiet print only errors and failed thresholds
 */

/**
 * Adds the flags for the output of a result.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addOutputFlags(command) {
  const extensions = [...new Set(REPORTERS.map(({ extension }) => extension))].join(' ');
  return command
    .option('-o, --output <file>', `write the result to a file, by its extension: ${extensions}; repeatable`, collect)
    .addOption(
      new Option('--format <name>', 'output format (default: text)').choices(REPORTERS.map(({ name }) => name)),
    )
    .addOption(new Option('--json', 'same as --format json: one document on stdout').conflicts('format'))
    .option('--latency', 'print the full percentile distribution')
    .option('--quiet', 'print only errors and failed thresholds');
}

/**
 * @param {Record<string, any>} options from commander
 * @returns {OutputOptions}
 */
export function outputOptions({ json = false, format, output = [], latency = false, quiet = false }) {
  return { format: json ? 'json' : format, outputs: output, latency, quiet };
}

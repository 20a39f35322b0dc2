import { Option } from 'commander';

import { REPORTERS } from '../../report/formats/index.js';
import { CommonOption } from '../program.js';
import { collect } from './argument-parser.js';

/** @import { Demands } from '../../measure/outcome.js' */
/** @import { ColorChoice, OutputOptions } from '../types.js' */
/** @import { Command } from 'commander' */

/**
 * Adds the flags for where a document is written, and in which format.
 * @type {(command: Command, document: string, formats: { name: string, extension: string }[]) => Command}
 */
export function addFormatFlags(command, document, formats) {
  const extensions = [...new Set(formats.map(({ extension }) => extension))].join(' ');
  const names = formats.map(({ name }) => name);
  return command
    .addOption(
      new CommonOption(
        '-o, --output <file>',
        `write the ${document} to a file: ${extensions}; repeatable`,
        'short',
      ).argParser(collect),
    )
    .addOption(new Option('--format <name>', 'output format (default: text)').choices(names))
    .addOption(
      new CommonOption('--json', 'same as --format json: one document on stdout', 'common').conflicts('format'),
    );
}

/** @type {(options: Record<string, any>) => { format: string, outputs: string[], color: ColorChoice }} */
export function formatOptions({ json = false, format = 'text', output = [], ...options }) {
  return { format: json ? 'json' : format, outputs: output, color: colorChoice(options) };
}

/** @type {(command: Command) => Command} */
export function addOutputFlags(command) {
  const withOutput = addFormatFlags(command, 'result', REPORTERS)
    .addOption(
      new CommonOption(
        '--full',
        'print everything: connections, bytes, load generator, servers, distributions',
        'common',
      ),
    )
    .option('--latency', 'print the full percentile distribution')
    .option('--quiet', 'print only errors and failed thresholds');
  return addColorFlags(withOutput);
}

/** @type {(command: Command) => Command} */
export function addColorFlags(command) {
  // This comes first: if --no-color did, commander would make true the value without a flag.
  return command
    .addOption(
      new Option('--color <when>', 'when to print colors (default: auto, in a terminal)').choices([
        'auto',
        'always',
        'never',
      ]),
    )
    .addOption(new Option('--no-color', 'same as --color never'));
}

/** @type {(options: Record<string, any>) => ColorChoice} */
function colorChoice({ color = 'auto' }) {
  return color === false ? 'never' : color;
}

/** @type {(options: Record<string, any>) => OutputOptions} */
export function outputOptions({ json = false, format, output = [], ...options }) {
  const { full = false, latency = false, quiet = false } = options;
  return { format: json ? 'json' : format, outputs: output, full, latency, quiet, color: colorChoice(options) };
}

/** Adds the flags that make the validity of a result an exit code. @type {(command: Command) => Command} */
export function addOutcomeFlags(command) {
  return command.option(
    '--require-valid',
    'exit with 98 if the figures are suspect, such as when the load generator was saturated or added to one',
  );
}

/** @type {(options: Record<string, any>) => Demands} options: from commander */
export function demandsOf({ requireValid = false }) {
  return { requireValid };
}

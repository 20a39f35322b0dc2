import { readMs } from '../../units.js';
import { mergeStart } from '../../run/options/start.js';
import { refuseBareTime } from '../../run/options/kinds.js';
import { usageError } from '../usage-error.js';
import { argumentParser } from './argument-parser.js';

/** @import { Command } from 'commander' */

/**
 * Adds the flags of a server that the run starts, beside --start.
 *
 * @param {Command} command
 * @returns {Command}
 */
export function addStartFlags(command) {
  return command
    .optionsGroup('Target:')
    .option(
      '--ready <url>',
      'with --start: wait until this URL or path answers with 2xx or 3xx (default: for its port)',
    )
    .option(
      '--start-timeout <time>',
      'with --start: how long to wait for the server (default: 30s)',
      argumentParser(String, (text) => readMs(text) > 0, 'a time above 0, such as 30s', refuseBareTime),
    );
}

/**
 * The run option `start` of the flags, and of the words after `--`.
 *
 * @param {Record<string, any>} options from commander
 * @param {string[]} words
 * @returns {Record<string, unknown>} empty if nothing sets it
 */
export function startOption({ start, ready, startTimeout: timeout }, words) {
  const [first] = words;
  if (first !== undefined && start !== undefined)
    throw usageError(`use either --start or -- ${first}, not both: each is the command that starts the server`);
  if (/^https?:/i.test(first ?? ''))
    throw usageError(`after -- comes the command that starts the server: write ${first} before it`);
  const own = first === undefined ? start : { command: words };
  const parts = { ...(ready !== undefined && { ready }), ...(timeout !== undefined && { timeout }) };
  if (Object.keys(parts).length === 0) return own === undefined ? {} : { start: own };
  return { start: own === undefined ? parts : mergeStart(own, parts) };
}

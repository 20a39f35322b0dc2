import { marked, offered } from '../../ground/addons.js';
import { usageError } from '../usage-error.js';
import { optionsOf } from './run-flags.js';

/** @import { Command } from 'commander' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { CompanionEntry, Flag, WantedCompanion } from '../types.js' */

/** @type {CompanionEntry[]} */
const COMPANIONS = offered('companions').map(({ isExperimental, flags, ...entry }) => ({
  ...entry,
  flags: () => marked(flags(), isExperimental),
}));

export const COMPANION_FLAGS = COMPANIONS.flatMap(({ flags }) => flags());

/** @type {(command: Command, flags: Flag[]) => Command} */
export function addFlags(command, flags) {
  for (const option of flags.flatMap(optionsOf)) command.addOption(option);
  return command;
}

/** Adds the flags of all companions, in their groups. @type {(command: Command) => Command} */
export function addCompanionFlags(command) {
  for (const { group, flags } of COMPANIONS) addFlags(command.optionsGroup(`${group}:`), flags());
  return command;
}

/**
 * Returns the companions that flags ask for. `flows`: the arguments of the command, and the text of -e.
 * @throws {Error} E_USAGE
 * @type {(options: Record<string, any>, runOptions: Partial<RunOptions>, flows: string[]) => WantedCompanion[]}
 */
export function companionsOf(options, runOptions, flows) {
  const refuse = (/** @type {string} */ problem) => {
    throw usageError(problem);
  };
  return COMPANIONS.map((entry) => ({ ...entry, settings: entry.read(options, { runOptions, flows, refuse }) })).filter(
    ({ settings }) => settings !== null,
  );
}

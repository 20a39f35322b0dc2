import { dirname } from 'node:path';

import { makeError } from '../ground/errors.js';
import { joinAddon } from '../ground/join-addon.js';
import { workingFolder } from '../ground/system-errors.js';
import { distrustOf, findConfigFile } from './config-file.js';

const FLAG = '--addon';
/** The name of a command. A flow without a dot, slash or colon in its name is likely a misspelled one. */
export const BARE_WORD = /^[a-z][a-z0-9]*$/i;

/** @type {(args: string[]) => boolean} */
export function namesCommand([first = '']) {
  return BARE_WORD.test(first);
}

/**
 * Joins the add-ons that the command line names (`--addon NAME`) and those of the configuration file (`addons`), before
 * a table of the core is made. The rest of both is read and checked later.
 * @param {string[]} args without node and script
 * @param {{ cwd: () => string }} process names of the command line are resolved from its folder
 * @returns {Promise<{ args: string[], refusal?: unknown, isOwnCode?: boolean }>} args: a command other than a run does
 *   not get the flags; refusal: why one is not joined; isOwnCode: this thread will load no code of the user
 */
export async function joinNamedAddons(args, process) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const [own, words] = [args.slice(0, end), args.slice(end)];
  const named = valuesOf(FLAG, own);
  // a run loads flows in a thread, commands in this one
  let isOwnCode = !namesCommand(args) && named.every((one) => one === undefined);
  try {
    const folder = workingFolder(process);
    for (const name of named.filter((one) => one !== undefined)) await joinAddon(name, folder);
    const { names, path, isCode } = await inConfiguration(
      folder,
      valuesOf('--config', own).findLast((one) => one !== undefined),
    );
    for (const name of names) await joinAddon(name, dirname(path));
    isOwnCode &&= names.length === 0 && !isCode;
  } catch (refusal) {
    return { args, refusal };
  }
  // those of a run are flags of its options
  if (!namesCommand(args)) return { args, isOwnCode };
  const isPart = (/** @type {number} */ at) =>
    named[at] !== undefined || (own[at - 1] === FLAG && named[at - 1] !== undefined);
  return { args: [...own.filter((_, at) => !isPart(at)), ...words] };
}

/**
 * Returns the value of a flag at the place of the flag; the flag of a command may have none.
 * @type {(flag: string, args: string[]) => (string | undefined)[]}
 */
function valuesOf(flag, args) {
  return args.map((arg, at) => {
    if (arg === flag) return args[at + 1]?.startsWith('-') ? undefined : args[at + 1];
    return arg.startsWith(`${flag}=`) ? arg.slice(flag.length + 1) : undefined;
  });
}

/**
 * Finds the add-ons that the configuration file names.
 * @type {(folder: string, named?: string) => Promise<{ names: string[], path: string, isCode: boolean }>}
 */
async function inConfiguration(folder, named) {
  const { file } = await findConfigFile(folder, named, 'addons');
  const { path = folder, isNamed = true, isCode = false, placeOf } = file ?? {};
  const { addons } = /** @type {any} */ (file?.value ?? {});
  if (addons === undefined) return { names: [], path, isCode };
  const distrust = isNamed ? undefined : distrustOf(path, { isCode: true });
  if (distrust === undefined) return { names: [addons].flat(), path, isCode };
  const place = await placeOf?.('addons');
  const problems = `${place}: addons: is not loaded, because it is code and ${distrust}; write --addon, or --config ${path}`;
  throw makeError('E_CONFIG', { problems });
}

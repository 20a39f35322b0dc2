import { folderOf, joinAddon } from './core/ground/join-addon.js';

/**
 * The module `bench-rest/addon`: what add-ons of other packages may use. It makes no table of the core, so that it can
 * be loaded before them.
 *
 * @import { Addon, CommandAddon } from './core/addon.js'
 */

/**
 * What an add-on exports by default. `door`: the version of this module and of its types.
 *
 * @typedef {{ door: 1 } & Addon & CommandAddon} AddonFacts
 * @experimental
 */

/** The property of operations, and of `expect`. @typedef {import('./core/flow/types.js').Property} Property */
/** @typedef {import('./core/flow/checks/types.js').CheckEntry} CheckEntry */

/** A run option. @typedef {import('./core/run/options/types.js').RunOption} RunOption */

/** A command. @typedef {import('./core/cli/types.js').CommandModule} CommandModule */
/** @typedef {import('./core/report/types.js').Result} Result */

/**
 * Returns its argument, which editors check and complete.
 *
 * @param {AddonFacts} facts
 * @returns {AddonFacts}
 * @experimental
 */
export function defineAddon(facts) {
  return facts;
}

/**
 * Joins an add-on in a program, before `bench-rest` is imported.
 *
 * @example
 * await join('./my-addon.js', import.meta.url);
 * const { benchrest } = await import('bench-rest');
 *
 * @param {string} name a package, or a path such as `./my-addon.js`
 * @param {string | URL} [from] the file from which Node finds it; default: the working directory
 * @returns {Promise<void>}
 * @throws {Error} E_ADDON
 * @experimental
 */
export function join(name, from) {
  return joinAddon(name, from === undefined ? process.cwd() : folderOf(from));
}

export { defineCheck } from './addons/calls/check.js';
export { defineProtocol } from './addons/calls/protocol.js';
export { print, printMessage } from './core/cli/output.js';
export { usageError } from './core/cli/usage-error.js';
export { makeError } from './core/ground/errors.js';
export { count, flag, ms, paths, rate, text, texts } from './core/run/options/row.js';

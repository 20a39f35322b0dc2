import { HOOKS } from '../hooks/index.js';
import { nearestOrAll } from '../problems.js';

/** @type {string[]} */
const NAMES = HOOKS.map(({ name }) => name);

/**
 * @import { Problems } from '../problems.js'
 * @import { NamedHook } from './types.js'
 */

/**
 * Finds the built-in hooks of a list by their names, and reports what is no hook.
 *
 * @param {unknown} hooks
 * @param {string} path
 * @param {Problems} problems
 * @returns {NamedHook[]}
 */
export function resolveHooks(hooks, path, problems) {
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook, i) => {
    const where = `${path}[${i}]`;
    if (isAbsent(hook)) return [];
    if (typeof hook === 'function') return [{ where, hook }];
    const entry = HOOKS.find(({ name }) => name === hook);
    if (entry) return [{ where, hook: entry.hook, entry, reads: entry.reads }];
    if (typeof hook === 'string') problems.add(where, `unknown hook '${hook}'${nearestOrAll(hook, NAMES)}`);
    else problems.add(where, 'expected the name of a hook or a function');
    return [];
  });
}

/** `isVerbose && print` in a list of hooks is no hook if the condition is false. @type {(hook: unknown) => boolean} */
function isAbsent(hook) {
  return hook === undefined || hook === null || hook === false;
}

import { nearestOrAll } from '../ground/problems.js';
import { HOOKS } from '../hooks/index.js';

/**
 * @import { Problems } from '../ground/problems.js'
 * @import { Needs } from '../transport/types.js'
 * @import { NamedHook } from './types.js'
 */

/** @type {string[]} */
const NAMES = HOOKS.map(({ name }) => name);

/**
 * Finds the built-in hooks of a list by their names, and reports what is no hook.
 * @type {(hooks: unknown, path: string, problems: Problems) => NamedHook[]}
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

/** The parts of a response that hooks read. @type {(hooks: NamedHook[]) => Needs} */
export function needsOf(hooks) {
  if (hooks.length === 0) return 'status';
  return hooks.every(({ reads }) => reads === 'head') ? 'head' : 'body';
}

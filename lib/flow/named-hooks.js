import { nearestOrAll } from '../ground/problems.js';
import { HOOKS } from '../hooks/index.js';
import { mostOf } from './rules.js';

/** @import { Hook } from '../contracts/hooks.js' */
/** @import { Needs } from '../contracts/response.js' */
/** @import { NamedHook } from '../contracts/step.js' */
/** @import { Problems } from '../ground/types.js' */

/** @type {string[]} */
const NAMES = HOOKS.map(({ name }) => name);

/**
 * Finds the built-in hooks of a list by their names, and reports what is no hook.
 * @type {(hooks: unknown, path: string, problems: Problems) => NamedHook[]}
 */
export function resolveHooks(hooks, path, problems) {
  if (!Array.isArray(hooks)) return [];
  /** @type {(hook: unknown, i: number) => NamedHook[]} */
  const named = (hook, i) => {
    const where = `${path}[${i}]`;
    if (isAbsent(hook)) return [];
    if (typeof hook === 'function') return [{ where, hook: /** @type {Hook} */ (hook), reads: 'body' }];
    const entry = HOOKS.find(({ name }) => name === hook);
    if (entry) return [{ where, hook: entry.hook, entry, reads: entry.reads ?? 'body' }];
    if (typeof hook === 'string') problems.add(where, `unknown hook '${hook}'${nearestOrAll(hook, NAMES)}`);
    else problems.add(where, 'expected the name of a hook or a function');
    return [];
  };
  return hooks.flatMap(named);
}

/** `isVerbose && print` in a list of hooks is no hook if the condition is false. @type {(hook: unknown) => boolean} */
function isAbsent(hook) {
  return hook === undefined || hook === null || hook === false;
}

/** The parts of a response that hooks read. @type {(hooks: NamedHook[]) => Needs} */
export function needsOf(hooks) {
  return mostOf(hooks.map(({ reads }) => reads));
}

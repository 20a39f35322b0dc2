import { BOUNDS, limitsOf } from '../bounds/bounds.js';
import { addFlags } from '../../core/cli/flags/companions.js';
import { capitalized, listed } from '../../core/text/format-value.js';

/** @import { Command } from 'commander' */
/** @import { RunBounds } from '../../core/cli/types.js' */

export const BOUND_FLAGS = BOUNDS.map(({ flag }) => flag.split(' ')[0]);

/**
 * Adds the flags of all bounds, with the help of their defaults.
 * @type {(command: Command, defaults?: Partial<Record<keyof RunBounds, string>>) => void}
 */
export function addBoundFlags(command, defaults = {}) {
  const check = (/** @type {any} */ value) => Number.isFinite(value) && value > 0;
  const withDefault = (/** @type {typeof BOUNDS[number]} */ { name, about }) =>
    `${about} (default: ${defaults[name] ?? 'no limit'})`;
  addFlags(
    command,
    BOUNDS.map((row) => ({ ...row, about: withDefault(row), check })),
  );
}

/**
 * Returns the values of those flags.
 * @type {(options: Record<string, any>, defaults?: Partial<Record<keyof RunBounds, string>>) => RunBounds}
 */
export function boundsOf(options, defaults = {}) {
  const valueOf = (/** @type {typeof BOUNDS[number]} */ { name, read }) => {
    const text = defaults[name];
    return options[`max${capitalized(name)}`] ?? (text === undefined ? Infinity : read(text));
  };
  return /** @type {any} */ (Object.fromEntries(BOUNDS.map((row) => [row.name, valueOf(row)])));
}

/** Writes all limits; null: there are none. @type {(bounds: RunBounds) => string | null} */
export function describeBounds(bounds) {
  const all = { ...bounds, requests: limitsOf(bounds).requests };
  const texts = BOUNDS.flatMap(({ name, text }) => (all[name] < Infinity ? [text(all[name])] : []));
  return texts.length > 0 ? `at most ${listed(texts)}` : null;
}

import { RUN_OPTIONS } from '../../run/options/index.js';
import { oppositeFlag, withoutArgument } from '../../run/options/row.js';
import { BOUND_FLAGS, REFUSED_OPTIONS } from './bounds.js';

const FLAG = /(?<![\w.-])--?[a-zA-Z][\w-]*/g;
/** The run option of each flag that an assistant may set. @type {Map<string, string>} */
const OPTIONS = new Map(
  RUN_OPTIONS.filter(({ name }) => !REFUSED_OPTIONS.includes(name)).flatMap((row) =>
    [withoutArgument(row.flag), oppositeFlag(row)]
      .flatMap((flags) => flags?.split(', ') ?? [])
      .map((flag) => /** @type {[string, string]} */ ([flag, row.name])),
  ),
);

/**
 * Finds the flags of run options in texts for people at a terminal: an assistant has the options alone.
 * @type {(text: string) => Record<string, string>} the option of each flag
 */
export function optionsOfFlags(text) {
  const flags = new Set(text.match(FLAG) ?? []);
  // The server has some of these flags itself.
  for (const flag of BOUND_FLAGS) flags.delete(flag);
  return Object.fromEntries([...OPTIONS].filter(([flag]) => flags.has(flag)));
}

/** @type {(options: Record<string, string>) => string} empty: there are none */
export function describeFlags(options) {
  const all = Object.entries(options).map(([flag, option]) => `${flag} is ${option}`);
  return all.length === 0 ? '' : `\nFlags are those of the command; in the options of run ${all.join(', ')}.`;
}

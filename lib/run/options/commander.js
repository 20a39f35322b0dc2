import { RUN_OPTIONS } from './index.js';

/**
 * The run options in a program of commander, which people pass as it is: the options that it declares, and those that code has
 * set on the object. Its operands, its methods and its other properties are none.
 *
 * @param {Record<string, any>} given run options, or a `Command`
 * @returns {Record<string, any>}
 */
export function withoutCommander(given) {
  if (!isCommand(given)) return given;
  const names = RUN_OPTIONS.map(({ name }) => name).filter((name) => name !== 'args' && Object.hasOwn(given, name));
  const own = names.map((name) => [name, given[name]]);
  // before commander 7, an option and a method of one name are one property
  const declared = Object.entries(given.opts()).filter(
    ([name, value]) => name !== 'version' && typeof value !== 'function',
  );
  return Object.fromEntries([...declared, ...own]);
}

/** By its shape: a program has a copy of commander of its own, of any version. @type {(given: Record<string, any>) => boolean} */
function isCommand({ opts, parse, commands }) {
  return typeof opts === 'function' && typeof parse === 'function' && Array.isArray(commands);
}

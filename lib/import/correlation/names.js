import { isReserved } from '../token-names.js';
import { plainName, singular } from './evidence.js';

/** @import { Traffic } from './link.js' */
/** @import { Source, Variable } from './types.js' */

/** Names that say nothing without what they belong to. */
const BARE = new Set([
  ...[
    'id',
    'uuid',
    'guid',
    'uid',
    'oid',
    'pk',
    'key',
    'slug',
    'no',
    'number',
    'code',
    'ref',
    'href',
    'url',
    'self',
    'location',
  ],
  ...['version', 'revision', 'rev', 'name', 'value', 'link', ''],
]);
const LONGEST = 40;

/**
 * Names the captured values as a person would: `itemId` for `$.id` of `POST /items`. A name is used again when the
 * requests that have the value before are over.
 * @type {(traffic: Traffic) => Variable[]} in the order of their captures
 */
export function nameVariables({ variables, indexes }) {
  /** @type {(step: import('./types.js').Step) => number} */
  const indexOf = (step) => indexes.get(step) ?? 0;
  const ordered = [...variables.values()].sort((a, b) => indexOf(a.source.step) - indexOf(b.source.step));
  /** The last request that has the value. @type {Map<string, number>} */
  const until = new Map();
  for (const variable of ordered) {
    const { source } = variable;
    const base = nameOf(source);
    const at = indexOf(source.step);
    variable.name = base;
    for (let i = 2; (until.get(variable.name) ?? -1) > at || isCapturedHere(variable); i++)
      variable.name = `${base}${i}`;
    until.set(variable.name, Math.max(...variable.uses.map(({ step }) => indexOf(step))));
    source.step.captures.push(variable);
  }
  return ordered;
}

/** @type {(variable: Variable) => boolean} */
function isCapturedHere({ name, source }) {
  return source.step.captures.some((one) => one.name === name);
}

/** @type {(source: Source) => string} */
function nameOf({ key, entity, isPathPart }) {
  const words = wordsOf(isPathPart ? `${singular(key)} id` : key);
  const isBare = !isPathPart && BARE.has(plainName(key)) && plainName(singular(entity)) !== plainName(key);
  const all = isBare ? [...wordsOf(singular(entity)), ...words] : words;
  const name = all
    .map((word, i) => (i === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1).toLowerCase()))
    .join('')
    .slice(0, LONGEST);
  if (!/^[a-z]/i.test(name)) return 'value';
  return isReserved(name) ? `${name}Value` : name;
}

/** @type {(text: string) => string[]} */
function wordsOf(text) {
  return text
    .replace(/^x-/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean);
}

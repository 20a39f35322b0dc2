import { randomUUID } from 'node:crypto';

/** @import { Document } from 'yaml' */
/** @import { Fault } from './types.js' */

/**
 * Merge keys of YAML 1.1, `<<: *base`: the mapping gets the members of others that it does not have itself. YAML 1.2
 * has none, but people write them, as for GitLab and Docker Compose. A member called `<<` is written in quotes.
 */

/** Stands for a merge key; no other key is called so. */
export const MERGE = `<<${randomUUID()}`;

const MOST_SOURCES = 1000;
/** Members that merges of a document may add: aliases could multiply them. */
const MOST_MERGED = 1_000_000;

/**
 * Explains why the value of a merge key is no mapping, nor a list of them.
 * @type {(value: unknown, at: { document: Document, yaml: typeof import('yaml'), offset: number }) => Fault |
 *   undefined}
 */
export function mergeFault(value, { document, yaml, offset }) {
  const sources = yaml.isSeq(value) ? value.items : [value];
  // More aliases are refused, and each is searched from the beginning.
  for (const source of sources.slice(0, MOST_SOURCES)) {
    const map = yaml.isAlias(source) ? source.resolve(document) : source;
    // Another fault explains an alias without an anchor.
    if (map === undefined) continue;
    if (!yaml.isMap(map))
      return { offset, reason: '<< merges mappings: write an alias of one, or a list of them, or quotes around <<' };
    const [from = 0, to = 0] = map.range ?? [];
    if (yaml.isAlias(source) && from <= offset && offset < to)
      return { offset, reason: `<< merges a mapping that contains it: *${source.source}` };
  }
  return undefined;
}

/**
 * Merges the mappings of a document in place, so aliases of them have the members as well. Their own members win, then
 * those of earlier sources.
 * @throws {RangeError} aliases multiply the members
 * @type {<T>(document: T) => T}
 */
export function mergeMappings(document) {
  const seen = new Set();
  let merged = 0;
  /** @type {(value: any) => void} */
  const visit = (value) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const inner of Object.values(value)) visit(inner);
    if (!Object.hasOwn(value, MERGE)) return;
    const own = Object.entries(value);
    const names = new Set(own.map(([name]) => name));
    const added = [value[MERGE]].flat().flatMap((source) => Object.entries(source));
    if ((merged += added.length) > MOST_MERGED) throw new RangeError(`merges add more than ${MOST_MERGED} members`);
    const members = new Map(added.reverse().filter(([name]) => !names.has(name)));
    for (const [name] of own) delete value[name];
    for (const [name, one] of own)
      for (const [key, inner] of name === MERGE ? [...members].reverse() : [[name, one]]) define(value, key, inner);
  };
  visit(document);
  return document;
}

/** Sets a member, also one that is called `__proto__`. @type {(value: object, key: string, member: unknown) => void} */
function define(value, key, member) {
  Object.defineProperty(value, key, { value: member, writable: true, enumerable: true, configurable: true });
}

import { readFileSync } from 'node:fs';

/**
 * Joins a module and all its imports as one script: a page in one file cannot import.
 * @throws {Error} two of them declare one name, which would end the script or replace a function
 * @param {URL} entry
 */
export function scriptOf(entry) {
  return `'use strict';\n(() => {\n${joinedModule(entry)}\n})();\n`;
}

/**
 * Joins a module and all its imports, each before those that import it, without what it exports. The package has the
 * scripts of its pages as such files.
 * @throws {Error} two of them declare one name
 * @param {URL} entry
 */
export function joinedModule(entry) {
  /** @type {Map<string, string>} */
  const sources = new Map();
  addSources(entry, sources);
  refuseSharedNames(sources);
  return [...sources.values()].join('\n');
}

/** @type {(url: URL, sources: Map<string, string>) => void} */
function addSources(url, sources) {
  if (sources.has(url.href)) return;
  const source = readFileSync(url, 'utf8');
  for (const [, path] of source.matchAll(IMPORT)) addSources(new URL(path, url), sources);
  sources.set(url.href, source.replace(IMPORT, '').replace(/^export /gm, ''));
}

/** @type {(sources: Map<string, string>) => void} */
function refuseSharedNames(sources) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const [href, source] of sources)
    for (const [, list, name = list] of source.matchAll(DECLARED))
      for (const [one] of name.matchAll(BOUND)) {
        const owner = owners.get(one);
        if (owner) throw new Error(`${href}: ${one} is declared in ${owner}, too: rename it, a page is one script`);
        owners.set(one, href);
      }
}

/** Names that a module declares at the beginning of a line, not those in its functions. */
const DECLARED = /^(?:(?:const|let|var) [{[]([^]*?)[}\]] = |(?:async )?(?:const|let|var|function\*?|class) ([\w$]+))/gm;

/** The names in a pattern, without keys and default values: `a` and `c` in `{ a, b: c = d }`. */
const BOUND = /(?<!= *)\b[A-Za-z_$][\w$]*(?=\s*(?:[,}\]=]|$))/g;

/** Imports, and names that are passed on: `import { a } from './b.js';`, `export { a } from './b.js';`. */
const IMPORT = /^(?:import|export \{)[^;]*'([^']*)';\n/gm;

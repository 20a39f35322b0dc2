import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** `import … from './x.js'` and `export … from './x.js'`; an `import()` is later, and may lead back. */
const STATIC_IMPORT = /^(?:import|export)\b[^;'"]*?(?:\bfrom\s+)?['"](\.{1,2}\/[^'"]+)['"]/gm;
const COMMENT = /\/\*[\s\S]*?\*\//g;

/** the imports of each file, by its path @type {Map<string, string[]>} */
const known = new Map();

/** ESLint rule: no module imports itself by way of others. */
export default {
  meta: { type: 'problem', schema: [], messages: { circle: 'These modules import each other: {{path}}' } },

  create({ filename, report }) {
    return {
      Program(node) {
        const way = wayBack(filename);
        if (way === null) return;
        const path = way.map((one) => relative(dirname(filename), one)).join(' -> ');
        report({ node, messageId: 'circle', data: { path } });
      },
    };
  },
};

/** The shortest way from a module back to it; null: there is none. @type {(from: string) => string[] | null} */
function wayBack(from) {
  const seen = new Set();
  let ways = [[from]];
  while (ways.length > 0) {
    const next = [];
    for (const way of ways)
      for (const to of importsOf(way.at(-1))) {
        if (to === from) return [...way, to];
        if (!seen.has(to)) next.push([...way, to]);
        seen.add(to);
      }
    ways = next;
  }
  return null;
}

/** @type {(path: string) => string[]} */
function importsOf(path) {
  if (!known.has(path)) known.set(path, existsSync(path) ? namesIn(readFileSync(path, 'utf8'), dirname(path)) : []);
  return known.get(path);
}

/** @type {(text: string, folder: string) => string[]} */
function namesIn(text, folder) {
  return [...text.replace(COMMENT, '').matchAll(STATIC_IMPORT)].map(([, name]) => resolve(folder, name));
}

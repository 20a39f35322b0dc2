import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where types and classes are declared: `@typedef {…} Name`, and `interface`, `type` and `class`. */
const DECLARATIONS = [
  /@typedef\s+\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}\s*(\w+)/g,
  /^(?:export )?(?:interface|type|class) (\w+)/gm,
];

/**
 * Finds the names of types that two files of a folder declare, each with its files. A class may have the name of the
 * contract that it implements.
 * @type {(folder: string) => [name: string, files: string[]][]}
 */
export function namesakesIn(folder) {
  /** @type {Map<string, string[]>} */
  const all = new Map();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => /\.[jt]s$/.test(one))) {
    const text = readFileSync(join(folder, path), 'utf8');
    const names = DECLARATIONS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name));
    for (const name of new Set(names)) all.set(name, [...(all.get(name) ?? []), path]);
  }
  const isContract = (/** @type {string} */ path) => path.startsWith('contracts');
  const isClass = (/** @type {string} */ path, /** @type {string} */ name) =>
    new RegExp(`^(?:export )?class ${name}\\b`, 'm').test(readFileSync(join(folder, path), 'utf8'));
  return [...all].filter(([name, files]) => {
    if (files.length < 2) return false;
    const others = files.filter((path) => !isContract(path));
    return files.length > 2 || others.length !== 1 || !isClass(others[0], name);
  });
}

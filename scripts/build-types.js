import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ENTRIES } from './entries.js';

/** Writes the types of the package to a folder: `node scripts/build-types.js [folder]`. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** CommonJS gets the function itself, with the other exports as its members. */
const FUNCTION =
  'typeof all.benchrest & { benchrest: typeof all.benchrest; capacity: typeof all.capacity; default: typeof all.benchrest; defineFlow: typeof all.defineFlow }';
const folder = resolve(process.argv[2] ?? join(ROOT, 'types'));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', ROOT, '--noEmit', 'false', '--outDir', folder], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

// tsc writes the name of `export { x as 'module.exports' }` without quotes. TypeScript before 5.6 has no syntax for such
// names and gets its own file.
for (const { types, olderTypes } of ENTRIES) {
  if (!olderTypes) continue;
  const text = readFileSync(fileOf(types), 'utf8');
  writeFileSync(fileOf(types), text.replace('as module.exports', "as 'module.exports'"));
  writeFileSync(fileOf(olderTypes), text.replace(/, \w+ as '?module\.exports'?/, ''));
}
for (const entry of ENTRIES) writeForRequire(entry);

/** A path of `exports` in the folder of the types. @type {(path: string) => string} */
function fileOf(path) {
  return join(folder, relative('types', path));
}

/**
 * Writes what require() of an entry returns, with the types of the entry as its members.
 * @type {(entry: import('./entries.js').Entry) => void}
 */
function writeForRequire({ types, olderTypes, requiredTypes }) {
  const text = readFileSync(fileOf(types), 'utf8');
  const names = Array.from(text.matchAll(/^export type (\w+)/gm), ([, one]) => one);
  const path = relative('types', olderTypes ?? types).replace(/\.d\.ts$/, '.js');
  writeFileSync(
    fileOf(requiredTypes),
    `import type * as all from './${path}' with { 'resolution-mode': 'import' };

declare const required: ${olderTypes ? FUNCTION : functionsOf(text)};
declare namespace required {
${names.map((one) => `  export type ${one} = all.${one};`).join('\n')}
}
export = required;
`,
  );
}

/** @type {(types: string) => string} */
function functionsOf(types) {
  const names = Array.from(types.matchAll(/^export (?:async )?function (\w+)/gm), ([, one]) => one);
  return `{ ${names.map((one) => `${one}: typeof all.${one};`).join(' ')} }`;
}

// An add-on adds members to a result by types that no entry would lead to.
const ADDONS = join(ROOT, 'lib/addons');
const extending = readdirSync(ADDONS, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.d.ts') && readFileSync(join(ADDONS, name), 'utf8').includes('declare module'),
);
for (const path of ENTRIES.flatMap(({ types, olderTypes }) => (olderTypes ? [types, olderTypes] : [types])).map(fileOf))
  for (const name of extending) {
    const place = relative(dirname(path), join(folder, 'lib/addons', name.replace(/\.d\.ts$/, '.js')));
    appendFileSync(path, `import type {} from './${place.replaceAll('\\', '/')}';\n`);
  }

const reached = reachedTypes(ENTRIES.flatMap(({ types, olderTypes }) => (olderTypes ? [types, olderTypes] : [types])));
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.d.ts') && !reached.has(join(folder, name))) rmSync(join(folder, name));

/** The files that the entries refer to, which are a quarter of what tsc writes; those that are written by hand are copied. */
function reachedTypes(entries) {
  const paths = new Set(entries.map(fileOf));
  // a set also visits what is added meanwhile
  for (const path of paths)
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
      const found = resolve(dirname(path), name.replace(/(\.d\.ts|\.js)$/, '.d.ts'));
      const source = join(ROOT, relative(folder, found));
      if (!existsSync(found) && existsSync(source)) {
        mkdirSync(dirname(found), { recursive: true });
        cpSync(source, found);
      }
      paths.add(found);
    }
  return paths;
}

// TypeScript before 5.7 does not know the type argument of an array of bytes or numbers
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(folder, name);
  const types = readFileSync(path, 'utf8');
  const plain = types.replace(/\b(Buffer|Uint8Array|Float64Array)<ArrayBuffer(Like)?>/g, '$1');
  if (plain !== types) writeFileSync(path, plain);
}

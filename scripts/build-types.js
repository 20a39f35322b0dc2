import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

import { ENTRIES } from './entries.js';

/**
 * Writes the types of the package to a folder: `node scripts/build-types.js [folder]`. tsc makes those of each module; the package
 * has a file for each entry, and one that they share.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** CommonJS gets the function itself, with the other exports as its members. */
const FUNCTION =
  'typeof all.benchrest & { benchrest: typeof all.benchrest; capacity: typeof all.capacity; default: typeof all.benchrest; defineFlow: typeof all.defineFlow }';
const SHARED = 'lib/types.d.ts';
const folder = resolve(process.argv[2] ?? join(ROOT, 'types'));
const modules = mkdtempSync(join(tmpdir(), 'types-'));
process.on('exit', () => rmSync(modules, { recursive: true }));

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const args = ['-p', ROOT, '--noEmit', 'false', '--outDir', modules];
const { status } = spawnSync(process.execPath, [tsc, ...args], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const written = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.d.ts'))
  .map((name) => join('lib', name));
for (const name of written) cpSync(join(ROOT, name), join(modules, name));
const texts = new Map(ENTRIES.map(({ types }) => [types, readFileSync(fileOf(types, modules), 'utf8')]));
mendEntries();
rmSync(folder, { recursive: true, force: true });
await bundle();
for (const entry of ENTRIES) {
  writeOlder(entry);
  writeForRequire(entry);
}

/** A path of `exports` in a folder of types. @type {(path: string, place?: string) => string} */
function fileOf(path, place = folder) {
  return join(place, relative('types', path));
}

/** An add-on adds members to a result by types that no entry would lead to; and tsc forgets the quotes of a name. */
function mendEntries() {
  const extending = written.filter(
    (name) =>
      name.startsWith(join('lib', 'addons')) && readFileSync(join(ROOT, name), 'utf8').includes('declare module'),
  );
  for (const path of ENTRIES.map(({ types }) => fileOf(types, modules))) {
    const imports = extending.map((name) => {
      const place = relative(dirname(path), join(modules, name.replace(/\.d\.ts$/, '.js')));
      return `import type {} from './${place.replaceAll('\\', '/')}';\n`;
    });
    const text = readFileSync(path, 'utf8').replace('as module.exports', "as 'module.exports'");
    writeFileSync(path, text + imports.join(''));
  }
}

async function bundle() {
  const name = (/** @type {string} */ path) => relative('types', path).replace(/\.d\.ts$/, '');
  const all = await rollup({
    input: Object.fromEntries(ENTRIES.map(({ types }) => [name(types), fileOf(types, modules)])),
    external: (id) => /^[^./]/.test(id),
    plugins: [dts()],
    // of names that are only in the shared file, and of what is mended below
    onwarn({ code, message }) {
      if (code !== 'PLUGIN_WARNING') throw new Error(message);
    },
  });
  const { output } = await all.generate({ entryFileNames: '[name].d.ts', chunkFileNames: SHARED });
  await all.close();
  for (const { fileName, code } of output) writeFile(join(folder, fileName), plain(code));
}

/** @type {(path: string, text: string) => void} */
function writeFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Returns types that each TypeScript reads. Members that an add-on adds stand beside the interface, which is in the same file.
 * Before 5.7, arrays of bytes and numbers have no type argument.
 * @type {(text: string) => string}
 */
function plain(text) {
  return text
    .replace(/^declare module '\.[^']*' \{\n([^]*?)^\}$/gm, (_, members) => members)
    .replace(/\b(Buffer|Uint8Array|Float64Array)<ArrayBuffer(Like)?>/g, '$1');
}

/**
 * TypeScript before 5.6 has no syntax for a name such as 'module.exports' and gets its own file.
 * @type {(entry: import('./entries.js').Entry) => void}
 */
function writeOlder({ types, olderTypes }) {
  if (!olderTypes) return;
  const text = readFileSync(fileOf(types), 'utf8');
  writeFileSync(fileOf(olderTypes), text.replace(/, \w+ as "module\.exports"/, ''));
}

/**
 * Writes what require() of an entry returns, with the types of the entry as its members.
 * @type {(entry: import('./entries.js').Entry) => void}
 */
function writeForRequire({ types, olderTypes, requiredTypes }) {
  const text = texts.get(types) ?? '';
  const names = Array.from(text.matchAll(/^export type (\w+)/gm), ([, one]) => one);
  const path = relative('types', olderTypes ?? types).replace(/\.d\.ts$/, '.js');
  writeFileSync(
    fileOf(requiredTypes),
    `import type * as all from './${path}' with { 'resolution-mode': 'import' };

declare const required: ${olderTypes ? FUNCTION : 'typeof all'};
declare namespace required {
${names.map((one) => `  export type ${one} = all.${one};`).join('\n')}
}
export = required;
`,
  );
}

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { joinedModule } from '../lib/addons/page/page-script.js';
import { buildBundles } from './build-bundles.js';
import { buildRequire } from './build-require.js';
import { withAddresses } from './markdown.js';

/**
 * Writes the published package to a folder: `npm run package`, or `node scripts/build-package.js [folder]`. A clone runs its
 * sources; the package has them bundled, its types, and itself as CommonJS.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(ROOT, 'package'));
const {
  scripts: _,
  devDependencies: __,
  files,
  ...facts
} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build-types.js'), join(folder, 'types')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await buildRequire(join(folder, 'cjs'));
await buildBundles(folder);
for (const path of [...files, 'LICENSE', 'README.md', ...textFiles()]) copy(path);
writePageScripts();
for (const path of pages()) {
  const text = readFileSync(join(folder, path), 'utf8');
  const isThere = (/** @type {string} */ to) => existsSync(join(folder, to));
  writeFileSync(join(folder, path), withAddresses(text, { path, version: facts.version, isThere }));
}
const built = ['bin', 'cjs', 'index.js', 'lib', 'types'];
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...facts, files: [...built, ...files] }, null, 2)}\n`);

/** The documents of the package. @type {() => string[]} */
function pages() {
  return pathsIn(folder).filter((path) => path.endsWith('.md'));
}

/** @type {(path: string) => void} */
function copy(path) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

/**
 * Files beside the sources that are read when they are used: styles of pages, data, and what another process preloads.
 * @returns {string[]}
 */
function textFiles() {
  const paths = pathsIn(join(ROOT, 'lib')).map((path) => `lib/${path}`);
  return paths.filter((path) => /\.(css|cjs|json)$/.test(path) && !path.endsWith('/tsconfig.json'));
}

/** Writes the script of each page, one that no other imports, as one file. */
function writePageScripts() {
  const client = 'lib/addons/page/client';
  const names = pathsIn(join(ROOT, client)).filter((name) => name.endsWith('.js'));
  const texts = names.map((name) => readFileSync(join(ROOT, client, name), 'utf8'));
  mkdirSync(join(folder, client), { recursive: true });
  for (const name of names.filter((one) => !texts.some((text) => text.includes(`'./${one}'`))))
    writeFileSync(join(folder, client, name), joinedModule(pathToFileURL(join(ROOT, client, name))));
}

/** Lists the files of a folder, by their paths in it. @type {(root: string) => string[]} */
function pathsIn(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
}

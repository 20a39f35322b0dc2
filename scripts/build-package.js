import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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
for (const path of pages()) {
  const text = readFileSync(join(folder, path), 'utf8');
  const isThere = (/** @type {string} */ to) => existsSync(join(folder, to));
  writeFileSync(join(folder, path), withAddresses(text, { path, version: facts.version, isThere }));
}
const built = ['bin', 'cjs', 'index.js', 'lib', 'types'];
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...facts, files: [...built, ...files] }, null, 2)}\n`);

/** The documents of the package. @type {() => string[]} */
function pages() {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.md'));
}

/** @type {(path: string) => void} */
function copy(path) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

/**
 * Files beside the sources that are read when they are used: styles and scripts of pages, data, and what another process
 * preloads.
 * @returns {string[]}
 */
function textFiles() {
  const names = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' });
  const paths = names.map((name) => `lib/${name.replaceAll('\\', '/')}`);
  const client = paths.filter((path) => /\/page\/client\/.*\.js$/.test(path));
  const imported = client.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return Array.from(text.matchAll(/^import [^;]*? from '(\.\.\/[^']+)';$/gm), ([, name]) =>
      join(dirname(path), name),
    );
  });
  return [
    ...new Set([
      ...client,
      ...imported,
      ...paths.filter((path) => /\.(css|cjs|json)$/.test(path) && !path.endsWith('/tsconfig.json')),
    ]),
  ];
}

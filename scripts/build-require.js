import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { ENTRIES } from './entries.js';

/**
 * Writes the package as CommonJS, for programs that cannot require ES modules: `node scripts/build-require.js [folder]`.
 * Node itself requires `index.js`; Jest before Node 24.9 and bundlers take these files.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Dependencies that are ES modules alone become part of the file. */
const MODULES_ALONE = ['p-limit', 'fast-string-width', '@sveltejs/acorn-typescript'];

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildRequire(resolve(process.argv[2] ?? join(ROOT, 'cjs')));

/**
 * Returns what the bundler knows of the modules.
 * @type {(folder: string) => Promise<import('esbuild').Metafile>}
 */
export async function buildRequire(folder) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    metafile: true,
    stdin: { contents: lazyEntries(), resolveDir: ROOT, sourcefile: 'all.cjs' },
    outfile: join(folder, 'all.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    banner: {
      js: "const benchRestUrl = (path) => require('node:url').pathToFileURL(require('node:path').join(__dirname, '..', path)).href;",
    },
    // Replaced by the parser, and not in texts: a message advises to write it.
    define: { 'import.meta.url': 'benchRestHere' },
    external: Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !MODULES_ALONE.includes(name)),
    plugins: [{ name: 'sources', setup: (bundler) => void bundler.onLoad({ filter: /\.js$/ }, readSource) }],
    logLevel: 'warning',
  });
  for (const { required } of ENTRIES)
    writeFileSync(
      join(folder, basename(required)),
      `module.exports = require('./all.cjs')['${basename(required)}']();\n`,
    );
  return metafile;
}

/** Each entry is evaluated when it is required. */
function lazyEntries() {
  const lines = ENTRIES.map(({ required, source }) => {
    const exported = basename(required) === 'index.cjs' ? "['module.exports']" : '';
    return `exports['${basename(required)}'] = () => require('./${source}')${exported};`;
  });
  return lines.join('\n');
}

/** @type {(file: { path: string }) => { contents: string } | undefined} */
function readSource({ path }) {
  const name = relative(ROOT, path).replaceAll('\\', '/');
  if (name.startsWith('node_modules/')) return undefined;
  return { contents: asRequired(readFileSync(path, 'utf8'), name) };
}

/**
 * What a module has and CommonJS lacks: its URL, and `import()`, which Jest refuses.
 * @type {(text: string, name: string) => string}
 */
export function asRequired(text, name) {
  const here = text.includes('import.meta.url') ? `const benchRestHere = benchRestUrl('${name}');` : '';
  const required = text
    .replace(/createRequire\(import\.meta\.url\)\('/g, "require('")
    .replace(/\brequireHere\('(?=\.{1,2}\/)/g, "require('")
    .replace(/(?<![\w.])import\('([^'./][^']*)'\)/g, "Promise.resolve().then(() => require('$1'))");
  return here + required;
}

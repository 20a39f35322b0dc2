import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes the types of the package to a folder: `node scripts/build-types.js [folder]`. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(ROOT, 'types'));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', ROOT, '--noEmit', 'false', '--outDir', folder], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

// tsc writes the name of `export { x as 'module.exports' }` without quotes. TypeScript before 5.6 has no syntax for such
// names and gets its own file.
const index = join(folder, 'index.d.ts');
const text = readFileSync(index, 'utf8');
writeFileSync(index, text.replace('as module.exports', "as 'module.exports'"));
writeFileSync(join(folder, 'index.before-5.6.d.ts'), text.replace(/, \w+ as '?module\.exports'?/, ''));

// CommonJS gets the function itself, with the types as its members
const functions =
  'typeof all.benchrest & { benchrest: typeof all.benchrest; default: typeof all.benchrest; defineFlow: typeof all.defineFlow }';
writeForRequire('index', './index.before-5.6.js', text, functions);
const modules = Object.entries({ target: 'lib/target/server', report: 'lib/cli/result/programs' });
for (const [name, path] of modules) {
  const types = readFileSync(join(folder, `${path}.d.ts`), 'utf8');
  const functionNames = Array.from(types.matchAll(/^export (?:async )?function (\w+)/gm), ([, one]) => one);
  const shape = functionNames.map((one) => `${one}: typeof all.${one};`).join(' ');
  writeForRequire(name, `./${path}.js`, types, `{ ${shape} }`);
}

/** Writes what require() of an entry returns, with the types of the entry as its members. */
function writeForRequire(name, path, types, shape) {
  const names = Array.from(types.matchAll(/^export type (\w+)/gm), ([, one]) => one);
  writeFileSync(
    join(folder, `${name}.d.cts`),
    `import type * as all from '${path}' with { 'resolution-mode': 'import' };

declare const required: ${shape};
declare namespace required {
${names.map((one) => `  export type ${one} = all.${one};`).join('\n')}
}
export = required;
`,
  );
}

const reached = reachedTypes(['index.d.ts', 'index.before-5.6.d.ts', ...modules.map(([, path]) => `${path}.d.ts`)]);
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.d.ts') && !reached.has(join(folder, name))) rmSync(join(folder, name));

/** The files that the entries refer to, which are a quarter of what tsc writes; those that are written by hand are copied. */
function reachedTypes(entries) {
  const paths = new Set(entries.map((name) => join(folder, name)));
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

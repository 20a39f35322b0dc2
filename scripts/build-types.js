import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes the types of the package to a folder: `node scripts/build-types.js [folder]`. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(ROOT, 'types'));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
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
const names = Array.from(text.matchAll(/^export type (\w+)/gm), ([, name]) => name);
writeFileSync(
  join(folder, 'index.d.cts'),
  `import type * as all from './index.before-5.6.js' with { 'resolution-mode': 'import' };

/** What require('bench-rest') returns. */
declare const benchrest: typeof all.benchrest & {
  benchrest: typeof all.benchrest;
  default: typeof all.benchrest;
  defineFlow: typeof all.defineFlow;
};
declare namespace benchrest {
${names.map((name) => `  export type ${name} = all.${name};`).join('\n')}
}
export = benchrest;
`,
);

// TypeScript before 5.7 does not know the type argument of an array of bytes or numbers
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(folder, name);
  const types = readFileSync(path, 'utf8');
  const plain = types.replace(/\b(Buffer|Uint8Array|Float64Array)<ArrayBuffer(Like)?>/g, '$1');
  if (plain !== types) writeFileSync(path, plain);
}

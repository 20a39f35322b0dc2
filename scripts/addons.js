import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ADDONS = join(ROOT, 'lib/addons');

/** Writes lib/addons.js, before the other generated files are made with it; with --check it fails if it differs. */
const FILE = join(ROOT, 'lib/addons.js');
const text = await format(await addonFacts(), { ...(await resolveConfig(FILE)), filepath: FILE });
if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  const isCheck = process.argv.includes('--check');
  if (isCheck) process.exitCode = 1;
  else writeFileSync(FILE, text);
  console.error(isCheck ? 'lib/addons.js is out of date; run npm run generate' : 'wrote lib/addons.js');
}

/**
 * Joins the facts of all add-ons, which their `addon.js` export, as one module: a start and `--help` load no add-on.
 * What they import dynamically is loaded when it is used.
 * @returns {Promise<string>} the text of the module
 */
async function addonFacts() {
  const names = readdirSync(ADDONS).filter((name) => existsSync(join(ADDONS, name, 'addon.js')));
  const imports = names.map((name, i) => `import a${i} from './addons/${name}/addon.js';`);
  const { outputFiles } = await build({
    stdin: {
      contents: [
        ...imports,
        "import { joinAddons } from './core/ground/addons.js';",
        `export const ADDONS = [${names.map((_, i) => `a${i}`).join()}];`,
        'joinAddons(import.meta.url, ADDONS);',
      ].join('\n'),
      resolveDir: join(ROOT, 'lib'),
      sourcefile: 'addons.js',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    plugins: [{ name: 'own', setup: (bundler) => void bundler.onResolve({ filter: /^\./ }, external) }],
  });
  const head = '// @ts-nocheck: scripts/addons.js writes this module from lib/addons/*/addon.js, by npm run generate';
  return `${head}\n${outputFiles[0].text.replace(/^\/\/ .*\n/gm, '').replace(/^var /gm, 'const ')}`;
}

/**
 * Modules of the core and those that are loaded later stay modules of their own.
 * @type {(module: { path: string, resolveDir: string, kind: string }) => { path: string, external: boolean } | undefined}
 */
function external({ path, resolveDir, kind }) {
  const file = resolve(resolveDir, path);
  if (kind !== 'dynamic-import' && file.startsWith(ADDONS)) return undefined;
  return { path: `./${relative(join(ROOT, 'lib'), file).replaceAll('\\', '/')}`, external: true };
}

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

/**
 * Writes the modules that join the facts of all add-ons, before the other generated files are made with them; with
 * --check it fails if one differs. A start and `--help` load no add-on: what the facts import dynamically is loaded when
 * it is used.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CORE = join(ROOT, 'lib/core/');
const ADDONS = join(ROOT, 'lib/addons');
const NAMES = readdirSync(ADDONS);
const isCheck = process.argv.includes('--check');
/** How modules load others synchronously: one line of the written module does it for all add-ons. */
const REQUIRE_HERE = 'const requireHere = createRequire(import.meta.url);';
/** How they load what each program needs at once: bundlers take it in, unlike the others. */
const REQUIRE_NOW = 'const requireNow = createRequire(import.meta.url);';
/** That of a test runner that gives each test a context of its own (vmThreads of Vitest) cannot load ES modules. */
const NATIVE = "const { createRequire } = process.getBuiltinModule('node:module');";
/** In a bundle it is false. */
const IS_FILE = 'const isFile = /\\/lib\\/addons(-of-command)?\\.js$/.test(import.meta.url);';
/** The facts of an add-on that `lib/addons.js` has. */
const FACTS_OF_PROGRAMS = /^export default \{\n[^]*?^\};\n/m;
/** The lines of an add-on that load other modules synchronously. */
const WAYS = [REQUIRE_HERE, REQUIRE_NOW];

const problems = (await Promise.all(NAMES.map(problemsOf))).flat();
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

const FACTS = NAMES.map((name, i) => `import a${i} from './addons/${name}/addon.js';`);
const OF_COMMAND = NAMES.filter((name) =>
  readFileSync(join(ADDONS, name, 'addon.js'), 'utf8').includes('export const ofCommand'),
);
await write('lib/addons.js', [
  ...FACTS,
  "import { joinAddons } from './core/ground/addons.js';",
  `export const ADDONS = [${NAMES.map((_, i) => `a${i}`).join()}];`,
  'joinAddons(import.meta.url, ADDONS);',
]);
// A program does not contain what is of the command alone.
const experimental = await Promise.all(
  OF_COMMAND.map(async (name) => (await import(join(ADDONS, name, 'addon.js'))).default.isExperimental),
);
await write(
  'lib/addons-of-command.js',
  [
    "import './addons.js';",
    ...OF_COMMAND.map((name, i) => `import { ofCommand as a${i} } from './addons/${name}/addon.js';`),
    "import { joinAddons } from './core/ground/addons.js';",
    `joinAddons(import.meta.url, [${OF_COMMAND.map((_, i) => (experimental[i] ? `{ ...a${i}, isExperimental: true }` : `a${i}`)).join()}]);`,
  ],
  true,
);

/**
 * What is wrong with the facts of an add-on, each as a sentence with its file.
 * @type {(name: string) => Promise<string[]>}
 */
async function problemsOf(name) {
  const path = join(ADDONS, name, 'addon.js');
  const place = relative(ROOT, path);
  if (!existsSync(path)) return [`${place} is missing: write the facts of the add-on there`];
  const lines = readFileSync(path, 'utf8').split('\n');
  const strange = lines.filter((line) => line.includes('createRequire(') && !WAYS.includes(line));
  if (strange.length > 0)
    return strange.map(
      (line) => `${place}: ${line.trim()}: write one of these lines as it is:\n  ${WAYS.join('\n  ')}`,
    );
  const { default: facts = {}, ofCommand = {} } = await import(path);
  return [
    ...(facts.name === name ? [] : [`${place}: the name is ${facts.name}, and that of the folder is ${name}`]),
    ...(facts.needs ?? [])
      .filter((other) => !NAMES.includes(other))
      .map((other) => `${place}: needs ${other}, which is gone: delete lib/addons/${name}, too`),
    ...unknownIn(facts, ['name', 'about', 'isExperimental', ...kindsOf('Addon')], `${place}: default`),
    ...unknownIn(ofCommand, kindsOf('CommandAddon'), `${place}: ofCommand`),
  ];
}

/** @type {(facts: object, known: string[], place: string) => string[]} */
function unknownIn(facts, known, place) {
  const unknown = Object.keys(facts).filter((key) => !known.includes(key));
  return unknown.map((key) => `${place}.${key} is no kind of row there: lib/core/addon.d.ts has them`);
}

/** The lists of an interface of lib/core/addon.d.ts: its kinds of rows, and `needs`. @type {(name: string) => string[]} */
function kindsOf(name) {
  const text = readFileSync(join(CORE, 'addon.d.ts'), 'utf8');
  const [, body] = new RegExp(`interface ${name} \\{([^]*?)\n\\}`).exec(text) ?? [];
  return [...(body ?? '').matchAll(/^ {2}(\w+)\?: .*\[\];$/gm)].map(([, kind]) => kind);
}

/** @type {(name: string, lines: string[], isOfCommand?: boolean) => Promise<void>} */
async function write(name, lines, isOfCommand = false) {
  const path = join(ROOT, name);
  const text = await format(await bundled(lines, isOfCommand), { ...(await resolveConfig(path)), filepath: path });
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  if (isCheck) process.exitCode = 1;
  else writeFileSync(path, text);
  console.error(isCheck ? `${name} is out of date; run npm run generate` : `wrote ${name}`);
}

/** @type {(lines: string[], isOfCommand: boolean) => Promise<string>} isOfCommand: without the facts of programs */
async function bundled(lines, isOfCommand) {
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: join(ROOT, 'lib'), sourcefile: 'addons.js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    plugins: [
      {
        name: 'own',
        setup(bundler) {
          bundler.onResolve({ filter: /^\./ }, external);
          // the first one that fits loads a module
          if (isOfCommand)
            bundler.onLoad({ filter: /\/addon\.js$/ }, ({ path }) => ({
              contents: fromLib(path).replace(FACTS_OF_PROGRAMS, ''),
            }));
          bundler.onLoad({ filter: /\.js$/ }, ({ path }) => ({ contents: fromLib(path) }));
        },
      },
    ],
  });
  const head = '// @ts-nocheck: scripts/addons.js writes this module of what add-ons offer, by npm run generate';
  const text = outputFiles[0].text
    .replace(/^\/\/ .*\n/gm, '')
    .replace(/^var /gm, 'const ')
    .replace(/\brequireNow\(("[^"]+")\)/g, '(isFile ? requireHere($1) : require($1))');
  const required = /\brequireHere\(/.test(text)
    ? `${NATIVE}\n${REQUIRE_HERE}\n${text.includes('isFile') ? `${IS_FILE}\n` : ''}`
    : '';
  return `${head}\n${required}${text}`;
}

/**
 * Modules of the core and those that are loaded later stay modules of their own.
 * @type {(module: { path: string, resolveDir: string, kind: string }) => { path: string, external?: boolean,
 *   sideEffects: boolean }}
 */
function external({ path, resolveDir, kind }) {
  const file = resolve(resolveDir, path);
  if (kind !== 'dynamic-import' && file.startsWith(`${ADDONS}/`)) return { path: file, sideEffects: false };
  // Programs do not import what only the rows of the command use.
  return { path: inLib(file), external: true, sideEffects: !file.startsWith(CORE) };
}

/** @type {(file: string) => string} */
function inLib(file) {
  return `./${relative(join(ROOT, 'lib'), file).replaceAll('\\', '/')}`;
}

/** Returns a module whose ways to load others are those of the module that is written. @type {(path: string) => string} */
function fromLib(path) {
  const named = (/** @type {string} */ name) => inLib(resolve(dirname(path), name));
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !WAYS.includes(line))
    .join('\n')
    .replace(/\b(requireHere|requireNow)\('(\.[^']+)'\)/g, (_, way, name) => `${way}('${named(name)}')`);
}

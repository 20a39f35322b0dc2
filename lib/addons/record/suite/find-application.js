import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Application
 * @property {string} file the module that exports it, or a function that returns it
 * @property {string} name of the export; empty: not known
 * @property {string} [givenTo] the function that the suite passes arguments to, which make the application
 */

/** Definitions that are followed: `app = await build()`, `agent = request(app)`. */
const MOST_STEPS = 4;
const NAME = '[A-Za-z_$][\\w$]*';

/**
 * Finds the module that exports an application by the text of the files that made a server of it, or sent a request to
 * it, the innermost first: a test that imports it, or the module itself.
 * @type {(callers: string[]) => Application | null}
 */
export function findApplication(callers) {
  const files = callers.map(pathOf);
  for (const file of files) {
    const text = textOf(file);
    const imports = importsOf(text, file);
    for (const used of usedIn(text)) {
      const found = followed(used, text, imports);
      if (found) return found;
    }
  }
  // What a module makes at once, or by functions of others.
  const at = files.findLastIndex((file) => !isTest(file));
  const tests = files.slice(at + 1);
  if (at < 0 || !/\bexports?\b/.test(textOf(files[at]))) return null;
  for (const test of tests) {
    const text = textOf(test);
    const binding = importsOf(text, test).find(({ path }) => path === files[at]);
    if (binding) return applicationOf(binding, text);
  }
  return tests.length === 0 ? { file: files[at], name: '' } : null;
}

/** Reports, too, whether a test calls it with arguments. @type {(found: Import, text: string) => Application} */
function applicationOf({ path, name, local, isGiven: isGivenAtOnce }, text) {
  if (isGivenAtOnce) return { file: path, name, givenTo: name || 'the export' };
  if (local === 'require') return { file: path, name };
  const isGiven = new RegExp(`(?<![\\w$.])${literal(local)}${CALLED}`).test(text);
  return { file: path, name, ...(isGiven && { givenTo: local }) };
}

/** @type {(name: string) => string} */
function literal(name) {
  return name.replaceAll('$', '\\$');
}

/** @type {(file: string) => string} */
function pathOf(file) {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/** @type {(file: string) => string} empty if it cannot be read */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @type {(file: string) => boolean} */
function isTest(file) {
  return /(?:[.\-_]|[\\/])(?:test|tests|spec|__tests__)(?:[.\\/]|$)/.test(file);
}

/** @typedef {{ local: string, name: string, path: string, isGiven?: boolean }} Import path: of a file of the project */

/** A call with arguments, other than a request. */
const CALLED = '\\s*\\((?!\\s*(?:\\)|req))';
const FROM = /\bimport\s+(?:type\s+)?([\w$*{}\s,]+?)\s+from\s*['"]([^'"]+)['"]/g;
const REQUIRED = new RegExp(
  `(?:\\b(?:const|let|var)\\s+|,\\s*)(${NAME}|\\{[^}]*\\})\\s*=\\s*(?:await\\s+import|require)\\(\\s*['"]([^'"]+)['"]\\s*\\)(?:\\.(${NAME}))?(${CALLED})?`,
  'g',
);

/** `request(require('./app'))` gives it no name: the call has it. */
const PASSED = new RegExp(`\\(\\s*(require)\\(\\s*['"]([^'"]+)['"]\\s*\\)(?:\\.(${NAME}))?(${CALLED})?`, 'g');

/** Lists what a module imports from files of the project. @type {(text: string, file: string) => Import[]} */
function importsOf(text, file) {
  const all = [...text.matchAll(FROM), ...text.matchAll(REQUIRED), ...text.matchAll(PASSED)];
  return all.flatMap(([, names, specifier, member = '', called]) => {
    const path = /^\.{1,2}(?:\/|$)/.test(specifier) ? existing(resolve(dirname(file), specifier)) : null;
    return path === null ? [] : bindingsOf(names, member).map((one) => ({ ...one, path, isGiven: !!called }));
  });
}

/** @type {(names: string, member: string) => { local: string, name: string }[]} */
function bindingsOf(names, member) {
  const [, list = ''] = /\{([^}]*)\}/.exec(names) ?? [];
  const named = list.split(',').flatMap((one) => {
    const [name, local = name] = one.trim().split(/\s*(?::|\bas\b)\s*/);
    return name ? [{ local, name: name === 'default' ? '' : name }] : [];
  });
  const [, alone] = new RegExp(`^\\s*(?:\\*\\s*as\\s+)?(${NAME})`).exec(names) ?? [];
  return alone ? [{ local: alone, name: member }, ...named] : named;
}

const EXTENSIONS = ['', ...['.js', '.ts', '.mjs', '.mts', '.cjs', '.cts'].flatMap((one) => [one, `/index${one}`])];

/** Completes a path as runners do: `./app.js` may be `app.ts`. @type {(path: string) => string | null} */
function existing(path) {
  const asTypeScript = path.replace(/\.([mc]?)js$/, '.$1ts');
  const found = [...EXTENSIONS.map((one) => path + one), asTypeScript].find((one) =>
    statSync(one, { throwIfNoEntry: false })?.isFile(),
  );
  return found ?? null;
}

/** What gets an application, beside supertest, and its methods that answer. */
const TAKES = ['createServer', 'request', 'supertest', 'agent', 'testClient', 'serve'];
const ANSWERS = ['inject', 'request', 'fetch', 'handle', 'listen', 'getHttpServer', 'callback', 'ready'];

/** Lists the variables that a test seems to use as an application. @type {(text: string) => string[]} */
function usedIn(text) {
  const [, supertest = 'supertest'] =
    new RegExp(`(${NAME})\\s*(?:=\\s*require\\(|from)\\s*['"]supertest`).exec(text) ?? [];
  const patterns = [
    `\\b(?:${[...TAKES, supertest].join('|')})\\s*(?:\\.agent|\\.default)?\\(\\s*(?:await\\s+)?(${NAME})`,
    `\\b(${NAME})\\.(?:${ANSWERS.join('|')})\\(`,
  ];
  return [...new Set(patterns.flatMap((one) => [...text.matchAll(new RegExp(one, 'g'))].map(([, name]) => name)))];
}

/** @type {(used: string, text: string, imports: Import[]) => Application | null} */
function followed(used, text, imports) {
  let name = used;
  for (let i = 0; i < MOST_STEPS; i++) {
    const found = imports.find(({ local }) => local === name);
    // A function of a helper gets what a test knows.
    if (found) return i > 0 && isTest(found.path) ? null : applicationOf(found, text);
    const definition = new RegExp(
      `(?<![\\w$.])${literal(name)}\\s*(?::[^=;()]+)?=\\s*(?:await\\s+)?(?:new\\s+)?(${NAME})\\s*[.(]`,
    );
    const [, next] = definition.exec(text) ?? [];
    if (next === undefined || next === name) return null;
    name = next;
  }
  return null;
}

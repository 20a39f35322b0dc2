import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseDocument } from 'yaml';

import { workingFolder } from '../../core/ground/system-errors.js';
import { DEFAULT_PORT } from '../serve/command.js';
import { print } from '../../core/cli/output.js';
import { replaceFile } from '../../core/cli/result/replace-file.js';
import { unwritable } from '../../core/cli/result/unwritable.js';
import { usageError } from '../../core/cli/usage-error.js';
import { addonFiles } from './addon-files.js';

/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Io } from '../../core/cli/types.js' */
/** @import { InitRequest } from './requests.js' */

/** @typedef {{ outcome: 'written' | 'exists' | 'skipped', line: string }} InitStep what was done, for people */

const WORKFLOW = '.github/workflows/bench.yml';
const SCRIPT = 'bench';
const LOAD = '-t 10s -c 10';

/**
 * Writes a first flow, an npm script and a workflow to the working folder, and prints what to do next. No existing file
 * or script is changed.
 * @type {(request: InitRequest, io: Io) => Promise<Reason[]>}
 */
export async function initProject({ url, typescript, workflow: isAsked, version }, io) {
  const folder = workingFolder(io);
  const isTyped = typescript ?? existsSync(join(folder, 'tsconfig.json'));
  const flow = isTyped ? 'flow.ts' : 'flow.mjs';
  const isRoot = existsSync(join(folder, '.git'));
  const packagePath = join(folder, 'package.json');
  // A malformed one is refused before anything is written.
  const packageText = packageWithScript(packagePath, flow);
  const steps = [
    writeNew(folder, flow, firstFlow(url)),
    writeScript(packagePath, packageText),
    (isAsked ?? isRoot) ? writeNew(folder, WORKFLOW, workflow({ flow, load: LOAD, url })) : noWorkflow(isAsked),
  ];
  return printSteps(steps, nextLines(folder, { flow, url, version }), io);
}

/** Writes an add-on with a flow and a server to try it. @type {(version: string, io: Io) => Promise<Reason[]>} */
export async function initAddon(version, io) {
  const folder = workingFolder(io);
  // One that is there does not name bench-rest.
  const install = existsSync(join(folder, 'package.json'))
    ? `npm install --save-dev ${packageOf(version)}`
    : 'npm install';
  const steps = Object.entries(addonFiles(version)).map(([name, text]) => writeNew(folder, name, text));
  const next = [
    [install, 'bench-rest, which the add-on is for'],
    ['node server.mjs &', 'start the server that the flow calls'],
    ['npx bench-rest --addon ./addon.mjs -n 1000 -c 10 flow.yaml', 'measure it'],
  ];
  return printSteps(steps, inColumns(next), io);
}

/** @type {(steps: InitStep[], next: string[], io: Io) => Promise<Reason[]>} */
async function printSteps(steps, next, io) {
  const lines = [...steps.map(({ line }) => line), '', 'Next:', ...next];
  const reasons = await print(`${lines.join('\n')}\n`, io);
  return steps.some(({ outcome }) => outcome === 'exists') ? [...reasons, 'exists'] : reasons;
}

/** @type {(folder: string, name: string, text: string) => InitStep} */
function writeNew(folder, name, text) {
  const path = join(folder, name);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EEXIST' || !existsSync(path)) throw unwritable(path, /** @type {NodeJS.ErrnoException} */ (error));
    return { outcome: 'exists', line: `left alone: ${name} exists` };
  }
  return { outcome: 'written', line: `wrote ${name}` };
}

/**
 * Returns the text of the package with the script; null if it has such a script, undefined if there is no file.
 * @type {(path: string, flow: string) => string | null | undefined}
 */
function packageWithScript(path, flow) {
  if (!existsSync(path)) return undefined;
  try {
    return addScript(readFileSync(path, 'utf8'), SCRIPT, `bench-rest ${LOAD} ${flow}`);
  } catch (error) {
    throw usageError(`${path} cannot get a script: ${/** @type {Error} */ (error).message}; correct it`);
  }
}

/** @type {(path: string, text: ReturnType<typeof packageWithScript>) => InitStep} */
function writeScript(path, text) {
  if (text === undefined) return { outcome: 'skipped', line: 'no npm script: there is no package.json' };
  if (text === null) return { outcome: 'exists', line: `left alone: package.json has a script ${SCRIPT}` };
  try {
    replaceFile(path, text);
  } catch (error) {
    throw unwritable(path, /** @type {NodeJS.ErrnoException} */ (error));
  }
  return { outcome: 'written', line: `wrote the script ${SCRIPT} to package.json` };
}

/** @type {(isAsked: boolean | undefined) => InitStep} */
function noWorkflow(isAsked) {
  const reason = isAsked === false ? '' : ': this is not the root of a git repository; --workflow writes one';
  return { outcome: 'skipped', line: `no workflow${reason}` };
}

/** @type {(folder: string, options: { flow: string, url?: URL, version: string }) => string[]} */
function nextLines(folder, { flow, url, version }) {
  const own = isInstalled(folder, 'bench-rest') ? [] : [packageOf(version)];
  // This version of Node does not strip types.
  const needsTsx =
    flow.endsWith('.ts') && !(/** @type {any} */ (process.features).typescript) && !isInstalled(folder, 'tsx');
  const lacking = needsTsx ? [...own, 'tsx'] : own;
  const gain = own.length > 0 ? 'bench-rest, and completion in your editor' : 'reads TypeScript';
  const target = url ? '' : '--serve ';
  const rows = [
    ...(lacking.length > 0 ? [[`npm install --save-dev ${lacking.join(' ')}`, gain]] : []),
    [`npx bench-rest --debug ${target}${flow}`, 'run one iteration and print every exchange'],
    [`npx bench-rest ${LOAD} ${target}${flow}`, url ? 'measure' : 'measure the embedded target'],
  ];
  return inColumns(rows);
}

/** @type {(version: string) => string} */
function packageOf(version) {
  return `bench-rest${version.includes('-') ? '@next' : ''}`;
}

/** @type {(rows: string[][]) => string[]} */
function inColumns(rows) {
  const width = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`);
}

/** @type {(folder: string, name: string) => boolean} */
function isInstalled(folder, name) {
  return existsSync(join(folder, 'node_modules', name, 'package.json'));
}

const EMBEDDED = `http://localhost:${DEFAULT_PORT}`;

const EMBEDDED_OPERATIONS = `    { put: '/items/#{INDEX}', json: { name: 'item #{INDEX}' }, afterHooks: ['verify2XX'] },
    { get: '/items/#{INDEX}' },`;

/** @type {(path: string) => string} */
const operationFor = (path) => `    { get: ${quoted(path)} },
    // { post: '/items', json: { name: 'item #{INDEX}' }, afterHooks: ['verify2XX'] },`;

/** Undefined: the flow requests documents of the embedded target. @type {(url: URL | undefined) => string} */
export function firstFlow(url) {
  return `import { defineFlow } from 'bench-rest';

export default defineFlow({
  baseUrl: ${quoted(url ? url.origin : EMBEDDED)}, // --base-url replaces it
  // the operations of an iteration, one after the other; #{INDEX} is its number
  main: [
${url ? operationFor(`${url.pathname}${url.search}`) : EMBEDDED_OPERATIONS}
  ],
  // at the end of each iteration, even after an error; its time is not measured
  afterMain: [${url ? '' : "{ del: '/items/#{INDEX}' }"}],
  // the exit code is 99 if one of these does not hold
  thresholds: { errors: '<1%', p95: '<500ms' },
});
`;
}

/** @type {(text: string) => string} */
function quoted(text) {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

/**
 * @typedef {object} JsonObject
 * @property {[start: number, end: number]} range
 * @property {{ key: { value: unknown }, value: { range: [start: number, end: number] } }[]} items
 *
 * @typedef {object} Layout
 * @property {string} before what comes before an entry
 * @property {string} after what comes before the brace that closes
 */

const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Adds an npm script to the text of a package.json. Everything else keeps its format. Null if there is a script of this
 * name.
 * @throws {SyntaxError} it is not a JSON object, or its scripts are none
 * @type {(text: string, name: string, script: string) => string | null}
 */
export function addScript(text, name, script) {
  if (Object.hasOwn(scriptsIn(text.replace(BYTE_ORDER_MARK, '')), name)) return null;
  // JSON is YAML, whose parser gives the place of each value.
  const root = /** @type {JsonObject} */ (/** @type {unknown} */ (parseDocument(text, { uniqueKeys: false }).contents));
  // If two entries have one name, JSON.parse takes the last one.
  const scripts = root.items.findLast(({ key }) => key.value === 'scripts');
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(script)}`;
  const layout = layoutOf(text);
  if (scripts) return insert(text, /** @type {JsonObject} */ (scripts.value), entry, layout(2));
  const { before, after } = layout(2);
  return insert(text, root, `"scripts": {${before}${entry}${after}}`, layout(1));
}

/** @type {(text: string) => Record<string, unknown>} */
function scriptsIn(text) {
  const { scripts = {} } = objectOf(JSON.parse(text), 'it is not an object');
  return objectOf(scripts, 'its scripts are not an object');
}

/** @type {(value: any, problem: string) => Record<string, any>} */
function objectOf(value, problem) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError(problem);
}

/** Finds whether entries have lines of their own, or one. @type {(text: string) => (depth: number) => Layout} */
function layoutOf(text) {
  const isOneLine = !text.trim().includes('\n') && !/^\s*\{\s*\}\s*$/.test(text);
  if (isOneLine) return () => ({ before: ' ', after: ' ' });
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return (depth) => ({ before: end + indent.repeat(depth), after: end + indent.repeat(depth - 1) });
}

/** @type {(text: string, object: JsonObject, entry: string, layout: Layout) => string} */
function insert(text, { items, range: [start, end] }, entry, { before, after }) {
  const last = items.at(-1)?.value.range[1];
  if (last !== undefined) return `${text.slice(0, last)},${before}${entry}${text.slice(last)}`;
  return `${text.slice(0, start)}{${before}${entry}${after}}${text.slice(end)}`;
}

/**
 * Writes a GitHub workflow that runs a flow for each pull request, and compares it with the base branch. `flow`: its
 * path; `load`: options of the command; `url`: what the flow requests; none: the embedded target.
 * @type {(settings: { flow: string, load: string, url?: URL }) => string}
 */
export function workflow({ flow, load, url }) {
  const args = `${load}${url ? '' : ' --serve'}`;
  const comparison = url
    ? `          # starts your service; pull requests then run the base branch and theirs in turn, and may be limited:
          # start: npm start
          # max-regression: p95=10%
`
    : '';
  return `# ${flow} for each pull request, compared with the base branch
name: bench
on:
  push:
    branches: [main, master]
  pull_request:
permissions:
  actions: read # the result of the base branch
  contents: read
  pull-requests: write # the comment
jobs:
  bench:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - uses: jeffbski/bench-rest@v2
        with:
          flow: ${flow}
          options: ${args}
${comparison}          comment: true
`;
}

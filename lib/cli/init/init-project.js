import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { workingFolder } from '../../working-folder.js';
import { print } from '../output.js';
import { replaceFile } from '../result/replace-file.js';
import { unwritable } from '../result/unwritable.js';
import { addScript } from './add-script.js';
import { firstFlow } from './first-flow.js';
import { workflow } from './workflow.js';

/**
 * @import { Reason } from '../../exit-codes.js'
 * @import { InitRequest } from '../commands/init.js'
 * @import { Io } from '../main.js'
 *
 * @typedef {'written' | 'exists' | 'skipped'} FileOutcome
 * @typedef {{ outcome: FileOutcome, line: string }} InitStep what was done, for people
 */

const FLOW = 'flow.mjs';
const WORKFLOW = '.github/workflows/bench.yml';
const SCRIPT = 'bench';
const LOAD = '-t 10s -c 10';

/**
 * Writes a first flow, an npm script and a workflow to the working folder, and prints what to do next. No existing file or
 * script is changed.
 *
 * @param {InitRequest} request
 * @param {Io} io
 * @returns {Promise<Reason[]>}
 */
export async function initProject({ url, workflow: isAsked, version }, io) {
  const folder = workingFolder(io);
  const isRoot = existsSync(join(folder, '.git'));
  const steps = [
    writeNew(folder, FLOW, firstFlow(url)),
    writeScript(folder),
    (isAsked ?? isRoot) ? writeNew(folder, WORKFLOW, workflow({ flow: FLOW, load: LOAD, url })) : noWorkflow(isAsked),
  ];
  const lines = [...steps.map(({ line }) => line), '', 'Next:', ...nextLines(folder, { url, version })];
  const isPrinted = await print(`${lines.join('\n')}\n`, io);
  return [
    ...(isPrinted ? [] : [/** @type {const} */ ('notWritten')]),
    ...(steps.some(({ outcome }) => outcome === 'exists') ? [/** @type {const} */ ('exists')] : []),
  ];
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

/** @type {(folder: string) => InitStep} */
function writeScript(folder) {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return { outcome: 'skipped', line: 'no npm script: there is no package.json' };
  try {
    const text = addScript(readFileSync(path, 'utf8'), SCRIPT, `bench-rest ${LOAD} ${FLOW}`);
    if (text === null) return { outcome: 'exists', line: `left alone: package.json has a script ${SCRIPT}` };
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

/** @type {(folder: string, options: { url?: URL, version: string }) => string[]} */
function nextLines(folder, { url, version }) {
  const install = `npm install --save-dev bench-rest${version.includes('-') ? '@next' : ''}`;
  const target = url ? '' : '--serve ';
  const rows = [
    ...(isInstalled(folder) ? [] : [[install, 'bench-rest, and completion in your editor']]),
    [`npx bench-rest --debug ${target}${FLOW}`, 'run one iteration and print every exchange'],
    [`npx bench-rest ${LOAD} ${target}${FLOW}`, url ? 'measure' : 'measure the embedded target'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`);
}

/** @type {(folder: string) => boolean} */
function isInstalled(folder) {
  return existsSync(join(folder, 'node_modules', 'bench-rest', 'package.json'));
}

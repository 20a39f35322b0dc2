import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { makeError } from '../../../ground/errors.js';
import { asPhases } from '../../normalize.js';
import { flowFault, isClass } from '../../record.js';
import { moduleError } from './module-error.js';
import { acceptEitherKind } from '../../../process/module-kind.js';
import { resolveOwnPackage } from '../../../process/own-package.js';
import { acceptTypes } from '../../../process/typescript.js';

/** @import { FlowReader } from '../types.js' */

/** The last line of a module that was compiled or bundled (ECMA-426). */
const SOURCE_MAP = /^\/\/# sourceMappingURL=\S+\s*$/m;
const FLOW_KINDS = 'a flow: a URL, an array, an object or a function that returns one';

/** @type {FlowReader} */
export async function read({ path = '', text = '', limitMs, args = {} }) {
  const { value, names, ...options } = await within(limitMs, importFlow(path, text), path, 'the import');
  if (value === undefined && names.includes('main')) throw refuseNames(path);
  if (typeof value !== 'function' || isClass(value)) return withOptions(options, checkedFlow(value, path, 'export'));
  if (value.length > 1) throw refuseGenerator(value.length, path);
  const made = await within(
    limitMs,
    callFlow(() => value({ args: { ...args } }), path),
    path,
    'the exported function',
  );
  return withOptions(options, checkedFlow(made, path, 'return'));
}

/**
 * Imports the default export, and the exports `runOptions` and `section`.
 * @type {(path: string, text: string) => Promise<{ value: unknown, names: string[], runOptions: unknown, section:
 *   unknown }>} names: of all exports
 */
async function importFlow(path, text) {
  try {
    // Errors then name the places in the files that a compiler or bundler has read.
    if (SOURCE_MAP.test(text)) process.setSourceMapsEnabled(true);
    acceptEitherKind(path, text);
    resolveOwnPackage(path, text);
    await acceptTypes(path);
    const exports = await import(pathToFileURL(path).href);
    const { default: exported, runOptions, section } = exports;
    const names = Object.keys(exports);
    const value = await exported;
    // A compiler has written CommonJS: the export of the user's is one level deeper, and so may be the others
    if (!value?.__esModule || !('default' in value)) return { value, names, runOptions, section };
    const options = { runOptions: runOptions ?? value.runOptions, section: section ?? value.section };
    return { value: await value.default, names, ...options };
  } catch (error) {
    await handleSecondRejection(error);
    throw await moduleError(path, error, text);
  }
}

/**
 * On Node 20 a load hook makes an import reject twice with the same error if an imported CommonJS file cannot be
 * compiled, and nothing awaits the second promise. Node reports it before the next turn of the event loop. Other
 * rejections stay unhandled.
 * @type {(error: unknown) => Promise<void>}
 */
async function handleSecondRejection(error) {
  /** @type {(reason: unknown) => void} */
  const listener = (reason) => {
    if (reason !== error) throw reason;
  };
  process.on('unhandledRejection', listener);
  await setImmediate();
  process.off('unhandledRejection', listener);
}

/** Properties of the flow win. @type {(exports: Record<string, unknown>, flow: any) => unknown} */
function withOptions(exports, flow) {
  // Not the flow itself: an array that CommonJS exports has the other exports as its properties.
  const phases = asPhases(flow);
  const added = Object.entries(exports).filter(([name, value]) => value !== undefined && phases[name] === undefined);
  return added.length === 0 ? flow : { ...phases, ...Object.fromEntries(added) };
}

/** @type {(make: Function, path: string) => Promise<unknown>} */
async function callFlow(make, path) {
  try {
    return await make();
  } catch (error) {
    throw await moduleError(path, error);
  }
}

/** The phases are exports of their own. @type {(path: string) => Error} */
function refuseNames(path) {
  const cure = 'write export default { main: [...] }, with the other phases in the same object';
  return makeError('E_FLOW_FILE', { path, reason: 'exports main, but a flow is the default export', cure });
}

/** Refuses a function that another tool calls for every request. @type {(count: number, path: string) => Error} */
function refuseGenerator(count, path) {
  const reason = `the exported function takes ${count} arguments, but it is called once, with { args }, and returns the flow`;
  const cure = 'a function that makes or changes each request is a beforeHook: { post: URL, beforeHooks: [hook] }';
  return makeError('E_FLOW_FILE', { path, reason, cure });
}

/** @type {<T>(limitMs: number, work: Promise<T>, path: string, what: string) => Promise<T>} */
async function within(limitMs, work, path, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const reason = `${what} did not finish within ${limitMs / 1000} s`;
      reject(makeError('E_FLOW_FILE', { path, reason, cure: 'look for an await that never ends' }));
    }, limitMs);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** @type {(value: unknown, path: string, verb: 'export' | 'return') => unknown} */
function checkedFlow(value, path, verb) {
  const isEmpty = typeof value === 'object' && value !== null && Reflect.ownKeys(value).length === 0;
  const got = isEmpty ? 'an empty object' : flowFault(value);
  if (!got) return value;
  const file = basename(path);
  const what = verb === 'export' ? `default export of ${file} is` : `the function exported by ${file} returned`;
  throw makeError('E_FLOW_FILE', { path, reason: `${what} ${got}`, cure: `${verb} ${FLOW_KINDS}` });
}

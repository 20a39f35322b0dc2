import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeError } from '../../errors.js';
import { asPhases } from '../normalize.js';
import { flowFault, isClass } from './flow-fault.js';
import { moduleError } from './module-error.js';

/** @import { FlowFormat } from './types.js' */

const SHAPE = 'a flow: a URL, an array, an object or a function that returns one';

/** @type {FlowFormat} */
export default {
  name: 'module',
  about: 'a JavaScript module; its default export is the flow or a function that returns it',
  extensions: ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'],

  accepts({ path }) {
    return path !== undefined && /\.[cm]?[jt]s$/i.test(path);
  },

  async read({ path = '', limitMs }) {
    if (/ts$/i.test(path) && !stripsTypes()) {
      const cure = 'use Node 22.18 or newer, or write it as .mjs';
      throw makeError('E_FLOW_FILE', { path, reason: `Node ${process.version} does not strip types`, cure });
    }
    const { value, runOptions } = await within(limitMs, importFlow(path), path, 'the import');
    if (typeof value !== 'function' || isClass(value))
      return carrying(runOptions, checked(value, path, `default export of ${basename(path)} is`));
    const made = await within(limitMs, callFlow(value, path), path, 'the exported function');
    return carrying(runOptions, checked(made, path, `the function exported by ${basename(path)} returned`));
  },
};

/** @type {() => boolean} */
function stripsTypes() {
  return Boolean(/** @type {Record<string, unknown>} */ ({ ...process.features }).typescript);
}

/** The default export, and the options that may stand beside it. @type {(path: string) => Promise<{ value: unknown, runOptions: unknown }>} */
async function importFlow(path) {
  try {
    const { default: exported, runOptions } = await import(pathToFileURL(path).href);
    const value = await exported;
    return { value: value?.__esModule && 'default' in value ? await value.default : value, runOptions };
  } catch (error) {
    throw await moduleError(path, error);
  }
}

/** A flow with the options of its module, unless it has its own. @type {(runOptions: unknown, flow: any) => unknown} */
function carrying(runOptions, flow) {
  return runOptions === undefined || flow.runOptions !== undefined ? flow : { ...asPhases(flow), runOptions };
}

/** @type {(make: Function, path: string) => Promise<unknown>} */
async function callFlow(make, path) {
  try {
    return await make();
  } catch (error) {
    throw await moduleError(path, error);
  }
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

/** @type {(value: unknown, path: string, what: string) => unknown} */
function checked(value, path, what) {
  const isEmpty = typeof value === 'object' && value !== null && Reflect.ownKeys(value).length === 0;
  const got = isEmpty ? 'an empty object' : flowFault(value);
  if (!got) return value;
  const verb = what.endsWith('returned') ? 'return' : 'export';
  throw makeError('E_FLOW_FILE', { path, reason: `${what} ${got}`, cure: `${verb} ${SHAPE}` });
}

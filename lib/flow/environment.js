import { parseEnv } from 'node:util';

import { mayReadVariable } from '../process/confinement.js';
import { FileRefusal, readRegularFile } from '../process/read-file.js';
import { hide } from '../text/mask.js';

/**
 * Variables of the environment, for `#{env.NAME}`.
 *
 * @typedef {object} Environment
 * @property {(name: string) => string | undefined} valueOf undefined if it is not set; the value is hidden in all
 *   output from then on
 * @property {() => string[]} names
 * @property {(name: string) => boolean} isAllowed of a flow from a queue: whether its agent lets it read the variable
 */

/** Bytes of a file of variables. */
const MAX_BYTES = 1024 * 1024;

/**
 * Joins the variables of this process with those of files, which are below them; see {@link readVariables}.
 * @type {(fromFiles?: Record<string, string>, fromProcess?: NodeJS.ProcessEnv) => Environment}
 */
export function createEnvironment(fromFiles = {}, fromProcess = process.env) {
  const sources = [fromProcess, fromFiles];
  return {
    valueOf(name) {
      if (!mayReadVariable(name)) return undefined;
      const value = sources.find((source) => Object.hasOwn(source, name))?.[name];
      if (value !== undefined) hide(value);
      return value;
    },
    names: () => sources.flatMap((source) => Object.keys(source)).filter(mayReadVariable),
    isAllowed: mayReadVariable,
  };
}

/**
 * Reads files of variables, relative to the working directory, as `node --env-file` does; later ones win.
 * @type {(paths: string[], complain: (reason: string) => void) => Record<string, string>}
 */
export function readVariables(paths, complain) {
  /** @type {Record<string, string>} */
  const variables = {};
  for (const path of paths) {
    try {
      Object.assign(variables, parseEnv(readRegularFile(path, { maxBytes: MAX_BYTES, isSecret: true }).toString()));
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
      complain(error.message);
    }
  }
  return variables;
}

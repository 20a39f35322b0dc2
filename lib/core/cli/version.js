import { PACKAGE_VERSION } from '../ground/package.js';

/** @import { Writable } from 'node:stream' */

export const VERSION_FLAGS = ['-V', '--version'];

/** @type {(args: string[]) => boolean} */
export function printsVersion(args) {
  return args.length === 1 && VERSION_FLAGS.includes(args[0]);
}

/**
 * Prints the version before anything else is loaded; false: it cannot be written, and the command has to explain that.
 * @type {(stdout: Writable) => Promise<boolean>}
 */
export function printVersion(stdout) {
  stdout.on('error', () => {});
  return new Promise((resolve) => void stdout.write(`${PACKAGE_VERSION}\n`, (error) => resolve(!error)));
}

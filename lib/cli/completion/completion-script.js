import { createProgram } from '../options.js';
import { unknownName } from '../usage-error.js';
import { bashScript } from './bash.js';
import { describeProgram } from './describe-program.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

/** @import { DescribedCommand } from './describe-program.js' */

/** The shells, each with the function that writes its script. @type {Record<string, (commands: DescribedCommand[]) => string>} */
export const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * @param {string} shell
 * @returns {string} a script that completes the command line of bench-rest in this shell
 * @throws {Error} E_USAGE
 */
export function completionScript(shell) {
  if (!Object.hasOwn(SHELLS, shell)) throw unknownName('shell', shell, Object.keys(SHELLS));
  const program = createProgram({ version: '', env: {}, words: () => [], submit() {} });
  return SHELLS[shell](describeProgram(program, { shells: Object.keys(SHELLS) }));
}

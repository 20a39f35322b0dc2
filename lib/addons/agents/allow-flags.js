import { isTarget } from '../../core/process/confinement.js';
import { formatValue } from '../../core/text/format-value.js';
import { usageError } from '../../core/cli/usage-error.js';

/** @import { Command } from 'commander' */
/** @import { Allowed } from './types.js' */

const VARIABLE = /^[A-Za-z_]\w*$/;

/**
 * Adds the flags that say what flows from elsewhere may do, with the help of each.
 * @type {(command: Command, about: { code: string, env: string, target: string }) => Command}
 */
export function addAllowFlags(command, { code, env, target }) {
  return command
    .option('--allow-code', code)
    .option(
      '--allow-env <names>',
      env,
      listParser('--allow-env', (name) => VARIABLE.test(name), 'names of variables, such as TOKEN,HOST'),
    )
    .option(
      '--allow-target <targets>',
      target,
      listParser('--allow-target', isTarget, 'host:port, such as api.example:443,*.test:*,[::1]:80'),
    );
}

/** @type {(options: Record<string, any>) => Allowed} */
export function allowedOf({ allowCode: code = false, allowEnv: variables = [], allowTarget: targets = null }) {
  return { code, variables, targets };
}

/**
 * A list with commas; the flag can be repeated.
 * @type {(flag: string, isOne: (text: string) => boolean, expected: string) => (text: string, before?: string[]) =>
 *   string[]}
 */
function listParser(flag, isOne, expected) {
  return (text, before = []) => {
    const all = text.split(',').map((one) => one.trim());
    const wrong = all.find((one) => !isOne(one));
    if (wrong !== undefined) throw usageError(`${flag}: expected ${expected}, got ${formatValue(wrong)}`);
    return [...before, ...all];
  };
}

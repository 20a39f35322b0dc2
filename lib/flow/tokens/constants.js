/** @import { TokenEntry } from './types.js' */

/**
 * Tokens with one value for all iterations of a thread. Their uses are replaced before the flow is compiled, see
 * `lib/flow/arguments.js`: what is left is malformed, or in a value that was put in.
 *
 * @type {(entry: Pick<TokenEntry, 'name' | 'about' | 'usage'>) => TokenEntry}
 */
const constant = (entry) => ({
  ...entry,
  compile({ member, argument }, refuse) {
    const { name, usage = name } = entry;
    const isNamed = usage !== name;
    if (argument !== undefined || (member !== undefined) !== isNamed)
      refuse(isNamed ? `needs a name alone: write #{${usage}}` : 'takes no argument');
    else refuse('is in a value that was put in for another token, where it is not replaced');
    return '';
  },
});

export const CONSTANTS = [
  constant({
    name: 'WORKER',
    about: 'the number of the worker that runs the iteration, from 0; 0 without workers, in before and in after',
  }),
  constant({ name: 'SHARD', about: 'the number of the shard, from 1; 1 if the run is not split with --shard' }),
  constant({ name: 'ARG', usage: 'ARG.name', about: 'a value of the option args: --arg name=value' }),
  constant({
    name: 'env',
    usage: 'env.NAME',
    about: 'the value of an environment variable, also of those in --env-file; hidden in all output',
  }),
];

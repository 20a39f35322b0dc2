// What the arguments say before the flags of all commands are loaded: loading them takes 60 ms of CPU, as much as Node
// itself.

/** The flags that print the version. */
export const VERSION_FLAGS = ['-V', '--version'];
/** The flags that print a text, whatever the others are. */
export const INFORMATION_FLAGS = ['-h', '--help', ...VERSION_FLAGS];
/** The name of a command. A flow without a dot, slash or colon in its name is likely a misspelled one. */
export const BARE_WORD = /^[a-z][a-z0-9]*$/i;

/** @type {(args: string[]) => boolean} */
export function printsVersion(args) {
  return args.length === 1 && VERSION_FLAGS.includes(args[0]);
}

/**
 * Guesses whether the arguments start a run. A wrong guess costs time and nothing else.
 * @type {(args: string[]) => boolean}
 */
export function likelyRuns(args) {
  return args.length > 0 && !BARE_WORD.test(args[0]) && !args.some((arg) => INFORMATION_FLAGS.includes(arg));
}

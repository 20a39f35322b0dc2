/** @import { CommandModule, LoadedCommand } from '../types.js' */

/** The commands, in the order of the help. Each is loaded when it is used. @type {CommandEntry[]} */
export const COMMANDS = [
  {
    name: 'run',
    about: 'benchmark a REST service with a flow; the default command, its name is omitted',
    takesWords: true,
    load: () => import('./run.js'),
  },
  {
    name: 'init',
    about: 'write a first flow, an npm script and a GitHub workflow; existing files are left alone',
    load: () => import('../../../addons/init/command.js'),
  },
  {
    name: 'import',
    about: 'write a flow from curl commands, and from documents of other tools',
    load: () => import('../../../addons/import/command.js'),
  },
  {
    name: 'record',
    about: 'write a flow from the requests that a program, or a browser, sends through a proxy',
    takesWords: true,
    load: () => import('../../../addons/record/command.js'),
  },
  {
    name: 'serve',
    about: 'start the embedded REST target and serve until Ctrl-C',
    load: () => import('../../../addons/serve/command.js'),
  },
  {
    name: 'report',
    about: 'print a saved result, or convert it to other formats',
    load: () => import('./report.js'),
  },
  {
    name: 'merge',
    about: 'merge saved results, or logs of requests: shards of one run, or runs of several machines',
    load: () => import('../../../addons/merge/command.js'),
  },
  {
    name: 'compare',
    about: 'compare two saved results, and test whether the difference is significant',
    load: () => import('../../../addons/compare/commands/compare.js'),
  },
  {
    name: 'history',
    about: 'print how saved results changed over commits, and test where they changed',
    load: () => import('../../../addons/history/command.js'),
  },
  {
    name: 'ab',
    about: 'run two flows, or one flow against two services, in turn and compare them',
    takesWords: true,
    load: () => import('../../../addons/compare/commands/ab.js'),
  },
  {
    name: 'capacity',
    about: 'find the highest arrival rate at which the thresholds hold',
    takesWords: true,
    load: () => import('../../../addons/capacity/command.js'),
  },
  {
    name: 'agent',
    about: 'wait on a queue, and run shards of the runs that bench-rest --agents submits',
    load: () => import('../../../addons/agents/command.js'),
  },
  {
    name: 'mcp',
    about: 'let an assistant check, run and explain flows, by the Model Context Protocol on standard input and output',
    load: () => import('../../../addons/mcp/command.js'),
  },
  {
    name: 'k8s',
    about: 'print an Indexed Job of Kubernetes that runs a flow on many pods, one shard each',
    load: () => import('../../../addons/kubernetes/command.js'),
  },
  {
    name: 'list',
    about: 'list what can be used by name: hooks, tokens, formats and others',
    load: () => import('./list.js'),
  },
  {
    name: 'completion',
    about: 'print a completion script for bash, zsh or fish',
    load: () => import('../../../addons/completion/command.js'),
  },
  {
    name: 'help',
    about: 'print the help of a command',
    load: () => import('./help.js'),
  },
];

/**
 * Loads the commands that the arguments, without node and script, may name; the others have no flags. It loads all of
 * them for a help, which lists their arguments, and by default.
 * @type {(args?: string[]) => Promise<LoadedCommand[]>}
 */
export async function loadCommands(args) {
  const isHelp = args === undefined || args.some((arg) => arg === 'help' || INFORMATION_FLAGS.includes(arg));
  return Promise.all(
    COMMANDS.map(async ({ load, ...entry }) => {
      const isLoaded = isHelp || entry.name === 'run' || args.includes(entry.name);
      return { ...entry, ...(isLoaded && (await load()).default) };
    }),
  );
}

/**
 * @typedef {object} CommandAbout
 * @property {string} name
 * @property {string} about imperative, lower case, without a full stop
 * @property {boolean} [takesWords] what follows `--` is no argument of its own, but the command that starts the server
 */

/** @typedef {CommandAbout & { load: () => Promise<{ default: CommandModule }> }} CommandEntry */

// These functions and lists read the arguments before the flags are loaded, for main.js and options.js.

export const VERSION_FLAGS = ['-V', '--version'];
/** The flags that print a text, whatever the others are. */
export const INFORMATION_FLAGS = ['-h', '--help', ...VERSION_FLAGS];
/** The name of a command. A flow without a dot, slash or colon in its name is likely a misspelled one. */
export const BARE_WORD = /^[a-z][a-z0-9]*$/i;

/** @type {(args: string[]) => boolean} */
export function printsVersion(args) {
  return args.length === 1 && VERSION_FLAGS.includes(args[0]);
}

/** Guesses if a run starts. A wrong guess costs time, and nothing else. @type {(args: string[]) => boolean} */
export function likelyRuns(args) {
  return args.length > 0 && !BARE_WORD.test(args[0]) && !args.some((arg) => INFORMATION_FLAGS.includes(arg));
}

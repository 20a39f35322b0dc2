import { offered } from '../../ground/addons.js';
import { namesCommand } from '../named-addons.js';
import { VERSION_FLAGS } from '../version.js';

/** @import { CommandModule, LoadedCommand } from '../types.js' */

/** What commands are for, in the order of the help. */
const TOPICS = ['run', 'flows', 'results', 'runs', 'words'];

/** @type {CommandEntry[]} */
const OWN = [
  {
    name: 'run',
    about: 'benchmark a REST service with a flow; the default command, its name is omitted',
    topic: 'run',
    takesWords: true,
    load: () => import('./run.js'),
  },
  {
    name: 'help',
    about: 'explain a command, a group of flags, or a topic of the guide',
    topic: 'words',
    load: () => import('./help.js'),
  },
];

/** The commands, in the order of the help. Each is loaded when it is used. @type {CommandEntry[]} */
export const COMMANDS = [...OWN, ...offered('commands')].sort(
  (one, other) => TOPICS.indexOf(one.topic) - TOPICS.indexOf(other.topic),
);

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
 * @property {string} topic what it is for: one of `TOPICS`
 * @property {boolean} [takesWords] what follows `--` is no argument of its own, but the command that starts the server
 */

/**
 * @typedef {CommandAbout & { rank?: number, load: () => Promise<{ default: CommandModule }> }} CommandEntry rank: its
 *   place among those of other add-ons, the lowest first; default: 0
 */

// These functions and lists read the arguments before the flags are loaded, for main.js and options.js.

/** The flags that print a text, whatever the others are. */
export const INFORMATION_FLAGS = ['-h', '--help', '--help-all', ...VERSION_FLAGS];

/** Guesses if a run starts. A wrong guess costs time, and nothing else. @type {(args: string[]) => boolean} */
export function likelyRuns(args) {
  return args.length > 0 && !namesCommand(args) && !args.some((arg) => INFORMATION_FLAGS.includes(arg));
}

/** The most iterations of a small run. */
export const MOST_OF_SMALL = 10;
/** What sets another load than a number of iterations. */
const OF_LOADS = /^(?:-[trwW]|--(?:duration|rate|workers|stages|warm-?up|forever))/;

/** Guesses if a run has a few requests of URLs, and needs no thread: `runsHere`. @type {(args: string[]) => boolean} */
export function likelySmall(args) {
  const count = /(?:^| )(?:-n ?|--iterations[ =])(\S+)/.exec(args.join(' '))?.[1] ?? 1;
  return (
    args.some((arg) => /^https?:/.test(arg)) &&
    Number(count) <= MOST_OF_SMALL &&
    !args.some((arg) => OF_LOADS.test(arg))
  );
}

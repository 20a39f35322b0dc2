import { ERRORS } from './errors.js';

/**
 * @typedef {object} ExitRow
 * @property {number} code
 * @property {string} about
 * @property {boolean} [isOfRun] the figures of a saved result do not tell it: how its run ended, or what its flags
 *   asked for
 * @property {boolean} [isOfParts] as `isOfRun`; and a sum has it if a part has it. Its own thresholds, and the flags of
 *   `merge`, decide the others
 */

const OWN = {
  internal: { code: 70, about: 'internal error, or an uncaught error in the flow before the run', isOfParts: true },
  usage: { code: 2, about: 'invalid command line, run options or configuration file' },
  notFound: { code: 2, about: 'flow file or saved result not found' },
  flow: { code: 2, about: 'invalid flow or saved result; nothing was sent' },
  notWritten: {
    code: 5,
    about:
      'the result or the log of requests could not be written; such a result was printed as JSON on stdout, or on stderr if stdout failed',
  },
  interrupted: { code: 100, about: 'stopped by a signal; the result covers the run until then', isOfParts: true },
  server: { code: 1, about: 'the server that the run starts did not start, or ended during the run', isOfParts: true },
  agents: { code: 9, about: 'agents were missing or lost, or the queue cannot be used', isOfParts: true },
  threshold: { code: 99, about: 'a threshold failed' },
  regression: { code: 99, about: 'a figure is worse by more than its limit allows' },
  validity: {
    code: 98,
    about: 'the figures are suspect or invalid, and --require-valid is set',
    isOfRun: true,
  },
  errors: { code: 1, about: 'errors during the run', isOfRun: true },
  dropped: {
    code: 96,
    about: 'more than 1 % of the planned iterations never started, and no threshold on dropped allows it',
  },
  backlog: {
    code: 96,
    about: 'the service did not keep up with the planned rate, and no threshold on backlog allows it',
  },
  cutOff: {
    code: 1,
    about:
      'the end of the run cut off more than 1 % of the iterations, which had run longer than 99 % of the completed ones, and no threshold on cancelled allows it',
  },
  unanswered: { code: 1, about: 'no iteration of a load completed, or no request was answered' },
  precision: { code: 98, about: 'the run ended before it reached its --precision' },
  undecided: {
    code: 98,
    about: 'a threshold or another limit lies inside the range of its figure, so it neither passed nor failed',
  },
  exists: { code: 2, about: 'init left an existing file or script alone' },
  section: { code: 5, about: 'the section function of the flow failed; the result lacks its section' },
};

/** @typedef {keyof typeof OWN} Reason */

/**
 * Every reason with its exit code; if several reasons apply, the first one in this order wins. A code is what a script
 * acts on: `outcome.reasons` of the result tells reasons of one code apart.
 */
export const EXIT_CODES = /** @type {Record<Reason, ExitRow>} */ (OWN);

/** What a script can do about each code, in a phrase. */
export const CODES = {
  0: 'success',
  1: 'the service failed: errors, no answers, or it did not start',
  2: 'nothing was sent: the command line, a file or the flow is wrong',
  5: 'the result, or a part of it, could not be written',
  9: 'agents were missing or lost',
  70: 'internal error',
  96: 'the planned load was not sent or not answered in time',
  98: 'undecided: the figures are in doubt, or not precise enough',
  99: 'a threshold or a limit of a regression failed',
  100: 'interrupted; the result covers the run until then',
};

/** What a code means for other commands than a run. @type {Record<string, Partial<Record<Reason, string>>>} */
const MEANINGS_BY_COMMAND = {
  capacity: {
    threshold: 'a search found a capacity below --at-least',
    undecided: 'a search could not tell the capacity, because of the load generator or of --max-duration',
  },
  history: { regression: 'the newest result of a history is worse' },
};

/** Returns the exit code of the reasons, 0 without any. @type {(reasons: Iterable<Reason>) => number} */
export function exitCode(reasons) {
  const [first] = inOrder(reasons);
  return first ? EXIT_CODES[first].code : 0;
}

/** Joins the reasons, the deciding one first. @type {(reasons: Iterable<Reason>, command: string) => string} */
export function describeReasons(reasons, command) {
  return inOrder(reasons)
    .map((name) => textOf(name, command))
    .join('; also: ');
}

/** A command with a meaning of its own has no other one. @type {(name: Reason, command: string) => string} */
export function textOf(name, command) {
  return MEANINGS_BY_COMMAND[command]?.[name] ?? EXIT_CODES[name].about;
}

/** Lists each reason once, the deciding one first. @type {(reasons: Iterable<Reason>) => Reason[]} */
export function inOrder(reasons) {
  const present = new Set(reasons);
  return /** @type {Reason[]} */ (Object.keys(EXIT_CODES)).filter((name) => present.has(name));
}

/** Returns the reason for an error that ended a command. @type {(errorCode: string | undefined) => Reason} */
export function reasonOf(errorCode = '') {
  return (Object.hasOwn(ERRORS, errorCode) && ERRORS[errorCode].exit) || 'internal';
}

/** Lists reasons in the order in which they win, for all commands. @type {() => { code: number, about: string }[]} */
export function exitCodeRows() {
  const names = /** @type {Reason[]} */ (Object.keys(EXIT_CODES));
  const others = Object.values(MEANINGS_BY_COMMAND);
  const rows = names.map((name) => ({
    code: EXIT_CODES[name].code,
    about: [EXIT_CODES[name].about, ...others.flatMap((meanings) => meanings[name] ?? [])].join('; or '),
  }));
  return [...rows, { code: 0, about: CODES[0] }];
}

/** Lists all exit codes in ascending order. */
export function ascendingExitCodes() {
  return Object.entries(CODES).map(([code, about]) => ({ code: Number(code), about }));
}

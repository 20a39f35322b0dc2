/** Every exit code, once; where several reasons hold, the first of them counts. */
export const EXIT_CODES = {
  internal: { code: 70, about: "a fault of bench-rest itself, or an error of the flow's that nobody caught" },
  usage: { code: 3, about: 'the command line is wrong' },
  notFound: { code: 4, about: 'the flow file, or a saved result, does not exist' },
  flow: { code: 2, about: 'the flow, or a saved result, is wrong; nothing was sent' },
  notWritten: { code: 5, about: 'the result could not be written' },
  interrupted: { code: 100, about: 'ended by a signal, with what was known by then' },
  threshold: { code: 99, about: 'a threshold failed' },
  regression: { code: 97, about: 'a figure got worse by more than --max-regression allows' },
  saturated: { code: 98, about: 'the client was the limit, and --fail-if-saturated was given' },
  errors: { code: 1, about: 'errors during the run' },
};

/** @typedef {keyof typeof EXIT_CODES} Reason */

/**
 * @param {Iterable<Reason>} reasons
 * @returns {number} 0 if there are none
 */
export function exitCode(reasons) {
  const [first] = inOrder(reasons);
  return first ? EXIT_CODES[first].code : 0;
}

/** All reasons in words, the one that counts first. @type {(reasons: Iterable<Reason>) => string} */
export function aboutAll(reasons) {
  return inOrder(reasons)
    .map((name) => EXIT_CODES[name].about)
    .join('; also: ');
}

/** @type {(reasons: Iterable<Reason>) => Reason[]} */
function inOrder(reasons) {
  const given = new Set(reasons);
  return /** @type {Reason[]} */ (Object.keys(EXIT_CODES)).filter((name) => given.has(name));
}

/** @type {Record<string, Reason>} */
const REASON_OF_ERROR = {
  E_USAGE: 'usage',
  E_RUN_OPTIONS: 'usage',
  E_NO_LIMIT: 'usage',
  E_TARGET: 'usage',
  E_CONFIG: 'usage',
  E_NOT_FOUND: 'notFound',
  E_NO_FILE: 'notFound',
  E_FLOW: 'flow',
  E_NO_MAIN: 'flow',
  E_FLOW_FILE: 'flow',
  E_RESULT: 'flow',
};

/** Why a command could not run. @type {(errorCode: string | undefined) => Reason} */
export function reasonOf(errorCode = '') {
  return REASON_OF_ERROR[errorCode] ?? 'internal';
}

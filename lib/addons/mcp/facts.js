import { DEFAULTS, ERRORS, KINDS } from '../../core/ground/errors.js';
import { EXIT_CODES } from '../../core/ground/exit-codes.js';
import { docUrl } from '../../core/ground/package.js';
import { systemError } from '../../core/ground/system-errors.js';
import { loadText } from '../../core/measure/document.js';
import { hintedErrors } from '../../core/report/errors.js';
import { goalRows, outcomeOf, validityNotes, validityOf } from '../../core/report/outcome.js';
import { readable } from '../../core/report/supported.js';

/** @import { Comparison } from '../compare/comparison.js' */
/** @import { HistogramSummary } from '../../core/contracts/summaries.js' */
/** @import { ErrorRow } from '../../core/ground/errors.js' */
/** @import { SystemError } from '../../core/ground/system-errors.js' */
/** @import { Result } from '../../core/report/types.js' */

/** Operations and groups of errors that an assistant gets. */
export const MOST_ROWS = 20;

/** The facts about a result that its report begins with, as plain data. @type {(complete: Result) => object} */
export function resultFacts(complete) {
  const result = readable(complete);
  const { iterations, requests, main, run, operations } = result;
  const { started, completed, failed, cancelled, completedRate } = iterations;
  return {
    ...outcomeOf(result),
    validity: validityOf(result),
    notes: validityNotes(result),
    ...(run && { load: loadText(run), origins: run.origins, endReason: run.endReason }),
    seconds: result.measuredElapsed / 1000,
    iterations: { started, completed, failed, cancelled, perSecond: completedRate },
    requests: { answered: requests.answered, perSecond: requests.rate, statusCodes: requests.statusCodes },
    responseTimeMs: timesOf(main.completed),
    operations: operations.slice(0, MOST_ROWS).map(({ name, count, errors, times }) => {
      return { name, count, errors, serviceTimeMs: timesOf(times.withoutErrors ?? times.serviceTime) };
    }),
    errors: hintedErrors(result)
      .slice(0, MOST_ROWS)
      .map(({ kind, code, where, count, message }) => ({ kind, code, where, count, message })),
    thresholds: goalRows(result),
  };
}

/** @type {(times: HistogramSummary) => object} */
function timesOf({ mean, median, p95, p99, max }) {
  return { mean, median, p95, p99, max };
}

/** The facts about a comparison, as plain data. @type {(comparison: Comparison) => object} */
export function comparisonFacts({ conclusion, outcome, figures, warnings }) {
  return {
    conclusion: conclusion.message,
    verdict: conclusion.verdict,
    passed: outcome.passed,
    figures: figures.map(({ figure, unit, base, new: other, change, verdict }) => {
      return { figure, unit, base, new: other, change, verdict };
    }),
    warnings: warnings.map(({ message }) => message),
  };
}

/**
 * @typedef {object} Explanation of an error
 * @property {string} code a code, or the kind of failures
 * @property {string} [kind] how failures during a run are counted
 * @property {string} [message] with … for the details
 * @property {string} meaning
 * @property {string} whatToDo
 */

export const ERRORS_PAGE = docUrl('reference/errors.md');

const WORDS = /\b[A-Z][A-Z\d_]{2,}\b/g;

/** Explains codes in a text, else a kind of failures or an error message. @type {(given: string) => Explanation[]} */
export function explanationsOf(given) {
  const words = [...new Set(given.match(WORDS) ?? [])];
  const codes = words.filter((word) => Object.hasOwn(ERRORS, word) || systemError(word));
  if (codes.length > 0) return codes.map(explanationOf);
  const kind = given.trim().toLowerCase();
  if (Object.hasOwn(KINDS, kind)) return [ofKind(kind)];
  const code = codeOfMessage(given);
  return code === null ? [] : [explanationOf(code)];
}

/** @type {(kind: string) => Explanation} */
function ofKind(kind) {
  const { about, remedy } = KINDS[kind];
  return { code: kind, kind, meaning: about, whatToDo: remedy };
}

/** @type {(code: string) => Explanation} */
function explanationOf(code) {
  const { message, cure, kind, exit } = Object.hasOwn(ERRORS, code) ? ERRORS[code] : ofSystem(code);
  const known = kind === undefined ? null : KINDS[kind];
  // A cure of placeholders alone is another one in each message.
  const isInMessage = cure === undefined || /^(\{\w+\})+$/.test(cure);
  return {
    code,
    ...(kind && { kind }),
    ...(message && { message: elided(message) }),
    meaning: known?.about ?? EXIT_CODES[exit ?? 'internal'].about,
    whatToDo: isInMessage ? (known?.remedy ?? IN_MESSAGE) : elided(cure),
  };
}

/** The cure of errors whose details decide what to do. */
const IN_MESSAGE = 'the message of the error says it, behind its last semicolon';

/** @type {(code: string) => Partial<ErrorRow>} */
function ofSystem(code) {
  const { kind, remedy: cure } = /** @type {SystemError} */ (systemError(code));
  return { kind, cure };
}

/** @type {(template: string) => string} */
function elided(template) {
  return template.replace(/\{(\w+)\}/g, (_, name) => DEFAULTS[name] ?? '…');
}

/** Characters that a template must have besides its details to recognize a message. */
const LEAST = 10;

/** Finds the error by its message: the row with the longest text. @type {(given: string) => string | null} */
function codeOfMessage(given) {
  const rows = Object.entries(ERRORS).map(([code, { message }]) => {
    const parts = message.split(/\{\w+\}/);
    return { code, parts, length: parts.join('').replace(/\W/g, '').length };
  });
  const found = rows.filter(({ parts, length }) => length >= LEAST && hasInOrder(given, parts));
  return found.sort((a, b) => b.length - a.length)[0]?.code ?? null;
}

/** @type {(text: string, parts: string[]) => boolean} */
function hasInOrder(text, parts) {
  let from = 0;
  return parts.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

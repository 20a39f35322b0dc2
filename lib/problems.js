import { makeError } from './errors.js';
import { maskText } from './text/mask.js';
import { shortened } from './text/format-value.js';

/** maximum characters of a path and of a reason, which may contain names and texts of any length */
const LONGEST = 1000;
/** maximum number of problems in a message, and of characters of all of them */
const MOST = 100;
const MOST_CHARACTERS = 16_000;
/** maximum characters of a name to compare: the cost of a distance is the product of the lengths */
const LONGEST_NAME = 100;

/**
 * @typedef {object} Problem
 * @property {string} path where: `flow.main[0].haeders`
 * @property {string} reason what is wrong and what to do
 * @property {string[]} [names] options that the reason names
 *
 * @typedef {(key: string, reason: string) => void} Complain reports an invalid property
 *
 * @typedef {object} Problems
 * @property {Problem[]} list
 * @property {(path: string, reason: string, names?: string[]) => void} add names: options that the reason names
 * @property {(path: string, what: string, name: string, allowed: Iterable<string>) => void} unknown refuses an
 *   unknown name, and suggests the nearest allowed one
 * @property {(others?: { title: string, list: Problem[] }) => void} throwIfAny throws one error that names the
 *   problems, and has them as data, `problems`; others: of another input, which follow below a title
 */

/**
 * Collects the problems of an input, so that all are reported together.
 *
 * @param {string} code of the error that is thrown: a key of ERRORS whose message is `{problems}`
 * @returns {Problems}
 */
export function createProblems(code) {
  /** @type {Problem[]} */
  const list = [];
  return {
    list,

    add(path, reason, names) {
      const problem = { path: shortened(path, LONGEST), reason: shortened(maskText(reason), LONGEST) };
      list.push(names ? { ...problem, names } : problem);
    },

    unknown(path, what, name, allowed) {
      const near = nearest(name, allowed);
      this.add(path, `unknown ${what}${near ? `, did you mean ${near}?` : ''}`);
    },

    throwIfAny(others) {
      if (list.length === 0) return;
      const isAlone = others === undefined || others.list.length === 0;
      const lines = isAlone ? linesOf(list) : [...linesOf(list), others.title, ...linesOf(others.list)];
      const all = isAlone ? list : [...list, ...others.list];
      throw Object.assign(makeError(code, { problems: lines.join('\n') }), { problems: all });
    },
  };
}

/** The lines of a message, limited. @type {(list: Problem[]) => string[]} */
function linesOf(list) {
  const lines = firstOf(list);
  return list.length > lines.length ? [...lines, `and ${list.length - lines.length} more`] : lines;
}

/** @type {(list: Problem[]) => string[]} */
function firstOf(list) {
  /** @type {string[]} */
  const lines = [];
  let characters = 0;
  for (const { path, reason } of list) {
    const line = `${path}: ${reason}`;
    characters += line.length;
    if (lines.length === MOST || characters > MOST_CHARACTERS) break;
    lines.push(line);
  }
  return lines;
}

/**
 * The allowed name that was probably meant: at most two typos away, equal except for case, or with this prefix.
 *
 * @param {string} name
 * @param {Iterable<string>} allowed
 * @returns {string | undefined}
 */
export function nearest(name, allowed) {
  if (name.length > LONGEST_NAME) return undefined;
  const wanted = name.toLowerCase();
  let best;
  let fewest = Math.min(2, Math.ceil(name.length / 3)) + 1;
  for (const candidate of allowed) {
    const other = candidate.toLowerCase();
    const slips = wanted.length > 2 && other.startsWith(wanted) ? 1 : distance(wanted, other);
    if (slips < fewest) {
      fewest = slips;
      best = candidate;
    }
  }
  return best;
}

/**
 * Completes a message about an unknown name: `, did you mean status?`, or all names if none is near.
 *
 * @param {string} name
 * @param {readonly string[]} allowed
 * @returns {string}
 */
export function nearestOrAll(name, allowed) {
  const near = nearest(name, allowed);
  return near ? `, did you mean ${near}?` : `: use ${allowed.join(', ')}`;
}

/**
 * Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions, swaps of neighbours.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function distance(a, b) {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  /** @type {number[]} */
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j], before[j - 2] + 1);
      }
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

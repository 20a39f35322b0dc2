import { shortened } from '../text/format-value.js';
import { maskText } from '../text/mask.js';
import { safe } from '../text/safe.js';
import { makeError } from './errors.js';

/** @import { OwnName, Problem, Problems } from './types.js' */

/** Maximum characters of a path and of a reason, which may contain names and texts of any length. */
const LONGEST = 1000;
/** Maximum number of problems in a message, and of characters of all of them. */
const MOST = 100;
const MOST_CHARACTERS = 16_000;
/** Maximum characters of a name to compare: the cost of a distance is the product of the lengths. */
const LONGEST_NAME = 100;
/** A name with more typos is another name. */
const MOST_TYPOS = 2;
/** Maximum number of names in a notice. */
const MOST_OWN = 20;

/** Collects problems for one report; the message of `code` is `{problems}`. @type {(code: string) => Problems} */
export function createProblems(code) {
  /** @type {Problem[]} */
  const list = [];
  /** @type {OwnName[]} */
  const own = [];
  /** @type {Set<string>} */
  const known = new Set();
  /**
   * Whether unknown names are the user's own, by the list of allowed names, which thousands of operations share.
   * @type {Map<readonly string[], Map<string, boolean>>}
   */
  const verdictsOf = new Map();
  return {
    list,
    own,

    add(path, reason, names) {
      const problem = { path: shortened(path, LONGEST), reason: shortened(maskText(reason), LONGEST) };
      list.push(names ? { ...problem, names } : problem);
    },

    unknown(path, what, name, allowed) {
      const near = nearest(name, allowed);
      this.add(path, `unknown ${what}${near ? `, did you mean ${near}?` : ''}`);
    },

    refuseUnlessOwn(path, what, name, allowed) {
      const verdicts = verdictsOf.get(allowed) ?? new Map();
      verdictsOf.set(allowed, verdicts);
      const isOwn = verdicts.get(name) ?? isOwnName(name, allowed);
      verdicts.set(name, isOwn);
      if (!isOwn) this.unknown(path, what, name, allowed);
      else if (!isMarkedAsOwn(name)) this.ignore(path, `unknown ${what}`);
    },

    ignore(path, reason, about) {
      // A text may be compiled several times.
      const key = `${path}: ${reason}`;
      if (known.has(key)) return;
      known.add(key);
      own.push({ path: shortened(path, LONGEST), reason: shortened(reason, LONGEST), about });
    },

    error(others) {
      if (list.length === 0) return null;
      const isAlone = others === undefined || others.list.length === 0;
      const lines = isAlone ? linesOf(list) : [...linesOf(list), others.title, ...linesOf(others.list)];
      const all = isAlone ? list : [...list, ...others.list];
      return Object.assign(makeError(code, { problems: lines.join('\n') }), { problems: all });
    },

    throwIfAny(others) {
      const error = this.error(others);
      if (error !== null) throw error;
    },
  };
}

/** Formats the problems as lines of a message, limited. @type {(list: Problem[]) => string[]} */
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
 * Finds the allowed name to suggest for one that is refused: equal except for case, at most two typos away, with this
 * prefix, or its first words: `status` for `statusCode`. {@link misspelled} is stricter, as it decides whether a name
 * is refused at all.
 * @type {(name: string, allowed: Iterable<string>) => string | undefined}
 */
export function nearest(name, allowed) {
  if (name.length > LONGEST_NAME) return undefined;
  const wanted = name.toLowerCase();
  let best;
  // One more than the typos that are allowed: one per three letters, at least one, at most MOST_TYPOS.
  let fewest = Math.min(MOST_TYPOS, Math.max(1, Math.floor(name.length / 3))) + 1;
  for (const candidate of allowed) {
    const other = candidate.toLowerCase();
    const isLonger = wanted.length > 2 && other.length > wanted.length && other.startsWith(wanted);
    const typos = isLonger || beginsWithWord(name, other) ? 1 : distance(wanted, other);
    if (typos < fewest) {
      fewest = typos;
      best = candidate;
    }
  }
  return best;
}

/** @type {(name: string, other: string) => boolean} */
function beginsWithWord(name, other) {
  return other.length > 2 && name.toLowerCase().startsWith(other) && /^[A-Z_-]/.test(name.slice(other.length));
}

/** Describes the ignored names in one notice, safe for a terminal. @type {(own: OwnName[]) => string} */
export function noticeOf(own) {
  const names = own.slice(0, MOST_OWN).map(({ path, about }) => `  ${safe(about ? `${path}: ${about}` : path)}`);
  const more = own.length > MOST_OWN ? [`  and ${own.length - MOST_OWN} more`] : [];
  return [
    'without effect here:',
    ...names,
    ...more,
    'strict refuses these; names that begin with x- or _ are yours, and not listed',
  ].join('\n');
}

/** Reports whether an unknown name is the user's own. @type {(name: string, allowed: Iterable<string>) => boolean} */
export function isOwnName(name, allowed) {
  return name !== '__proto__' && (isMarkedAsOwn(name) || misspelled(name, allowed) === undefined);
}

/** Names with which people mark what belongs to them. @type {(name: string) => boolean} */
function isMarkedAsOwn(name) {
  return /^(?:_|x-)/i.test(name) && name !== '__proto__';
}

/** Words that are one typo away from our names, and that people use as names of their own, in any case of letters. */
export const WORDS = new Set(
  (
    'argv cart closed cost date deleted from host internal keys mail min operations path port protocol schema seed ' +
    'shared speed tag then token tool transform uris urls'
  ).split(' '),
);

/**
 * Finds the allowed name that an unknown name misspells, which decides whether it is refused: the same but for case,
 * hyphens or an s at its end, or with a typo. Two typos are possible in a name of 8 letters, one in a name of 4. Names
 * of 3 letters are too near to others: their typos are a swap or a doubled letter. Undefined if it is probably another
 * word.
 * @type {(name: string, allowed: Iterable<string>) => string | undefined}
 */
export function misspelled(name, allowed) {
  const given = plain(name);
  if (name.length > LONGEST_NAME) return undefined;
  const isWord = WORDS.has(name.toLowerCase());
  let best;
  let fewest = Infinity;
  for (const candidate of allowed) {
    const ours = plainOf(candidate);
    if (Math.abs(ours.length - given.length) > Math.max(1, mostTypos(ours))) continue;
    const typos = distance(given, ours);
    if (isWord && typos > 0) continue;
    if (typos < fewest && (typos <= mostTypos(ours) || (ours.length < 4 && isTypoOfShort(given, ours)))) {
      fewest = typos;
      best = candidate;
    }
  }
  return best;
}

/** @type {(ours: string) => number} */
function mostTypos({ length }) {
  return length < 4 ? 0 : length < 8 ? 1 : MOST_TYPOS;
}

/** @type {(given: string, ours: string) => boolean} */
function isTypoOfShort(given, ours) {
  const isSwap = [0, 1].some((at) => given === ours.slice(0, at) + ours[at + 1] + ours[at] + ours.slice(at + 2));
  const isDoubled = given.length === ours.length + 1 && given.replace(/(.)\1/, '$1') === ours;
  return isSwap || isDoubled || given === `${ours}s`;
}

/** Our names in the same form, which are the same in all comparisons. @type {Map<string, string>} */
const PLAIN = new Map();

/** @type {(ours: string) => string} */
function plainOf(ours) {
  const known = PLAIN.get(ours) ?? plain(ours);
  PLAIN.set(ours, known);
  return known;
}

/** @type {(name: string) => string} */
function plain(name) {
  return name.replace(/[-_\s]/g, '').toLowerCase();
}

/** Writes `, did you mean status?`, or lists all names. @type {(name: string, allowed: readonly string[]) => string} */
export function nearestOrAll(name, allowed) {
  const near = nearest(name, allowed);
  return near ? `, did you mean ${near}?` : `: use ${allowed.join(', ')}`;
}

const FAR = MOST_TYPOS + 1;

/** The rows of {@link distance}: a flow with thousands of unknown names needs it millions of times. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(LONGEST_NAME + FAR + 1));

/**
 * Computes the optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions, swaps of
 * neighbours; Infinity if there are more than MOST_TYPOS. Only cells within this distance of the diagonal can have so
 * few (Ukkonen 1985).
 * @type {(a: string, b: string) => number}
 */
function distance(a, b) {
  // The callers check the length, but a name may become longer in lower case.
  if (a.length > LONGEST_NAME || Math.abs(a.length - b.length) > MOST_TYPOS) return Infinity;
  let [before, row, next] = ROWS;
  for (let j = 0; j <= FAR; j++) row[j] = j;
  let least = 0;
  for (let i = 1; i <= a.length; i++) {
    const leastBefore = least;
    const from = Math.max(1, i - MOST_TYPOS);
    const to = Math.min(b.length, i + MOST_TYPOS);
    least = next[from - 1] = from === 1 ? i : FAR;
    for (let j = from; j <= to; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let typos = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + change);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) typos = Math.min(typos, before[j - 2] + 1);
      next[j] = typos;
      if (typos < least) least = typos;
    }
    next[to + 1] = FAR;
    // A swap continues the row before the last one.
    if (least > MOST_TYPOS && leastBefore > MOST_TYPOS) return Infinity;
    [before, row, next] = [row, next, before];
  }
  return row[b.length] > MOST_TYPOS ? Infinity : row[b.length];
}

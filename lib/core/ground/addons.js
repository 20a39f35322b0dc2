/**
 * What add-ons offer: rows of the tables of the core, which knows none of them by name. The root joins them before any
 * module of the core is loaded that has a table.
 */

/** @typedef {{ before?: string, after?: string }} Beside of a row of an add-on; by default it is the last one */

/** @typedef {(rows: any[]) => void} TakeLater */

/** Facts by kind: the rows of each. @typedef {Record<string, any>} Facts */

/** @type {Map<string, { rank?: number }[]>} */
const rows = new Map();
/** The rows of other packages, which come after those of this one. @type {Map<string, { rank?: number }[]>} */
const rowsOfOthers = new Map();
/** The kinds that tables have read, and what takes rows that come later. @type {Map<string, (TakeLater | null)[]>} */
const read = new Map();
/** The modules that join add-ons: each thread loads them first. @type {Set<string>} */
const roots = new Set();

/**
 * Joins add-ons. `root` is the URL of the module that calls it; `into`: the rows of this package, or of others.
 * @type {(root: string, addons: readonly Facts[], into?: Map<string, { rank?: number }[]>) => void}
 * @throws {Error} if a table was made without them
 */
export function joinAddons(root, addons, into = rows) {
  for (const addon of addons) {
    const [late] = kindsTooLate(addon);
    if (late !== undefined) throw new Error(`an add-on offers ${late} too late: join it before the core is loaded`);
  }
  roots.add(root);
  for (const addon of addons)
    for (const kind of kindsOf(addon)) {
      const own = marked(addon[kind], addon.isExperimental);
      for (const takeLater of read.get(kind) ?? []) takeLater?.(own);
      into.set(kind, [...(into.get(kind) ?? []), ...own]);
    }
}

/** Joins the add-on of another package. @type {(root: string, facts: Facts) => void} */
export function joinOther(root, facts) {
  joinAddons(root, [facts], rowsOfOthers);
}

/** Lists the kinds of rows that come after their tables. @type {(facts: Facts) => string[]} */
export function kindsTooLate(facts) {
  return kindsOf(facts).filter((kind) => read.get(kind)?.includes(null));
}

/** @type {(facts: Facts) => string[]} */
function kindsOf(facts) {
  return Object.keys(facts).filter((kind) => Array.isArray(facts[kind]) && kind !== 'needs');
}

/** Ends the description of an experimental name. */
export const EXPERIMENTAL = ' (experimental)';

/**
 * Marks experimental rows in the text that people read: their names may change in a minor version.
 * @type {<R>(rows: R[], isExperimental?: boolean) => R[]} isExperimental: all of them
 */
export function marked(rows, isExperimental = false) {
  return rows.map((/** @type {any} */ row) => {
    if (typeof row === 'string' || !(isExperimental || row.isExperimental)) return row;
    const { about } = row;
    return { ...row, isExperimental: true, ...(about && { about: `${about}${EXPERIMENTAL}` }) };
  });
}

/**
 * Returns the rows of a kind: by `rank`, if they have one, and those of equal rank in the order in which their add-ons
 * were joined. Rows that come later are an error, unless the table takes them.
 * @type {(kind: string, takeLater?: TakeLater) => any[]}
 */
export function offered(kind, takeLater) {
  read.set(kind, [...(read.get(kind) ?? []), takeLater ?? null]);
  return [rows, rowsOfOthers].flatMap((all) =>
    (all.get(kind) ?? []).toSorted(({ rank: one = 0 }, { rank: other = 0 }) => one - other),
  );
}

/**
 * What a message or a help text of the core says if an add-on is there: a flag, a command or a property of it.
 *
 * @typedef {object} Hint
 * @property {'example' | 'no flow' | 'path' | 'result' | 'list' | 'full service' | 'unknown limit' | 'no HTTP/1.1' |
 *   'label' | 'run id'} at which text has it
 * @property {string} text
 */

/** Returns the hints of add-ons for a text. @type {(at: Hint['at']) => string[]} */
export function hintsAt(at) {
  return [rows, rowsOfOthers].flatMap((all) =>
    /** @type {any[]} */ (all.get('hints') ?? []).filter((hint) => hint.at === at).map(({ text }) => text),
  );
}

/**
 * Returns the rows of a table, and among them those of add-ons, each beside the row that it names.
 * @type {<R extends { name: string }>(own: R[], more: (R & Beside)[]) => R[]}
 */
export function placed(own, more) {
  /** @type {(row: Beside) => number} */
  const positionOf = ({ before, after }) => {
    const isBeside = (/** @type {{ name: string }} */ { name }) => name === (before ?? after);
    const other = more.find(isBeside);
    const index = own.findIndex(isBeside);
    const distance = other ? 0.001 : 0.1;
    const position = other ? positionOf(other) : index < 0 ? own.length : index;
    return before === undefined ? position + distance : position - distance;
  };
  const all = [
    ...own.map((row, position) => ({ row, position })),
    ...more.map((row) => ({ row, position: positionOf(row) })),
  ];
  return all.sort((one, other) => one.position - other.position).map(({ row }) => row);
}

/** Returns the modules that join add-ons. @type {() => string[]} */
export function rootsOfAddons() {
  return [...roots];
}

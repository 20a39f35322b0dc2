import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { marked } from '../lib/core/ground/addons.js';

/**
 * Which names are experimental: those that are gone without the add-ons that say so, and keys of documents whose type
 * has the tag `@experimental`.
 */

/** The comment of what is experimental in a schema. */
export const MARK = 'experimental';

/** @type {Record<string, string[]> | undefined} */
let core;

/** Reports whether a name is there through experimental add-ons alone. @type {(area: string, name: string) => boolean} */
export function isOfExperimentalAddon(area, name) {
  core ??= namesOfCore();
  const [, kind] = /^errorKind = (.*)/.exec(name) ?? [];
  if (kind !== undefined) return isOfExperimentalAddon('error kinds', kind);
  return core[area] !== undefined && !core[area].includes(name);
}

/** @returns {Record<string, string[]>} */
function namesOfCore() {
  const script = fileURLToPath(new URL('core-surface.js', import.meta.url));
  if (process.argv[1] === script) throw new Error('core-surface.js must not ask for its own names');
  return JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 2 ** 24 }));
}

/**
 * Rows by name, with the mark of options in the texts of those that experimental add-ons add.
 * @type {<R>(area: string, rows: Record<string, R>) => Record<string, R>}
 */
export function markedRows(area, rows) {
  const all = Object.entries(rows).map(([name, row]) => [name, marked([row], isOfExperimentalAddon(area, name))[0]]);
  return Object.fromEntries(all);
}

/** Reports whether the keys of a schema may change in a minor version. @type {(schema: any) => boolean} */
export function isMarked(schema) {
  return schema.$comment === MARK;
}

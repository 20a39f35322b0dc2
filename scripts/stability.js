import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { isOfExperimentalAddon } from './experimental.js';
import { AREAS, isExperimental, surface } from './surface.js';
import { cell, list } from './text.js';

/** @import { Names } from './surface.js' */

const ROOT = new URL('../', import.meta.url);
/** What is stable, by area and name, with its type: it is generated once, and only grows. */
export const RECORD = 'docs/reference/stability.json';
/**
 * The record with what is new.
 *
 * @param {Record<string, Names>} now the surface
 * @returns {Promise<{ text: string, broken: string[] }>} text: of the file; broken: entries that are gone, or have
 *   another type
 */
export async function stability(now) {
  const recorded = read();
  const broken = brokenBy(now, recorded);
  const areas = Object.entries(now).map(([area, names]) => {
    const stable = Object.entries(names).filter((entry) => isStable(area, entry));
    // what has got alternatives is recorded with them
    const kept = Object.entries(recorded[area] ?? {}).filter(
      ([name, type]) => names[name] === undefined || !isSame(area, names[name], type),
    );
    const all = Object.entries({ ...Object.fromEntries(stable), ...Object.fromEntries(kept) });
    return [area, Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))];
  });
  return { text: `${JSON.stringify(Object.fromEntries(areas), null, 2)}\n`, broken };
}

/** @type {(area: string, entry: [name: string, type: string]) => boolean} */
export function isStable(area, [name, type]) {
  return !AREAS[area].isExperimental && !isExperimental(type) && !isOfExperimentalAddon(area, name);
}

/**
 * @param {Record<string, Names>} now
 * @param {Record<string, Names>} recorded
 * @returns {string[]} a sentence for each entry that users could miss
 */
export function brokenBy(now, recorded) {
  return Object.entries(recorded).flatMap(([area, names]) =>
    Object.entries(names).flatMap(([name, type]) => {
      const own = now[area]?.[name];
      if (own !== undefined && isSame(area, own, type)) return [];
      const change = own === undefined ? 'is gone' : `is ${own || 'nothing'}, and was ${type || 'nothing'}`;
      return [
        `${area}: ${name} ${change}: a breaking change: 3.0. A name that was never released goes from ${RECORD}, too`,
      ];
    }),
  );
}

/** What bench-rest reads may get alternatives, nothing else. @type {(area: string, now: string, recorded: string) => boolean} */
function isSame(area, now, recorded) {
  if (now === recorded) return true;
  if (!AREAS[area]?.isRead) return false;
  const [[type, ...facts], [before, ...earlier]] = [now.split('; '), recorded.split('; ')];
  const types = alternatives(type);
  return String(facts) === String(earlier) && alternatives(before).every((one) => types.includes(one));
}

/** The types of `A | B`, of which those in brackets are one. @type {(type: string) => string[]} */
function alternatives(type) {
  const all = [''];
  let depth = 0;
  for (const part of type.split(/([()[\]{}<>]| \| )/)) {
    if (part === ' | ' && depth === 0) all.push('');
    else all[all.length - 1] += part;
    if (/^[([{<]$/.test(part)) depth += 1;
    if (/^[)\]}>]$/.test(part)) depth -= 1;
  }
  return all;
}

/** @returns {Record<string, Names>} */
function read() {
  const file = fileURLToPath(new URL(RECORD, ROOT));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** How many names of every area are stable. @returns {Promise<string>} */
export async function stabilityTables() {
  const rows = Object.entries(await surface()).map(([area, names]) => {
    const all = Object.entries(names);
    const stable = all.filter((entry) => isStable(area, entry)).length;
    return { area, stable, experimental: all.length - stable };
  });
  const sum = (/** @type {'stable' | 'experimental'} */ key) => rows.reduce((all, row) => all + row[key], 0);
  const lines = rows
    .filter(({ stable }) => stable > 0)
    .map(({ area, stable }) => /** @type {[string, string]} */ ([cell(AREAS[area].about), String(stable)]));
  return `${sum('stable')} names are stable, ${sum('experimental')} experimental. The stable ones:\n\n${list(lines)}`;
}

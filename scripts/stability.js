import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { AREAS, surface } from './surface.js';
import { cell, code } from './text.js';

/** @import { Names } from './surface.js' */

const ROOT = new URL('../', import.meta.url);
/** What is stable, by area and name, with its type: it is generated once, and only grows. */
export const RECORD = 'docs/reference/stability.json';
/** Areas whose names may all change in a minor version. */
export const EXPERIMENTAL_AREAS = ['request log', 'capacity', 'history', 'history codes'];
/** Names of other areas that may. */
const EXPERIMENTAL =
  /^(?:pacing|trace|log|logRate|precision\b.*|maxDuration|confidence\b.*|(?:run|ab|k8s) --(?:no-)?(?:pacing|log|log-rate|precision|max-duration|profile|profile-command|profile-url)\b.*|profile(?:Command|Url)?|(?:baseline\.)?profiles\b.*|Profile\w*\b.*|Compared(?:Profile|Function)\b.*|(?:k8s|mcp)\b.*|(?:bench-rest )?capacity\b.*|Capacity\w*\b.*|history\b.*|(?:run\.)?loads\b.*|load|startAfter|ScenarioLoad|Scenario\.(?:load|startAfter)|.*\bof\.load|bench-rest\/(?:capacity|history)\.schema\.json|sides\.(?:base|new)\.capacity\b.*)$/;

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
    const stable = Object.entries(names).filter(([name]) => !isExperimental(area, name));
    // what has got alternatives is recorded with them
    const kept = Object.entries(recorded[area] ?? {}).filter(
      ([name, type]) => names[name] === undefined || !isSame(area, names[name], type),
    );
    const all = Object.entries({ ...Object.fromEntries(stable), ...Object.fromEntries(kept) });
    return [area, Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))];
  });
  return { text: `${JSON.stringify(Object.fromEntries(areas), null, 2)}\n`, broken };
}

/** @type {(area: string, name: string) => boolean} */
function isExperimental(area, name) {
  return EXPERIMENTAL_AREAS.includes(area) || EXPERIMENTAL.test(name);
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

/** The names of every area, as sections of the page. @returns {Promise<string>} */
export async function stabilityTables() {
  const now = await surface();
  const sections = Object.entries(now).map(([area, names]) => {
    const { about, isLong = false, isListed = () => true } = AREAS[area];
    const all = Object.keys(names);
    if (isLong && all.every((name) => isExperimental(area, name)))
      return `### ${cell(area)}\n\nExperimental: ${about}: ${all.length}\n`;
    if (isLong) return `### ${cell(area)}\n\n${cell(about)}: ${all.length}, in [\`stability.json\`](stability.json)\n`;
    const [stable, open] = [false, true].map((isOpen) =>
      all.filter((name) => isExperimental(area, name) === isOpen && isListed(name, names)).map(code),
    );
    const lists = [
      ...(stable.length > 0 ? [`${cell(about)}: ${stable.join(', ')}`] : []),
      ...(open.length > 0 ? [`Experimental: ${open.join(', ')}`] : []),
    ];
    return `### ${cell(area)}\n\n${lists.join('\n\n')}\n`;
  });
  return sections.join('\n');
}

import { offered, placed } from '../ground/addons.js';
import { PACKAGE_VERSION, schemaUrl } from '../ground/package.js';
import { writeMs } from '../ground/units.js';

/** @import { Beside } from '../ground/addons.js' */

/**
 * The common parts of the JSON documents of bench-rest: version, first keys, order of keys, and a load in words.
 *
 * @typedef {{ name: string } & Beside} ResultKey a key that an add-on adds to results; its types declare it
 */

/** Version of all documents: raised when a key goes, or changes its meaning, type, unit or nullability. */
export const SCHEMA_VERSION = 2;

/**
 * Returns the first keys of the documents of a type.
 * @template {string} T
 * @param {T} type
 * @param {string} [name] of their schema
 */
export function headOfDocuments(type, name = type) {
  return Object.freeze({ $schema: schemaUrl(`${name}.schema.json`), type, schemaVersion: SCHEMA_VERSION });
}

/** The first keys of a result. */
export const RUN_HEAD = headOfDocuments('run', 'result');

/** The keys of a result in the order of its documents: what decides first, then figures, lists, and the machines. */
const OWN_KEYS = (
  '$schema type schemaVersion id title label tool startedAt measuredAt endedAt totalElapsed measuredElapsed ramped ' +
  'outcome validity thresholds confidence precision run main percentiles iterations virtualUsers requests outside ' +
  'connections bytes operations scenarios groups tags checks errors section metrics exemplars series ' +
  'warmup loadGenerator loadGenerators'
).split(' ');
/** With those of add-ons. */
export const RESULT_KEYS = placed(
  OWN_KEYS.map((name) => ({ name })),
  offered('resultKeys'),
).map(({ name }) => name);

/** A result with its keys in the order of {@link RESULT_KEYS}. @type {<R extends object>(result: R) => R} */
export function inOrderOfKeys(result) {
  const all = /** @type {Record<string, unknown>} */ (result);
  const known = RESULT_KEYS.filter((key) => all[key] !== undefined);
  return /** @type {any} */ ({ ...Object.fromEntries(known.map((key) => [key, all[key]])), ...all });
}

/** The program that wrote a document. */
export const TOOL = Object.freeze({ name: 'bench-rest', version: PACKAGE_VERSION });

/** The type of a line of NDJSON that has a point of the series. */
export const POINT = 'point';

/**
 * One of several loads of a run.
 *
 * @typedef {{ text: string, name?: string, startAfter?: number, after?: string }} DescribedLoad
 */

/**
 * Returns the load of a run in words; several are named: `visits: 30 s, 200/s; import from 10 s: 4 virtual users`.
 * @type {(run: { loads: DescribedLoad[] }) => string}
 */
export function loadText({ loads }) {
  return loads.length === 1 ? loads[0].text : loads.map(namedLoad).join('; ');
}

/** @type {(load: DescribedLoad) => string} */
export function namedLoad({ name, text, ...start }) {
  return `${[name, ...startText(start)].join(' ')}: ${text}`;
}

/** When a load starts, if not with the run. @type {(load: Pick<DescribedLoad, 'startAfter' | 'after'>) => string[]} */
export function startText({ startAfter = 0, after }) {
  if (after !== undefined) return [startAfter > 0 ? `${writeMs(startAfter)} after ${after}` : `after ${after}`];
  return startAfter > 0 ? [`from ${writeMs(startAfter)}`] : [];
}

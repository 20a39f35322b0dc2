import { offered, placed } from '../ground/addons.js';
import { PACKAGE_VERSION, schemaUrl } from '../ground/package.js';
import { writeMs } from '../ground/units.js';

/** @import { Place } from '../ground/addons.js' */

/**
 * The common parts of the JSON documents of bench-rest: version, first keys, order of keys, the frame of their schemas,
 * and a load in words.
 *
 * @typedef {{ name: string, isExperimental?: boolean, schema: () => object } & Place} ResultKey a key of an add-on
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
/** The types of other documents. @type {string[]} */
export const OTHER_TYPES = offered('documentTypes');

/** The keys of a result in the order of its documents: what decides first, then figures, lists, and the machines. */
const OWN_KEYS = (
  '$schema type schemaVersion id title label tool startedAt measuredAt endedAt totalElapsed measuredElapsed ramped ' +
  'outcome validity thresholds confidence precision run main percentiles iterations virtualUsers requests outside ' +
  'connections bytes messages http2 operations scenarios groups tags checks errors section metrics exemplars series ' +
  'warmup loadGenerator loadGenerators'
).split(' ');
/** The keys that add-ons add. @type {ResultKey[]} */
export const OFFERED_KEYS = offered('resultKeys');
const ROWS = placed(
  OWN_KEYS.map((name) => ({ name })),
  OFFERED_KEYS,
);
export const RESULT_KEYS = ROWS.map(({ name }) => name);

/** A result with its keys in the order of {@link RESULT_KEYS}. @type {<R extends object>(result: R) => R} */
export function inOrderOfKeys(result) {
  const all = /** @type {Record<string, unknown>} */ (result);
  const known = RESULT_KEYS.filter((key) => all[key] !== undefined);
  return /** @type {any} */ ({ ...Object.fromEntries(known.map((key) => [key, all[key]])), ...all });
}

/** The program that wrote a document. */
export const TOOL = Object.freeze({ name: 'bench-rest', version: PACKAGE_VERSION });

/**
 * Returns the JSON Schema of a document that begins with `head`.
 * @param {{ $schema: string }} head
 * @param {object} document
 * @param {string} document.title
 * @param {string} document.about where such documents come from, in sentences
 * @param {Record<string, any>} document.keys the closed schema of its other keys
 * @param {Record<string, any>} document.definitions
 * @returns {Record<string, any>}
 */
export function documentSchema(head, { title, about, keys: { required, properties }, definitions }) {
  const first = Object.fromEntries(Object.entries(head).map(([key, value]) => [key, { const: value }]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: head.$schema,
    title: `${title}, schema version ${SCHEMA_VERSION}`,
    description: `${about} Readers ignore keys that they do not know; the schema version is raised when a key goes, or changes its meaning, type, unit or nullability.`,
    type: 'object',
    required: [...Object.keys(first), ...required],
    properties: { ...first, ...properties },
    additionalProperties: false,
    $defs: definitions,
  };
}

/** The type of a line of NDJSON that has a point of the series. */
export const POINT = 'point';

/**
 * One of several loads of a run.
 *
 * @typedef {{ text: string, name?: string, startAfter?: number, after?: string }} DescribedLoad
 */

/**
 * The load of a run in words; several are named: `visits: 30 s, 200/s; import from 10 s: 4 virtual users`.
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

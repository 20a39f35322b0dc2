import { ROWS } from './kinds-of-rows.js';

/** @import { Facts } from './addons.js' */

/** @typedef {{ reason: string, cure: string }} Malformed */

/**
 * What a value must be, as scripts/door.js writes it.
 * @typedef {string | any[] | { [member: string]: RowShape }} RowShape
 */

/** @type {Record<string, string>} */
const TYPES = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
  list: 'a list',
  any: 'a value, or null',
};

/** Finds the first row of an add-on that lacks what its kind needs. @type {(facts: Facts) => Malformed | null} */
export function malformedRow(facts) {
  for (const [kind, shape] of Object.entries(ROWS)) {
    const found = facts[kind] === undefined ? null : malformed(facts[kind], [shape], { path: kind, row: '' });
    if (found) return found;
  }
  return null;
}

/** @typedef {{ path: string, row: string }} RowPlace row: its name */

/** @type {(value: any, shape: RowShape, place: RowPlace) => Malformed | null} */
function malformed(value, shape, place) {
  const type = typeof shape === 'string' ? shape : Array.isArray(shape) ? 'list' : 'object';
  if (!isOf(value, type)) return refusal(value, type, place);
  for (const [key, member, inner] of membersOf(value, shape)) {
    const row = typeof value.name === 'string' ? value.name : place.row;
    const within = { path: `${place.path}${key}`, row };
    const found = key === '.load()' ? malformedLoaded(value, inner, within) : malformed(member, inner, within);
    if (found) return found;
  }
  return null;
}

/** @type {(value: any, type: string) => boolean} */
function isOf(value, type) {
  if (type === 'list') return Array.isArray(value);
  if (type === 'any') return value !== undefined;
  return typeof value === type && value !== null;
}

/** @type {(value: any, shape: RowShape) => [key: string, value: any, shape: RowShape][]} */
function membersOf(value, shape) {
  if (typeof shape === 'string') return [];
  if (Array.isArray(shape))
    return value.map((/** @type {any} */ one, /** @type {number} */ i) => [`[${i}]`, one, shape[0]]);
  if (shape['*']) return Object.entries(value).map(([name, one]) => [`.${name}`, one, shape['*']]);
  return Object.entries(shape).map(([name, inner]) => [`.${name}`, value[name], inner]);
}

/** @type {(row: any, shape: RowShape, place: RowPlace) => Malformed | null} */
function malformedLoaded(row, shape, place) {
  if (typeof row.load !== 'function')
    return refusal(row.load, 'function', { ...place, path: place.path.replace('()', '') });
  try {
    return malformed(row.load(), shape, place);
  } catch (error) {
    return {
      reason: `has ${place.path}, which throws: ${/** @type {any} */ (error)?.message ?? error}`,
      cure: 'correct it',
    };
  }
}

/** @type {(value: unknown, type: string, place: RowPlace) => Malformed} */
function refusal(value, type, { path, row }) {
  const [, at, name] = /^(.*?)\.?([^.]*)$/.exec(path) ?? [];
  const what = row === '' ? at : `${at} (${row})`;
  if (value === undefined && at !== '') return { reason: `has ${what} without ${name}`, cure: `write ${TYPES[type]}` };
  return { reason: `has ${path}${row && ` (${row})`} that is not ${TYPES[type]}`, cure: `write ${TYPES[type]}` };
}

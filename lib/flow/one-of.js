import { createChoice } from './choice.js';
import { FunctionEntry } from './function-entry.js';
import { PROPERTY_NAMES } from './operation.js';
import { nameOf } from './operation-name.js';
import { PROPERTIES } from './properties.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Operation, Step } from './types.js'
 *
 * @typedef {object} PlacedOperation an operation of a phase
 * @property {Operation} operation
 * @property {string} where `flow.main[0]`, or `flow.main[0].oneOf[1]`
 * @property {Step['choice']} choice
 * @property {string} [name] if it is already known
 * @property {boolean} hasOrigin its name needs the origin, which alone tells it from its siblings
 */

/**
 * Reads an entry of a phase: an operation, or `{ oneOf: [operation, …] }`, of which each iteration performs one.
 *
 * @param {Operation} entry
 * @param {string} where
 * @param {{ seed: number, problems: Problems }} context
 * @returns {PlacedOperation[]}
 */
export function readEntry(entry, where, { seed, problems }) {
  if (entry.oneOf !== undefined) return readOneOf(entry, where, { seed, problems });
  if (entry.weight !== undefined) problems.add(`${where}.weight`, 'is for the operations of a oneOf');
  return [{ operation: entry, where, choice: null, hasOrigin: false }];
}

/** @type {(entry: Operation, where: string, context: { seed: number, problems: Problems }) => PlacedOperation[]} */
function readOneOf({ oneOf, ...others }, where, { seed, problems }) {
  for (const key of Object.keys(others)) {
    const path = `${where}.${key}`;
    if (!Object.hasOwn(PROPERTIES, key)) problems.unlessOwn(path, 'property', key, PROPERTY_NAMES);
    else problems.add(path, 'cannot be combined with oneOf: put it into each of its operations');
  }
  if (!Array.isArray(oneOf) || oneOf.length === 0) {
    problems.add(`${where}.oneOf`, "expected an array of operations such as [{ get: '/a' }, { get: '/b' }]");
    return [];
  }
  const names = oneOf.map((operation) => operation && !(operation instanceof FunctionEntry) && nameOf(operation));
  const seen = new Set();
  const shared = new Set(names.filter((name) => seen.size === seen.add(name).size));
  const weights = oneOf.map((operation) => operation?.weight);
  const choice = createChoice(weights, { seed, place: where });
  return oneOf.flatMap((operation, i) => {
    const place = `${where}.oneOf[${i}]`;
    if (!operation) return [];
    if (operation instanceof FunctionEntry) {
      problems.add(place, 'is a function: write one function that chooses what it requests');
      return [];
    }
    if (operation.oneOf !== undefined) {
      problems.add(place, 'is a oneOf within a oneOf: list its operations in the outer one');
      return [];
    }
    if (operation.ws !== undefined) {
      problems.add(
        `${place}.ws`,
        'a WebSocket cannot be one of several operations: write it as an operation of its own',
      );
      return [];
    }
    const hasOrigin = shared.has(names[i]);
    return [{ operation, where: place, choice, name: hasOrigin ? undefined : names[i], hasOrigin }];
  });
}

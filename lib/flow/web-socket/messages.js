import { ValueSlot } from '../value-slot.js';
import { compileTemplate, unquoteValues } from '../template.js';
import { bytesOf, containing, matching } from './refusals.js';

/**
 * @import { Complain } from '../../problems.js'
 * @import { ValuePlace } from '../written-value.js'
 * @import { Scope } from '../types.js'
 * @import { Refuse } from './types.js'
 *
 * @typedef {(text: string, key: string, place?: ValuePlace) => string} Mark
 */

/**
 * @template T
 * @typedef {object} MessagePart of an operation
 * @property {boolean} isConstant no token and no function is in it
 * @property {(scope: Scope) => T} render
 */

/**
 * Compiles the messages that an operation sends.
 *
 * @param {any} send
 * @param {Mark} mark
 * @param {Complain} complain
 * @returns {MessagePart<(string | Buffer)[]>}
 */
export function compileMessages(send, mark, complain) {
  return together(listOf(send).map((one) => compileMessage(one, 'send', mark, complain)));
}

/**
 * Compiles what an operation expects.
 *
 * @param {any} expect undefined: as many messages as are sent
 * @param {number} sent
 * @param {Mark} mark
 * @param {Complain} complain
 * @returns {MessagePart<(Refuse | null)[]>}
 */
export function compileExpected(expect, sent, mark, complain) {
  if (expect === undefined || typeof expect === 'number') return constant(Array(expect ?? sent).fill(null));
  return together(
    listOf(expect).map((one) => {
      if (one instanceof RegExp) return constant(matching(one));
      if (one instanceof ValueSlot) return computed(one, (value) => comparing(value)(messageOf(value)));
      return derived(compileMessage(one, 'expect', mark, complain), comparing(one));
    }),
  );
}

/** JSON is compared by its values. @type {(message: unknown) => (wanted: any) => Refuse} */
function comparing(message) {
  return typeof message === 'string' || message instanceof Uint8Array ? bytesOf : containing;
}

/** @type {(value: any) => any[]} */
function listOf(value) {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** @type {(message: any, key: string, mark: Mark, complain: Complain) => MessagePart<any>} */
function compileMessage(message, key, mark, complain) {
  if (message instanceof Uint8Array) return constant(Buffer.from(message));
  if (message instanceof ValueSlot) return computed(message, messageOf);
  const marked =
    typeof message === 'string'
      ? mark(message, key)
      : unquoteValues(mark(stringify(message.json, key, complain), key, 'json'));
  const template = compileTemplate(marked);
  return typeof template === 'string' ? constant(template) : { isConstant: false, render: template };
}

/** The message that a function has returned. @type {(message: any) => string | Buffer} */
function messageOf(message) {
  if (typeof message === 'string') return message;
  return message instanceof Uint8Array ? Buffer.from(message) : JSON.stringify(message.json);
}

/** @type {<T>(slot: ValueSlot, convert: (value: any) => T) => MessagePart<T>} */
function computed({ at }, convert) {
  return { isConstant: false, render: ({ values }) => convert(/** @type {unknown[]} */ (values)[at]) };
}

/** @type {(value: unknown, key: string, complain: Complain) => string} */
function stringify(value, key, complain) {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return text;
    complain(key, `json: a ${typeof value} has no JSON form`);
  } catch (error) {
    complain(key, `json: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
  }
  return 'null';
}

/** @type {<T>(value: T) => MessagePart<T>} */
function constant(value) {
  return { isConstant: true, render: () => value };
}

/** @type {<T, U>(part: MessagePart<T>, convert: (value: T) => U) => MessagePart<U>} */
function derived({ isConstant, render }, convert) {
  return isConstant ? constant(convert(render({}))) : { isConstant, render: (scope) => convert(render(scope)) };
}

/** @type {<T>(parts: MessagePart<T>[]) => MessagePart<T[]>} */
function together(parts) {
  if (parts.every(({ isConstant }) => isConstant)) return constant(parts.map(({ render }) => render({})));
  return { isConstant: false, render: (scope) => parts.map(({ render }) => render(scope)) };
}

import { FLOW_PROPERTIES } from '../lib/flow/normalize.js';
import { METHOD_KEYS, PROPERTIES } from '../lib/flow/operation.js';
import { HOOKS } from '../lib/hooks/index.js';
import { sentence, wrapped } from './text.js';

/** Typedefs of hook names, of the properties of an operation, and of a flow with phases. @returns {string} */
export function flowTypes() {
  const ofOperation = Object.entries(PROPERTIES).filter(([name]) => !METHOD_KEYS.includes(name));
  return `/**
 * Made from the tables of hooks, operations, bodies and phases by \`npm run generate\`: change a row, not this file.
 *
 * @import { Computed, FieldValue, Hook, HookResponse, Operations, ReportFunction, Scope, Thresholds, TlsMaterial, TokenValue } from '../public-types.js'
 * @import { GivenRunOptions } from '../run/options/types.js'
 */

/**
 * The name of a built-in hook.
 * @typedef {${HOOKS.map(({ name }) => `'${name}'`).join(' | ')}} HookName
 */

/**
 * The properties of an operation beside method and URL.
 * @typedef {object} OperationCommon
${ofOperation.map(propertyOf).join('\n')}
 */

/**
 * A flow with phases.
 * @typedef {object} PhasesFlow
${Object.entries(FLOW_PROPERTIES).map(propertyOf).join('\n')}
 */
export {};
`;
}

/** @type {(entry: [string, { type: string, about: string, isRequired?: boolean }]) => string} */
function propertyOf([name, { type, about, isRequired }]) {
  const key = isRequired ? name : `[${name}]`;
  return wrapped(`@property {${type}} ${key} ${sentence(about)}.`, { first: ' * ', rest: ' *   ' });
}

import { METHOD_KEYS, PROPERTIES } from '../lib/flow/operation.js';
import { HOOKS } from '../lib/hooks/index.js';
import { sentence, wrapped } from './text.js';

/** Typedefs of hook names and of the properties of an operation. @returns {string} */
export function operationTypes() {
  const properties = Object.entries(PROPERTIES)
    .filter(([name]) => !METHOD_KEYS.includes(name))
    .map(([name, { type, about }]) =>
      wrapped(`@property {${type}} [${name}] ${sentence(about)}.`, { first: ' * ', rest: ' *   ' }),
    );
  return `/**
 * Made from the tables of hooks, operations and bodies by \`npm run generate\`: change a row, not this file.
 *
 * @import { FieldValue, Hook, HookResponse } from '../public-types.js'
 */

/**
 * The name of a built-in hook.
 * @typedef {${HOOKS.map(({ name }) => `'${name}'`).join(' | ')}} HookName
 */

/**
 * The properties of an operation beside method and URL.
 * @typedef {object} OperationCommon
${properties.join('\n')}
 */
export {};
`;
}

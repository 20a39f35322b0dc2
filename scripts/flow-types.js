import { AUTH_MEMBERS } from '../lib/flow/auth.js';
import { EXPECTATION_MEMBERS } from '../lib/flow/checks/expect.js';
import { COMPARISONS } from '../lib/flow/comparisons.js';
import { DEFINITION } from '../lib/flow/data/definition.js';
import { FLOW_PROPERTIES } from '../lib/flow/normalize.js';
import { METHOD_KEYS, PROPERTIES } from '../lib/flow/properties.js';
import { SCENARIO_PROPERTIES } from '../lib/flow/scenarios.js';
import { OLD_PROPERTIES } from '../lib/flow/settle-operation.js';
import { HOOKS } from '../lib/hooks/index.js';
import { sentence, withDefault, wrapped } from './text.js';

/** The keys with a URL that need `method` beside them; each of the others means a method, or a WebSocket. */
const WITH_METHOD = ['uri', 'url'];
const URL_KEYS = METHOD_KEYS.filter((key) => key !== 'method');

/**
 * Typedefs of hook names, of the properties of an operation, and of a flow with phases. Each property is documented, for
 * editors.
 *
 * @returns {string}
 */
export function flowTypes() {
  const named = Object.entries({ ...PROPERTIES, ...OLD_PROPERTIES });
  const ofOperation = named.filter(([name]) => !METHOD_KEYS.includes(name));
  return `/**
 * Made from the tables of hooks, operations, bodies, scenarios and phases by \`npm run generate\`: change a row, not this file.
 *
 * @import { Computed, FieldValue, Hook, HookResponse, Operations, ReportFunction, Scope, ThinkTime, Thresholds, TlsMaterial, TokenValue } from '../ground/public-types.js'
 * @import { GivenRunOptions } from '../run/options/types.js'
 */

/**
 * The name of a built-in hook.
 * @typedef {${HOOKS.map(({ name }) => `'${name}'`).join(' | ')}} HookName
 */

/**
 * Comparisons of one value, all of which must pass.
 * @typedef {object} Comparisons
${COMPARISONS.map((row) => propertyOf([row.name, row])).join('\n')}
 */

/**
 * Conditions that the response of an operation must meet.
 * @typedef {object} Expectation
${EXPECTATION_MEMBERS.map((row) => propertyOf([row.name, row])).join('\n')}
 */

/**
 * Credentials of an operation.
 * @typedef {object} Auth
${Object.entries(AUTH_MEMBERS).map(propertyOf).join('\n')}
 */

${requestTypes()}

/**
 * The properties of an operation beside method and URL.
 * @typedef {object} OperationCommon
${ofOperation.map(propertyOf).join('\n')}
 */

/**
 * A scenario of a flow.
 * @typedef {object} Scenario
${Object.entries(SCENARIO_PROPERTIES).map(propertyOf).join('\n')}
 */

/**
 * The rows of a feeder, and which of them each iteration gets.
 * @typedef {object} FeederOptions
${Object.entries(DEFINITION).map(propertyOf).join('\n')}
 */

/**
 * A feeder: a file of rows, rows, or an object.
 * @typedef {string | Record<string, unknown>[] | FeederOptions} FeederDefinition
 */

/**
 * A flow with phases.
 * @typedef {object} PhasesFlow
${Object.entries(FLOW_PROPERTIES)
  .filter(([name]) => name !== 'scenarios')
  .map(propertyOf)
  .join('\n')}
 */
export {};
`;
}

/** A type for each way to write method and URL, and the one of all of them. @returns {string} */
function requestTypes() {
  return `${URL_KEYS.map(requestType).join('\n\n')}

/**
 * The method and the URL of an operation: one key for both, or method and uri.
 * @typedef {${URL_KEYS.map(requestName).join(' | ')}} MethodAndUrl
 */`;
}

/** @type {(key: string) => string} */
const requestName = (key) => `${sentence(key)}Request`;

/** @type {(key: string) => string} */
function requestType(key) {
  const method = WITH_METHOD.includes(key) ? [propertyOf(['method', PROPERTIES.method])] : [];
  const url = propertyOf([key, { ...PROPERTIES[key], isRequired: true }]);
  return `/**\n * @typedef {object} ${requestName(key)}\n${[...method, url].join('\n')}\n */`;
}

/** @type {(entry: [string, { type: string, about: string, isRequired?: boolean, default?: unknown }]) => string} */
function propertyOf([name, { type, about, isRequired, default: value }]) {
  const key = isRequired ? name : `[${name}]`;
  return wrapped(`@property {${type}} ${key} ${withDefault(about, value)}`, { first: ' * ', rest: ' *   ' });
}

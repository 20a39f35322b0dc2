import { createRequire } from 'node:module';

import { EXPECT } from '../checks/index.js';
import { hasToken } from '../tokens/index.js';
import { isUrlOf } from '../../http/url-parts.js';
import { WEB_SOCKET } from '../../../addons/websocket/flow/index.js';

/** @import { Protocol } from './types.js' */
/** @import { Operation } from '../../contracts/step.js' */
/** @import { Property } from '../types.js' */

/** HTTP, the protocol of every operation that names no other. @type {Protocol} */
export const HTTP = {
  name: 'http',
  about: 'requests and their responses',
  key: null,
  urlKey: null,
  scheme: 'http',
  noun: { one: 'an HTTP request', many: 'HTTP requests' },
  example: "get: 'http://…'",
  properties: { expect: EXPECT },
  mutable: [],
  computed: {},
  keepsEmpty: false,
  refusals: {},
  refuse: () => [],
  fromUrl: (url, request) => (request === undefined ? { get: url } : { url, ...request }),
  compile: (compiler) => [compiler.requestStep()],
};

const requireHere = createRequire(import.meta.url);

/** Most flows have no measured calls. @type {() => typeof import('../../../addons/calls/steps.js')} */
const loadCallSteps = () => requireHere('../../../addons/calls/steps.js');

/** Calls that the flow makes with clients of its own: of a database, a queue, another protocol. @type {Protocol} */
export const CALL = {
  name: 'call',
  about: 'calls of any client, measured as requests are',
  key: 'measure',
  urlKey: 'measure',
  scheme: 'http',
  noun: { one: 'a measured call', many: 'measured calls' },
  example: "measure: 'insert'",
  properties: {
    measure: {
      type: 'string',
      check: (v) => typeof v === 'string',
      expected: "a name such as 'insert'",
      refuse: (v) => (typeof v === 'string' ? refuseCallName(v) : []),
      schema: null,
      about: 'name of a call that run makes with any client: it is measured as a request is',
    },
    run: {
      type: '(scope: CallScope) => unknown',
      check: (v) => typeof v === 'function',
      expected: 'a function such as async ({ vuCtx, signal }) => …',
      // Hooks of flows for 1.2.4 may read one of the user's own.
      isOwn: (_, { measure }) => measure === undefined,
      remark: 'is for measured calls: write measure beside it',
      schema: null,
      about:
        'function that makes the call of measure; it may be async, and gets the state of the iteration and a signal',
    },
  },
  mutable: [],
  computed: {},
  keepsEmpty: true,
  refusals: {},
  refuse: refuseOfCall,
  // The name may be anything until the flow is checked.
  nameOf: ({ measure }) => (typeof measure === 'string' ? measure : ''),
  isCode: true,
  fromUrl(url) {
    throw new Error(`a measured call has no URL: ${url}`);
  },
  compile: (compiler) => loadCallSteps().callSteps(compiler),
  loadClient: () => import('../../../addons/calls/client.js'),
};

/** Characters of the name of a call. */
const LONGEST_NAME = 200;
/** The other properties that a measured call has a use for. */
const SHARED_WITH_CALL = ['group', 'tags', 'when', 'repeat', 'weight', 'timeout', 'pause', 'expect', 'capture'];
const CHECKS_OF_VALUES = ['name', 'json', 'schema', 'within'];

/** @type {(name: string) => { reason: string }[]} */
function refuseCallName(name) {
  if (name.trim() === '') return [{ reason: 'is empty: name the call, as its row in the results' }];
  if (name.length > LONGEST_NAME) return [{ reason: `has ${name.length} characters: at most ${LONGEST_NAME}` }];
  return hasToken(name) ? [{ reason: 'has a token, and tokens are not replaced in the name of a call' }] : [];
}

/** @type {Protocol['refuse']} */
function refuseOfCall(operation) {
  const given = Object.keys(operation).filter((key) => operation[key] !== undefined);
  const foreign = given
    .filter((key) => !SHARED_WITH_CALL.includes(key) && !Object.hasOwn(CALL.properties, key))
    .map((key) => ({ key, reason: foreignToCall(key) }));
  const { run, expect, capture } = operation;
  if (typeof run !== 'function')
    foreign.push({
      key: 'measure',
      reason: 'needs run, the function that makes the call: run: async ({ vuCtx }) => …',
    });
  if ([expect ?? []].flat().some((one) => !hasOnly(one, CHECKS_OF_VALUES)))
    foreign.push({ key: 'expect', reason: 'checks the value that a call returns: write json, schema or within' });
  if (Object.values(capture ?? {}).some((one) => typeof one !== 'string' && one?.json === undefined))
    foreign.push({ key: 'capture', reason: "reads the value that a call returns: write a JSONPath, such as '$.id'" });
  return foreign;
}

/** @type {(key: string) => string} */
function foreignToCall(key) {
  if (key === 'name') return 'is the value of measure here';
  const remedy = key === 'beforeHooks' || key === 'afterHooks' ? ', and write it into run' : '';
  return `has no meaning for a measured call: remove it${remedy}`;
}

/** @type {(value: unknown, names: string[]) => boolean} */
function hasOnly(value, names) {
  return typeof value !== 'object' || value === null || Object.keys(value).every((key) => names.includes(key));
}

/** The protocols of operations; the first is that of operations that name no other. @type {Protocol[]} */
export const PROTOCOLS = [HTTP, WEB_SOCKET, CALL];

const NAMED = PROTOCOLS.filter(({ key }) => key !== null);

/** The properties that hold the URL of a protocol's own. */
export const OWN_URL_KEYS = NAMED.flatMap(({ urlKey }) => urlKey ?? []);

/** The properties of the protocols, each with the values of all that have it. @type {Record<string, Property>} */
export const PROTOCOL_PROPERTIES = {
  // This sets the order in documents: otherwise `expect` of HTTP would come first.
  ...Object.assign({}, ...NAMED.map(({ properties }) => properties)),
  ...PROTOCOLS.reduce(withProperties, /** @type {Record<string, Property>} */ ({})),
};

/**
 * Adds the properties of a protocol; one that another protocol has too accepts the values of both.
 * @type {(all: Record<string, Property>, protocol: Protocol) => Record<string, Property>}
 */
function withProperties(all, { key, properties }) {
  const joined = Object.entries(properties).map(([name, property]) => {
    const { type, schema, about } = all[name] ?? {};
    if (type === undefined) return [name, property];
    return [
      name,
      {
        ...all[name],
        type: `${type} | ${property.type}`,
        schema: { anyOf: [schema, property.schema] },
        about: `${about}; with ${key}: ${property.about}`,
      },
    ];
  });
  return { ...all, ...Object.fromEntries(joined) };
}

/** @type {(operation: Operation) => Protocol} */
export function protocolOf(operation) {
  for (const protocol of NAMED) if (operation[/** @type {string} */ (protocol.key)] !== undefined) return protocol;
  return HTTP;
}

/** Returns the protocol whose URLs a property holds. @type {(key: string) => Protocol} */
export function protocolOfUrlKey(key) {
  return NAMED.find(({ urlKey }) => urlKey === key) ?? HTTP;
}

/** @type {(url: unknown) => Protocol} */
export function protocolOfUrl(url) {
  return NAMED.find(({ urlKey, scheme }) => urlKey !== null && scheme !== HTTP.scheme && isUrlOf(url, scheme)) ?? HTTP;
}

/**
 * Explains the properties of an operation that belong to another protocol, or do not fit together.
 * @type {(operation: Operation) => { key: string, reason: string }[]}
 */
export function refuseMixture(operation) {
  const protocol = protocolOf(operation);
  const foreign = propertiesOfOthers(operation, protocol).map(({ key, owner }) => ({
    key,
    reason: `is for ${owner.noun.many}: write { ${owner.example}, ${key} }`,
  }));
  return [...foreign, ...protocol.refuse(operation)];
}

/**
 * Lists the properties of the operation that only another protocol than its own has.
 * @type {(operation: Operation, protocol: Protocol) => { key: string, owner: Protocol }[]}
 */
export function propertiesOfOthers(operation, protocol) {
  return Object.keys(operation).flatMap((key) => {
    if (operation[key] === undefined || [HTTP, protocol].some(({ properties }) => Object.hasOwn(properties, key)))
      return [];
    const owner = NAMED.find(({ properties }) => Object.hasOwn(properties, key));
    const isOwn = owner?.properties[key].isOwn?.(operation[key], operation) === true;
    return owner === undefined || isOwn ? [] : [{ key, owner }];
  });
}

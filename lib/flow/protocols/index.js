import { EXPECT } from '../checks/index.js';
import { isUrlOf } from '../url-schemes.js';
import { WEB_SOCKET } from './web-socket/index.js';

/**
 * @import { TransportClient } from '../../contracts/connection.js'
 * @import { AddProblem, FittedOptions, Operation, Step } from '../../contracts/step.js'
 * @import { OperationCompiler } from '../operation-compiler.js'
 * @import { Property } from '../properties.js'
 * @import { Returned } from '../values.js'
 *
 * @typedef {object} Protocol what operations of a kind have in common: their properties, and the steps that they become
 * @property {string} name
 * @property {string} about a phrase for documents
 * @property {string | null} key the property that makes an operation one of this protocol; null: it is that of all
 *   others
 * @property {string | null} urlKey the property that holds the URL; null: `get`, `uri` and their like
 * @property {string} scheme of its absolute URLs, one of `SCHEMES`
 * @property {{ one: string, many: string }} noun its connections or requests, for messages: `a WebSocket`, `WebSockets`
 * @property {string} example the property `key` with a value, for messages: `ws: 'ws://…'`
 * @property {Record<string, Property>} properties those that it adds; one with the name of a property of HTTP replaces
 *   that property in its operations
 * @property {string[]} mutable properties that hooks may change in place, so that they get copies
 * @property {Record<string, ComputedProperty>} computed properties whose values functions may return
 * @property {boolean} keepsEmpty `null` and `0` are values of its properties; false: they stand for nothing
 * @property {{ oneOf?: string, function?: string }} refusals why its operations are not possible within a `oneOf`, and
 *   in a function
 * @property {(operation: Operation) => { key: string, reason: string }[]} refuse explains properties of its operations
 *   that do not fit together
 * @property {(url: unknown, request?: Record<string, any>) => Operation} fromUrl the operation of a URL alone, or with
 *   properties of its request that the command line gives; throws E_USAGE if they have no meaning here
 * @property {(operation: Operation) => Operation} [expand] writes a valid operation as one of HTTP, which everything
 *   else sees, hooks too
 * @property {(compiler: OperationCompiler) => Step[]} compile
 * @property {(options: FittedOptions, steps: Step[], add: AddProblem) => void} [refuseOptions] reports run options that
 *   do not fit the steps of a flow, of all its protocols
 * @property {() => Promise<TransportClient>} [loadClient] loads the client of its connections; without it, they are
 *   those of the HTTP client of the run
 *
 * @typedef {object} ComputedProperty what the functions among the values of a property return
 * @property {Returned} whole in place of the value, or of one of a list
 * @property {Returned} inner within a value
 */

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

/** The protocols of operations; the first is that of operations that name no other. @type {Protocol[]} */
export const PROTOCOLS = [HTTP, WEB_SOCKET];

const NAMED = PROTOCOLS.filter(({ key }) => key !== null);

/** The properties that hold the URL of a protocol's own. */
export const OWN_URL_KEYS = NAMED.flatMap(({ urlKey }) => urlKey ?? []);

/**
 * The properties of the protocols; one that several of them have is listed with the values of all.
 * @type {Record<string, Property>}
 */
export const PROTOCOL_PROPERTIES = {
  // The order in which the protocols list them stays.
  ...Object.assign({}, ...NAMED.map(({ properties }) => properties)),
  ...PROTOCOLS.reduce(withProperties, /** @type {Record<string, Property>} */ ({})),
};

/** @type {(all: Record<string, Property>, protocol: Protocol) => Record<string, Property>} */
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

/** Returns the protocol of a URL alone. @type {(url: unknown) => Protocol} */
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
    return owner === undefined ? [] : [{ key, owner }];
  });
}

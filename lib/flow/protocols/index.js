import { EXPECT } from '../checks/index.js';
import { isUrlOf } from '../url-schemes.js';
import { WEB_SOCKET } from './web-socket/index.js';

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

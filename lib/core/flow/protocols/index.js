import { offered } from '../../ground/addons.js';
import { isUrlOf } from '../../http/schemes.js';
import { EXPECT } from '../checks/property.js';

/** @import { Protocol, ProtocolEntry } from './types.js' */
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

/** @type {ProtocolEntry[]} */
const ENTRIES = offered('protocols');

/** The protocols of operations; the first is that of operations that name no other. @type {Protocol[]} */
export const PROTOCOLS = [HTTP, ...ENTRIES.map(({ scheme = HTTP.scheme, load }) => ({ scheme, ...load() }))];

const NAMED = PROTOCOLS.filter(({ key }) => key !== null);

/** The properties that hold the URL of a protocol's own. */
export const OWN_URL_KEYS = NAMED.flatMap(({ urlKey }) => urlKey ?? []);

/** The properties of the protocols, each with the values of all that have it. @type {Record<string, Property>} */
export const PROTOCOL_PROPERTIES = {
  // This sets the order in documents: otherwise `expect` of HTTP would come first.
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

/** @type {(url: unknown) => Protocol} */
export function protocolOfUrl(url) {
  return NAMED.find(({ urlKey, scheme }) => urlKey !== null && scheme !== HTTP.scheme && isUrlOf(url, scheme)) ?? HTTP;
}

/** @type {(operation: Operation) => { key: string, reason: string }[]} */
export function refuseMixture(operation) {
  const protocol = protocolOf(operation);
  const own = [...missing(operation, protocol), ...protocol.refuse(operation)];
  const foreign = propertiesOfOthers(operation, protocol)
    .filter(({ key }) => !own.some((row) => row.key === key))
    .map(({ key, owner }) => ({ key, reason: `is for ${owner.noun.many}: write { ${owner.example}, ${key} }` }));
  return [...foreign, ...own];
}

/** @type {(operation: Operation, protocol: Protocol) => { key: string, reason: string }[]} */
function missing(operation, { key, properties }) {
  return Object.entries(properties)
    .filter(([name, { isRequired }]) => isRequired && operation[name] === undefined)
    .map(([name, { about }]) => ({ key: String(key), reason: `needs ${name} beside it: ${about}` }));
}

/** @type {(operation: Operation, protocol: Protocol) => { key: string, owner: Protocol }[]} */
export function propertiesOfOthers(operation, protocol) {
  return Object.keys(operation).flatMap((key) => {
    if (operation[key] === undefined || [HTTP, protocol].some(({ properties }) => Object.hasOwn(properties, key)))
      return [];
    const owner = NAMED.find(({ properties }) => Object.hasOwn(properties, key));
    const isOwn = owner?.properties[key].isOwn?.(operation[key], operation) === true;
    return owner === undefined || isOwn ? [] : [{ key, owner }];
  });
}

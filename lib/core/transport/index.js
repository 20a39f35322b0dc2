import { offered } from '../ground/addons.js';
import { OTHER_VERSION } from '../http/versions.js';

/** @import { TransportEntry } from '../contracts/connection.js' */

const VERSIONS = ['HTTP/1.1', ...(OTHER_VERSION ? [OTHER_VERSION.label] : [])];

/** The HTTP clients; the first is the default. Each is loaded when it is used. @type {TransportEntry[]} */
export const TRANSPORTS = [
  {
    name: 'builtin',
    about: `built-in client of ${VERSIONS.join(' and ')}, the fastest`,
    capabilities: ['pipelining', ...(OTHER_VERSION ? [OTHER_VERSION.name] : [])],
    load: () => import('./wire/index.js'),
  },
  ...offered('transports'),
];

/** Returns a transport by its name, or the default one. @type {(name: string | undefined) => TransportEntry} */
export function transportNamed(name) {
  return TRANSPORTS.find((entry) => entry.name === name) ?? TRANSPORTS[0];
}

/** Undefined: it can have it. @type {(client: TransportEntry, option: string) => string | undefined} */
export function lacksCapability({ name, capabilities }, option) {
  if (capabilities.includes(option)) return undefined;
  const able = TRANSPORTS.filter((one) => one.capabilities.includes(option)).map((one) => one.name);
  return `not supported by the HTTP client ${name}${able.length > 0 ? `: use ${able.join(' or ')}` : ''}`;
}

/** @type {(transport: TransportEntry, versions?: Record<string, string | undefined>) => string | undefined} */
export function missingTransport({ name, missingIn = [] }, versions = process.versions) {
  const runtime = missingIn.find((one) => versions[one] !== undefined);
  return runtime && `${name} cannot be used in ${runtime}: use ${TRANSPORTS[0].name}, or Node`;
}

import { parseProxy } from '../proxy.js';

/**
 * @import { Refusal } from './checks/types.js'
 * @import { Property } from './properties.js'
 */

/** The property `proxy` of operations. @type {Property} */
export const PROXY = {
  type: 'string | URL | null | false',
  check: (v) => isNoProxy(v) || typeof v === 'string' || v instanceof URL,
  expected: 'the URL of a proxy, or null for none',
  refuse: (v) => (typeof v === 'string' || v instanceof URL ? refuseProxy(v) : []),
  schema: { type: ['string', 'null', 'boolean'], not: { const: true } },
  about: 'HTTP proxy of the request, such as http://proxy:3128; null: none; default: the run option proxy',
};

/**
 * @param {any} value of the property
 * @returns {boolean} the request goes to the server directly
 */
export function isNoProxy(value) {
  return value === null || value === false || value === '';
}

/** @type {(value: string | URL) => Refusal[]} */
function refuseProxy(value) {
  const { problem: reason } = isNoProxy(value) ? { problem: null } : parseProxy(value);
  return reason ? [{ reason }] : [];
}

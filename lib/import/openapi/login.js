import { isRecord, member, membersOf } from '../read-document.js';

/** @import { Endpoint } from './endpoints.js' */
/** @import { References } from './references.js' */

const PATH = /\/(?:log-?in|sign-?in|auth(?:enticate|entication|orize)?|tokens?|sessions?|oauth2?)$/i;
const TOKEN = /^(?:access_?token|token|jwt|id_?token|auth_?token|bearer)$/i;

/**
 * Finds the operation that returns the token which the others send: a POST without security, whose path and response
 * say so.
 * @type {(endpoints: Endpoint[], references: References) => { endpoint: Endpoint, capture: string } | null}
 */
export function loginAmong(endpoints, references) {
  if (endpoints.every(({ security }) => security.length === 0)) return null;
  for (const endpoint of endpoints) {
    const { method, template, security, isDeprecated, result } = endpoint;
    const isOpen = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
    if (method !== 'POST' || isDeprecated || !isOpen || !PATH.test(template) || template.includes('{')) continue;
    const capture = pathOfToken(result, references, '$', 0);
    if (capture !== undefined) return { endpoint, capture };
  }
  return null;
}

/** @type {(schema: any, references: References, at: string, depth: number) => string | undefined} */
function pathOfToken(schema, references, at, depth) {
  const found = references.resolve(schema);
  if (!isRecord(found)) return undefined;
  const properties = membersOf(member(found, 'properties'));
  const own = properties.find(([name]) => TOKEN.test(name));
  if (own) return `${at}.${own[0]}`;
  const inner = depth === 0 ? properties.filter(([name]) => /^(?:data|result|user)$/.test(name)) : [];
  for (const [name, one] of inner) {
    const path = pathOfToken(one, references, `${at}.${name}`, 1);
    if (path !== undefined) return path;
  }
  return undefined;
}

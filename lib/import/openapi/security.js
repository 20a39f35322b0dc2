import { variableName } from '../environment-names.js';
import { isRecord, member, membersOf } from '../read-document.js';

/** @import { Endpoint } from './endpoints.js' */
/** @import { References } from './references.js' */

/**
 * @typedef {object} Credentials of an operation
 * @property {Record<string, string>} headers
 * @property {Record<string, string>} cookies
 * @property {string[]} query
 * @property {Record<string, string | boolean>} [auth]
 */

/** How the value of a scheme is written, if no login of the document returns it. */
const TOKEN = '#{env.TOKEN}';
const USER = { user: '#{env.USER_NAME}', pass: '#{env.PASSWORD}' };

/**
 * Writes the credentials of an operation: those of the first alternative of its security schemes, as tokens of the
 * environment, or the token that a login captures.
 * @type {(endpoint: Endpoint, document: any, context: { references: References, loginToken: string | null, notes:
 *   Set<string> }) => Credentials}
 */
export function credentialsFor({ security }, document, { references, loginToken, notes }) {
  const schemes = member(member(document, 'components'), 'securitySchemes') ?? member(document, 'securityDefinitions');
  /** @type {Credentials} */
  const credentials = { headers: {}, cookies: {}, query: [] };
  for (const [name] of membersOf(security[0])) {
    const scheme = references.resolve(member(schemes, name));
    if (isRecord(scheme)) addScheme(credentials, scheme, { name, loginToken, notes });
  }
  return credentials;
}

/** @typedef {{ name: string, loginToken: string | null, notes: Set<string> }} SchemeContext */

/** @type {(credentials: Credentials, scheme: Record<string, any>, context: SchemeContext) => void} */
function addScheme(credentials, scheme, { name, loginToken, notes }) {
  const kind = scheme.type === 'http' ? String(scheme.scheme ?? '').toLowerCase() : scheme.type;
  if (kind === 'basic' || kind === 'digest')
    credentials.auth = { ...USER, ...(kind === 'digest' && { sendImmediately: false }) };
  else if (kind === 'bearer' || kind === 'oauth2' || kind === 'openIdConnect')
    credentials.headers.Authorization = `Bearer ${loginToken ?? TOKEN}`;
  else if (kind === 'apiKey' && typeof scheme.name === 'string') addKey(credentials, scheme, loginToken);
  else notes.add(`The security scheme ${name} (${kind || 'unknown'}) has no equivalent: add what it needs.`);
}

/** @type {(credentials: Credentials, scheme: Record<string, any>, loginToken: string | null) => void} */
function addKey({ headers, cookies, query }, { in: place, name: key }, loginToken) {
  const value = `#{env.${variableName(key)}}`;
  if (place === 'query') query.push(`${encodeURIComponent(key)}=${value}`);
  else if (place === 'cookie') cookies[key] = value;
  else if (/^[\w-]+$/.test(key))
    headers[key] = /^authorization$/i.test(key) && loginToken !== null ? `Bearer ${loginToken}` : value;
}

const LOGIN_PATH = /\/(?:log-?in|sign-?in|auth(?:enticate|entication|orize)?|tokens?|sessions?|oauth2?)$/i;
const TOKEN_NAME = /^(?:access_?token|token|jwt|id_?token|auth_?token|bearer)$/i;

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
    if (method !== 'POST' || isDeprecated || !isOpen || !LOGIN_PATH.test(template) || template.includes('{')) continue;
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
  const own = properties.find(([name]) => TOKEN_NAME.test(name));
  if (own) return `${at}.${own[0]}`;
  const inner = depth === 0 ? properties.filter(([name]) => /^(?:data|result|user)$/.test(name)) : [];
  for (const [name, one] of inner) {
    const path = pathOfToken(one, references, `${at}.${name}`, 1);
    if (path !== undefined) return path;
  }
  return undefined;
}

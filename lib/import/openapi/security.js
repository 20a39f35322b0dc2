import { isRecord, member, membersOf } from '../read-document.js';
import { variableName } from '../environment-names.js';

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

/**
 * @typedef {{ name: string, loginToken: string | null, notes: Set<string> }} SchemeContext
 *
 * @type {(credentials: Credentials, scheme: Record<string, any>, context: SchemeContext) => void}
 */
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

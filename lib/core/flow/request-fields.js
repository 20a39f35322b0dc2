import { makeError } from '../ground/errors.js';
import { createProblems } from '../ground/problems.js';
import { TOKEN, basicCredentials } from '../http/field-values.js';
import { anyText, typeName } from '../text/format-value.js';
import { passwordOf, tokenOf, userOf } from './auth.js';
import { READERS, signatureOf } from './readers.js';
import { authorizationIn, decidesCredentials } from './rules.js';
import { compileTemplate, markTokens, renderTemplate, wordsIn } from './template.js';
import { TOKENS } from './tokens/index.js';
import { Placeholder } from './placeholder.js';

/** @import { Request } from '../contracts/request.js' */
/** @import { Operation, Scope } from '../contracts/step.js' */
/** @import { BodyTemplate } from './bodies/types.js' */
/** @import { Place, RequestInput } from './types.js' */

/**
 * @typedef {Map<string, { name: string, value: any }>} FieldsByName by their names in lower case
 *
 * @typedef {{ body: Pick<BodyTemplate, 'contentType' | 'overridesHeaders'>, userinfo: string | null }} Derived
 */

/**
 * Compiles the header fields of a request, names and values in turn: a function if a token is in them. Later ones
 * replace earlier ones of the same name: those that follow from other properties of the operation (`derived`: its body
 * and URL), its credentials, and `headers`.
 * @type {(operation: Operation, input: RequestInput, derived: Derived) => string[] | ((scope: Scope) => string[])}
 */
export function compileFields(operation, input, derived) {
  const { moreHeaders, place } = input;
  if (!moreHeaders) return compileAll(collectFields(operation, input, derived), place);
  const more = moreHeaders.reader();
  return (scope) => {
    const inRun = { ...place, complain: place.refuse };
    const given = { ...input, headers: { ...input.headers, ...more(scope) }, place: inRun };
    const fields = compileAll(collectFields(operation, given, derived), inRun);
    return Array.isArray(fields) ? fields : fields(scope);
  };
}

/** @type {(operation: Operation, input: RequestInput, derived: Derived) => FieldsByName} */
function collectFields(operation, input, { body: { contentType, overridesHeaders }, userinfo }) {
  /** @type {FieldsByName} */
  const fields = new Map();
  const [accepted] = READERS.flatMap(({ accept }) => accept(operation) ?? []);
  setField(fields, 'Accept', accepted ?? (operation.json === undefined ? undefined : 'application/json'));
  if (contentType) setField(fields, 'Content-Type', contentType);
  if (operation.gzip) setField(fields, 'Accept-Encoding', 'gzip, deflate, br');
  if (!(operation.keepAlive ?? input.run.keepAlive ?? true)) setField(fields, 'Connection', 'close');
  setField(fields, 'Authorization', authorizationOf(operation.auth, input, userinfo));
  for (const [name, value] of Object.entries(input.headers)) {
    if (value instanceof Placeholder || [value].flat().every(isFieldValue))
      setField(fields, name, asOneField(name, value));
    else
      input.place.complain(`headers.${name}`, `expected a text, a number, or an array of them, got ${typeName(value)}`);
  }
  if (overridesHeaders) setField(fields, 'Content-Type', contentType);
  const signature = signatureOf(operation);
  if (signature) refuseCredentials(signature.name, operation, input, userinfo);
  const cookie = cookiesOf(operation, input, fields.get('cookie')?.value);
  if (cookie !== undefined) setField(fields, 'Cookie', cookie);
  return fields;
}

/**
 * Refuses other credentials of a request that is signed: all of them are the field Authorization.
 * @type {(name: string, operation: Operation, input: RequestInput, userinfo: string | null) => void} name: of what
 *   signs it
 */
function refuseCredentials(name, { auth }, { headers, user, place }, userinfo) {
  const refuse = (/** @type {string} */ other, cure = '') =>
    place.complain(
      name,
      `signs the request in the field Authorization, which ${other} sets too: remove one of them${cure}`,
    );
  const ownField = authorizationIn(headers);
  if (decidesCredentials(auth)) refuse('auth');
  else if (ownField !== undefined && ownField !== null) refuse('headers');
  else if (ownField === null) return;
  else if (user) refuse('the user of the run', ', or write headers: { Authorization: null }');
  else if (userinfo !== null) refuse('the user in the URL');
}

/** A request has one Cookie field (RFC 6265 5.4). @type {(name: string, value: unknown) => unknown} */
function asOneField(name, value) {
  const isTexts =
    Array.isArray(value) && value.every((one) => typeof one !== 'function' && !(one instanceof Placeholder));
  return isTexts && name.toLowerCase() === 'cookie' ? value.join('; ') : value;
}

/**
 * Reports whether a request asks the server to close the connection after the response (RFC 9112 9.6). Of fields of one
 * name in different letters the last one is sent, here as elsewhere.
 * @type {(operation: Operation, input: Pick<RequestInput, 'headers' | 'run'>) => boolean}
 */
export function closesConnection({ keepAlive }, { headers, run }) {
  const given = Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'connection');
  return given ? /\bclose\b/i.test(anyText(given[1])) : !(keepAlive ?? run.keepAlive ?? true);
}

/** @type {(operation: Operation, input: RequestInput, field: unknown) => string | undefined} */
function cookiesOf({ cookies, jar }, { place: { mark }, cookies: runCookies = {} }, field) {
  if (cookies === undefined && (jar === false || Object.keys(runCookies).length === 0)) return undefined;
  /** @type {(pairs: Record<string, unknown>) => Record<string, string>} */
  const marked = (pairs) =>
    Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, mark(anyText(value), `cookies.${name}`)]));
  return cookieField(field, marked(cookies ?? {}), jar === false ? {} : marked(runCookies));
}

/** Sets a field; undefined and null remove it. @type {(fields: FieldsByName, name: string, value: unknown) => void} */
function setField(fields, name, value) {
  if (value === undefined || value === null) fields.delete(name.toLowerCase());
  else fields.set(name.toLowerCase(), { name, value });
}

/** @type {(auth: any, input: RequestInput, userinfo: string | null) => unknown} */
function authorizationOf(auth, input, userinfo) {
  const { place } = input;
  if (auth?.sendImmediately === false) return undefined;
  if (typeof auth?.bearer === 'function') {
    const token = tokenOf(auth.bearer, place);
    return (/** @type {Scope} */ scope) => `Bearer ${token(scope)}`;
  }
  if ((auth?.bearer ?? null) !== null) return `Bearer ${place.mark(String(auth.bearer), 'auth.bearer')}`;
  const credentials = credentialsOf(auth, input) ?? userinfo;
  if (!credentials) return undefined;
  const template = compileTemplate(credentials);
  return typeof template === 'string'
    ? basicCredentials(template)
    : (/** @type {Scope} */ scope) => basicCredentials(template(scope));
}

/** @type {(auth: any, input: Pick<RequestInput, 'user' | 'password' | 'place'>) => string | undefined} */
function credentialsOf(auth, { user, password, place }) {
  const ownUser = userOf(auth);
  const ownPassword = passwordOf(auth);
  if (ownUser === undefined && !user) return undefined;
  const pair = ownUser === undefined ? [user, ownPassword ?? password] : [ownUser, ownPassword];
  return pair.map((text) => place.mark(String(text ?? ''), 'auth')).join(':');
}

/** @typedef {{ at: number, name: string, render: (scope: Scope) => unknown }} VaryingField at: position of its value */

/** @type {(collected: FieldsByName, place: Place) => string[] | ((scope: Scope) => string[])} */
function compileAll(collected, { where, complain }) {
  /** @type {string[]} */
  const constant = [];
  /** @type {VaryingField[]} */
  const varying = [];
  for (const { name, value } of collected.values()) {
    const key = `headers.${name}`;
    const all = [value].flat();
    if (all.length > 1 && name.toLowerCase() === 'host') complain(key, 'is a list: a request has one Host');
    for (const one of all) {
      const template = templateOf(one);
      const text = typeof template === 'string' ? template : '';
      const refusal = refuseField(name, text);
      if (refusal) complain(key, refusal);
      if (typeof template !== 'string') varying.push({ at: constant.length + 1, name, render: template });
      constant.push(name, text);
    }
  }
  return varying.length === 0 ? constant : (scope) => withValues(constant, varying, scope, where);
}

/** @type {(value: any) => string | ((scope: Scope) => unknown)} */
function templateOf(value) {
  if (value instanceof Placeholder) return value.reader();
  return typeof value === 'function' ? value : compileTemplate(String(value));
}

/** @type {(constant: string[], varying: VaryingField[], scope: Scope, where: string) => string[]} */
function withValues(constant, varying, scope, where) {
  /** @type {(string | null)[]} */
  const fields = constant.slice();
  for (const { at, name, render } of varying) {
    const value = render(scope) ?? null;
    const text = value === null ? null : String(value);
    if (text !== null && !isFieldText(text))
      throw makeError('E_REQUEST_FIELD', { place: `${where}.headers.${name}`, reason: NO_FIELD_TEXT });
    fields[at] = text;
  }
  // Names are at even positions, each with its value behind it (i | 1).
  const all = fields.includes(null) ? fields.filter((_, i) => fields[i | 1] !== null) : fields;
  return /** @type {string[]} */ (all);
}

/** Explains why a field cannot be sent. @type {(name: string, value: string) => string | undefined} */
export function refuseField(name, value) {
  if (!TOKEN.test(name)) return 'is not a header field name';
  if (!isFieldText(value)) return NO_FIELD_TEXT;
  const cure = Object.hasOwn(INSTEAD, name.toLowerCase()) ? INSTEAD[name.toLowerCase()] : undefined;
  return cure && `cannot be set: ${cure}`;
}

const NO_FIELD_TEXT = 'has a character that no header field can carry (CR, LF, NUL or beyond latin1)';

/** The remedy for setting a field that has another source. @type {Record<string, string>} */
const INSTEAD = {
  'proxy-authorization': 'write the user and password of a proxy into its URL, as user:password@ in front of the host',
};

/** @type {(value: unknown) => boolean} */
function isFieldValue(value) {
  return (
    value === null ||
    Buffer.isBuffer(value) ||
    ['string', 'number', 'boolean', 'bigint', 'undefined'].includes(typeof value)
  );
}

/** @type {(value: string) => boolean} */
function isFieldText(value) {
  return !/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value);
}

/**
 * Compiles the cookies of a run to those of an iteration; outside of iterations, those without tokens. Operations
 * report the problems of their tokens.
 * @type {(cookies: Record<string, string>) => (scope: Scope) => Record<string, string>}
 */
export function compileCookies(cookies) {
  const quiet = { problems: createProblems('E_FLOW'), path: '' };
  const compiled = Object.entries(cookies)
    .filter(([, value]) => wordsIn(value).every(isTextToken))
    .map(([name, value]) => ({ name, template: compileTemplate(markTokens(value, quiet)) }));
  return (scope) =>
    Object.fromEntries(
      compiled.flatMap(({ name, template }) =>
        typeof template === 'string' || scope.index !== undefined ? [[name, renderTemplate(template, scope)]] : [],
      ),
    );
}

/** Operations send cookies with other tokens in their own Cookie field. @type {(word: string) => boolean} */
function isTextToken(word) {
  return TOKENS.some(({ name, compile }) => name === word && compile !== undefined);
}

/** @type {(field: unknown, own: Record<string, string>, runCookies: Record<string, string>) => string | undefined} */
export function cookieField(field, own, runCookies) {
  const pairs = Object.entries({ ...runCookies, ...own }).map(([name, value]) => `${name}=${value}`);
  const given = field === undefined ? [] : [field].flat();
  return pairs.length === 0 ? undefined : [...given, ...pairs].join('; ');
}

/** @typedef {{ key: string, reason: string }} FramingProblem */

/** Reports whether a field says where a body ends (RFC 9112 6), which is computed. @type {(name: string) => boolean} */
export function isFramingField(name) {
  // Hooks ask it for every header that they change: a length is compared faster than a text.
  const { length } = name;
  return (length === 14 || length === 17) && /^(?:content-length|transfer-encoding)$/i.test(name);
}

/**
 * Explains why fields of the user's own, names and values in turn, would break the framing: the server would read the
 * next request as part of this body, or wait for the rest of it. Null if they describe the body.
 * @type {(fields: string[], body: Request['body']) => FramingProblem | null}
 */
export function refuseFraming(fields, body) {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  if (lengths.length > 0 && codings.length > 0)
    return problem('Content-Length', 'and Transfer-Encoding contradict each other: remove one of them');
  const size = body === null ? 0 : Buffer.byteLength(body);
  if (lengths.length > 1) return problem('Content-Length', 'is there twice: a request has one');
  if (lengths.length === 1 && !(/^\d+$/.test(lengths[0]) && Number(lengths[0]) === size))
    return problem(
      'Content-Length',
      `is ${lengths[0] || 'empty'}, and the body has ${size} bytes: remove it, the length is computed`,
    );
  const all = codings.join(',').toLowerCase().split(',');
  if (codings.length > 0 && all.findIndex((coding) => coding.trim() === 'chunked') !== all.length - 1)
    return problem('Transfer-Encoding', 'does not end with chunked, so that the end of the body could not be found');
  return null;
}

/** It is one chunk if the fields say so. @type {(fields: string[], body: Request['body']) => Request['body']} */
export function framedBody(fields, body) {
  if (valuesOf(fields, 'transfer-encoding').length === 0) return body;
  const size = body === null ? 0 : Buffer.byteLength(body);
  if (body === null || size === 0) return '0\r\n\r\n';
  const [head, tail] = [`${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'];
  return typeof body === 'string' ? head + body + tail : Buffer.concat([Buffer.from(head), body, Buffer.from(tail)]);
}

/** @type {(key: string, reason: string) => FramingProblem} */
function problem(key, reason) {
  return { key: `headers.${key}`, reason };
}

/** @type {(fields: string[], name: string) => string[]} */
function valuesOf(fields, name) {
  return fields.flatMap((field, i) => (i % 2 === 0 && field.toLowerCase() === name ? fields[i + 1].trim() : []));
}

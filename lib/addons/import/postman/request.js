import { TOKEN as HTTP_TOKEN } from '../../../core/http/field-values.js';
import { AWS_DEFAULTS, draftOf, requestOf, withField } from '../draft.js';
import { isRecord, itemsOf, member } from '../read-document.js';
import { encodeAroundTokens, hasToken, token as tokenOf } from '../tokens.js';

/** @import { OperationDraft } from '../import.js' */
/** @import { Variables } from '../variables.js' */
/** @import { ScriptParts } from '../scripts/read-scripts.js' */

/** Header fields that the run sets itself. */
export const OWN_FIELD = /^(?:content-length|host|connection)$/i;

/** @typedef {{ method: string, url: string, headers: Record<string, any>, body: Record<string, any> }} RequestParts */

/** Methods whose bodies Postman leaves out. */
const WITHOUT_BODY = /^(?:GET|HEAD|COPY|PURGE|UNLOCK)$/i;

/**
 * Translates a request of a collection; a text: why it cannot be sent. `keepsBody`: reads have theirs; `language` is
 * that of a raw body without one.
 * @type {(request: Record<string, any>, variables: Variables, comments: string[], options?: { keepsBody?: boolean,
 *   language?: string }) => string | RequestParts}
 */
export function requestParts(request, variables, comments, { keepsBody = true, language } = {}) {
  const given = request.method ?? 'GET';
  if (typeof given !== 'string' || !HTTP_TOKEN.test(given)) return 'its method is none';
  const url = variables.url(urlOf(request.url)).replace(/#(?!\{).*$/s, '');
  if (/^(?:\?|$)/.test(url)) return 'it has no URL';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(url) && !/^https?:/i.test(url)) return `${url.split(':')[0]}: is not HTTP`;
  const whole = /^(?:https?:\/\/|#\{)/i.test(url) ? url : `http://${url}`;
  for (const [, name] of whole.replace(/\?.*$/s, '').matchAll(/(?<=[^:/]\/):([A-Za-z_][\w-]*)(?=\/|$)/g))
    comments.push(`Write the parameter :${name} of the path: it has no value.`);
  const headers = headersOf(request.header, variables);
  const isLeftOut = !keepsBody && WITHOUT_BODY.test(given);
  const body = isLeftOut ? {} : bodyOf(request.body, variables, { headers, comments, language });
  return { method: given.toUpperCase(), url: whole.trim().replaceAll(' ', '%20'), headers, body };
}

/**
 * Returns the properties of an operation that does not follow redirects, or has no cookies.
 * @type {(settings: { follows: unknown, hasJar: boolean }) => Record<string, boolean>}
 */
export function exchangeProperties({ follows, hasJar }) {
  return { ...(follows === false && { followRedirect: false }), ...(!hasJar && { jar: false }) };
}

/**
 * Joins the parts of a request, its credentials and its scripts to a draft.
 * @type {(parts: RequestParts, credentials: Credentials, rest: { title: string, scripts: ScriptParts, comments:
 *   string[] }) => OperationDraft}
 */
export function draftOfParts(parts, { headers: added, query, properties, secrets }, { title, scripts, comments }) {
  const headers = { ...parts.headers, ...added };
  const { expect, capture } = scripts;
  const operation = {
    ...requestOf(parts.method, withQuery(parts.url, query)),
    ...(title !== '' && { name: title }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...properties,
    ...parts.body,
    ...(Object.keys(expect).length > 0 && { expect }),
    ...(Object.keys(capture).length > 0 && { capture }),
  };
  return { ...draftOf(operation, [...comments, ...scripts.comments]), ...(secrets && { secrets }) };
}

/** Adds pairs to the query of a URL. @type {(url: string, pairs: string[]) => string} */
export function withQuery(url, pairs) {
  return pairs.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** @type {(url: any) => string} */
function urlOf(url) {
  if (typeof url === 'string') return url;
  if (!isRecord(url)) return '';
  // Postman sends the parts, and not the text beside them.
  const hasParts = url.host !== undefined || url.path !== undefined;
  const raw = !hasParts && typeof url.raw === 'string' ? url.raw : assembled(url);
  const isDisabled = itemsOf(url.query).some((one) => one?.disabled === true);
  const base = isDisabled ? `${raw.split('?')[0]}${queryOf(url.query)}` : raw;
  const given = itemsOf(url.variable).filter((one) => typeof one?.key === 'string');
  const values = new Map(given.map(({ key, value }) => [key, value || `{{${key}}}`]));
  return base.replace(/(?<=\/):([\w-]+)(?=[/?#.]|$)/g, (whole, key) => values.get(key) ?? whole);
}

/** @type {(url: Record<string, any>) => string} */
function assembled({ protocol, host, port, path, query }) {
  const joined = (/** @type {unknown} */ parts, /** @type {string} */ separator) =>
    Array.isArray(parts)
      ? parts.map((part) => (isRecord(part) ? String(part.value ?? '') : String(part))).join(separator)
      : String(parts ?? '');
  const origin = `${protocol ? `${protocol}://` : ''}${joined(host, '.').replace(/\/+$/, '')}${port ? `:${port}` : ''}`;
  // A variable may have the path.
  const start = [path ?? []].flat().length > 0 ? '/' : '';
  return origin === '' ? '' : `${origin}${start}${joined(path, '/').replace(/^\//, '')}${queryOf(query)}`;
}

/** @type {(query: unknown) => string} */
function queryOf(query) {
  const pairs = itemsOf(query).filter((one) => isRecord(one) && one.disabled !== true && typeof one.key === 'string');
  const texts = pairs.map(({ key, value }) => (value === null || value === undefined ? key : `${key}=${value}`));
  return texts.length > 0 ? `?${texts.join('&')}` : '';
}

/** @type {(given: unknown, variables: Variables) => Record<string, any>} */
function headersOf(given, variables) {
  // Old collections have the fields as the lines of one text.
  const lines = typeof given === 'string' ? [...given.matchAll(/^([^:\s]+):[ \t]*(.*?)[ \t\r]*$/gm)] : [];
  /** @type {Record<string, any>} */
  let fields = {};
  for (const one of [...itemsOf(given), ...lines.map(([, key, value]) => ({ key, value }))]) {
    if (!isRecord(one) || one.disabled === true || typeof one.key !== 'string' || !HTTP_TOKEN.test(one.key)) continue;
    const value = variables.text(String(one.value ?? '')).replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '');
    if (!OWN_FIELD.test(one.key)) fields = withField(fields, one.key, value);
  }
  return fields;
}

/**
 * Translates the body of a request; removes a Content-Type of `headers` that the operation sends anyway. `language` is
 * that of a text without one.
 * @type {(body: any, variables: Variables, context: { headers: Record<string, any>, comments: string[], language?:
 *   string }) => Record<string, any>}
 */
function bodyOf(body, variables, { headers, comments, language }) {
  if (!isRecord(body) || body.disabled === true) return {};
  const list = body[body.mode];
  if (Array.isArray(list) && list.every((one) => !isRecord(one) || one.disabled === true)) return {};
  switch (body.mode) {
    case 'raw': {
      const { raw = '' } = body;
      const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
      return rawBody(text, member(member(body.options, 'raw'), 'language') ?? language, variables, headers);
    }
    case 'urlencoded':
      return typeof body.urlencoded === 'string'
        ? { form: variables.text(body.urlencoded) }
        : { form: pairsOf(body.urlencoded, variables, headers) };
    case 'formdata':
      dropType(headers, /^multipart\/form-data/i);
      return { formData: partsOf(body.formdata, variables, comments) };
    case 'graphql':
      return graphqlBody(body.graphql, variables, headers);
    case 'file':
      if (member(body.file, 'src')) return { body: { file: String(body.file.src) } };
      comments.push('The file of the body is not in the collection: write its path.');
      return {};
    default:
      return {};
  }
}

/**
 * Finds a field by its name in lower case, and returns the name as it is written.
 * @type {(headers: Record<string, any>, wanted: string) => string | undefined}
 */
export function fieldNameIn(headers, wanted) {
  return Object.keys(headers).find((name) => name.toLowerCase() === wanted);
}

/**
 * Translates a body that is written as text. Sets or removes the Content-Type of `headers`; without a language and a
 * field the body has none.
 * @type {(text: string, language: unknown, variables: Variables, headers: Record<string, any>) => Record<string, any>}
 */
export function rawBody(text, language, variables, headers) {
  if (text === '') return {};
  const name = fieldNameIn(headers, 'content-type');
  const type = name === undefined ? undefined : String(headers[name]);
  const isJson = type === undefined ? language === 'json' : /\bjson\b/i.test(type);
  const value = isJson && !hasLongNumber(text) ? jsonOf(text, variables) : undefined;
  if (value !== undefined) {
    dropType(headers, /^application\/json\s*(?:;\s*charset=utf-8)?$/i);
    return { json: value };
  }
  if (type === undefined && language !== undefined)
    headers['Content-Type'] = member(TYPES, String(language)) ?? TYPES.text;
  return { body: variables.text(isJson ? withoutComments(text) : text) };
}

/** The types of the languages of a text in Postman. */
const TYPES = {
  json: 'application/json',
  javascript: 'application/javascript',
  xml: 'application/xml',
  html: 'text/html',
  text: 'text/plain',
};

/** A text of JSON; one without an end ends with its line. */
const QUOTED = /"(?:[^"\\\n]|\\[^])*(?:"|$)/gm;
const QUOTED_OR_VARIABLE = new RegExp(String.raw`(${QUOTED.source})|\{\{\s*([^{}]+?)\s*\}\}`, 'gm');
const QUOTED_OR_COMMENT = new RegExp(String.raw`(${QUOTED.source})|//.*|/\*[^]*?\*/|^[ \t]*#.*`, 'gm');

/** Reports whether JSON has a number that would lose digits as a value. @type {(json: string) => boolean} */
function hasLongNumber(json) {
  return /\d{16}/.test(json.replace(QUOTED, ''));
}

/** Postman and the REST client do not send comments. @type {(json: string) => string} */
function withoutComments(json) {
  return json.replace(QUOTED_OR_COMMENT, (_, string = '') => string);
}

/**
 * Parses JSON that has variables, also without quotes: `{"id": {{id}}}`. These get quotes with a mark (`\0`) behind
 * the first one, by which they are found in the parsed value and become `#{id:json}`; what has quotes is text.
 * Undefined: it is not JSON.
 * @type {(text: string, variables: Variables) => any}
 */
function jsonOf(text, variables) {
  const quoted = text.replace(QUOTED_OR_VARIABLE, (whole, string, name) =>
    string === undefined ? JSON.stringify(`{{${name}}}`).replace(/^"/, '"\u0000') : whole,
  );
  for (const one of [quoted, withoutComments(quoted)])
    try {
      return filled(JSON.parse(one.replaceAll('\u0000', '\\u0000')));
    } catch {
      // The text has comments, or is not JSON.
    }
  return undefined;

  /** @type {(value: any) => any} */
  function filled(value) {
    if (typeof value === 'string')
      return value.startsWith('\u0000')
        ? variables.text(value.slice(1)).replace(/^#\{(\w+(?:\.\w+)?(?:\([^()]*\))?)\}$/, '#{$1:json}')
        : variables.jsonText(value);
    if (Array.isArray(value)) return value.map(filled);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [variables.text(key), filled(one)]))
      : value;
  }
}

/** Removes a Content-Type that is sent anyway. @type {(headers: Record<string, any>, type: RegExp) => void} */
function dropType(headers, type) {
  const name = fieldNameIn(headers, 'content-type');
  if (name !== undefined && type.test(headers[name])) delete headers[name];
}

/**
 * Returns the pairs of a form: an object, or a text if a name occurs twice.
 * @type {(given: unknown, variables: Variables, headers: Record<string, any>) => any}
 */
function pairsOf(given, variables, headers) {
  dropType(headers, /^application\/x-www-form-urlencoded$/i);
  const pairs = itemsOf(given).filter((one) => isRecord(one) && one.disabled !== true && typeof one.key === 'string');
  const names = new Set(pairs.map(({ key }) => key));
  const texts = pairs.map(({ key, value }) => [variables.text(key), variables.text(String(value ?? ''))]);
  if (names.size === pairs.length) return Object.fromEntries(texts);
  // Postman sends the pairs of one name together.
  const grouped = [...names].flatMap((name) => texts.filter((_, i) => pairs[i].key === name));
  return grouped.map((pair) => pair.map(encodeAroundTokens).join('=')).join('&');
}

/** @type {(given: unknown, variables: Variables, comments: string[]) => Record<string, any>} */
function partsOf(given, variables, comments) {
  /** @type {Map<string, any[]>} */
  const parts = new Map();
  for (const one of itemsOf(given)) {
    if (!isRecord(one) || one.disabled === true || typeof one.key !== 'string') continue;
    const type = typeof one.contentType === 'string' && one.contentType !== '' ? { contentType: one.contentType } : {};
    const files = [one.src].flat().filter((file) => typeof file === 'string' && file !== '');
    if (one.type === 'file' && files.length === 0)
      comments.push(`The file ${one.key} is not in the collection: write its path.`);
    const added =
      one.type === 'file' ? filesOf(files, type) : [textPart(variables.text(String(one.value ?? '')), type)];
    const name = variables.text(one.key);
    const all = parts.get(name) ?? [];
    all.push(...added);
    parts.set(name, all);
  }
  return Object.fromEntries([...parts].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** @type {(files: string[], type: { contentType?: string }) => any[]} */
function filesOf(files, type) {
  // A part to be replaced: a comment asks for the path.
  if (files.length === 0) return [{ value: 'content', filename: 'file.txt', ...type }];
  return files.map((file) => ({ file, ...type }));
}

/** @type {(value: string, type: { contentType?: string }) => any} */
function textPart(value, type) {
  return Object.keys(type).length > 0 ? { value, ...type } : value;
}

/** @type {(graphql: unknown, variables: Variables, headers: Record<string, any>) => Record<string, any>} */
function graphqlBody(graphql, variables, headers) {
  const [query, operationName, given] = ['query', 'operationName', 'variables'].map((key) => member(graphql, key));
  const text = typeof given === 'string' ? given.trim() : JSON.stringify(given ?? '');
  const parts = [
    ...(query === undefined ? [] : [`"query":${JSON.stringify(query)}`]),
    ...(typeof operationName === 'string' ? [`"operationName":${JSON.stringify(operationName)}`] : []),
    ...(text === '' || text === '""' ? [] : [`"variables":${text}`]),
  ];
  return rawBody(`{${parts.join(',')}}`, 'json', variables, headers);
}

/**
 * @typedef {object} Credentials
 * @property {Record<string, string>} headers
 * @property {string[]} query pairs
 * @property {Record<string, any>} properties
 * @property {string[]} [secrets] names whose values are secrets
 */

/**
 * Translates the authorization of a request, which it may have from its folder or its collection.
 * @type {(auth: any, variables: Variables, comments: string[]) => Credentials}
 */
export function authOf(auth, variables, comments) {
  const none = { headers: {}, query: [], properties: {} };
  if (!isRecord(auth) || typeof auth.type !== 'string' || auth.type === 'noauth') return none;
  const members = membersOfAuth(auth[auth.type]);
  const get = (/** @type {string} */ name) => variables.text(String(members[name] ?? ''));
  switch (auth.type) {
    case 'bearer':
      if (get('token') !== '') return { ...none, properties: { auth: { bearer: get('token') } } };
      comments.push('The bearer token is empty, so no Authorization is sent: add auth: { bearer } where it is needed.');
      return none;
    case 'oauth2':
      return tokenAs(get('accessToken') || NO_TOKEN, get('addTokenTo'), get('headerPrefix').trim());
    case 'basic':
      return { ...none, properties: { auth: { user: get('username'), pass: get('password') } } };
    case 'digest':
      return {
        ...none,
        properties: { auth: { user: get('username'), pass: get('password'), sendImmediately: false } },
      };
    case 'apikey':
      return keyAs(get('key') || 'X-Api-Key', get('value'), get('in'), comments);
    case 'awsv4':
      if (String(members.addAuthDataToQuery) === 'true')
        comments.push('The signature is in the field Authorization, not in the query.');
      return { ...none, properties: { aws: awsOf(get) } };
    default:
      comments.push(`The authorization ${auth.type} has no equivalent: add what it needs.`);
      return none;
  }
}

/** A token that the collection does not have. */
const NO_TOKEN = tokenOf('env.TOKEN');
const ACCESS_TOKEN = 'access_token';

/** @type {(token: string, place: string, prefix: string) => Credentials} */
function tokenAs(token, place, prefix) {
  const none = { headers: {}, query: [], properties: {} };
  if (/^query/i.test(place)) return { ...none, query: [`${ACCESS_TOKEN}=${encodeAroundTokens(token)}`] };
  if (prefix === '' || /^bearer$/i.test(prefix)) return { ...none, properties: { auth: { bearer: token } } };
  return { ...none, headers: { Authorization: `${prefix} ${token}` } };
}

/** @type {(key: string, value: string, place: string, comments: string[]) => Credentials} */
function keyAs(key, value, place, comments) {
  const none = { headers: {}, query: [], properties: {}, secrets: [key] };
  if (place === 'query') return { ...none, query: [`${encodeAroundTokens(key)}=${encodeAroundTokens(value)}`] };
  if (place === 'cookie') return { ...none, properties: { cookies: { [key]: value } } };
  if (HTTP_TOKEN.test(key) || hasToken(key)) return { ...none, headers: { [key]: value } };
  comments.push(`The API key is no header field: ${JSON.stringify(key)} is no name of one.`);
  return { headers: {}, query: [], properties: {} };
}

/** @type {(get: (name: string) => string) => Record<string, string>} */
function awsOf(get) {
  const token = get('sessionToken');
  return {
    accessKeyId: get('accessKey') || tokenOf('env.AWS_ACCESS_KEY_ID'),
    secretAccessKey: get('secretKey') || tokenOf('env.AWS_SECRET_ACCESS_KEY'),
    region: get('region') || AWS_DEFAULTS.region,
    service: get('service') || AWS_DEFAULTS.service,
    ...(token !== '' && { sessionToken: token }),
  };
}

/** An array of { key, value } in collections 2.1, an object in 2.0. @type {(given: any) => Record<string, any>} */
function membersOfAuth(given) {
  if (isRecord(given)) return given;
  return Object.fromEntries(
    itemsOf(given).flatMap((one) => (typeof one?.key === 'string' ? [[one.key, one.value]] : [])),
  );
}

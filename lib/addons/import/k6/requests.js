import { pathInFlow, requestOf } from '../draft.js';
import { OWN_FIELD } from '../postman/request.js';
import { timeOf } from './options.js';
import { isText } from './texts.js';
import { jars, originOf } from './jars.js';
import { Untranslated } from './render.js';
import { shownInLine } from './shown-source.js';
import { isKnown, isPrimitive, isStructure, OTHERS, Sym, sym } from './values.js';

/** @typedef {any} Value */
/** @typedef {any} Node */
/** @import { ImportOptions, OperationDraft } from '../import.js' */
/** @import { Renderer } from './render.js' */

/**
 * @typedef {{ method: Value, url: Value, body?: Value, params?: Value }} Given the parts of a request in a script
 *
 * @typedef {{ renderer: Renderer, options: ImportOptions, defaults: Record<string, any>, jar: Value }}
 *   RequestContext
 */

/**
 * Writes a request as an operation.
 * @throws {Untranslated} @type {(given: Given, draft: OperationDraft, context: RequestContext) => void}
 */
export function writeRequest({ method, url, body, params }, draft, context) {
  const { renderer, defaults } = context;
  const verb = renderer.text(method).toUpperCase();
  const address = renderer.text(asUrl(url, renderer)).trim();
  if (address === '' || address === 'undefined' || /\bundefined\//.test(address))
    throw new Untranslated(url, 'its URL is not known');
  if (params !== undefined && params !== null && !isStructure(params))
    throw new Untranslated(params, 'its parameters are not known');
  const given = params ?? {};
  const headers = headersOf(given.headers, body, renderer);
  const isRead = /^(?:GET|HEAD)$/.test(verb);
  const { operation } = draft;
  const whole = /^[a-z][a-z\d+.-]*:\/\/|^#\{/i.test(address) ? address : `http://${address}`;
  Object.assign(operation, requestOf(verb, whole.replace(/#(?![{<]).*$/s, '').replaceAll(' ', '%20')));
  Object.assign(operation, namedOf(given.tags, renderer, defaults.tags));
  const payload = body === null || body === undefined ? {} : bodyOf(body, headers, context);
  if (Object.keys(headers).length > 0) operation.headers = headers;
  Object.assign(operation, payload, settingsOf(given, isRead, { ...context, url }));
}

/**
 * Values are encoded within a URL of a flow, as by encodeURIComponent; k6 encodes none.
 * @type {(url: Value, renderer: Renderer) => Value}
 */
function asUrl(url, renderer) {
  if (isStructure(url)) throw new Untranslated(url, 'k6 takes no object as a URL');
  if (!(url instanceof Sym) || /** @type {any} */ (url).type !== 'template') return url;
  const { parts, ...fields } = /** @type {any} */ (url);
  const plain = parts.flatMap(withoutEncoding);
  // A token that is the whole URL is sent as the script makes it.
  if (plain.some(encodes)) return sym('whole', { value: sym('template', { ...fields, parts, hint: 'url' }) });
  for (const [i, one] of /** @type {any[]} */ (parts).entries()) {
    const isValue = !(one instanceof Sym) || encodes(one) || /^(?:leaf|vu|iter|index|unknown)$/.test(one.type);
    // `/items/${id}`, `?a=${b}`: such values seldom have signs of a URL.
    if (i === 0 || isValue || /[/=]$/.test(parts[i - 1])) continue;
    // Behind the host a flow encodes nothing either.
    if (i === 1 && /^[a-z]+:\/\/[^/?#]+$/i.test(parts[0])) continue;
    const [whole, own] = [fields, /** @type {any} */ (one)].map(({ node }) => shownInLine(node));
    renderer.notes.add(`${whole}: the flow encodes ${own} within the URL, and k6 does not: a / in it is %2F.`);
  }
  return sym('template', { ...fields, parts: plain });
}

/** A value that the flow encodes, in place of one that the script encodes. @type {(part: Value) => Value[]} */
function withoutEncoding(part) {
  const { type, name, args, parts } = part instanceof Sym ? /** @type {any} */ (part) : {};
  if (type === 'template') return parts.flatMap(withoutEncoding);
  if (type === 'global' && name === 'String') return withoutEncoding(args[0]);
  if (type !== 'global' || name !== 'encodeURIComponent') return [part];
  const [given] = args;
  if (isKnown(given)) return [encodeURIComponent(isPrimitive(given) ? String(given) : given)];
  if (!(given instanceof Sym) || /^(?:stringify|global)$/.test(given.type)) return [part];
  /** @type {{ parts: Value[] }} */
  const { parts: inner } = given.type === 'template' ? /** @type {any} */ (given) : { parts: [given] };
  if (inner.some(isStructure)) return [part];
  return inner.map((one) => (isPrimitive(one) ? encodeURIComponent(one) : one));
}

/** Reports whether the script encodes a part of a value itself. @type {(value: Value) => boolean} */
function encodes(value) {
  // A value may lead back to itself.
  const seen = new Set([value]);
  for (const one of seen) {
    const { node: _, draft: __, ...fields } = one instanceof Sym || isStructure(one) ? /** @type {any} */ (one) : {};
    if (one instanceof Sym && /^encodeURI/.test(fields.name)) return true;
    for (const inner of Object.values(fields)) seen.add(inner);
  }
  return false;
}

/** Reports whether it is the body of a FormData. @type {(body: Value) => boolean} */
function isForm(body) {
  return body instanceof Sym && /** @type {any} */ (body).type === 'multipart';
}

/** Reports whether the type of a form has its boundary. @type {(headers: Value) => boolean} */
function namesBoundary(headers) {
  const type = isStructure(headers) && Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1];
  const [start, end] = type?.type === 'template' ? type.parts : [];
  return /^multipart\/form-data;\s*boundary=$/.test(start) && end?.type === 'boundary';
}

/** @type {(given: Value, body: Value, renderer: Renderer) => Record<string, string>} */
function headersOf(given, body, renderer) {
  const isMultipart = isForm(body);
  if (isMultipart && !namesBoundary(given)) throw new Untranslated(body, 'its form is sent with another type');
  if (given === undefined || given === null) return {};
  if (!isStructure(given)) throw new Untranslated(given, 'its header fields are not known');
  const fields = Object.entries(given).filter(
    ([name]) => (!OWN_FIELD.test(name) || /^host$/i.test(name)) && !(isMultipart && /^content-type$/i.test(name)),
  );
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if (name === OTHERS) throw new Untranslated(value);
      return [name, renderer.text(value)];
    }),
  );
}

/** @type {(given: Value, renderer: Renderer, shared?: Record<string, any>) => Record<string, any>} */
function namedOf(given, renderer, shared = {}) {
  const { name, ...tags } = { ...shared, ...(isStructure(given) ? given : {}) };
  const known = Object.entries(tags).filter(([, value]) => isPrimitive(value) && value !== null && value !== undefined);
  return {
    ...(typeof name === 'string' && { name }),
    ...(known.length > 0 && { tags: Object.fromEntries(known) }),
  };
}

/**
 * @type {(given: Record<string, any>, isRead: boolean, context: RequestContext & { url: Value }) => Record<string,
 *   any>}
 */
function settingsOf(given, isRead, { renderer, defaults, jar, url }) {
  const { timeout, redirects, auth, responseCallback } = given;
  refuse(given);
  const most = redirects ?? defaults.maxRedirects;
  const fields = cookiesOf(given, url, jar);
  const statuses = responseCallback?.statuses;
  return {
    ...(fields.length > 0 && {
      cookies: Object.fromEntries(fields.map(([name, one]) => [name, quotedCookie(renderer.text(one))])),
    }),
    // Its own jar has no cookies of the virtual user.
    ...(given.jar && given.jar !== jar && { jar: false }),
    ...(auth === 'digest' && { auth: { sendImmediately: false } }),
    ...redirectsOf(most, isRead),
    ...(timeout !== undefined && { timeout: typeof timeout === 'string' ? timeOf(timeout) : timeout }),
    ...(statuses && { expect: { status: statuses.length === 1 ? statuses[0] : statuses } }),
  };
}

/** k6 puts quotes around a value with a space or a comma. @type {(value: string) => string} */
function quotedCookie(value) {
  return /[ ,]/.test(value) ? `"${value}"` : value;
}

/**
 * The cookies of a request, and those that the script put into its jar.
 * @type {(given: Record<string, any>, url: Value, shared: Value) => [string, Value][]}
 */
function cookiesOf({ cookies, jar: own }, url, shared) {
  const jar = own ?? shared;
  const path =
    /^https?:\/\/[^/?#]+([^?#]*)/.exec(url instanceof Sym ? /** @type {any} */ (url).parts?.[0] : String(url))?.[1] ||
    '/';
  const origin = originOf(url);
  /** @type {[string, Value][]} */
  const ofJar = (jars.get(jar) ?? []).flatMap((one) => {
    if (one.origin !== origin || !path.startsWith(one.path)) return [];
    if (one.isLimited) throw new Untranslated({}, `the cookie ${one.name} of its jar has a domain or an end`);
    return [[one.name, one.value]];
  });
  const written = isStructure(cookies) ? Object.entries(cookies) : [];
  return [
    ...ofJar,
    ...written.map(([name, one]) => /** @type {[string, Value]} */ ([name, isStructure(one) ? one.value : one])),
  ];
}

/**
 * k6 follows the redirects of all methods.
 * @type {(most: number | undefined, isRead: boolean) => Record<string, any>}
 */
function redirectsOf(most, isRead) {
  if (most === 0) return { followRedirect: false };
  return {
    ...(!isRead && { followAllRedirects: true }),
    ...(most !== undefined && most !== 10 && { maxRedirects: most }),
  };
}

/** @throws {Untranslated} @type {(given: Record<string, any>) => void} */
function refuse({ timeout, redirects, auth, compression, jar }) {
  if (!isKnown(timeout)) throw new Untranslated(timeout, 'its timeout is not known');
  if (!isKnown(redirects)) throw new Untranslated(redirects, 'its redirects are not known');
  if (compression !== undefined) throw new Untranslated(compression, 'a compressed body has no equivalent');
  if (auth !== undefined && auth !== 'basic' && auth !== 'digest')
    throw new Untranslated(auth, `the credentials ${String(auth)} have no equivalent`);
  if (jar !== undefined && jar !== null && !jars.has(jar)) throw new Untranslated(jar, 'its cookie jar is not known');
}

/** @type {(body: Value, headers: Record<string, string>, context: RequestContext) => Record<string, any>} */
function bodyOf(body, headers, context) {
  const typeName = Object.keys(headers).find((name) => /^content-type$/i.test(name));
  const isJson = typeName !== undefined && /^application\/json$/i.test(headers[typeName]);
  if (body instanceof Sym) return symbolBody(body, headers, { typeName, isJson, context });
  if (typeof body === 'string') {
    const json = isJson ? parsed(body) : undefined;
    return json !== undefined && JSON.stringify(json) === body ? jsonBody(json, headers, String(typeName)) : { body };
  }
  if (isStructure(body) && !Array.isArray(body)) return formOf(body, headers, typeName, context);
  throw new Untranslated(body, 'its body is not known');
}

/**
 * @type {(body: any, headers: Record<string, string>, of: { typeName?: string, isJson: boolean, context:
 *   RequestContext }) => Record<string, any>}
 */
function symbolBody(body, headers, { typeName, isJson, context }) {
  const { renderer, options } = context;
  const { type, value, path } = body;
  // k6 adds no type; a flow has that of the file.
  if (type === 'file') Object.assign(headers, typeName === undefined && { 'Content-Type': null });
  if (type === 'file') return { body: { file: pathInFlow(path, options) } };
  if (type === 'stringify' && isJson) return jsonBody(renderer.json(value), headers, String(typeName));
  if (type === 'multipart' && body.fields) return formDataOf(body.fields, context);
  if (type === 'multipart') throw new Untranslated(body, 'its form is not known');
  if (isText(body) || type !== 'unknown') return { body: renderer.text(body) };
  throw new Untranslated(body, 'its body is not known');
}

/** @type {(json: any, headers: Record<string, string>, typeName: string) => Record<string, any>} */
function jsonBody(json, headers, typeName) {
  delete headers[typeName];
  return { json };
}

/** @type {(text: string) => any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Fields of a form, which k6 sorts by their names.
 * @type {(body: Record<string, any>, headers: Record<string, string>, typeName: string | undefined, context:
 *   RequestContext) => Record<string, any>}
 */
function formOf(body, headers, typeName, { renderer, options }) {
  const entries = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.some(([, one]) => one?.upload !== undefined))
    return formDataOf(Object.entries(body), { renderer, options });
  for (const [name, one] of entries)
    if (name === OTHERS || (!isPrimitive(one) && !(one instanceof Sym) && !Array.isArray(one)))
      throw new Untranslated(one, 'its form is not known');
  // Go writes this for a value that is none.
  const pairs = entries.flatMap(([name, one]) => [one].flat().map((item) => [name, item ?? '<nil>']));
  if (typeName !== undefined && !/^application\/x-www-form-urlencoded\b/i.test(headers[typeName]))
    return { body: renderer.text(textOfForm(pairs)) };
  if (typeName !== undefined && !headers[typeName].includes(';')) delete headers[typeName];
  const isKnown = pairs.every(([, one]) => isPrimitive(one));
  const hasList = entries.some(([, one]) => Array.isArray(one));
  if (isKnown && (hasList || pairs.flat().some((one) => OF_GO.test(String(one)))))
    return { form: pairs.map((pair) => pair.map(encodedAsGo).join('=')).join('&') };
  if (hasList) throw new Untranslated(body, 'its form has lists of values that are not known');
  return { form: Object.fromEntries(pairs.map(([name, one]) => [name, renderer.text(one)])) };
}

/**
 * A form with files: a name with several values has a list.
 * @type {(fields: Value[][], context: Pick<RequestContext, 'renderer' | 'options'>) => Record<string, any>}
 */
function formDataOf(fields, context) {
  /** @type {Map<string, any>} */
  const parts = new Map();
  for (const [name, one] of fields) {
    const part = partOf(one, context);
    parts.set(name, parts.has(name) ? [parts.get(name), part].flat() : part);
  }
  return { formData: Object.fromEntries(parts) };
}

/** @type {(value: Value, context: Pick<RequestContext, 'renderer' | 'options'>) => any} */
function partOf(value, { renderer, options }) {
  if (value?.upload === undefined) return renderer.text(value);
  const { data, filename, contentType } = value.upload;
  const content = data?.type === 'file' ? { file: pathInFlow(data.path, options) } : { value: renderer.text(data) };
  return { ...content, ...(filename !== undefined && { filename }), contentType };
}

/** A form that is sent with another type than that of forms. @type {(pairs: Value[][]) => Value} */
function textOfForm(pairs) {
  const parts = pairs.flatMap(([name, one], i) => [
    `${i > 0 ? '&' : ''}${encodedAsGo(name)}=`,
    isPrimitive(one) ? encodedAsGo(one) : sym('global', { name: 'encodeURIComponent', args: [one], node: one.node }),
  ]);
  return sym('template', { parts });
}

/** What k6, which is written in Go, encodes in another way than a form of a flow. */
const OF_GO = /[ !'()*]/;

/** @type {(value: unknown) => string} */
function encodedAsGo(value) {
  const hex = (/** @type {string} */ one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(String(value))
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, hex);
}

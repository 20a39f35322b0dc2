import { docUrl } from '../ground/package.js';
import { TLS_PROPERTIES, tlsVersion } from '../http/tls-properties.js';
import { anyText } from '../text/format-value.js';
import { BODIES } from './bodies/index.js';
import { METHOD_OF, PROPERTIES } from './properties.js';
import { OWN_URL_KEYS, protocolOf } from './protocols/index.js';
import { isEmpty, isObject } from './record.js';
import { Placeholder } from './placeholder.js';

/** @import { Operation } from '../contracts/step.js' */

/** @typedef {(key: string, remark: string) => void} Ignore reports a property that has no effect */

/**
 * Gives an operation the one meaning that it had for 1.2.4: values that stand for nothing are removed, and of several
 * requests or bodies the one is kept that was sent. An operation whose meaning is clear is returned itself.
 * @type {(operation: Operation, ignore: Ignore) => Operation}
 */
export function settleOperation(operation, ignore) {
  const settled = withOneBody(withOneRequest(withoutEmpty(operation), ignore), ignore);
  return withoutOldOptions(settled, ignore, { keepsIgnored: hasFunction(operation.beforeHooks) });
}

/** @type {(hooks: unknown) => boolean} */
function hasFunction(hooks) {
  return [hooks].flat().some((hook) => typeof hook === 'function');
}

/**
 * Does the same for `all.requestOptions`, which have a method and a URL beside `get` and the like.
 * @type {(changed: Operation, ignore: Ignore) => Operation}
 */
export function settleChanged(changed, ignore) {
  const { jar } = changed;
  const cleared = [...Object.keys(METHOD_OF), 'url'].filter((key) => changed[key] === '');
  // An empty jar that is removed, as other empty values are, would leave the cookies of the iteration in place.
  const options = without(jar !== undefined && isEmpty(jar) ? { ...changed, jar: false } : changed, cleared);
  return withoutOldOptions(withOneBody(withoutEmpty(options), ignore), ignore);
}

/** Operations do not happen without these: false and 0 could mean "never". */
const DECIDES = ['when', 'repeat', 'weight'];

/** Properties without a value that stands for nothing, although their type allows it. */
const ALSO_EMPTY = ['json', 'body', 'form', 'socketPath'];

/** 1.2.4 did not have these: without a value they are a mistake. */
const NEVER_EMPTY = BODIES.filter(({ keepsEmpty = false }) => keepsEmpty).map(({ name }) => name);

/** Flags, which 1.2.4 also read from 1 and 'true', and from empty values. */
const LIKE_FLAGS = ['gzip', 'followRedirect', 'followAllRedirects', 'removeRefererHeader'];

/**
 * Removes `null`, `false`, `0` and `''` where they are no value of the property, and replaces values of flags that are
 * like true or false.
 * @type {(operation: Operation) => Operation}
 */
function withoutEmpty(operation) {
  // The checks of such a protocol know the meaning of null and 0, and 1.2.4 did not have its operations.
  const { key: ownKey, keepsEmpty } = protocolOf(operation);
  if (keepsEmpty && ownKey !== null && isAddress(operation[ownKey])) return operation;
  const entries = Object.entries(operation);
  const settled = entries.map(([key, value]) => /** @type {[string, unknown]} */ ([key, settledValue(key, value)]));
  if (settled.every(([, value], i) => value === entries[i][1])) return operation;
  return Object.fromEntries(settled.filter(([, value], i) => value !== undefined || entries[i][1] === undefined));
}

/** @type {(key: string, value: any) => unknown} undefined if it stands for nothing */
function settledValue(key, value) {
  if (LIKE_FLAGS.includes(key) && isLikeFlag(value)) return isTrue(value);
  if (['form', 'qs'].includes(key) && Array.isArray(value)) return { ...value };
  if (!isEmpty(value) || isMeantEmpty(key, value))
    return key === 'qs' && isObject(value) ? withInherited(value) : value;
  // Hooks may read a property of the user's own.
  if (!Object.hasOwn(PROPERTIES, key)) return refuseOldOption(key) ? undefined : value;
  const isValue = PROPERTIES[key].check(value) && !ALSO_EMPTY.includes(key) && !Number.isNaN(value);
  return isValue ? value : undefined;
}

/** A query has also what its object inherits, as in `Object.create(defaults)`. @type {(value: any) => unknown} */
function withInherited(value) {
  const names = [];
  for (const name in value) names.push(name);
  const hasAll = names.length === Object.keys(value).length;
  return hasAll ? value : Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** @type {(key: string, value: unknown) => boolean} */
function isMeantEmpty(key, value) {
  // The empty body of json: true.
  if (key === 'body' && value === '') return true;
  return NEVER_EMPTY.includes(key) || (DECIDES.includes(key) && value !== null);
}

/** @type {(value: unknown) => boolean} */
function isLikeFlag(value) {
  return isEmpty(value) || value === 1 || value === 'true';
}

/** @type {(value: unknown) => boolean} */
function isTrue(value) {
  return value === 1 || value === 'true';
}

/** The properties of which 1.2.4 sent the first one that had a value. */
const IN_TURN = ['get', 'head', 'put', 'post', 'del', 'patch'];
/** 1.2.4 did not have these methods: they are a request if they have a URL, else a property of the user's own. */
const LATER_METHODS = ['delete', 'options'];
const METHOD_AND_URL = ['method', 'uri', 'url'];

/**
 * Keeps the one request that 1.2.4 sent. A request that 1.2.4 did not have stays beside it, so that checkOperation
 * refuses them.
 * @type {(operation: Operation, ignore: Ignore) => Operation}
 */
function withOneRequest(operation, ignore) {
  const isGiven = (/** @type {string} */ key) => !lacksValue(operation[key]);
  const kept = IN_TURN.find(isGiven) ?? LATER_METHODS.find((key) => isLaterRequest(key, operation));
  if (kept === undefined) return withOneUrl(withoutEmptyUrls(operation), ignore);
  const others = requestKeysOf(operation).filter((key) => key !== kept && !isLaterRequest(key, operation));
  for (const key of others) {
    if (isGiven(key) && !agrees(key, kept, operation)) ignore(key, `${kept} is sent`);
  }
  return without(operation, others);
}

/** @type {(value: unknown) => boolean} */
function lacksValue(value) {
  return value === undefined || value === '';
}

/** Lists the properties with a part of a request. @type {(operation: Operation) => string[]} */
function requestKeysOf(operation) {
  const keys = [...Object.keys(METHOD_OF), ...OWN_URL_KEYS, ...METHOD_AND_URL];
  return keys.filter((key) => operation[key] !== undefined);
}

/** Reports whether it is a request that 1.2.4 did not have. @type {(key: string, operation: Operation) => boolean} */
function isLaterRequest(key, operation) {
  const { [key]: value } = operation;
  return [...OWN_URL_KEYS, ...LATER_METHODS].includes(key) && !lacksValue(value) && isAddress(value);
}

/**
 * Removes empty URLs beside one that is not. Without such a one they stay, so that they are refused.
 * @type {(operation: Operation) => Operation}
 */
function withoutEmptyUrls(operation) {
  const keys = requestKeysOf(operation);
  const empty = keys.filter((key) => operation[key] === '');
  const hasUrl = keys.some((key) => key !== 'method' && !empty.includes(key));
  return without(operation, hasUrl ? empty : []);
}

/** Removes a `url` that differs from `uri`. @type {(operation: Operation, ignore: Ignore) => Operation} */
function withOneUrl(operation, ignore) {
  const { uri, url } = operation;
  if (uri === undefined || url === undefined || hrefOf(uri) === hrefOf(url)) return operation;
  ignore('url', 'uri is sent');
  return without(operation, ['url']);
}

/** @type {(value: unknown) => boolean} */
function isAddress(value) {
  const isParsed = typeof (/** @type {any} */ (value)?.href) === 'string';
  return typeof value === 'string' || typeof value === 'function' || isParsed || value instanceof Placeholder;
}

/** @type {(key: string, kept: string, operation: Operation) => boolean} */
function agrees(key, kept, operation) {
  const { [key]: value, [kept]: sent } = operation;
  if (key === 'method') return typeof value === 'string' && value.toUpperCase() === METHOD_OF[kept];
  return METHOD_AND_URL.includes(key) && (value === sent || hrefOf(value) === hrefOf(sent));
}

/** @type {(value: any) => unknown} */
function hrefOf(value) {
  return value?.href ?? value;
}

/** Bodies of which 1.2.4 sent the first. */
const BODIES_IN_TURN = ['json', 'form', 'body'];

/** @type {(operation: Operation, ignore: Ignore) => Operation} */
function withOneBody(operation, ignore) {
  const given = BODIES_IN_TURN.filter((key) => operation[key] !== undefined);
  if (given.length < 2) return operation;
  // json: true and json: false say how the others are sent.
  const all = given.filter((key) => typeof operation[key] !== 'boolean');
  const [kept] = all.filter((key) => !isEmpty(operation[key]));
  if (kept === undefined) return operation;
  const others = all.filter((key) => key !== kept);
  for (const key of others) if (!isEmpty(operation[key])) ignore(key, `${kept} is sent`);
  return without(operation, others);
}

/** @type {(operation: Operation, keys: string[]) => Operation} */
function without(operation, keys) {
  if (keys.length === 0) return operation;
  return Object.fromEntries(Object.entries(operation).filter(([key]) => !keys.includes(key)));
}

const SIGNS = `signs requests: do it in a before-hook, see ${docUrl('guide/hooks.md#sign-requests')}`;
const NO_OPTION = 'an option of the old request library that is not supported';
const KEPT = 'connections are kept alive, one per virtual user and server';
const OWN_JAR = 'each iteration has a cookie jar of its own, all.env.jar';

/** Options of `request`, the library of 1.2.4, that change requests; and what to do. @type {Record<string, string>} */
const REFUSED = {
  oauth: SIGNS,
  hawk: SIGNS,
  httpSignature: SIGNS,
  har: `${NO_OPTION}: write its method, url, headers and body as an operation, or pass a whole recording, a .har file, as the flow`,
};

/** Options that are ignored, and those of other tools; and why, or what to write. @type {Record<string, string>} */
const IGNORED = {
  agent: KEPT,
  agentClass: KEPT,
  callback: 'write afterHooks',
  family: 'use the run option family',
  followOriginalHttpMethod: 'answer with 307 or 308, which keep the method',
  forever: KEPT,
  hostname: 'write it into the URL',
  jsonReplacer: 'change the value in a before-hook',
  jsonReviver: 'change all.body in an after-hook',
  lookup: 'use the run option connectTo or resolver',
  // The nearest name, patch, is not meant.
  path: "write url, or the method with the path, such as { get: '/path' }",
  pool: KEPT,
  protocol: 'write it into the URL',
  proxyHeaderExclusiveList: 'a proxy gets Host and its credentials alone',
  proxyHeaderWhiteList: 'a proxy gets Host and its credentials alone',
  qsParseOptions: 'write the query into the URL',
  qsStringifyOptions: 'write the query into the URL',
  resolveWithFullResponse: 'after-hooks get all.response',
  simple: 'a status of 400 or more is an error',
  time: 'every response has its times',
  timing: 'every operation is timed',
  useQuerystring: 'write the query into the URL',
  withCredentials: 'it is for browsers',
};

/**
 * Options with properties of ours, and which values of them have to be translated.
 * @type {Record<string, (value: any) => boolean>}
 */
const TRANSLATED = {
  agentOptions: () => true,
  baseUrl: () => true,
  secureProtocol: () => true,
  headers: (value) => value === null,
  jar: (value) => value !== undefined && typeof value !== 'boolean',
  json: (value) => value === false,
  maxRedirects: (value) => typeof value === 'string' && /^\d{1,9}$/.test(value),
  multipart: (value) => Boolean(value?.chunked),
  postambleCRLF: () => true,
  preambleCRLF: () => true,
};

/**
 * Options of the request library that are replaced and have no row in PROPERTIES, for the types of operations.
 * @type {Record<string, { type: string, about: string }>}
 */
export const OLD_PROPERTIES = {
  agentOptions: {
    type: 'Record<string, unknown>',
    about:
      'TLS options, such as ca and rejectUnauthorized, as in the request library; the operation can have them itself',
  },
  baseUrl: { type: 'string | URL', about: 'URL in front of the path of the operation; see the run option baseUrl' },
  secureProtocol: { type: 'string', about: 'such as TLSv1_2_method: minVersion and maxVersion at once' },
  preambleCRLF: { type: 'boolean', about: 'line break in front of a multipart body' },
  postambleCRLF: { type: 'boolean', about: 'line break after a multipart body' },
};

const MULTIPART = ['multipart', 'preambleCRLF', 'postambleCRLF'];
const WITH_URL = [...Object.keys(METHOD_OF), 'uri', 'url', ...OWN_URL_KEYS];

/** Explains why an option of the `request` library is refused. @type {(name: string) => string | undefined} */
export function refuseOldOption(name) {
  return Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
}

/** Reports whether an option of the `request` library is ignored. @type {(name: string) => boolean} */
export function isIgnoredOption(name) {
  return Object.hasOwn(IGNORED, name);
}

/**
 * Replaces the options of the `request` library by ours, and removes those that have no effect. `keepsIgnored`: hooks
 * may read them, such as a `path`. An operation without such options is returned itself.
 * @type {(operation: Operation, ignore: Ignore, options?: { keepsIgnored?: boolean }) => Operation}
 */
export function withoutOldOptions(operation, ignore, { keepsIgnored = false } = {}) {
  const old = Object.keys(operation).filter((key) => isOld(key, operation[key]));
  if (old.length === 0) return operation;
  const { agentOptions, baseUrl, secureProtocol, preambleCRLF: _pre, postambleCRLF: _post, ...rest } = operation;
  for (const key of old.filter(isIgnoredOption)) {
    ignore(key, keepsIgnored ? `only hooks may read it; ${IGNORED[key]}` : IGNORED[key]);
    if (!keepsIgnored) delete rest[key];
  }
  if (old.includes('jar')) ignore('jar', OWN_JAR);
  for (const key of ['headers', 'jar', 'json']) if (old.includes(key)) delete rest[key];
  if (old.includes('maxRedirects')) rest.maxRedirects = Number(rest.maxRedirects);
  for (const key of WITH_URL) if (isParsedUrl(rest[key])) rest[key] = rest[key].href;
  if (old.some((key) => MULTIPART.includes(key))) Object.assign(rest, multipartOf(operation));
  if (!isEmpty(baseUrl)) Object.assign(rest, onBaseUrl(rest, baseUrl, ignore));
  return { ...versionsOf(secureProtocol, ignore, 'secureProtocol'), ...tlsOf(agentOptions, ignore), ...rest };
}

/** @type {(key: string, value: unknown) => boolean} */
function isOld(key, value) {
  if (Object.hasOwn(TRANSLATED, key)) return TRANSLATED[key](value);
  return isIgnoredOption(key) || (WITH_URL.includes(key) && isParsedUrl(value));
}

/** The result of url.parse(). @type {(value: any) => boolean} */
function isParsedUrl(value) {
  return isObject(value) && typeof value.href === 'string' && !(value instanceof URL);
}

/** Returns a multipart body with the options that say how it is written. @type {(operation: Operation) => Operation} */
function multipartOf({ multipart, headers = {}, preambleCRLF = false, postambleCRLF = false }) {
  const { data, chunked = false, ...others } = Array.isArray(multipart) ? { data: multipart } : { ...multipart };
  if (!Array.isArray(data)) return {};
  const written = { multipart: { data, preambleCRLF, postambleCRLF, ...others } };
  return chunked && isObject(headers)
    ? { ...written, headers: { 'Transfer-Encoding': 'chunked', ...headers } }
    : written;
}

/** Options of http.Agent that say how connections are kept. */
const AGENT_OPTIONS = [
  ...['keepAlive', 'keepAliveMsecs', 'maxSockets', 'maxTotalSockets', 'maxFreeSockets', 'scheduling', 'timeout'],
  ...['maxCachedSessions', 'agentKeepAliveTimeoutBuffer'],
];

/** @type {(agentOptions: unknown, ignore: Ignore) => Operation} */
function tlsOf(agentOptions, ignore) {
  if (!isObject(agentOptions)) {
    if (!isEmpty(agentOptions)) ignore('agentOptions', 'it is not an object');
    return {};
  }
  const { secureProtocol, ...others } = agentOptions;
  const tls = versionsOf(secureProtocol, ignore, 'agentOptions.secureProtocol');
  for (const [key, value] of Object.entries(others)) {
    if (Object.hasOwn(TLS_PROPERTIES, key) || key === 'rejectUnauthorized') tls[key] = value;
    else ignore(`agentOptions.${key}`, AGENT_OPTIONS.includes(key) ? KEPT : 'it is not an option of TLS here');
  }
  return tls;
}

/**
 * `TLSv1_2_method` is one version; other names leave the choice to both sides.
 * @type {(secureProtocol: unknown, ignore: Ignore, key: string) => Operation}
 */
function versionsOf(secureProtocol, ignore, key) {
  if (secureProtocol === undefined) return {};
  const [, minor = '0'] = /^TLSv1(?:_([12]))?(?:_client)?_method$/.exec(anyText(secureProtocol)) ?? [, ''];
  const version = tlsVersion(`1.${minor}`);
  if (version) return { minVersion: version, maxVersion: version };
  ignore(key, 'versions are negotiated; write minVersion and maxVersion');
  return {};
}

/** `http://h/x` and `//h/x`, which a base URL cannot precede. A text that begins with a token counts as a path. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/**
 * Joins a path with its base URL by one slash.
 * @type {(operation: Operation, baseUrl: unknown, ignore: Ignore) => Operation}
 */
function onBaseUrl(operation, baseUrl, ignore) {
  const base = hrefOf(baseUrl);
  const key = WITH_URL.find((one) => operation[one] !== undefined) ?? 'uri';
  const { [key]: path = '' } = operation;
  if (typeof base !== 'string') ignore('baseUrl', 'it is not a URL');
  else if (typeof path !== 'string' || ABSOLUTE.test(path))
    ignore('baseUrl', `it precedes a path, and ${key} is not one`);
  else return { [key]: path === '' ? base : `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}` };
  return {};
}

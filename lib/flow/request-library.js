import { TLS_PROPERTIES, tlsVersion } from '../tls-properties.js';
import { isObject } from './record.js';

/** @import { Operation } from './types.js' */

const SIGNS = 'signs requests: do it in a before-hook, see docs/guide/hooks.md#sign-requests';
const NO_OPTION = 'an option of the old request library that is not supported';
const KEPT = 'connections are kept alive, one per virtual user and server';
const OWN_JAR = 'each iteration has a cookie jar of its own, all.env.jar';

/** Options of the `request` library, on which 1.2.4 rested, without which other requests would be sent; and what to do. @type {Record<string, string>} */
const REFUSED = {
  oauth: SIGNS,
  hawk: SIGNS,
  httpSignature: SIGNS,
  har: `${NO_OPTION}: write its method, url, headers and body as an operation, or pass a whole recording, a .har file, as the flow`,
};

/** Those that are ignored, and those of other tools; and why, or what to write. @type {Record<string, string>} */
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
  // the nearest name, patch, is not meant
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

/** Those that are replaced by properties of ours, and values that ours do not have. @type {Record<string, (value: any) => boolean>} */
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
const MULTIPART = ['multipart', 'preambleCRLF', 'postambleCRLF'];
const WITH_URL = ['get', 'head', 'put', 'post', 'patch', 'del', 'delete', 'uri', 'url'];

/**
 * Why an option of the `request` library is refused.
 *
 * @param {string} name
 * @returns {string | undefined} undefined if it is none of those
 */
export function refuseOldOption(name) {
  return Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
}

/**
 * Reports whether an option of the `request` library is ignored.
 *
 * @param {string} name
 * @returns {boolean}
 */
export function isIgnoredOption(name) {
  return Object.hasOwn(IGNORED, name);
}

/**
 * Replaces the options of the `request` library by ours, and removes those that have no effect.
 *
 * @param {Operation} operation
 * @param {(key: string, remark: string) => void} ignore
 * @param {{ keepsIgnored?: boolean }} [options] keepsIgnored: hooks may read them, such as a `path`
 * @returns {Operation} the same one if it has none
 */
export function withoutOldOptions(operation, ignore, { keepsIgnored = false } = {}) {
  const old = Object.keys(operation).filter((key) => isOld(key, operation[key]));
  if (old.length === 0) return operation;
  const { agentOptions, baseUrl, secureProtocol, preambleCRLF: _pre, postambleCRLF: _post, ...rest } = operation;
  for (const key of old.filter(isIgnoredOption)) {
    ignore(key, IGNORED[key]);
    if (!keepsIgnored) delete rest[key];
  }
  if (old.includes('jar')) ignore('jar', OWN_JAR);
  for (const key of ['headers', 'jar', 'json']) if (old.includes(key)) delete rest[key];
  if (old.includes('maxRedirects')) rest.maxRedirects = Number(rest.maxRedirects);
  for (const key of WITH_URL) if (isParsedUrl(rest[key])) rest[key] = rest[key].href;
  if (old.some((key) => MULTIPART.includes(key))) Object.assign(rest, multipartOf(operation));
  if (typeof baseUrl === 'string' && baseUrl !== '') Object.assign(rest, onBaseUrl(rest, baseUrl));
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

/** A multipart body with the options that say how it is written. @type {(operation: Operation) => Operation} */
function multipartOf({ multipart, headers = {}, preambleCRLF = false, postambleCRLF = false }) {
  const { data, chunked = false, ...others } = Array.isArray(multipart) ? { data: multipart } : { ...multipart };
  if (!Array.isArray(data)) return {};
  const written = { multipart: { data, preambleCRLF, postambleCRLF, ...others } };
  return chunked && isObject(headers)
    ? { ...written, headers: { 'Transfer-Encoding': 'chunked', ...headers } }
    : written;
}

/** Options of http.Agent that say how connections are kept. */
const OF_AGENT = [
  ...['keepAlive', 'keepAliveMsecs', 'maxSockets', 'maxTotalSockets', 'maxFreeSockets', 'scheduling', 'timeout'],
  ...['maxCachedSessions', 'agentKeepAliveTimeoutBuffer'],
];

/** The options of TLS among those of an agent. @type {(agentOptions: unknown, ignore: (key: string, remark: string) => void) => Operation} */
function tlsOf(agentOptions, ignore) {
  if (!isObject(agentOptions)) return {};
  const { secureProtocol, ...others } = agentOptions;
  /** @type {Operation} */
  const tls = versionsOf(secureProtocol, ignore, 'agentOptions.secureProtocol');
  for (const [key, value] of Object.entries(others)) {
    if (Object.hasOwn(TLS_PROPERTIES, key) || key === 'rejectUnauthorized') tls[key] = value;
    else ignore(`agentOptions.${key}`, OF_AGENT.includes(key) ? KEPT : 'it is not an option of TLS here');
  }
  return tls;
}

/** `TLSv1_2_method` is one version; other names leave the choice to both sides. @type {(secureProtocol: unknown, ignore: (key: string, remark: string) => void, key: string) => Operation} */
function versionsOf(secureProtocol, ignore, key) {
  if (secureProtocol === undefined) return {};
  const [, minor = '0'] = /^TLSv1(?:_([12]))?(?:_client)?_method$/.exec(String(secureProtocol)) ?? [, ''];
  const version = tlsVersion(`1.${minor}`);
  if (version) return { minVersion: version, maxVersion: version };
  ignore(key, 'versions are negotiated; write minVersion and maxVersion');
  return {};
}

/** The URL below a base URL, with one slash between them. @type {(operation: Operation, baseUrl: string) => Operation} */
function onBaseUrl(operation, baseUrl) {
  const key = WITH_URL.find((one) => typeof operation[one] === 'string') ?? 'uri';
  const path = String(operation[key] ?? '');
  return { [key]: path === '' ? baseUrl : `${baseUrl.replace(/\/$/, '')}/${path.replace(/^\//, '')}` };
}

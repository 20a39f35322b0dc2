import { METHOD_OF } from '../../core/flow/properties.js';
import { OWN_URL_KEYS } from '../../core/flow/protocols/index.js';
import { isEmpty, isObject } from '../../core/flow/record.js';
import { docUrl } from '../../core/ground/package.js';
import { TLS_PROPERTIES, tlsVersion } from '../../core/http/tls-properties.js';
import { anyText } from '../../core/text/format-value.js';

/** @import { Operation } from '../../core/contracts/step.js' */
/** @import { Ignore } from '../../core/flow/settle-operation.js' */
/** @import { OldOptions } from '../../core/flow/types.js' */

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

/** Options with properties of ours: which values are translated. @type {Record<string, (value: any) => boolean>} */
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
const PROPERTIES = {
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

/** @type {OldOptions['isIgnored']} */
const isIgnored = (name) => Object.hasOwn(IGNORED, name);

/** @type {OldOptions['replace']} */
function replace(operation, ignore, { keepsIgnored = false } = {}) {
  const old = Object.keys(operation).filter((key) => isOld(key, operation[key]));
  if (old.length === 0) return operation;
  const { agentOptions, baseUrl, secureProtocol, preambleCRLF: _pre, postambleCRLF: _post, ...rest } = operation;
  for (const key of old.filter(isIgnored)) {
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
  return isIgnored(key) || (WITH_URL.includes(key) && isParsedUrl(value));
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

/** Joins base URL and path by a slash. @type {(operation: Operation, baseUrl: unknown, ignore: Ignore) => Operation} */
function onBaseUrl(operation, baseUrl, ignore) {
  const base = /** @type {any} */ (baseUrl)?.href ?? baseUrl;
  const key = WITH_URL.find((one) => operation[one] !== undefined) ?? 'uri';
  const { [key]: path = '' } = operation;
  if (typeof base !== 'string') ignore('baseUrl', 'it is not a URL');
  else if (typeof path !== 'string' || ABSOLUTE.test(path))
    ignore('baseUrl', `it precedes a path, and ${key} is not one`);
  else return { [key]: path === '' ? base : `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}` };
  return {};
}

/** @type {OldOptions} */
export const OPTIONS = {
  properties: PROPERTIES,
  refuse: (name) => (Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined),
  isIgnored,
  replace,
};

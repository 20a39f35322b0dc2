import { portOf, writeAddress } from '../../../core/http/url-parts.js';
import { encodePercent } from '../../../core/text/decode.js';
import { AWS_DEFAULTS, draftOf, requestOf } from '../draft.js';
import { variableName } from '../environment-names.js';
import { bodyOf, formDataOf, queryOf } from './body.js';
import { headersOf } from './headers.js';
import { hasMarks, mapAroundVariables, startsWithVariable, variableIn, variableOf } from './marks.js';

/** @import { OperationDraft } from '../import.js' */
/** @import { CurlRequest } from './flags.js' */

/**
 * @typedef {object} CurlContext
 * @property {string} folder of relative paths
 * @property {(path: string) => string} pathInFlow a path as the flow names it
 * @property {(what: string, why: string) => void} skip
 * @property {Record<string, unknown>} runOptions of all commands
 * @property {Set<string>} jars the files in which commands keep cookies, as a flow does
 */

/**
 * Translates a request of curl to one operation for each of its URLs. Flags without an equivalent become comments.
 * @type {(request: CurlRequest, context: CurlContext) => OperationDraft[]}
 */
export function operationsOfCurl(request, context) {
  const comments = [...request.notes];
  const given = withoutFlags(request.urls, comments);
  if (request.values.jar !== undefined) context.jars.add(request.values.jar);
  const query = queryOf(request, context, comments);
  const requests = given.flatMap((text, i) => {
    // curl sends the first file to the first URL, to all that a pattern stands for, and none to a URL without a file.
    const own = { ...request, uploads: request.uploads.slice(i, i + 1) };
    /** @type {Record<string, any>} */
    const body = request.set.has('get')
      ? {}
      : { ...bodyOf(own, context, comments), ...formDataOf(own, context, comments) };
    return urlsOf(text, request, context.skip).map((url) => ({ own, body, url }));
  });
  const urls = requests.map(({ url }) => url);
  addRunOptions(request, urls, context, comments);
  return requests.map(({ own, body, url }) => {
    const method = methodOf(own, body);
    const to = withQuery(withUpload(url, own), query);
    // headersOf writes the fields that come with the body.
    const { contentType: _, accept: __, ...content } = body;
    const operation = {
      ...requestOf(method, to),
      ...headersOf(request, body, context, comments),
      ...content,
      ...credentialsOf(request, comments),
      ...redirectsOf(request, method),
      ...(request.set.has('compressed') && !hasHeader(request, 'accept-encoding') && { gzip: true }),
      ...connectionOf(request, context, comments),
      ...request.properties,
      ...timeoutOf(request, comments),
    };
    return draftOf(filesInFlow(operation, context), [...new Set(comments)].map(sentence));
  });
}

/** A variable beside a URL has flags, if its name says so. @type {(urls: string[], comments: string[]) => string[]} */
function withoutFlags(urls, comments) {
  if (urls.length < 2) return urls;
  return urls.filter((url) => {
    const name = variableOf(url) ?? '';
    const isOfFlags = /opt|arg|flag|param|header|auth|verbose/i.test(name);
    if (isOfFlags) comments.push(`the flags that $${name} has are not known: write them`);
    return !isOfFlags;
  });
}

/** @type {(text: string) => string} */
function sentence(text) {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** @type {(request: CurlRequest, body: Record<string, any>) => string} */
function methodOf({ method, set, uploads }, body) {
  if (method !== undefined) return method;
  if (set.has('head')) return 'HEAD';
  if (uploads.length > 0) return 'PUT';
  return Object.keys(body).length > 0 ? 'POST' : 'GET';
}

/** @type {(request: Pick<CurlRequest, 'headers'>, name: string) => boolean} */
function hasHeader({ headers }, name) {
  return headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
}

/** @type {(url: string, query: string) => string} */
function withQuery(url, query) {
  if (query === '') return url;
  return `${url}${url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?'}${query}`;
}

/** curl adds the file name to a URL that ends with a slash. @type {(url: string, request: CurlRequest) => string} */
function withUpload(url, { uploads: [path] }) {
  return path !== undefined && path !== '-' && url.endsWith('/')
    ? `${url}${encodedPart(path.replace(/^.*\//s, ''))}`
    : url;
}

/** Encodes a part of a URL; variables stay. @type {(text: string) => string} */
function encodedPart(text) {
  return mapAroundVariables(text, (part) => encodePercent(part));
}

/** @type {(request: CurlRequest, comments: string[]) => Record<string, any>} */
function credentialsOf(request, comments) {
  const { values, set } = request;
  if (hasHeader(request, 'authorization')) return {};
  if (values.bearer !== undefined && !set.has('digest')) return { auth: { bearer: values.bearer } };
  if (values.user === undefined) return {};
  const [, user, pass] = /** @type {RegExpExecArray} */ (/^([^:]*)(?::(.*))?$/s.exec(values.user));
  if (values.aws !== undefined) return { aws: awsOf(values.aws, { user, pass }, comments) };
  if (pass === undefined) comments.push(`curl asks for the password of ${user}: it is read from the environment`);
  return { auth: { user, pass: pass ?? variableIn('PASSWORD'), ...(set.has('digest') && { sendImmediately: false }) } };
}

/** @type {(given: string, key: { user: string, pass?: string }, comments: string[]) => Record<string, string>} */
function awsOf(given, { user, pass = '' }, comments) {
  const [, , region, service] = given.split(':');
  if (!region || !service)
    comments.push(`--aws-sigv4 ${given} leaves region or service to curl, which reads them from the host: add them`);
  return {
    accessKeyId: user,
    secretAccessKey: pass,
    region: region || AWS_DEFAULTS.region,
    service: service || AWS_DEFAULTS.service,
  };
}

/** @type {(request: CurlRequest, method: string) => Record<string, any>} */
function redirectsOf({ set, values }, method) {
  const isSafe = method === 'GET' || method === 'HEAD';
  if (!set.has('follow')) return isSafe ? { followRedirect: false } : {};
  const most = Number(values.redirects);
  return { ...(!isSafe && { followAllRedirects: true }), ...(most >= 0 && { maxRedirects: most }) };
}

/** @type {(request: CurlRequest, comments: string[]) => Record<string, any>} */
function timeoutOf({ values }, comments) {
  const ms = msOf('--max-time', values.maxTime, comments);
  // In curl, too, 0 is no limit.
  return ms === undefined ? {} : { timeout: ms };
}

/** @type {(flag: string, text: string | undefined, comments: string[]) => number | undefined} */
function msOf(flag, text, comments) {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds < Infinity) return Math.round(seconds * 1000);
  comments.push(`${flag} ${text} is not a number of seconds`);
  return undefined;
}

/** @type {(request: CurlRequest, context: CurlContext, comments: string[]) => Record<string, any>} */
function connectionOf({ values }, { pathInFlow }, comments) {
  /** @type {Record<string, any>} */
  const properties = {};
  if (values.proxy !== undefined) properties.proxy = proxyOf(values);
  if (values.cert !== undefined) {
    const [, path, passphrase] = /^((?:\\:|[^:])*)(?::(.*))?$/s.exec(values.cert) ?? ['', values.cert];
    const isPfx = /^p12$/i.test(values.certType ?? '') || (!values.certType && /\.(p12|pfx)$/i.test(path));
    properties[isPfx ? 'pfx' : 'cert'] = { file: pathInFlow(path.replaceAll('\\:', ':')) };
    if (passphrase !== undefined) properties.passphrase = passphrase;
  }
  if (values.interface !== undefined) {
    const address = values.interface.replace(/^(host|if)!/, '');
    if (/^[\d.]+$|:/.test(address)) properties.localAddress = address;
    else comments.push(`--interface ${values.interface} is not an address`);
  }
  return properties;
}

/** @type {(values: CurlRequest['values']) => string} */
function proxyOf({ proxy, proxyUser }) {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  // The ports of curl for a proxy without one.
  const port = /^https:/i.test(url) ? 443 : 1080;
  const withPort = /:\/\/[^/]*:\d+(\/|$)/.test(url) ? url : url.replace(/^([^:]+:\/\/[^/]*)/, `$1:${port}`);
  if (proxyUser === undefined || /:\/\/[^/]*@/.test(withPort)) return withPort;
  const [user, ...pass] = proxyUser.split(':');
  return withPort.replace('://', `://${encodedPart(user)}:${encodedPart(pass.join(':'))}@`);
}

/** @type {(request: CurlRequest, urls: string[], context: CurlContext, comments: string[]) => void} */
function addRunOptions({ runOptions, values, set, connectTo, resolve }, urls, context, comments) {
  Object.assign(context.runOptions, runOptions);
  const timeout = msOf('--connect-timeout', values.connectTimeout, comments);
  // 0 is the default of curl.
  if (timeout) context.runOptions.connectTimeout = timeout;
  const maps = [...connectTo];
  for (const text of resolve) {
    const [, host, port, address] = /^\+?([^:]*):(\d+):\[?([^,\]]+)/.exec(text) ?? [];
    if (host === undefined) comments.push(`--resolve ${text} is not host:port:address`);
    else maps.push(`${host === '*' ? '' : host}:${port}:${writeAddress(address, '')}`);
  }
  // A run refuses a mapping that applies to no URL, such as one of another port. Only if each URL has its mapping, it
  // takes the others for those of redirects.
  const areMapped = urls.every((url) => maps.some((map) => appliesTo(map, url)));
  const used = set.has('follow') && areMapped ? maps : maps.filter((map) => urls.some((url) => appliesTo(map, url)));
  const all = [.../** @type {string[]} */ (context.runOptions.connectTo ?? []), ...used];
  if (all.length > 0) context.runOptions.connectTo = [...new Set(all)];
}

/** Reports whether a map, `host:port:address:port`, is for the URL. @type {(map: string, url: string) => boolean} */
function appliesTo(map, url) {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*):(\d*):/.exec(map) ?? [];
  const [, scheme, own = '', ownPort] = /^(https?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?/i.exec(url) ?? [];
  // The host may be a variable.
  if (scheme === undefined || hasMarks(own)) return true;
  const protocol = `${scheme.toLowerCase()}:`;
  const isPort = port === '' || Number(port) === portOf({ port: ownPort ?? '', protocol });
  return isPort && (host === '' || host.toLowerCase() === own.toLowerCase());
}

/** @type {(operation: Record<string, any>, context: CurlContext) => Record<string, any>} */
function filesInFlow(operation, { pathInFlow }) {
  const named = { ...operation };
  for (const key of ['ca', 'key']) {
    if (named[key]?.file !== undefined) named[key] = { file: pathInFlow(named[key].file) };
  }
  return named;
}

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;
/** `{{host}}` of a collection, which curl refuses. */
const TEMPLATE = /\{\{\s*([A-Za-z][\w. -]*?)\s*\}\}/g;
/** URLs that one word may become. */
const MOST = 20;

/**
 * Lists the URLs of a word as curl does: http: without a scheme, `[1-3]` and `{a,b}` expanded, without fragments.
 * @type {(given: string, request: Pick<CurlRequest, 'set'>, skip: (what: string, why: string) => void) => string[]}
 */
function urlsOf(given, { set }, skip) {
  const pattern = given.replace(TEMPLATE, (_, name) => variableIn(variableName(name)));
  if (!set.has('globoff') && NESTED.test(pattern)) {
    skip(given, 'it has a pattern within a list, which curl refuses: add -g if these braces are sent');
    return [];
  }
  const expanded = set.has('globoff') ? [given] : expand(pattern);
  if (expanded.length === 0) skip(given, 'it has a range that runs backwards, which curl refuses: correct it');
  if (expanded.length > MOST) {
    skip(given, `its pattern stands for more than ${MOST} URLs: write the ones to measure`);
    return [];
  }
  return expanded.flatMap((url) => {
    // curl takes one slash, or three, for two; a name in angle brackets is left to the reader.
    const slashed = url
      .replace(/^(https?):\/{1,3}(?!\/)/i, '$1://')
      .replace(/<([A-Za-z][\w. -]*)>/g, (_, name) => variableIn(variableName(name)));
    const whole = SCHEME.test(slashed) || startsWithVariable(slashed) ? slashed : `http://${slashed}`;
    const [, scheme = 'http'] = SCHEME.exec(whole) ?? [];
    if (/^https?$/i.test(scheme)) return [encoded(whole.replace(/#.*$/s, ''))];
    skip(url, `${scheme}: is not HTTP`);
    return [];
  });
}

/** A bracket within a list: `{a,{b,c}}`. */
const NESTED = /(?<!\\)\{(?:\\[^]|[^{}\\])*[{[]/;

/** Spaces, which curl refuses, and characters beyond ASCII are encoded. @type {(url: string) => string} */
function encoded(url) {
  const sent = mapAroundVariables(url, (part) => part.replace(/[ \u0080-\u{10ffff}]/gu, encodePercent));
  return /^[^:]+:\/\/[^/?]*$/.test(sent) ? `${sent}/` : sent;
}

/** An escaped bracket, a list, or a range of numbers or letters; an address of IPv6 is none of them. */
const PATTERN = /\\([[\]{}])|\{([^{}]*)\}|\[(\d+)-(\d+)(?::(\d+))?\]|\[([a-z])-([a-z])(?::(\d+))?\]/gi;

/** Expands left to right. None: a range runs backwards; over `MOST`: not all. @type {(given: string) => string[]} */
function expand(given) {
  let urls = [''];
  let end = 0;
  for (const found of given.matchAll(PATTERN)) {
    const before = given.slice(end, found.index);
    const alternatives = alternativesIn(found);
    urls = urls.flatMap((url) => alternatives.map((one) => url + before + one));
    if (urls.length === 0 || urls.length > MOST) return urls;
    end = found.index + found[0].length;
  }
  return urls.map((url) => url + given.slice(end));
}

/** Numbers keep the zeros in front of them. @type {(pattern: RegExpExecArray) => string[]} */
function alternativesIn([, escaped, list, from, to, step, first, last, letters]) {
  if (escaped !== undefined) return [escaped];
  if (list !== undefined) return list.split(',');
  if (from === undefined)
    return range(first.charCodeAt(0), last.charCodeAt(0), letters).map((code) => String.fromCharCode(code));
  const width = from.startsWith('0') ? from.length : 0;
  return range(Number(from), Number(to), step).map((number) => String(number).padStart(width, '0'));
}

/** @type {(from: number, to: number, step?: string) => number[]} */
function range(from, to, step = '1') {
  const all = [];
  for (let i = from; i <= to && all.length <= MOST; i += Math.max(1, Number(step))) all.push(i);
  return all;
}

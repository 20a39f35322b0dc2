import { makeError } from '../../ground/errors.js';
import { pathOf } from '../../http/endpoint.js';
import { withoutIdentity } from '../../http/tls-properties.js';
import { isSecretField } from '../../text/mask.js';
import { withErrorPlace } from '../failure.js';

/** @import { Request } from '../../contracts/request.js' */
/** @import { Response } from '../../contracts/response.js' */
/** @import { Rules } from '../../contracts/step.js' */
/** @import { EndpointOf } from '../../http/endpoint.js' */
/** @import { Middleware } from './index.js' */

/** @type {ReadonlySet<string>} */
const NONE = new Set();
/** A value of the environment, such as json, may occur in these fields by chance. */
const NEVER_SECRET = /^(accept(-.*)?|content-.*|user-agent)$/i;
const DESCRIBES_BODY = /^(content-|transfer-encoding$)/i;

/** @type {Middleware} */
export default {
  name: 'redirects',
  about: 'Follows redirects, without credentials to another origin (RFC 9110 15.4)',
  needed: (rules) => rules.maxRedirects > 0,

  after(request, response, session) {
    if (!isRedirect(response.statusCode)) return undefined;
    const { location } = response.headers;
    if (!location) return undefined;
    const { own, run, rules, redirects } = session;
    if (rules.mayFollow && !withErrorPlace('followRedirect', decides)(rules.mayFollow, response)) return undefined;
    if (redirects >= rules.maxRedirects) throw makeError('E_REDIRECT_LOOP', { limit: rules.maxRedirects });
    const url = targetOf(location, own);
    const isElsewhere = url.origin !== own.endpoint.origin;
    const isNamed = !session.isUntrusted && namesTarget(rules.runSecrets, own, url);
    session.next = redirectedRequest(own, response.statusCode, url, {
      endpointOf: run.endpointOf,
      sendsReferer: rules.sendsReferer,
      kept: isNamed && rules.runSecrets !== null ? rules.runSecrets.fields : NONE,
    });
    session.nextRole = 'redirects';
    session.redirects++;
    // It may lead to another realm.
    session.challenged = 0;
    session.isElsewhere ||= isElsewhere;
    session.isUntrusted ||= isElsewhere && !isNamed;
    // The exchange has counted the body, which no hook sees.
    if (response.body) session.bodies.free(response.body.length);
    return undefined;
  },
};

/** @type {(mayFollow: NonNullable<Rules['mayFollow']>, response: Response) => unknown} */
function decides(mayFollow, response) {
  const answer = /** @type {any} */ (mayFollow(response));
  if (typeof answer?.then !== 'function') return answer;
  // A promise would be true, whatever becomes of it.
  answer.then(undefined, () => {});
  throw new Error('the function returned a promise: return true or false');
}

/**
 * Reports whether the flow names the origin of a redirect, so that the credentials of the run may go there. A name
 * without a scheme stands for any, but never lets a redirect take them from TLS to clear text.
 * @type {(secrets: Rules['runSecrets'], from: Request, to: URL) => boolean}
 */
function namesTarget(secrets, from, to) {
  if (secrets === null) return false;
  const losesTls = from.endpoint.protocol === 'https:' && to.protocol === 'http:';
  return losesTls ? secrets.origins.hasScheme(to) : secrets.origins.has(to);
}

/**
 * Returns the request that follows a redirect, without additions of middleware. 303 turns all but HEAD into GET, 301
 * and 302 turn POST into GET, 307 and 308 repeat the request. Secrets, such as credentials, are not sent to another
 * origin, except `kept`: fields with credentials of the run, which the flow sends to that origin as well.
 * @type {(request: Request, status: number, url: URL, options: { endpointOf: EndpointOf, sendsReferer: boolean, kept:
 *   ReadonlySet<string> }) => Request}
 */
function redirectedRequest(request, status, url, { endpointOf, sendsReferer, kept }) {
  const becomesGet =
    status === 303 ? request.method !== 'HEAD' : (status === 301 || status === 302) && request.method === 'POST';
  const isSameOrigin = url.origin === request.endpoint.origin;
  /** @type {(name: string, value: string) => boolean} */
  const isDropped = (name, value) =>
    (becomesGet && DESCRIBES_BODY.test(name)) ||
    (!isSameOrigin && belongsToOrigin(name, value) && !kept.has(name.toLowerCase())) ||
    (sendsReferer && name.toLowerCase() === 'referer');
  const referer = sendsReferer ? refererOf(request, url) : [];
  const { tls, way } = request.endpoint;
  return {
    endpoint: isSameOrigin
      ? endpointOf(url, tls, way)
      : endpointOf(url, withoutIdentity(tls), { ...way, socketPath: undefined }),
    method: becomesGet ? 'GET' : request.method,
    path: pathOf(url),
    fields: [...withoutFields(request.fields, isDropped), ...referer],
    extra: null,
    body: becomesGet ? null : request.body,
    isForeign: request.isForeign,
  };
}

/** Another origin learns our origin alone (RFC 9110 10.1.3). @type {(from: Request, to: URL) => string[]} */
function refererOf({ endpoint: { origin, protocol }, path }, to) {
  if (protocol === 'https:' && to.protocol === 'http:') return [];
  return ['referer', to.origin === origin ? origin + path : `${origin}/`];
}

/** @type {(status: number) => boolean} */
export function isRedirect(status) {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * @type {(location: string | string[], request: Request) => URL} `location` is a list if there are several that differ
 */
function targetOf(location, request) {
  // Raw bytes arrive as latin1: like browsers, send them as they are, UTF-8 or not.
  const text = String(location).replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const base = request.endpoint.origin + request.path;
  const url = !Array.isArray(location) && URL.canParse(text, base) ? new URL(text, base) : null;
  if (url && /^https?:$/.test(url.protocol) && url.hostname) return url;
  throw makeError('E_REDIRECT_TARGET', { location: JSON.stringify(text.slice(0, 100)) });
}

/** Reports whether a field belongs to the origin: it may be secret. @type {(name: string, value: string) => boolean} */
function belongsToOrigin(name, value) {
  return name.toLowerCase() === 'host' || (!NEVER_SECRET.test(name) && isSecretField(name, String(value)));
}

/** @type {(fields: string[], isDropped: (name: string, value: string) => boolean) => string[]} */
function withoutFields(fields, isDropped) {
  return fields.filter((_, i) => {
    const at = i - (i % 2);
    return !isDropped(fields[at], fields[at + 1]);
  });
}

import { makeError } from '../../errors.js';
import { isSecretField } from '../../mask.js';

/**
 * @import { Request, Step } from '../../flow/types.js'
 * @import { Response } from '../../transport/types.js'
 */

const OF_BODY = /^(content-|transfer-encoding$)/i;

/**
 * The request that a redirect asks for (RFC 9110 15.4), null where none is to be followed.
 * 303 turns all but HEAD into GET, 301 and 302 turn POST into GET, 307 and 308 repeat. Credentials, and whatever is
 * named as a secret, are not sent on to another origin, nor back from there.
 *
 * @param {Request} request
 * @param {Response} response
 * @param {{ step: Step, redirects: number, endpointOf: (url: URL, tls: Record<string, unknown>, socketPath?: string) => Request['endpoint'] }} context
 * @returns {Request | null}
 * @throws {Error} E_REDIRECT_LOOP, E_REDIRECT_TARGET
 */
export function followRedirect(request, response, { step, redirects, endpointOf }) {
  const { statusCode } = response;
  if (step.maxRedirects === 0 || !isRedirect(statusCode)) return null;
  const { location } = response.headers;
  if (!location) return null;
  if (redirects >= step.maxRedirects) throw makeError('E_REDIRECT_LOOP', { limit: step.maxRedirects });
  const url = parse(location, request);
  const becomesGet = statusCode === 303 ? request.method !== 'HEAD' : statusCode <= 302 && request.method === 'POST';
  const isSameOrigin = url.origin === request.endpoint.origin;
  const dropped = /** @type {(name: string) => boolean} */ (
    (name) => (becomesGet && OF_BODY.test(name)) || (!isSameOrigin && isOfOrigin(name))
  );
  const fields = withoutFields(request.fields, dropped);
  const extra = request.extra && withoutFields(request.extra, (name) => dropped(name) || /^cookie$/i.test(name));
  return {
    endpoint: isSameOrigin
      ? endpointOf(url, request.endpoint.tls, request.endpoint.socketPath)
      : endpointOf(url, withoutIdentity(request.endpoint.tls)),
    method: becomesGet ? 'GET' : request.method,
    path: url.pathname + url.search,
    fields,
    extra: extra && extra.length > 0 ? extra : null,
    body: becomesGet ? null : request.body,
  };
}

/** @type {(name: string) => boolean} */
function isOfOrigin(name) {
  return isSecretField(name) || name.toLowerCase() === 'host';
}

/** What another origin may know of the TLS options: whom to trust, not who we are. @type {(tls: Record<string, unknown>) => Record<string, unknown>} */
function withoutIdentity(tls) {
  const { cert: _cert, key: _key, pfx: _pfx, passphrase: _passphrase, servername: _servername, ...rest } = tls;
  return rest;
}

/** @type {(status: number) => boolean} */
export function isRedirect(status) {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** A list if there are several that differ. @type {(location: string | string[], request: Request) => URL} */
function parse(location, request) {
  // a Location in raw UTF-8 arrives as latin1
  const text = Buffer.from(String(location), 'latin1').toString('utf8');
  const base = request.endpoint.origin + request.path;
  const url = !Array.isArray(location) && URL.canParse(text, base) ? new URL(text, base) : null;
  if (url && /^https?:$/.test(url.protocol) && url.hostname) return url;
  throw makeError('E_REDIRECT_TARGET', { location: JSON.stringify(text.slice(0, 100)) });
}

/** @type {(fields: string[], isDropped: (name: string) => boolean) => string[]} */
function withoutFields(fields, isDropped) {
  return fields.filter((_, i) => !isDropped(fields[i - (i % 2)]));
}

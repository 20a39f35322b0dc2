import { createHash, createHmac } from 'node:crypto';

import { encodeReserved } from '../../core/text/decode.js';
import { hide } from '../../core/text/mask.js';
import { compileTemplate, renderTemplate } from '../../core/flow/template.js';
import { hasToken } from '../../core/flow/tokens/index.js';
import { MEMBERS } from './property.js';

/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Scope } from '../../core/contracts/step.js' */
/** @import { Place } from '../../core/flow/types.js' */

/**
 * @typedef {{ accessKeyId: string, secretAccessKey: string, sessionToken: string, region: string, service: string }}
 *   AwsCredentials
 */

const ALGORITHM = 'AWS4-HMAC-SHA256';
const UNSIGNED = [
  // Proxies and connections change these fields
  ...['authorization', 'connection', 'expect', 'presigned-expires', 'range', 'user-agent', 'x-amzn-trace-id'],
  // Later parts of the run add these
  ...['cookie', 'transfer-encoding'],
];
/** The service whose path is the key of an object, encoded once, and whose requests have a hash of the body. */
const S3 = 's3';

/**
 * Compiles the signature of requests by AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). `now` returns ms since
 * 1970.
 * @type {(aws: Record<string, string>, context: Pick<Place, 'mark'>, now?: () => number) => (request: Request, scope:
 *   Scope) => Request}
 */
export function compileSignature(aws, { mark }, now = Date.now) {
  const { secretAccessKey, sessionToken = '' } = aws;
  // A text with a token is not the secret itself. (#{env.NAME} has been replaced, and its value hidden.)
  for (const secret of [secretAccessKey, sessionToken]) if (!hasToken(secret)) hide(secret);
  const templates = MEMBERS.map(
    (name) => /** @type {const} */ ([name, compileTemplate(mark(aws[name] ?? '', `aws.${name}`))]),
  );
  return (request, scope) => {
    const credentials = /** @type {any} */ (
      Object.fromEntries(templates.map(([name, template]) => [name, renderTemplate(template, scope)]))
    );
    return signed(request, credentials, now());
  };
}

/** @type {(request: Request, credentials: AwsCredentials, nowMs: number) => Request} */
function signed(request, { accessKeyId, secretAccessKey, sessionToken, region, service }, nowMs) {
  const fields = pairsOf(request.fields).filter(([name]) => name.toLowerCase() !== 'authorization');
  const has = (/** @type {string} */ wanted) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1];
  // The user may set this field, such as to UNSIGNED-PAYLOAD
  const payloadHash = has('x-amz-content-sha256') ?? sha256(request.body ?? '');
  const time = has('x-amz-date') ?? new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  if (has('x-amz-date') === undefined) fields.push(['X-Amz-Date', time]);
  if (sessionToken && has('x-amz-security-token') === undefined) fields.push(['X-Amz-Security-Token', sessionToken]);
  if (service === S3 && has('x-amz-content-sha256') === undefined) fields.push(['X-Amz-Content-Sha256', payloadHash]);
  const toSign = has('host') === undefined ? [['Host', request.endpoint.host], ...fields] : fields;
  const { lines, names } = canonicalFields(/** @type {[string, string][]} */ (toSign));
  const [path, ...query] = request.path.split('?');
  const canonical = [
    request.method,
    canonicalPath(path, service),
    canonicalQuery(query.join('?')),
    ...lines,
    '',
    names,
    payloadHash,
  ].join('\n');
  const date = time.slice(0, 8);
  const credentialScope = `${date}/${region}/${service}/aws4_request`;
  const key = [date, region, service, 'aws4_request'].reduce(
    (secret, part) => hmac(secret, part),
    /** @type {string | Buffer} */ (`AWS4${secretAccessKey}`),
  );
  const signature = hmac(key, [ALGORITHM, time, credentialScope, sha256(canonical)].join('\n')).toString('hex');
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...request, fields: [...fields.flat(), 'Authorization', authorization] };
}

/** @type {(fields: string[]) => [name: string, value: string][]} */
function pairsOf(fields) {
  return Array.from({ length: fields.length / 2 }, (_, i) => [fields[2 * i], fields[2 * i + 1]]);
}

/**
 * The fields in the order of their names; values of the same name are joined.
 * @type {(fields: [string, string][]) => { lines: string[], names: string }}
 */
function canonicalFields(fields) {
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    if (!UNSIGNED.includes(key)) byName.set(key, [...(byName.get(key) ?? []), value.trim().replace(/\s+/g, ' ')]);
  }
  const sorted = [...byName].sort(([a], [b]) => compareBytes(a, b));
  return {
    lines: sorted.map(([name, values]) => `${name}:${values.join(',')}`),
    names: sorted.map(([name]) => name).join(';'),
  };
}

/**
 * S3 reads the path as the key of an object. The others encode the path that is sent once more, without empty and
 * relative segments (RFC 3986 5.2.4).
 * @type {(path: string, service: string) => string}
 */
function canonicalPath(path, service) {
  if (service === S3) {
    const parts = path.split('/').map((part) => encodeReserved(decoded(part)));
    return parts.join('/').replaceAll('%2F', '/');
  }
  /** @type {string[]} */
  const segments = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(encodeReserved(segment));
  }
  const isFolder = segments.length > 0 && path.endsWith('/');
  return `/${segments.join('/')}${isFolder ? '/' : ''}`;
}

/** @type {(query: string) => string} */
function canonicalQuery(query) {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs
    .map((pair) => {
      const [name, ...value] = pair.split('=');
      return [name, value.join('=')].map((text) => encodeReserved(decoded(text)));
    })
    .sort(([a, x], [b, y]) => compareBytes(a, b) || compareBytes(x, y))
    .map((pair) => pair.join('='))
    .join('&');
}

/** @type {(a: string, b: string) => number} */
function compareBytes(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** As the services read it: a plus sign is a space. @type {(text: string) => string} */
function decoded(text) {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A percent sign that encodes nothing stands for itself
    return spaced;
  }
}

/** @type {(data: string | Buffer) => string} */
function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** @type {(key: string | Buffer, data: string) => Buffer} */
function hmac(key, data) {
  return createHmac('sha256', key).update(data).digest();
}

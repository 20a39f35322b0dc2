import { AWS_DEFAULTS } from '../draft.js';
import { isRecord, itemsOf } from '../read-document.js';

/** @import { Variables } from '../variables.js' */

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
      return { ...none, properties: { auth: { bearer: get('token') } } };
    case 'oauth2':
      return { ...none, properties: { auth: { bearer: get('accessToken') || '#{env.TOKEN}' } } };
    case 'basic':
      return { ...none, properties: { auth: { user: get('username'), pass: get('password') } } };
    case 'digest':
      return {
        ...none,
        properties: { auth: { user: get('username'), pass: get('password'), sendImmediately: false } },
      };
    case 'apikey':
      return get('in') === 'query'
        ? { ...none, query: [`${encodeURIComponent(get('key'))}=${get('value')}`], secrets: [get('key')] }
        : { ...none, headers: { [get('key') || 'X-Api-Key']: get('value') }, secrets: [get('key')] };
    case 'awsv4':
      return { ...none, properties: { aws: awsOf(get) } };
    default:
      comments.push(`The authorization ${auth.type} has no equivalent: add what it needs.`);
      return none;
  }
}

/** @type {(get: (name: string) => string) => Record<string, string>} */
function awsOf(get) {
  const token = get('sessionToken');
  return {
    accessKeyId: get('accessKey') || '#{env.AWS_ACCESS_KEY_ID}',
    secretAccessKey: get('secretKey') || '#{env.AWS_SECRET_ACCESS_KEY}',
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

import { basicCredentials } from '../../basic-credentials.js';
import { canAnswer, digestResponse } from './digest-response.js';
import { readChallenges } from './www-authenticate.js';

/**
 * @import { Credentials, Request } from '../../flow/types.js'
 * @import { Middleware, Session } from './index.js'
 * @import { Challenge } from './www-authenticate.js'
 *
 * @typedef {Challenge & { count: number }} KnownChallenge `count`: requests that answered it
 * @typedef {object} Realms the challenges of a server to a virtual user
 * @property {Map<string, KnownChallenge>} byRealm
 * @property {WeakMap<object, string>} ofRules the realm of an operation, by its rules
 * @property {string} last the realm of the last challenge
 */

/** servers, and realms of a server, that a virtual user remembers */
const MAX_KNOWN = 16;

/** @type {Middleware} */
export default {
  name: 'challenge',
  about: 'Sends credentials when the server asks for them, then with every request (RFC 7616, RFC 7617)',
  needed: (rules) => rules.credentials !== null,

  before(request, session) {
    if (session.isElsewhere || hasAuthorization(request)) return;
    const realms = session.challenges.get(request.endpoint.key);
    const known = realms?.byRealm.get(realms.ofRules.get(session.rules) ?? realms.last);
    if (!known) return;
    const field = answer(known, request, credentialsOf(session));
    if (field !== null) (request.extra ??= []).push('authorization', field);
  },

  after(request, response, session) {
    if (response.statusCode !== 401 || session.isElsewhere || hasAuthorization(session.own)) return undefined;
    const credentials = credentialsOf(session);
    const challenge = readChallenges(String(response.headers['www-authenticate'] ?? '')).find((one) =>
      suits(one, credentials),
    );
    const isStale = challenge?.parameters.stale?.toLowerCase() === 'true';
    if (!challenge || session.challenged >= (isStale ? 2 : 1)) return undefined;
    session.challenged++;
    remember(challenge, session);
    session.next = session.own;
    session.nextRole = 'challenges';
    // no hook reads the body of a challenge
    if (response.body) session.bodies.free(response.body.length);
    return undefined;
  },
};

/** @type {(session: Session) => Credentials} */
function credentialsOf({ rules, env, isUntrusted }) {
  const credentials = /** @type {NonNullable<typeof rules.credentials>} */ (rules.credentials)(env);
  return isUntrusted && credentials.isOfRun ? {} : credentials;
}

/** @type {(challenge: Challenge, credentials: Credentials) => boolean} */
function suits({ scheme, parameters }, { user, bearer }) {
  if (scheme === 'bearer') return bearer !== undefined;
  if (user === undefined) return false;
  return scheme === 'basic' || (scheme === 'digest' && canAnswer(parameters));
}

/** @type {(challenge: Challenge, session: Session) => void} */
function remember(challenge, { challenges, own, rules }) {
  const { key } = own.endpoint;
  const { realm = '' } = challenge.parameters;
  if (!challenges.has(key) && challenges.size >= MAX_KNOWN) challenges.clear();
  const realms = challenges.get(key) ?? { byRealm: new Map(), ofRules: new WeakMap(), last: realm };
  if (!realms.byRealm.has(realm) && realms.byRealm.size >= MAX_KNOWN) realms.byRealm.clear();
  realms.byRealm.set(realm, { ...challenge, count: 0 });
  realms.ofRules.set(rules, realm);
  realms.last = realm;
  challenges.set(key, realms);
}

/** @type {(challenge: KnownChallenge, request: Request, credentials: Credentials) => string | null} */
function answer(challenge, { method, path, body }, credentials) {
  if (!suits(challenge, credentials)) return null;
  const { user = '', password = '', bearer } = credentials;
  if (challenge.scheme === 'bearer') return `Bearer ${bearer}`;
  if (challenge.scheme === 'basic') return basicCredentials(`${user}:${password}`);
  challenge.count++;
  return digestResponse(challenge.parameters, { user, password, method, path, body, count: challenge.count });
}

/** @type {(request: Request) => boolean} */
function hasAuthorization({ fields }) {
  return fields.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
}

import { offered } from '../../ground/addons.js';
import { basicCredentials, fieldAt } from '../../http/field-values.js';
import cookies from './cookies.js';
import decode from './decode.js';
import redirects from './redirects.js';

/** @import { Recorder, Role } from '../../contracts/recorders.js' */
/** @import { Request } from '../../contracts/request.js' */
/** @import { Response } from '../../contracts/response.js' */
/** @import { Rules } from '../../contracts/step.js' */
/** @import { Offered } from '../../ground/types.js' */
/** @import { EndpointOf } from '../../http/endpoint.js' */
/** @import { BodyAccount } from '../../process/body-memory.js' */
/** @import { Env } from '../iteration.js' */
/** @import { CookieJars } from './cookies.js' */

/**
 * @typedef {object} SessionOptions the same for all exchanges of a run
 * @property {string} [user]
 * @property {string} [password]
 * @property {number} timeoutMs of an operation; 0: none
 * @property {number} maxBodySize bytes
 * @property {EndpointOf} endpointOf
 * @property {CookieJars} jars
 * @property {Pick<Recorder, 'exhausted'> & { metrics: Pick<Recorder['metrics'], 'serverTime'> }} recorder
 * @property {() => number} random 0 to 1
 *
 * @typedef {object} Session one exchange, redirects included
 * @property {SessionOptions} run
 * @property {Env} env
 * @property {Rules} rules
 * @property {BodyAccount} bodies
 * @property {Request} own the operation's request of this hop, without additions of middleware
 * @property {Request | null} next the request that a middleware sends next: the exchange continues with it
 * @property {Role} nextRole how that request is counted
 * @property {number | null} waitMs how long it waits before that; null: it does not
 * @property {string | null} lastBecause why a request is not sent again, as the remedy
 * @property {number} repeated how often the request was sent again after a wait
 * @property {number} leftMs of the time of the operation
 * @property {number} redirects followed so far
 * @property {number} challenged how often the server asked for credentials and got them since the last redirect
 * @property {boolean} isElsewhere a redirect led to another origin: credentials of the operation are no longer sent
 * @property {boolean} isUntrusted nor are those of the run: the flow does not name the origin
 *
 * @typedef {object} Middleware something that an exchange adds to a request or learns from a response
 * @property {string} name
 * @property {string} about
 * @property {(rules: Rules) => boolean} needed decided once per step, and again if a hook changed its rules
 * @property {(request: Request, session: Session) => void} [before] changes the request, which is a copy for one hop
 * @property {(request: Request, response: Response, session: Session) => Promise<void> | undefined} [after] may set
 *   `session.next`. The exchange has been measured when the promise is awaited
 * @property {boolean} [readsPlain] `after` acts also on plain responses (see `isPlain` of Response), as most are
 */

/** @type {Middleware} */
const auth = {
  name: 'auth',
  about: 'Basic authentication with the user that a hook wrote to env',
  needed: (rules) => !rules.hasCredentials,

  before(request, { env, run, isUntrusted }) {
    if (isUntrusted || (env.user === run.user && env.password === run.password)) return;
    const { fields } = request;
    const at = fieldAt(fields, 'authorization');
    if (at >= 0) request.fields = fields.toSpliced(at, 2);
    if (!env.user) return;
    (request.extra ??= []).push('authorization', basicCredentials(`${env.user}:${env.password ?? ''}`));
  },
};

/** @type {Middleware} */
const sentRequest = {
  name: 'sent request',
  about: 'Keeps the last request of an exchange for after-hooks, as it was sent',
  needed: (rules) => rules.keepsRequest,
  readsPlain: true,

  after(request, response) {
    response.request = request;
    return undefined;
  },
};

/** @type {Offered<Middleware>[]} */
const OFFERED = offered('middleware');

/**
 * The middleware of an exchange, in the order in which it acts, before and after. Only the last one may return a
 * promise from `after`: the exchange awaits no other.
 * @type {Middleware[]}
 */
export const MIDDLEWARE = [auth, ...OFFERED.map(({ load }) => load()), cookies, sentRequest, redirects, decode];

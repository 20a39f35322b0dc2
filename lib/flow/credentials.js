import { compileTemplate, renderTemplate } from './template.js';

/**
 * @import { Credentials, Operation, Scope } from './types.js'
 */

/**
 * Compiles the credentials that are sent when a server asks for them: `auth` with `sendImmediately: false`. Without a user
 * of its own, the operation uses that of the iteration, or that of the URL.
 *
 * @param {Operation['auth']} auth
 * @param {string | null} userinfo `user:password` of the URL
 * @param {{ mark: (text: string, key: string) => string, bearerOf: (bearer: any) => (scope: Scope) => string }} context
 * @returns {((scope: Scope) => Credentials) | null} null if they are sent at once
 */
export function compileCredentials(auth, userinfo, { mark, bearerOf }) {
  if (auth?.sendImmediately !== false) return null;
  if (auth.bearer !== undefined) {
    const bearer = bearerOf(auth.bearer);
    return (scope) => ({ bearer: bearer(scope) });
  }
  const ownUser = auth.user ?? auth.username;
  if (ownUser !== undefined) {
    const user = compileTemplate(mark(String(ownUser), 'auth'));
    const password = compileTemplate(mark(String(auth.pass ?? auth.password ?? ''), 'auth'));
    return (scope) => ({ user: renderTemplate(user, scope), password: renderTemplate(password, scope) });
  }
  const [name, ...rest] = (userinfo ?? '').split(':');
  const ofUrl = userinfo === null ? undefined : name;
  return ({ user, password }) =>
    user === undefined || user === null ? { user: ofUrl, password: rest.join(':') } : { user, password };
}

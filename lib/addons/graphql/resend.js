/** @import { Middleware } from '../../core/iteration/session/index.js' */

/** @type {Middleware} */
export const RESEND = {
  name: 'resend',
  about: 'Sends the request once more, with another body, if its response asks for that',
  needed: (rules) => rules.resend !== null,
  readsPlain: true,

  after(_request, response, session) {
    const { own, rules, env, bodies } = session;
    if (session.next !== null || own.isResent || rules.resend === null || !rules.resend.isAsked(response))
      return undefined;
    session.next = { ...own, body: rules.resend.body(env), isResent: true };
    session.nextRole = 'retries';
    // No hook reads the body of this answer.
    if (response.body) bodies.free(response.body.length);
    return undefined;
  },
};

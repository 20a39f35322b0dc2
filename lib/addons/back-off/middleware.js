import { writeMs } from '../../core/ground/units.js';

/** @import { Middleware } from '../../core/iteration/session/index.js' */

/** @type {Middleware} */
export default {
  name: 'back-off',
  about: 'Sends the request again after a wait, if its response asks for that (RFC 9110 10.2.3)',
  needed: (rules) => rules.retry !== null,
  readsPlain: true,

  after(_request, response, session) {
    const { own, rules, run, bodies } = session;
    if (session.next !== null || rules.retry?.isAsked(response) !== true) return undefined;
    const waitMs = rules.retry.waitMs(response, session.repeated + 1, run.random);
    if (waitMs >= session.leftMs) {
      run.recorder.exhausted();
      const timeoutMs = rules.timeoutMs ?? run.timeoutMs;
      session.lastBecause =
        waitMs === Infinity
          ? rules.retry.remedy(session.repeated + 1)
          : `raise timeout (${writeMs(timeoutMs)}), in which the wait would not end`;
      return undefined;
    }
    session.next = own;
    session.nextRole = 'throttled';
    session.waitMs = waitMs;
    session.repeated++;
    // No hook reads the body of this answer.
    if (response.body) bodies.free(response.body.length);
    return undefined;
  },
};

import { basicCredentials } from '../../http/field-values.js';

/** @import { Middleware } from './index.js' */

/** @type {Middleware} */
export default {
  name: 'auth',
  about: 'Basic authentication with the user that a hook wrote to env',
  needed: (rules) => !rules.hasCredentials,

  before(request, { env, run, isUntrusted }) {
    if (isUntrusted || (env.user === run.user && env.password === run.password)) return;
    const { fields } = request;
    const i = fields.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization');
    if (i >= 0) request.fields = fields.toSpliced(i, 2);
    if (!env.user) return;
    (request.extra ??= []).push('authorization', basicCredentials(`${env.user}:${env.password ?? ''}`));
  },
};

/** @import { Ability } from './index.js' */

/** @type {Ability} */
export default {
  name: 'auth',
  about: 'basic authentication with the user that a hook wrote to env',
  needed: (step) => !step.hasCredentials,

  before(request, { env, user, password, hasLeft }) {
    if (hasLeft || (env.user === user && env.password === password)) return;
    const { fields } = request;
    const i = fields.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization');
    if (i >= 0) request.fields = fields.toSpliced(i, 2);
    if (env.user === undefined || env.user === null) return;
    const credentials = Buffer.from(`${env.user}:${env.password ?? ''}`).toString('base64');
    (request.extra ??= []).push('authorization', `Basic ${credentials}`);
  },
};

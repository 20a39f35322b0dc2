// A cookie that is set and sent, an ETag that is saved and used: five requests per iteration.
export default {
  beforeMain: [{ post: '/login', json: { user: 'user#{INDEX}' } }],
  main: [{ get: '/me' }, { get: '/doc', afterHooks: ['saveEtag'] }, { get: '/doc', beforeHooks: ['useEtag'] }],
};

// A cookie is set and sent, an ETag is saved and used: four requests per iteration.
export default {
  beforeMain: [{ post: '/login', json: { user: 'user#{INDEX}' } }],
  main: [{ get: '/me' }, { get: '/doc', afterHooks: ['saveEtag'] }, { get: '/doc', beforeHooks: ['useEtag'] }],
};

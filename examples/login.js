// bench-rest -n 1000 -c 50 --serve examples/login.js
// Every iteration has its own cookie jar and logs in once; `before` stores data for the whole run in runCtx.
const rememberUser = (all) => {
  all.runCtx.firstUser = all.body.user;
};

const checkUser = (all) => {
  if (all.body.user !== `user${all.env.index}`) throw new Error(`logged in as ${all.body.user}`);
};

export default {
  baseUrl: 'http://localhost:8000',
  before: [{ post: '/login', json: { user: 'first' }, afterHooks: [rememberUser] }],
  beforeMain: [{ post: '/login', json: { user: 'user#{INDEX}' } }],
  main: [{ get: '/me', json: true, afterHooks: [checkUser] }],
};

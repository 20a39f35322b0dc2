// bench-rest -n 1000 -c 50 --serve examples/hooks.js
// Hooks pass data from one operation to the next in iterCtx, which belongs to a single iteration.
const rememberLocation = (all) => {
  all.iterCtx.location = all.response.headers.location;
};

const goThere = (all) => {
  all.requestOptions.uri = all.iterCtx.location;
};

const checkName = (all) => {
  if (all.body.name !== `item ${all.env.index}`) throw new Error(`got another item: ${JSON.stringify(all.body)}`);
};

export default {
  baseUrl: 'http://localhost:8000',
  main: [
    { post: '/items', json: { name: 'item #{INDEX}' }, afterHooks: ['verify2XX', rememberLocation] },
    { get: '/items', json: true, beforeHooks: [goThere], afterHooks: ['verify2XX', checkName] },
  ],
  afterMain: [{ del: '/items', beforeHooks: [goThere] }],
};

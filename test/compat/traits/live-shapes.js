/** Flows that change, in the shapes of load tests that people have published, and objects that can hardly change. */

const TWO = () => ({ limit: 1, iterations: 2 });
const ONE = () => ({ limit: 1, iterations: 1 });

/** @type {(action: (all: any) => void) => (all: any) => any} */
const then = (action) => (all) => {
  action(all);
  return all;
};
/** An operation of `before` whose answer, `{ id: 7, data: { token: 'secret' } }`, some code uses. */
const signIn = (url, action) => [{ post: `${url}/json`, json: { user: 'ann' }, afterHooks: [then(action)] }];
const ended = (run) => new Promise((resolve) => run.on('end', resolve));
/** @type {(name: string, flow: (url: string, log: (...values: any[]) => void) => any, options?: () => any) => any} */
const trait = (name, flow, options = TWO) => ({ name: `shape: ${name}`, flow, options });
const program = (name, run, more = {}) => ({ name: `shape: ${name}`, program: run, ...more });

class Session {
  constructor(url) {
    this.url = url;
    this.headers = { accept: 'application/json' };
  }
  signedIn({ data: { token } }) {
    this.headers['x-token'] = token;
  }
  get(path) {
    return { get: this.url + path, headers: this.headers };
  }
}
class Basket {
  #items = [];
  add(item) {
    this.#items.push(item);
    return this;
  }
  toJSON() {
    return { items: this.#items, count: this.#items.length };
  }
}
/** Tests of a service, one flow after another, which share what they have learned. */
const SUITES = [
  program('a suite keeps the access key of one flow for the URL of the next', async ({ url, benchrest }) => {
    let key;
    await ended(benchrest({ main: signIn(url, ({ body }) => (key = body.data.token)) }, ONE()));
    await ended(benchrest({ main: [{ get: `${url}/models?accesskey=${key}` }] }, TWO()));
  }),
  program('a suite completes the object that the next flow sends', async ({ url, benchrest }) => {
    const setting = { host: 'sms', fields: ['a'] };
    await ended(
      benchrest(
        { main: [{ post: `${url}/json`, json: setting, afterHooks: [then((all) => (setting.id = all.body.id))] }] },
        ONE(),
      ),
    );
    await ended(benchrest({ main: [{ put: `${url}/settings`, json: setting }] }, TWO()));
  }),
  program('a suite changes one flow object between its runs', async ({ url, log, benchrest }) => {
    const flow = { main: [{ get: `${url}/a`, headers: { n: '0' } }] };
    for (const n of [1, 2, 3]) {
      flow.main[0].headers.n = `${n}`;
      flow.main[0].get += `/${n}`;
      log(await ended(benchrest(flow, ONE())).then(() => n));
    }
  }),
  program(
    'the listener of end completes the flow of the next run',
    ({ url, benchrest }) =>
      new Promise((done) => {
        const ids = [];
        const create = {
          main: [{ post: `${url}/json`, json: { i: '#{INDEX}' }, afterHooks: [then(({ body }) => ids.push(body.id))] }],
        };
        benchrest(create, TWO()).on('end', () => {
          create.main = ids.map((id, i) => ({ del: `${url}/items/${id}/${i}` }));
          benchrest(create, ONE()).on('end', done);
        });
      }),
  ),
  program('a list of flows shares its headers', async ({ url, benchrest }) => {
    const headers = {};
    const flows = [
      { main: signIn(url, ({ body }) => (headers.id = `${body.id}`)) },
      ...['a', 'b'].map((path) => ({ main: [{ get: `${url}/${path}`, headers }] })),
    ];
    for (const flow of flows) await ended(benchrest(flow, ONE()));
  }),
  program(
    'two runs of one flow at the same time',
    async ({ url, benchrest }) => {
      const headers = { n: '0' };
      let count = 0;
      const flow = { main: [{ get: `${url}/a`, headers, afterHooks: [then(() => count++)] }] };
      await Promise.all([benchrest(flow, ONE()), benchrest(flow, ONE())].map(ended));
      headers.n = `${count}`;
      await ended(benchrest(flow, ONE()));
    },
    { isUnordered: true },
  ),
  program(
    'two runs at the same time share the flow that before of one completes',
    async ({ url, benchrest }) => {
      const shared = { get: `${url}/shared`, headers: { n: 'same' } };
      const one = {
        before: signIn(url, () => (shared.headers = { n: 'same', m: '1' })),
        main: [{ get: `${url}/own` }, { get: `${url}/late`, headers: shared.headers }],
      };
      const two = { main: [{ get: `${url}/two` }], after: [{ del: `${url}/two` }] };
      await Promise.all([benchrest(one, ONE()), benchrest(two, ONE())].map(ended));
      await ended(benchrest({ main: [shared] }, ONE()));
    },
    { isUnordered: true },
  ),
  program(
    'two runs at the same time push to after of one flow',
    async ({ url, benchrest }) => {
      const flow = {
        main: [{ get: `${url}/m`, afterHooks: [then(() => flow.after.push({ del: `${url}/d` }))] }],
        after: [],
      };
      const runs = [benchrest(flow, ONE()), benchrest({ main: [{ get: `${url}/o` }] }, ONE())];
      await Promise.all(runs.map(ended));
    },
    { isUnordered: true },
  ),
];

/** Clients and generators of flows. */
const CLIENTS = [
  trait('a session object makes all operations', (url) => {
    const session = new Session(url);
    return {
      before: signIn(url, ({ body }) => session.signedIn(body)),
      main: ['/me', '/items'].map((path) => session.get(path)),
    };
  }),
  trait('a session object replaces its headers', (url) => {
    const session = new Session(url);
    const main = [session.get('/me')];
    return {
      before: signIn(url, ({ body }) => {
        session.headers = { token: body.data.token };
        main.push(session.get('/new'));
      }),
      main,
    };
  }),
  trait('users are generated for main in before', (url) => {
    const users = [];
    const flow = {
      before: signIn(url, ({ body }) => {
        for (let i = 0; i < 3; i++) users.push({ post: `${url}/users`, json: { name: `u${i}`, by: body.id } });
      }),
      main: users,
    };
    return flow;
  }),
  trait('a basket grows with each iteration', (url) => {
    const basket = new Basket();
    return [
      { get: `${url}/item`, afterHooks: [then(({ env }) => basket.add(env.index))] },
      { put: `${url}/basket`, json: basket },
    ];
  }),
  trait('a basket within json is filled in before', (url) => {
    const basket = new Basket().add('a');
    return {
      before: signIn(url, ({ body }) => basket.add(body.id)),
      main: [{ post: `${url}/order`, json: { user: '#{INDEX}', basket } }],
    };
  }),
  trait('ids of created items are queried in one request', (url) => {
    const query = { ids: [] };
    return [
      { post: `${url}/json`, json: {}, afterHooks: [then(({ body, env }) => query.ids.push(body.id + env.index))] },
      { post: `${url}/query`, json: query },
    ];
  }),
  trait('each created item gets its own DELETE in after', (url) => {
    const flow = {
      main: [
        {
          post: `${url}/json`,
          json: { n: '#{INDEX}' },
          afterHooks: [then(({ body, env }) => flow.after.push({ del: `${url}/items/${body.id}/${env.index}` }))],
        },
      ],
      after: [],
    };
    return flow;
  }),
  trait('created items are deleted in the order of a stack', (url) => {
    const flow = {
      main: [
        {
          post: `${url}/json`,
          json: {},
          afterHooks: [then(({ env }) => flow.after.unshift({ del: `${url}/items/${env.index}` }))],
        },
      ],
      after: [{ get: `${url}/last` }],
    };
    return flow;
  }),
  trait('a DELETE of after gets a list of all ids', (url) => {
    const ids = [];
    return {
      main: [{ get: `${url}/a`, afterHooks: [then(({ env }) => ids.push(env.index))] }],
      after: [{ del: `${url}/items`, json: { ids } }],
    };
  }),
  trait('a form gets the token of a page', (url) => {
    const form = { csrf: '', name: 'ann' };
    return [
      { get: `${url}/json`, json: true, afterHooks: [then(({ body }) => (form.csrf = body.data?.token ?? 'text'))] },
      { post: `${url}/form`, form },
    ];
  }),
  trait(
    'a query goes on from page to page',
    (url) => {
      const qs = { page: 1, size: 10 };
      return [{ get: `${url}/list`, qs, afterHooks: [then(() => qs.page++)] }];
    },
    () => ({ limit: 1, iterations: 4 }),
  ),
  trait('a retry count in headers is reset for each iteration', (url) => {
    const headers = { attempt: '0' };
    return {
      beforeMain: [{ get: `${url}/start`, afterHooks: [then(() => (headers.attempt = '0'))] }],
      main: [
        { get: `${url}/a`, headers, afterHooks: [then(() => (headers.attempt = '1'))] },
        { get: `${url}/a`, headers },
      ],
    };
  }),
  trait('an ETag goes into headers of the next request', (url) => {
    const headers = {};
    return [
      {
        get: `${url}/etag/a`,
        headers,
        afterHooks: [then(({ response }) => (headers['if-none-match'] = response.headers.etag))],
      },
    ];
  }),
  trait('the Location of a created item is the URL of the next operations', (url) => {
    const read = { get: `${url}/none` };
    return {
      before: [
        {
          post: `${url}/created`,
          json: {},
          afterHooks: [then(({ response }) => (read.get = url + response.headers.location))],
        },
      ],
      main: [read],
    };
  }),
  trait('operations are dealt out of a deck', (url) => {
    const deck = ['a', 'b', 'c', 'd'];
    const op = { get: `${url}/none` };
    return {
      before: signIn(url, () => (op.get = `${url}/${deck.shift()}`)),
      main: [op, { get: `${url}/x`, afterHooks: [then(() => deck.shift())] }],
    };
  }),
  trait('a map of operations becomes main', (url) => {
    const byName = new Map();
    const flow = {
      before: signIn(url, () => {
        byName.set('one', { get: `${url}/1` }).set('two', { get: `${url}/2` });
        flow.main = [...byName.values()];
      }),
      main: [],
    };
    return flow;
  }),
  trait('main is concatenated of two lists', (url) => {
    const flow = {
      before: signIn(url, () => (flow.main = flow.main.concat([{ get: `${url}/b` }], [{ get: `${url}/c` }]))),
      main: [{ get: `${url}/a` }],
    };
    return flow;
  }),
  trait('main is filtered by an answer', (url) => {
    const flow = {
      before: signIn(url, ({ body }) => (flow.main = flow.main.filter(({ get }) => !get.endsWith(`${body.id}`)))),
      main: [5, 6, 7].map((id) => ({ get: `${url}/${id}` })),
    };
    return flow;
  }),
  trait('main is sorted by an answer', (url) => {
    const flow = {
      before: signIn(url, () => flow.main.sort((a, b) => (a.get < b.get ? -1 : 1))),
      main: [3, 1, 2].map((id) => ({ get: `${url}/${id}` })),
    };
    return flow;
  }),
  trait('a debug header is on for the first iteration alone', (url) => {
    const op = { get: `${url}/a`, headers: { debug: '1' } };
    return [op, { get: `${url}/b`, afterHooks: [then(() => delete op.headers.debug)] }];
  }),
  trait('an operation is a template that Object.assign completes', (url) => {
    const template = { headers: { a: '1' } };
    const flow = {
      before: signIn(url, ({ body }) => flow.main.push(Object.assign({}, template, { get: `${url}/${body.id}` }))),
      main: [Object.assign({ get: `${url}/0` }, template)],
    };
    return flow;
  }),
  trait('a logger wraps the hooks of all operations in before', (url, log) => {
    const flow = {
      before: signIn(url, () => {
        for (const op of flow.main) op.afterHooks = [then(({ response }) => log(response.statusCode))];
      }),
      main: [{ get: `${url}/a` }, { get: `${url}/status/404` }],
    };
    return flow;
  }),
];

/** Objects that change in a way of their own, or cannot. */
const OBJECTS = [
  trait('the prototype of headers is swapped in main', (url) => {
    const headers = { own: '1' };
    return [
      { get: `${url}/a`, headers },
      { get: `${url}/b`, afterHooks: [then(() => Object.setPrototypeOf(headers, { later: '2' }))] },
    ];
  }),
  trait('the prototype of json is swapped in main', (url) => {
    const json = { own: '1' };
    return [
      { post: `${url}/a`, json },
      { get: `${url}/b`, afterHooks: [then(() => Object.setPrototypeOf(json, { toJSON: () => ({ swapped: true }) }))] },
    ];
  }),
  trait('the prototype of a query is swapped in main', (url) => {
    const qs = { own: '1' };
    return [
      { get: `${url}/a`, qs },
      { get: `${url}/b`, afterHooks: [then(() => Object.setPrototypeOf(qs, { later: '2' }))] },
    ];
  }),
  trait('a member of the prototype of a query changes in main', (url) => {
    const base = { page: 1 };
    const qs = Object.create(base);
    return [
      { get: `${url}/a`, qs },
      { get: `${url}/b`, afterHooks: [then(() => base.page++)] },
    ];
  }),
  trait('the class of json gets a toJSON in main', (url) => {
    class Item {
      n = 1;
    }
    const json = new Item();
    return [
      { post: `${url}/a`, json },
      { get: `${url}/b`, afterHooks: [then(() => (Item.prototype.toJSON = () => 'item'))] },
    ];
  }),
  trait('a member of a list in json is deleted', (url) => {
    const json = { list: [1, 2, 3] };
    return { before: signIn(url, () => delete json.list[1]), main: [{ post: `${url}/a`, json }] };
  }),
  trait('a member of a list in json is deleted in main', (url) => {
    const json = { list: [1, 2, 3] };
    return [
      { post: `${url}/a`, json },
      { get: `${url}/b`, afterHooks: [then(() => delete json.list[0])] },
    ];
  }),
  trait('an undefined member of a list in json is deleted in main', (url) => {
    const json = [undefined, 2];
    return [
      { post: `${url}/a`, json },
      {
        get: `${url}/b`,
        afterHooks: [
          then(() => {
            delete json[0];
            json.length = 1;
          }),
        ],
      },
    ];
  }),
  trait('a frozen flow, whose headers before completes', (url) => {
    const headers = {};
    return Object.freeze({
      before: signIn(url, ({ body }) => (headers.id = `${body.id}`)),
      main: Object.freeze([Object.freeze({ get: `${url}/a`, headers })]),
    });
  }),
  trait('a sealed operation', (url) => {
    const op = Object.seal({ get: `${url}/a`, headers: Object.seal({ n: '0' }) });
    return {
      before: signIn(url, ({ body }) => {
        op.headers.n = `${body.id}`;
        op.get = `${url}/new`;
      }),
      main: [op, { get: `${url}/b`, afterHooks: [then(() => (op.headers.n = '8'))] }],
    };
  }),
  trait('json is frozen when it is complete', (url) => {
    const json = { n: null };
    return {
      before: signIn(url, ({ body }) => Object.freeze(Object.assign(json, { n: body.id }))),
      main: [{ post: `${url}/a`, json }],
    };
  }),
  trait('a getter that throws until before has run', (url) => {
    let session;
    const headers = Object.defineProperty({}, 'token', { enumerable: true, get: () => session.token });
    return {
      before: signIn(url, ({ body }) => (session = { token: `t${body.id}` })),
      main: [{ get: `${url}/a`, headers }],
    };
  }),
  trait('a getter in json that throws until beforeMain has run', (url) => {
    let session;
    const json = Object.defineProperty({}, 'id', { enumerable: true, get: () => session.id });
    return { beforeMain: signIn(url, ({ body }) => (session = { id: body.id })), main: [{ post: `${url}/a`, json }] };
  }),
  trait('an array-like object in json', (url) => {
    const json = { 0: 'a', length: 1 };
    return {
      before: signIn(url, () => Object.assign(json, { 1: 'b', length: 2 })),
      main: [{ post: `${url}/a`, json }],
    };
  }),
  trait('an accessor pair in json', (url) => {
    const json = {
      raw: 1,
      get n() {
        return this.raw * 2;
      },
      set n(value) {
        this.raw = value;
      },
    };
    return {
      before: signIn(url, ({ body }) => (json.n = body.id)),
      main: [
        { post: `${url}/a`, json },
        { get: `${url}/b`, afterHooks: [then(() => (json.n = 9))] },
      ],
    };
  }),
  trait('a Proxy that counts its reads', (url) => {
    const headers = new Proxy({ a: '1' }, { get: (target, name) => (name === 'a' ? 'one' : target[name]) });
    return [{ get: `${url}/a`, headers }];
  }),
];

export const LIVE_SHAPES = [...SUITES, ...CLIENTS, ...OBJECTS];

import { completeSession, session } from './live-session.js';

/** Flows that code changes: before the run, between its phases, and while they run. */

const TWO = () => ({ limit: 1, iterations: 2 });
const THREE = () => ({ limit: 1, iterations: 3 });
const ONE = { limit: 1, iterations: 1 };

/** A hook that calls a function, and passes on what it got. */
const doing = (action) => (all) => {
  action(all);
  return all;
};

/** An operation of `before` whose after-hook does something. */
const login = (url, action) => ({ post: `${url}/json`, json: { user: 'ann' }, afterHooks: [doing(action)] });

/** A trait whose `before` does something to a flow that `make` creates, with parts of it. */
const inBefore = (name, make, action) => ({
  name: `before ${name}`,
  flow: (url, log) => {
    const { flow, ...parts } = make(url, log);
    flow.before = [login(url, (all) => action({ flow, ...parts, url, id: all.body.id, log }))];
    return flow;
  },
  options: TWO,
});

/** A trait whose main does something after each of its two operations. */
const inMain = (name, make, action, options = TWO) => ({
  name: `a hook of main ${name}`,
  flow: (url, log) => {
    const { flow, ...parts } = make(url, log);
    let count = 0;
    flow.main.unshift({
      get: `${url}/first`,
      afterHooks: [doing((all) => action({ flow, ...parts, url, count: ++count, all }))],
    });
    return flow;
  },
  options,
});

const withHeaders = (url) => {
  const headers = { accept: '*/*' };
  return { headers, flow: { main: [{ get: `${url}/me`, headers }] } };
};
const withJson = (extra) => (url) => {
  const item = { owner: null, tags: ['a'], deep: { at: [1, { x: 1 }] }, ...extra };
  return { item, flow: { main: [{ post: `${url}/items`, json: item }] } };
};
const withOp = (more) => (url) => {
  const op = { get: `${url}/a`, ...more };
  return { op, flow: { main: [op] } };
};
const withIncomplete = (op) => () => {
  const own = { ...op };
  return { op: own, flow: { main: [own] } };
};
const withPost = (more) => (url) => {
  const op = { post: `${url}/form`, ...more };
  return { op, flow: { main: [op] } };
};
const TOKEN = { i: '#{INDEX}' };

class Item {
  constructor() {
    this.owner = null;
  }
}
class Money {
  constructor(amount) {
    this.amount = amount;
  }
  toJSON() {
    return `${this.amount} EUR`;
  }
}
class Operation {
  constructor(uri) {
    this.get = uri;
    this.headers = {};
  }
  sign(value) {
    this.headers.signature = value;
  }
}

const BEFORE = [
  inBefore('completes headers', withHeaders, ({ headers, id }) => (headers.authorization = `Bearer ${id}`)),
  inBefore('assigns to headers', withHeaders, ({ headers, id }) => Object.assign(headers, { a: `${id}`, b: '2' })),
  inBefore('deletes a header', withHeaders, ({ headers }) => delete headers.accept),
  inBefore('replaces a header', withHeaders, ({ headers }) => (headers.accept = 'text/plain')),
  inBefore('defines a getter in headers', withHeaders, ({ headers, id }) =>
    Object.defineProperty(headers, 'x', { enumerable: true, get: () => `g${id}` }),
  ),
  inBefore('freezes headers that it completes', withHeaders, ({ headers, id }) =>
    Object.freeze(Object.assign(headers, { x: `${id}` })),
  ),
  inBefore(
    'replaces the headers of an operation',
    withOp({ headers: { a: '1' } }),
    ({ op }) => (op.headers = { b: '2' }),
  ),
  inBefore('gives headers to an operation without', withOp(), ({ op }) => (op.headers = { b: '2' })),
  inBefore('removes the headers of an operation', withOp({ headers: { a: '1' } }), ({ op }) => delete op.headers),
  inBefore('completes json', withJson(), ({ item, id }) => (item.owner = id)),
  inBefore('completes json with a token', withJson(TOKEN), ({ item, id }) => (item.owner = id)),
  inBefore('adds to a list in json', withJson(), ({ item, id }) => item.tags.push(`t${id}`)),
  inBefore('changes a value deep in json', withJson(TOKEN), ({ item, id }) => (item.deep.at[1].x = id)),
  inBefore('adds a token to json', withJson(), ({ item }) => (item.owner = 'user#{INDEX}')),
  inBefore('removes the token of json', withJson(TOKEN), ({ item }) => delete item.i),
  inBefore('replaces json', withPost({ json: { a: 1 } }), ({ op }) => (op.json = [1, 2])),
  inBefore(
    'changes an instance of a class in json',
    (url) => {
      const item = new Item();
      return { item, flow: { main: [{ post: `${url}/a`, json: item }] } };
    },
    ({ item, id }) => (item.owner = id),
  ),
  inBefore(
    'changes an object with toJSON in json',
    (url) => {
      const price = new Money(1);
      return { price, flow: { main: [{ post: `${url}/a`, json: { price } }] } };
    },
    ({ price, id }) => (price.amount = id),
  ),
  inBefore(
    'changes a Date in json',
    (url) => {
      const at = new Date(0);
      return { at, flow: { main: [{ post: `${url}/a`, json: { at } }] } };
    },
    ({ at }) => at.setTime(86_400_000),
  ),
  inBefore('changes qs', withOp({ qs: { page: 1 } }), ({ op, id }) => (op.qs.page = id)),
  inBefore('adds to qs', withOp({ qs: {} }), ({ op, id }) => (op.qs.page = id)),
  inBefore('changes form', withPost({ form: { a: '1' } }), ({ op, id }) => (op.form.a = `${id}`)),
  inBefore('changes auth', withOp({ auth: { user: 'joe', pass: 'x' } }), ({ op }) => (op.auth.pass = 'secret')),
  inBefore('changes a bearer', withOp({ auth: { bearer: 'none' } }), ({ op, id }) => (op.auth.bearer = `t${id}`)),
  inBefore('changes formData', withPost({ formData: { a: '1' } }), ({ op, id }) => (op.formData.a = `${id}`)),
  inBefore('replaces a body', withPost({ body: 'none' }), ({ op, id }) => (op.body = `id=${id}`)),
  inBefore('replaces a body by json', withPost({ body: 'none' }), ({ op, id }) => {
    delete op.body;
    op.json = { id };
  }),
  inBefore(
    'rewrites a Buffer',
    (url) => {
      const body = Buffer.from('none');
      return { body, flow: { main: [{ put: `${url}/b`, body }] } };
    },
    ({ body }) => body.write('some'),
  ),
  inBefore('replaces a URL', withOp(), ({ op, url, id }) => (op.get = `${url}/items/${id}`)),
  inBefore('adds a token to a URL', withOp(), ({ op }) => (op.get += '/#{INDEX}')),
  inBefore('removes the token of a URL', withOp(), ({ op, url }) => (op.get = `${url}/b`)),
  inBefore('makes a GET a DELETE', withOp(), ({ op, url }) => {
    delete op.get;
    op.del = `${url}/gone`;
  }),
  inBefore('replaces the URL of flow.main[0]', withOp(), ({ flow, url }) => (flow.main[0].get = `${url}/new`)),
  inBefore('replaces flow.main[0]', withOp(), ({ flow, url }) => (flow.main[0] = { get: `${url}/new` })),
  inBefore('completes an empty operation', withIncomplete({}), ({ op, url }) => Object.assign(op, { get: `${url}/a` })),
  inBefore('sets the URL of json', withIncomplete({ json: { a: 1 } }), ({ op, url }) => (op.post = `${url}/a`)),
  inBefore('sets a URL that was null', withIncomplete({ get: null }), ({ op, url }) => (op.get = `${url}/a`)),
  inBefore('sets a URL that was empty', withIncomplete({ get: '' }), ({ op, url }) => (op.get = `${url}/a`)),
  inBefore('sets the uri of a method', withIncomplete({ method: 'PUT' }), ({ op, url }) => (op.uri = `${url}/a`)),
  inBefore(
    'makes main of a list',
    () => ({ flow: { main: [] } }),
    ({ flow, url }) => {
      flow.main = [1, 2, 3].map((i) => ({ get: `${url}/i/${i}` }));
    },
  ),
  inBefore('adds to main', withOp(), ({ flow, url }) =>
    flow.main.push({ get: `${url}/b` }, { put: `${url}/c#{INDEX}`, body: 'x' }),
  ),
  inBefore('puts an operation in front of main', withOp(), ({ flow, url }) => flow.main.unshift({ get: `${url}/0` })),
  inBefore('empties main', withOp(), ({ flow }) => (flow.main.length = 0)),
  inBefore(
    'turns main round',
    (url) => ({ flow: { main: [{ get: `${url}/a` }, { get: `${url}/b` }] } }),
    ({ flow }) => flow.main.reverse(),
  ),
  inBefore('repeats an operation of main', withOp(), ({ flow }) => flow.main.push(flow.main[0])),
  inBefore('assigns phases', withOp(), ({ flow, url }) =>
    Object.assign(flow, { beforeMain: [{ get: `${url}/bm` }], afterMain: [{ get: `${url}/am` }] }),
  ),
  inBefore('pushes to phases that the flow has not', withOp(), ({ flow, url }) => {
    flow.beforeMain.push({ get: `${url}/bm` });
    flow.afterMain.push({ get: `${url}/am` });
    flow.after.push({ get: `${url}/after` });
  }),
  inBefore(
    'replaces after',
    (url) => ({ flow: { main: [{ get: `${url}/a` }], after: [{ get: `${url}/old` }] } }),
    ({ flow, url, id }) => {
      flow.after = [{ del: `${url}/items/${id}` }];
    },
  ),
  inBefore('gives an operation hooks', withOp(), ({ op, log }) => {
    op.beforeHooks = [doing((all) => (all.requestOptions.headers.x = '1'))];
    op.afterHooks = [doing((all) => log(all.body))];
  }),
  inBefore('adds a hook to an empty list', withOp({ afterHooks: [] }), ({ op, log }) =>
    op.afterHooks.push(doing((all) => log(all.response.statusCode))),
  ),
  inBefore(
    'takes the hooks away',
    (url, log) => withOp({ afterHooks: [doing(() => log('hook'))] })(url),
    ({ op }) => op.afterHooks.pop(),
  ),
  inBefore(
    'makes main of instances of a class',
    () => ({ flow: { main: [] } }),
    ({ flow, url, id }) => {
      flow.main = [new Operation(`${url}/a`), new Operation(`${url}/b`)];
      flow.main[1].sign(`s${id}`);
    },
  ),
  inBefore(
    'calls a method of an operation',
    (url) => {
      const op = new Operation(`${url}/a`);
      return { op, flow: { main: [op] } };
    },
    ({ op, id }) => op.sign(`s${id}`),
  ),
  inBefore(
    'completes headers of a class without properties',
    (url) => {
      const headers = new (class Headers {})();
      return { headers, flow: { main: [{ get: `${url}/a`, headers }] } };
    },
    ({ headers, id }) => (headers.x = `${id}`),
  ),
  inBefore(
    'changes a query that inherits members',
    (url) => {
      const qs = Object.create({ page: 1 });
      return { qs, flow: { main: [{ get: `${url}/a`, qs }] } };
    },
    ({ qs, id }) => (qs.id = id),
  ),
  inBefore(
    'changes what the own toJSON of a Date returns',
    (url) => {
      const at = new Date(0);
      return { at, flow: { main: [{ post: `${url}/a`, json: { at } }] } };
    },
    ({ at, id }) => (at.toJSON = () => `at ${id}`),
  ),
  inBefore(
    'changes a flow that is an instance of a class',
    (url) => {
      class Flow {
        main = [{ get: `${url}/a` }];
        add(path) {
          this.main.push({ get: url + path });
        }
      }
      return { flow: new Flow() };
    },
    ({ flow }) => flow.add('/b'),
  ),
  inBefore(
    'changes the target of a Proxy of headers',
    (url) => {
      const target = { a: '1' };
      return { target, flow: { main: [{ get: `${url}/a`, headers: new Proxy(target, {}) }] } };
    },
    ({ target, id }) => (target.b = `${id}`),
  ),
  inBefore(
    'changes the target of a Proxy of json',
    (url) => {
      const target = { a: 1 };
      return { target, flow: { main: [{ post: `${url}/a`, json: new Proxy(target, {}) }] } };
    },
    ({ target, id }) => (target.b = id),
  ),
  inBefore(
    'changes an object that two operations share',
    (url) => {
      const headers = {};
      return {
        headers,
        flow: {
          main: [
            { get: `${url}/a`, headers },
            { del: `${url}/b`, headers },
          ],
        },
      };
    },
    ({ headers, id }) => (headers.x = `${id}`),
  ),
  inBefore(
    'changes an object of another module',
    (url) => ({ flow: { main: [{ get: `${url}/a`, headers: session.headers }] } }),
    ({ id }) => completeSession(id),
  ),
];

const MAIN = [
  inMain('counts in headers', withHeaders, ({ headers, count }) => (headers.n = `${count}`)),
  inMain('deletes from headers', withHeaders, ({ headers }) => delete headers.accept),
  inMain('counts in json', withJson(), ({ item, count }) => (item.owner = count)),
  inMain('counts in json with a token', withJson(TOKEN), ({ item, count }) => (item.owner = count)),
  inMain('adds to a list in json with a token', withJson(TOKEN), ({ item, count }) => item.tags.push(count)),
  inMain('counts in qs', withOp({ qs: { n: 0 } }), ({ op, count }) => (op.qs.n = count)),
  inMain('changes auth', withOp({ auth: { user: 'joe', pass: 'x' } }), ({ op, count }) => (op.auth.pass = `p${count}`)),
  inMain(
    'rewrites a Buffer',
    (url) => {
      const body = Buffer.from('n=0');
      return { body, flow: { main: [{ put: `${url}/b`, body }] } };
    },
    ({ body, count }) => (body[2] = 48 + count),
  ),
  inMain('replaces the URL of an operation', withOp(), ({ op, url }) => (op.get = `${url}/new`)),
  inMain(
    'replaces a URL with a token',
    (url) => withOp({ get: `${url}/a/#{INDEX}` })(url),
    ({ op, url, count }) => (op.get = `${url}/${count}/#{INDEX}`),
  ),
  inMain('replaces headers', withOp({ headers: { a: '1' } }), ({ op }) => (op.headers = { b: '2' })),
  inMain(
    'replaces json with a token',
    withPost({ json: TOKEN }),
    ({ op, count }) => (op.json = { count, i: '#{INDEX}' }),
  ),
  inMain(
    'removes the token of json and counts in it',
    withPost({ json: TOKEN }),
    ({ op, count }) => (op.json = { count }),
    THREE,
  ),
  inMain(
    'removes the token of a URL and counts in it',
    (url) => withOp({ get: `${url}/a/#{INDEX}` })(url),
    ({ op, url, count }) => (op.get = `${url}/${count}`),
    THREE,
  ),
  inMain(
    'removes the token of a body and counts in it',
    withPost({ body: 'n=#{INDEX}' }),
    ({ op, count }) => (op.body = `c=${count}`),
    THREE,
  ),
  inMain('replaces json', withPost({ json: { a: 1 } }), ({ op, count }) => (op.json = { count })),
  inMain(
    'replaces a body with a token',
    withPost({ body: 'n=#{INDEX}' }),
    ({ op, count }) => (op.body = `c=${count}&n=#{INDEX}`),
  ),
  inMain('adds to main', withOp(), ({ flow, url }) => flow.main.push({ get: `${url}/late` })),
  inMain(
    'adds a hook to the next operation',
    (url, log) => ({ ...withOp({ afterHooks: [] })(url), log }),
    ({ op, log, count }) => op.afterHooks.push(doing(() => log(`hook ${count}`))),
  ),
  inMain(
    'takes a hook away from the next operation',
    (url, log) => withOp({ afterHooks: [doing(() => log('a')), doing(() => log('b'))] })(url),
    ({ op }) => op.afterHooks.pop(),
  ),
  inMain('collects the teardown', withOp(), ({ flow, url, count }) =>
    flow.after.push({ del: `${url}/items/${count}` }),
  ),
  inMain(
    'replaces after',
    (url) => ({ flow: { ...withOp()(url).flow, after: [{ get: `${url}/old` }] } }),
    ({ flow, url, count }) => {
      flow.after = [{ del: `${url}/all/${count}` }];
    },
  ),
  inMain(
    'sets the URL of an operation of after',
    (url) => {
      const op = {};
      return { op, flow: { main: [{ get: `${url}/a` }], after: [op] } };
    },
    ({ op, url, count }) => (op.del = `${url}/items/${count}`),
  ),
  inMain(
    'completes an operation of after',
    (url) => {
      const headers = {};
      return { headers, flow: { ...withOp()(url).flow, after: [{ get: `${url}/end`, headers }] } };
    },
    ({ headers, count }) => (headers.n = `${count}`),
  ),
  inMain(
    'empties after',
    (url) => ({ flow: { ...withOp()(url).flow, after: [{ get: `${url}/old` }] } }),
    ({ flow }) => (flow.after.length = 0),
  ),
];

const CLOSURES = [
  {
    name: 'a getter in headers reads a variable that hooks count',
    flow: (url) => {
      let count = 0;
      const headers = {
        get n() {
          return String(count);
        },
      };
      return [
        { get: `${url}/a`, afterHooks: [doing(() => count++)] },
        { get: `${url}/b`, headers },
      ];
    },
    options: TWO,
  },
  {
    name: 'a getter in json reads a variable that hooks count',
    flow: (url) => {
      let count = 0;
      const json = {
        get n() {
          return count;
        },
      };
      return [
        { get: `${url}/a`, afterHooks: [doing(() => count++)] },
        { post: `${url}/b`, json },
      ];
    },
    options: TWO,
  },
  {
    name: 'toJSON reads a variable that hooks count',
    flow: (url) => {
      let count = 0;
      return [
        { get: `${url}/a`, afterHooks: [doing(() => count++)] },
        { post: `${url}/b`, json: { list: [{ toJSON: () => count }] } },
      ];
    },
    options: TWO,
  },
  {
    name: 'a getter of an operation is read when main begins',
    flow: (url) => {
      let path = 'early';
      const op = {
        get get() {
          return `${url}/${path}`;
        },
      };
      return {
        before: [login(url, () => (path = 'main'))],
        main: [op, { get: `${url}/x`, afterHooks: [doing(() => (path = 'late'))] }],
      };
    },
    options: TWO,
  },
  {
    name: 'beforeMain completes json of main for each iteration',
    flow: (url) => {
      const item = { n: '#{INDEX}', owner: null };
      return {
        beforeMain: [login(url, (all) => (item.owner = `owner ${all.env.index}`))],
        main: [{ post: `${url}/items`, json: item }],
        afterMain: [{ get: `${url}/end`, afterHooks: [doing(() => (item.owner = null))] }],
      };
    },
    options: TWO,
  },
  {
    name: 'beforeMain completes headers of main for each iteration',
    flow: (url) => {
      const headers = {};
      return {
        beforeMain: [login(url, (all) => (headers.n = `${all.env.index}`))],
        main: [{ get: `${url}/a`, headers }],
        afterMain: [{ del: `${url}/b`, headers }],
      };
    },
    options: TWO,
  },
  {
    name: 'a before-hook changes headers of its own operation by a variable',
    flow: (url) => {
      const headers = { n: '0' };
      return [
        { get: `${url}/a`, headers, beforeHooks: [doing((all) => (headers.later = `${all.env.index}`))] },
        { get: `${url}/b`, headers },
      ];
    },
    options: TWO,
  },
  {
    name: 'a before-hook rewrites the Buffer of its own operation',
    flow: (url) => {
      const body = Buffer.from('n=0');
      return [{ put: `${url}/a`, body, beforeHooks: [doing((all) => (body[2] = 49 + all.env.index))] }];
    },
    options: TWO,
  },
  {
    name: 'a before-hook changes json of its own operation by a variable',
    flow: (url) => {
      const item = { n: 0 };
      return [{ post: `${url}/a`, json: item, beforeHooks: [doing(() => item.n++)] }];
    },
    options: TWO,
  },
  {
    name: 'a before-hook changes json with a token of its own operation by a variable',
    flow: (url) => {
      const item = { n: 0, i: '#{INDEX}' };
      return [{ post: `${url}/a`, json: item, beforeHooks: [doing(() => item.n++)] }];
    },
    options: TWO,
  },
  {
    name: 'a before-hook changes json by a variable, and its request options',
    flow: (url) => {
      const item = { n: 0 };
      const change = (all) => {
        item.n = all.env.index + 1;
        all.requestOptions.headers = { mine: '1' };
        all.requestOptions.uri += '?a=1';
      };
      return [{ post: `${url}/a`, json: item, beforeHooks: [doing(change)] }];
    },
    options: TWO,
  },
  {
    name: 'a before-hook reads its request options after it has changed json',
    flow: (url, log) => {
      const item = { n: 0 };
      return [
        { post: `${url}/a`, json: item, beforeHooks: [doing((all) => (item.n++, log(all.requestOptions.json.n)))] },
      ];
    },
    options: TWO,
  },
  {
    name: 'a listener of error that throws ends the load',
    program: ({ url, benchrest }) =>
      void benchrest(`${url}/status/500`, { limit: 1, iterations: 50 }).on('error', (error) => {
        throw error;
      }),
  },
  {
    name: 'operations of before complete each other',
    flow: (url) => {
      const headers = {};
      return {
        before: [login(url, (all) => (headers.id = `${all.body.id}`)), { get: `${url}/b`, headers }],
        main: [{ get: `${url}/c` }],
      };
    },
  },
  {
    name: 'operations of after complete each other, and add none',
    flow: (url) => {
      const headers = {};
      const flow = { main: [{ get: `${url}/a` }], after: [] };
      flow.after.push(
        login(url, (all) => ((headers.id = `${all.body.id}`), flow.after.push({ get: `${url}/never` }))),
        { get: `${url}/b`, headers },
      );
      return flow;
    },
  },
  {
    name: 'a timer changes headers between two requests',
    flow: (url) => {
      const headers = { n: '0' };
      const later = (all) => {
        const { cb } = all;
        setTimeout(() => ((headers.n = '1'), cb(null, all.opIndex + 1)), 5);
        return false;
      };
      return [
        { get: `${url}/a`, headers, afterHooks: [later] },
        { get: `${url}/b`, headers },
      ];
    },
  },
  {
    name: 'a listener of error changes headers of the next iteration',
    program: ({ url, benchrest }) => {
      const headers = { n: '0' };
      const run = benchrest([{ get: `${url}/a`, headers }, { get: `${url}/status/500` }], { limit: 1, iterations: 3 });
      run.on('error', () => (headers.n += '1'));
    },
  },
  {
    name: 'hooks that add and remove themselves',
    flow: (url, log) => {
      const hooks = [];
      const once = doing((all) => (log('once'), hooks.splice(hooks.indexOf(once), 1), log(all.env.index)));
      hooks.push(
        once,
        doing(() => log('always')),
      );
      return [{ get: `${url}/a`, afterHooks: hooks }];
    },
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'the teardown is collected in a flow without after',
    flow: (url) => {
      const flow = { main: [] };
      flow.main.push({
        post: `${url}/created`,
        json: { i: '#{INDEX}' },
        afterHooks: [doing((all) => flow.after.push({ del: `${url}/items/${all.env.index}` }))],
      });
      return flow;
    },
    options: TWO,
  },
  {
    name: 'the teardown is collected with headers and hooks of its own',
    flow: (url, log) => {
      const flow = { main: [], after: [{ get: `${url}/first` }] };
      flow.main.push({
        post: `${url}/json`,
        json: {},
        afterHooks: [
          doing((all) =>
            flow.after.unshift({
              del: `${url}/${all.body.id}`,
              headers: { n: `${all.env.index}` },
              afterHooks: [doing((one) => log(one.response.statusCode))],
            }),
          ),
        ],
      });
      return flow;
    },
    options: TWO,
  },
];

/** As in public programs, whose shapes these are. */
const PUBLISHED = [
  {
    name: 'an after-hook stores the id of a response in the settings that it has sent',
    flow: (url) => {
      const settings = { mail: 'user', server: { host: 'localhost', port: 2525 } };
      return {
        main: [{ post: `${url}/json`, json: settings, afterHooks: [doing((all) => (settings.id = all.body.id))] }],
      };
    },
    options: TWO,
  },
  {
    name: 'a series of flows uses the key and the id of earlier ones',
    program: async ({ url, benchrest }) => {
      const user = { account: 'a' };
      let key;
      const play = (op) => new Promise((resolve) => benchrest({ main: [op] }, { ...ONE }).on('end', resolve));
      await play({ post: `${url}/json`, json: user, afterHooks: [doing((all) => (key = all.body.data.token))] });
      await play({ post: `${url}/json?key=${key}`, json: user, afterHooks: [doing((all) => (user.id = all.body.id))] });
      await play({ put: `${url}/json/${user.id}?key=${key}`, json: user });
      await play({ del: `${url}/json/${user.id}?key=${key}` });
    },
  },
  {
    name: 'a service fills main of a flow from a request',
    program: ({ url, benchrest }) => {
      const flow = { main: [] };
      const given = { methodType: 'post', url: `${url}/a`, payload: '{"a":1}', headers: '{"x":"1"}' };
      const op = {};
      op[given.methodType] = given.url;
      op.json = JSON.parse(given.payload);
      const run = benchrest(flow, { limit: 1, iterations: 2, progress: 100 });
      op.headers = JSON.parse(given.headers);
      flow.main.push(op);
      run.on('error', () => {});
    },
  },
];

/** What a program does in the turn of its call. */
const sameTurn = (name, make, change) => ({
  name: `after the call, the program ${name}`,
  program: ({ url, log, benchrest }) => {
    const { flow, ...parts } = make(url, log);
    benchrest(flow, TWO());
    change({ flow, ...parts, url, log });
  },
});

const AFTER_CALL = [
  sameTurn('adds to main', withOp(), ({ flow, url }) => flow.main.push({ get: `${url}/b` })),
  sameTurn('replaces main', withOp(), ({ flow, url }) => (flow.main = [{ get: `${url}/b` }])),
  sameTurn('adds to before', withOp(), ({ flow, url }) => flow.before.push({ get: `${url}/b` })),
  sameTurn('adds to after', withOp(), ({ flow, url }) => flow.after.push({ get: `${url}/b` })),
  sameTurn('replaces a URL', withOp(), ({ op, url }) => (op.get = `${url}/b`)),
  sameTurn('completes headers', withHeaders, ({ headers }) => (headers.x = '1')),
  sameTurn('completes json', withJson(TOKEN), ({ item }) => (item.owner = 1)),
  sameTurn('adds a hook', withOp({ afterHooks: [] }), ({ op, log }) => op.afterHooks.push(doing(() => log('hook')))),
  sameTurn(
    'adds to a flow that is a list',
    (url) => ({ flow: [{ get: `${url}/a` }] }),
    ({ flow, url }) => flow.push({ get: `${url}/b` }),
  ),
  sameTurn(
    'changes a flow that is an operation',
    (url) => ({ flow: { get: `${url}/a` } }),
    ({ flow }) => (flow.headers = { x: '1' }),
  ),
  sameTurn(
    'fills an empty main',
    () => ({ flow: { main: [] } }),
    ({ flow, url }) => flow.main.push({ get: `${url}/a` }),
  ),
  sameTurn(
    'assigns the phases',
    () => ({ flow: { main: [] } }),
    ({ flow, url }) =>
      Object.assign(flow, { before: [{ get: `${url}/b` }], main: [{ get: `${url}/m` }], after: [{ get: `${url}/a` }] }),
  ),
  {
    name: 'a flow changes between two runs',
    program: async ({ url, benchrest }) => {
      const headers = { n: '1' };
      const flow = { main: [{ get: `${url}/a`, headers }] };
      await new Promise((resolve) => benchrest(flow, { ...ONE }).on('end', resolve));
      headers.n = '2';
      flow.main.push({ get: `${url}/b` });
      flow.before = [{ get: `${url}/before` }];
      benchrest(flow, { ...ONE });
    },
  },
  {
    name: 'a run that another one starts in its end has the flow of then',
    program: ({ url, benchrest }) => {
      const item = { run: 1 };
      const flow = { main: [{ post: `${url}/a`, json: item }] };
      benchrest(flow, { ...ONE }).on('end', () => {
        item.run = 2;
        benchrest(flow, { ...ONE });
      });
    },
  },
];

const EMPTY = [
  { name: 'headers: null', flow: (url) => [{ get: `${url}/a`, headers: null }] },
  { name: 'json: null beside a body', flow: (url) => [{ post: `${url}/a`, json: null, body: 'x' }] },
  { name: 'body: null', flow: (url) => [{ post: `${url}/a`, body: null }] },
  { name: 'qs: null and form: null', flow: (url) => [{ post: `${url}/a`, qs: null, form: null }] },
  { name: 'an empty main in two iterations', flow: () => ({ main: [] }), options: TWO },
  {
    name: 'an empty main beside before and after',
    flow: (url) => ({ before: [{ get: `${url}/b` }], main: [], after: [{ get: `${url}/a` }] }),
    options: TWO,
  },
  inBefore('sets headers to null', withOp({ headers: { a: '1' } }), ({ op }) => (op.headers = null)),
  inBefore('sets json to null', withPost({ json: { a: 1 } }), ({ op }) => (op.json = null)),
];

export const LIVE = [...BEFORE, ...MAIN, ...CLOSURES, ...PUBLISHED, ...AFTER_CALL, ...EMPTY];

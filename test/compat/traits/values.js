const get = (more) => (url) => ({ get: `${url}/a`, ...more });
const post = (more) => (url) => ({ post: `${url}/echo`, ...more });
const main = (more) => (url) => ({ main: [{ get: `${url}/a` }], ...more });
const sets = (name, value) =>
  post({ beforeHooks: [(all) => (Object.assign(all.requestOptions, { [name]: value }), all)] });
const options = (more) => () => ({ limit: 1, iterations: 1, ...more });

const text = (value) => (Number.isNaN(value) ? 'NaN' : (JSON.stringify(value) ?? String(value)));
const NOTHING = [null, false, 0, '', NaN];

const PROPERTIES = [
  ...['body', 'form', 'formData', 'multipart', 'auth', 'qs', 'headers', 'beforeHooks', 'afterHooks', 'timeout'],
  ...['followRedirect', 'gzip', 'strictSSL', 'localAddress', 'ca', 'method', 'uri', 'url', 'jar', 'proxy', 'oauth'],
];
const KEYS = ['before', 'afterMain', 'headers', 'baseUrl', 'data', 'vars', 'scenarios', 'runOptions'];

/** Values that stand for nothing, such as those of an expression: `before: isLocal && [...]`. */
const NOTHINGS = [
  ...PROPERTIES.flatMap((name, i) =>
    [null, NaN, NOTHING[1 + (i % 3)]].map((value) => ({
      name: `${name}: ${text(value)} in an operation`,
      flow: post({ [name]: value }),
    })),
  ),
  ...KEYS.flatMap((name, i) =>
    [null, NaN, NOTHING[1 + (i % 3)]].map((value) => ({
      name: `${name}: ${text(value)} in a flow`,
      flow: main({ [name]: value }),
    })),
  ),
  ...['user', 'password', 'prealloc', 'progress'].flatMap((name) =>
    NOTHING.map((value) => ({
      name: `${name}: ${text(value)} in options`,
      flow: get(),
      options: options({ [name]: value }),
    })),
  ),
  ...NOTHING.map((value) => ({
    name: `a function that returns ${text(value)} as body`,
    flow: post({ body: () => value }),
  })),
  ...[undefined, false, NaN, { a: 1 }].map((value) => ({
    name: `a function that returns ${text(value)} as json, and the body of the response`,
    flow: (url, log) => ({
      post: `${url}/json`,
      json: () => value,
      afterHooks: [(all) => (log(typeof all.body), all)],
    }),
  })),
  {
    name: 'a function that returns true as json',
    flow: post({ json: () => true }),
  },
  { name: "a hook sets baseUrl to ''", flow: sets('baseUrl', '') },
  ...['body', 'form', 'headers', 'qs', 'auth', 'jar', 'timeout', 'method', 'get'].flatMap((name) =>
    [null, false, undefined].map((value) => ({
      name: `a hook sets ${name} to ${text(value)}`,
      flow: sets(name, value),
    })),
  ),
  {
    name: 'hooks read properties of the user that are false and 0',
    flow: (url, log) => ({
      get: `${url}/a`,
      mine: 0,
      flagged: false,
      beforeHooks: [(all) => (log(all.requestOptions.mine, all.requestOptions.flagged), all)],
    }),
  },
  { name: 'a function that returns undefined as json', flow: post({ json: () => undefined }) },
  { name: 'a function that returns false as json', flow: post({ json: () => false }) },
  { name: 'a function that returns undefined as body', flow: post({ body: () => undefined }) },
];

/** Several requests or bodies, of which one is sent. */
const SEVERAL = [
  { name: 'get beside the same method', flow: get({ method: 'GET' }) },
  { name: 'get beside another method', flow: get({ method: 'POST' }) },
  { name: 'post beside method: post', flow: post({ method: 'post', json: { a: 1 } }) },
  ...NOTHING.map((value) => ({
    name: `get: ${text(value)} beside post`,
    flow: (url) => ({ get: value, post: `${url}/a`, json: 1 }),
  })),
  { name: 'get beside the same url', flow: (url) => ({ get: `${url}/a`, url: `${url}/a` }) },
  { name: 'get beside another url', flow: (url) => ({ get: `${url}/a`, url: `${url}/b` }) },
  { name: 'get beside uri', flow: (url) => ({ get: `${url}/a`, uri: `${url}/b` }) },
  { name: 'uri beside url', flow: (url) => ({ uri: `${url}/a`, url: `${url}/b` }) },
  { name: 'post before get', flow: (url) => ({ post: `${url}/b`, get: `${url}/a`, json: { a: 1 } }) },
  { name: 'put, post and del', flow: (url) => ({ del: `${url}/d`, post: `${url}/o`, put: `${url}/u` }) },
  { name: 'options of its own in an operation', flow: get({ options: { a: 1 } }) },
  { name: 'ws of its own in an operation', flow: get({ ws: true }) },
  { name: 'json beside body', flow: post({ json: { a: 1 }, body: 'x' }) },
  { name: 'json beside form', flow: post({ json: { a: 1 }, form: { b: 2 } }) },
  { name: 'form beside body', flow: post({ form: { b: 2 }, body: 'x' }) },
  { name: 'json: true beside form', flow: post({ json: true, form: { b: 2 } }) },
  { name: 'formData beside json', flow: post({ json: { a: 1 }, formData: { b: '2' } }) },
  { name: 'qs as text', flow: get({ qs: 'a=1' }) },
  {
    name: 'a hook sets json beside body',
    flow: post({ body: 'x', beforeHooks: [(all) => ((all.requestOptions.json = { a: 1 }), all)] }),
  },
  {
    name: 'a hook sets body beside json',
    flow: post({ json: { a: 1 }, beforeHooks: [(all) => ((all.requestOptions.body = 'x'), all)] }),
  },
  { name: 'a form with a Content-Type of its own', flow: post({ form: { b: 2 }, headers: { 'Content-Type': 'a/b' } }) },
  {
    name: 'a form with its Content-Type and a charset',
    flow: post({
      form: { b: 2 },
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    }),
  },
  {
    name: 'formData with a Content-Type without a boundary',
    flow: post({ formData: { b: '2' }, headers: { 'Content-Type': 'multipart/form-data' } }),
  },
];

/** Values that are converted, or sent as they are like. */
const LIKE = [
  ...['0x3', true, [3], '3', ' 3 ', '1e1'].flatMap((value) => [
    { name: `iterations: ${text(value)}`, flow: get(), options: options({ iterations: value }) },
    { name: `limit: ${text(value)}`, flow: get(), options: options({ limit: value, iterations: 2 }) },
    { name: `prealloc: ${text(value)}`, flow: get(), options: options({ prealloc: value, iterations: 2 }) },
  ]),
  { name: 'limit: 1e9', flow: get(), options: options({ limit: 1e9, iterations: 2 }) },
  { name: 'limit: Infinity', flow: get(), options: options({ limit: Infinity, iterations: 2 }) },
  { name: "gzip: 'true'", flow: get({ gzip: 'true' }) },
  { name: 'a form of a list', flow: post({ form: ['a', 'b'] }) },
  { name: 'qs of a list', flow: get({ qs: ['a', 'b'] }) },
  {
    name: 'the options of a part are the name of a file',
    flow: post({ formData: { f: { value: Buffer.from('x'), options: 'a.txt' } } }),
  },
  { name: 'formData without fields', flow: post({ formData: {} }) },
  { name: 'a list as Cookie', flow: get({ headers: { Cookie: ['a=1', 'b=2'] } }) },
  {
    name: 'a list as Cookie beside the jar',
    flow: (url) => [{ get: `${url}/cookie/1` }, { get: `${url}/a`, headers: { Cookie: ['a=1', 'b=2'] } }],
  },
  { name: 'a header that is a Buffer', flow: get({ headers: { 'x-v': Buffer.from('x') } }) },
  { name: 'a header that is a Date', flow: get({ headers: { 'x-v': new Date(0) } }) },
  { name: 'a header with a line end', flow: get({ headers: { 'x-v': 'a\nb' } }) },
  { name: 'headers that are a Map', flow: get({ headers: new Map([['a', '1']]) }) },
  { name: 'an empty query', flow: (url) => `${url}/a?` },
  { name: 'an empty query without a path', flow: (url) => `${url}?` },
  { name: 'an empty query before a fragment', flow: (url) => `${url}/a?#f` },
  { name: 'an empty query beside qs', flow: (url) => ({ get: `${url}/a?`, qs: { b: 1 } }) },
  { name: 'a function within json', flow: post({ json: { a: 1, b: () => 1 } }) },
  ...['PURGE', 'PROPFIND', 'OPTIONS', 'purge'].map((method) => ({
    name: `${method} without a body`,
    flow: (url) => ({ method, uri: `${url}/a` }),
  })),
  { name: 'a redirect 302 of PUT', flow: (url) => ({ put: `${url}/redirect/302`, followAllRedirects: true }) },
  {
    name: 'time gives elapsedTime',
    flow: (url, log) => ({
      get: `${url}/a`,
      time: true,
      afterHooks: [(all) => (log(typeof all.response.elapsedTime), all)],
    }),
  },
];

/** Names of the user's own that have a meaning now, or are those of other tools. */
const NAMES = [
  { name: 'data of its own in a flow', flow: main({ data: { a: 1 } }) },
  { name: 'data of its own as a text', flow: main({ data: 'dev' }) },
  { name: 'headers in a flow', flow: main({ headers: { x: '1' } }) },
  { name: 'a flow with an empty main', flow: () => ({ main: [] }) },
  { name: 'postHooks in an operation', flow: get({ postHooks: ['verify2XX'] }) },
  { name: 'queryString', flow: get({ queryString: { a: 1 } }) },
  { name: 'username in an operation without hooks', flow: get({ username: 'x' }) },
  {
    name: 'username in an operation whose hooks read it',
    flow: get({ username: 'x', beforeHooks: [(all) => ((all.requestOptions.qs = { u: 'x' }), all)] }),
  },
  { name: 'setup of its own in a flow', flow: main({ setup: 'x', steps: 3 }) },
  { name: 'setup with operations in a flow', flow: main({ setup: [] }) },
  { name: 'token in a flow', flow: main({ token: 'x' }) },
  { name: 'concurrent in options', flow: get(), options: options({ concurrent: 5 }) },
  { name: 'transform in options', flow: get(), options: options({ transform: 'x' }) },
  { name: 'preallocate in options', flow: get(), options: options({ preallocate: 5 }) },
  { name: 'expect of its own', flow: get({ expect: 200 }) },
  { name: 'repeat of its own', flow: get({ repeat: 2 }) },
];

/** What values of an operation, a flow and options stand for. */
export const VALUES = [...NOTHINGS, ...SEVERAL, ...LIKE, ...NAMES];

import { inspect } from 'node:util';

import { seeing } from './seeing.js';

/** What hooks see and change of the request. */
export const REQUEST_OPTIONS = [
  {
    name: 'a copy of all has its request options',
    flow: (url, log) => [
      { get: `${url}/a`, beforeHooks: [(all) => (log(typeof Object.assign({}, all).requestOptions), all)] },
    ],
  },
  {
    name: 'a hook sets all.env.user',
    flow: (url) => [
      { get: `${url}/a`, beforeHooks: [(all) => (Object.assign(all.env, { user: 'joe', password: 'x' }), all)] },
      { get: `${url}/b` },
    ],
  },
  ...['data', 'params', 'query', 'payload'].map((name) => ({
    name: `a hook sends ${name} of its own`,
    flow: (url) => [
      {
        post: `${url}/echo`,
        [name]: { a: 1 },
        beforeHooks: [(all) => ((all.requestOptions.json = all.requestOptions[name]), all)],
      },
    ],
  })),
  {
    name: 'all.requestOptions has method, uri and headers',
    flow: (url, log) => [
      {
        post: `${url}/a/#{INDEX}`,
        json: { a: '#{INDEX}' },
        headers: { x: 'y' },
        beforeHooks: [
          seeing('options', log, ({ requestOptions: o }) => [o.method, o.uri, o.post, o.json, o.headers.x]),
        ],
      },
    ],
  },
  ...['path', 'protocol', 'family', 'time', 'pool'].map((name) => ({
    name: `a hook reads ${name} of the operation`,
    flow: (url) => ({
      get: '',
      [name]: { path: '/x', protocol: 'http:', family: 4, time: true, pool: { maxSockets: 5 } }[name],
      beforeHooks: [
        (all) => ((all.requestOptions.uri = `${url}/${encodeURIComponent(all.requestOptions[name])}`), all),
      ],
    }),
  })),
  {
    name: 'a hook appends to the URI',
    flow: (url) => [
      { get: `${url}/items`, beforeHooks: [(all) => ((all.requestOptions.uri += `/${all.env.index}/`), all)] },
    ],
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: 'a hook replaces a part of the URI',
    flow: (url) => [
      {
        post: `${url}/created`,
        json: {},
        afterHooks: [(all) => ((all.iterCtx.at = all.response.headers.location), all)],
      },
      {
        get: `${url}/LOCATION`,
        beforeHooks: [
          (all) => ((all.requestOptions.uri = all.requestOptions.uri.replace('/LOCATION', all.iterCtx.at)), all),
        ],
      },
    ],
  },
  {
    name: 'a hook replaces a fragment of the URI',
    flow: (url) => [
      {
        put: `${url}/items/#ID#`,
        json: { a: 1 },
        beforeHooks: [(all) => ((all.requestOptions.uri = all.requestOptions.uri.replace('#ID#', 5)), all)],
      },
    ],
  },
  {
    name: 'a hook sets a URI with a space',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.uri = `${url}/b c?d=e f`), all)] }],
  },
  {
    name: 'a hook sets url',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.url = `${url}/b`), all)] }],
  },
  {
    name: 'a hook sets get',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.get = `${url}/b`), all)] }],
  },
  {
    name: 'a hook adds a header',
    flow: (url) => [
      { get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.headers.Authorization = 'Bearer x'), all)] },
    ],
  },
  {
    name: 'a hook replaces the headers',
    flow: (url) => [
      {
        post: `${url}/a`,
        json: { a: 1 },
        headers: { old: '1' },
        beforeHooks: [(all) => ((all.requestOptions.headers = { 'x-key': 'k' }), all)],
      },
    ],
  },
  {
    name: 'a hook sets the JSON',
    flow: (url) => [
      { post: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.json = { n: all.env.index }), all)] },
    ],
  },
  {
    name: 'a hook changes the JSON in place',
    flow: (url) => [
      { post: `${url}/a`, json: { a: 1 }, beforeHooks: [(all) => ((all.requestOptions.json.b = 2), all)] },
    ],
  },
  {
    name: 'a hook sets json: true and a body',
    flow: (url) => [
      {
        post: `${url}/a`,
        beforeHooks: [(all) => (Object.assign(all.requestOptions, { json: true, body: { a: 1 } }), all)],
      },
    ],
  },
  {
    name: 'a hook sets a body',
    flow: (url) => [
      {
        post: `${url}/a`,
        body: 'old',
        beforeHooks: [(all) => ((all.requestOptions.body = `new ${all.env.index}`), all)],
      },
    ],
  },
  {
    name: 'a hook sets a form',
    flow: (url) => [
      { post: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.form = { a: '1 2', b: ['x', 'y'] }), all)] },
    ],
  },
  {
    name: 'a hook sets qs',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.qs = { a: 1 }), all)] }],
  },
  {
    name: 'a hook sets the method',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.method = 'OPTIONS'), all)] }],
  },
  ...[
    { followRedirect: false },
    { encoding: null },
    { strictSSL: false },
    { rejectUnauthorized: false },
    { auth: { user: 'ann', pass: 'x' } },
    { timeout: 20_000 },
    { maxRedirects: 3 },
    { time: true },
    { agent: false },
    { pool: { maxSockets: 5 } },
    { forever: true },
    { proxy: '' },
    { tunnel: false },
    { jar: true },
    { simple: false },
    { localAddress: '127.0.0.1' },
    { removeRefererHeader: true },
    { method: 'put' },
    { method: 'PURGE' },
    { multipart: [{ body: 'x' }] },
    { formData: { a: 'x' } },
    { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    { json: true, body: { a: 1 } },
  ].map((changes) => ({
    name: `a hook sets ${inspect(changes)}`,
    flow: (url) => ({
      post: `${url}/echo`,
      beforeHooks: [(all) => (Object.assign(all.requestOptions, structuredClone(changes)), all)],
    }),
  })),
  {
    name: 'a hook sets a property of its own on requestOptions',
    flow: (url) => [
      { get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.myMark = 1), all)], afterHooks: [(all) => all] },
    ],
  },
  {
    name: 'a hook replaces requestOptions',
    flow: (url) => [
      {
        get: `${url}/a`,
        beforeHooks: [
          (all) => ((all.requestOptions = Object.assign({}, all.requestOptions, { uri: `${url}/b` })), all),
        ],
      },
    ],
  },
  {
    name: 'a before-hook returns a copy with other options',
    flow: (url) => [
      {
        get: `${url}/a`,
        beforeHooks: [
          (all) =>
            Object.assign({}, all, { requestOptions: Object.assign({}, all.requestOptions, { uri: `${url}/b` }) }),
        ],
      },
    ],
  },
  {
    name: 'require works in a hook',
    flow: (url) => [
      { get: `${url}/a`, beforeHooks: [(all) => ((all.requestOptions.headers['x-path'] = process.argv0), all)] },
    ],
  },
  {
    name: 'a hook changes headers that two operations share',
    flow: (url) => {
      const headers = { a: '1' };
      const change = (all) => ((all.requestOptions.headers['x-n'] = '5'), all);
      return [
        { get: `${url}/a`, headers, beforeHooks: [change] },
        { get: `${url}/b`, headers },
      ];
    },
  },
];

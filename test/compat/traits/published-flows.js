import { inspect } from 'node:util';

import { ended } from './ended.js';

const TWO = { limit: 1, iterations: 2 };

/** What flows do that people have published, each in a few lines. */
export const PUBLISHED_FLOWS = [
  {
    name: 'operations are mapped from a list',
    flow: (url) => ({ main: ['1.2.246', '1.2.247'].map((oid) => ({ get: `${url}/api/${oid}` })) }),
  },
  {
    name: 'a record is created, changed and deleted, with its id in the URL',
    flow: (url) => {
      const headers = { Accept: 'application/json, text/javascript, */*; q=0.01' };
      const withId = (all) => {
        all.requestOptions.uri = all.requestOptions.uri.replace('#ID#', all.iterCtx.id);
        return all;
      };
      return {
        before: [{ post: `${url}/_schema`, headers, json: { resource: [{ name: 't', field: [{ name: 'id' }] }] } }],
        beforeMain: [],
        main: [
          {
            post: `${url}/created`,
            headers,
            json: { id: null, name: 'Record #{INDEX}' },
            afterHooks: [(all) => ((all.iterCtx.id = all.body.id), all)],
          },
          { put: `${url}/t/#ID#`, headers, json: { name: 'Record #{INDEX} updated' }, beforeHooks: [withId] },
          { del: `${url}/t/#ID#`, headers, beforeHooks: [withId] },
        ],
        afterMain: [],
        after: [{ del: `${url}/_schema/t`, headers }],
      };
    },
    options: () => ({ ...TWO }),
  },
  {
    name: 'a customer registers, logs in and changes, with a token of the body',
    flow: (url, log) => ({
      before: [],
      main: [
        {
          post: `${url}/register`,
          beforeHooks: [(all) => (log(all.requestOptions.json.email), all)],
          json: { name: 'c#{INDEX}', email: 'c#{INDEX}@example.com' },
          afterHooks: [],
        },
        {
          post: `${url}/json`,
          json: { login: 'c#{INDEX}' },
          afterHooks: [(all) => ((all.iterCtx.token = all.response.body.data.token), all)],
        },
        {
          patch: `${url}/me`,
          beforeHooks: [(all) => ((all.requestOptions.headers.Authorization = `Bearer ${all.iterCtx.token}`), all)],
          json: { devices: [{ type: 'ANDROID' }], topics: ['/events/1'] },
        },
        { post: `${url}/seen`, json: { event: 1 }, beforeHooks: [(all) => ((all.requestOptions.json.id = 7), all)] },
      ],
    }),
    options: () => ({ ...TWO }),
  },
  {
    name: 'the admin logs in before, each iteration for itself',
    flow: (url, log, state = { token: 'admin' }) => {
      const save = (all) => {
        if (all.body.data.role === 'admin') state.token = all.body.data.token;
        else if (all.iterCtx) all.iterCtx.token = all.body.data.token;
        return all;
      };
      const authorize = (all) => {
        all.requestOptions.headers.Authorization = `Bearer ${all.iterCtx?.token ?? state.token}`;
        return all;
      };
      return {
        beforeMain: [{ post: `${url}/json`, json: { user: 'a' }, afterHooks: [save] }],
        main: [{ post: `${url}/patients`, beforeHooks: [authorize] }],
        after: [{ del: `${url}/accounts`, beforeHooks: [authorize] }],
      };
    },
  },
  {
    name: 'what before keeps in iterCtx is not there in main',
    flow: (url) => ({
      before: [{ post: `${url}/json`, afterHooks: [(all) => ((all.iterCtx = { auth: JSON.parse(all.body) }), all)] }],
      main: [
        {
          post: `${url}/a`,
          beforeHooks: [(all) => ((all.requestOptions.headers = { x: all.iterCtx.auth.id }), all)],
        },
      ],
    }),
  },
  {
    name: 'a slip with random lines is built from objects of the module',
    flow: (url) => {
      const slip = { total: 0, sale: [], customer: { id: '' } };
      const line = { item: '', price: 0 };
      return {
        main: [
          {
            beforeHooks: [
              (all) => {
                const one = Object.assign({}, slip, { sale: [] });
                one.customer.id = `c${all.env.index}`;
                for (let i = 0; i < 2; i++) one.sale.push(Object.assign({}, line, { price: i }));
                one.total = one.sale.length;
                all.requestOptions.json = { Transaction: one };
                all.requestOptions.headers = { 'Content-Type': 'application/json', 'x-key': 'k' };
                return all;
              },
            ],
            post: `${url}/slip`,
          },
        ],
      };
    },
    options: () => ({ ...TWO }),
  },
  {
    name: 'a hook sends an object of the module that it changes each time',
    flow: (url) => {
      const data = { accountId: 0 };
      const inject = (all) => {
        all.requestOptions.json = true;
        data.accountId += 1;
        data.socialId = `mocha-${data.accountId}`;
        all.requestOptions.body = data;
        return all;
      };
      return { main: [{ post: `${url}/patients`, beforeHooks: [inject, (all) => all] }] };
    },
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'a hook counts for itself, across iterations',
    flow: (url) => {
      let i = 0;
      const ids = ['a', 'b'];
      const next = (all) => ((all.requestOptions.uri += `/${ids[i++ % ids.length]}`), all);
      return {
        main: [
          { del: `${url}/x`, beforeHooks: [next] },
          { del: `${url}/y`, beforeHooks: [next] },
        ],
      };
    },
    options: () => ({ ...TWO }),
  },
  {
    name: 'query and body come from a list, by the index',
    flow: (url) => {
      const rows = [
        { e: 'view', v: '125' },
        { e: 'click', v: '126' },
      ];
      return {
        main: [
          {
            get: '',
            beforeHooks: [
              (all) => {
                const { e, v } = rows[all.env.index % rows.length];
                all.requestOptions.uri = `${url}/v1?eventname=${e}&variantid=${v}`;
                return all;
              },
            ],
          },
        ],
      };
    },
    options: () => ({ limit: 1, iterations: 3, prealloc: 1000 }),
  },
  {
    name: 'a query that holds JSON',
    flow: (url) => `${url}/v1?batch=${JSON.stringify([{ eventname: 'view', id: 1 }])}`,
  },
  {
    name: 'a function makes URLs, another one the JSON, for a PUT and a GET',
    flow: (url) => {
      let n = 0;
      const streams = ['a', 'b'];
      return {
        main: [
          {
            put: () => `${url}/streams/${streams[n++ % 2]}`,
            headers: { 'Content-Type': 'application/json', Authorization: 'x' },
            json: () => ({ channels: { channel0: { 'current-value': 1 } } }),
          },
          { get: `${url}/streams/last`, headers: { Authorization: 'x' } },
        ],
      };
    },
    options: () => ({ limit: 1, iterations: 3, prealloc: 100 }),
  },
  {
    name: 'one function for the JSON of several operations',
    flow: (url) => {
      let n = 0;
      const data = () => ({ n: n++, loc: [1.5, 2] });
      return [
        { post: `${url}/a`, json: data },
        { put: `${url}/b`, json: data },
      ];
    },
    options: () => ({ ...TWO }),
  },
  {
    name: 'a function reads the number of the iteration from its argument, and has more arguments',
    flow: (url) => ({ get: ({ INDEX }, ...more) => `${url}/${INDEX + 1}/${more.length}` }),
    options: () => ({ ...TWO }),
  },
  {
    name: 'a text of JSON as body, with tokens',
    flow: (url) => ({
      post: `${url}/a`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: '#{INDEX}', at: ['#{INDEX}'] }),
    }),
    options: () => ({ ...TWO }),
  },
  {
    name: 'an envelope of SOAP as body',
    flow: (url) => ({
      post: `${url}/ws`,
      headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '"urn:get"' },
      body: '<?xml version="1.0"?><e:Envelope xmlns:e="x"><e:Body id="#{INDEX}">é</e:Body></e:Envelope>',
    }),
  },
  {
    name: 'a login form whose redirect is followed, with its cookie',
    flow: (url) => [
      { post: `${url}/redirect/303`, form: { user: 'ann', password: 'p&=' }, followAllRedirects: true },
      { get: `${url}/cookie/1` },
      { get: `${url}/private`, headers: { Authorization: 'Basic x' } },
    ],
  },
  {
    name: 'a status is checked by a hook, after ignoreStatus',
    flow: (url, log) => [
      {
        get: `${url}/status/404`,
        afterHooks: [
          (all) => (log(all.response.statusCode), all),
          'ignoreStatus',
          (all) => (log(all.response.statusCode), all),
        ],
      },
      { get: `${url}/a` },
    ],
  },
  {
    name: 'a hook returns at once if there is an error',
    flow: (url, log) => [
      {
        get: 'http://127.0.0.1:1/',
        afterHooks: [(all) => (all.err ? all : (log('never'), all))],
      },
      { get: `${url}/a` },
    ],
  },
  {
    name: 'a hook reads a response that failed',
    flow: () => ({ get: 'http://127.0.0.1:1/', afterHooks: [(all) => ((all.iterCtx.id = all.body.id), all)] }),
  },
  {
    name: 'hooks are joined from lists',
    flow: (url, log) => {
      const common = [(all) => (log('common'), all)];
      return { get: `${url}/a`, beforeHooks: common.concat((all) => (log('own'), all)), afterHooks: [].concat(common) };
    },
  },
  {
    name: 'hooks print what they get',
    flow: (url, log) => {
      const print = (all) => (log(typeof inspect(all), `${all.requestOptions.method} ${all.requestOptions.uri}`), all);
      return { post: `${url}/a`, json: { a: 1 }, beforeHooks: [print], afterHooks: [print] };
    },
  },
  {
    name: 'hooks measure each operation for themselves',
    program: async ({ url, log, benchrest }) => {
      const times = {};
      const start = (all) => ((all.iterCtx.at = Date.now()), all);
      const end = (all) => ((times[all.opIndex] ??= []).push(Date.now() - all.iterCtx.at), all);
      const main = ['/a', '/b'].map((path) => ({ get: url + path, beforeHooks: [start], afterHooks: [end] }));
      await ended(benchrest({ main }, TWO));
      log(Object.values(times).map((list) => list.length));
    },
  },
  {
    name: 'a hook takes headers away, and sets them to lists',
    flow: (url) => ({
      get: `${url}/a`,
      headers: { a: '1', b: '2' },
      beforeHooks: [
        (all) => {
          delete all.requestOptions.headers.a;
          all.requestOptions.headers.c = ['3', '4'];
          return all;
        },
      ],
    }),
  },
  {
    name: 'a hook chooses the method by what the operation was',
    flow: (url) => ({
      post: `${url}/a`,
      beforeHooks: [
        (all) => {
          if (all.requestOptions.post && all.env.index % 2) all.requestOptions.method = 'PUT';
          return all;
        },
      ],
    }),
    options: () => ({ ...TWO }),
  },
  {
    name: 'a virtual host in a header',
    flow: (url) => ({ get: `${url}/a`, headers: { host: 'www.example.com', 'X-Forwarded-For': '10.0.0.1' } }),
  },
  {
    name: 'Accept-Encoding of its own, without gzip',
    flow: (url, log) => ({
      get: `${url}/gzip`,
      headers: { 'Accept-Encoding': 'gzip' },
      afterHooks: [(all) => (log(all.body === 'packed'), all)],
    }),
  },
  { name: 'a URL without a variable', flow: () => `${undefined}/a` },
  { name: 'a URL without a scheme', flow: (url) => `${url.replace('http://', '')}/a` },
  { name: 'a path alone', flow: () => '/a' },
  { name: 'a scheme that is not HTTP', flow: () => 'ftp://127.0.0.1/a' },
  {
    name: 'a function that throws',
    flow: (url) => ({
      main: [{ get: () => JSON.parse('{').url ?? url }],
    }),
  },
  {
    name: 'a function whose URL is none',
    flow: () => ({ main: [{ get: () => 'undefined/a' }] }),
  },
  {
    name: 'json of a file',
    flow: (url) => ({ post: `${url}/beacon?APIToken=apitoken-demo`, json: JSON.parse('[{"a":1},{"b":[null,true]}]') }),
  },
  {
    name: 'a module with name, runOptions and flow',
    program: async ({ url, log, benchrest }) => {
      const module = {
        name: 'beacon',
        runOptions: { limit: 1, iterations: 2, progress: 5000 },
        flow: { before: [], main: [{ post: `${url}/a`, json: { a: 1 } }], after: [] },
      };
      const { stats } = await ended(benchrest(module.flow, module.runOptions));
      log(module.name, stats.main.meter.count);
    },
  },
];

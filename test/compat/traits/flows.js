/** How flows are written: shortcuts, phases, tokens, functions. */
export const FLOWS = [
  { name: 'a URL alone is a GET', flow: (url) => `${url}/a` },
  { name: 'a URL without a path is a GET of /', flow: (url) => url },
  { name: 'a URL with a query is sent with it', flow: (url) => `${url}/a?b=1&c=%20x` },
  { name: 'an operation alone is main', flow: (url) => ({ head: `${url}/a` }) },
  { name: 'an array of operations is main', flow: (url) => [{ put: `${url}/a`, json: 'x' }, { get: `${url}/a` }] },
  { name: 'an object with main alone is a flow', flow: (url) => ({ main: [{ get: `${url}/a` }] }) },
  {
    name: 'empty arrays of phases are phases',
    flow: (url) => ({ before: [], beforeMain: [], main: [{ get: `${url}/a` }], afterMain: [], after: [] }),
  },
  {
    name: 'phases that are null or undefined are empty',
    flow: (url) => ({ before: null, beforeMain: undefined, main: [{ get: `${url}/a` }], afterMain: null, after: null }),
  },
  { name: 'main may be empty beside before', flow: (url) => ({ before: [{ get: `${url}/a` }], main: [] }) },
  {
    name: 'all five phases run in their order, the outer ones once',
    flow: (url) => ({
      before: [{ get: `${url}/before` }],
      beforeMain: [{ get: `${url}/beforeMain/#{INDEX}` }],
      main: [{ get: `${url}/main/#{INDEX}/0` }, { get: `${url}/main/#{INDEX}/1` }],
      afterMain: [{ get: `${url}/afterMain/#{INDEX}` }],
      after: [{ get: `${url}/after` }],
    }),
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'operations of a phase run one after the other in each virtual user',
    flow: (url) => [{ get: `${url}/#{INDEX}/a` }, { get: `${url}/#{INDEX}/b` }, { get: `${url}/#{INDEX}/c` }],
    options: () => ({ limit: 4, iterations: 12 }),
    isUnordered: true,
  },
  ...['get', 'head', 'put', 'post', 'del', 'patch'].map((method) => ({
    name: `${method} is a method`,
    flow: (url) => ({ [method]: `${url}/a` }),
  })),
  ...['get', 'head', 'del', 'OPTIONS', 'DELETE', 'PATCH', 'post'].map((method) => ({
    name: `method: '${method}' is sent beside uri`,
    flow: (url) => ({ method, uri: `${url}/a` }),
  })),
  { name: 'uri without a method is a GET', flow: (url) => ({ uri: `${url}/a` }) },
  { name: 'url is another name of uri', flow: (url) => ({ method: 'PUT', url: `${url}/a`, body: 'x' }) },
  { name: 'a path with a space is percent-encoded', flow: (url) => `${url}/services/Lunch club/nw1 0ne` },
  { name: 'a path with an umlaut is percent-encoded', flow: (url) => `${url}/größe?q=ä` },
  { name: 'a backslash in a URL', flow: (url) => `${url}\\a\\b` },
  { name: 'a fragment is not sent', flow: (url) => `${url}/a#top` },
  { name: 'a fragment that looks like a token is not sent', flow: (url) => `${url}/a/#ID#` },
  { name: 'brackets and pipes in a query', flow: (url) => `${url}/a?filter[name]=x|y&z={1}` },
  { name: 'quotes in a query', flow: (url) => `${url}/a?q="x"&r='y'&s=<z>` },
  { name: 'dots in a path', flow: (url) => `${url}/a/../b/./c` },
  { name: 'a double slash in a path', flow: (url) => `${url}//a//b/` },
  { name: 'spaces around a URL', flow: (url) => ` ${url}/a ` },
  { name: 'a scheme in capitals', flow: (url) => `${url.replace('http', 'HTTP')}/a` },
  { name: 'credentials in the URL are Basic credentials', flow: (url) => `${url.replace('//', '//ann:s%20e@')}/a` },
  {
    name: '#{INDEX} in a URL',
    flow: (url) => `${url}/a/#{INDEX}?n=#{INDEX}`,
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: '#{INDEX} in a body',
    flow: (url) => ({ post: `${url}/a`, body: 'n=#{INDEX}, again #{INDEX}' }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: '#{INDEX} in a text as json',
    flow: (url) => ({ put: `${url}/a`, json: 'mydata_#{INDEX}' }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: '#{INDEX} deep in json, in names too',
    flow: (url) => ({ post: `${url}/a`, json: { list: [{ 'k#{INDEX}': 'v#{INDEX}' }], n: 1, no: null } }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: '#{INDEX} in beforeMain and afterMain',
    flow: (url) => ({
      beforeMain: [{ put: `${url}/#{INDEX}`, json: { id: '#{INDEX}' } }],
      main: [{ get: `${url}/#{INDEX}` }],
      afterMain: [{ del: `${url}/#{INDEX}` }],
    }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: '#{INDEX} in before and after',
    flow: (url) => ({
      before: [{ put: `${url}/b#{INDEX}?x=#{INDEX}`, body: 'b#{INDEX}' }],
      main: [{ get: `${url}/a` }],
      after: [{ del: `${url}/b#{INDEX}` }],
    }),
  },
  {
    name: '#{INDEX} in headers',
    flow: (url) => ({ get: `${url}/a`, headers: { 'x-id': '#{INDEX}' } }),
  },
  { name: '#{INDEX} in a form', flow: (url) => ({ post: `${url}/a`, form: { id: '#{INDEX}' } }) },
  { name: '#{INDEX} in qs', flow: (url) => ({ get: `${url}/a`, qs: { id: '#{INDEX}' } }) },
  { name: '#{INDEX} in uri beside method', flow: (url) => ({ method: 'GET', uri: `${url}/#{INDEX}` }) },
  { name: 'an unknown token', flow: (url) => ({ get: `${url}/a`, headers: { x: '#{NAME}' } }) },
  { name: 'a token in small letters in a body', flow: (url) => ({ post: `${url}/a`, body: '#{index}' }) },
  {
    name: 'a template of another tool in a body',
    flow: (url) => ({ post: `${url}/a`, body: '${name} {{name}} #name' }),
  },
  {
    name: 'functions return URL and json for each iteration',
    flow: (url) => {
      let n = 0;
      return { put: () => `${url}/${n++}`, json: () => ({ n }) };
    },
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'functions return URL and json with prealloc',
    flow: (url) => {
      let n = 0;
      return { put: () => `${url}/${n++}`, json: () => ({ n }) };
    },
    options: () => ({ limit: 1, iterations: 3, prealloc: 100 }),
  },
  {
    name: 'functions receive the tokens',
    flow: (url) => ({ post: (tokens) => `${url}/${tokens.INDEX}`, body: (tokens) => `n${tokens.INDEX}` }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: 'a function in before returns the URL',
    flow: (url) => ({ before: [{ get: () => `${url}/b` }], main: [{ get: `${url}/a` }] }),
  },
  {
    name: 'a function reads what before has stored',
    flow: (url, log, state = {}) => ({
      before: [{ post: `${url}/created`, json: {}, afterHooks: [(all) => ((state.id = all.body.id), all)] }],
      main: [{ get: () => `${url}/items/${state.id}` }],
    }),
  },
  {
    name: 'a flow has properties of its own',
    flow: (url) => ({ filename: 'show', env: { domain: url, nfr: 60 }, main: [{ get: `${url}/a` }] }),
  },
  {
    name: 'a flow is an instance of a class',
    flow: (url) =>
      new (class Show {
        target = 'dev';
        main = [{ get: `${url}/a` }];
        describe() {}
      })(),
  },
  {
    name: 'a flow has a name and a description',
    flow: (url) => ({ name: 'x', description: 'y', main: [{ get: `${url}/a` }] }),
  },
  {
    name: 'an operation has properties of its own',
    flow: (url) => ({ get: `${url}/a`, label: 'x', expected: { a: 1 } }),
  },
  { name: 'an operation has a name', flow: (url) => [{ name: 'first', get: `${url}/a` }] },
  {
    name: 'the array of main has a property',
    flow: (url) => ({ main: Object.assign([{ get: `${url}/a` }], { json: { a: 1 } }) }),
  },
  {
    name: 'an operation without a prototype',
    flow: (url) => [Object.assign(Object.create(null), { get: `${url}/a` })],
  },
  {
    name: 'a frozen flow',
    flow: (url) => Object.freeze({ main: Object.freeze([Object.freeze({ get: `${url}/a` })]) }),
  },
  {
    name: 'an empty URL that a hook sets',
    flow: (url) => [{ get: '', beforeHooks: [(all) => ((all.requestOptions.uri = `${url}/a`), all)] }],
  },
  {
    name: 'an operation without URL and method that a hook sets',
    flow: (url) => [
      { beforeHooks: [(all) => (Object.assign(all.requestOptions, { uri: `${url}/a`, method: 'PUT' }), all)] },
    ],
  },
  ...['#{ID}', '#{id}', '#{user.id}', '{id}', ':id', '%s', '<id>', '#ID#'].map((placeholder) => ({
    name: `a hook replaces ${placeholder} in a URL`,
    flow: (url) => [
      {
        get: `${url}/items/${placeholder}/#{INDEX}`,
        beforeHooks: [
          (all) => ((all.requestOptions.uri = all.requestOptions.uri.replace(placeholder, all.env.index)), all),
        ],
      },
    ],
    options: () => ({ limit: 1, iterations: 2 }),
  })),
  {
    name: 'a hook replaces #{ID} in a header, a body and json',
    flow: (url) => [
      {
        post: `${url}/a`,
        body: '#{ID}',
        headers: { x: '#{ID}' },
        beforeHooks: [
          (all) => {
            all.requestOptions.headers.x = '7';
            all.requestOptions.body = all.requestOptions.body.replace('#{ID}', '7');
            return all;
          },
        ],
      },
      { post: `${url}/b`, json: { id: '#{ID}' }, beforeHooks: [(all) => ((all.requestOptions.json.id = '8'), all)] },
    ],
  },
  {
    name: 'a placeholder that no hook replaces',
    flow: (url) => [{ get: `${url}/a#{ID}`, beforeHooks: [(all) => all] }],
  },
  {
    name: 'an unknown token in a flow whose after-hooks could set it',
    flow: (url) => [{ post: `${url}/a`, body: '#{NAME}', afterHooks: [(all) => all] }],
  },
  {
    name: 'functions find INDEX among the names of their argument',
    flow: (url) => ({
      get: (tokens) => {
        const path = ['/#{INDEX}'];
        for (const name in tokens) path[0] = path[0].replace(`#{${name}}`, tokens[name]);
        return url + path[0];
      },
    }),
  },
  {
    name: 'the own names of the argument of functions',
    flow: (url, log) => ({ get: (tokens) => (log(Object.keys(tokens)), `${url}/a`) }),
  },
  {
    name: 'an operation beside phases that are nothing',
    flow: (url) => ({ before: null, beforeMain: false, get: `${url}/a` }),
  },
  { name: 'a flow that is undefined', flow: () => undefined },
  { name: 'a flow without operations', flow: () => ({}) },
  { name: 'a flow without main', flow: (url) => ({ before: [{ get: url }] }) },
  { name: 'main is one operation', flow: (url) => ({ main: { get: url } }) },
  { name: 'main is a text', flow: (url) => ({ main: url }) },
  {
    name: 'one operation object stands at several places',
    flow: (url) => {
      const op = { get: `${url}/a` };
      return { before: [op], main: [op, op], after: [op] };
    },
  },
  { name: 'json beside get', flow: (url) => ({ get: `${url}/json`, json: true }) },
];

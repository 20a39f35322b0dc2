import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { Code, flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/k6/index.js';
import { writeFlow } from '../../../../lib/addons/import/write-flow.js';

const options = { from: 'script.js', folder: tmpdir() };
const IMPORTS = `import http from 'k6/http';
import { check, fail, group, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import grpc from 'k6/net/grpc';
import encoding from 'k6/encoding';
import papaparse from 'https://jslib.k6.io/papaparse/5.1.1/index.js';
import { randomIntBetween, randomItem, randomString, uuidv4, findBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
`;
const U = 'http://shop.example';

/** The draft of a script with this function, and this code around it. */
function draftOf(code, around = '') {
  return read(`${IMPORTS}${around}\nexport default function (data) {\n${code}\n}\n`, options);
}

/** A flow, with the text of its code. */
function withCode(value) {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return value.map(withCode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withCode(one)]));
}

/** The operations of main. */
function mainOf(code, around) {
  return withCode(flowOf(draftOf(code, around)).main);
}

const LOGIN = `const login = http.post('${U}/login', { user: 'ann' });`;
const login = { post: '/login', form: { user: 'ann' }, followAllRedirects: true };

describe('import/k6/requests', () => {
  /** @type {[string, string, any[]][]} */
  const REQUESTS = [
    ['a template with a constant', `const id = 7; http.get(\`${U}/items/\${id}\`);`, [{ get: '/items/7' }]],
    ['a text that is joined', `let path = '/a'; path += '/b'; http.get('${U}' + path);`, [{ get: '/a/b' }]],
    ['http.url', `http.get(http.url\`${U}/items/\${1 + 1}\`);`, [{ get: '/items/2' }]],
    [
      'JSON',
      `http.put('${U}/a', JSON.stringify({ a: [1, { b: null }] }), { headers: { 'Content-Type': 'application/json' } });`,
      [{ put: '/a', headers: { Accept: null }, json: { a: [1, { b: null }] }, followAllRedirects: true }],
    ],
    [
      'a text without a type, as k6 adds none',
      `http.patch('${U}/a', JSON.stringify({ a: 1 }));`,
      [{ patch: '/a', body: '{"a":1}', followAllRedirects: true }],
    ],
    [
      'a form, sorted as k6 does',
      `http.post('${U}/a', { b: 1, a: 'x&y' });`,
      [{ post: '/a', form: { a: 'x&y', b: '1' }, followAllRedirects: true }],
    ],
    [
      'a form with values that are none, as Go writes them',
      `http.post('${U}/a', { a: null, b: [undefined, 1] });`,
      [{ post: '/a', form: 'a=%3Cnil%3E&b=%3Cnil%3E&b=1', followAllRedirects: true }],
    ],
    [
      'a form with the type of JSON, which k6 keeps',
      `const r = http.get('${U}/a'); http.post('${U}/a', { a: 'x y', b: r.json('b') }, { headers: { 'Content-Type': 'application/json' } });`,
      [
        { get: '/a', capture: { b: '$.b' } },
        {
          post: '/a',
          headers: { 'Content-Type': 'application/json' },
          body: 'a=x+y&b=#{value}',
          followAllRedirects: true,
        },
      ],
    ],
    [
      'a form that Go encodes in another way',
      `http.post('${U}/a', { b: "it's (1)", a: 'x y' });`,
      [{ post: '/a', form: 'a=x+y&b=it%27s+%281%29', followAllRedirects: true }],
    ],
    [
      'a form with a list',
      `http.post('${U}/a', { b: ['1', '2'], a: 'x y' });`,
      [{ post: '/a', form: 'a=x+y&b=1&b=2', followAllRedirects: true }],
    ],
    [
      'a file of a form',
      `http.post('${U}/a', { f: http.file(open('./a.png', 'b'), 'b.png', 'image/png') });`,
      [
        {
          post: '/a',
          formData: { f: { file: 'a.png', filename: 'b.png', contentType: 'image/png' } },
          followAllRedirects: true,
        },
      ],
    ],
    [
      'a file',
      `http.del('${U}/a', open('./a.bin', 'b'));`,
      [{ delete: '/a', headers: { 'Content-Type': null }, body: { file: 'a.bin' }, followAllRedirects: true }],
    ],
    [
      'a file of a form, whose type is that of k6',
      `http.post('${U}/a', { f: http.file(open('a.json'), 'b.json') });`,
      [
        {
          post: '/a',
          formData: { f: { file: 'a.json', filename: 'b.json', contentType: 'application/octet-stream' } },
          followAllRedirects: true,
        },
      ],
    ],
    ['http.request', `http.request('purge', '${U}/a');`, [{ method: 'PURGE', url: '/a', followAllRedirects: true }]],
    [
      'http.batch of a list and of an object',
      `http.batch(['${U}/a', ['POST', '${U}/b', 'x', { tags: { team: 'shop' } }]]); http.batch({ c: { method: 'GET', url: '${U}/c' } });`,
      [{ get: '/a' }, { post: '/b', tags: { team: 'shop' }, body: 'x', followAllRedirects: true }, { get: '/c' }],
    ],
    [
      'parameters',
      `http.get('${U}/a', { headers: { 'X-A': 1 }, tags: { name: 'list', tier: 2 }, cookies: { c: 'd x', e: { value: 'f', replace: true } }, timeout: '1m30s', redirects: 0 });`,
      [
        {
          get: '/a',
          name: 'list',
          tags: { tier: 2 },
          headers: { 'X-A': '1' },
          cookies: { c: '"d x"', e: 'f' },
          followRedirect: false,
          timeout: '90s',
        },
      ],
    ],
    [
      'digest',
      `http.get('http://me:geheim7@shop.example/', { auth: 'digest' });`,
      [{ get: '/', auth: { sendImmediately: false } }],
    ],
    [
      'expected statuses',
      `http.get('${U}/a', { responseCallback: http.expectedStatuses(404, { min: 200, max: 299 }) });`,
      [{ get: '/a', expect: { status: [404, '2xx'] } }],
    ],
    [
      'cookies of the jar, for their server',
      `const jar = http.cookieJar(); jar.set('${U}/', 'a', 'b'); http.get('${U}/x'); http.get('http://other.example/');`,
      [{ get: '/x', cookies: { a: 'b' } }, { get: 'http://other.example/' }],
    ],
    [
      'groups and pauses',
      `group('shop', () => { group('cart', () => http.get('${U}/a')); sleep(1); sleep(0.5); http.get('${U}/b'); sleep(Math.random() * 3); });`,
      [
        { get: '/a', group: 'shop / cart', pause: 1500 },
        { get: '/b', group: 'shop', pause: [0, '3s'] },
      ],
    ],
    [
      'a pause between two seconds',
      `http.get('${U}/'); sleep(randomIntBetween(1, 5));`,
      [{ get: '/', pause: ['1s', '5s'] }],
    ],
    [
      'cookies of one server that a script removes between those of another one',
      `const jar = http.cookieJar(); const V = 'http://other.example/'; jar.set('${U}/', 'a', '1'); jar.set(V, 'b', '2'); jar.set('${U}/', 'c', '3'); jar.clear('${U}/'); http.get('${U}/x'); http.get(V);`,
      [{ get: '/x' }, { get: 'http://other.example/', cookies: { b: '2' } }],
    ],
    [
      'a jar of its own',
      `const jar = new http.CookieJar(); jar.set('${U}', 'a', 'b'); http.get('${U}/x', { jar });`,
      [{ get: '/x', cookies: { a: 'b' }, jar: false }],
    ],
    ['static members of a class', `class A { static n = 1; } A.n += 1; get('/' + A.n);`, [{ get: '/2' }]],
    ['a function of the script', `get('/a'); get('/b');`, [{ get: '/a' }, { get: '/b' }]],
    [
      'a loop',
      `for (let i = 0; i < 2; i++) http.get(\`${U}/\${i}\`); ['x', 'y'].forEach((one) => get('/' + one));`,
      [{ get: '/0' }, { get: '/1' }, { get: '/x' }, { get: '/y' }],
    ],
    [
      'switch, try and a default',
      `try { switch ('b') { case 'a': get('/a'); case 'b': get('/b'); break; default: get('/c'); } } finally { get(); }`,
      [{ get: '/b' }, { get: '/z' }],
    ],
    ['destructuring', `const { path, id = 3 } = { path: '/p' }; get(\`\${path}/\${id}\`);`, [{ get: '/p/3' }]],
    ['base64', `get('/' + encoding.b64encode('ab'));`, [{ get: '/YWI=' }]],
  ];
  for (const [title, code, expected] of REQUESTS)
    it(`requests are operations: ${title}`, () =>
      expect(mainOf(code, `function get(path = '/z') { return http.get('${U}' + path); }`)).to.deep.equal(expected));

  /** @type {[string, any, any][]} */
  const CAPTURES = [
    [
      `const token = login.json('data.token'); http.get('${U}/' + token);`,
      { token: '$.data.token' },
      { get: '/#{token}' },
    ],
    [`const { id } = JSON.parse(login.body); http.get(\`${U}/\${id}\`);`, { id: '$.id' }, { get: '/#{id}' }],
    [`http.get(\`${U}/\${login.json().items[0].id}\`);`, { id: '$.items[0].id' }, { get: '/#{id}' }],
    [`http.get(login.headers['Location']);`, { Location: { header: 'Location' } }, { get: '#{Location}' }],
    [`http.get('${U}/' + login.cookies.sid[0].value);`, { sid: { cookie: 'sid' } }, { get: '/#{sid}' }],
    [
      `const csrf = /csrf=(\\w+)/.exec(login.body)[1]; http.get('${U}/' + csrf);`,
      { csrf: { text: 'csrf=(\\w+)' } },
      { get: '/#{csrf}' },
    ],
    [
      `http.get('${U}/' + findBetween(login.body, '<b>', '</b>'));`,
      { found: { text: '(?s)<b>(.*?)</b>' } },
      { get: '/#{found}' },
    ],
    [
      `http.post('${U}/x', JSON.stringify({ id: login.json('id'), text: \`\${login.json('id')}\` }), { headers: { 'Content-Type': 'application/json' } });`,
      { id: '$.id' },
      { post: '/x', headers: { Accept: null }, json: { id: '#{id}', text: '#{id:text}' }, followAllRedirects: true },
    ],
  ];
  for (const [code, capture, second] of CAPTURES)
    it(`values of responses are captured where they are used: ${code}`, () =>
      expect(mainOf(LOGIN + code)).to.deep.equal([{ ...login, capture }, second]));

  /** @type {[string, any][]} */
  const CHECKS = [
    ['r.status === 201', { status: 201 }],
    ['r.status == 200 || r.status == 204', { status: [200, 204] }],
    ['[200, 201].includes(r.status)', { status: [200, 201] }],
    ['r.status >= 200 && r.status < 300', { status: '2xx' }],
    ["r.html('h1').text() === 'x'", undefined],
    ['r.status < 400', { status: ['2xx', '3xx'] }],
    ["r.body.includes('x') && r.body.indexOf('y') !== -1", [{ text: 'x' }, { name: 'is right', text: 'y' }]],
    ["r.body.indexOf('y') > -1", { text: 'y' }],
    ['/a+/.test(r.body)', { text: { matches: 'a+' } }],
    ["r.body === 'x'", { body: 'x' }],
    ['r.body.length > 5', { text: { length: { gt: 5 } } }],
    ["r.json('a.b') === 7", { json: { '$.a.b': 7 } }],
    ["r.json().a['b-c'] !== undefined", { json: { "$.a['b-c']": { exists: true } } }],
    ['JSON.parse(r.body).list.length >= 2', { json: { '$.list': { length: { gte: 2 } } } }],
    ["Array.isArray(r.json('list'))", { json: { '$.list': { type: 'array' } } }],
    ["typeof r.json('n') === 'number'", { json: { '$.n': { type: 'number' } } }],
    ["!!r.json('token')", { json: { '$.token': { exists: true, ne: null } } }],
    ["r.headers['Content-Type'].includes('json')", { headers: { 'Content-Type': '*json*' } }],
    ["r.headers['X-A'] === 'b'", { headers: { 'X-A': 'b' } }],
  ];
  for (const [condition, expected] of CHECKS)
    it(`a check is an expectation, or is named: ${condition}`, () => {
      const draft = draftOf(`check(http.get('${U}/'), { 'is right': (r) => ${condition} });`);
      expect(draft.phases.main[0].operation.expect).to.deep.equal(expected);
      expect(draft.skipped.map(({ what }) => what)).to.deep.equal(
        expected ? [] : [`line 11: 'is right': (r) => ${condition}`],
      );
    });

  it('a check compares with a value of an earlier response, or one that is sent', () =>
    expect(
      mainOf(
        `${LOGIN} const id = login.json('id'); check(http.get(\`${U}/\${id}\`), { same: (r) => r.json('id') === id, user: (r) => r.json().vu === __VU });`,
      )[1].expect,
    ).to.deep.equal({ json: { '$.id': '#{id}', '$.vu': '#{user}' } }));

  it('a status that is an error by itself needs no check', () => {
    const { phases, skipped } = draftOf(`check(http.get('${U}/'), { ok: (r) => r.status !== 500 });`);
    expect([phases.main[0].operation, skipped]).to.deep.equal([{ get: '/' }, []]);
  });

  it('checks of one thing have their names', () =>
    expect(
      mainOf(
        `check(http.get('${U}/'), { a: (r) => r.body.includes('a'), b: (r) => r.body.includes('b'), ok: (r) => r.status === 200 });`,
      )[0].expect,
    ).to.deep.equal([
      { text: 'a', status: 200 },
      { name: 'b', text: 'b' },
    ]));

  it('a check of the time is a note with its threshold', () =>
    expect(draftOf(`check(http.get('${U}/a'), { fast: (r) => r.timings.duration < 500 });`).skipped).to.deep.equal([
      {
        what: "line 11: 'fast': (r) => r.timings.duration < 500",
        why: "a slow response would end the iteration: add the threshold 'GET /a p95<500ms'",
      },
    ]));

  /** @type {[string, string, Record<string, any>][]} */
  const VALUES = [
    [
      'the number of the virtual user, from 1',
      `http.get('${U}/' + __VU);`,
      { get: '/#{user}', tokens: { user: '({ vu }) => vu + 1' } },
    ],
    ['the number of the iteration', `http.get('${U}/' + exec.scenario.iterationInTest);`, { get: '/#{INDEX}' }],
    [
      'a variable of the environment',
      `http.get('${U}/', { headers: { 'X-A': __ENV.REGION } });`,
      { get: '/', headers: { 'X-A': '#{env.REGION}' } },
    ],
    [
      'random values of one request',
      `http.get(\`${U}/\${uuidv4()}/\${randomIntBetween(1, 6)}/\${Math.floor(Math.random() * 10)}/\${uuidv4()}\`);`,
      { get: '/#{uuid}/#{randomInt(1,6)}/#{randomInt(0,9)}/#{uuid.2}' },
    ],
    [
      'times',
      `http.get(\`${U}/\${Date.now()}/\${Math.floor(Date.now() / 1000)}/\${new Date().toISOString()}\`);`,
      { get: '/#{timestampMs}/#{timestamp}/#{isoTimestamp}' },
    ],
    [
      'an expression of them',
      `const name = Math.random().toString(36).slice(2); http.get('${U}/' + name);`,
      {
        get: '/#{name}',
        tokens: { name: '({ iterCtx }) => (iterCtx.random ??= Math.random()).toString(36).slice(2)' },
      },
    ],
    [
      'random characters',
      `let text = ''; for (let i = 0; i < 3; i++) text += 'abc'.charAt(Math.floor(Math.random() * 3)); http.get('${U}/' + text);`,
      {
        get: '/#{text}',
        tokens: {
          text: "({ iterCtx }) => (iterCtx.text ??= Array.from({ length: 3 }, () => 'abc'[Math.floor(Math.random() * 3)]).join(''))",
        },
      },
    ],
    [
      'the same random value in two requests',
      `const id = uuidv4(); http.get('${U}/' + id); http.del('${U}/' + id);`,
      { get: '/#{id}', tokens: { id: '({ iterCtx }) => (iterCtx.id ??= crypto.randomUUID())' } },
    ],
  ];
  for (const [title, code, { tokens, ...operation }] of VALUES)
    it(`values that change are tokens: ${title}`, () => {
      const flow = withCode(flowOf(draftOf(code)));
      expect(flow.main[0]).to.deep.equal(operation);
      expect(flow.tokens).to.deep.equal(tokens);
    });

  const ROWS = "const users = new SharedArray('users', () => [{ name: 'ann' }, { name: 'bob' }]);";
  /** @type {[string, string, string, any, string][]} */
  const FEEDERS = [
    [
      'a random row',
      'const user = users[Math.floor(Math.random() * users.length)];',
      ROWS,
      { user: { rows: [{ name: 'ann' }, { name: 'bob' }], order: 'random' } },
      'user.name',
    ],
    [
      'randomItem',
      'const user = randomItem(users);',
      ROWS,
      { user: { rows: [{ name: 'ann' }, { name: 'bob' }], order: 'random' } },
      'user.name',
    ],
    [
      'the row of the iteration',
      'const user = users[exec.scenario.iterationInTest % users.length];',
      ROWS,
      { user: { rows: [{ name: 'ann' }, { name: 'bob' }] } },
      'user.name',
    ],
    [
      'a file of JSON',
      'const user = users[exec.scenario.iterationInTest];',
      "const users = new SharedArray('users', function () { return JSON.parse(open('./users.json')); });",
      { user: 'users.json' },
      'user.name',
    ],
    [
      'a file of CSV',
      'const user = users[exec.scenario.iterationInTest];',
      "const users = papaparse.parse(open('./users.csv'), { header: true }).data;",
      { user: 'users.csv' },
      'user.name',
    ],
    [
      'a list of texts',
      "const user = { name: randomItem(['a', 'b']) };",
      '',
      { row: { rows: [{ value: 'a' }, { value: 'b' }], order: 'random' } },
      'row.value',
    ],
  ];
  for (const [title, code, around, data, column] of FEEDERS)
    it(`lists are feeders: ${title}`, () => {
      const flow = flowOf(draftOf(`${code} http.get('${U}/' + user.name);`, around));
      expect(flow.data).to.deep.equal(data);
      expect(flow.main).to.deep.equal([{ get: `/#{${column}}` }]);
    });

  it('a list with secrets is a file to be written, and is named', () => {
    const code = `const user = randomItem(users); http.post('${U}/', { name: user.name, password: user.password });`;
    const around = "const users = [{ name: 'ann', password: 'geheim1' }, { name: 'bob', password: 'geheim2' }];";
    const draft = draftOf(code, around);
    expect(flowOf(draft).data).to.deep.equal({ user: { file: 'user.json', order: 'random' } });
    expect(draft.dialectNotes).to.include(
      'The list user has secrets: write it to user.json, with name, password, or use --keep-secrets.',
    );
    expect(writeFlow(draft, 'mjs')).not.to.contain('geheim');
  });

  it('a secret in code is a variable of the environment', () => {
    const draft = draftOf(`http.post('${U}/', JSON.stringify({ id: Math.random(), password: 'geheim1' }));`);
    expect(withCode(flowOf(draft)).tokens.body).to.equal(
      '({ iterCtx }) => JSON.stringify({ id: (iterCtx.random ??= Math.random()), password: process.env.PASSWORD })',
    );
    expect(draft.dialectNotes.join()).to.contain('reads the variable PASSWORD of the environment');
  });

  it('rows that follow the virtual users are named', () => {
    const draft = draftOf(`http.get('${U}/' + users[__VU % users.length].name);`, ROWS);
    expect(draft.dialectNotes.join()).to.contain(
      'users: its rows follow the virtual users in k6, and the iterations here',
    );
  });

  it('rows that several numbers select are named', () => {
    const notesOf = (code) => draftOf(code, ROWS).dialectNotes.join();
    const row = (number) => `http.get('${U}/' + users[${number}].name);`;
    const both = notesOf(row('__ITER % users.length') + row('__VU % users.length'));
    expect(both).to.contain('users: its rows follow the virtual users in k6');
    expect(both).to.contain('users: the script reads its rows by 2 different numbers; here each is the row');
    expect(notesOf(row('__VU - 1') + row('__VU % users.length'))).to.contain('by 2 different numbers');
    expect(notesOf(row('__VU - 1') + row('(__VU - 1) % users.length'))).not.to.contain('different numbers');
  });

  it('think time after a request that is left out belongs to one that is sent', () => {
    const lost = `http.get('${U}/' + Math.log2(5)); sleep(1);`;
    expect(mainOf(`http.get('${U}/a'); ${lost}`)).to.deep.equal([{ get: '/a', pause: '1s' }]);
    expect(mainOf(`${lost} http.get('${U}/a');`)).to.deep.equal([{ get: '/a', pause: '1s' }]);
    expect(draftOf(lost).skipped.map(({ what }) => what)).to.include('line 11: sleep(1)');
  });

  for (const [title, code, pauses] of [
    ['under a condition', 'if (a.json("n") > 3) sleep(2);', ['({ vars }) => (vars.n > 3) ? 2000 : 0']],
    [
      'of both sides',
      'if (__VU > 3) sleep(2); else sleep(3);',
      ['({ vu }) => (((vu + 1) > 3) ? 2000 : 0) + ((!((vu + 1) > 3)) ? 3000 : 0)'],
    ],
    ['after that of code', 'sleep(__VU); sleep(1);', ['({ vu }) => ((vu + 1) * 1000) + (1000)']],
    ['before that of code', 'sleep(1); sleep(__VU);', ['({ vu }) => (1000) + ((vu + 1) * 1000)']],
    ['after a request under a condition', `if (a.json('n') > 3) { get('/b'); sleep(1); } sleep(2);`, ['2s', '1s']],
    [
      'of a side that ends',
      `if (a.json('n') > 3) { sleep(1); return; } sleep(2);`,
      ['({ vars }) => ((vars.n > 3) ? 1000 : 0) + ((!(vars.n > 3)) ? 2000 : 0)'],
    ],
  ])
    it(`think time is that of k6: ${title}`, () => {
      const main = mainOf(`const a = http.get('${U}/a'); ${code}`, `const get = (path) => http.get('${U}' + path);`);
      expect(main.map(({ pause }) => pause)).to.deep.equal(pauses);
    });

  for (const code of ['if (other()) sleep(1); http.get(a);', 'http.get(a); sleep(Math.random() * 2); sleep(__VU);'])
    it(`think time that cannot be written is named: ${code}`, () =>
      expect(draftOf(code, `const a = '${U}';`).skipped.map(({ what }) => what)).to.include(
        code.startsWith('if') ? 'line 11: sleep(1)' : 'line 11: sleep(__VU)',
      ));

  it('parts of a response that the script sets are sent as it sets them', () => {
    const code = `const r = http.get('${U}/a'); const d = r.json(); const send = (body) => http.put('${U}/a', JSON.stringify(body), JSON_TYPE);
r.at = 'x'; d.a.b = 1; send(d); d.c = r.at; send({ d }); http.get(\`${U}/\${d.a.b}/\${d.a.e}/\${r.at}\`);
d.list.push(4); send(d.list); http.get('${U}/' + d.list.length); delete d.c; send(d);`;
    const main = mainOf(code, "const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } };");
    expect(main.slice(1).map(({ get, json }) => get ?? json)).to.deep.equal([
      '({ vars }) => ({ ...vars.d, a: ({ ...vars.a, b: 1 }) })',
      { d: "({ vars }) => ({ ...vars.d, a: ({ ...vars.a, b: 1 }), c: 'x' })" },
      '/1/#{e}/x',
    ]);
    expect(draftOf(code, 'const JSON_TYPE = {};').skipped).to.have.lengthOf(3);
  });

  it('values within a URL are encoded once, and a note names those that k6 does not encode', () => {
    const code = (path) => `const r = http.get('${U}/a'); http.get(\`${U}${path}\`);`;
    const notesOf = (one) => draftOf(one).dialectNotes.join();
    const [encoded, plain, raw] = [
      "/b/${encodeURIComponent(r.json('q'))}",
      "/b/${r.json('q')}?c=${r.json('q')}",
      "/b${r.json('q')}",
    ].map(code);
    expect(mainOf(encoded)[1].get).to.equal('/b/#{q}');
    expect(notesOf(encoded)).to.equal(notesOf(plain));
    expect(notesOf(code("${r.json('q')}"))).to.equal(notesOf(plain));
    expect(notesOf(raw)).to.include("the flow encodes r.json('q') within the URL, and k6 does not: a / in it is %2F.");
  });

  for (const [given, url, own] of [
    ["encodeURIComponent(r.json('q') + '?a&b')", '/b?c=#{q}%3Fa%26b'],
    ["['a', 'c'].map((k) => `${k}=${encodeURIComponent(r.json(k))}`).join('&')", '/b?c=a=#{a}&c=#{c}'],
    ["encodeURIComponent(['m', 'n'])", '/b?c=m%2Cn'],
    ["r.json('q') ? encodeURIComponent(r.json('q')) : ''", '#{url}', "${vars.q ? encodeURIComponent(vars.q) : ''}"],
    ["encodeURIComponent(r.json('q')).slice(1)", '#{url}', '${encodeURIComponent(vars.q).slice(1)}'],
    ["encodeURIComponent(`${['a', r.json('q')]}`)", '#{url}', "${encodeURIComponent(`${['a', vars.q]}`)}"],
  ])
    it(`the script encodes a part of a value within a URL: ${given}`, () => {
      const draft = draftOf(`const r = http.get('${U}/a'); http.get(\`${U}/b?c=\${${given}}&e=\${r.json('e')}\`);`);
      const { main, tokens = {} } = withCode(flowOf(draft));
      expect(main[1].get).to.equal(own ? url : `${url}&e=#{e}`);
      if (own) expect(tokens.url).to.equal(`({ vars }) => \`${U}/b?c=${own}&e=\${vars.e}\``);
    });

  for (const [what, code, sent, lost] of [
    ['JSON.parse', `try { JSON.parse('{'); http.get('${U}/a'); } catch (e) { http.get('${U}/b'); }`, ['/b'], 1],
    ['fail', `try { fail(); } catch { http.get('${U}/a'); } finally { http.get('${U}/b'); }`, ['/a', '/b'], 0],
    ['an error that nobody catches', `try { throw 1; } finally { http.get('${U}/a'); } http.get('${U}/b');`, ['/a'], 1],
    [
      'a jump to a label',
      `a: for (const x of [1, 2]) { for (;;) { continue a; } http.get('${U}/' + x); } http.get('${U}/b');`,
      ['/b'],
      1,
    ],
  ])
    it(`requests that k6 does not reach are not sent: ${what}`, () => {
      const draft = draftOf(code);
      expect(flowOf(draft).main.map(({ get }) => get)).to.deep.equal(sent);
      expect(draft.skipped).to.have.lengthOf(lost);
    });

  it('functions of a loop keep the variables of their pass', () => {
    const code = `const all = []; for (let i = 0; i < 2; i++) all.push(() => http.get(\`${U}/\${i}\`)); all.forEach((one) => one());`;
    expect(mainOf(code)).to.deep.equal([{ get: '/0' }, { get: '/1' }]);
  });

  it('a default in a pattern is that of a variable of the environment', () => {
    const draft = draftOf('http.get(HOST);', `const { HOST = '${U}/a' } = __ENV;`);
    expect(flowOf(draft).main).to.deep.equal([{ get: '/a' }]);
    expect(draft.dialectNotes.join()).to.include('__ENV.HOST has its default in the flow');
  });

  it('cookies that k6 does not send are named', () => {
    expect(draftOf(`http.get('${U}/a'); http.cookieJar().clear('${U}');`).skipped[0].why).to.include('jar: false');
    const both = `export function setup() { http.get('${U}/a'); }\nexport function teardown() { http.get('${U}/b'); }`;
    expect(draftOf('', both).dialectNotes.join()).to.include('Requests of teardown send the cookies of setup');
  });

  it('a text of JSON keeps what its object had', () =>
    expect(
      mainOf(
        `const a = { b: http.get('${U}/a').json('b') }; const text = JSON.stringify(a); a.b = 2; http.put('${U}/a', text, { headers: { 'Content-Type': 'application/json' } });`,
      )[1].json,
    ).to.deep.equal({ b: '#{b}' }));

  /** @type {[string, string, string, string?][]} */
  const KEPT = [
    ['a variable', 'let n = 0;', `n++; http.get('${U}/' + n);`, 'n'],
    ['a variable of a closure', 'const next = (() => { let n = 0; return () => ++n; })();', 'next();', 'n'],
    ['an object', 'const state = { n: 0 };', `http.get('${U}/' + ++state.n);`, 'state'],
    ['an object in an object', 'const state = { a: { n: 0 } };', 'state.a.n += 1;', 'state'],
    ['a list', 'const list = [];', `list.push(1); http.get('${U}/' + list.length);`, 'list'],
    ['an instance', 'class S { i = 0; next() { return ++this.i; } } const s = new S();', 's.next();', 's'],
    ['a cache', 'const cache = {};', `if (!cache.t) cache.t = http.post('${U}/').json('t');`, 'cache'],
    ['a cache of a key', 'const cache = {};', 'if (!cache[__VU]) cache[__VU] = 2;', 'cache'],
    ['a list of a key', 'const list = [];', 'if (!list[__VU]) list[__VU] = 2;', 'list'],
    ['a condition', 'let n = 0;', `if (Math.random() < 0.5) n = 1; http.get('${U}/' + n);`, 'n'],
    [
      'what a request has, and a response changes',
      'const params = { headers: {} };',
      `params.headers.A = http.get('${U}/', params).json('t');`,
      'params',
    ],
    ['what is set first', 'const state = { n: 0 };', `state.n = 1; state.n++; http.get('${U}/' + state.n);`],
    ['what both sides set', 'let n;', `if (Math.random() < 0.5) n = 1; else n = 2; n++; http.get('${U}/' + n);`],
    ['what a function may change', 'const state = { n: 0 };', `http.get('${U}/' + state.n); sign(state);`],
    ['what is only read', 'const list = [1, 2];', `for (const one of list) http.get('${U}/' + one + list.length);`],
    [
      'headers that are set before the request',
      'const params = { headers: {} };',
      `params.headers.A = http.get('${U}/').json('t'); http.get('${U}/', params);`,
    ],
  ];
  for (const [title, around, code, name] of KEPT)
    it(`${title}: ${name ? 'a note names what iterations keep' : 'no note, as no iteration reads what another one set'}`, () => {
      const kept = draftOf(`${code} http.get('${U}/a');`, around).dialectNotes.filter((one) => one.includes('keeps'));
      expect(kept).to.deep.equal(
        name
          ? [
              `The variable ${name} of the script keeps its value from one iteration to the next: here each iteration starts anew.`,
            ]
          : [],
      );
    });

  it('a deleted member is in no request', () => {
    const post = (value) => `http.post('${U}/', Object.keys(h).join() + JSON.stringify(${value}));`;
    for (const one of ['h.a', "h['a']", 'h?.a', "h['a' + '']"])
      expect(mainOf(`const h = { a: 1, b: 2 }; delete ${one}; ${post('h')}`)[0].body).to.equal('b{"b":2}');
    expect(
      mainOf(`const headers = { 'Content-Type': 'a/b', A: 'x' }; delete headers['Content-Type'];
        http.get('${U}/', { headers });`),
    ).to.deep.equal([{ get: '/', headers: { A: 'x' } }]);
    expect(mainOf('if (Math.random() < 0.5) delete h.a; else delete h.a; ' + post('h'), 'const h = { a: 1, b: 2 };'))
      .to.have.nested.property('[0].body')
      .that.equals('b{"b":2}');
  });

  /** @type {[string, string][]} */
  const UNKNOWN_DELETES = [
    ['of a key that only a run knows', 'const h = { a: 1 }; delete h[String(Math.random())];'],
    ['under a condition', 'const h = { a: 1 }; if (Math.random() < 0.5) delete h.a;'],
    ['of a part of a response', `const h = http.get('${U}/h').json(); delete h.a;`],
  ];
  for (const [title, code] of UNKNOWN_DELETES)
    it(`a delete ${title} makes the value unknown`, () => {
      const draft = draftOf(`${code} http.post('${U}/', JSON.stringify(h));`);
      expect(draft.phases.main.at(-1).disabled).to.be.a('string');
      expect(draft.skipped).to.have.length(1);
    });

  it('a threshold of expected responses is one of requests, with a note', () => {
    const metric = 'http_req_duration{expected_response:true}';
    const draftWith = (code) => draftOf(code, `export const options = { thresholds: { '${metric}': ['p(95)<20'] } };`);
    const two = draftWith(`http.get('${U}/a'); http.get('${U}/b');`);
    expect(two.properties.thresholds).to.deep.equal({ 'ttfb.p95': '<20ms' });
    expect(two.dialectNotes).to.include(
      `The threshold ${metric}: p(95)<20 is ttfb.p95 here: of all requests, as in k6, but only until the first byte of the response, and expected_response has no equivalent.`,
    );
    expect(draftWith(`http.get('${U}/a');`).dialectNotes).to.include(
      `The threshold ${metric}: p(95)<20 is p95 here: expected_response has no equivalent.`,
    );
  });

  it('setup and teardown are before and after, with the values that setup returns', () => {
    const flow = flowOf(
      draftOf(
        `http.get('${U}/items', { headers: { Authorization: \`Bearer \${data.token}\` } });`,
        `export function setup() { const res = http.post('${U}/login'); return { token: res.json('token'), id: 3 }; }
export function teardown({ id }) { http.del(\`${U}/items/\${id}\`); }`,
      ),
    );
    expect(flow).to.deep.include({
      before: [{ post: '/login', followAllRedirects: true, capture: { token: '$.token' } }],
      main: [{ get: '/items', headers: { Authorization: 'Bearer #{token}' } }],
      after: [{ delete: '/items/3', followAllRedirects: true }],
    });
  });

  /** @type {[string, string, any[]][]} */
  const CONDITIONS = [
    [
      'a status',
      `if (login.status === 200) http.get('${U}/a'); else http.get('${U}/b');`,
      ['({ vars }) => vars.status === 200', '({ vars }) => vars.status !== 200'],
    ],
    [
      'a chance',
      `if (Math.random() < 0.3) http.get('${U}/a'); http.get('${U}/b');`,
      ['({ iterCtx }) => (iterCtx.random ??= Math.random()) < 0.3', undefined],
    ],
    [
      'every one of a list',
      `if ([login].every((one) => one.status === 200)) http.get('${U}/a');`,
      ['({ vars }) => vars.status === 200'],
    ],
    ['an end', `if (login.json('full')) return; http.get('${U}/a');`, ['({ vars }) => !vars.full']],
    ['fail', `if (login.json('n') > 3) { fail('x'); } http.get('${U}/a');`, ['({ vars }) => !(vars.n > 3)']],
    [
      'what an expected status is',
      `check(login, { ok: (r) => r.status === 200 }); if (login.status !== 200) return; http.get('${U}/a');`,
      [undefined],
    ],
  ];
  for (const [title, code, whens] of CONDITIONS)
    it(`conditions that only a run knows are when: ${title}`, () =>
      expect(
        mainOf(LOGIN + code)
          .slice(1)
          .map(({ when }) => when),
      ).to.deep.equal(whens));

  it('a function that ends the iteration keeps what its caller may have returned, and the calls after it', () => {
    const stop = `function stop() { fail('x'); }`;
    const path = `function path() { if (login.json('a')) return 'a'; if (login.json('n') > 3) stop(); return 'b'; }`;
    const draft = draftOf(`${LOGIN} ${stop} ${path} http.get('${U}/' + path());`);
    expect(withCode(flowOf(draft).tokens)).to.deep.equal({ value: "({ vars }) => vars.a ? 'a' : 'b'" });
    const often = `for (let i = 0; i < 70; i++) if (login.json('n') === i) stop();`;
    expect(mainOf(`${LOGIN} ${stop} ${often} const to = () => 'c'; http.get('${U}/' + to());`)[1].get).to.equal('/c');
  });

  it('a group that ends the iteration under a condition has no operations after it', () => {
    const code = `if (login.json('n') > 3) group('bad', () => { fail('x'); }); http.get('${U}/a');`;
    expect(mainOf(LOGIN + code)[1]).not.to.have.property('group');
  });

  it('+= reads its variable before the value that is added to it', () => {
    const code = `let n = 1; function add() { n = 7; return 1; } n += add(); http.get('${U}/' + n);`;
    expect(mainOf(code)[0].get).to.equal('/2');
  });

  it('a status that leads to other requests does not end the iteration', () =>
    expect(mainOf(`${LOGIN} if (login.status === 404) http.get('${U}/a');`)[0].afterHooks).to.deep.equal([
      'ignoreStatus',
    ]));

  it('a part of a response that only a condition reads may be missing', () => {
    const code = `if (login.status === 201) { http.get('${U}/' + login.json('id')); }`;
    expect(mainOf(LOGIN + code)[0].capture).to.deep.equal({
      status: { status: true },
      id: { json: '$.id', default: null },
    });
    expect(mainOf(`${LOGIN}${code} http.get('${U}/' + login.json('id'));`)[0].capture.id).to.equal('$.id');
  });

  it('a value of one of two sides is a condition', () =>
    expect(
      withCode(
        flowOf(draftOf(`${LOGIN} let id = 1; if (login.json('big')) id = 2; http.get(\`${U}/\${id}\`);`)).tokens,
      ),
    ).to.deep.equal({
      id: '({ vars }) => vars.big ? 2 : 1',
    }));

  it('calls of gRPC are operations', () => {
    const [operation] = mainOf(
      "client.connect('localhost:50051', { plaintext: true }); const res = client.invoke('shop.Orders/Get', { id: 7 }, { metadata: { 'x-a': 'b' } }); check(res, { ok: (r) => r && r.status === grpc.StatusOK, id: (r) => r.message.id === 7 }); client.close();",
      "const client = new grpc.Client(); client.load(['protos'], 'shop.proto');",
    );
    expect(operation).to.deep.equal({
      grpc: 'shop.Orders/Get',
      target: 'localhost:50051',
      proto: 'protos/shop.proto',
      message: { id: 7 },
      metadata: { 'x-a': 'b' },
      expect: { status: 'OK', json: { '$.id': 7 } },
    });
  });

  it('scenarios have their functions, variables of the environment and tags', () => {
    const draft = draftOf(
      '',
      `export const options = { scenarios: {
  a: { executor: 'per-vu-iterations', exec: 'one', env: { PATH_A: 'x' }, tags: { team: 'a' } },
  b: { executor: 'constant-vus', vus: 2, duration: '1s', exec: 'one', env: { PATH_A: 'y' } },
}, thresholds: { 'http_req_duration{team:a}': ['p(95)<9'], 'http_req_duration{scenario:b}': ['p(99)<9'] } };
export function one() { http.get(\`${U}/\${__ENV.PATH_A}\`); }`,
    );
    const { scenarios, thresholds } = flowOf(draft);
    expect(scenarios.a.main).to.deep.equal([{ get: '/x', tags: { team: 'a' } }]);
    expect(scenarios.b.main).to.deep.equal([{ get: '/y' }]);
    expect(thresholds).to.deep.equal({ 'team:a p95': '<9ms', 'b p99': '<9ms' });
  });

  it('thresholds of requests are figures of requests, or a note says how they differ', () => {
    const { properties, dialectNotes } = draftOf(
      `http.get('${U}/a'); http.get('${U}/b'); sleep(1);`,
      `export const options = { vus: 1, thresholds: {
  http_req_duration: ['p(95)<500'], iteration_duration: ['p(95)<3000'], http_req_failed: ['rate<0.01'],
  'http_req_waiting{name:x}': ['p(95)<9'], 'http_reqs{status:500}': ['count<5'] } };`,
    );
    expect(properties.thresholds).to.deep.equal({
      'ttfb.p95': '<500ms',
      p95: '<3000ms',
      errors: '<1%',
      'status.500': '<5',
    });
    expect(dialectNotes.slice(1)).to.deep.equal([
      'The threshold http_req_duration: p(95)<500 is ttfb.p95 here: of all requests, as in k6, but only until the first byte of the response.',
      'The threshold iteration_duration: p(95)<3000 is p95 here: without the pauses, which k6 counts.',
      'The threshold http_req_failed: rate<0.01 is errors here: the share of iterations with an error, and not of requests as in k6.',
      'The threshold http_req_waiting{name:x}: p(95)<9 is of no operation of the flow.',
    ]);
  });

  /** @type {[string, string][]} */
  const UNKNOWN = [
    ['a URL of another module', `http.get(\`${U}/\${sign('x')}\`);`],
    ['a loop over what a response has', `${LOGIN} for (const one of login.json('ids')) http.get(\`${U}/\${one}\`);`],
    ['a call that may change the fields', `const headers = { a: 'b' }; sign(headers); http.get('${U}/', { headers });`],
    [
      'what comes from a request that is left out',
      `const a = http.get('${U}/' + sign()); http.get(\`${U}/\${a.json('id')}\`);`,
    ],
    [
      'a field whose name only a run knows',
      `const headers = {}; headers[String(Math.random())] = 'b'; http.get('${U}/', { headers });`,
    ],
    ['ntlm', `http.get('${U}/', { auth: 'ntlm' });`],
    ['a random value of setup', `http.get(\`${U}/\${data.id}\`);`],
    ['a method that leads elsewhere', `http.get('${U}/' + Math.random().constructor.constructor('x'));`],
  ];
  for (const [title, code] of UNKNOWN)
    it(`a request that is not known for sure is commented out: ${title}`, () => {
      const { main } = draftOf(
        code,
        "import { sign } from './sign.js';\nexport function setup() { return { id: uuidv4() }; }",
      ).phases;
      const last = main.at(-1);
      expect(last.disabled).to.be.a('string');
      expect(last.comments.join('\n')).to.match(/Line \d+:\nhttp\.get/);
    });

  it('methods of classes are followed, with fields, statics and what they extend', () =>
    expect(
      mainOf(
        'const o = { x: 1, go() { http.get(`${U}/o/${this.x}`); } }; o.go(); Api.make().list();',
        `const U = '${U}';
class Base { #n = 3; constructor(v) { this.v = v; } first() { http.get(\`\${U}/\${this.v}/\${this.#n}\`); } list() {} }
class Api extends Base {
  static make() { return new Api(5); }
  path = '/a';
  constructor(v) { super(v + 1); this.path += 'b'; }
  list() { super.first(); super.list(); return http.get(U + this.path); }
}`,
      ),
    ).to.deep.equal([{ get: '/o/1' }, { get: '/6/3' }, { get: '/ab' }]));

  for (const code of [
    'class A { b = new A(); }\nexport const a = new A();',
    'class A { constructor() { new A(); } }\nnew A();',
    'function a() { a(); }\nexport const b = () => a();\na();',
  ])
    it(`code that calls itself without end is left: ${code}`, () =>
      expect(mainOf(`http.get('${U}/a');`, code)).to.deep.equal([{ get: '/a' }]));

  it('describe of k6chaijs is a group', () =>
    expect(
      mainOf(
        `describe('shop', () => { http.get('${U}/a'); });`,
        "import { describe } from 'https://jslib.k6.io/k6chaijs/4.3.4.3/index.js';",
      ),
    ).to.deep.equal([{ get: '/a', group: 'shop' }]));

  /** @type {[string, string, string[]][]} */
  const LOST = [
    ['a function of another module', "login('ann');", ["login('ann'): the module ./other.js is not read"]],
    ['a function that nobody declared', 'other(1);', ['other(1): other is not known']],
    [
      'a chain of calls',
      'new Client(1).shop().list();',
      ['new Client(1).shop().list(): the module ./other.js is not read'],
    ],
    [
      'a callback of such a function',
      `around(() => http.get('${U}/b'));`,
      [`http.get('${U}/b'): the module ./other.js is not read: line 11: around(() => http.get('${U}/b'))`],
    ],
    [
      'a form of a page',
      "page.submitForm({ formSelector: 'form' });",
      ["page.submitForm({ formSelector: 'form' }): what submitForm sends is in the page, which only a run knows"],
    ],
    [
      'a link of a page',
      'page.clickLink();',
      ['page.clickLink(): what clickLink sends is in the page, which only a run knows'],
    ],
    [
      'an error that is caught',
      `try { login; } catch { http.get('${U}/b'); }`,
      [`http.get('${U}/b'): this request is not reached as the script is followed`],
    ],
    ['a getter', `const o = { get a() { return http.get('${U}/b'); } }; o.a;`, []],
    [
      'a variable of the environment that is not set',
      `if (__ENV.A) http.get('${U}/b');`,
      [`http.get('${U}/b'): this request is not reached as the script is followed`],
    ],
    ['a constant that is false', `if (isLarge) http.get('${U}/b');`, []],
    ['functions that send nothing', 'const s = new Set([1]); s.add(2); console.count(1); Math.hypot(1, 2);', []],
  ];
  for (const [title, code, expected] of LOST)
    it(`a call that may send a request is an operation, or a comment with its line: ${title}`, () => {
      const draft = draftOf(
        `const page = http.get('${U}/a'); ${code}`,
        `import { around, Client, login } from './other.js'; const isLarge = false; function unused() { http.get('${U}/c'); }`,
      );
      expect(draft.skipped.map(({ what, why }) => `${what}: ${why}`)).to.deep.equal(
        expected.map((one) => `line 11: ${one}`),
      );
      const text = writeFlow(draft, 'mjs');
      for (const one of expected) expect(text).to.contain(`// ${one.split(': ')[0]}`);
    });

  it('a check of a response that is not known belongs to no other request', () => {
    const [first, second] = draftOf(
      `http.get('${U}/a'); check(login('ann'), { ok: (r) => r.status === 200 }); http.get('${U}/b');`,
      "import { login } from './other.js';",
    ).phases.main;
    expect(first.comments).to.deep.equal([]);
    expect(second.comments.join('\n')).to.match(
      /^Check of line 11, 'ok': .*\nLine 11: .* is not read:\nlogin\('ann'\)/,
    );
  });

  it('lines of the script are shown without their secrets', () => {
    const draft = draftOf(
      `http.post(sign('${U}/login'), JSON.stringify({ email: 'ann@shop.example', password: 'pw' }), { headers: { Authorization: \`Bearer \${token}\`, 'X-Api-Key': 'k' } });`,
      "import { sign } from './sign.js';",
    );
    expect(draft.skipped[0].what).to.equal(
      `line 11: http.post(sign('${U}/login'), JSON.stringify({ email: 'ann@shop.example', password: '…' }), { headers: { Authorization: \`Bearer \${token}\`, 'X-Api-Key': '…' } })`,
    );
  });

  it('operations with code are left out of YAML and JSON', () => {
    const draft = draftOf(`http.get('${U}/' + __VU); if (Math.random() < 0.5) http.get('${U}/a'); http.get('${U}/b');`);
    for (const format of ['yaml', 'json']) {
      const text = writeFlow(draft, format);
      expect(text).not.to.contain('=>');
      expect(text).to.match(/\/b/);
    }
    expect(writeFlow(draft, 'yaml')).to.contain('# Left out: it needs code: write the flow as .mjs, which can have it');
  });

  it('TypeScript is read as JavaScript', () =>
    expect(
      flowOf(
        read(
          `import http, { type Response } from 'k6/http';
interface User { name: string; tags?: string[] }
type Users = User[];
const users: Users = [{ name: 'ann' }];
export function setup(): { id: number } { return { id: 7 as number }; }
export default function (data: { id: number }): void {
  const res = http.get(\`${U}/\${data.id}/\${users[0]!.name}\`) as Response;
  const body = res.json() as { a: { b: string[] }; c: number };
  http.get(\`${U}/\${body.c}\`);
}`,
          options,
        ),
      ).main,
    ).to.deep.equal([{ get: '/7/ann', capture: { c: '$.c' } }, { get: '/#{c}' }]));

  it('a script without an end costs bounded time', () => {
    const draft = draftOf(`let n = 1; while (true) { n += 1; for (let i = 0; i < 1e9; i++) http.get('${U}/' + i); }`);
    expect(draft.phases.main.length).to.be.at.most(1000);
  });
});

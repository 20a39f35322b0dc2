import { tmpdir } from 'node:os';

import { expect } from 'chai';

import { flowOf } from '../../../../lib/addons/import/draft.js';
import { read } from '../../../../lib/addons/import/k6/index.js';

const U = 'http://shop.example';
const IMPORTS = `import http from 'k6/http';
import { URL, URLSearchParams } from 'https://jslib.k6.io/url/1.0.0/index.js';
import { FormData } from 'https://jslib.k6.io/formdata/0.0.2/index.js';
const send = (path, ...more) => http.get('${U}/' + path, ...more);
`;

/** The draft of a script with this code before its function, and in it. */
function draftOf(code, before = '') {
  const script = `${IMPORTS}${before}\nexport default function () {\nconst known = send('known');\n${code}\n}`;
  return read(script, { from: 'source', folder: tmpdir() });
}

/** The operations after the first one. */
function operationsOf(draft) {
  return flowOf(draft).main.slice(1);
}

/** Their paths, with conditions. */
function sentBy(code, before) {
  const draft = draftOf(code, before);
  expect(draft.skipped).to.deep.equal([]);
  return operationsOf(draft).map(({ get, when }) => (when ? `${get} ${when.text.replace(/^.*=> /, '')}` : get));
}

describe('import/k6: objects of a script', () => {
  for (const [title, code, sent, before] of [
    [
      'a getter of an object',
      'send(o.a); const { a } = o; send(a);',
      ['x', 'x'],
      "const o = { get a() { return 'x'; } };",
    ],
    [
      'a setter',
      'o.a = 1; send(o.b);',
      ['2'],
      'const o = { set a(value) { this.b = value + 1; }, get a() { return 0; } };',
    ],
    [
      'getters of a class and of its base',
      "send(new B('r').path); send(B.kind);",
      ['r/v1/b', 'k'],
      "class A { constructor(root) { this.root = root; } get path() { return this.root + '/v1'; } static get kind() { return 'k'; } } class B extends A { get path() { return super.path + '/b'; } }",
    ],
    [
      'a getter in JSON and in a copy',
      'send(JSON.stringify(o)); send({ ...o }.a);',
      ['{"a":1}', '1'],
      'const o = { get a() { return 1; } };',
    ],
    ['a getter that knows a response', "const o = { get id() { return known.json('id'); } }; send(o.id);", ['#{path}']],
    ['sort', "send([3, 10, 2].sort().join('-')); send([3, 10, 2].sort((a, b) => a - b)[2]);", ['10-2-3', '10']],
    ['sort by a text', "send([{ n: 'b' }, { n: 'a' }].sort((x, y) => x.n.localeCompare(y.n))[0].n);", ['a']],
    [
      'for of a Map',
      'for (const [k, v] of m) send(`${k}/${v}`);',
      ['a/1', 'b/2'],
      "const m = new Map([['a', 1], ['b', 2]]);",
    ],
    ['forEach of a Map', 'm.forEach((v, k) => send(`${k}/${v}`));', ['a/1'], "const m = new Map([['a', 1]]);"],
    [
      'changes of a Map',
      "const m = new Map(); m.set('a', 1).set('b', 2).set('a', 3); m.delete('b'); send(m.get('a') + '-' + m.size + m.has('b'));",
      ['3-1false'],
    ],
    [
      'a value of a response in a Map',
      "const m = new Map(); m.set('a', known.json('id')); send(m.get('a'));",
      ['#{path}'],
    ],
    ['a Set has each value once', 'for (const one of new Set([1, 2, 1])) send(one);', ['1', '2']],
    [
      'elements of a Set',
      "const [first] = s; send(first); send([...s].join('-')); send(Array.from(s.values()).length);",
      ['x', 'x-y', '2'],
      "const s = new Set(['x', 'y']);",
    ],
    ['a Set in JSON', 'send(JSON.stringify(new Set([1])));', ['{}']],
    [
      'continue with a label',
      'a: for (const i of [1, 2]) for (const j of [1, 2]) { if (j === 2) continue a; send(i); }',
      ['1', '2'],
    ],
    [
      'break with a label',
      "a: for (const i of [1, 2]) { for (const j of [1, 2]) { if (i === 2) break a; send(j); } send('end'); } send('after');",
      ['1', '2', 'end', 'after'],
    ],
    ['break out of a block', 'a: { send(1); break a; } send(2);', ['1', '2']],
    [
      'a condition that only a run knows skips to a label',
      "a: for (const i of [1, 2]) { for (const j of [1]) { if (known.json('x') === i) continue a; } send(i); } send('after');",
      ['1 vars.x !== 1', '2 vars.x !== 2', 'after'],
    ],
    [
      'a condition that only a run knows skips the rest of a switch',
      "switch (1) { case 1: if (known.json('x')) break; send(1); } send(2);",
      ['1 !vars.x', '2'],
    ],
  ])
    it(`are followed: ${title}`, () => expect(sentBy(code, before)).to.deep.equal(sent.map((one) => `/${one}`)));

  for (const [title, code, why] of [
    [
      'a key that only a run knows',
      "const m = new Map(); m.set(known.json('k'), 1); send(m.size);",
      'its value is not known',
    ],
    [
      'a change under a condition',
      "const s = new Set(); if (known.json('k')) s.add('a'); send(s.has('a'));",
      'its value is not known',
    ],
    [
      'an order that only a run knows',
      "send([1, 2].sort((a, b) => known.json('k') - a)[0]);",
      'its value is not known',
    ],
  ])
    it(`that only a run knows are comments: ${title}`, () => {
      const draft = draftOf(code);
      expect(draft.skipped.map((one) => one.why.split(':')[0])).to.include(why);
      expect(operationsOf(draft)).to.deep.equal([]);
    });

  it('getters of a body and of parameters are called', () => {
    const code = `http.post('${U}/a', { get b() { return 1; } }, { get headers() { return { 'X-C': 'd' }; } });`;
    const [operation] = operationsOf(draftOf(code));
    expect(operation).to.deep.include({ form: { b: '1' }, headers: { 'X-C': 'd' } });
  });
});

describe('import/k6: libraries of jslib.k6.io', () => {
  for (const [title, code, sent] of [
    [
      'URL with parameters',
      `const u = new URL('${U}'); u.searchParams.append('a b', 'c&d'); u.searchParams.set('n', 1); http.get(u.toString()); http.get(u.href);`,
      ['/?a+b=c%26d&n=1', '/?a+b=c%26d&n=1'],
    ],
    ['a URL beside a base', `http.get(new URL('../y?z=%20#f', '${U}/a/b/').href);`, ['/a/y?z=%20']],
    [
      'parts of a URL',
      `const u = new URL('${U}/a?b=1'); u.pathname = '/c d'; send(u.host + u.pathname + u.search); send(u.origin);`,
      ['/shop.example/c%20d?b=1', `/${U}`],
    ],
    [
      'a parameter that a run knows',
      `const u = new URL('${U}/a?b=1'); u.searchParams.set('b', known.json('id')); http.get(\`\${u}\`);`,
      ['/a?b=#{id}'],
    ],
    [
      'URLSearchParams',
      "const p = new URLSearchParams({ a: 1 }); p.append('a', 2); p.append('b', 'x y'); p.delete('c'); send('?' + p); send(p.getAll('a').join('-') + p.get('c'));",
      ['/?a=1&a=2&b=x+y', '/1-2null'],
    ],
    [
      'parameters of a list',
      "for (const [name, value] of new URLSearchParams([['a', '1'], ['b', '2']])) send(name + value);",
      ['/a1', '/b2'],
    ],
    [
      'parameters that are removed',
      "const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', 9); send(`${p}`); p.delete('a'); send(`${p}`);",
      ['/a=9&b=2', '/b=2'],
    ],
  ])
    it(`are followed: ${title}`, () => expect(sentBy(code)).to.deep.equal(sent));

  it('a URL of a variable of the environment gets parameters', () => {
    const code = "const u = new URL(`${__ENV.HOST}/a`); u.searchParams.append('n', 1); http.get(u.toString());";
    expect(operationsOf(draftOf(code))).to.deep.equal([{ get: '#{env.HOST}/a?n=1' }]);
  });

  it('FormData becomes formData, without the boundary of the script', () => {
    const code = `const form = new FormData();
form.append('text', 'one');
form.append('file', http.file(data, 'a.png', 'image/png'));
form.append('file', { data: new Uint8Array(data).buffer, filename: 'b.png', content_type: 'image/png' });
http.post('${U}/up', form.body(), { headers: { 'Content-Type': 'multipart/form-data; boundary=' + form.boundary, 'X-A': '1' } });`;
    const [{ formData, headers }] = operationsOf(draftOf(code, "const data = open('./a.png', 'b');"));
    expect(headers).to.deep.equal({ 'X-A': '1' });
    expect(formData.text).to.deep.equal({ value: 'one', contentType: 'application/octet-stream' });
    expect(formData.file.map(({ filename, contentType }) => [filename, contentType])).to.deep.equal([
      ['a.png', 'image/png'],
      ['b.png', 'image/png'],
    ]);
  });
});

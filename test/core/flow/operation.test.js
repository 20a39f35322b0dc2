import { expect } from 'chai';

import { checkOperation } from '../../../lib/core/flow/operation.js';
import { createProblems } from '../../../lib/core/ground/problems.js';

/** The reported problems of an operation with a URL, as `path: reason`. */
function said(operation) {
  const problems = createProblems('E_FLOW');
  checkOperation(operation, 'op', problems);
  return problems.list.map(({ path, reason }) => `${path}: ${reason}`);
}
const GET = { get: 'http://a/' };
const endless = { a: [] };
endless.a.push(endless);

describe('flow/operation', () => {
  const right = [
    {
      ...GET,
      headers: {},
      qs: {},
      name: 'x',
      timeout: '2s',
      maxRedirects: 0,
      gzip: true,
      jar: false,
      followRedirect: false,
    },
    { method: 'get', uri: '/' },
    { method: 'PROPFIND', uri: '/' },
    { method: 'x-own.method!', uri: '/' },
    { get: '/', followRedirect: () => true, removeRefererHeader: true, auth: { bearer: () => 'token' } },
    { url: '/' },
    { ...GET, json: true, form: 'a=b' },
    { ...GET, json: null },
    { ...GET, json: undefined, body: new Uint8Array(1) },
    { ...GET, encoding: null },
    { ...GET, encoding: 'latin1' },
    { ...GET, body: '', form: undefined },
    { ...GET, ca: ['a', 'b'], cert: Buffer.from('x'), key: 'k', timeout: undefined },
    { get: '/', put: undefined },
    { ...GET, pause: '2s' },
    { ...GET, headers: Object.create(null) },
    { ...GET, data: {}, constructor: 1, params: {}, qs: {} },
    { post: '/', json: {}, data: {} },
  ];
  for (const operation of right)
    it(`${JSON.stringify(operation)} is valid`, () => expect(said(operation)).to.deep.equal([]));

  const wrong = [
    [{ headers: ['a'] }, "op.headers: expected an object such as { accept: 'text/html' }, got an array"],
    [{ headers: Buffer.from('x') }, "op.headers: expected an object such as { accept: 'text/html' }, got a Buffer"],
    [{ headers: null }, "op.headers: expected an object such as { accept: 'text/html' }, got null"],
    [{ form: null }, "op.form: expected an object such as { name: 'ann' }, or a text such as 'name=ann', got null"],
    [{ maxRedirects: 1.5 }, 'op.maxRedirects: expected a whole number from 0, got 1.5'],
    [{ maxRedirects: -1 }, 'op.maxRedirects: expected a whole number from 0, got -1'],
    [{ timeout: Infinity }, "op.timeout: expected milliseconds from 0 (0: none), or a time such as '2s', got Infinity"],
    [{ timeout: NaN }, "op.timeout: expected milliseconds from 0 (0: none), or a time such as '2s', got NaN"],
    [{ timeout: 'soon' }, "op.timeout: expected milliseconds from 0 (0: none), or a time such as '2s', got a string"],
    [{ encoding: 'utf9' }, 'op.encoding: expected null for Buffers, or the name of an encoding, got a string'],
    [{ gzip: 'true' }, 'op.gzip: expected true or false, got a string'],
    [
      { auth: { user: 'a', foo: 1 } },
      'op.auth.foo: unknown property: use user, username, pass, password, sendImmediately, bearer',
    ],
    [{ auth: { usr: 'a' } }, 'op.auth.usr: unknown property, did you mean user?'],
    [{ jar: {} }, 'op.jar: expected true or false, got an object'],
    [{ get: undefined, uri: '/', method: 'a b' }, 'op.method: expected an HTTP method such as GET, got a string'],
    [{ get: undefined, uri: '/', method: 'connect' }, 'op.method: expected an HTTP method such as GET, got a string'],
    [{ method: 'GET' }, 'op: has get and method: one operation is one request'],
    [{ headers: new Map([['a', 'b']]) }, "op.headers: expected an object such as { accept: 'text/html' }, got a Map"],
    [
      { headers: new Headers({ a: 'b' }) },
      "op.headers: expected an object such as { accept: 'text/html' }, got a Headers",
    ],
    [
      { form: new URLSearchParams('a=b') },
      "op.form: expected an object such as { name: 'ann' }, or a text such as 'name=ann', got an URLSearchParams",
    ],
    [{ qs: new Date(0) }, 'op.qs: expected an object such as { page: 2 }, got a Date'],
    [
      { form: endless },
      "op.form: expected an object such as { name: 'ann' }, or a text such as 'name=ann', got one that contains itself",
    ],
    [
      { pause: [2, 1] },
      "op.pause: expected milliseconds, a time such as '2s', a range such as '50ms,150ms', or { mean: '2s', dev: '500ms' }, got an array",
    ],
    [{ afterHooks: 'verify2XX' }, "op.afterHooks: expected an array of hooks such as ['verify2XX'], got a string"],
    [{ ca: 7 }, "op.ca: expected PEM text, a Buffer, the path of a file, { file: 'path' }, or an array of them, got 7"],
    [{ Json: 1 }, 'op.Json: unknown property, did you mean json?'],
    [JSON.parse('{"__proto__":1}'), 'op.__proto__: unknown property'],
    [{ proxy: 5 }, 'op.proxy: expected the URL of a proxy, or null for none, got 5'],
    [{ proxy: true }, 'op.proxy: expected the URL of a proxy, or null for none, got true'],
    [
      { proxy: 'joe:c4n4ry@h/x' },
      'op.proxy: has a path, which the URL of a proxy cannot have: write http://proxy:3128, with credentials as user:password@ in front of the host',
    ],
    [{ params: {} }, 'op.params: is qs here'],
    [{ messages: { every: '200ms', count: 5 } }, 'op.messages: is repeat here'],
    [{ get: undefined, post: '/', data: {} }, 'op.data: is json or body here'],
    [{ put: '/' }, 'op: has get and put: one operation is one request'],
    [{ del: '/', delete: '/' }, 'op: has get and del and delete: one operation is one request'],
    [{ json: false, body: 'x', form: {} }, 'op: has json and body and form: one request has one body'],
  ];
  for (const [property, reason] of wrong) {
    it(reason, () => {
      const operation = { ...GET };
      for (const [key, value] of Object.entries(property))
        Object.defineProperty(operation, key, { value, enumerable: true });
      expect(said(operation)).to.deep.equal([reason]);
    });
  }

  for (const operation of [{}, { method: 'GET' }, { get: undefined }]) {
    it(`${JSON.stringify(operation)} has no URL`, () =>
      expect(said(operation)).to.deep.equal(["op: has no URL: write { get: 'http://…' }, or method and uri"]));
  }

  for (const [operation, reason] of [
    [{ gte: '/' }, 'op.gte: unknown property, did you mean get?'],
    [{ GET: '/', json: {} }, 'op.GET: unknown property, did you mean get?'],
    [{ method: 'PUT', ulr: () => '/' }, 'op.ulr: unknown property, did you mean url?'],
  ]) {
    it(`${Object.keys(operation)} has one problem, the misspelled name`, () =>
      expect(said(operation)).to.deep.equal([reason]));
  }

  it('all problems of an operation are reported together', () =>
    expect(said({ get: 7, gzip: 1, gzpi: 1, json: 1, body: 'b' })).to.have.lengthOf(4));
});

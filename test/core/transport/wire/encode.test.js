import { expect } from 'chai';

import { EncodedRequests, createEncoder } from '../../../../lib/core/transport/wire/index.js';

const endpoint = { host: 'h:81' };
const request = (about) => ({ endpoint, method: 'GET', path: '/a?b=1', fields: [], extra: null, body: null, ...about });
const encoded = (about, size = 0) => createEncoder()(request(about), size);

describe('encoded requests', () => {
  const rows = [
    ['a GET', {}, 0, 'GET /a?b=1 HTTP/1.1\r\nhost: h:81\r\n\r\n'],
    [
      'fields keep their order and case',
      { fields: ['X-A', '1', 'x-b', '\xe9', 'X-A', '2'] },
      0,
      'GET /a?b=1 HTTP/1.1\r\nhost: h:81\r\nX-A: 1\r\nx-b: \xe9\r\nX-A: 2\r\n\r\n',
    ],
    [
      "the user's own Host replaces the default",
      { fields: ['HOST', 'other'] },
      0,
      'GET /a?b=1 HTTP/1.1\r\nHOST: other\r\n\r\n',
    ],
    [
      'fields of this request are appended',
      { fields: ['a', '1'], extra: ['cookie', 'c=d'] },
      0,
      'GET /a?b=1 HTTP/1.1\r\nhost: h:81\r\na: 1\r\ncookie: c=d\r\n\r\n',
    ],
    [
      'a body has a Content-Length',
      { method: 'PUT', body: 'abc' },
      3,
      'PUT /a?b=1 HTTP/1.1\r\nhost: h:81\r\ncontent-length: 3\r\n\r\n',
    ],
    [
      'GET may have a body',
      { method: 'DELETE', body: 'abc' },
      3,
      'DELETE /a?b=1 HTTP/1.1\r\nhost: h:81\r\ncontent-length: 3\r\n\r\n',
    ],
  ];
  for (const [what, about, size, text] of rows) it(what, () => expect(encoded(about, size)).to.equal(text));

  it('a missing body has Content-Length 0 if the method expects one (RFC 9110 8.6)', () => {
    for (const method of ['POST', 'PUT', 'PATCH']) expect(encoded({ method })).to.include('content-length: 0');
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS'])
      expect(encoded({ method })).to.not.include('content-length');
  });

  it('fields that were encoded for one endpoint are not used for another', () => {
    const encode = createEncoder();
    const fields = ['a', '1'];
    expect(encode(request({ fields }), 0)).to.include('host: h:81');
    expect(encode(request({ fields, endpoint: { host: 'other' } }), 0)).to.include('host: other');
    expect(encode(request({ fields, path: '/z' }), 0))
      .to.include('GET /z ')
      .and.include('host: h:81');
  });

  it('fields are encoded once if they come twice in a row, and those of one request are not kept', () => {
    const encode = createEncoder();
    let count = 0;
    const counted = (fields) =>
      new Proxy(fields, { get: (list, key) => ((count += key === 'length' ? 0.25 : 0), Reflect.get(list, key)) });
    const encodings = (...lists) => {
      count = 0;
      for (const fields of lists) expect(encode(request({ fields }), 0)).to.include(`a: ${fields[1]}\r\n`);
      return count;
    };
    const shared = counted(['a', '1']);
    const [one, other] = [counted(['a', '2']), counted(['a', '3'])];
    expect(encodings(shared, shared)).to.equal(2);
    expect(encodings(shared, one, shared, other, shared)).to.equal(2);
    expect(encodings(one, other)).to.equal(2);
  });

  it('the texts of the last four requests are kept', () => {
    const encoded = new EncodedRequests();
    const heads = [];
    const encode = (one) =>
      encoded.of(one, ({ path }) => {
        heads.push(path);
        return `${path} HTTP/1.1\r\n\r\n`;
      });
    const [a, b, c, d, e] = ['/a', '/b', '/c', '/d', '/e'].map((path) => request({ path, body: `ü${path}` }));
    for (const one of [a, b, a, c, d, b, a]) encode(one);
    expect(heads).to.deep.equal(['/a', '/b', '/c', '/d']);
    expect({ ...encode(b) }).to.deep.equal({
      request: b,
      text: '/b HTTP/1.1\r\n\r\n',
      headEnd: '/b HTTP/1.1\r\n'.length,
      bytes: Buffer.from('ü/b'),
    });
    encode(e);
    encode(a);
    expect(heads.slice(4)).to.deep.equal(['/e', '/a']);
  });

  it('of requests with long bodies, the text of one is kept, beside those of three others', () => {
    const encoded = new EncodedRequests();
    const heads = [];
    const encode = (one) =>
      encoded.of(one, ({ path }) => {
        heads.push(path);
        return `${path} HTTP/1.1\r\n\r\n`;
      });
    const short = ['/a', '/b', '/c'].map((path) => request({ path }));
    const long = ['/1', '/2'].map((path) => request({ path, body: 'x'.repeat(100_000) }));
    for (const one of [...short, long[0], long[0], long[1], long[0], ...short]) encode(one);
    expect(heads).to.deep.equal(['/a', '/b', '/c', '/1', '/2', '/1']);
    for (const one of [request({ path: '/d' }), long[0]]) encode(one);
    expect(heads.slice(6)).to.deep.equal(['/d', '/1']);
  });
});

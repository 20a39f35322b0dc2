import { expect } from 'chai';

import { createResources } from '../../../lib/addons/serve/resources.js';
import { itSlow } from '../../support/slow.js';

/** Plays requests one after another against fresh resources: `[method, path, headers, body]` -> answer. */
function visitor(now) {
  const respond = createResources(now);
  return (method, path, headers = {}, body = '') => {
    const answer = respond({ method, path, headers, body: Buffer.from(body) });
    return { ...answer, headers: answer.headers ?? {}, text: String(answer.body ?? '') };
  };
}

describe('resources of the embedded service', () => {
  it('GET / answers hello until a document is stored there', () => {
    const visit = visitor();
    expect(visit('GET', '/')).to.include({ status: 200, text: 'hello' });
    expect(visit('PUT', '/', {}, 'mine').status).to.equal(201);
    expect(visit('GET', '/').text).to.equal('mine');
  });

  it('a document exists from PUT to DELETE', () => {
    const visit = visitor();
    expect(visit('GET', '/a').status).to.equal(404);
    expect(visit('PUT', '/a', { 'content-type': 'application/json' }, '{"x":1}').status).to.equal(201);
    expect(visit('PUT', '/a?v=2', {}, '{"x":2}').status).to.equal(200);
    expect(visit('GET', '/a')).to.include({ status: 200, text: '{"x":2}' });
    expect(visit('HEAD', '/a').status).to.equal(200);
    expect(visit('DELETE', '/a').status).to.equal(204);
    expect(visit('DELETE', '/a').status).to.equal(404);
  });

  it('there are items from the start, which flows may change', () => {
    const visit = visitor();
    const [first] = JSON.parse(visit('GET', '/items').text);
    expect(JSON.parse(visit('GET', `/items/${first.id}`).text)).to.deep.equal(first);
    expect(visit('DELETE', '/items/book').status).to.equal(204);
    expect(visit('GET', '/items/book').status).to.equal(404);
  });

  it('/events is a number of server-sent events', () => {
    const visit = visitor();
    expect(visit('GET', '/events').events.count).to.equal(5);
    expect(visit('GET', '/events/20').events.count).to.equal(20);
    for (const path of ['/events/0', '/events/10001', '/events/x']) expect(visit('GET', path).status).to.equal(400);
  });

  it('POST creates a document and returns its location', () => {
    const visit = visitor();
    const { status, headers } = visit('POST', '/items/', {}, 'one');
    expect(status).to.equal(201);
    expect(headers.location).to.equal('/items/1');
    expect(visit('GET', '/items/1').text).to.equal('one');
    visit('PUT', '/items/2', {}, 'mine');
    expect(visit('POST', '/items', {}, 'three').headers.location).to.equal('/items/3');
    expect(visit('GET', '/items/2').text).to.equal('mine');
  });

  it('PATCH merges into JSON documents and refuses others', () => {
    const visit = visitor();
    visit('PUT', '/a', {}, '{"x":{"y":1,"z":2},"w":[1]}');
    expect(visit('PATCH', '/a', {}, '{"x":{"y":null,"q":{"r":null}},"w":2,"__proto__":{"p":1}}').text).to.equal(
      '{"x":{"z":2,"q":{}},"w":2,"__proto__":{"p":1}}',
    );
    expect({}).to.not.have.property('p');
    expect(visit('PATCH', '/a', {}, '{').status).to.equal(400);
    visit('PUT', '/b', {}, 'text');
    expect(visit('PATCH', '/b', {}, '{}').status).to.equal(415);
    visit('PUT', '/c', { 'content-type': 'application/vnd.api+json' }, '{}');
    expect(visit('PATCH', '/c', {}, '{"a":1}').headers['content-type']).to.equal('application/vnd.api+json');
    expect(visit('PATCH', '/none', {}, '{}').status).to.equal(404);
  });

  it('every version has its own strong ETag', () => {
    const visit = visitor();
    const first = visit('PUT', '/a', {}, 'x').headers.etag;
    const second = visit('PUT', '/a', {}, 'x').headers.etag;
    expect(first)
      .to.match(/^"\w+"$/)
      .and.not.equal(second);
    expect(visit('GET', '/a').headers.etag).to.equal(second);
  });

  describe('conditional requests', () => {
    const rows = [
      ['GET', 'if-none-match', 'current', 304, 'nothing new'],
      ['HEAD', 'if-none-match', 'current', 304, 'nothing new'],
      ['GET', 'if-none-match', '"other"', 200, 'another version'],
      ['GET', 'if-none-match', '"other", W/current', 304, 'compared weakly, in a list'],
      ['GET', 'if-none-match', '*', 304, 'any version'],
      ['PUT', 'if-none-match', '*', 412, 'create only, but the document exists'],
      ['PUT', 'if-match', 'current', 200, 'the version that was read'],
      ['PUT', 'if-match', '"other"', 412, 'a lost update'],
      ['PUT', 'if-match', 'W/current', 412, 'compared strongly'],
      ['DELETE', 'if-match', '"other"', 412, 'a lost update'],
      ['PATCH', 'if-match', '*', 200, 'any version'],
    ];
    for (const [method, field, value, status, why] of rows) {
      it(`${method} ${field}: ${value} is ${status}: ${why}`, () => {
        const visit = visitor();
        const { etag } = visit('PUT', '/a', {}, '{}').headers;
        expect(visit(method, '/a', { [field]: value.replace('current', etag) }, '{}').status).to.equal(status);
      });
    }

    it('if-match without a document is 412, if-none-match: * creates it', () => {
      const visit = visitor();
      expect(visit('PUT', '/a', { 'if-match': '*' }, 'x').status).to.equal(412);
      expect(visit('PUT', '/a', { 'if-none-match': '*' }, 'x').status).to.equal(201);
    });

    it('answers that are no 2xx without conditions, and OPTIONS, are the same with them', () => {
      const visit = visitor();
      for (const [method, path, status] of [
        ['GET', '/missing', 404],
        ['TRACE', '/items', 405],
        ['OPTIONS', '/items', 204],
      ])
        expect(visit(method, path, { 'if-match': '"1"' }).status).to.equal(status);
    });
  });

  it('/me accepts the token of /login', () => {
    const visit = visitor();
    const { token } = JSON.parse(visit('POST', '/login', {}, '{"user":"ann"}').text);
    expect(visit('GET', '/me', { authorization: `Bearer ${token}` })).to.include({
      status: 200,
      text: '{"user":"ann"}',
    });
    expect(visit('GET', '/me', { authorization: 'Bearer s99' }).status).to.equal(401);
  });

  it('/token expires, and its refresh token gets another one', () => {
    let now = 0;
    const visit = visitor(() => now);
    const tokens = (path, body) => JSON.parse(visit('POST', path, {}, body).text);
    const me = ({ access_token: token }) => visit('GET', '/me', { authorization: `Bearer ${token}` });
    const first = tokens('/token/2', 'grant_type=password&username=ann&password=x');
    expect(first).to.include({ token_type: 'Bearer', expires_in: 2 });
    now = 1999;
    expect(me(first)).to.include({ status: 200, text: '{"user":"ann"}' });
    now = 2000;
    expect(me(first).status).to.equal(401);
    const second = tokens('/token', `grant_type=refresh_token&refresh_token=${first.refresh_token}`);
    expect(second.expires_in).to.equal(3600);
    expect(me(second)).to.include({ status: 200, text: '{"user":"ann"}' });
    expect(me({ access_token: first.refresh_token }).status).to.equal(401);
    for (const body of [
      'grant_type=refresh_token',
      'grant_type=refresh_token&refresh_token=s1',
      '{"grant_type":"refresh_token","refresh_token":{"toString":1}}',
    ])
      expect(visit('POST', '/token', {}, body)).to.include({ status: 400, text: '{"error":"invalid_grant"}' });
    for (const path of ['/token/0', '/token/3601', '/token/x']) expect(visit('POST', path).status).to.equal(400);
  });

  it('/pages/:n is a list in n pages, each with the URL of the next one', () => {
    const visit = visitor();
    const seen = [];
    for (let next = '/pages/3'; next !== null;) {
      const { page, items, next: following } = JSON.parse(visit('GET', next).text);
      seen.push([page, items.length]);
      next = following;
    }
    expect(seen).to.deep.equal([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    for (const path of ['/pages/3?page=4', '/pages/3?page=0', '/pages/3?page=x'])
      expect(visit('GET', path).status).to.equal(404);
    for (const path of ['/pages', '/pages/0', '/pages/1001']) expect(visit('GET', path).status).to.equal(400);
  });

  it('/me requires a session of /login', () => {
    const visit = visitor();
    expect(visit('GET', '/me').status).to.equal(401);
    expect(visit('GET', '/me', { cookie: 'session=s99' }).status).to.equal(401);
    for (const [headers, body, user] of [
      [{}, '{"user":"ann"}', 'ann'],
      [{}, 'user=bob+b', 'bob b'],
      [{ authorization: `Basic ${Buffer.from('cid:pw').toString('base64')}` }, '', 'cid'],
      [{}, '', 'guest'],
      [{}, 'null', 'guest'],
      [{ authorization: `Basic ${Buffer.from('client:pw').toString('base64')}` }, 'username=ann', 'ann'],
      [{}, '{"user":{"toString":1}}', 'an object'],
      [{}, `{"user":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'an array'],
    ]) {
      const [cookie] = visit('POST', '/login', headers, body).headers['set-cookie'].split(';');
      expect(JSON.parse(visit('GET', '/me', { cookie: `a=b; ${cookie}` }).text)).to.deep.equal({ user });
    }
  });

  it('/status, /delay, /redirect and /echo answer as requested', () => {
    const visit = visitor();
    for (const [path, status] of [
      ['/status/503', 503],
      ['/status/204', 204],
      ['/status/99', 400],
      ['/status/x', 400],
      ['/status/2e2', 400],
      ['/delay/x', 400],
      ['/delay/9999999', 400],
      ['/redirect/x', 400],
    ]) {
      expect(visit('GET', path).status, path).to.equal(status);
    }
    expect(visit('GET', '/delay/20')).to.include({ status: 200, delayMs: 20 });
    expect(visit('GET', '/redirect/2').headers.location).to.equal('/redirect/1');
    expect(visit('GET', '/redirect/0').text).to.equal('arrived');
    expect(JSON.parse(visit('POST', '/echo?a=1', { 'x-a': 'b' }, 'hi').text)).to.deep.equal({
      method: 'POST',
      url: '/echo?a=1',
      headers: { 'x-a': 'b' },
      body: 'hi',
    });
  });

  it('other methods are refused', () => {
    expect(visitor()('TRACE', '/a')).to.include({ status: 405 });
    expect(visitor()('OPTIONS', '/a').headers.allow).to.include('PATCH');
  });

  itSlow('X6 the oldest of more than 100,000 documents is deleted, but none of the first ones', () => {
    const visit = visitor();
    for (let i = 4; i <= 100_000; i++) visit('PUT', `/d${i}`, {}, 'x');
    expect(visit('GET', '/d4').status).to.equal(404);
    for (const path of ['/d5', '/d100000', '/items', '/items/book'])
      expect(visit('GET', path).status, path).to.equal(200);
    // What is stored again is the newest.
    for (const path of ['/d5', '/items', '/new']) visit('PUT', path, {}, 'x');
    expect(visit('GET', '/d6').status).to.equal(404);
    for (const path of ['/d5', '/d7', '/items']) expect(visit('GET', path).status, path).to.equal(200);
  });

  it('X6 documents can be stored while the first ones exceed 256 MiB, and are kept when they do not', () => {
    const respond = createResources();
    const put = (path, body) => respond({ method: 'PUT', path, headers: {}, body: Buffer.alloc(body) }).status;
    expect(put('/items/book', 256 * 1024 * 1024)).to.equal(200);
    expect(put('/a', 1)).to.equal(201);
    expect(put('/a', 1)).to.equal(201);
    expect(put('/items/book', 1)).to.equal(200);
    expect(put('/a', 1)).to.equal(201);
    expect(put('/a', 1)).to.equal(200);
  });
});

import { expect } from 'chai';

import { All } from '../../../lib/core/iteration/all.js';
import { HookResponse } from '../../../lib/core/iteration/response-reader.js';

/** A response of a transport, and the request that it answers. */
const RESPONSE = {
  statusCode: 201,
  statusMessage: 'Created',
  httpVersion: '1.1',
  rawHeaders: ['ETag', '"1"'],
  headers: { etag: '"1"' },
  request: {
    endpoint: { origin: 'http://a.test:81' },
    method: 'PUT',
    path: '/b?c=1',
    fields: ['Accept', '*/*', 'X', '1', 'X', '2'],
    extra: ['cookie', 'd=1'],
    body: Buffer.from('{}'),
  },
};

describe('the response that hooks read', () => {
  it('the body of JSON is its value; after a byte order mark if encoding is utf8, and else a text, as in 1.2.4', () => {
    const lane = { bodies: { reserve() {}, free() {} }, exchange: {} };
    const step = { where: 'flow.main[0]', parsesJson: true, encoding: 'utf8' };
    const bodyOf = (text, rules) => {
      const all = new All(
        /** @type {any} */ ({ ...step, ...rules }),
        /** @type {any} */ ({}),
        /** @type {any} */ (lane),
        {
          runCtx: {},
          stop() {},
        },
      );
      all.received(/** @type {any} */ ({ statusCode: 200, body: Buffer.from(text) }), null);
      return all.body;
    };
    const marked = '\ufeff{"a":1}';
    expect([bodyOf('{"a":1}'), bodyOf(marked)]).to.deep.equal([{ a: 1 }, marked]);
    expect(bodyOf(marked, { dropsMark: true })).to.deep.equal({ a: 1 });
    expect(bodyOf(marked, { dropsMark: true, parsesJson: false })).to.equal('{"a":1}');
  });

  it('has the properties of the response and of the request as it was sent', () => {
    const { statusCode, originalStatusCode, statusMessage, httpVersion, rawHeaders, request } = new HookResponse(
      RESPONSE,
      () => '',
    );
    expect([statusCode, originalStatusCode, statusMessage, httpVersion]).to.deep.equal([201, 201, 'Created', '1.1']);
    expect(rawHeaders).to.deep.equal(['ETag', '"1"']);
    expect(request).to.deep.include({ method: 'PUT', href: 'http://a.test:81/b?c=1', path: '/b?c=1' });
    expect(request).to.deep.include({ host: 'a.test', port: '81', body: '{}' });
    expect(request.headers).to.deep.equal({ Accept: '*/*', X: ['1', '2'], cookie: 'd=1' });
    expect(request.uri).to.deep.equal({
      href: 'http://a.test:81/b?c=1',
      protocol: 'http:',
      host: 'a.test:81',
      hostname: 'a.test',
      port: '81',
      pathname: '/b',
      search: '?c=1',
      query: 'c=1',
      path: '/b?c=1',
    });
  });

  it('has the body as received, until a hook sets another one', () => {
    const response = new HookResponse(RESPONSE, () => 'one');
    expect(response.body).to.equal('one');
    response.body = undefined;
    expect(response.body).to.equal(undefined);
  });

  it('has the times of the last request, and that from the start of the operation', () => {
    const times = { startedAt: 1000, requestedAt: 1002, connectedAt: 1003, firstByteAt: 1010, endedAt: 1012.5 };
    const response = new HookResponse(RESPONSE, () => '', times);
    expect(response.elapsedTime).to.equal(12.5);
    expect(response.timings).to.deep.equal({ socket: 0, lookup: 0, connect: 1, response: 8, end: 10.5 });
    expect(response.timingPhases).to.deep.equal({
      wait: 0,
      dns: 0,
      tcp: 1,
      firstByte: 7,
      download: 2.5,
      total: 10.5,
    });
    expect(response.responseStartTime - response.timingStart).to.equal(8);
    expect(new HookResponse(RESPONSE, () => '', { ...times, connectedAt: 0 }).timings.connect).to.equal(0);
  });

  it('the port of its request is that of the scheme if the URL has none, and a body that is no text is a Buffer', () => {
    const request = { ...RESPONSE.request, endpoint: { origin: 'https://a.test' } };
    const { port, body } = new HookResponse({ request: { ...request, body: Buffer.from([255]) } }, () => '').request;
    expect([port, body]).to.deep.equal([443, Buffer.from([255])]);
    expect(new HookResponse({ request: { ...request, body: null } }, () => '').request.body).to.equal(undefined);
  });

  it('a hook may overwrite status and headers', () => {
    const response = new HookResponse(RESPONSE, () => '');
    response.statusCode = 500;
    response.headers = { a: '1' };
    expect([response.statusCode, response.originalStatusCode, response.headers.a]).to.deep.equal([500, 201, '1']);
  });

  it('as JSON it is what the request library made of it; without a request too', () => {
    const text = JSON.parse(JSON.stringify(new HookResponse(RESPONSE, () => 'x')));
    expect(text).to.have.all.keys('statusCode', 'body', 'headers', 'request');
    expect(text.request).to.have.all.keys('uri', 'method', 'headers');
    const { request: _request, ...rest } = RESPONSE;
    expect(new HookResponse(rest, () => '').request).to.equal(undefined);
  });
});

import { expect } from 'chai';

import { MAX_JSON, ResponseReader, messagesOf } from '../../../lib/core/iteration/response-reader.js';
import { BodyMemory } from '../../../lib/core/process/body-memory.js';

const response = (body) => ({
  statusCode: 200,
  headers: { etag: 'x' },
  body: body === null ? null : Buffer.from(body),
});

describe('bodies that are decoded once', () => {
  it('has status, headers, body and service time of its response', () => {
    const received = new ResponseReader().hold(response('{"a":1}'), 12);
    expect(received).to.include({ statusCode: 200, ms: 12, text: '{"a":1}' });
    expect(received.headers).to.deep.equal({ etag: 'x' });
    expect(received.json).to.deep.equal({ value: { a: 1 }, fault: null });
  });

  it('decodes once', () => {
    const received = new ResponseReader().hold(response('[1]'));
    expect(received.json.value).to.equal(received.json.value);
    expect(received.hold(response('[2]')).json.value).to.deep.equal([2]);
  });

  it('uses the encoding of the operation', () =>
    expect(
      new ResponseReader().hold({ ...response(null), body: Buffer.from('é', 'latin1') }, 0, 'latin1').text,
    ).to.equal('é'));

  it('ignores a byte order mark before JSON', () =>
    expect(new ResponseReader().hold(response('\ufeff{"a":1}')).json).to.deep.equal({ value: { a: 1 }, fault: null }));

  for (const [body, fault] of [
    [null, /empty body/],
    ['', /empty body/],
    ['<html>', /"<html>", which is not JSON/],
    ['database: 1', /which is not JSON/],
    ['x'.repeat(5000), /^"x{99}…, which is not JSON$/],
  ])
    it(`${JSON.stringify(body)?.slice(0, 20)} is no JSON`, () => {
      const { json } = new ResponseReader().hold(response(body));
      expect(json.value).to.equal(undefined);
      expect(json.fault).to.match(fault);
    });

  it('counts the memory of texts and JSON: a body that takes too much is an error that names the limit', () => {
    const account = new BodyMemory(64 * 1024).open();
    const received = new ResponseReader(account);
    expect(received.hold(response(JSON.stringify('x'.repeat(8000)))).json.fault).to.equal(null);
    account.release();
    expect(() => received.hold(response(JSON.stringify('x'.repeat(20_000)))).json)
      .to.throw('65536 bytes')
      .with.property('code', 'E_BODY_MEMORY');
    account.close();
  });

  it('JSON beyond the limit is an error that names it', () => {
    const received = new ResponseReader().hold({ ...response(null), body: Buffer.alloc(MAX_JSON + 1, ' ') });
    expect(() => received.json).to.throw(`has ${MAX_JSON + 1} bytes, and capture and expect read at most ${MAX_JSON}`);
  });

  it('header fields and cookies are found by name', () => {
    const setCookies = ['sid=a; Path=/', 'other=1', 'sid=b=c; HttpOnly', 'last=voil\u00c3\u00a0 ;'];
    const headers = { etag: '"1"', 'set-cookie': setCookies };
    const received = new ResponseReader().hold({ ...response(''), headers, setCookies });
    expect(['etag', 'set-cookie', 'toString'].map((name) => received.header(name))).to.deep.equal([
      '"1"',
      setCookies.join(', '),
      undefined,
    ]);
    expect(['sid', 'other', 'si'].map((name) => received.cookie(name))).to.deep.equal(['b=c', '1', undefined]);
    // UTF-8 as latin1: the last byte is no space
    expect(received.cookie('last')).to.equal('voil\u00c3\u00a0');
    expect(received.hold({ ...response(''), setCookies: null }).cookie('sid')).to.equal(undefined);
  });

  it('each message of a WebSocket is the body of one', () => {
    const messages = ['1', Buffer.from('{}')];
    const received = new ResponseReader();
    expect(messagesOf(received, response(''))).to.deep.equal([received]);
    expect(messagesOf(received, { ...response(''), messages }).map(({ json }) => json.value)).to.deep.equal([1, {}]);
  });
});

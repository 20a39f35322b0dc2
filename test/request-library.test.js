import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';
import { NAMES } from './support/transports.js';

/** Sends an operation, whose URL is `at`, and returns what the server got of it. */
const sent = (operation, transport, { handler = ok, at = '/' } = {}) =>
  serving(handler, async (url, seen) => {
    const options = { limit: 1, iterations: 1, baseUrl: url, transport };
    const { stats, errorCount } = await benchrest({ method: 'POST', uri: at, ...operation }, options);
    expect(errorCount, JSON.stringify(stats.errors)).to.equal(0);
    return seen;
  });

for (const transport of NAMES) {
  describe(`options of the request library that 1.2.4 took (${transport})`, () => {
    it('json: true sends an object as body', async () => {
      const [{ body, headers }] = await sent({ json: true, body: { a: '#{INDEX}' } }, transport);
      expect(body).to.equal('{"a":"0"}');
      expect(headers).to.include({ 'content-type': 'application/json', accept: 'application/json' });
    });

    it('an array as body is joined', async () => {
      const [{ body, headers }] = await sent({ body: ['a', 'b', Buffer.from('c')] }, transport);
      expect([body, headers['content-length']]).to.deep.equal(['abc', '3']);
    });

    it('multipart is multipart/related', async () => {
      const multipart = [{ 'content-type': 'application/json', body: '{}' }, { body: 'second' }];
      const [{ body, headers }] = await sent({ multipart, headers: { 'Content-Type': 'multipart/mixed' } }, transport);
      const boundary = /^multipart\/mixed; boundary=(.*)$/.exec(headers['content-type'])[1];
      expect(body.split(`--${boundary}`)).to.deep.equal([
        '',
        '\r\ncontent-type: application/json\r\n\r\n{}\r\n',
        '\r\n\r\nsecond\r\n',
        '--',
      ]);
    });

    it('parts of a form have the type of their file name', async () => {
      const formData = { a: { value: 'x', options: { filename: 'x.png' } }, b: Buffer.from('y'), c: 'z' };
      const [{ body }] = await sent({ formData }, transport);
      expect(body.match(/Content-Type: .*/g)).to.deep.equal([
        'Content-Type: image/png',
        'Content-Type: application/octet-stream',
      ]);
    });
  });
}

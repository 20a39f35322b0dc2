import { expect } from 'chai';

import { withRequest } from '../../../../lib/core/flow/source/load.js';

describe('the URL of a WebSocket with flags of a request', () => {
  const request = { method: 'POST', body: 'x' };

  it('makes messages of the URL of a WebSocket', () => {
    const messages = { ws: 'ws://h/', send: 'x', keepOpen: true };
    expect(withRequest('ws://h/', request, '-e')).to.deep.equal(messages);
    expect(withRequest('ws://h/', { ...request, expect: { body: 'y' } }, '-e')).to.deep.equal({
      ...messages,
      receive: 'y',
    });
    expect(withRequest('wss://h/', { expect: { body: 'y' } }, '-e')).to.include({ send: 'hello', receive: 'y' });
  });

  for (const [flag, given] of [
    ['-m', { method: 'PUT' }],
    ['-m', { method: 'PUT', body: 'x' }],
    ['-T', { headers: { 'Content-Type': 'text/plain' } }],
    ['-F', { method: 'POST', formData: { a: 'b' } }],
    ['-b with a file', { method: 'POST', body: { file: 'x' } }],
  ])
    it(`${flag} is refused with the URL of a WebSocket: ${JSON.stringify(given)}`, () =>
      expect(() => withRequest(['ws://h/'], given, '-e'))
        .to.throw(`${flag} has no meaning for a WebSocket (ws://h/): -b <text> is the message to send`)
        .with.property('code', 'E_USAGE'));
});

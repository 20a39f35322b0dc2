import { once } from 'node:events';

import { expect } from 'chai';
import { WebSocket } from 'ws';

import { startTarget } from '../../../lib/target/server.js';

/** What the service answers to a text: the message, or the status that refuses the handshake. */
async function answerTo(text, options, path = '/chat') {
  const target = await startTarget(options);
  try {
    const socket = new WebSocket(`${target.url.replace('http', 'ws')}${path}`);
    const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
    const answered = once(socket, 'open').then(async () => {
      socket.send(text);
      const [data, isBinary] = await once(socket, 'message');
      return isBinary ? data : String(data);
    });
    socket.on('error', () => {});
    return await Promise.race([answered, refused]);
  } finally {
    await target.close();
  }
}

describe('target/web-sockets', () => {
  it('answers a message with itself, text as text and bytes as bytes', async () => {
    expect(await answerTo('hello')).to.equal('hello');
    expect(await answerTo(Buffer.of(1, 2))).to.deep.equal(Buffer.of(1, 2));
    expect(await answerTo('late', { delay: 5 })).to.equal('late');
  });

  it('answers every message with the body, if there is one', async () => {
    expect(await answerTo('hello', { body: 'mine' })).to.equal('mine');
    expect(await answerTo('hello', { body: 3 })).to.deep.equal(Buffer.from('xxx'));
  });

  it('refuses a handshake with the status of failing responses', async () => {
    expect(await answerTo('hello', { error: 503 })).to.equal(503);
  });

  it('close() ends open connections', async () => {
    const target = await startTarget();
    const socket = new WebSocket(target.url.replace('http', 'ws'));
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await target.close();
    expect((await closed)[0]).to.equal(1006);
    expect(target.requests).to.equal(1);
  });
});

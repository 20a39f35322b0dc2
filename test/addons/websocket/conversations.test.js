import { expect } from 'chai';

import benchrest from '../../../index.js';
import { balance } from '../../faults/ground.js';
import { ok, serving } from '../../support/serve.js';
import { chatting, echo } from '../../support/web-socket-server.js';

const ran = async (main, options) => {
  const { stats } = await benchrest({ main }, { limit: 1, iterations: 1, timeout: 15_000, ...options }).on(
    'error',
    () => {},
  );
  balance(stats);
  return stats;
};
const say = (ws, more) => ({
  ...{ ws, name: 'say', send: '#{INDEX}-#{ROUND}', receive: '#{INDEX}-#{ROUND}' },
  ...{ repeat: { count: 4, every: '20ms' }, ...more },
});

describe('conversations', () => {
  it('each message is measured by itself, has its number, and waits are no part of its time', () =>
    chatting(echo, async (url, { messages, handshakes }) => {
      const { errors, operations, checks, main } = await ran([say(url, { repeat: { count: 4, every: 150 } })], {
        iterations: 2,
      });
      expect(errors.details).to.deep.equal([]);
      expect(messages).to.deep.equal(['0-0', '0-1', '0-2', '0-3', '1-0', '1-1', '1-2', '1-3']);
      expect(handshakes).to.have.lengthOf(2);
      const row = operations.find(({ name }) => name === 'say');
      expect([row.count, row.times.serviceTime.count, checks.passed]).to.deep.equal([8, 8, 8]);
      // each iteration has three waits of 150 ms
      expect(main.completed.min).to.be.below(450);
    }));

  it('messages have their distance from start to start, and what is late follows at once', () =>
    serving(
      (req, res) => (req.url === '/0' ? setTimeout(() => ok(req, res), 250) : ok(req, res)),
      async (baseUrl, seen) => {
        const { measuredElapsed } = await ran([{ get: '/#{ROUND}', repeat: { count: 5, every: 100 } }], { baseUrl });
        expect(seen.map(({ url }) => url)).to.deep.equal(['/0', '/1', '/2', '/3', '/4']);
        expect(measuredElapsed).to.be.at.least(395);
      },
    ));

  it('the number begins anew in the next operation and iteration, also after an error', () =>
    serving(
      (req, res) => (req.url === '/1' ? res.writeHead(500).end() : ok(req, res)),
      async (baseUrl, seen) => {
        const repeated = { get: '/#{ROUND}', repeat: { count: 3, every: 1 } };
        await ran([{ get: '/a#{ROUND}' }, repeated], { baseUrl, iterations: 2 });
        expect(seen.map(({ url }) => url)).to.deep.equal(['/a0', '/0', '/1', '/a0', '/0', '/1']);
      },
    ));

  for (const [what, talk, kind] of [
    ['stops answering', () => {}, 'timeout'],
    ['closes', (socket) => socket.close(1011, 'bye'), 'reset'],
  ])
    it(`F137 a server that ${what} in the middle is one error, and the rest is not sent`, () => {
      const answer = (socket) => {
        let count = 0;
        socket.on('message', (data) => (++count < 3 ? socket.send(data, { binary: false }) : talk(socket)));
      };
      return chatting(answer, async (url, { messages }) => {
        const { errors, operations, iterations } = await ran([say(url, { timeout: 300 }), say(url)]);
        expect(errors.kinds).to.deep.equal({ [kind]: 1 });
        expect(messages).to.deep.equal(['0-0', '0-1', '0-2']);
        expect(iterations.failed).to.equal(1);
        expect(
          operations.filter(({ name }) => name === 'say').map(({ count, errors }) => [count, errors]),
        ).to.deep.equal([...[[3, 1]], [0, 0]]);
      });
    });

  for (const [repeat, message] of [
    [{ count: 0, every: '1s' }, 'repeat.count: expected a whole number from 1, got 0'],
    [{ every: '1s' }, 'repeat.count: expected a whole number from 1, is missing'],
    [{ count: 2 }, "repeat.every: expected a time above 0, such as '200ms', is missing"],
    [{ count: 2, every: '0s' }, 'repeat.every: expected a time above 0, such as \'200ms\', got "0s"'],
    [{ count: 2, every: '1s', evry: 1 }, 'repeat.evry: unknown property, did you mean every?'],
    ['3', "repeat: expected a whole number from 1, a function that returns one, or { count: 50, every: '200ms' }"],
  ])
    it(`a repetition is refused: ${JSON.stringify(repeat)}`, () =>
      expect(() => benchrest({ get: 'http://127.0.0.1:9/', repeat }, { limit: 1, iterations: 1 })).to.throw(message));

  it('a list called messages is answered with message', () =>
    expect(() => benchrest({ ws: 'ws://127.0.0.1:9/', messages: ['a'] }, { limit: 1, iterations: 1 })).to.throw(
      'messages: unknown property, did you mean message?',
    ));

  it('the end of the run cuts the wait for the next message', () =>
    chatting(echo, async (url) => {
      const stats = await ran([say(url, { repeat: { count: 3, every: '20s' } })], {
        iterations: undefined,
        duration: 200,
        gracefulStop: 100,
      });
      expect(stats.iterations).to.include({ started: 1, cancelled: 1, failed: 0 });
    }));
});

import { expect } from 'chai';

import benchrest from '../index.js';
import { serving } from './support/serve.js';
import { NAMES } from './support/transports.js';
import { messagesOf } from './support/messages.js';

const ONE = { limit: 1, iterations: 1 };
/** the whole of 127.0.0.0/8 is local on Linux */
const isLinux = process.platform === 'linux';
const tellAddress = (req, res) => {
  if (req.url === '/') res.writeHead(302, { location: '/to' });
  res.end(req.socket.remoteAddress);
};

for (const httpClient of NAMES) {
  describe(`localAddress (${httpClient})`, () => {
    it('connections come from it, also after a redirect', function () {
      if (!isLinux) this.skip();
      return serving(tellAddress, async (url) => {
        const bodies = [];
        const hook = ({ body }) => void bodies.push(body);
        const { stats, errorCount } = await benchrest(
          [
            { get: `${url}/`, localAddress: '127.0.0.3', afterHooks: [hook] },
            { get: `${url}/to`, localAddress: '127.0.0.4', afterHooks: [hook] },
            { get: `${url}/to`, afterHooks: [hook] },
          ],
          { ...ONE, httpClient },
        );
        expect(errorCount).to.equal(0);
        expect(bodies).to.deep.equal(['127.0.0.3', '127.0.0.4', '127.0.0.1']);
        expect(stats.connections.opened).to.equal(3);
      });
    });

    for (const [localAddress, code] of [
      ['192.0.2.1', 'EADDRNOTAVAIL'],
      ['2001:db8::1', 'EINVAL|EADDRNOTAVAIL'],
    ]) {
      it(`${localAddress}, which is not of this machine, is an error with this reason`, () =>
        serving(tellAddress, async (url) => {
          const { stats } = await benchrest({ get: url, localAddress }, { ...ONE, httpClient });
          const [{ kind, message }] = stats.errors.details;
          expect(kind).to.equal('connect');
          expect(message).to.match(
            new RegExp(`^cannot connect from ${localAddress} \\((${code})\\); localAddress must be`),
          );
          expect(messagesOf(stats.validity.reasons).join()).not.to.include('local ports');
        }));
    }
  });
}

describe('localAddress', () => {
  for (const [operation, message] of [
    [{ localAddress: 'eth0' }, /localAddress: expected an IP address of this machine, got a string/],
    [{ localAddress: '127.0.0.1', socketPath: '/run/x' }, /localAddress: has no effect on a unix socket: remove it/],
  ])
    it(`${JSON.stringify(operation)} is refused`, () =>
      expect(() => benchrest({ get: 'http://h/', ...operation }, ONE)).to.throw(message));
});

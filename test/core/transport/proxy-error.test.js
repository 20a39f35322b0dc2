import { expect } from 'chai';

import { parseProxy } from '../../../lib/core/http/proxy.js';
import { explainProxy, refuseBroken } from '../../../lib/core/transport/proxy.js';

const PROXY = parseProxy('http://joe:c4n4ry@p:1');
const explained = (code, more) => explainProxy(Object.assign(new Error('it failed'), { code }, more), PROXY);

describe('errors of a proxy', () => {
  for (const [code, expected] of [
    ['ECONNREFUSED', 'E_PROXY_CONNECT'],
    ['ENOTFOUND', 'E_PROXY_CONNECT'],
    ['ECONNRESET', 'E_PROXY_CONNECT'],
    ['CERT_HAS_EXPIRED', 'E_PROXY_TLS'],
    ['EPROTO', 'E_PROXY_TLS'],
  ])
    it(`${code} becomes ${expected}, which names the proxy without its credentials`, () => {
      const error = explained(code);
      expect(error).to.include({ code: expected, kind: 'proxy' });
      expect(error.cause).to.include({ code });
      expect(error.message).to.match(/the proxy http:\/\/p:1: it failed; /);
      expect(error.message).not.to.include('c4n4ry');
    });

  for (const code of ['EMFILE', 'ENOBUFS', 'EADDRNOTAVAIL'])
    it(`${code} stays: this machine is the reason`, () => expect(explained(code)).to.include({ code }));

  it('an address that connections cannot come from is explained as without a proxy', () =>
    expect(explained('EADDRNOTAVAIL', { syscall: 'bind', address: '192.0.2.1' }).code).to.equal('E_LOCAL_ADDRESS'));

  it('the error of several addresses has the message of the first', () => {
    const error = Object.assign(
      new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]),
      {},
    );
    expect(explainProxy(error, PROXY).message).to.match(/: refused;/);
  });

  it('a proxy whose URL is not one is refused with the name of its variable', () => {
    expect(() => refuseBroken(parseProxy('socks5://p', 'ALL_PROXY'))).to.throw(
      /^ALL_PROXY in the environment is a SOCKS proxy/,
    );
    expect(() => refuseBroken(PROXY)).not.to.throw();
  });
});

import { expect } from 'chai';

import { createEndpoints } from '../../../lib/flow/endpoints.js';

describe('flow/endpoints', () => {
  const rows = [
    [
      'http://h.test/a',
      { origin: 'http://h.test', protocol: 'http:', host: 'h.test', hostname: 'h.test', port: 80 },
      'http has port 80',
    ],
    [
      'https://h.test/',
      { origin: 'https://h.test', protocol: 'https:', host: 'h.test', hostname: 'h.test', port: 443 },
      'https has port 443',
    ],
    [
      'http://h.test:8080/',
      { origin: 'http://h.test:8080', host: 'h.test:8080', hostname: 'h.test', port: 8080 },
      'another port stands in Host',
    ],
    ['https://h.test:80/', { host: 'h.test:80', port: 80 }, 'the port of the other scheme too'],
    ['http://h.test:080/', { host: 'h.test', port: 80 }, 'the usual port does not, however it is written'],
    [
      'http://[::1]:81/',
      { host: '[::1]:81', hostname: '::1', port: 81 },
      'an address of IPv6 has brackets in Host, none for connect',
    ],
    ['http://u:p@H.Test/', { origin: 'http://h.test', host: 'h.test' }, 'userinfo and case are no part of it'],
  ];
  for (const [url, expected, why] of rows)
    it(why, () => expect(createEndpoints()(new URL(url), {})).to.include(expected));

  /** Whether two addresses are one endpoint. */
  const isSame = (one, other) => {
    const endpointOf = createEndpoints();
    const of = ([url, tls = {}, socketPath]) => endpointOf(new URL(url), tls, socketPath);
    expect(of(one) === of(other)).to.equal(of(one).key === of(other).key);
    return of(one) === of(other);
  };
  const pairs = [
    [['http://a/x'], ['http://A:80/y?z'], true, 'paths do not matter'],
    [['http://a/'], ['https://a/'], false, 'schemes do'],
    [['http://a/'], ['http://a:81/'], false, 'ports do'],
    [['https://a/', { ca: 'x' }], ['https://a/', { ca: 'x' }], true, 'TLS options are compared by what they say'],
    [
      ['https://a/', { cert: Buffer.from('x') }],
      ['https://a/', { cert: Buffer.from('y') }],
      false,
      'certificates byte by byte',
    ],
    [['https://a/', { rejectUnauthorized: false }], ['https://a/'], false, 'an unverified connection is not shared'],
    [['http://a/', { ca: 'x' }], ['http://a/'], true, 'http has no TLS'],
    [['http://a/', {}, '/s'], ['http://a/'], false, 'a unix socket is another place'],
    [['http://a/', {}, '/s'], ['http://a/', {}, '/t'], false, 'two sockets are two places'],
    [['https://a/', { ca: 'x' }, '/s'], ['https://a/', {}, '/s'], false, 'TLS counts on a socket too'],
  ];
  for (const [one, other, expected, why] of pairs) it(why, () => expect(isSame(one, other)).to.equal(expected));

  it('secrets are not in the key', () => {
    expect(createEndpoints()(new URL('https://a/'), { passphrase: 'sesame' }).key).not.to.include('sesame');
  });

  it('the oldest of more than 1,000 is forgotten, no other', () => {
    const endpointOf = createEndpoints();
    const at = (i) => endpointOf(new URL(`http://h${i}/`), {});
    const first = Array.from({ length: 1001 }, (_, i) => at(i));
    expect(at(1)).to.equal(first[1]);
    expect(at(1000)).to.equal(first[1000]);
    expect(at(0)).not.to.equal(first[0]);
  });
});

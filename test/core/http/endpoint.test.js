import { expect } from 'chai';

import { createEndpoints, keepForEndpoint } from '../../../lib/core/http/endpoint.js';
import { parseProxy } from '../../../lib/core/http/proxy.js';

describe('endpoint', () => {
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
      'another port is part of Host',
    ],
    ['https://h.test:80/', { host: 'h.test:80', port: 80 }, 'the default port of the other scheme is part of Host'],
    ['http://h.test:080/', { host: 'h.test', port: 80 }, 'the default port is not part of Host, however it is written'],
    [
      'http://[::1]:81/',
      { host: '[::1]:81', hostname: '::1', port: 81 },
      'an IPv6 address has brackets in Host, and none in the host name to connect to',
    ],
    ['http://u:p@H.Test/', { origin: 'http://h.test', host: 'h.test' }, 'userinfo and case are not part of the origin'],
  ];
  for (const [url, expected, why] of rows)
    it(why, () => expect(createEndpoints()(new URL(url), {})).to.include(expected));

  const isSame = (one, other) => {
    const endpointOf = createEndpoints();
    const of = ([url, tls = {}, way]) => endpointOf(new URL(url), tls, way);
    expect(of(one) === of(other)).to.equal(of(one).key === of(other).key);
    return of(one) === of(other);
  };
  const pairs = [
    [['http://a/x'], ['http://A:80/y?z'], true, 'URLs that differ in path share an endpoint'],
    [['http://a/'], ['https://a/'], false, 'URLs that differ in scheme do not share an endpoint'],
    [['http://a/'], ['http://a:81/'], false, 'URLs that differ in port do not share an endpoint'],
    [['https://a/', { ca: 'x' }], ['https://a/', { ca: 'x' }], true, 'equal TLS options share an endpoint'],
    [
      ['https://a/', { cert: Buffer.from('x') }],
      ['https://a/', { cert: Buffer.from('y') }],
      false,
      'certificates are compared byte by byte',
    ],
    [
      ['https://a/', { rejectUnauthorized: false }],
      ['https://a/'],
      false,
      'an unverified connection is not shared with a verified one',
    ],
    [['http://a/', { ca: 'x' }], ['http://a/'], true, 'TLS options make no difference for http'],
    [
      ['http://a/', {}, { localAddress: '127.0.0.2' }],
      ['http://a/'],
      false,
      'connections from another address are not shared',
    ],
    [
      ['http://a/', {}, { socketPath: '/s' }],
      ['http://a/'],
      false,
      'a unix socket is another endpoint than its origin',
    ],
    [
      ['http://a/', {}, { socketPath: '/s' }],
      ['http://a/', {}, { socketPath: '/t' }],
      false,
      'two unix sockets are two endpoints',
    ],
    [
      ['https://a/', { ca: 'x' }, { socketPath: '/s' }],
      ['https://a/', {}, { socketPath: '/s' }],
      false,
      'TLS options make a difference on a unix socket too',
    ],
  ];
  for (const [one, other, expected, why] of pairs) it(why, () => expect(isSame(one, other)).to.equal(expected));

  it('secrets are not in the key', () => {
    expect(createEndpoints()(new URL('https://a/'), { passphrase: 'sesame' }).key).not.to.include('sesame');
  });

  it('proxies that differ in credentials are different ones, without the password in their keys', () => {
    const to = ['http://a', 'http://joe:sesame@a', 'http://joe:other@a'].map((text) =>
      createEndpoints()(new URL('http://b/'), {}, { proxy: parseProxy(text) }),
    );
    const keys = to.flatMap(({ key, proxy }) => [key, proxy.key]);
    expect(new Set(keys).size).to.equal(6);
    expect(keys.join()).not.to.include('sesame');
  });

  it('the oldest endpoint is removed when there are more than 1,000', () => {
    const endpointOf = createEndpoints();
    const at = (i) => endpointOf(new URL(`http://h${i}/`), {});
    const first = Array.from({ length: 1001 }, (_, i) => at(i));
    expect(at(1)).to.equal(first[1]);
    expect(at(1000)).to.equal(first[1000]);
    expect(at(0)).not.to.equal(first[0]);
  });

  it('a new value of one of 1,000 endpoints removes no other, and that of a further endpoint removes all', () => {
    const known = new Map();
    for (let i = 0; i < 1000; i++) keepForEndpoint(known, `h${i}`, i);
    keepForEndpoint(known, 'h1', -1);
    expect([known.size, known.get('h0'), known.get('h1')]).to.deep.equal([1000, 0, -1]);
    keepForEndpoint(known, 'h1000', 1000);
    expect([...known]).to.deep.equal([['h1000', 1000]]);
  });
});

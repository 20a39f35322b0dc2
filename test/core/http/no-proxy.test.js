import { expect } from 'chai';

import { parseNoProxy } from '../../../lib/core/http/proxy.js';

describe('no-proxy', () => {
  const rows = [
    ['', 'a.test', 80, false],
    ['*', 'a.test', 80, true],
    ['x.test, *', 'a.test', 80, true],
    ['a.test', 'a.test', 80, true],
    ['a.test', 'A.Test', 80, true],
    ['A.TEST', 'a.test.', 80, true],
    ['a.test.', 'a.test', 80, true],
    ['a.test', 'www.a.test', 80, true],
    ['*.bücher.test', 'www.xn--bcher-kva.test', 80, true],
    ['Bücher.test:81', 'xn--bcher-kva.test', 81, true],
    ['.a.test', 'www.a.test', 80, true],
    ['.a.test', 'a.test', 80, true],
    ['*.a.test', 'www.a.test', 80, true],
    ['a.test', 'nota.test', 80, false],
    ['www.a.test', 'a.test', 80, false],
    ['x.test,a.test', 'a.test', 80, true],
    ['x.test a.test', 'a.test', 80, true],
    ['a.test:8080', 'a.test', 8080, true],
    ['a.test:8080', 'a.test', 80, false],
    ['*:8080', 'a.test', 8080, true],
    ['127.0.0.1', '127.0.0.1', 80, true],
    ['127.0.0.1:81', '127.0.0.1', 80, false],
    ['0.0.1', '127.0.0.1', 80, false],
    ['10.0.0.0/8', '10.200.3.4', 80, true],
    ['10.0.0.0/8', '11.0.0.1', 80, false],
    ['10.0.0.0/8', 'ten.test', 80, false],
    ['10.0.0.0/8:81', '10.0.0.1', 81, true],
    ['::1', '::1', 80, true],
    ['[::1]', '::1', 80, true],
    ['[::1]:81', '::1', 80, false],
    ['[::1]:81', '::1', 81, true],
    ['fe80:0::0/10', 'fe80::7', 80, true],
    ['fe80::/10', '::1', 80, false],
    ['[fe80::/10]', 'fe80::7', 80, true],
  ];
  for (const [list, host, port, expected] of rows)
    it(`'${list}' ${expected ? 'includes' : 'does not include'} ${host} at port ${port}`, () => {
      expect(parseNoProxy(list).problem).to.equal(null);
      expect(parseNoProxy(list).includes(host, port)).to.equal(expected);
    });

  for (const entry of ['10.0.0.0/33', '10.0.0.0/x', '::1/129', 'a.test/8', '10.0.0.0/8/8', 'a:b', '[::1', 'a.test:'])
    it(`${entry} is malformed`, () =>
      expect(parseNoProxy(`ok.test,${entry}`).problem).to.equal(`has the malformed entry "${entry}"`));
});

import { expect } from 'chai';

import { TLS_PROPERTIES, tlsVersion } from '../../../lib/core/http/tls-properties.js';

describe('tls-properties', () => {
  for (const [given, name] of [
    ['1.2', 'TLSv1.2'],
    [1.3, 'TLSv1.3'],
    ['TLSv1.1', 'TLSv1.1'],
    ['1.0', 'TLSv1'],
    [1, 'TLSv1'],
    ['TLSv1', 'TLSv1'],
    ['tlsv1.2', 'TLSv1.2'],
    ['1.4', undefined],
    ['SSLv3', undefined],
    ['', undefined],
    [null, undefined],
  ]) {
    it(`${JSON.stringify(given)} is ${name ?? 'no version of TLS'}`, () => expect(tlsVersion(given)).to.equal(name));
  }

  for (const [value, isValid] of [
    ['ca.pem', true],
    [Buffer.from('x'), true],
    [{ file: 'ca.pem' }, true],
    [['a.pem', { file: 'b.pem' }], true],
    ['', false],
    [[], false],
    [{ file: 7 }, false],
    [{ file: 'ca.pem', extra: 1 }, false],
    [7, false],
    [null, false],
  ]) {
    it(`${JSON.stringify(value)} ${isValid ? 'may be' : 'is not'} a certificate`, () =>
      expect(TLS_PROPERTIES.ca.check(value)).to.equal(isValid));
  }
});

import { constants } from 'node:os';

import { expect } from 'chai';

import { isResetCode, systemError } from '../../../lib/ground/system-errors.js';

describe('system errors', () => {
  for (const [code, kind] of [
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['EMFILE', 'connect'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls'],
    ['ECONNRESET', 'reset'],
  ]) {
    it(`${code} is of kind ${kind}`, () => expect(systemError(code)?.kind).to.equal(kind));
  }

  for (const code of ['E_UNKNOWN', '', 'toString', '__proto__']) {
    it(`'${code}' is not a system error`, () => expect(systemError(code)).to.equal(null));
  }

  it('each exhausted resource has a remedy', () => {
    const exhausted = Object.keys(constants.errno).filter((code) => systemError(code)?.exhausted);
    expect(exhausted).to.have.members(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EADDRINUSE', 'ENOBUFS', 'ENOMEM']);
    for (const code of exhausted) expect(systemError(code)?.remedy, code).to.be.a('string');
  });

  it('only codes that end a connection are resets', () => {
    expect(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', undefined].map(isResetCode)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

import { expect } from 'chai';

import { classify, describe as describeFailure } from '../../../lib/iteration/failure.js';

describe('failure', () => {
  for (const [code, kind] of [
    ['ENOTFOUND', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['EMFILE', 'connect'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ECONNRESET', 'reset'],
    ['WHAT', 'protocol'],
  ]) {
    it(`${code} is of kind ${kind}`, () => expect(classify(Object.assign(new Error('x'), { code }))).to.deep.equal({ kind, code }));
  }

  it('all addresses refused is the kind of the first', () => {
    const refused = Object.assign(new Error('a'), { code: 'ECONNREFUSED' });
    expect(classify(new AggregateError([refused, refused])).kind).to.equal('connect');
  });

  for (const [what, thrown] of [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'x'],
    ['a frozen object', Object.freeze({})],
    ['an object whose message throws', { get message() { throw new Error('no'); } }],
    ['a hostile Proxy', new Proxy({}, { get() { throw new Error('no'); } })],
  ]) {
    it(`${what} thrown can be described`, () => expect(describeFailure(thrown, 'E_HOOK')).to.be.a('string'));
  }

  it('who is refused at ::1 alone is told of 127.0.0.1', () => {
    expect(describeFailure(new Error('connect ECONNREFUSED ::1:8000'), 'ECONNREFUSED')).to.match(/try 127\.0\.0\.1$/);
    expect(describeFailure(new Error('connect ECONNREFUSED ::1:8000, connect ECONNREFUSED 127.0.0.1:8000'), 'ECONNREFUSED')).to.match(/is the server running there\?$/);
    expect(describeFailure(new Error('connect ECONNREFUSED 127.0.0.1:8000'), 'ECONNREFUSED')).to.match(/is the server running there\?$/);
  });

  it('a message that names no cure gets one', () => {
    expect(describeFailure(new Error('connect ECONNREFUSED'), 'ECONNREFUSED')).to.equal('connect ECONNREFUSED; is the server running there?');
  });
});

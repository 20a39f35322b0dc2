import { expect } from 'chai';

import { classify, describe as describeFailure, exemplarOf, hookError } from '../../../lib/core/iteration/failure.js';

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
    it(`${code} is of kind ${kind}`, () =>
      expect(classify(Object.assign(new Error('x'), { code }))).to.deep.equal({ kind, code }));
  }

  it('a failure of several addresses has the kind of the first', () => {
    const refused = Object.assign(new Error('a'), { code: 'ECONNREFUSED' });
    expect(classify(new AggregateError([refused, refused])).kind).to.equal('connect');
    const [code, syscall] = ['EPROTO', 'connect'];
    const failed = Object.assign(new Error('b'), { code, syscall });
    expect(classify(Object.assign(new AggregateError([failed]), { code }))).to.deep.equal({ kind: 'connect', code });
  });

  it('the example of an operation that failed before its request has no times of the exchange before it', () => {
    const lane = {
      lastExchange: { connectedAt: 110, sentAt: 120, firstByteAt: 130, wasReused: true },
      exchange: { startedAt: 100, trace: null },
      iteration: { index: 3, due: NaN },
    };
    const exemplar = (hasExchange) =>
      exemplarOf(/** @type {any} */ ({ name: 'GET /', where: 'flow.main[1]' }), /** @type {any} */ (lane), {
        now: 150,
        origin: 90,
        status: null,
        hasExchange,
      });
    const { index, operation, path, status, ...times } = exemplar(true);
    expect({ index, operation, path, status }).to.deep.equal({
      index: 3,
      operation: 'GET /',
      path: 'flow.main[1]',
      status: null,
    });
    expect(times).to.deep.equal({
      serviceTime: 50,
      reused: true,
      started: 10,
      connected: 20,
      sent: 30,
      firstByte: 40,
      ended: 60,
    });
    expect(exemplar(false)).to.deep.include({
      serviceTime: 0,
      reused: false,
      started: 60,
      connected: null,
      sent: null,
      firstByte: null,
      ended: 60,
    });
  });

  it('the code of an error of a hook names its group', () => {
    const thrownWith = (code) => hookError(Object.assign(new Error('x'), { code }), 'flow.main[0].afterHooks[0]');
    expect(classify(thrownWith('E_STALE'))).to.deep.equal({ kind: 'hook', code: 'E_STALE' });
    for (const code of [undefined, 7, '', 'no code', 'x'.repeat(100)])
      expect(classify(thrownWith(code))).to.deep.equal({ kind: 'hook', code: 'E_HOOK' });
  });

  it('an error of OpenSSL is described by its reason', () => {
    const error = Object.assign(new Error('80:error:0A000460:SSL routines:x.c:1605:SSL alert number 120\n'), {
      code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
      reason: 'tlsv1 alert no application protocol',
    });
    expect(describeFailure(error, error.code)).to.match(
      /^TLS: tlsv1 alert no application protocol; the server does not speak HTTP\/1\.1(: write http2|$)/,
    );
  });

  for (const [what, thrown] of [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'x'],
    ['a frozen object', Object.freeze({})],
    [
      'an object whose message throws',
      {
        get message() {
          throw new Error('no');
        },
      },
    ],
    [
      'a hostile Proxy',
      new Proxy(
        {},
        {
          get() {
            throw new Error('no');
          },
        },
      ),
    ],
  ]) {
    it(`${what} thrown can be described`, () => expect(describeFailure(thrown, 'E_HOOK')).to.be.a('string'));
  }

  it('a refused connection to ::1 alone suggests 127.0.0.1', () => {
    expect(describeFailure(new Error('connect ECONNREFUSED ::1:8000'), 'ECONNREFUSED')).to.match(/try 127\.0\.0\.1$/);
    expect(
      describeFailure(new Error('connect ECONNREFUSED ::1:8000, connect ECONNREFUSED 127.0.0.1:8000'), 'ECONNREFUSED'),
    ).to.match(/is the server running there\?$/);
    const remote = new Error('connect ECONNREFUSED 2001:db8::5:80');
    expect(describeFailure(remote, 'ECONNREFUSED')).to.not.match(/127/);
    expect(describeFailure(new Error('connect ECONNREFUSED 127.0.0.1:8000'), 'ECONNREFUSED')).to.match(
      /is the server running there\?$/,
    );
  });

  it('the message of node:net about an undefined local address is removed', () => {
    const message = 'connect EMFILE 127.0.0.1:8000 - Local (undefined:undefined)';
    expect(describeFailure(new Error(message), 'EMFILE')).to.match(
      /^connect EMFILE 127\.0\.0\.1:8000; raise the limit/,
    );
  });

  it('a message that contains a body is cut after its secrets are masked', () => {
    const said = (text) => describeFailure(new Error(text), 'E_HOOK');
    expect(said('x'.repeat(2000))).to.equal('x'.repeat(2000));
    expect(said('x'.repeat(10_000_000))).to.equal(`${'x'.repeat(2000)}…`);
    expect(said(`${'x'.repeat(1980)} http://ann:${'p'.repeat(1000)}@h/`)).to.equal(
      `${'x'.repeat(1980)} http://***@h/…`,
    );
    expect(describeFailure(new AggregateError(Array(10_000).fill(new Error('no'))), 'E_HOOK')).to.have.lengthOf(2001);
  });

  it('X10 a hostile message takes linear time', () => {
    for (const piece of ['1', '1.', 'a.', 'f::', '::', '.'])
      expect(describeFailure(new Error(piece.repeat(1_000_000 / piece.length)), 'ECONNREFUSED')).to.be.a('string');
  });

  it('a message without a remedy gets one', () => {
    expect(describeFailure(new Error('connect ECONNREFUSED'), 'ECONNREFUSED')).to.equal(
      'connect ECONNREFUSED; is the server running there?',
    );
  });
});

import { expect } from 'chai';

import { authorizationIn, decidesCredentials, rulesOf } from '../../../lib/core/flow/rules.js';

const rules = (operation, method = 'GET', headers = {}) => rulesOf(operation, method, headers);

describe('flow/rules', () => {
  it('the defaults: text is decoded, cookies are kept, ten redirects are followed', () => {
    expect(rules({})).to.deep.equal({
      parsesJson: false,
      hasCookies: true,
      asBuffer: false,
      encoding: 'utf8',
      dropsMark: false,
      decodes: true,
      maxRedirects: 10,
      mayFollow: null,
      sendsReferer: true,
      keepsRequest: false,
      credentials: null,
      timeoutMs: null,
      pauseMs: null,
      hasCredentials: false,
      runSecrets: null,
      resend: null,
      retry: null,
    });
  });

  for (const [operation, method, maxRedirects, title] of [
    [{}, 'HEAD', 10, 'redirects of HEAD are followed'],
    [{}, 'POST', 0, 'redirects of POST are not followed'],
    [{ followRedirect: true }, 'POST', 0, 'followRedirect is about GET and HEAD'],
    [{ followAllRedirects: true }, 'POST', 10, 'followAllRedirects is about every method'],
    [{ followRedirect: false }, 'GET', 0, 'followRedirect false follows none'],
    [{ maxRedirects: 2 }, 'GET', 2, 'maxRedirects is the limit'],
  ]) {
    it(title, () => expect(rules(operation, method).maxRedirects).to.equal(maxRedirects));
  }

  for (const [operation, expected, title] of [
    [{ encoding: null }, { asBuffer: true, decodes: false }, 'encoding null is a Buffer that is not decoded'],
    [{ encoding: null, gzip: true }, { asBuffer: true, decodes: true }, 'gzip decodes a Buffer, too'],
    [{ encoding: 'latin1', gzip: false }, { encoding: 'latin1', decodes: false }, 'gzip false does not decode'],
    [{ encoding: 'utf8' }, { encoding: 'utf8', dropsMark: true }, 'encoding utf8 drops a byte order mark'],
    [{ encoding: 'utf-8' }, { encoding: 'utf-8', dropsMark: false }, 'encoding utf-8 keeps it, as in 1.2.4'],
    [{ json: true, jar: false, timeout: 5 }, { parsesJson: true, hasCookies: false, timeoutMs: 5 }, 'the others'],
  ]) {
    it(title, () => expect(rules(operation)).to.include(expected));
  }

  it('a pause is a range of milliseconds', () => expect(rules({ pause: '1s' }).pauseMs).to.deep.equal([1000, 1000]));

  it('credentials are those of auth, or of an Authorization field', () => {
    expect(rules({ auth: { bearer: 't' } }).hasCredentials).to.equal(true);
    expect(rules({}, 'GET', { AUTHORIZATION: 'x' }).hasCredentials).to.equal(true);
    expect([
      decidesCredentials(undefined),
      decidesCredentials({}),
      decidesCredentials({ pass: 'p' }),
      decidesCredentials({ username: 'u' }),
    ]).to.deep.equal([false, false, false, true]);
  });

  it('the last Authorization field counts, whatever its letters', () => {
    expect(authorizationIn({ Authorization: 'a', x: 'y', authorization: 'b' })).to.equal('b');
    expect(authorizationIn({})).to.equal(undefined);
  });
});

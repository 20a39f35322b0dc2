import { expect } from 'chai';

import {
  hasWrittenSecret,
  hiddenTexts,
  hide,
  hidingSecretsOf,
  maskField,
  maskText,
} from '../../../lib/core/text/mask.js';
import { itSlow } from '../../support/slow.js';

describe('text/mask', () => {
  const texts = [
    ['userinfo of a URL', 'GET http://ann:pw@host/x', 'GET http://***@host/x'],
    ['userinfo with an @ in it', 'GET http://ann:p@w@host/x@y', 'GET http://***@host/x@y'],
    [
      'userinfo of any scheme, and no text that only resembles it',
      'redis://:pw@h/ http://host/@ann mail ann@host',
      'redis://***@h/ http://host/@ann mail ann@host',
    ],
    ['a token in a query', '/x?a=1&access_token=abc&b=2', '/x?a=1&access_token=***&b=2'],
    [
      'an api key, however it is spelt',
      '/x?apikey=abc /y?api-key=abc /z?X-Api-Key=1',
      '/x?apikey=*** /y?api-key=*** /z?X-Api-Key=***',
    ],
    [
      'a token of a known form, whatever its name',
      '{"secret_mode":"eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoxfQ.AMt4bFmi"} key ghp_0123456789abcdefghij',
      '{"secret_mode":"***"} key ***',
    ],
    ['a password in a form', 'user=ann&password=p%20w', 'user=ann&password=***'],
    ['no placeholder of a value', 'write TOKEN=<value> to it; TOKEN=<value>x', 'write TOKEN=<value> to it; TOKEN=***'],
    ['a password in json', '{"user":"ann","password":"a\\"b","n":1}', '{"user":"ann","password":"***","n":1}'],
    [
      'fields of a request that a server sends back as json',
      '{"cookie":"a=1; b=2","set-cookie":["a=1; Path=/","b=2"],"x-api-key":"k","proxy-authorization":"x","cook":1}',
      '{"cookie":"***","set-cookie":"***","x-api-key":"***","proxy-authorization":"***","cook":1}',
    ],
    [
      'objects and lists with the name of a secret, to their ends',
      '{"a":[{"auth":{"user":"u}","x":[1]},"n":1}],"keys":["k]","l"],"session":{"cut":"o',
      '{"a":[{"auth":"***","n":1}],"keys":"***","session":"***"',
    ],
    [
      'names of secrets by their parts, in queries, forms and json',
      '/x?X-Goog-Api-Key=1&redirect=/y?sig=2&max_tokens=5 user%5Bpass%5D=3&api%5Fkey=4&key= {"signingKey":"5"}',
      '/x?X-Goog-Api-Key=***&redirect=/y?sig=***&max_tokens=5 user%5Bpass%5D=***&api%5Fkey=***&key= {"signingKey":"***"}',
    ],
    ['a number as secret in json', '{"client_secret": 42}', '{"client_secret": "***"}'],
    [
      'credentials of an authorization field',
      'sent Basic YW5uOnB3 and Bearer abc.def-g',
      'sent Basic *** and Bearer ***',
    ],
    [
      'a private key, whatever is around it',
      'a\n-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENC\nDEK-Info: AES-256\n\nAbC+/=\n-----END EC PRIVATE KEY-----\nb',
      'a\n-----BEGIN EC PRIVATE KEY-----***-----END EC PRIVATE KEY-----\nb',
    ],
    ['no certificate', '-----BEGIN CERTIFICATE-----\nAb\n', '-----BEGIN CERTIFICATE-----\nAb\n'],
    [
      'values in quotes, of logs, attributes and cookies',
      `login user=bob password="hun\\"ter 2" <a pw='x'/> a=1; session="abc" {"url":"/x?token=","next":"?sid="}`,
      'login user=bob password=*** <a pw=***/> a=1; session=*** {"url":"/x?token=","next":"?sid="}',
    ],
    ['values in quotes in JSON', '{"body":"<x pw=\\"hunter 2\\"/>"}', '{"body":"<x pw=***/>"}'],
    [
      'JSON and forms in JSON',
      '{"body":"{\\"password\\":\\"hun\\\\\\"ter2\\",\\"pin\\":1,\\"otp\\":42,\\"keys\\":[\\"a\\"]}","n":"sid=a&b=1"}',
      '{"body":"{\\"password\\":\\"***\\",\\"pin\\":1,\\"otp\\":\\"***\\",\\"keys\\":\\"***\\"","n":"sid=***&b=1"}',
    ],
    [
      'no other members of JSON beside a URL, and no words',
      '{"url":"http://a.b","mail":"me@x.y","title":"Basic Training"}',
      '{"url":"http://a.b","mail":"me@x.y","title":"Basic Training"}',
    ],
    ['no other text', 'error statusCode: 500 in GET /passwords/1', 'error statusCode: 500 in GET /passwords/1'],
  ];
  for (const [what, text, shown] of texts) it(`masks ${what}`, () => expect(maskText(text)).to.equal(shown));

  const fields = [
    ['Authorization', 'Basic YW5u', '***'],
    ['set-cookie', 'session=1', '***'],
    ['X-Auth-Token', 'abc', '***'],
    ['accept', 'text/html', 'text/html'],
    ['referer', 'http://ann:pw@host/', 'http://***@host/'],
  ];
  for (const [name, value, shown] of fields)
    it(`prints ${name} as ${shown}`, () => expect(maskField(name, value)).to.equal(shown));

  for (const [text, isSecret] of [
    ['{"password":"hunter2","n":"#{INDEX}"}', true],
    ['{"n":#{INDEX},"auth":{"user":["ann"]}}', true],
    ['{"auth":{"user":"#{env.U}","password":"#{env.P}"},"n":null}', false],
    ['{"url":"http://ann:pw@h/#{INDEX}"}', true],
    ['postgres://ann:#{env.PW}@db/x', false],
    ['/x?sig=a#{env.SIG}&n=1', false],
    ['/x?sig=abc&n=#{INDEX}', true],
    ['[::1]:#{env.PORT}', false],
  ])
    it(`${text} has ${isSecret ? 'a' : 'no'} secret that is written`, () =>
      expect(hasWrittenSecret(text)).to.equal(isSecret));

  it('beginnings of tokens without an end are read in linear time', () => {
    for (const text of ['#{', '#<']) expect(hasWrittenSecret(text.repeat(300_000))).to.equal(false);
    expect(hasWrittenSecret('#{a token=abcdefgh #{b}')).to.equal(true);
  });

  itSlow('X10 masking takes linear time', () => {
    // backtracking over 200,000 characters would take minutes
    for (const piece of [
      'a',
      'a.',
      'a-',
      '/',
      '://',
      '@',
      '"',
      '\\',
      'token',
      'token.',
      '&token',
      '"token":"\\',
      '"token":[',
      '\\"token\\":\\"',
      'token="',
      " token='\n",
      'http://',
      'basic ',
      ' ',
      '?sid',
      '-',
      '-----BEGIN PRIVATE KEY-----',
    ]) {
      for (const before of ['', 'http://', '"password":"', '?token=', 'Basic '])
        expect(maskText(before + piece.repeat(200_000 / piece.length))).to.be.a('string');
    }
  });

  it('a hidden text is masked in every form in which it is sent, and one that is too short is not', () => {
    hide('sk é"/&');
    hide('sk é"/&-longer');
    hide('abc');
    expect(maskText('sk é"/&, sk%20%C3%A9%22%2F%26, sk%20%C3%A9%22/&, sk é\\"/&')).to.equal('***, ***, ***, ***');
    expect(maskText('sk é"/&-longer')).to.equal('***');
    expect(maskField('x-any', 'a sk é"/& b')).to.equal('a *** b');
    expect(maskText('abc')).to.equal('abc');
    expect(hiddenTexts()).to.include('sk é"/&').and.to.not.include('abc');
  });

  it('the secrets of a source are masked while a function runs, and are read once', () => {
    let reads = 0;
    const of = (...secrets) => ({ secrets: () => (reads++, secrets) });
    const outer = of('outer-secret', 'abc');
    const result = hidingSecretsOf(outer, () => {
      expect(maskText('outer-secret abc inner-secret outer-secret')).to.equal('*** abc inner-secret ***');
      expect(maskText('outer-secret')).to.equal('***');
      const fail = () => {
        expect(maskText('outer-secret inner-secret')).to.equal('outer-secret ***');
        throw new Error('it failed');
      };
      expect(() => hidingSecretsOf(of('inner-secret'), fail)).to.throw('it failed');
      expect(maskText('outer-secret')).to.equal('***');
      return 'its result';
    });
    expect(result).to.equal('its result');
    expect(maskText('outer-secret inner-secret')).to.equal('outer-secret inner-secret');
    expect(reads).to.equal(3);
  });

  it('an error that masks its text while secrets are read does not read them again', () => {
    hide('hidden-before-it-is-read');
    let reads = 0;
    const shown = [];
    const secrets = () => {
      if (++reads > 10) throw new Error('recursion');
      shown.push(maskText('no row hidden-before-it-is-read'));
      return ['inner-secret'];
    };
    hidingSecretsOf({ secrets }, () => {
      expect(maskText('inner-secret, hidden-before-it-is-read')).to.equal('***, ***');
      expect(maskText('inner-secret')).to.equal('***');
      expect(shown).to.deep.equal(['no row ***']);
    });
  });

  it('a secret of which a cut left the beginning is masked', () => {
    hidingSecretsOf({ secrets: () => ['abcdefghij-klmnop'] }, () => {
      expect(maskText('a abcdefghij-klmnop b…')).to.equal('a *** b…');
      expect(maskText('a abcdefghij-k…')).to.equal('a ***…');
      expect(maskText('a abcdefgh…" b')).to.equal('a ***…" b');
      expect(maskText('a abcdefg…')).to.equal('a abcdefg…');
      expect(maskText('a abcdefghix…')).to.equal('a abcdefghix…');
      expect(maskText('a abcdefghij… b abcdefghi…')).to.equal('a ***… b ***…');
    });
    const repeated = { secrets: () => ['1234567812345678zzzz'] };
    hidingSecretsOf(repeated, () => expect(maskText('1234567812345678…')).to.equal('***…'));
  });
});

import { expect } from 'chai';

import { canAnswer, digestResponse, readChallenges } from '../../../lib/addons/challenges/challenge.js';

/** The parameters of an answer. */
const answer = (parameters, input) =>
  readChallenges(digestResponse(parameters, { method: 'GET', body: null, count: 1, ...input }))[0].parameters;

const RFC7616 = {
  realm: 'http-auth@example.org',
  qop: 'auth, auth-int',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
};
const MUFASA = {
  user: 'Mufasa',
  password: 'Circle of Life',
  path: '/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};
const RFC2617 = { realm: 'testrealm@host.com', nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093' };
const OLDER = { ...MUFASA, password: 'Circle Of Life', cnonce: '0a4f113b' };

describe('the answer to a digest challenge', () => {
  const rows = [
    ['MD5 of RFC 7616 3.9.1', { ...RFC7616, algorithm: 'MD5' }, MUFASA, '8ca523f5e9506fed4657c9700eebdbec'],
    [
      'SHA-256 of RFC 7616 3.9.1',
      { ...RFC7616, algorithm: 'SHA-256' },
      MUFASA,
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    ],
    ['RFC 2617 3.5', { ...RFC2617, qop: 'auth' }, OLDER, '6629fae49393a05397450978507c4ef1'],
    ['RFC 2069, without qop', RFC2617, OLDER, '670fd8c2df070c60b045671b8b24ff02'],
  ];
  for (const [what, parameters, input, response] of rows)
    it(`answers as in ${what}`, () => expect(answer(parameters, input).response).to.equal(response));

  it('has the fields of RFC 7616 3.4', () =>
    expect(answer({ ...RFC7616, algorithm: 'SHA-256' }, { ...MUFASA, count: 17 })).to.include({
      username: 'Mufasa',
      realm: RFC7616.realm,
      nonce: RFC7616.nonce,
      opaque: RFC7616.opaque,
      uri: MUFASA.path,
      algorithm: 'SHA-256',
      qop: 'auth',
      nc: '00000011',
      cnonce: MUFASA.cnonce,
    }));

  it('without qop there is no nc and no cnonce', () =>
    expect(answer(RFC2617, OLDER)).to.have.all.keys('username', 'realm', 'nonce', 'uri', 'response'));

  it('-sess makes a key of nonce and client nonce; auth-int covers the body', () => {
    const plain = answer({ ...RFC7616, algorithm: 'MD5' }, MUFASA).response;
    expect(answer({ ...RFC7616, algorithm: 'MD5-sess' }, MUFASA).response).not.to.equal(plain);
    const withBody = (body) => answer({ ...RFC7616, qop: 'auth-int' }, { ...MUFASA, body });
    expect(withBody('a').qop).to.equal('auth-int');
    expect(withBody('a').response)
      .to.equal(withBody(Buffer.from('a')).response)
      .and.not.equal(withBody('b').response);
  });

  it('a name beyond ASCII is percent-encoded, or hashed where the server asks for it', () => {
    expect(answer(RFC7616, { ...MUFASA, user: "Jäsøn D'oe" })['username*']).to.equal("UTF-8''J%C3%A4s%C3%B8n%20D%27oe");
    const hashed = answer({ ...RFC7616, userhash: 'true' }, MUFASA);
    expect(hashed).to.include({ userhash: 'true' });
    expect(hashed.username).to.match(/^[0-9a-f]{32}$/);
  });

  it('quotes and backslashes are escaped; each client nonce is another one', () => {
    expect(answer({ ...RFC7616, realm: 'a"b\\c' }, { ...MUFASA, user: 'x"y' })).to.include({
      realm: 'a"b\\c',
      username: 'x"y',
    });
    const random = () => answer(RFC7616, { ...MUFASA, cnonce: undefined }).cnonce;
    expect(random()).not.to.equal(random());
  });

  for (const [parameters, expected, why] of [
    [RFC7616, true, 'no algorithm is MD5'],
    [{ ...RFC7616, algorithm: 'sha-256-SESS' }, true, 'names of algorithms have any case'],
    [{ ...RFC7616, algorithm: 'SHA-3' }, false, 'an unknown algorithm'],
    [{ ...RFC7616, algorithm: 'constructor' }, false, 'an inherited name'],
    [{ ...RFC7616, qop: 'auth-conf' }, false, 'an unknown quality of protection'],
    [{ nonce: 'x' }, false, 'no realm'],
  ])
    it(`${why}: ${expected ? 'can' : 'cannot'} be answered`, () => expect(canAnswer(parameters)).to.equal(expected));
});

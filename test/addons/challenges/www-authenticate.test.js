import { expect } from 'chai';

import { readChallenges } from '../../../lib/addons/challenges/challenge.js';

describe('WWW-Authenticate', () => {
  const rows = [
    ['', [], 'nothing'],
    ['Basic realm="simple"', [['basic', { realm: 'simple' }]], 'one challenge'],
    ['Negotiate', [['negotiate', {}]], 'a scheme alone'],
    [
      'Digest realm="a, b=c", nonce=xyz, qop="auth, auth-int", stale=TRUE, Basic realm="d"',
      [
        ['digest', { realm: 'a, b=c', nonce: 'xyz', qop: 'auth, auth-int', stale: 'TRUE' }],
        ['basic', { realm: 'd' }],
      ],
      'two challenges, with commas in quotes',
    ],
    [
      'Digest Realm = "q\\"uo\\\\te" ,NONCE="n=="',
      [['digest', { realm: 'q"uo\\te', nonce: 'n==' }]],
      'spaces, case and escapes',
    ],
    ['realm="nobody\'s"', [], 'a parameter without a scheme'],
    ['Digest __proto__="x", realm="r"', [['digest', { ['__proto__']: 'x', realm: 'r' }]], 'inherited names'],
  ];
  for (const [field, expected, why] of rows) {
    it(`reads ${why}`, () =>
      expect(readChallenges(field).map(({ scheme, parameters }) => [scheme, Object.entries(parameters)])).to.deep.equal(
        expected.map(([scheme, parameters]) => [scheme, Object.entries(parameters)]),
      ));
  }

  it('a field of any text is read in time that grows with its length', () => {
    for (const text of ['a = '.repeat(16_000), `a="${'\\'.repeat(60_000)}`, 'a'.repeat(60_000), ' '.repeat(60_000)])
      expect(readChallenges(`Digest ${text}`)).to.be.an('array');
  });
});

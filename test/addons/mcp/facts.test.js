import { expect } from 'chai';

import { explanationsOf } from '../../../lib/addons/mcp/facts.js';
import { ERRORS, KINDS } from '../../../lib/core/ground/errors.js';

describe('explanations of errors', () => {
  it('each code and each kind has a meaning, and says what to do', () => {
    for (const code of [...Object.keys(ERRORS), ...Object.keys(KINDS), 'ECONNREFUSED', 'CERT_HAS_EXPIRED']) {
      const [{ meaning, whatToDo }] = explanationsOf(code);
      expect(meaning, code).to.match(/\w{3}/);
      expect(whatToDo, code)
        .to.match(/\w{3}/)
        .and.not.match(/\{\w+\}/);
    }
  });

  for (const [given, code] of [
    ['E_TIMEOUT_REQUEST', 'E_TIMEOUT_REQUEST'],
    ['connect ECONNREFUSED 127.0.0.1:3000', 'ECONNREFUSED'],
    ['timeout', 'timeout'],
    ['no complete response within 30000 ms', 'E_TIMEOUT_REQUEST'],
    ['12 errors: connection closed by the server before a response', 'E_RESET_BEFORE_HEAD'],
    ['10.0.0.1:80 is not among the targets that flows may send to here; start …', 'E_TARGET_REFUSED'],
  ])
    it(`${given}: ${code}`, () => expect(explanationsOf(given).map((one) => one.code)).to.deep.equal([code]));

  for (const given of ['', 'hello', 'constructor', '__proto__', 'E_NOTHING'])
    it(`${JSON.stringify(given)} is no error`, () => expect(explanationsOf(given)).to.deep.equal([]));
});

import { expect } from 'chai';

import { RUN_OPTIONS } from '../../../lib/core/run/options/index.js';
import { secretIn } from '../../../lib/addons/agents/secrets.js';

describe('options with secrets, which do not travel', () => {
  for (const [name, value, says] of [
    ['password', 'x', 'its value'],
    ['password', '#{env.PASSWORD}', null],
    ['headers', { authorization: 'Bearer x' }, 'the value of authorization'],
    ['headers', { authorization: '#{env.TOKEN}', accept: 'text/html' }, null],
    ['cookies', { id: 'x' }, 'the value of id'],
    ['cookies', { id: '#{env.ID}' }, null],
    ['args', { token: 'x' }, 'the value of token'],
    ['args', { size: 5 }, null],
    ['proxy', 'http://me:x@proxy:3128', 'its password'],
    ['proxy', 'http://proxy:3128', null],
    ['headers', { cookie: 'session=x; trace=#{INDEX}' }, 'the value of cookie'],
    ['headers', { 'X-Own': 'Bearer abcd' }, 'the value of X-Own'],
    ['baseUrl', 'http://me:x@a/', 'its password or key'],
    ['baseUrl', 'http://me:x@#{args.host}/', 'its password or key'],
    ['baseUrl', 'http://#{env.USER}@a/', null],
    ['timeout', 5, null],
  ])
    it(`${name} ${JSON.stringify(value)} has ${says === null ? 'no secret' : `a secret: ${says}`}`, () => {
      const row = RUN_OPTIONS.find((one) => one.name === name);
      expect(secretIn(row, value)).to.equal(says);
    });
});

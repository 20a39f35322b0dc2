import { expect } from 'chai';

import benchrest from '../index.js';

const refusal = (flow, options) => {
  try {
    benchrest(flow, { limit: 1, iterations: 1, ...options });
  } catch (error) {
    return error;
  }
  throw new Error('the flow was accepted');
};

describe('flow errors', () => {
  const url = 'http://127.0.0.1:9/';
  const rows = [
    ['an unknown property, with a suggestion', { get: url, heders: {} }, /flow\.main\[0\]\.heders.*headers/],
    [
      'an unknown hook, with a suggestion',
      { get: url, beforeHooks: ['useEtags'] },
      /flow\.main\[0\]\.beforeHooks\[0\].*useEtag/,
    ],
    ['an unknown phase, with a suggestion', { main: [url], befor: [] }, /flow\.befor.*before/],
    ['a wrong type', { get: url, timeout: 'long' }, /flow\.main\[0\]\.timeout.*expected/],
    ['an option of the request library that signs', { get: url, hawk: {} }, /hawk.*before-hook/],
    ['a relative URL without baseUrl', '/items', /baseUrl/],
    [
      '#{INDEX:number} in before',
      { before: [`${url}#{INDEX:number}`], main: [url] },
      /flow\.before\[0\]\.get.*beforeMain/,
    ],
  ];
  for (const [what, flow, message] of rows) {
    it(`${what} is refused before the first request`, () => {
      expect(refusal(flow)).to.include({ code: 'E_FLOW' });
      expect(refusal(flow).message).to.match(message);
    });
  }

  it('all problems are reported as one error', () => {
    const { message } = refusal([
      { get: url, heders: {} },
      { get: url, timeout: 'long' },
    ]);
    expect(message)
      .to.match(/heders/)
      .and.to.match(/timeout/);
  });

  it('an unknown run option is refused', () => {
    expect(refusal(url, { iteratons: 5 })).to.include({ code: 'E_RUN_OPTIONS' });
  });
});

import { expect } from 'chai';

import benchrest from '../index.js';
import { inFolder } from './support/in-folder.js';

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

  describe('of a document have the line and column', () => {
    const documents = [
      ['YAML', 'flow.yaml', 'main:\n  - get: http://127.0.0.1:9/\n    expct:\n      status: 200\n', '3:5'],
      ['JSON', 'flow.json', '{"main": [\n  {"get": "http://127.0.0.1:9/",\n   "expct": {}}]}', '3:13'],
      ['an array of operations', 'flow.yaml', '- get: http://127.0.0.1:9/\n  expct: 1\n', '2:3'],
      ['one operation', 'flow.yaml', 'get: http://127.0.0.1:9/\nexpct: 1\n', '2:1'],
      [
        'a flow with data',
        'flow.yaml',
        'data: { users: { file: users.csv } }\nmain:\n  - get: http://127.0.0.1:9/\n    expct: 1\n',
        '4:5',
      ],
    ];
    for (const [what, name, text, place] of documents) {
      it(what, () =>
        inFolder(
          async (folder) => {
            const error = await benchrest(`${folder}/${name}`, { limit: 1, iterations: 1 }).then(
              () => null,
              (one) => one,
            );
            expect(error).to.include({ code: 'E_FLOW' });
            const path = `${folder}/${name}:${place}: flow.main[0].expct`;
            expect(error.message).to.include(`${path}: unknown property`);
            expect(error.problems[0]).to.include({ path });
          },
          { [name]: text, 'users.csv': 'user\nann\n' },
        ),
      );
    }
  });
});

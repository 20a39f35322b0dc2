import { expect } from 'chai';

import { compiledFlow } from '../../support/compiled-flow.js';

const problemsOf = (flow) => {
  try {
    compiledFlow(flow);
  } catch (error) {
    return error.message;
  }
  return 'none';
};

describe('operations of which each iteration runs one', () => {
  it('each operation is a step with its own location, at the place of the oneOf', () => {
    const { main } = compiledFlow([{ get: 'http://a/1' }, { oneOf: ['http://a/2', { put: 'http://a/3' }] }]);
    expect(main.map(({ where, name, opIndex }) => [where, name, opIndex])).to.deep.equal([
      ['flow.main[0]', 'GET /1', 0],
      ['flow.main[1].oneOf[0]', 'GET /2', 1],
      ['flow.main[1].oneOf[1]', 'PUT /3', 1],
    ]);
    expect(main[0].choice).to.equal(null);
    expect(main[1].choice).to.equal(main[2].choice);
  });

  it('operations that differ in their origin alone have it in their names', () => {
    const { main } = compiledFlow({
      oneOf: ['http://a/x', 'http://b/x', 'http://b/y', { get: 'http://a/x', name: 'n' }],
    });
    expect(main.map(({ name }) => name)).to.deep.equal(['GET http://a/x', 'GET http://b/x', 'GET /y', 'n']);
  });

  const refusals = [
    [{ oneOf: [] }, 'flow.main[0].oneOf: expected an array of operations', 'an empty list'],
    [{ oneOf: 'http://a/' }, 'flow.main[0].oneOf: expected an array of operations', 'a text'],
    [{ oneOf: [1] }, 'flow.main[0].oneOf[0]: expected an operation', 'a number as operation'],
    [{ oneOf: [{}] }, 'flow.main[0].oneOf[0]: has no URL', 'an operation without a URL'],
    [
      { oneOf: [{ get: 'http://a/', weight: 0 }] },
      'flow.main[0].oneOf[0].weight: expected a number above 0, got',
      'a weight of 0',
    ],
    [
      { oneOf: [{ get: 'http://a/', weight: '2' }] },
      'flow.main[0].oneOf[0].weight: expected a number above 0, got',
      'a text as weight',
    ],
    [
      { oneOf: [{ method: Object.create(null), uri: 'http://a/', name: Object.create(null) }] },
      'flow.main[0].oneOf[0].method: expected an HTTP method',
      'a method that has no text',
    ],
    [{ oneOf: [{ oneOf: ['http://a/'] }] }, 'flow.main[0].oneOf[0]: is a oneOf within a oneOf', 'a oneOf within it'],
    [[{ get: 'http://a/', weight: 2 }], 'flow.main[0].weight: is for the operations of a oneOf', 'a weight outside'],
    [
      { oneOf: ['http://a/'], afterHooks: ['verify2XX'] },
      'flow.main[0].afterHooks: cannot be combined with oneOf: put it into each of its operations',
      'hooks beside it',
    ],
    [
      [{ get: 'http://a/', oneOf: ['http://b/'] }],
      'flow.main[0].get: cannot be combined with oneOf',
      'a URL beside it',
    ],
    [[{ oneof: ['http://a/'] }], 'flow.main[0].oneof: unknown property, did you mean oneOf?', 'a misspelled key'],
    [
      { oneOf: [{ get: 'http://a/', afterHooks: ['verify2xx'] }] },
      "flow.main[0].oneOf[0].afterHooks[0]: unknown hook 'verify2xx', did you mean verify2XX?",
      'an unknown hook',
    ],
    [
      { before: [{ oneOf: ['http://a/#{INDEX:number}'] }], main: ['http://a/'] },
      'flow.before[0].oneOf[0].get: before runs once and has no #{INDEX}',
      'a token in before',
    ],
  ];
  for (const [flow, problem, what] of refusals) {
    it(`refuses ${what}`, () => expect(problemsOf(flow)).to.contain(problem));
  }

  it('a weight may be an argument', () => {
    const main = [{ oneOf: [{ get: 'http://a/1', weight: '#{args.share:number}' }, 'http://a/2'] }];
    const [{ choice }] = compiledFlow({ main, runOptions: { args: { share: '99' } } }).main;
    const chosen = Array.from({ length: 1000 }, (_, index) => choice(index));
    expect(chosen.filter((at) => at === 0).length).to.be.above(900);
  });
});

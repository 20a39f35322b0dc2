import { expect } from 'chai';

import { createProblems, misspelled, nearest, nearestOrAll } from '../../../lib/core/ground/problems.js';

describe('problems', () => {
  it('all problems are thrown as one error with a code and a list', () => {
    const problems = createProblems('E_FLOW');
    problems.add('flow.main[0].json', 'is wrong');
    problems.unknown('flow.main[0].haeders', 'property', 'haeders', ['headers', 'json']);
    expect(() => problems.throwIfAny())
      .to.throw('flow.main[0].json: is wrong\nflow.main[0].haeders: unknown property, did you mean headers?')
      .that.includes({ code: 'E_FLOW', problems: problems.list });
  });

  it('problems of another input follow below a title, if there are any', () => {
    const problems = createProblems('E_RUN_OPTIONS');
    const others = createProblems('E_FLOW');
    expect(() =>
      problems.throwIfAny({ title: 'the flow, too:', list: [{ path: 'flow', reason: 'x' }] }),
    ).not.to.throw();
    problems.add('runOptions.limit', 'is wrong');
    expect(() => problems.throwIfAny({ title: 'the flow, too:', list: others.list })).to.throw(
      /^runOptions\.limit: is wrong$/,
    );
    others.add('flow.main[0].gett', 'is unknown');
    expect(() => problems.throwIfAny({ title: 'the flow, too:', list: others.list }))
      .to.throw('runOptions.limit: is wrong\nthe flow, too:\nflow.main[0].gett: is unknown')
      .that.deep.includes({ code: 'E_RUN_OPTIONS', problems: [...problems.list, ...others.list] });
  });

  it('the length of the message is bounded', () => {
    const problems = createProblems('E_FLOW');
    for (let i = 0; i < 100_000; i++) problems.add(`flow.main[${i}]`, 'is wrong');
    expect(() => problems.throwIfAny())
      .to.throw(/^flow\.main\[0\]: is wrong\n.*\nflow\.main\[99\]: is wrong\nand 99900 more$/s)
      .with.property('problems')
      .lengthOf(100_000);
    const long = createProblems('E_FLOW');
    const name = 'x'.repeat(1e6);
    long.unknown(`flow.${name}`, 'property', name, ['headers']);
    long.add('flow', name);
    expect(() => long.throwIfAny())
      .to.throw()
      .with.property('message')
      .lengthOf.below(3000);
  });

  it('nothing is thrown without problems', () => {
    expect(() => createProblems('E_FLOW').throwIfAny()).not.to.throw();
  });

  for (const [name, meant] of [
    ['verify2xx', 'verify2XX'],
    ['INDX', 'INDEX'],
    ['limti', 'limit'],
    ['Get', 'get'],
    ['beforMain', 'beforeMain'],
  ]) {
    it(`${meant} is suggested for ${name}`, () => {
      expect(nearest(name, ['verify2XX', 'INDEX', 'limit', 'get', 'beforeMain', 'main'])).to.equal(meant);
    });
  }

  it('a name that differs only in case is nearer than a longer one that begins with it', () => {
    expect(nearest('AFTER', ['afterMain', 'after'])).to.equal('after');
    expect(nearest('User', ['userId', 'user'])).to.equal('user');
    expect(nearest('statusCode', ['body', 'status'])).to.equal('status');
    expect(['NOPE', 'statuscode', 'bananas'].map((name) => nearest(name, ['HOME', 'status', 'ban']))).to.deep.equal([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('words that people use as names of their own are no misspellings in any case of letters', () => {
    for (const name of ['date', 'Date', 'Host', 'PORT'])
      expect(misspelled(name, ['data', 'post', 'limit']), name).to.equal(undefined);
    expect(misspelled('Seed', ['feed', 'seed']), 'ours in other letters').to.equal('seed');
  });

  it('a message about an unknown name has the nearest one, or all', () => {
    expect(nearestOrAll('lmit', ['limit', 'headers'])).to.equal(', did you mean limit?');
    expect(nearestOrAll('banana', ['limit', 'headers'])).to.equal(': use limit, headers');
  });

  it('an unsimilar name gets no suggestion', () => {
    expect(nearest('banana', ['limit', 'headers'])).to.equal(undefined);
  });
});

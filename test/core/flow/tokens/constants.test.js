import { expect } from 'chai';

import { readFlow } from '../../../../lib/core/flow/compile.js';

const compile = (text, options) => readFlow({ put: 'http://a/', body: text }).compile(options).main[0];
const body = (text, options = {}) => String(compile(text, options).request.body);

describe('tokens with one value', () => {
  it('arguments and variables are constant text', () => {
    expect(body('#{args.user} and #<args.user>', { args: { user: 'ann' } })).to.equal('ann and ann');
    expect(body('#{env.OF_A_FILE} and #<env.OF_A_FILE>', { variables: { OF_A_FILE: 'w7-constant' } })).to.equal(
      'w7-constant and w7-constant',
    );
  });

  it('WORKER counts from 0, SHARD from 1, also in a run with neither', () => {
    expect(body('#{WORKER}/#<SHARD>')).to.equal('0/1');
    expect(body('#{WORKER}/#{SHARD}', { worker: 3, shard: { number: 2, of: 4 } })).to.equal('3/2');
    expect(readFlow({ before: ['http://a/#{SHARD}'], main: [] }).compile({}).before[0].request.path).to.equal('/1');
  });

  for (const [uses, reason] of [
    [['#{args}', '#{args(user)}', '#{args.user(1)}'], 'needs a name alone: write #{args.name}'],
    [['#{env}', '#{env(HOME)}', '#{env.HOME(1)}'], 'needs a name alone: write #{env.NAME}'],
    [['#{WORKER.a}', '#{SHARD(1)}'], 'takes no argument'],
  ])
    for (const text of uses)
      it(`${text} is refused`, () => expect(() => body(text)).to.throw(`flow.main[0].body: ${text} (column 1) ${reason}`));

  it('in a value that was put in they are refused', () => {
    const reason = 'is in a value that was put in for another token, where it is not replaced';
    expect(() => compile('#{args.a}', { args: { a: '#{args.b}' } })).to.throw(`#{args.b} (column 1) ${reason}`);
    expect(() => compile('#{env.A_VARIABLE}', { variables: { A_VARIABLE: 'w7-#{WORKER}' } })).to.throw(reason);
  });

  it('a misspelled token is refused with the nearest name', () =>
    expect(() => body('#{ARGS.user}')).to.throw('is not a token. Did you mean #{args}?'));
}); // prettier-ignore

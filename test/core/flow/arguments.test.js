import { expect } from 'chai';

import { createEnvironment, withArguments } from '../../../lib/core/flow/arguments.js';
import { createProblems } from '../../../lib/core/ground/problems.js';

function read(value, args, variables = {}) {
  const problems = createProblems('E_FLOW');
  const constants = { args, environment: createEnvironment(variables, {}) };
  const result = withArguments(value, constants, { path: 'flow.main[0]', problems });
  return { result, problems: problems.list.map(({ path, reason }) => `${path}: ${reason}`) };
}

describe('flow/arguments', () => {
  it('texts at any depth get the value, keys too; numbers and booleans become text', () => {
    const value = { get: '/#{args.a}', json: [{ 'k#<args.b>': 'x#{args.a}y#{args.c}' }] };
    expect(read(value, { a: '1', b: 2, c: true })).to.deep.equal({
      result: { get: '/1', json: [{ k2: 'x1ytrue' }] },
      problems: [],
    });
    expect(value.get).to.equal('/#{args.a}');
  });

  it('a value without the token is the same object', () => {
    const value = { a: ['#{INDEX}', Buffer.from('#{args.a}'), () => {}], b: null };
    expect(read(value, { a: '1' }).result).to.equal(value);
  });

  it('a value that contains itself is left alone', () => {
    const value = { a: '#{args.a}' };
    value.self = value;
    expect(read(value, { a: '1' }).result.a).to.equal('1');
  });

  it('a value may have tokens of iterations, but no further arguments', () => {
    expect(read('#{args.a}', { a: '/#{INDEX}/#{args.b}', b: '2' }).result).to.equal('/#{INDEX}/#{args.b}');
  });

  it('a missing value is refused with its place and the nearest name', () => {
    expect(read({ headers: { x: ['a', 'b #{args.usr}'] } }, { user: '1' }).problems).to.deep.equal([
      'flow.main[0].headers.x[1]: #{args.usr} (column 3) has no value. Did you mean #{args.user}?',
    ]);
    expect(read('#<args.kind>', {}).problems).to.deep.equal([
      "flow.main[0]: #<args.kind> (column 1) has no value. Pass it: --arg kind=<value>, or args: { 'kind': … }",
    ]);
  });

  it('inherited names have no value', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(read(`#{args.${name}}`, {}).problems).to.have.lengthOf(1);
  });

  it('variables of the environment are replaced in the same way', () => {
    const { result } = read({ get: '#{env.BASE}/x', json: '#<env.NAME> #{args.a}' }, { a: '1' }, { BASE: 'http://of-environment.test', NAME: 'w7"é' });
    expect(result).to.deep.equal({ get: 'http://of-environment.test/x', json: 'w7"é 1' });
  }); // prettier-ignore

  it('a variable that is not set is refused with its place and the nearest name; an empty one is set', () => {
    const { result, problems } = read(['#{env.EMPTY}', 'a #{env.BASEURL}', '#{env.X}'], {}, { BASE_URL: 'x', EMPTY: '' });
    expect(result[0]).to.equal('');
    expect(problems[0]).to.match(/^flow\.main\[0\]\[1\]: #\{env\.BASEURL\} \(column 3\) has no value\. Did you mean #\{env\.BASE_URL\}\? Set the environment/); // prettier-ignore
    expect(problems[1]).to.contain('or write X=<value> to a file and pass it: --dotenv <file>');
  }); // prettier-ignore
});

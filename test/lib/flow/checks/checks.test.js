import { expect } from 'chai';

import { compileChecks, refuseExpect } from '../../../../lib/flow/checks/compile-checks.js';
import { CHECKS } from '../../../../lib/flow/checks/index.js';
import { markTokens } from '../../../../lib/flow/template.js';
import { createProblems } from '../../../../lib/problems.js';

const context = {
  where: 'flow.main[0]',
  mark: (text, path) => markTokens(text, { problems: createProblems('E_FLOW'), path }),
  complain: () => {},
};

/** What the only check of `argument` says of a body in iteration 7. */
function checked(argument, body) {
  const { checks } = compileChecks({ expect: argument }, context);
  return checks[0].check({ statusCode: 200, body: body === null ? null : Buffer.from(body) }, { index: 7 });
}

describe('flow/checks', () => {
  for (const [expected, body] of [
    ['hello', 'hello'],
    ['', ''],
    ['', null],
    ['é\n', 'é\n'],
    ['n#{INDEX}', 'n7'],
  ])
    it(`a body ${JSON.stringify(body)} is ${JSON.stringify(expected)}`, () =>
      expect(checked({ body: expected }, body)).to.equal(null));

  for (const [text, body, expected, received] of [
    ['hello', 'hello\n', '"hello"', '"hello\\n"'],
    ['hello', null, '"hello"', '""'],
    ['n#{INDEX}', 'n8', '"n7"', '"n8"'],
    ['x', 'y'.repeat(5000), '"x"', `"${'y'.repeat(99)}…`],
    ['x', '{"token":"CANARY"}', '"x"', '"{\\"token\\":\\"***\\"}"'],
  ])
    it(`a body ${JSON.stringify(body)?.slice(0, 30)} is not ${JSON.stringify(text)}`, () => {
      const mismatch = checked({ body: text }, body);
      expect(mismatch.expected).to.equal(expected);
      if (!body?.includes('CANARY')) expect(mismatch.received).to.equal(received);
    });

  it('an operation without expect has no checks, and one with it names its places', () => {
    expect(compileChecks({}, context)).to.deep.equal({ checks: [], reads: [] });
    const { checks, reads } = compileChecks({ expect: { body: '' } }, context);
    expect(checks.map(({ where }) => where)).to.deep.equal(['flow.main[0].expect.body']);
    expect(reads).to.deep.equal(['body']);
  });

  for (const [value, says] of [
    [{ body: 7 }, 'body: expected a string, got 7'],
    [{ bdy: 'x' }, 'has the unknown property bdy, did you mean body?'],
    [{ other: 'x' }, /has the unknown property other: use body/],
    [{}, undefined],
    [{ body: undefined }, undefined],
  ])
    it(`${JSON.stringify(value)} is ${says === undefined ? 'accepted' : 'refused'}`, () => {
      if (says instanceof RegExp) expect(refuseExpect(value)).to.match(says);
      else expect(refuseExpect(value)).to.equal(says);
    });

  it('every check says what it is for, and what it reads', () => {
    for (const { about, reads, schema, type } of CHECKS) {
      expect(about).to.match(/^[a-z].*[^.]$/);
      expect(reads).to.be.oneOf(['status', 'head', 'body']);
      expect(schema).to.be.an('object');
      expect(type).to.be.a('string');
    }
  });
});

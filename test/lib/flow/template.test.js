import { expect } from 'chai';

import { compileTemplate, markTokens, renderTemplate, unmark } from '../../../lib/flow/template.js';
import { createProblems } from '../../../lib/problems.js';

describe('template', () => {
  const compile = (text) => compileTemplate(markTokens(text, { problems: createProblems('E_FLOW'), path: 'p' }));

  it('text without a token stays the same string', () => expect(compile('plain')).to.equal('plain'));

  for (const [text, rendered] of [
    ['foo_#{INDEX}', 'foo_7'],
    ['foo_#<INDEX>', 'foo_7'],
    ['#{INDEX}-#{INDEX}', '7-7'],
    ['##{INDEX}', '#7'],
  ]) {
    it(`${text} is ${rendered} in iteration 7`, () =>
      expect(renderTemplate(compile(text), { index: 7 })).to.equal(rendered));
  }

  it('text of another template language is left alone', () => expect(compile('#{name}')).to.equal('#{name}'));

  it('a slip of the pen is refused', () => {
    const problems = createProblems('E_FLOW');
    markTokens('#{INDX}', { problems, path: 'flow.main[0].json' });
    expect(problems.list).to.deep.equal([
      { path: 'flow.main[0].json', reason: '#{INDX} is no token, did you mean #{INDEX}?' },
    ]);
  });

  it('marks can be shown as the user wrote them', () => {
    expect(unmark(markTokens('a#{INDEX}', { problems: createProblems('E_FLOW'), path: 'p' }))).to.equal('a#{INDEX}');
  });
});

import { expect } from 'chai';

import { compileTemplate, markTokens, renderTemplate, unmark } from '../../../lib/core/flow/template.js';
import { TOKENS } from '../../../lib/core/flow/tokens/index.js';
import { createProblems } from '../../../lib/core/ground/problems.js';

describe('flow/template', () => {
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

  it('tokens of other template languages stay unchanged', () => expect(compile('#{name}')).to.equal('#{name}'));

  for (const [text, reason] of [
    ['#{idx}', '#{idx} (column 1) is not a token. Did you mean #{INDEX}?'],
    ['#{INDX}', '#{INDX} (column 1) is not a token. Did you mean #{INDEX}?'],
    ['a #{INDX(3)} b', '#{INDX(3)} (column 3) is not a token. Did you mean #{INDEX}?'],
    ['#{iteration.INDEX}', '#{iteration.INDEX} (column 1) is not a token. Did you mean #{INDEX}?'],
    ['a #{data.env.HOME}', '#{data.env.HOME} (column 3) is not a token. Did you mean #{env.HOME}?'],
    ['id=#{INDEX(7)}', '#{INDEX(7)} (column 4) takes no argument'],
    ['id=#<INDEX.x>', '#<INDEX.x> (column 4) takes no argument'],
    ['#{ INDEX }', '#{ INDEX } (column 1) has spaces within its brackets: write #{INDEX}'],
    ['#<INDEX >', '#<INDEX > (column 1) has spaces within its brackets: write #{INDEX}'],
    ['#{INDEX(}', '#{INDEX(} (column 1) is malformed. Write #{name}, #{name.member} or #{name(argument)}'],
    ['#{INDEX("a")}', '#{INDEX("a")} (column 1) is malformed. Write #{name}, #{name.member} or #{name(argument)}'],
  ]) {
    it(`${text} is refused with its column`, () => {
      const problems = createProblems('E_FLOW');
      markTokens(text, { problems, path: 'flow.main[0].json' });
      expect(problems.list).to.deep.equal([{ path: 'flow.main[0].json', reason }]);
    });
  }

  it('a fragment of a URL that is the name of a token is refused, in other text it is left alone', () => {
    const problems = createProblems('E_FLOW');
    markTokens('http://h/a#INDEX', { problems, path: 'get', place: 'address' });
    markTokens('http://h/a#top', { problems, path: 'get', place: 'address' });
    markTokens('a#INDEX', { problems, path: 'json' });
    expect(problems.list).to.deep.equal([{ path: 'get', reason: '#INDEX (column 11) is not a token. Write #{INDEX}' }]);
  });

  describe('a token that takes a member and an argument', () => {
    const uses = [];
    const entry = {
      name: 'probe',
      about: 'returns how it was written',
      compile({ member, argument }) {
        uses.push({ member, argument });
        return argument === 'constant' ? 'fixed' : (scope) => [scope.index, member, argument].join('/');
      },
    };
    before(() => TOKENS.push(entry));
    after(() => TOKENS.splice(TOKENS.indexOf(entry), 1));

    for (const [text, rendered] of [
      ['#{probe.name}', '7/name/'],
      ['#{probe.first-name.x}', '7/first-name.x/'],
      ['#{probe(1, 100)}', '7//1, 100'],
      ['#{probe.a(b)}-#<probe(é)>', '7/a/b-7//é'],
      ['#{probe()}', '7//'],
    ]) {
      it(`${text} is rendered as ${rendered}`, () =>
        expect(renderTemplate(compile(text), { index: 7 })).to.equal(rendered));
    }

    it('is constant text if it does not depend on the iteration', () =>
      expect(compile('a#{probe(constant)}b')).to.equal('afixedb'));

    it('survives the encoding of a URL', () => {
      const marked = markTokens('http://host/a?b=#{probe(1 é%/?&)}', { problems: createProblems('E_FLOW'), path: 'p' });
      expect(renderTemplate(compileTemplate(new URL(marked).href), { index: 7 })).to.equal(
        'http://host/a?b=7//1 é%/?&',
      );
    });
  });

  it('marks can be formatted as the original tokens', () => {
    expect(unmark(markTokens('a#{INDEX}', { problems: createProblems('E_FLOW'), path: 'p' }))).to.equal('a#{INDEX}');
  });
});

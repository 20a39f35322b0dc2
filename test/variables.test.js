import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';

const ONE = { limit: 1, iterations: 1 };
const TWO = { limit: 1, iterations: 2 };

describe('variables', () => {
  it('are read by tokens, with the type of their value where the token is a whole value of JSON', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        baseUrl: url,
        vars: { n: 5, flag: true, list: [1, { a: 'b' }], none: null, name: '#{args.name}', __proto__: null },
        main: [
          {
            post: '/#{n}?a=#{list}&b=#{name}',
            json: {
              n: '#{n}',
              flag: '#{flag}',
              list: '#<list>',
              none: '#{none}',
              name: '#{name}',
              text: 'a #{n} #{list} #{name}',
              asText: '#{n:text}',
              index: '#{INDEX}',
              number: '#{INDEX:number}',
              parsed: '#{INDEX:json}',
              '#{n}': '"#{n}":',
            },
            headers: { x: '#{n} #{flag}' },
          },
          { post: '/', form: { a: '#{name}' } },
          { post: '/', body: '#{n} #{list}' },
        ],
      };
      const { stats } = await benchrest(flow, { ...ONE, args: { name: 'é"' } });
      expect(stats.errors.details).to.deep.equal([]);
      const list = [1, { a: 'b' }];
      expect(seen[0].url).to.equal(`/5?a=${encodeURIComponent(JSON.stringify(list))}&b=%C3%A9%22`);
      expect(JSON.parse(seen[0].body)).to.deep.equal({
        n: 5,
        flag: true,
        list,
        none: null,
        name: 'é"',
        text: `a 5 ${JSON.stringify(list)} é"`,
        asText: '5',
        index: '0',
        number: 0,
        parsed: 0,
        5: '"5":',
      });
      expect(seen[0].headers.x).to.equal('5 true');
      expect(seen.slice(1).map(({ body }) => body)).to.deep.equal(['a=%C3%A9%22', `5 ${JSON.stringify(list)}`]);
    }));

  it('hooks get them in requestOptions as they are sent', () =>
    serving(ok, async (url, seen) => {
      const options = [];
      const main = [
        {
          post: url,
          json: { n: '#{n}', all: ['#{n}', 'n=#{n}'] },
          beforeHooks: [(all) => void (options.push(all.requestOptions.json), (all.requestOptions.json.more = 1))],
        },
      ];
      await benchrest({ vars: { n: 5 }, main }, ONE);
      expect(options).to.deep.equal([{ n: 5, all: [5, 'n=5'], more: 1 }]);
      expect(JSON.parse(seen[0].body)).to.deep.equal(options[0]);
    }));

  it('an iteration has its own, which begin with those of the run', () =>
    serving(ok, async (url, seen) => {
      const count = (all) => void (all.vars.n += 1);
      const flow = {
        baseUrl: url,
        vars: { n: 1 },
        before: [{ get: '/before/#{n}', afterHooks: [count] }],
        main: [{ get: '/#{n}', beforeHooks: [count] }, { get: ({ vars }) => `/function/${vars.n}` }],
        after: ['/after/#{n}'],
      };
      for (let run = 0; run < 2; run++) await benchrest(flow, TWO);
      const once = ['/before/1', '/3', '/function/3', '/3', '/function/3', '/after/2'];
      expect(seen.map(({ url: path }) => path)).to.deep.equal([...once, ...once]);
    }));

  it('names of Object.prototype are names like any other', () =>
    serving(ok, async (url, seen) => {
      const vars = JSON.parse('{"__proto__":"a","constructor":"b"}');
      await benchrest({ vars, main: [`${url}/#{__proto__}/#{constructor}`] }, ONE);
      expect(seen[0].url).to.equal('/a/b');
      expect(() => benchrest({ vars: { a: 1 }, main: [`${url}/#{toString}`] }, ONE)).to.throw('#{toString}');
    }));

  for (const [what, vars, path, message] of [
    ['null in a URL', { id: null }, '/#{id}', '#{id} is null, which has no text'],
    ['a text that is no number', { id: 'x' }, '/#{id:number}', '#{id:number} cannot be converted: it is "x"'],
  ])
    it(`${what} fails the operation, and nothing is sent`, () =>
      serving(ok, async (url, seen) => {
        const { stats } = await benchrest({ vars, main: [`${url}${path}`] }, ONE);
        expect(stats.errors.details.map((sample) => sample.message)[0]).to.include(message);
        expect(seen).to.deep.equal([]);
      }));

  for (const [vars, message] of [
    [{ INDEX: 1 }, 'flow.vars.INDEX: #{INDEX} is a built-in token: use another name'],
    [{ 'a b': 1 }, 'flow.vars.a b: is not the name of a token'],
    [{ a: () => 1 }, 'flow.vars.a: expected a value, got a function: write it in flow.tokens'],
    [{ t: 1 }, 'flow.vars.t: is the name of flow.tokens.t, too: rename one'],
    [{ a: '#{args.x}' }, 'flow.vars.a: #{args.x} (column 1) has no value'],
    [[], "flow.vars: expected an object such as { item: 'book' }, got an empty array"],
  ])
    it(`refused: ${message}`, () =>
      expect(() => benchrest({ vars, tokens: { t: () => 1 }, main: ['http://h/'] }, ONE)).to.throw(message));

  it('a token that nothing provides is refused in every text', () => {
    const main = [{ post: 'http://h/', json: { '#{other}': 1 }, headers: { x: '#{something}' }, body: undefined }];
    expect(() => benchrest({ vars: { region: 1 }, main }, ONE))
      .to.throw('flow.main[0].headers.x: #{something} (column 1) is not a token. Tokens are #{region}, #{INDEX}, ')
      .with.property('message')
      .that.includes('flow.main[0].json: #{other} (column 3)');
  });
});

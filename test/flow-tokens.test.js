import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';

const TWO = { limit: 1, iterations: 2 };

describe('tokens of the flow', () => {
  it('are replaced everywhere, encoded for their place', () =>
    serving(ok, async (url, seen) => {
      const text = 'é "/\\\r\n&';
      const tokens = { user: ({ index }) => `${index}${text}`, plain: async () => 'p' };
      const at = (path) => `${url.replace('http://', 'http://#{plain}:x@')}${path}`;
      const flow = {
        tokens,
        headers: { 'x-all': '#{plain}' },
        main: [
          { get: at('/#{user}/#<plain>?q=#{user}'), qs: { a: '#{user}' }, headers: { x: '-#{plain}-' } },
          { post: url, json: { '#{user}': ['#{user}', '#{INDEX}'] } },
          { post: url, form: { '#{plain}': '#{user}' } },
          { post: url, body: '#{user}' },
          { post: url, formData: { '#{user}': '#{user}' } },
        ],
      };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 1 });
      expect(stats.errors.details).to.deep.equal([]);
      const value = `0${text}`;
      const encoded = encodeURIComponent(value);
      expect(seen[0].url).to.equal(`/${encoded}/p?q=${encoded}&a=${encoded}`);
      expect(seen[0].headers).to.include({ x: '-p-', 'x-all': 'p', authorization: `Basic ${btoa('p:x')}` });
      expect(JSON.parse(seen[1].body)).to.deep.equal({ [value]: [value, '0'] });
      expect(seen[2].body).to.equal(`p=${encoded}`);
      expect(seen[3].body).to.equal(value);
      expect(seen[4].body).to.include('name="0é %22/\\%0D%0A&"\r\n').and.to.include(`\r\n\r\n${value}\r\n`);
    }));

  it('after the host of a URL may be its path, which gets no slash', () =>
    serving(ok, async (url, seen) => {
      const main = [`${url}#{path}`, `${url}#{path}?b=1`, { get: `${url}#{path}`, qs: { c: 2 } }, `${url}#{path}/`];
      await benchrest({ main, tokens: { path: () => '/a' } }, { limit: 1, iterations: 1 });
      expect(seen.map(({ url: path }) => path)).to.deep.equal(['/a', '/a?b=1', '/a?c=2', '/a/']);
    }));

  it('in the host of a URL are written as they are', () =>
    serving(ok, async (url, seen) => {
      const tokens = { host: () => url.slice('http://'.length) };
      const main = [{ get: 'http://#{host}/a?b#top', qs: () => ({ c: 1 }), headers: { x: '#{host}' } }];
      const { stats } = await benchrest({ main, tokens }, TWO);
      expect(stats.errors.details).to.deep.equal([]);
      expect(seen[1].url).to.equal('/a?b&c=1');
    }));

  it('are called once for each operation that uses them, and only then; hooks see the same value', () =>
    serving(ok, async (url, seen) => {
      let calls = 0;
      const names = [];
      const flow = {
        baseUrl: url,
        tokens: { id: () => ++calls, other: () => expect.fail('not used') },
        before: ['/#{id}'],
        main: [{ post: '/#{id}', json: { id: '#{id}', text: '#{id} #{a b}' } }, '/plain', '/#{id}'],
        beforeHooks: [({ requestOptions: { uri, json } }) => void names.push([uri.slice(url.length), json])],
        after: ['/#{id}'],
      };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 1 });
      expect(stats.errors.details).to.deep.equal([]);
      expect(seen.map(({ line, body }) => `${line} ${body}`.trim())).to.deep.equal([
        'GET /1',
        'POST /2 {"id":2,"text":"2 #{a b}"}',
        'GET /plain',
        'GET /3',
        'GET /4',
      ]);
      expect(names[1]).to.deep.equal(['/2', { id: 2, text: '2 #{a b}' }]);
    }));

  it('name their operation by what the flow says', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest({ main: ['/#{id}'], tokens: { id: () => 1 }, baseUrl: url }, TWO);
      expect(stats.operations.map(({ name }) => name)).to.deep.equal(['GET /#{id}']);
    }));

  it('a text that functions return is not read as a token', () =>
    serving(ok, async (url, seen) => {
      const main = [{ post: '/', body: () => '#{INDEX}', headers: { x: () => '#{t}' } }];
      await benchrest({ main, tokens: { t: () => 'x' }, baseUrl: url }, TWO);
      expect([seen[0].body, seen[0].headers.x]).to.deep.equal(['#{INDEX}', '#{t}']);
    }));

  const refusals = [
    [{ INDEX: () => 1 }, 'flow.tokens.INDEX: #{INDEX} is a built-in token: use another name'],
    [{ index: () => 1 }, 'flow.tokens.index: #{INDEX} is a built-in token: use another name'],
    [{ 'a b': () => 1 }, 'flow.tokens.a b: is not the name of a token: use letters, digits and _'],
    [{ a: 1 }, 'flow.tokens.a: expected a function that returns the value of #{…}, got 1'],
    [() => 1, 'flow.tokens: expected an object such as { id: () => 7 }, got a function'],
    [{ user: () => 1 }, 'flow.main[0].get: #{usr} (column 20) is not a token. Did you mean #{user}?', '#{usr}'],
    [
      { user: () => 1 },
      'flow.main[0].get: #{x} (column 20) is not a token. Tokens are #{user}, #{INDEX}, #{VU}, #{ROUND}, #{WORKER}, #{SHARD}, #{args}, #{env}',
      '#{x}',
    ],
    [{ user: () => 1 }, 'flow.main[0].get: #{user(1)} (column 20) takes no argument. Write #{user}', '#{user(1)}'],
  ];
  for (const [tokens, message, path = ''] of refusals) {
    it(`refused: ${message}`, () =>
      expect(() => benchrest({ main: [`http://127.0.0.1:1/${path}`], tokens }, TWO)).to.throw(message));
  }
});

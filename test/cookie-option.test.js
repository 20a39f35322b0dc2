import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { NAMES } from './support/transports.js';

/** `/set?x` sets the cookie x; `/to?URL` redirects there. */
function answer(req, res) {
  const [path, query] = req.url.split('?');
  if (path === '/set') res.setHeader('set-cookie', decodeURIComponent(query));
  if (path === '/to') return res.writeHead(302, { location: decodeURIComponent(query) }).end();
  return res.end('ok');
}
const cookiesOf = (seen) => seen.map(({ headers }) => headers.cookie);

for (const httpClient of NAMES) {
  describe(`cookies as an option: ${httpClient}`, () => {
    const run = (flow, options) =>
      benchrest(flow, { limit: 1, iterations: 1, httpClient, cookies: { a: '1' }, ...options });

    const rows = [
      ['every operation sends those of the run', ['/', '/'], ['a=1', 'a=1']],
      [
        'those of an operation are sent with it alone, and win',
        [{ get: '/', cookies: { a: 2, b: 3 } }, '/'],
        ['a=2; b=3', 'a=1'],
      ],
      ['a Cookie field is kept', [{ get: '/', headers: { cookie: 'z=0' } }], ['z=0; a=1']],
      [
        'jar: false sends those of the operation alone',
        [
          { get: '/', jar: false, cookies: { b: 3 } },
          { get: '/', jar: false },
        ],
        ['b=3', undefined],
      ],
      ['the server changes one', ['/set?a=9', '/', '/'], ['a=1', 'a=9', 'a=9']],
      ['the server adds one', ['/set?n=1', '/'], ['a=1', 'a=1; n=1']],
      ['the server deletes one', [`/set?${encodeURIComponent('a=; Max-Age=0; Path=/')}`, '/'], ['a=1', undefined]],
      ['one of an operation wins over a changed one', ['/set?a=9', { get: '/', cookies: { a: 2 } }], ['a=1', 'a=2']],
      ['a redirect to the same origin has them', ['/to?/there'], ['a=1', 'a=1']],
    ];
    for (const [what, flow, expected] of rows) {
      it(what, () =>
        serving(answer, async (baseUrl, seen) => {
          const { stats } = await run({ baseUrl, main: flow });
          expect(stats.errors.details).to.deep.equal([]);
          expect(cookiesOf(seen)).to.deep.equal(expected);
        }),
      );
    }

    it('may be a list of texts, as in loadtest', () =>
      serving(answer, async (url, seen) => {
        await run('/', { baseUrl: url, cookies: ['a=b', 'c=d=e'] });
        expect(cookiesOf(seen)).to.deep.equal(['a=b; c=d=e']);
      }));

    it('another origin, to which a redirect leads, gets none', () =>
      serving(answer, (other, seenThere) =>
        serving(answer, async (baseUrl) => {
          const to = other.replace('127.0.0.1', 'localhost');
          await run({ baseUrl, main: ['/set?n=1', `/to?${encodeURIComponent(to)}`] });
          expect(cookiesOf(seenThere)).to.deep.equal([undefined]);
        }),
      ));

    it('hooks find them in the jar, and may change them', () =>
      serving(answer, async (baseUrl, seen) => {
        const found = [];
        const hook = (all) => {
          found.push(all.env.jar.getCookieString(`${baseUrl}/`));
          all.env.jar.setCookie('a=5', `${baseUrl}/`);
        };
        const headers = (all) => void (all.requestOptions.headers.cookie = 'h=1');
        await run({
          baseUrl,
          main: [
            { get: '/', beforeHooks: [hook] },
            { get: '/', beforeHooks: [headers] },
          ],
        });
        expect(found).to.deep.equal(['a=1']);
        expect(cookiesOf(seen)).to.deep.equal(['a=5', 'h=1; a=5']);
      }));

    it('a hook that changes the request keeps them', () =>
      serving(answer, async (baseUrl, seen) => {
        const hook = (all) => void (all.requestOptions.headers.x = '1');
        const main = [{ get: '/', cookies: { b: 'n#{INDEX}' }, beforeHooks: [hook] }];
        await run({ baseUrl, main }, { cookies: 'a=#{INDEX}' });
        expect(cookiesOf(seen)).to.deep.equal(['a=0; b=n0']);
      }));

    it('tokens are replaced; before and after send those without tokens', () =>
      serving(answer, async (baseUrl, seen) => {
        const flow = { baseUrl, before: ['/'], main: ['/set?n=1', '/'], after: ['/'] };
        await run(flow, { iterations: 2, cookies: 'a=1; i=n#{INDEX}' });
        const each = (i) => [`a=1; i=n${i}`, `a=1; i=n${i}; n=1`];
        expect(cookiesOf(seen)).to.deep.equal(['a=1', ...each(0), ...each(1), 'a=1']);
      }));

    it('a host that depends on a token gets them, and keeps what it sets', () =>
      serving(answer, async (url, seen) => {
        const host = url.replace('127.0.0.1', '127.0.0.#{INDEX}');
        const flow = [`${host}/set?a=9`, `${host}/`];
        await run(flow, { iterations: 2, limit: 1 });
        // 127.0.0.0 is no address: the first iteration fails
        expect(cookiesOf(seen)).to.deep.equal(['a=1', 'a=9']);
      }));

    it('-C sends cookies, several and repeated', () =>
      serving(answer, async (url, seen) => {
        const flags = [
          '--http-client',
          httpClient,
          '--quiet',
          '-C',
          'a=1; b=2',
          '--cookie',
          'c=n#{INDEX}',
          '-C',
          'a=3',
        ];
        expect((await command([...flags, url])).code).to.equal(0);
        expect(cookiesOf(seen)).to.deep.equal(['a=3; b=2; c=n0']);
      }));
  });
}

describe('cookies as an option', () => {
  it('work with pipelining, and are not in the result', () =>
    serving(answer, async (url, seen) => {
      const run = benchrest(url, {
        limit: 1,
        iterations: 8,
        pipelining: 4,
        cookies: { a: 'CANARY' },
        httpClient: 'builtin',
      });
      expect(JSON.stringify(run.plan.options)).to.not.include('CANARY');
      await run;
      expect(new Set(cookiesOf(seen))).to.deep.equal(new Set(['a=CANARY']));
    }));

  it('--print-config names them without their values', async () => {
    const { stdout } = await command(['--print-config', '-C', 'a=CANARY', 'http://h/']);
    expect(stdout)
      .to.match(/^cookies +\{"a":"\*\*\*"\}/m)
      .and.not.include('CANARY');
  });

  for (const text of ['http://h/', 'a', 'a b=c'])
    it(`-C '${text}' is refused`, async () => {
      const { stderr, code } = await command(['-C', text, 'http://127.0.0.1:1/']);
      expect(stderr).to.include('Expected name=value');
      expect(code).to.equal(2);
    });

  it('a malformed cookie, header or --arg is refused without its value', async () => {
    for (const args of [
      ['-C', 'a=CANARY; b c=CANARY'],
      ['-H', 'x-api-key CANARY'],
      ['--arg', 'a b=CANARY'],
    ]) {
      const { stderr, code } = await command([...args, 'http://127.0.0.1:1/']);
      expect(stderr)
        .to.match(/the argument of option '-.*' is invalid\. Expected /)
        .and.not.include('CANARY');
      expect(code).to.equal(2);
    }
  });

  it('an invalid cookie of an operation is refused before the run', () => {
    const flow = { get: 'http://h/', cookies: { a: 'b;c' } };
    expect(() => benchrest(flow, { limit: 1, iterations: 1 })).to.throw(
      "flow.main[0].cookies: expected an object such as { name: 'value' }, without semicolons",
    );
  });
});

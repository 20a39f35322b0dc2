import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';

const ONE = { limit: 1, iterations: 1 };

describe('compat: what 1.2.4 did', () => {
  it('throws when main is missing', () => {
    for (const flow of [{}, { before: [] }, null, undefined, 5]) {
      expect(() => benchrest(flow, ONE)).to.throw(/benchmark flow requires main operations, missing flow\.main\?/);
    }
  });

  it('throws when limit or iterations are missing', () => {
    for (const options of [undefined, null, {}, { limit: 1 }, { iterations: 1 }]) {
      expect(() => benchrest('http://127.0.0.1/', options)).to.throw(
        /benchmark runOptions requires iterations and limit properties/,
      );
    }
  });

  it('emits end with stats and errorCount', () =>
    serving(ok, async (url) => {
      const [stats, errorCount] = await new Promise((resolve, reject) => {
        benchrest(url, { limit: 2, iterations: 6 })
          .on('error', reject)
          .on('end', (...values) => resolve(values));
      });
      expect(errorCount).to.equal(0);
      expect(stats.main.meter.count).to.equal(6);
      expect(stats.main.histogram.count).to.equal(6);
      expect(stats.totalElapsed).to.be.a('number');
    }));

  it('emits progress with stats, percent, concurrent and ips, the last at 100 percent', () =>
    serving(
      (req, res) => setTimeout(() => res.end(), 10),
      async (url) => {
        const ticks = [];
        await benchrest(url, { limit: 2, iterations: 10, progress: 5 }).on('progress', (...values) =>
          ticks.push(values),
        );
        expect(ticks).not.to.be.empty;
        const [stats, percent, concurrent, ips] = ticks.at(-1);
        expect(percent).to.equal(100);
        expect(stats.main.meter.count).to.equal(10);
        expect(concurrent).to.be.a('number');
        expect(ips, 'at the end, of the whole run').to.equal(Math.round(stats.iterations.rate));
        const ended = ticks.map(([{ iterations }]) => iterations.completed);
        expect(
          ticks.slice(0, -1).every(([, , , rate], i) => rate > 0 === ended[i] > (ended[i - 1] ?? 0)),
          'before, since the last event',
        ).to.equal(true);
      },
    ));

  it('an awaited run continues after the listeners of end', () =>
    serving(ok, async (url) => {
      const log = [];
      const run = benchrest(url, { limit: 1, iterations: 1 }).on('end', () => log.push('end'));
      await run;
      log.push('await');
      expect(log).to.deep.equal(['end', 'await']);
    }));

  it('takes a URL, an operation, an array and an object of phases', () =>
    serving(ok, async (url, seen) => {
      const flows = [
        url,
        { get: url },
        [{ get: url }],
        [url],
        { main: [{ get: url }] },
        { method: 'GET', uri: url },
        new URL(url),
        [new URL(url)],
      ];
      for (const flow of flows) {
        const { stats, errorCount } = await benchrest(flow, { limit: 1, iterations: 2 });
        expect(errorCount).to.equal(0);
        expect(stats.iterations.completed).to.equal(2);
      }
      expect(seen.map(({ line }) => line)).to.deep.equal(Array(flows.length * 2).fill('GET /'));
    }));

  it('puts and gets with #{INDEX} in URL and json', () => {
    const store = new Map();
    return serving(
      (req, res, body) => {
        if (req.method === 'PUT') store.set(req.url, body);
        res.setHeader('content-type', 'application/json');
        res.end(store.get(req.url));
      },
      async (url) => {
        const got = [];
        const { errorCount } = await benchrest(
          {
            main: [
              { put: `${url}/foo_#{INDEX}`, json: { id: '#{INDEX}', text: 'data#<INDEX>' } },
              {
                get: `${url}/foo_#{INDEX}`,
                json: true,
                afterHooks: [
                  (all) => {
                    got.push(all.body);
                    return all;
                  },
                ],
              },
            ],
          },
          { limit: 2, iterations: 4 },
        );
        expect(errorCount).to.equal(0);
        expect([...store.keys()].sort()).to.deep.equal(['/foo_0', '/foo_1', '/foo_2', '/foo_3']);
        expect(JSON.parse(store.get('/foo_3'))).to.deep.equal({ id: '3', text: 'data3' });
        expect(got.map(({ id }) => id).sort()).to.deep.equal(['0', '1', '2', '3']);
      },
    );
  });

  it('sends a plain string of json as JSON', () =>
    serving(ok, async (url, seen) => {
      await benchrest({ put: url, json: 'mydata' }, ONE);
      expect(seen[0].body).to.equal('"mydata"');
      expect(seen[0].headers).to.include({ 'content-type': 'application/json', accept: 'application/json' });
    }));

  it('runs the phases in order, one iteration after the other with limit 1', () =>
    serving(ok, async (url, seen) => {
      await benchrest(
        {
          after: [{ get: `${url}/after` }],
          afterMain: [{ get: `${url}/afterMain/#{INDEX}` }],
          main: [{ get: `${url}/a/#{INDEX}` }, { get: `${url}/b/#{INDEX}` }],
          beforeMain: [{ get: `${url}/beforeMain/#{INDEX}` }],
          before: [{ get: `${url}/before` }],
        },
        { limit: 1, iterations: 2 },
      );
      expect(seen.map((r) => r.url)).to.deep.equal([
        '/before',
        '/beforeMain/0',
        '/a/0',
        '/b/0',
        '/afterMain/0',
        '/beforeMain/1',
        '/a/1',
        '/b/1',
        '/afterMain/1',
        '/after',
      ]);
    }));

  it('counts errors and names their phase', () =>
    serving(
      (req, res) => {
        res.statusCode = req.url.startsWith('/bad') ? 404 : 200;
        res.end();
      },
      async (url, seen) => {
        const errors = [];
        const { stats, errorCount } = await benchrest(
          {
            main: [{ get: `${url}/bad` }, { get: `${url}/never` }],
            afterMain: [{ get: `${url}/bad2` }],
            after: [{ get: `${url}/bad3` }],
          },
          { limit: 1, iterations: 2 },
        ).on('error', (err, ctxName) => errors.push([ctxName, err.message]));
        expect(errors.map(([name]) => name)).to.deep.equal(['main', 'afterMain', 'main', 'afterMain', 'after']);
        expect(errors[0][1]).to.match(/404/);
        expect(errorCount).to.equal(5);
        expect(stats.errors).to.deep.include({ count: 5, kinds: { status: 5 } });
        expect(seen.some(({ url: path }) => path === '/never')).to.equal(false);
      },
    ));

  it('sends to the uri that a before-hook writes', () =>
    serving(ok, async (url, seen) => {
      await benchrest(
        {
          get: `${url}/old/#{INDEX}`,
          beforeHooks: [
            (all) => {
              all.requestOptions.uri = `${url}/new/${all.env.index}`;
              return all;
            },
          ],
        },
        { limit: 1, iterations: 2 },
      );
      expect(seen.map((r) => r.url)).to.deep.equal(['/new/0', '/new/1']);
    }));

  it('keeps iterCtx for the operations of one iteration only', () =>
    serving(ok, async (url) => {
      const found = [];
      await benchrest(
        {
          beforeMain: [
            {
              get: url,
              afterHooks: [
                (all) => {
                  found.push(all.iterCtx.n);
                  all.iterCtx.n = all.env.index;
                  return all;
                },
              ],
            },
          ],
          main: [
            {
              get: url,
              beforeHooks: [
                (all) => {
                  found.push(all.iterCtx.n);
                  return all;
                },
              ],
            },
          ],
        },
        { limit: 1, iterations: 2 },
      );
      expect(found).to.deep.equal([undefined, 0, undefined, 1]);
    }));

  it('a hook ends its operation by cb, then or later, and returns false', () =>
    serving(ok, async (url, seen) => {
      const later = ({ cb, opIndex }) => (setTimeout(() => cb(null, opIndex + 1), 5), false);
      const { errorCount } = await benchrest(
        [
          { get: `${url}/skipped`, beforeHooks: [(all) => (all.cb(null), false)] },
          { get: `${url}/a`, beforeHooks: [], afterHooks: [(all) => (all.cb(null), false)] },
          { get: `${url}/b`, afterHooks: [later] },
          { get: `${url}/c`, afterHooks: [async (all) => later(all)] },
          { get: `${url}/d`, afterHooks: [(all) => (all.cb(new Error('mine')), false)] },
          { get: `${url}/never` },
        ],
        ONE,
      ).on('error', ({ cause }) => expect(cause.message).to.equal('mine'));
      expect(errorCount).to.equal(1);
      expect(seen.map((r) => r.url)).to.deep.equal(['/a', '/b', '/c', '/d']);
    }));

  it('hooks that are null, undefined or false are none', () =>
    serving(ok, async (url, seen) => {
      await benchrest({ get: url, beforeHooks: null, afterHooks: [undefined, null, false] }, ONE);
      expect(seen).to.have.lengthOf(1);
    }));

  it('functions receive { INDEX }', () =>
    serving(ok, async (url, seen) => {
      const flow = { post: ({ INDEX }) => `${url}/${INDEX}`, body: (tokens) => `n${tokens.INDEX}` };
      await benchrest(flow, { limit: 1, iterations: 2 });
      expect(seen.map((r) => [r.url, r.body])).to.deep.equal([
        ['/0', 'n0'],
        ['/1', 'n1'],
      ]);
    }));

  it('qs replaces the values of the same names in the URL, also in a hook', () =>
    serving(ok, async (url, seen) => {
      const hook = (all) => void (all.requestOptions.qs = { a: 3 });
      await benchrest(
        [
          { get: `${url}/?a=1&b=2&c[0]=3&ab=4`, qs: { a: 2, c: ['x'] } },
          { get: `${url}/?a=1`, beforeHooks: [hook] },
        ],
        ONE,
      );
      expect(seen.map((r) => r.url)).to.deep.equal(['/?b=2&ab=4&a=2&c%5B0%5D=x', '/?a=3']);
    }));

  it('an empty user is none', () =>
    serving(ok, async (url, seen) => {
      const own = (all) => void (all.env.user = '');
      const none = { limit: 1, iterations: 1, user: '', password: '' };
      await benchrest({ get: url }, none);
      await benchrest({ get: url, beforeHooks: [({ requestOptions }) => void requestOptions.uri] }, none);
      await benchrest({ get: url, beforeHooks: [own] }, { ...none, user: 'joe' });
      expect(seen.map((r) => r.headers.authorization)).to.deep.equal([undefined, undefined, undefined]);
    }));

  it('the body of an empty response is undefined with json', () =>
    serving(
      (req, res) => res.end(),
      async (url) => {
        const bodies = [];
        const keep = (all) => void bodies.push(all.body, all.response.body);
        await benchrest(
          [
            { get: url, json: true, afterHooks: [keep] },
            { get: url, afterHooks: [keep] },
          ],
          ONE,
        );
        expect(bodies).to.deep.equal([undefined, undefined, '', '']);
      },
    ));

  for (const [what, fill] of [
    ['fill', (all) => void (all.env.etags[all.requestOptions.uri] = '"1"')],
    ['replace', (all) => void (all.env.etags = { [all.requestOptions.uri]: '"1"' })],
  ])
    it(`the ETags of an iteration are an object that hooks may ${what}`, () =>
      serving(ok, async (url, seen) => {
        await benchrest({ get: url, beforeHooks: [fill, 'useEtag'] }, ONE);
        expect(seen[0].headers['if-none-match']).to.equal('"1"');
      }));
});

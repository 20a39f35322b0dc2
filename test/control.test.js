import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1, iterations: 1 };
const paths = (seen) => seen.map(({ url }) => url);
const flowOf = (over) => ({ main: ['/m1', '/m2'], afterMain: ['/t1', '/t2'], after: ['/after'], ...over });
const run = (flow, url, options = ONE) => benchrest(flow, { ...options, baseUrl: url });

describe('an operation with skip: true', () => {
  it('is checked and left out of every phase, of a oneOf and of the names that it captures', () =>
    serving(ok, async (url, seen) => {
      const warnings = [];
      const off = (get) => ({ get, skip: true });
      const main = [off('/m1'), { oneOf: [{ ...off('/o1'), weight: 9 }, '/o2'] }, { get: '/m2', skip: false }];
      await run({ before: [off('/b')], main, after: [off('/a')] }, url, { limit: 1, iterations: 3 }).on(
        'warning',
        (w) => warnings.push(w.message),
      );
      expect(paths(seen)).to.deep.equal(['/o2', '/m2', '/o2', '/m2', '/o2', '/m2']);
      const places = 'flow.before[0], flow.main[0], flow.main[1].oneOf[0], flow.after[0]';
      expect(warnings).to.deep.equal([`left out, as skip is true: ${places}`]);
    }));

  for (const [what, flow, reason] of [
    ['with a mistake is refused', { main: ['/', { get: '/#{nope}', skip: true }] }, /main\[1\].get: #{nope}/],
    ['captures nothing', { main: [{ get: '/', skip: true, capture: { a: '$.a' } }, '/#{a}'] }, /main\[1\].get: #{a}/],
    ['cannot be all of main', { main: [{ get: '/', skip: true }] }, /flow.main: has only operations with skip/],
    ['is no scenario', { scenarios: { a: { skip: true, main: ['/'] } } }, /scenarios.a.skip: is for operations/],
  ])
    it(what, () => expect(() => run(flow, 'http://localhost')).to.throw(reason));
});

describe('control from hooks', () => {
  describe('all.end()', () => {
    const cases = [
      ['in an after-hook of main: the rest of main is not sent', { main: [{ get: '/m1', afterHooks: [(all) => all.end()] }, '/m2'] }, ['/m1', '/t1', '/t2', '/after'], 1],
      ['in a before-hook: the operation is not sent either', { main: ['/m1', { get: '/m2', beforeHooks: [(all) => all.end()] }, '/m3'] }, ['/m1', '/t1', '/t2', '/after'], 1],
      ['in beforeMain: main is not sent', { beforeMain: [{ get: '/b1', afterHooks: [(all) => all.end()] }, '/b2'] }, ['/b1', '/t1', '/t2', '/after'], 0],
    ]; // prettier-ignore
    for (const [title, over, expected, timed] of cases) {
      it(`${title}; teardown runs, and the iteration is completed`, () =>
        serving(ok, async (url, seen) => {
          const { stats } = await run(flowOf(over), url);
          expect(paths(seen)).to.deep.equal(expected);
          expect(stats.iterations).to.include({
            started: 1,
            completed: 1,
            failed: 0,
            endedEarly: 1,
            teardownFailed: 0,
          });
          expect(stats.errors.count).to.equal(0);
          expect(stats.main.histogram.count).to.equal(timed);
        }));
    }

    it('in afterMain leaves out the rest of it, and the iteration did not end early', () =>
      serving(ok, async (url, seen) => {
        const { stats } = await run(flowOf({ afterMain: [{ get: '/t1', afterHooks: [(all) => all.end()] }, '/t2'] }), url);
        expect(paths(seen)).to.deep.equal(['/m1', '/m2', '/t1', '/after']);
        expect(stats.iterations).to.include({ completed: 1, endedEarly: 0 });
      })); // prettier-ignore

    it('in before leaves out the rest of before', () =>
      serving(ok, async (url, seen) => {
        const { stats } = await run(flowOf({ before: [{ get: '/a', afterHooks: [(all) => all.end()] }, '/b'] }), url);
        expect(paths(seen)).to.deep.equal(['/a', '/m1', '/m2', '/t1', '/t2', '/after']);
        expect(stats.iterations).to.include({ completed: 1, endedEarly: 0 });
      }));

    it('does not hide an error: of a status, of the exchange, or of a hook', () =>
      serving(
        (req, res) => res.writeHead(req.url === '/404' ? 404 : 200).end(),
        async (url) => {
          const fails = () => {
            throw new Error('no');
          };
          const end = (all) => all.end();
          for (const operation of [
            { get: '/404', afterHooks: [end] },
            { get: '/', afterHooks: [end, fails] },
            { get: '/', beforeHooks: [end, fails] },
            { get: '/', beforeHooks: [end, (all) => all.cb(new Error('no'))] },
            { get: 'http://127.0.0.1:1/', afterHooks: [end] },
          ]) {
            const { stats } = await run({ main: [operation] }, url);
            expect(stats.iterations).to.include({ completed: 0, failed: 1, endedEarly: 0 });
          }
        },
      ));
  });

  describe('all.skip()', () => {
    it('leaves out one operation, its after-hooks and its pause', () =>
      serving(ok, async (url, seen) => {
        const never = () => expect.fail('an after-hook of an operation that was not sent');
        const skipped = { get: '/no', beforeHooks: [async (all) => all.skip()], afterHooks: [never], pause: '1h' };
        const { stats } = await run({ main: ['/a', skipped, '/b'] }, url);
        expect(paths(seen)).to.deep.equal(['/a', '/b']);
        expect(stats.requests).to.include({ skipped: 1, sent: 2, answered: 2 });
        expect(stats.iterations).to.include({ completed: 1, endedEarly: 0 });
      }));

    itSlow('a run of which every operation is skipped ends, however many there are', () =>
      serving(ok, async (url, seen) => {
        const main = Array.from({ length: 3000 }, () => '/');
        const { stats } = await run({ main, beforeHooks: [({ skip }) => skip()] }, url, { limit: 1, iterations: 2 });
        expect(seen).to.deep.equal([]);
        expect(stats.requests.skipped).to.equal(6000);
        expect(stats.iterations.completed).to.equal(2);
      }),
    );

    it('in an after-hook is an error that names the hook', () =>
      serving(ok, async (url) => {
        const { stats } = await run({ main: [{ get: '/', afterHooks: [(all) => all.skip()] }] }, url);
        expect(stats.errors.details[0]).to.include({
          kind: 'hook',
          message: 'flow.main[0].afterHooks[0]: skip() was called after the request was sent: call it in a before-hook',
        });
      }));
  });

  describe('all.stop()', () => {
    it('starts no further iteration, lets this one finish, and runs after', () =>
      serving(ok, async (url, seen) => {
        const stop = ({ env, stop: end }) => void (env.index === 2 && end());
        const { stats, errorCount, endReason } = await run({ main: [{ get: '/#{INDEX}', afterHooks: [stop] }, '/last'], after: ['/after'] }, url, { limit: 1, iterations: 100 });
        expect(paths(seen)).to.deep.equal(['/0', '/last', '/1', '/last', '/2', '/last', '/after']);
        expect(stats.iterations).to.include({ started: 3, completed: 3, cancelled: 0 });
        expect([errorCount, endReason]).to.deep.equal([0, 'hook']);
      })); // prettier-ignore

    it('in before prevents all iterations, in after it does nothing', () =>
      serving(ok, async (url, seen) => {
        const stop = (all) => void all.stop();
        const first = await run({ before: [{ get: '/a', afterHooks: [stop] }], main: ['/m'], after: ['/z'] }, url);
        expect([paths(seen.splice(0)), first.endReason]).to.deep.equal([['/a', '/z'], 'hook']);
        const last = await run({ main: ['/m'], after: [{ get: '/z', afterHooks: [stop] }] }, url);
        expect([paths(seen), last.endReason]).to.deep.equal([['/m', '/z'], 'completed']);
      }));

    it('in a warm-up ends the run', () =>
      serving(ok, async (url, seen) => {
        const { endReason, stats } = await run({ main: [{ get: '/m', afterHooks: [(all) => void all.stop()] }] }, url, {
          limit: 1,
          iterations: 5,
          warmup: '1h',
        });
        expect([endReason, stats.iterations.started]).to.deep.equal(['hook', 0]);
        expect(seen).to.have.lengthOf(1);
      }));

    it('in one worker stops all, and lanes have different numbers in all of them', () => {
      const lanes = new Set();
      return serving(
        (req, res) => {
          lanes.add(req.url);
          res.end(lanes.size === 5 ? 'stop' : 'go on');
        },
        async (url) => {
          const flow = new URL('./support/flows/control.mjs', import.meta.url);
          const { stats, endReason } = await here('workers', () =>
            benchrest(flow, { baseUrl: url, limit: 5, duration: '1h', workers: 2 }),
          );
          expect(stats.errors.details).to.deep.equal([]);
          expect(endReason).to.equal('hook');
          expect([...lanes].sort()).to.deep.equal(['/0', '/1', '/2', '/3', '/4']);
        },
      );
    });
  });

  describe('all.vu and all.vuCtx', () => {
    it('number the virtual users, and keep an object for each in all iterations', () =>
      serving(ok, async (url, seen) => {
        const count = ({ vu, vuCtx, env, requestOptions }) => {
          vuCtx.iterations = (vuCtx.iterations ?? 0) + 1;
          expect([env.vu, env.vuCtx]).to.deep.equal([vu, vuCtx]);
          requestOptions.uri = `${url}/${vu}/${vuCtx.iterations}`;
        };
        const { stats } = await run({ main: [{ get: '/', beforeHooks: [count] }] }, url, {
          limit: 2,
          maxRequestsPerUser: 3,
        });
        expect(stats.errors.details).to.deep.equal([]);
        expect(paths(seen).sort()).to.deep.equal(['/0/1', '/0/2', '/0/3', '/1/1', '/1/2', '/1/3']);
      }));

    it('before and after have no number, and an object of their own, which a hook may replace', () =>
      serving(ok, async (url) => {
        const log = [];
        const note = (all) => {
          log.push([all.phase, all.vu, all.vuCtx.mark]);
          all.vuCtx = { mark: all.phase };
        };
        await run({ before: ['/'], main: ['/'], after: ['/'], beforeHooks: [note] }, url);
        expect(log).to.deep.equal([['before', undefined, undefined], ['main', 0, undefined], ['after', undefined, 'before']]);
      })); // prettier-ignore
  });

  describe('all.serviceTime, all.ttfb and all.bodyBytes', () => {
    const look = (into) => (all) => void into.push([all.serviceTime, all.ttfb, all.bodyBytes]);

    it('are what the results have, and undefined in before-hooks', () =>
      serving(
        (req, res) => res.end('x'.repeat(1234)),
        async (url) => {
          const earlier = [];
          const later = [];
          const { stats } = await run(
            { main: [{ get: '/', beforeHooks: [look(earlier)], afterHooks: [async () => {}, look(later)] }] },
            url,
          );
          const [[ms, ttfb, bytes]] = later;
          expect(earlier).to.deep.equal([[undefined, undefined, undefined]]);
          expect(bytes).to.equal(1234);
          expect(ms).to.be.closeTo(
            stats.operations[0].times.serviceTime.max,
            stats.operations[0].times.serviceTime.max / 100,
          );
          expect(ttfb).to.be.closeTo(stats.requests.ttfb.max, stats.requests.ttfb.max / 100);
          expect(ttfb).to.be.within(0, ms);
        },
      ));

    it('ms covers redirects, ttfb and bytes are of the last response, as received', () =>
      serving(
        (req, res) =>
          req.url === '/' ? res.writeHead(302, { location: '/b' }).end('moved away') : res.end(Buffer.alloc(7)),
        async (url) => {
          const seen = [];
          await run({ main: [{ get: '/', afterHooks: [look(seen)] }] }, url);
          const [[ms, ttfb, bytes]] = seen;
          expect(bytes).to.equal(7);
          expect(ttfb).to.be.within(0, ms);
        },
      ));

    it('without a response there is the time until the failure only', () =>
      serving(
        (req) => req.socket.destroy(),
        async (url) => {
          const seen = [];
          await run({ main: [{ post: '/', afterHooks: [look(seen)] }] }, url);
          const [[ms, ttfb, bytes]] = seen;
          expect(ms).to.be.above(0);
          expect([ttfb, bytes]).to.deep.equal([undefined, undefined]);
        },
      ));
  });

  describe('iterCtx of the flow', () => {
    it('is copied into each iteration, before and after included', () =>
      serving(ok, async (url) => {
        const log = [];
        const note = ({ iterCtx, phase }) => {
          iterCtx.n++;
          iterCtx.deep.list.push(phase);
          log.push(JSON.stringify(iterCtx));
        };
        const iterCtx = { n: 1, deep: { list: [] } };
        await run({ before: ['/'], main: ['/', '/'], beforeHooks: [note], iterCtx }, url, { limit: 1, iterations: 2 });
        expect(log).to.deep.equal([
          '{"n":2,"deep":{"list":["before"]}}',
          '{"n":2,"deep":{"list":["main"]}}',
          '{"n":3,"deep":{"list":["main","main"]}}',
          '{"n":2,"deep":{"list":["main"]}}',
          '{"n":3,"deep":{"list":["main","main"]}}',
        ]);
        expect(iterCtx).to.deep.equal({ n: 1, deep: { list: [] } });
      }));

    it('anything but an object is refused', () => {
      expect(() => benchrest({ main: ['http://127.0.0.1:1/'], iterCtx: [1] }, ONE)).to.throw(
        'flow.iterCtx: expected an object such as { seen: [] }, got an array',
      );
    });
  });
});

import { expect } from 'chai';

import benchrest from '../../index.js';
import { RUN_OPTIONS } from '../../lib/core/run/options/index.js';

/** An operation whose before-hooks or after-hooks are these. */
const hooked = (url, hooks) => ({ get: `${url}/a`, ...hooks });

/** The first error of a run of this flow. */
async function errorOf(runs, flow) {
  const { errors } = await runs(flow);
  expect(errors).to.have.lengthOf(1);
  return errors[0];
}

/** What code of the guide returns in a hook of this kind, in each phase. */
async function inHook({ runs, url, valueOf }, code, { kind = 'beforeHooks', operation = {} } = {}) {
  const values = {};
  const read = (all) => void (values[all.phase] = valueOf(code, { all }));
  const one = [{ get: `${url}/a`, ...operation, [kind]: [read] }];
  await runs({ before: one, main: one });
  return values;
}

/** Programs and hooks. @type {import('../migrating-from-1.test.js').Stories} */
export const PROGRAMS = {
  'What a hook throws': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const boom = new Error('boom');
      const fail = () => {
        throw boom;
      };
      const err = await errorOf(runs, hooked(url, { afterHooks: [fail] }));
      expect(err.message).to.match(/^flow\.main\[0\]\.afterHooks\[0\].*: boom$/);
      expect(valueOf(code, { err })).to.equal(boom);
    },
  },
  'An error without a listener': {
    async instead({ url }) {
      const count = await new Promise((resolve) =>
        benchrest(`${url}/status/500`, { limit: 1, iterations: 2 }).on('end', (stats, errorCount) =>
          resolve(errorCount),
        ),
      );
      expect(count).to.equal(2);
    },
  },
  'A run is a promise': {
    async instead({ url, codes: [code], valueOf }) {
      const start = async () => valueOf(code, { run: benchrest(`${url}/a`, { limit: 1, iterations: 1 }) });
      const { run } = await start();
      const errorCount = await new Promise((resolve) => run.on('end', (stats, count) => resolve(count)));
      expect(errorCount).to.equal(0);
    },
  },
  'Errors of the library are named': {
    async instead({ runs, url, codes, valueOf }) {
      const err = await errorOf(runs, `${url}/status/500`);
      expect(codes.map((code) => valueOf(code, { err, Error }))).to.deep.equal([true, 'E_STATUS']);
    },
  },
  'Percentiles cover all': {
    async here({ runs }) {
      const { stats } = await runs([({ env }) => env.stats.histogram('n').update(env.index + 1)], { iterations: 3000 });
      const { median, p95, p999 } = stats.n;
      // 1.2.4 kept 1,028 values
      for (const [value, exact] of [
        [median, 1500],
        [p95, 2850],
        [p999, 2997],
      ])
        expect(Math.abs(value - exact) / exact).to.be.below(0.002);
    },
  },
  '`stats` has more entries': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { stats } = await runs(hooked(url, { beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] }));
      expect(valueOf(code, { stats }).map(([name]) => name)).to.deep.equal(['main', 'step_0']);
    },
  },
  '`stats.main` is there': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { stats } = await runs({ beforeMain: [`${url}/status/500`], main: [`${url}/a`] });
      expect(valueOf(code, { stats })).to.equal(true);
    },
  },
  'The `mean` of a timer': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { stats } = await runs(hooked(url, { beforeHooks: ['startStepTimer'] }));
      expect(valueOf(code, stats.step_0)).to.equal(0);
    },
  },
  '`runOptions.prealloc` is 0': {
    here: () => expect(RUN_OPTIONS.find(({ name }) => name === 'prealloc').default).to.equal(0),
    async instead({ runs, url, codes: [code], valueOf }) {
      const { requests } = await runs(`${url}/#{INDEX}`, { iterations: 3, ...valueOf(`{ ${code} }`) });
      expect(requests).to.deep.equal([0, 1, 2].map((index) => `GET /${index}, host: TARGET`));
    },
  },
  'Run options are read when': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { requests } = await runs(
        hooked(url, { beforeHooks: [(all) => void valueOf(`${code} = 'late'`, { all })] }),
      );
      expect(requests).to.deep.equal([`GET /a, authorization: Basic ${btoa('late:')}, host: TARGET`]);
    },
  },
  '`all.response` has the [fields': {
    async here({ runs, url }) {
      let response;
      await runs(hooked(url, { afterHooks: [(all) => void (response = all.response)] }), { httpClient: 'builtin' });
      const { statusCode, statusMessage, httpVersion, headers, rawHeaders, body } = response;
      expect([statusCode, statusMessage, httpVersion, body]).to.deep.equal([200, 'OK', '1.1', 'ok']);
      expect(response.caseless.get('Content-LENGTH')).to.equal(headers['content-length']);
      expect([response.caseless.has('X-None'), response.caseless.has('DATE')]).to.deep.equal([false, 'date']);
      expect(rawHeaders.length).to.equal(2 * Object.keys(headers).length);
      for (const name of ['socket', 'connection', 'pipe', 'on', 'req']) expect(response).not.to.have.property(name);
    },
  },
  'The names in `all.response.request.headers`': {
    async instead(context) {
      const options = { kind: 'afterHooks', operation: { get: undefined, post: `${context.url}/echo`, json: {} } };
      expect(await inHook(context, context.codes[0], options)).to.include({ main: 'application/json' });
    },
  },
  '`all.iterCtx` is an object': {
    instead: async (context) =>
      expect(await inHook(context, context.codes[0])).to.deep.equal({ before: true, main: false }),
  },
  '`all.env` has no': {
    async instead(context) {
      const [phase, opIndex] = await Promise.all(context.codes.map((code) => inHook(context, code)));
      expect([phase, opIndex]).to.deep.equal([
        { before: 'before', main: 'main' },
        { before: 0, main: 0 },
      ]);
    },
  },
  '`all.env.user` that a before-hook sets': {
    async instead({ runs, url }) {
      const set = (all) => void Object.assign(all.env, { user: 'joe', password: 'x' });
      const { requests } = await runs([hooked(url, { afterHooks: [set] }), `${url}/b`]);
      expect(requests).to.deep.equal([
        'GET /a, host: TARGET',
        `GET /b, authorization: Basic ${btoa('joe:x')}, host: TARGET`,
      ]);
    },
  },
  'A copy of `all`': {
    here: ({ url }) =>
      Promise.all(
        ['requestOptions', 'iterCtx', 'body', 'cb'].map((name) => {
          const copies = [];
          const copy = (all) => void copies.push(Object.assign({}, all), { ...all });
          return benchrest(hooked(url, { afterHooks: [copy] }), { limit: 1, iterations: 1 }).then(() => {
            for (const one of copies) expect(one[name], name).to.equal(undefined);
          });
        }),
      ),
    async instead({ runs, url, codes: [, code], valueOf }) {
      let copy;
      const { requests } = await runs(
        hooked(url, {
          beforeHooks: [
            (all) => {
              all.requestOptions.headers.x = '1';
              copy = { ...valueOf(code.replace('copy ', ''), { all }) };
              return all;
            },
          ],
        }),
      );
      expect(requests).to.deep.equal(['GET /a, host: TARGET, x: 1']);
      expect(copy.requestOptions.headers).to.deep.equal({ x: '1' });
    },
  },
  'The jar of an iteration': {
    here: async (context) =>
      expect(await inHook(context, 'typeof all.requestOptions.jar')).to.include({ main: 'undefined' }),
    async instead({ runs, url, codes: [code], valueOf }) {
      let cookies;
      const read = (all) => void (cookies = valueOf(code, { all }).getCookieString(url));
      await runs({ get: `${url}/cookie/1`, afterHooks: [read] });
      expect(cookies).to.equal('s=1');
    },
  },
  'Changes of `requestOptions`': {
    async instead({ runs, url, codes }) {
      expect(codes).to.deep.equal(['uri', 'method']);
      const change = (all) => void Object.assign(all.requestOptions, { uri: `${url}/b`, method: 'PUT' });
      const { requests } = await runs(hooked(url, { beforeHooks: [change] }));
      expect(requests).to.deep.equal(['PUT /b, content-length: 0, host: TARGET']);
    },
  },
  'Each operation and iteration has': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const keep = (all) => void (valueOf(code, { all }).x = 'kept');
      const use = (all) => void (all.requestOptions.headers.x = valueOf(code, { all }).x);
      const { requests } = await runs([hooked(url, { beforeHooks: [keep] }), hooked(url, { beforeHooks: [use] })]);
      expect(requests).to.deep.equal(['GET /a, host: TARGET', 'GET /a, host: TARGET, x: kept']);
    },
  },
  'A hook that calls `all.cb` later': {
    async here({ runs, url }) {
      const later = (all) => {
        const { cb } = all;
        setTimeout(() => cb(null), 5);
        return false;
      };
      const { requests, errorCount } = await runs([hooked(url, { afterHooks: [later] }), `${url}/b`]);
      expect([requests.length, errorCount]).to.deep.equal([2, 0]);
    },
    async instead({ runs, url }) {
      const later = () => new Promise((resolve) => setTimeout(resolve, 5));
      const { requests, errorCount } = await runs([hooked(url, { afterHooks: [async () => later()] }), `${url}/b`]);
      expect([requests.length, errorCount]).to.deep.equal([2, 0]);
    },
  },
  'A second parameter of a hook': {
    async instead({ runs, url, codes: [, parameters], valueOf }) {
      const seen = [];
      const hook = valueOf(`${parameters} => void seen.push(all.response.statusCode === expected)`, { seen });
      await runs(hooked(url, { afterHooks: [hook] }));
      expect(seen).to.deep.equal([true]);
    },
  },
  'Hooks cannot change': {
    async here({ runs, url }) {
      const change = (all) => void (all.requestOptions.afterHooks = ['verify2XX']);
      const err = await errorOf(runs, hooked(url, { beforeHooks: [change] }));
      expect(err.message).to.match(/requestOptions\.afterHooks cannot be changed by a hook/);
    },
    async instead({ runs, url }) {
      const called = [];
      const others = { one: () => called.push('one'), two: () => called.push('two') };
      const choose = (all) => void others[all.env.index === 0 ? 'one' : 'two']();
      await runs(hooked(url, { afterHooks: [choose] }), { iterations: 2 });
      expect(called).to.deep.equal(['one', 'two']);
    },
  },
  'The metrics of': {
    async here({ runs, url }) {
      const twice = ({ env: { stats } }) => (stats.timer('x'), stats.counter('x'));
      const err = await errorOf(runs, hooked(url, { beforeHooks: [(all) => void twice(all)] }));
      expect(err.message).to.match(/x.*timer/);
      const methods = [];
      const read = ({ env: { stats } }) => {
        methods.push(stats.meter('m').currentRate, stats.meter('m').mean, stats.histogram('h').percentiles);
      };
      await runs(hooked(url, { beforeHooks: [(all) => void read(all)] }));
      expect(methods).to.deep.equal([undefined, undefined, undefined]);
    },
    async instead({ runs, url }) {
      const mark = ({ env: { stats } }) => stats.meter('m').mark(3);
      const { stats } = await runs(hooked(url, { beforeHooks: [(all) => void mark(all)] }));
      expect([stats.main.meter.count, stats.m.count]).to.deep.equal([1, 3]);
    },
  },
};

import { inspect } from 'node:util';

import { seeing } from './seeing.js';

/** The order of hooks, what they know of their run, and what they return. */
export const HOOKS = [
  {
    name: 'before-hooks and after-hooks run in their order around the request',
    flow: (url, log) => {
      const hook = (name) => (all) => (log(name), all);
      return [
        { get: `${url}/a`, beforeHooks: [hook('b1'), hook('b2')], afterHooks: [hook('a1'), hook('a2')] },
        { get: `${url}/b`, beforeHooks: [hook('b3')], afterHooks: [hook('a3')] },
      ];
    },
  },
  {
    name: 'all as JSON, and as text of console.log',
    flow: (url, log) => {
      const names = (all) => (log(Object.keys(JSON.parse(JSON.stringify(all)))), all);
      const text = (all) => (
        log(['requestOptions', 'iterCtx', 'opIndex', 'env'].map((n) => inspect(all).includes(n))),
        all
      );
      return [{ post: `${url}/json`, json: { a: 1 }, beforeHooks: [names, text], afterHooks: [names, text] }];
    },
  },
  {
    name: 'a copy of all, and what the next hook gets',
    flow: (url, log) => [
      {
        post: `${url}/json`,
        json: { a: 1 },
        beforeHooks: [
          (all) => Object.assign({}, all),
          (all) => ((all.requestOptions.headers.x = String(all.env.index)), all),
        ],
        afterHooks: [(all) => ({ ...all }), seeing('body', log, (all) => [all.body.id, typeof all.iterCtx])],
      },
    ],
  },
  {
    name: 'the figures so far, of all.env.stats',
    flow: (url, log) => [
      {
        get: `${url}/a`,
        afterHooks: [
          seeing('stats', log, ({ env: { stats } }) => {
            const { totalElapsed, main, ...others } = stats.toJSON();
            const { count } = main.histogram;
            return [Object.keys(others), Object.keys(main).sort(), count, main.meter.count, totalElapsed.histogram.max];
          }),
        ],
      },
    ],
    options: () => ({ limit: 1, iterations: 3 }),
  },
  { name: 'empty lists of hooks', flow: (url) => [{ get: `${url}/a`, beforeHooks: [], afterHooks: [] }] },
  {
    name: 'hooks that are null or undefined',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: null, afterHooks: undefined }],
  },
  {
    name: 'an undefined, null or false entry among hooks',
    flow: (url, log) => [
      { get: `${url}/a`, afterHooks: [undefined, null, false, seeing('x', log, (all) => all.body)] },
    ],
  },
  {
    name: 'the name of a hook that is not close to any',
    flow: (url) => [{ get: `${url}/a`, afterHooks: ['collect'] }],
  },
  {
    name: 'all.env.index counts from 0',
    flow: (url, log) => [{ get: `${url}/a`, afterHooks: [seeing('index', log, (all) => all.env.index)] }],
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'all.opIndex counts the operations of a phase',
    flow: (url, log) => {
      const op = { get: `${url}/a`, beforeHooks: [seeing('op', log, (all) => all.opIndex)] };
      return { beforeMain: [op], main: [op, op], afterMain: [op] };
    },
  },
  {
    name: 'all.env.user and password are those of the run',
    flow: (url, log) => [{ get: `${url}/a`, beforeHooks: [seeing('env', log, ({ env }) => [env.user, env.password])] }],
    options: () => ({ limit: 1, iterations: 1, user: 'joe', password: 'secret' }),
  },
  {
    name: 'all.env.group and actionName name the operation',
    flow: (url, log) => ({
      beforeMain: [{ get: `${url}/a`, beforeHooks: [seeing('env', log, ({ env }) => [env.group, env.actionName])] }],
      main: [{ get: `${url}/a`, beforeHooks: [seeing('env', log, ({ env }) => [env.group, env.actionName])] }],
    }),
  },
  {
    name: 'all.env.iterCtx is all.iterCtx',
    flow: (url, log) => [
      { get: `${url}/a`, beforeHooks: [seeing('same', log, (all) => all.env.iterCtx === all.iterCtx)] },
    ],
  },
  {
    name: 'all.iterCtx passes values on within an iteration, and is new in the next',
    flow: (url, log) => ({
      beforeMain: [{ get: `${url}/json`, json: true, afterHooks: [(all) => ((all.iterCtx.id = all.env.index), all)] }],
      main: [{ get: `${url}/x`, beforeHooks: [seeing('before', log, (all) => all.iterCtx)] }],
      afterMain: [{ get: `${url}/y`, afterHooks: [seeing('after', log, (all) => all.iterCtx)] }],
    }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: 'all.iterCtx is not there in before and after',
    flow: (url, log) => ({
      before: [{ get: `${url}/a`, afterHooks: [seeing('ctx', log, (all) => all.iterCtx === undefined)] }],
      main: [{ get: `${url}/a` }],
    }),
  },
  {
    name: 'all.env keeps values for all operations of an iteration',
    flow: (url, log) => [
      { get: `${url}/a`, afterHooks: [(all) => ((all.env.mine = 'kept'), all)] },
      { get: `${url}/b`, afterHooks: [seeing('env', log, (all) => all.env.mine)] },
    ],
  },
  {
    name: 'a hook returns a copy of all',
    flow: (url, log) => [
      { get: `${url}/a`, afterHooks: [(all) => Object.assign({}, all), seeing('body', log, (all) => all.body)] },
    ],
  },
  {
    name: 'the second parameter of a hook',
    flow: (url, log) => {
      const hook = (all, expected) => (log(typeof expected), all);
      return [{ get: `${url}/a`, beforeHooks: [hook], afterHooks: [hook] }, { get: `${url}/b` }];
    },
  },
  {
    name: 'a parameter of a hook with a default, and arguments that are bound',
    flow: (url, log) => {
      const hook = (all, expected = 200) => (log(expected), all);
      const bound = function bound(expected, all) {
        log(expected);
        return all;
      };
      return { get: `${url}/a`, afterHooks: [hook, bound.bind(null, 201)] };
    },
  },
  {
    name: 'a hook returns nothing',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [() => {}] }, { get: `${url}/b` }],
  },
  {
    name: 'a hook is async',
    flow: (url) => [{ get: `${url}/a`, afterHooks: [async (all) => all] }, { get: `${url}/b` }],
  },
  {
    name: 'a hook ends the operation by cb with an error',
    flow: (url) => [
      { get: `${url}/a`, afterHooks: [(all) => (all.cb(new Error('mine')), false)] },
      { get: `${url}/b` },
    ],
  },
  {
    name: 'a hook goes on by cb without an error',
    flow: (url) => [
      { get: `${url}/a`, afterHooks: [(all) => (all.cb(null, all.opIndex + 1), false)] },
      { get: `${url}/b` },
    ],
  },
  {
    name: 'a hook goes on by cb later',
    flow: (url) => [
      { get: `${url}/a`, afterHooks: [(all) => (setTimeout(() => all.cb(null, all.opIndex + 1), 5), false)] },
      { get: `${url}/b` },
    ],
  },
  {
    name: 'a before-hook leaves out the request by cb',
    flow: (url) => [
      { get: `${url}/a`, beforeHooks: [(all) => (all.cb(null, all.opIndex + 1), null)] },
      { get: `${url}/b` },
    ],
  },
  {
    name: 'JSON.stringify(all) is text',
    flow: (url, log) => [
      { get: `${url}/json`, json: true, afterHooks: [(all) => (log(typeof JSON.stringify(all)), all)] },
    ],
  },
  {
    name: 'the jar of the iteration has the cookies',
    flow: (url, log) => [
      { get: `${url}/cookie/1`, afterHooks: [seeing('jar', log, (all) => all.env.jar.getCookieString(`${url}/`))] },
    ],
  },
  {
    name: 'a hook sets a cookie in the jar',
    flow: (url) => [{ get: `${url}/a`, beforeHooks: [(all) => (all.env.jar.setCookie('mine=1', url), all)] }],
  },
  {
    name: 'cookies stay in their iteration',
    flow: (url) => ({
      beforeMain: [{ get: `${url}/cookie/#{INDEX}` }],
      main: [{ get: `${url}/a` }, { get: `${url}/deep/a` }],
      afterMain: [{ get: `${url}/b` }],
    }),
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: 'cookies of before',
    flow: (url) => ({ before: [{ get: `${url}/cookie/1` }, { get: `${url}/a` }], main: [{ get: `${url}/b` }] }),
  },
  {
    name: 'saveEtag and useEtag with GET',
    flow: (url) => [
      { get: `${url}/etag/1`, afterHooks: ['saveEtag'] },
      { get: `${url}/etag/1`, beforeHooks: ['useEtag'] },
    ],
  },
  {
    name: 'useEtag with HEAD and PUT',
    flow: (url) => [
      { get: `${url}/etag/1`, afterHooks: ['saveEtag'] },
      { head: `${url}/etag/1`, beforeHooks: ['useEtag'] },
      { put: `${url}/etag/1`, body: 'x', beforeHooks: ['useEtag'] },
    ],
  },
  {
    name: 'useEtag of a URI without one',
    flow: (url) => [
      { get: `${url}/etag/1`, afterHooks: ['saveEtag'] },
      { get: `${url}/etag/2`, beforeHooks: ['useEtag'] },
    ],
  },
  {
    name: 'the ETag after a POST belongs to its Location',
    flow: (url, log) => [
      { post: `${url}/tagged`, afterHooks: ['saveEtag', seeing('etags', log, (all) => all.env.etags)] },
    ],
  },
  {
    name: 'all.env.etags is an object that hooks change',
    flow: (url) => [
      { get: `${url}/etag/1`, beforeHooks: [(all) => ((all.env.etags[`${url}/etag/1`] = '"1"'), all), 'useEtag'] },
    ],
  },
  {
    name: 'step timers are figures of stats',
    flow: (url) => [
      { get: `${url}/a`, beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] },
      { get: `${url}/b` },
      { get: `${url}/c`, beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] },
    ],
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'step timers of beforeMain and main with the same number',
    flow: (url) => {
      const op = { get: `${url}/a`, beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] };
      return { beforeMain: [op], main: [op] };
    },
  },
  {
    name: 'a hook makes timers of its own',
    flow: (url) => [
      {
        get: `${url}/a`,
        beforeHooks: [(all) => ((all.iterCtx.timer = all.env.stats.timer('mine').start()), all)],
        afterHooks: [(all) => (all.iterCtx.timer.end(), all)],
      },
    ],
    options: () => ({ limit: 1, iterations: 2 }),
  },
  {
    name: 'a hook makes counters, meters and histograms',
    flow: (url) => [
      {
        get: `${url}/a`,
        afterHooks: [
          ({ env: { stats }, ...all }) => {
            stats.counter('hits').inc();
            stats.meter('marks').mark();
            stats.histogram('sizes').update(12);
            return { env: { stats }, ...all };
          },
        ],
      },
    ],
  },
  {
    name: 'what a hook reads of its metrics',
    flow: (url, log) => {
      const read = ({ env: { stats } }) => {
        const timer = stats.timer('t');
        timer.start().end();
        timer.update(5);
        stats.counter('c').inc(2);
        stats.counter('c').reset(1);
        stats.meter('m').mark(3);
        stats.histogram('h').update(5);
        log(stats.counter('c').toJSON(), timer.toJSON().histogram.count, stats.meter('m').toJSON().count);
      };
      return { get: `${url}/a`, afterHooks: [(all) => (read(all), all)] };
    },
  },
  {
    name: 'a hook reads the figures of the run',
    flow: (url, log) => ({
      get: `${url}/a`,
      afterHooks: [({ env, ...all }) => (log(Object.keys(env.stats.toJSON())), { env, ...all })],
    }),
  },
  {
    name: 'a hook makes a gauge',
    flow: (url) => [{ get: `${url}/a`, afterHooks: [(all) => (all.env.stats.gauge('size', () => 5), all)] }],
  },
  {
    name: 'a hook sets err to a text',
    flow: (url) => ({ get: `${url}/a`, afterHooks: [(all) => ((all.err = 'bad'), all)] }),
  },
];

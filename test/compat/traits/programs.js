import { once } from 'node:events';
import { createRequire } from 'node:module';

import { pathInBench } from '../../../bench/peers/installed.js';

const ONE = { limit: 1, iterations: 1 };

/** Programs around the library. */
export const PROGRAMS = [
  {
    name: 'a run is an emitter whose methods return it',
    program: ({ url, log, benchrest }) => {
      const run = benchrest(`${url}/a`, ONE);
      log(
        run.on('end', () => {}) === run,
        run.once('end', () => log('once')) === run,
        typeof run.removeListener,
        run.listenerCount('end'),
      );
    },
  },
  {
    name: 'listeners of error are called before those of end',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/status/500`, { limit: 1, iterations: 2 })
        .on('end', (stats, count, ...more) => log('end', count, more.length))
        .on('error', (err, phase) => log('error', phase)),
  },
  {
    name: 'errors without a listener',
    program: ({ url, benchrest }) => void benchrest(`${url}/status/500`, ONE).removeAllListeners('error'),
  },
  {
    name: 'the name of an error',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/status/500`, ONE).on('error', (err) => log(err.name, err.message)),
  },
  {
    name: 'the mean of a step timer that never ends',
    program: ({ url, log, benchrest }) =>
      void benchrest([{ get: `${url}/a`, beforeHooks: ['startStepTimer'] }], ONE).on(
        'end',
        ({ step_0: { histogram } }) => log([histogram.min, histogram.p95, histogram.mean]),
      ),
  },
  {
    name: 'a flow is run again by the listener of end',
    program: ({ url, benchrest }) => {
      const flow = { main: [{ put: `${url}/#{INDEX}`, json: { a: '#{INDEX}' } }] };
      const options = { limit: 1, iterations: 1 };
      const next = () =>
        benchrest(flow, options).on('end', () => {
          options.iterations += 1;
          if (options.iterations < 4) next();
        });
      next();
    },
  },
  {
    name: 'runs at the same time',
    program: ({ url, benchrest }) => {
      for (const path of ['a', 'b', 'c'])
        benchrest({ main: [{ get: `${url}/${path}/#{INDEX}` }] }, { limit: 2, iterations: 3 });
    },
    isUnordered: true,
  },
  {
    name: 'a promise around a run',
    program: ({ url, log, benchrest }) =>
      new Promise((resolve, reject) => {
        benchrest({ main: [{ get: `${url}/a` }] }, ONE)
          .on('error', reject)
          .on('end', (stats, errorCount) => resolve(log(errorCount, stats.main.meter.count)));
      }),
  },
  {
    name: 'the request does not start before the listeners are there',
    program: ({ url, log, benchrest }) => {
      benchrest(`${url}/a`, ONE).on('end', () => log('end'));
      log('returned');
    },
  },
  {
    name: 'options are changed after the call',
    program: ({ url, benchrest }) => {
      const options = { limit: 1, iterations: 2 };
      benchrest(`${url}/a`, options);
      options.user = 'late';
    },
  },
  {
    name: 'a queue of benchmarks, each with its hooks',
    program: ({ url, benchrest }) => {
      const ids = [];
      const collect = (all) => (ids.push(all.body.id), all);
      const addId = (all) => ((all.requestOptions.uri += `${ids[all.env.index]}/`), all);
      const queue = [
        { post: `${url}/created/`, json: { a: 1 }, afterHooks: [collect] },
        { get: `${url}/created/`, beforeHooks: [addId] },
        { put: `${url}/created/`, json: { b: 1 }, beforeHooks: [addId] },
        { del: `${url}/created/`, beforeHooks: [addId] },
      ];
      const next = () => {
        const flow = queue.shift();
        if (flow) benchrest(flow, { limit: 1, iterations: 2, progress: 5000 }).on('end', next);
      };
      next();
    },
  },
  {
    name: 'login in before, its token in main',
    flow: (url, log, state = {}) => ({
      before: [
        { post: `${url}/json`, json: { user: 'a' }, afterHooks: [(all) => ((state.token = all.body.data.token), all)] },
      ],
      main: [
        {
          post: `${url}/echo`,
          beforeHooks: [
            (all) => {
              all.requestOptions.json = { index: all.env.index };
              all.requestOptions.headers = { 'Content-Type': 'application/json', 'x-access-token': state.token };
              return all;
            },
          ],
        },
      ],
    }),
    options: () => ({ limit: 1, iterations: 3 }),
  },
  {
    name: 'a flow that was parsed from JSON',
    flow: (url) => JSON.parse(`{"main":[{"post":"${url}/a","json":{"id":"#{INDEX}"},"headers":{"x":"y"}}]}`),
    options: () => JSON.parse('{"limit":1,"iterations":2,"progress":1000}'),
  },
  {
    name: 'a method chosen by a request: get, post, put',
    program: async ({ url, benchrest }) => {
      for (const method of ['get', 'post', 'put', 'patch', 'head', 'del']) {
        const main = {};
        main[method] = `${url}/a`;
        main.headers = { uuid: '1234' };
        await new Promise((resolve) => benchrest({ main: [main] }, ONE).on('end', resolve));
      }
    },
  },
  {
    name: 'figures of stats are read as numbers',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/a`, { limit: 1, iterations: 4 }).on('end', ({ main, totalElapsed }) => {
        const { min, mean, max, sum, p95, median } = main.histogram;
        log([min, mean, max, sum, p95, median, totalElapsed].every((value) => typeof value.toFixed(2) === 'string'));
        log(min <= mean && mean <= max, Math.abs(sum / 4 - mean) < 0.001, totalElapsed >= sum);
        log(Object.keys(main.meter).sort(), main.meter.mean > 0);
      }),
  },
  {
    name: 'failed iterations are in stats.main too',
    program: ({ url, log, benchrest }) =>
      void benchrest(`${url}/status/500`, { limit: 1, iterations: 3 }).on('end', ({ main }) =>
        log(main.meter.count, main.histogram.count),
      ),
  },
  {
    name: 'a suite of tests, each a benchmark',
    program: async ({ url, log, benchrest }) => {
      const flows = {
        read: {
          main: [
            {
              get: `${url}/json`,
              json: true,
              afterHooks: [
                (all) => {
                  if (all.body.id !== 7) throw new Error('wrong id');
                  return all;
                },
              ],
            },
          ],
        },
        busy: { main: [{ get: `${url}/status/503` }] },
      };
      for (const [name, flow] of Object.entries(flows))
        await new Promise((done) => {
          const errors = [];
          benchrest(flow, { limit: 1, iterations: 3, prealloc: 100, progress: 500 })
            .on('error', (err, phase) => errors.push(`${phase}: ${err.message}`))
            .on('progress', () => {})
            .on('end', (stats, errorCount) => done(log(name, errorCount, errors, stats.main.meter.count)));
        });
    },
  },
  {
    name: 'a task of a task runner, with options of its own',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const options = { limit: 1, iterations: 2, logger: console, label: 'x' };
        benchrest({ main: [{ put: `${url}/x_#{INDEX}`, json: 'v#{INDEX}' }, { get: `${url}/x_#{INDEX}` }] }, options)
          .on('error', (err, phase) => log('error', phase))
          .on('end', (stats, errorCount) => done(log(typeof stats.totalElapsed, errorCount === 0)));
      }),
  },
  {
    name: 'a web application passes its query as options',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const query = { limit: '1', iterations: '3', url: `${url}/a`, token: 'abc', progress: '200', user: '' };
        benchrest({ main: [{ get: query.url, headers: { authorization: `Bearer ${query.token}` } }] }, query).on(
          'end',
          (stats, errorCount) => done(log(errorCount, JSON.parse(JSON.stringify(stats)).main.histogram.count)),
        );
      }),
  },
  {
    name: 'frameworks are compared, one after the other',
    program: async ({ url, log, benchrest }) => {
      for (const name of ['express', 'koa', 'hapi'])
        await new Promise((done) =>
          benchrest({ main: [{ get: `${url}/${name}` }] }, { limit: 1, iterations: 2 }).on('end', ({ main }) =>
            done(log(name, main.meter.mean > 0, main.histogram.p95 >= main.histogram.median)),
          ),
        );
    },
  },
  {
    name: 'a flow is an instance of a subclass, with an accessor',
    flow: (url) => {
      class Base {
        main = [{ get: `${url}/a` }];
        get before() {
          return [{ get: `${url}/b` }];
        }
      }
      class Derived extends Base {
        after = [{ get: `${url}/z` }];
      }
      return new Derived();
    },
  },
  {
    name: 'a listener finds the run in this, and its arguments',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const run = benchrest(`${url}/a`, ONE);
        run.on('end', function end(...values) {
          done(log(this === run, values.length));
        });
      }),
  },
  {
    name: 'once of node:events waits for end',
    program: async ({ url, log, benchrest }) => {
      const [stats, errorCount] = await once(benchrest(`${url}/a`, ONE), 'end');
      log(errorCount, stats.main.meter.count);
    },
  },
  {
    name: 'listeners are removed and added again',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const run = benchrest(`${url}/status/500`, ONE).on('error', () => log('never'));
        run.removeAllListeners('error');
        run.on('error', (err, phase) => log(phase)).on('end', () => done());
      }),
  },
  {
    name: 'the process is to exit with the number of errors',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const exit = (code) => done(log(`exit ${code}`));
        benchrest(`${url}/status/404`, ONE)
          .on('error', (err) => log(err.message))
          .on('end', (stats, errorCount) => exit(errorCount));
      }),
  },
  {
    name: 'metrics of hooks are in stats',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const before = (all) => {
          all.env.stats.meter('marks').mark();
          all.timer = all.env.stats.timer('own').start();
          return all;
        };
        const after = (all) => {
          all.timer.end();
          all.env.stats.counter('calls').inc();
          return all;
        };
        benchrest([{ get: `${url}/a`, beforeHooks: [before], afterHooks: [after] }], { limit: 1, iterations: 2 }).on(
          'end',
          ({ calls, marks, own }) => done(log(calls, marks.count, own.meter.count)),
        );
      }),
  },
  {
    name: 'options that an object inherits',
    program: ({ url, benchrest }) => void benchrest(`${url}/a`, Object.create({ limit: 1, iterations: 2 })),
  },
  {
    name: 'an async function returns the run',
    program: async ({ url, log, benchrest }) => {
      const start = async () => benchrest(`${url}/a`, ONE);
      log(typeof (await start()).on);
    },
  },
  {
    name: 'stats.main of a run that never got there',
    program: ({ url, log, benchrest }) =>
      new Promise((done) =>
        benchrest({ beforeMain: [{ get: `${url}/status/500` }], main: [{ get: `${url}/a` }] }, ONE).on('end', (stats) =>
          done(log(typeof stats.main)),
        ),
      ),
  },
  {
    name: 'stats.totalElapsed in progress',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const types = new Set();
        benchrest(`${url}/a`, { limit: 1, iterations: 300, progress: 1 })
          .on('progress', (stats) => types.add(typeof stats.totalElapsed))
          .on('end', () => done(log([...types])));
      }),
  },
  {
    name: 'a program of commander as options',
    program: ({ url, benchrest }) => {
      const program = commander()
        .version('1.0.0')
        .option('-l, --limit <n>', 'virtual users', Number)
        .option('-i, --iterations <n>')
        .option('-s, --site <name>')
        .option('--no-cache');
      benchrest(`${url}/a`, program.parse(['node', 'x.js', '-l', '1', '-i', '2', '-s', 'b', 'operand']));
    },
  },
  {
    name: 'a program of commander as options, with options that it does not declare',
    program: ({ url, benchrest }) => {
      const program = commander().option('-n, --number <n>').parse(['node', 'x.js', '-n', '2']);
      benchrest(`${url}/a`, Object.assign(program, { limit: 1, iterations: program.number }));
    },
  },
];

/** A program of the commander that 1.2.4 has, as programs of its time had it. */
function commander() {
  const { Command } = createRequire(pathInBench('install.js'))('commander');
  return new Command();
}

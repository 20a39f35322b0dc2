import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';

import { ended } from './ended.js';

const ONE = { limit: 1, iterations: 1 };
const TWO = { limit: 1, iterations: 2 };

/** What programs around the library do that people have published, each in a few lines. */
export const PUBLISHED_PROGRAMS = [
  {
    name: 'a service adds an operation to one flow for each of its requests',
    program: async ({ url, benchrest }) => {
      const flow = { main: [] };
      const options = {};
      for (const [method, path] of [
        ['get', 'a'],
        ['post', 'b'],
        ['put', 'c'],
      ]) {
        const operation = {};
        operation[method] = `${url}/${path}`;
        operation.headers = { uuid: '1234' };
        flow.main.push(operation);
        Object.assign(options, { iterations: 1, limit: 1 });
        await ended(benchrest(flow, options));
      }
    },
  },
  {
    name: 'a flow is read when its run has ended',
    program: async ({ url, log, benchrest }) => {
      for (const flow of [{ main: [{ get: `${url}/a` }] }, { main: [{ get: `${url}/b`, headers: { x: 'y' } }] }]) {
        await ended(benchrest(flow, ONE));
        log(flow.main[0].get, flow.main.length, flow.main[0].headers?.x);
      }
    },
  },
  {
    name: 'virtual users and iterations are added until a run is too slow',
    program: ({ url, log, benchrest }) =>
      new Promise((done) => {
        const options = { limit: 1, iterations: 1 };
        const step = () =>
          benchrest({ main: ['/', '/a', '/b'].map((path) => ({ get: url + path })) }, options).on(
            'end',
            (stats, errors) => {
              log(options.limit, errors, stats.main.histogram.p95 < 60_000);
              options.limit += 1;
              options.iterations += 1;
              if (options.limit < 4) step();
              else done();
            },
          );
        step();
      }),
    isUnordered: true,
  },
  {
    name: 'a series of flows, whose callback is called for errors and at the end',
    program: async ({ url, log, benchrest }) => {
      const flows = [{ main: [{ get: `${url}/a` }] }, { main: [{ get: `${url}/status/500` }] }, `${url}/b`];
      for (const flow of flows)
        await new Promise((next) => {
          benchrest(flow, TWO)
            .on('error', (err) => next(log(typeof err.stack)))
            .on('end', () => next());
        });
    },
  },
  {
    name: 'a test whose listeners compare with assert and call done twice',
    program: ({ url, log, benchrest }) =>
      new Promise((resolve) => {
        let calls = 0;
        const done = () => ++calls === 2 && resolve(log(calls));
        const verify = (all) => {
          const body = typeof all.body === 'string' ? JSON.parse(all.body) : all.body;
          if (body.err) throw new Error('has err');
          return all;
        };
        const main = [{ get: `${url}/a`, rejectUnauthorized: false, afterHooks: [(all) => verify(all)] }];
        benchrest({ main }, ONE)
          .on('error', () => done())
          .on('end', () => done());
      }),
  },
  {
    name: 'a worker gets its options as JSON and sends its stats as JSON',
    program: async ({ url, log, benchrest }) => {
      const message = JSON.parse(`{"site":"${url}/a","limit":"1","iterations":"3","prealloc":"2"}`);
      const flow = { before: [], beforeMain: [], main: [{ get: message.site }], afterMain: [], after: [] };
      const { limit, iterations, prealloc } = message;
      const { stats } = await ended(benchrest(flow, { progress: 1000, limit, iterations, prealloc }));
      const { main, totalElapsed } = JSON.parse(JSON.stringify(stats));
      log(main.meter.count, typeof totalElapsed);
    },
  },
  {
    name: 'stats get a name, and are collected and printed',
    program: async ({ url, log, benchrest }) => {
      const results = { flows: [] };
      for (const name of ['beacon', 'metadata']) {
        const { stats } = await ended(benchrest({ main: [{ post: `${url}/${name}`, json: { a: 1 } }] }, ONE));
        stats.name = name;
        results.flows.push(stats);
      }
      log(results.flows.map(({ name, main }) => [name, main.meter.count]));
      log(inspect(results, { depth: null }).includes('histogram'));
    },
  },
  {
    name: 'stats become lines of CSV',
    program: async ({ url, log, benchrest }) => {
      const { stats } = await ended(benchrest(`${url}/a`, TWO));
      const { meter, histogram } = stats.main;
      const cells = [meter.count, meter.mean, meter.currentRate, meter['1MinuteRate'], meter['5MinuteRate']];
      const more = ['min', 'max', 'sum', 'variance', 'mean', 'stddev', 'p25', 'median', 'p75', 'p95', 'p99', 'p999'];
      log([...cells, ...more.map((name) => histogram[name])].map((cell) => typeof cell).join());
    },
  },
  {
    name: 'every entry of stats but totalElapsed is a timer',
    program: async ({ url, log, benchrest }) => {
      const operation = { get: `${url}/a`, beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] };
      const { stats } = await ended(benchrest([operation, operation], TWO));
      log(Object.keys(stats).every((name) => name === 'totalElapsed' || stats[name].histogram !== undefined));
    },
  },
  {
    name: 'a limit for the mean time decides whether a build fails',
    program: ({ url, log, benchrest }) =>
      new Promise((resolve) => {
        const flow = { filename: 'show', env: { nfr: 60_000, dir: './reports/' }, main: [{ get: `${url}/a` }] };
        benchrest(flow, TWO).on('end', (stats) => resolve(log(stats.main.histogram.mean <= flow.env.nfr)));
      }),
  },
  {
    name: 'a run rejects with its first error, and resolves with stats',
    program: async ({ url, log, benchrest }) => {
      const run = (flow) =>
        new Promise((resolve, reject) => {
          benchrest(flow, ONE).on('error', reject).on('end', resolve);
        });
      log(typeof (await run(`${url}/a`)));
      log(await run(`${url}/status/500`).catch((error) => error.message));
    },
  },
  {
    name: 'methods of a logger listen to a run',
    program: ({ url, log, benchrest }) => {
      const logger = { lines: [], error: (...words) => log(words.length), info: () => {} };
      return ended(
        benchrest(`${url}/status/500`, ONE).on('error', logger.error.bind(logger)).on('progress', logger.info),
      );
    },
  },
  {
    name: 'a run starts some time after its flow was made',
    program: ({ url, benchrest }) =>
      new Promise((done) =>
        setTimeout(() => ended(benchrest({ post: `${url}/a`, json: { lower: 0 } }, ONE)).then(done), 5),
      ),
  },
  {
    name: 'the next run starts a while after the end of the first',
    program: ({ url, benchrest }) =>
      new Promise((done) => {
        benchrest(`${url}/a`, ONE).on('end', () =>
          setTimeout(() => benchrest(`${url}/b`, ONE).on('end', () => done()), 5),
        );
      }),
  },
  {
    name: 'a run is an EventEmitter, also with new',
    program: async ({ url, log, benchrest }) => {
      const run = benchrest(`${url}/a`, ONE);
      log(run instanceof EventEmitter);
      run.setMaxListeners(0);
      run.on('mine', (value) => log(value));
      run.emit('mine', 'own event');
      await ended(run);
    },
  },
  {
    name: 'benchrest is called with new',
    program: ({ url, benchrest: Benchrest }) => ended(new Benchrest(`${url}/a`, ONE)),
  },
  {
    name: 'benchrest is called as a method, with apply, and bound',
    program: async ({ url, benchrest }) => {
      await ended({ benchrest }.benchrest(`${url}/a`, ONE));
      await ended(benchrest.apply(null, [`${url}/b`, ONE]));
      await ended(benchrest.bind({}, `${url}/c`)(ONE));
    },
  },
  {
    name: 'a third argument',
    program: ({ url, benchrest }) => ended(benchrest(`${url}/a`, ONE, 'unused')),
  },
  {
    name: 'iterations that are not a number',
    program: ({ url, benchrest }) => ended(benchrest(`${url}/a`, { limit: 1, iterations: parseInt(undefined, 10) })),
  },
  {
    name: 'options that are not numbers',
    program: ({ url, benchrest }) =>
      ended(benchrest(`${url}/a`, { ...ONE, prealloc: parseInt(undefined, 10), progress: parseInt('x', 10) })),
  },
  {
    name: 'options from the environment',
    program: ({ url, benchrest }) => {
      const { LIMIT, ITERATIONS = '2' } = {};
      return ended(benchrest(`${url}/a`, { limit: LIMIT || 1, iterations: ITERATIONS }));
    },
  },
  {
    name: 'options of several runs are one object',
    program: async ({ url, log, benchrest }) => {
      const options = { limit: 1, iterations: 3, prealloc: 100 };
      await ended(benchrest(`${url}/a`, options));
      options.iterations = 1;
      await ended(benchrest(`${url}/b`, options));
      log(options.limit, options.iterations);
    },
  },
  {
    name: 'arguments of a command line that minimist has read',
    program: ({ url, benchrest }) =>
      ended(benchrest(`${url}/a`, { _: ['a.js'], n: 2, iterations: 2, c: 1, limit: 1, site: 'x' })),
  },
  {
    name: 'arguments of a command line that yargs has read',
    program: ({ url, benchrest }) =>
      ended(benchrest(`${url}/a`, { _: [], $0: 'bench.js', iterations: 2, i: 2, limit: 1, l: 1, u: undefined })),
  },
  {
    name: 'a run without a listener of end',
    program: ({ url, benchrest }) => void benchrest([{ get: `${url}/a` }, { get: `${url}/b` }], TWO),
  },
  {
    name: 'progress is printed in steps of percents',
    program: async ({ url, log, benchrest }) => {
      let last = -1;
      const run = benchrest(`${url}/a`, { limit: 1, iterations: 3, progress: 1 });
      run.on('progress', (stats, percent, concurrent, ips) => {
        if (percent < last || percent > 100 || typeof ips !== 'number') log('wrong', percent, last);
        last = percent;
      });
      await ended(run);
    },
  },
  {
    name: 'an error decides by its code',
    program: ({ log, benchrest }) =>
      ended(benchrest('http://127.0.0.1:1/', TWO).on('error', (err) => log(err.code === 'ECONNREFUSED'))),
  },
];

import { benchrest } from '../../index.js';

const [name, base, iterations, limit] = process.argv.slice(2);

let failures = 0;
/** Flow and options of each kind of run. */
const KINDS = {
  ok: { flow: '/' },
  failing: {
    flow: {
      get: '/',
      beforeHooks: [
        () => {
          throw new Error(`no two are alike: ${failures++}`);
        },
      ],
    },
  },
  cookies: { flow: ['/login', '/'] },
  hooks: {
    flow: {
      get: '/doc',
      beforeHooks: ['useEtag'],
      afterHooks: [
        'saveEtag',
        async ({ body, env }) => {
          if (!body) throw new Error(`nothing for ${env.index}`);
        },
      ],
    },
  },
  capture: {
    flow: [
      { post: '/items', capture: { id: '$.id', type: { header: 'content-type' } } },
      { get: '/items/#{id}', headers: { accept: '#{type}' } },
    ],
  },
  workers: { flow: '/', options: { workers: 2 } },
};

// Waits after the run until it is terminated or orphaned, so that its memory can be read.
process.on('disconnect', () => process.exit());

const { flow, options } = KINDS[name];
const run = benchrest(flow, {
  iterations: Number(iterations),
  limit: Number(limit),
  progress: 250,
  baseUrl: base,
  ...options,
}).on('progress', (stats) => process.send({ iterations: stats.iterations.started }));
const { errorCount } = await run;
process.send({ iterations: Number(iterations), isOver: true, errors: errorCount });

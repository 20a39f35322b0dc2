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
  /** scenarios, rows, checks, repetitions, groups and a function that makes requests */
  scenarios: {
    flow: {
      data: { users: Array.from({ length: 1000 }, (_, i) => ({ name: `user${i}` })) },
      scenarios: {
        browse: {
          weight: 3,
          main: [{ get: '/', repeat: 2, when: ({ index }) => index % 10 > 0, expect: { status: 200 } }],
        },
        buy: {
          main: [
            {
              post: '/items',
              json: { of: '#{users.name}' },
              capture: { id: '$.id' },
              expect: { json: { '$.name': 'item' } },
              group: 'checkout',
            },
            { get: '/items/#{id}', expect: { text: 'hello' }, group: 'checkout' },
            async ({ request, index, vars, data }) => {
              const { json } = await request({ post: '/items', json: { index, of: data.users.name }, name: 'again' });
              if (json.id === vars.id) throw new Error(`no new item: ${vars.id}`);
            },
          ],
        },
      },
    },
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

// Compiled in strict mode by test/tools/types.test.js: what a TypeScript program writes.
import http from 'node:http';

import benchrest, { benchrest as named, capacity, defineFlow, type All, type Capacity, type CapacityOptions, type Flow, type Hook, type Operation, type RunOptions, type Stats } from 'bench-rest';
import { startTarget } from 'bench-rest/target';

const remember: Hook = (all: All) => {
  const status: number = all.response.statusCode;
  all.iterCtx.status = status;
  all.env.stats.timer('mine').update(1);
};
const later: Hook = async (all) => {
  if (all.env.index === 3) all.requestOptions.headers['x-three'] = 'yes';
  return all;
};
const item: Operation = { put: '/items/#{INDEX}', json: { deep: ['#{INDEX}'] }, headers: { a: 1, b: ['x', 'y'] }, beforeHooks: [later], afterHooks: ['verify2XX', remember], pause: [1, '2s'] };
const old: Operation = { get: '/', baseUrl: 'https://localhost/', agentOptions: { rejectUnauthorized: false, keepAlive: true }, secureProtocol: 'TLSv1_2_method' };
const flows: Flow[] = [
  old,
  { vars: { region: 'eu', id: null }, before: [{ post: '/login', capture: { token: '$.token', sid: { cookie: 'sid' } } }], main: [{ post: '/#{region}', capture: { id: { json: '$.id', default: 0 }, tag: { header: 'etag' }, code: { status: true }, page: { text: /page=(\d+)/ } }, afterHooks: [(all) => void (all.vars.id += 1)] }, { get: ({ vars }) => `/items/${vars.id}` }] },
  'http://localhost/', new URL('./flow.js', import.meta.url), item, ['/a', item], { oneOf: ['/a', { get: '/b', weight: 2 }] }, ['/a', { oneOf: [item] }, { put: '/x', body: { file: 'x.json' } }],
  { before: ['/'], main: [item, { method: 'PUT', uri: '/', body: Buffer.from('x') }], runOptions: { limit: 1 }, thresholds: { p99: '<1s' }, beforeHooks: ['useEtag'] },
  { data: { users: 'users.csv', items: [{ sku: 1 }], more: { file: 'more.csv', order: 'unique', whenEmpty: 'fail', delimiter: ';' } }, main: [{ get: ({ data, vars }) => `/${data.users.email}/${vars.id}`, afterHooks: [(all) => void (all.iterCtx.row = all.data.items)] }] },
];
const options: RunOptions = {
  limit: 10, iterations: '10k', duration: '30s', stages: ['30s:100', { duration: 100, limit: 5 }], workers: 'auto', warmup: { duration: '1s' }, target: http.createServer(),
  signal: AbortSignal.timeout(1000), thresholds: ['p95<1s'], bailout: '5%', pause: [1, 2], httpClient: 'undici', connectTo: { 'api.test:80': { host: '127.0.0.1', port: 8000 } }, args: { user: 'ann', count: 1 }, envFiles: ['.env'],
};

// hooks need no types in here
const defined: Flow = defineFlow({
  main: [{ post: '/x', auth: { bearer: () => 'x' }, beforeHooks: [({ requestOptions }) => void (requestOptions.headers.a = 1)], afterHooks: ['verify2XX', async (all) => all] }],
  tokens: { user: ({ index = 0 }) => index }, section: (result) => [[result.requests.rate]],
});
const made = defineFlow(({ args }) => [{ get: `/users/${args.user}`, afterHooks: [(all) => all.response.statusCode > 300 ? all.skip() : undefined] }]);
const controlled = [
  defineFlow({
    beforeUser: async ({ vuCtx, measure }) => { vuCtx.n = await measure('connect', async () => 5, { timeout: '1s' }); },
    main: [
      { measure: 'insert', run: async ({ signal, index = 0 }) => (signal.aborted ? 0 : index.toFixed()), expect: { json: { $: 1 } } },
      async ({ measure }) => { const n: number = await measure('select', () => Promise.resolve(5)); return n; },
      { post: '/graphql', graphql: { file: 'a.graphql', persisted: true }, variables: { n: ({ index = 0 }) => index + 1 }, expect: { graphql: 'allow-errors' } },
    ],
    afterUser: ({ vuCtx }) => vuCtx.n,
  }),
  defineFlow({ vars: { n: 2 }, main: [{ get: '/', repeat: ({ index }) => (index ?? 0) + 1, when: ({ vars }) => vars.n > 1, pause: ({ index = 0 }) => index.valueOf() }, async ({ request, index = 0 }) => { await request(`/${index.toFixed()}`); }] }),
  defineFlow({ scenarios: { buy: { main: ['/', { get: '/', repeat: async ({ index = 1 }) => index.valueOf(), when: async ({ data }) => data.users.ready }] } } }),
  defineFlow([`/${flows.length}`, { put: '/', repeat: ({ index = 0 }) => index % 2 }]), defineFlow({ get: '/', repeat: ({ index = 0 }) => index, when: ({ vars }) => vars.id }),
];
export const unannotated: Flow = { main: [{ get: '/', repeat: ({ vars }) => vars.n }] };
const later2 = defineFlow(async () => ['/a', new URL('http://localhost/')]);
export const single = [defineFlow('/a'), defineFlow([item]), defineFlow({ get: '/' }), made({ args: { user: 'ann' } }), later2({ args: {} })];

export async function program(): Promise<number | null> {
  const run = benchrest(flows[0], options);
  run.on('error', (error, phase) => console.error(error.message, error.code?.length, phase.length));
  run.on('progress', (stats: Stats, percent, concurrent, ips) => console.log(stats.series.points[0].responseTime.p99, percent + concurrent + ips));
  run.once('end', (stats, errorCount) => console.log(stats.validity.status === 'valid', errorCount.toFixed()));
  run.stop('enough', { within: 100 });
  await benchrest(defined, options);
  const { stats, errorCount, endReason } = await named(flows[1], options);
  const target = await startTarget({ port: 0 });
  await target.close();
  const [{ times, statusCodes }] = stats.operations;
  console.log(errorCount, endReason.length, statusCodes['200'], times.serviceTime.p95, stats.thresholds?.[0].passed, stats.iterations.plannedRate, stats.main.corrected?.count);
  const search: CapacityOptions = { thresholds: 'p99<200ms', from: '100/s', within: 0.02, step: '5s', atLeast: 500, limit: 100, onStep: ({ load, outcome }) => console.log(load.rate?.toFixed(), outcome.status === 'passed') };
  const found: Capacity = await capacity(flows[0], search);
  const { conclusion, steps: [first], scalability, outcome } = found;
  console.log(conclusion.load?.toFixed(), conclusion.interval.high?.toFixed(), first.responseTime.p99, scalability?.contention?.error, outcome?.passed);
  return stats.main.histogram.p95;
}

// @ts-expect-error a place of a response that there is not
const wrongCapture: Operation = { get: '/', capture: { id: { heder: 'etag' } } };
// @ts-expect-error no method of HTTP
const wrongMethod: Operation = { fetch: '/' };
// @ts-expect-error a hook that there is not
const wrongHook: Operation = { get: '/', afterHooks: ['verify2xx'] };
// @ts-expect-error an option that there is not
const wrongOption: RunOptions = { limti: 5 };
// @ts-expect-error the search sets the rate
const wrongCapacity: CapacityOptions = { rate: 5 };
// @ts-expect-error a phase that there is not
const wrongPhase: Flow = { mian: ['/'] };
// @ts-expect-error a phase that there is not
defineFlow({ mian: ['/'] });
// @ts-expect-error an option that there is not
defineFlow({ main: ['/'], runOptions: { limti: 1 } });
// @ts-expect-error a hook that there is not
defineFlow(() => ({ main: [{ get: '/', afterHooks: ['verify2xx'] }] }));
// @ts-expect-error an order that there is not
const wrongOrder: Flow = { data: { users: { file: 'users.csv', order: 'any' } }, main: ['/'] };
// @ts-expect-error a repetition that is no number
const wrongRepeat: Flow = { main: [{ get: '/', repeat: ({ index }) => `${index}` }] };
// @ts-expect-error an operation in an operation
const wrongStep: Flow = { main: [['/']] };
// @ts-expect-error a number is no operation
const wrongNumber: Flow = { main: [1] };
export { controlled, wrongNumber, wrongRepeat, wrongStep, wrongCapacity, wrongCapture, wrongOrder, wrongMethod, wrongHook, wrongOption, wrongPhase };

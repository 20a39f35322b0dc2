/**
 * The benchmarks, with their connections. `does` names the workload of the peers if that is another one, `others` that of
 * the peers except ours; `path` and `target` say what is asked for, if that is not `/` of the HTTP target. `floors` are the
 * goals for ours/peer in requests per second, `cpu` those for ours/peer in CPU time per request: printed, never asserted.
 * `beside` is the one peer of the short pass, `npm run bench -- goals`; `manyBeside` the peers of `npm run bench -- connections`.
 */
export const works = [
  {
    name: 'plain-get',
    beside: 'wrk',
    manyBeside: ['node-net', 'wrk'],
    connections: 50,
    floors: { wrk: 0.92, loadtest: 1.15, autocannon: 1.5, undici: 0.85 },
    cpu: { wrk: 1.1 },
  },
  {
    name: 'plain-get-1000',
    does: 'plain-get',
    beside: 'wrk',
    manyBeside: ['node-net', 'wrk'],
    connections: 1000,
    floors: { wrk: 0.85, autocannon: 1.5 },
    cpu: { wrk: 1.25 },
  },
  {
    name: 'plain-get-8000',
    does: 'plain-get',
    only: ['node-net', 'wrk'],
    manyBeside: ['node-net', 'wrk'],
    connections: 8000,
    floors: {},
  },
  { name: 'put-get', beside: 'wrk', connections: 50, floors: { wrk: 1.1, autocannon: 1.9, 'bench-rest-1': 12 } },
  {
    name: 'login',
    others: 'plain-get',
    only: ['autocannon'],
    beside: 'autocannon',
    connections: 50,
    floors: { autocannon: 1.3 },
  },
  { name: 'hook', others: 'plain-get', only: ['ours-plain'], connections: 50, floors: { 'ours-plain': 0.85 } },
  { name: 'capture', only: ['autocannon', 'k6'], connections: 50, floors: { autocannon: 1.5, k6: 8 } },
  {
    name: 'tls',
    does: 'plain-get',
    target: 'tls',
    only: ['wrk', 'autocannon', 'node-net'],
    beside: 'wrk',
    connections: 50,
    floors: { wrk: 0.9 },
  },
  {
    name: 'large',
    does: 'plain-get',
    path: '/large',
    only: ['wrk', 'autocannon'],
    beside: 'wrk',
    connections: 50,
    floors: { wrk: 0.95 },
  },
  { name: 'websocket', target: 'echo', connections: 50, floors: { loadtest: 1.15 }, cpu: { loadtest: 0.8 } },
  { name: 'workers', only: ['ours-one'], beside: 'ours-one', connections: 50, floors: {}, cpu: { 'ours-one': 1.05 } },
];

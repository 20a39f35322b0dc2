/**
 * The benchmarks, with their connections. `about` is their name in docs/numbers.md. `does` names the workload of the peers
 * if that is another one, `others` that of the peers except ours; `path` and `target` are what is requested, if that is not
 * `/` of the HTTP target. `floors` are the goals for ours/peer in requests per second, `cpu` those for ours/peer in CPU
 * time per request: both are printed, never asserted.
 * `beside` is the one peer of the short pass, `npm run bench -- goals`; `manyBeside` the peers of `npm run bench -- connections`.
 * `streams`: over HTTP/2, on each of the connections.
 */
export const works = [
  {
    name: 'plain-get',
    about: 'a plain GET',
    beside: 'wrk',
    manyBeside: ['node-net', 'wrk'],
    connections: 50,
    floors: { wrk: 0.97, loadtest: 1.15, autocannon: 1.5, undici: 0.85 },
    cpu: { wrk: 1.05 },
  },
  {
    name: 'plain-get-1000',
    about: 'a plain GET',
    does: 'plain-get',
    beside: 'wrk',
    manyBeside: ['node-net', 'wrk'],
    connections: 1000,
    floors: { wrk: 0.95, autocannon: 1.5 },
    cpu: { wrk: 1.12 },
  },
  {
    name: 'plain-get-10000',
    does: 'plain-get',
    only: ['node-net', 'wrk'],
    beside: 'wrk',
    manyBeside: ['node-net', 'wrk'],
    connections: 10_000,
    floors: { wrk: 0.9 },
  },
  {
    name: 'put-get',
    about: 'PUT and GET of a new item',
    beside: 'wrk',
    connections: 50,
    floors: { wrk: 1.1, autocannon: 1.9, 'bench-rest-1': 12 },
  },
  {
    name: 'login',
    others: 'plain-get',
    only: ['autocannon'],
    beside: 'autocannon',
    connections: 50,
    floors: { autocannon: 1.3 },
  },
  { name: 'hook', others: 'plain-get', only: ['ours-plain'], connections: 50, floors: { 'ours-plain': 0.85 } },
  {
    name: 'capture',
    about: 'POST, then GET of the id in its response',
    only: ['autocannon', 'k6'],
    connections: 50,
    floors: { autocannon: 1.5, k6: 10 },
  },
  {
    name: 'tls',
    about: 'a plain GET over TLS',
    does: 'plain-get',
    target: 'tls',
    only: ['wrk', 'autocannon', 'node-net'],
    beside: 'wrk',
    connections: 50,
    floors: { wrk: 0.95 },
  },
  {
    name: 'large',
    does: 'plain-get',
    path: '/large',
    only: ['wrk', 'autocannon'],
    beside: 'wrk',
    connections: 50,
    floors: { wrk: 1 },
  },
  { name: 'websocket', target: 'echo', connections: 50, floors: { loadtest: 1.15 }, cpu: { loadtest: 0.8 } },
  { name: 'workers', only: ['ours-one'], beside: 'ours-one', connections: 50, floors: {}, cpu: { 'ours-one': 1.05 } },
];

/** Connections and streams over HTTP/2: one connection, few, one for each stream, many streams on each. */
const SHAPES = [
  [1, 50],
  [10, 5],
  [50, 1],
  [10, 50],
];

/** @type {(target: string, connections: number, streams: number) => object} */
const http2Work = (target, connections, streams) => ({
  name: `${target}-${connections}x${streams}`,
  does: 'plain-get',
  only: ['h2load'],
  target,
  connections,
  streams,
  floors: { h2load: 1 },
  cpu: { h2load: 1.3 },
});

/** Those of `npm run bench -- h2`. */
export const http2Works = [
  ...['h2c', 'h2'].flatMap((target) => SHAPES.map(([connections, streams]) => http2Work(target, connections, streams))),
  { ...http2Work('h2c', 1000, 1), floors: {}, cpu: {} },
  {
    ...http2Work('h2c', 10, 5),
    name: 'h2c-capture',
    does: 'capture',
    others: 'plain-get',
    floors: {},
    cpu: { h2load: 1.6 },
  },
  { ...http2Work('h2c', 10, 5), name: 'h2c-large', path: '/large', floors: { h2load: 1 }, cpu: {} },
  {
    ...http2Work('h2c', 10, 5),
    name: 'h2c-post-large',
    does: 'post-large',
    path: '/upload',
    floors: { h2load: 1 },
    cpu: {},
  },
];

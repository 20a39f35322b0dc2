const times = () => ({ min: 1, max: 100, sum: 5050, variance: 841, mean: 50.5, stddev: 29, count: 100, median: 50, p75: 75, p90: 90, p95: 95, p99: 99, p999: 100, outOfRange: 0 });
const none = () => ({ min: null, max: null, sum: 0, variance: null, mean: null, stddev: null, count: 0, median: null, p75: null, p90: null, p95: null, p99: null, p999: null, outOfRange: 0 });
const meter = () => ({ mean: 30, count: 98, currentRate: 30, '1MinuteRate': 0, '5MinuteRate': 0, '15MinuteRate': 0 });

/** A whole result, written out. */
export const literalResult = () => ({
  schema: 1,
  run: {
    id: 'one', tool: 'bench-rest 2.0.0', startedAt: '2026-11-21T00:00:00.000Z', flow: { from: '/flow.js', hash: 'abc' }, shape: '3 s, 34/s', origins: ['http://127.0.0.1:8000'], options: { rate: 34 },
    machine: { node: 'v20.0.0', platform: 'linux', arch: 'x64', cpus: '2 x CPU', memory: 1 }, why: 'done',
  },
  totalElapsed: 3100,
  measuredElapsed: 3000,
  main: { meter: meter(), histogram: times(), serviceTime: times(), ok: times() },
  iterations: { started: 100, completed: 90, failed: 8, cancelled: 2, teardownFailed: 0, late: 1, maxBacklog: 1, dropped: 0 },
  requests: {
    count: 100, sent: 100, answered: 98, failed: 0, cancelled: 2, retries: 0, redirects: 0, ok: 90, rate: 32.667, okRate: 30, bytesSent: 4900, bytesReceived: 9800,
    connections: { opened: 10, reused: 88, closedByServer: 0, discarded: 0, asked: 10, reached: 10 }, statusCodes: { 200: 90, 503: 8 }, connect: times(), tls: none(), ttfb: times(),
  },
  operations: [
    { name: 'GET /items', phase: 'main', count: 98, errors: 8, statusCodes: { 200: 90, 503: 8 }, serviceTime: times() },
    { name: 'GET /bye', phase: 'after', count: 1, errors: 0, statusCodes: {}, serviceTime: none() },
  ],
  exemplars: {
    slowest: [{ index: 7, operation: 'flow.main[0] GET /items', status: 200, ms: 100, reused: true, scheduled: 1, started: 2, connected: null, sent: 3, firstByte: 90, ended: 102 }],
    failed: [{ index: 4, operation: 'flow.main[0] GET /items', status: 503, ms: 5, reused: false, scheduled: null, started: 2, connected: 2.5, sent: 3, firstByte: 6, ended: 7, code: 'E_STATUS', error: 'error statusCode: 503' }],
  },
  series: {
    interval: 1000,
    points: [30, 34, 34].map((count, i) => ({ at: i * 1000, count, errors: i, p50: 50, p99: 99, max: 100, concurrency: 1.5, utilization: 0.3 })),
  },
  errors: { count: 8, kinds: { status: 8 }, samples: [{ message: 'error statusCode: 503', context: 'main', kind: 'status', code: 'E_STATUS', operation: 'flow.main[0] GET /items', count: 8, firstIndex: 4 }] },
  client: { utilization: 0.3, delay: { mean: 0.1, p99: 1, max: 2 }, cpu: 50, gc: 2, workers: 1, cpuPerRequest: 0.5, rate: { asked: 34, reached: 33.333 }, startDelay: times(), saturated: false, notes: [] },
  verdict: { status: 'suspect', reasons: ['errors: 8 in 100 iterations'] },
  thresholds: [
    { expression: 'p99<200ms', passed: true, actual: 99, unit: 'ms' },
    { expression: 'errors<1%', passed: false, actual: 8, unit: '%' },
  ],
  histograms: { main: null, ok: null, serviceTime: null, startDelay: null, connect: null, tls: null, ttfb: null, operations: [null, null], timers: {}, series: ['', '', ''] },
  exit: { code: 99, reasons: ['threshold'] },
});

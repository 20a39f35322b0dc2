import { RUN_HEAD } from '../../lib/core/measure/document.js';
import { Histogram } from '../../lib/core/measure/histogram.js';
import { judged } from './judged.js';
import { outcomeFor } from '../../lib/core/measure/outcome.js';
import { noStops } from './no-stops.js';

const times = () => ({
  min: 1,
  max: 100,
  sum: 5050,
  variance: 841,
  mean: 50.5,
  stddev: 29,
  count: 100,
  median: 50,
  p75: 75,
  p90: 90,
  p95: 95,
  p99: 99,
  p999: 100,
  outOfRange: 0,
});
const none = () => ({
  min: null,
  max: null,
  sum: 0,
  variance: null,
  mean: null,
  stddev: null,
  count: 0,
  median: null,
  p75: null,
  p90: null,
  p95: null,
  p99: null,
  p999: null,
  outOfRange: 0,
});
const meter = () => ({ mean: 30, count: 98, currentRate: 30, '1MinuteRate': 0, '5MinuteRate': 0, '15MinuteRate': 0 });

export const literalMachine = () => ({
  ...{ platform: 'linux', arch: 'x64', cores: 2, cpuModel: 'CPU', memory: 1, runtime: 'node 20.0.0' },
});

/** A complete result as a literal. */
export const literalResult = () => ({
  ...RUN_HEAD,
  id: 'one',
  tool: { name: 'bench-rest', version: '2.0.0' },
  startedAt: '2026-11-21T00:00:00.000Z',
  run: {
    flow: { source: '/flow.js', sha256: 'abc' },
    loads: [{ name: 'main', rate: 34, virtualUsers: 10, text: '3 s, 34/s' }],
    origins: ['http://127.0.0.1:8000'],
    proxies: [],
    options: { rate: 34 },
    endReason: 'completed',
  },
  loadGenerators: [{ name: 'local', toolVersion: '2.0.0', workers: 1, machine: literalMachine() }],
  totalElapsed: 3100,
  measuredElapsed: 3000,
  main: {
    ...{ meter: meter(), histogram: times(), completed: times(), serviceTime: times() },
    ...{ least: times(), serviceLeast: times(), failed: none(), cancelled: none() },
  },
  iterations: {
    started: 100,
    completed: 90,
    failed: 8,
    cancelled: 2,
    teardownFailed: 0,
    late: 1,
    maxBacklog: 1,
    dropped: 0,
    busyTime: 5050,
    ...{ endedEarly: 0, furtherErrors: 0, backlog: 0, slowest: 100, promptTime: 0 },
    plannedRate: 34,
    startedRate: 33.333,
    rate: 98 / 3,
    completedRate: 98 / 3,
  },
  requests: {
    count: 100,
    sent: 100,
    answered: 98,
    unanswered: 0,
    cancelled: 2,
    retries: 0,
    redirects: 0,
    ...{ authChallenges: 0, reconnects: 0, skipped: 0 },
    rate: 32.667,
    statusCodes: { 200: 90, 503: 8 },
    ttfb: times(),
  },
  connections: { opened: 10, requestsOnReused: 88, closedByServer: 0, discarded: 0, connect: times() },
  bytes: { sent: 4900, received: 9800, receivedRate: 9800 / 3 },
  virtualUsers: { started: 10, answered: 10 },
  operations: [
    {
      name: 'GET /items',
      phase: 'main',
      count: 98,
      rate: 98 / 3,
      errors: 8,
      statusCodes: { 200: 90, 503: 8 },
      protocol: 'http',
      labels: {},
      times: { serviceTime: times() },
    },
    {
      name: 'GET /bye',
      phase: 'after',
      protocol: 'http',
      labels: {},
      ...{ count: 1, rate: 1 / 3, errors: 0, statusCodes: {} },
      times: { serviceTime: none() },
    },
  ],
  exemplars: {
    slowest: [
      {
        index: 7,
        operation: 'GET /items',
        path: 'flow.main[0]',
        status: 200,
        serviceTime: 100,
        reused: true,
        due: 1,
        started: 2,
        connected: null,
        sent: 3,
        firstByte: 90,
        ended: 102,
      },
    ],
    failed: [
      {
        index: 4,
        operation: 'GET /items',
        path: 'flow.main[0]',
        status: 503,
        serviceTime: 5,
        reused: false,
        started: 2,
        connected: 2.5,
        sent: 3,
        firstByte: 6,
        ended: 7,
        code: 'E_STATUS',
        error: 'error statusCode: 503',
      },
    ],
  },
  series: {
    interval: 1000,
    points: [30, 34, 34].map((count, i) => ({
      at: i * 1000,
      iterations: { completed: count, completedRate: count, failed: i },
      errors: i,
      responseTime: { median: 50, p99: 99, max: 100 },
      concurrency: 1.5,
      bytes: { received: 30_000, receivedRate: 30_000 },
      loadGenerator: { eventLoopUtilization: 0.3 },
    })),
    spread: {
      'iterations.completedRate': { min: 30, p1: 30, p2_5: 30, median: 30, p97_5: 34, max: 34, mean: 32, stddev: 2 },
      'bytes.receivedRate': { min: 1e4, p1: 1e4, p2_5: 1e4, median: 3e4, p97_5: 3e4, max: 3e4, mean: 2e4, stddev: 1e4 },
    },
  },
  metrics: {},
  errors: {
    count: 8,
    share: 0.08,
    kinds: { status: 8 },
    details: [
      {
        message: 'error statusCode: 503',
        phase: 'main',
        kind: 'status',
        code: 'E_STATUS',
        path: 'flow.main[0]',
        operation: 'GET /items',
        count: 8,
        firstIndex: 4,
      },
    ],
  },
  loadGenerator: {
    eventLoopUtilization: 0.3,
    eventLoopDelay: { mean: 0.1, p99: 1, max: 2 },
    cpuTime: 50,
    gcTime: 2,
    stall: { longest: 0, extendedTimeouts: 0 },
    stops: noStops(),
    workers: 1,
    cpuTimePerRequest: 0.5,
    startDelay: times(),
    saturated: false,
    reasons: [],
  },
  validity: { status: 'suspect', reasons: [{ code: 'test', message: 'errors: 8 in 100 iterations' }] },
  thresholds: [judged('p99<200ms', 99), judged('errors<1%', 0.08)],
  outcome: outcomeFor(['threshold']),
});

/** A run that got no answer. */
export function unanswered() {
  const nothing = new Histogram().toJSON();
  const result = literalResult();
  const [sample] = result.errors.details;
  const message = 'connect ECONNREFUSED 127.0.0.1:9; is the server running there?';
  Object.assign(result.main, { histogram: nothing, serviceTime: nothing, completed: nothing });
  Object.assign(result.iterations, { completed: 0, failed: 100, cancelled: 0, late: 0 });
  Object.assign(result.requests, { answered: 0, sent: 0, failed: 100, statusCodes: {} });
  delete result.iterations.plannedRate;
  const errors = { ...result.errors, count: 100, share: 1 };
  errors.details = [{ ...sample, message, kind: 'connect', code: 'ECONNREFUSED', count: 100, firstIndex: 0 }];
  return { ...result, errors, thresholds: undefined, outcome: outcomeFor(['errors']) };
}

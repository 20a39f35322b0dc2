import { CAPACITY_HEAD } from '../../lib/addons/capacity/head.js';

const figures = (completedRate, median, p99) => ({
  iterations: { completedRate },
  responseTime: { median, p95: p99 * 0.9, p99, max: p99 * 1.1 },
  errors: { count: 0, share: 0 },
  ...{ concurrency: 4, backlogGrowth: 0 },
  loadGenerator: { eventLoopUtilization: 0.05, lostShare: 0 },
});
const step = (rate, role, reason, ...numbers) => ({
  role,
  load: { rate, virtualUsers: 100, duration: 10_000, warmup: 2000 },
  resultId: `run at ${rate}`,
  outcome: {
    passed: reason === null,
    status: reason === null ? 'passed' : 'failed',
    reasons: reason === null ? [] : [{ code: 'threshold', message: reason }],
  },
  validity: { status: 'valid', reasons: [] },
  ...figures(...numbers),
});

/** A capacity as a literal: a pool of 200/s. */
export const literalCapacity = () => ({
  ...CAPACITY_HEAD,
  startedAt: '2026-11-21T00:00:00.000Z',
  endedAt: '2026-11-21T00:02:00.000Z',
  tool: { name: 'bench-rest', version: '2.0.0' },
  loadGenerators: [
    {
      ...{ name: 'local', workers: 1 },
      machine: { cores: 2, platform: 'linux', arch: 'x64', cpuModel: 'CPU', memory: 1, runtime: 'node 20.0.0' },
    },
  ],
  by: 'rate',
  within: 0.05,
  conclusion: {
    code: 'found',
    message: 'The service holds 198/s (193 to 213/s): at 208/s p99<300ms failed with 748 ms',
    load: 198,
    interval: { low: 193, high: 213 },
    confirmed: true,
    iterations: { completedRate: 197.9 },
    knee: 80,
    limit: { code: 'threshold', message: 'at 208/s p99<300ms failed with 748 ms' },
  },
  steps: [
    step(20, 'search', null, 20, 20.4, 21.3),
    step(80, 'search', null, 79.9, 20.3, 21.2),
    step(320, 'search', 'p99<300ms failed with 3,221 ms', 199.2, 1620, 3221),
    step(40, 'settling', null, 40, 20.4, 21.6),
    step(198, 'search', null, 197.8, 25.8, 49.9),
    step(208, 'search', 'p99<300ms failed with 748 ms', 199.4, 391, 748),
    step(198, 'confirmation', null, 197.9, 25.6, 48.7),
  ],
  run: {
    flow: { source: 'app.js', sha256: 'abc' },
    origins: ['http://127.0.0.1:8123'],
    options: { thresholds: ['p99<300ms'] },
  },
  outcome: { passed: true, exitCode: 0, reasons: [] },
});

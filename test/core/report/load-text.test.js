import { expect } from 'chai';

import { usageText, spacingText } from '../../../lib/core/report/rows.js';

describe('the load in words', () => {
  it('a thread has an event loop', () => {
    const thread = {
      eventLoopUtilization: 0.5,
      eventLoopDelay: { mean: 1, p99: 2, max: 3 },
      cpuTime: 12,
      gcTime: 0.5,
      cpuTimePerRequest: 12.345,
    };
    expect(usageText(thread).join(', ')).to.equal(
      'event loop busy 50 %, delay p99 2.00 ms, CPU 12.0 ms, GC 0.500 ms, 12,345.0 µs per request',
    );
  });

  for (const [spacing, iterations, text] of [
    [{ count: 100, p95: 0.05, p99: 0.1 }, { plannedRate: 5 }, 'spaced within 0.050 ms (p99 0.100 ms)'],
    [{ count: 30, p95: 0.05, p99: null }, { plannedRate: 5 }, 'spaced within 0.050 ms'],
    [{ count: 3, p95: null, p99: null }, { plannedRate: 5 }, ''],
    [undefined, { plannedRate: 5 }, ''],
    [{ count: 100, p95: 0.05, p99: 0.1 }, {}, ''],
  ])
    it(`the spacing of arrivals, ${JSON.stringify(spacing)} ${iterations.plannedRate ? '' : 'in a closed run'}: '${text}'`, () =>
      expect(spacingText({ iterations, loadGenerator: { spacing } })).to.equal(text));

  it('a process has memory', () => {
    const server = { cpuTime: 1200, cpuCores: 1.5, cpuTimePerRequest: null, memory: { mean: 5e7, peak: 6e7 } };
    expect(usageText(server).join(', ')).to.equal('CPU 1,200 ms, 1.50 cores busy, memory 50.0 MB, at most 60.0 MB');
  });
});

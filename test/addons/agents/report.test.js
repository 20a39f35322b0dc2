import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { PROTOCOL, pack, reportedError, reportedOutcome } from '../../../lib/addons/agents/protocol.js';
import { readReport, reportOf as rebuilt } from '../../../lib/addons/agents/report.js';
import { checkRun } from '../../../lib/addons/agents/submission.js';
import { reportOf, stateOf } from '../../support/shard-reports.js';
import { itSlow } from '../../support/slow.js';

const PLAN = {
  ...{ shape: '10 iterations', origins: ['http://a'], proxies: [], options: { rate: 5 }, runId: 'r1' },
  operations: { before: [], beforeMain: [], main: ['GET /'], afterMain: [], after: [] },
  limits: { leadMs: null, warmUpMs: 0, endMs: null, gracefulStopMs: 1000, teardownMs: 1000 },
  shard: { number: 1, of: 2 },
};
const BEGUN = { plan: PLAN, from: 'flow.js', hash: 'h', notices: [], hints: ['a hint'] };
const TICK = { phase: 'main', elapsedMs: 5, share: 0.5, ended: 3, inFlight: 1, errors: 0 };
const ENDED = { state: 'ended', outcome: { kind: 'ended', why: 'completed' } };

/** A report as an agent sends it, in the middle of its part. */
const running = (change = {}) => ({ ...reportOf(stateOf([1, 2, 30], { running: 2 }), { tick: TICK }), ...change });
const changed = (change) => {
  const report = structuredClone(running());
  change(report);
  return report;
};
const faultOf = async (bytes) => {
  try {
    await readReport(bytes);
  } catch (error) {
    return error.message;
  }
  return 'accepted';
};
const refusal = async (report) => faultOf(await pack(report));
/** JSON text, for what JSON.stringify cannot write. */
const refusalOfText = (report, from, to) => faultOf(gzipSync(JSON.stringify(report).replace(from, to)));

describe('a report of a shard', () => {
  it('takes the plan of every run, as an agent makes it', async () => {
    for (const options of [
      { iterations: 4, limit: 2 },
      { duration: '5s', limit: 4, rate: 10, warmup: '1s', workers: 2, seed: 7 },
      { limit: 2, stages: ['1s:10'], runId: 'r', pipelining: 2 },
      { limit: 4, iterations: 4, http2: true, connections: 2, streams: 2 },
    ]) {
      const commandLine = [{ name: 'command line', options }];
      const config = { name: 'config', options: {} };
      const { begun } = await checkRun({ urls: ['http://127.0.0.1:1/'] }, { cwd: '.', config, commandLine, agents: 2 });
      expect(await refusal(running({ begun }))).to.equal('accepted');
    }
  });

  it('rebuilds the reports that agents send, in every state', async () => {
    for (const report of [
      running(),
      running({ begun: BEGUN, state: 'ready', stats: null, tick: null }),
      running({ state: 'refused', error: { code: 'E_FLOW', message: 'm' }, stats: null }),
      running({ ...ENDED, stats: stateOf([1, 2], { isOver: true }) }),
      running({ state: 'ended', outcome: { kind: 'aborted' }, stats: null }),
    ]) {
      const read = await readReport(await pack(report));
      expect(read).to.deep.equal(report);
      expect(rebuilt(report).agent).not.to.equal(report.agent);
    }
  });

  it('accepts a part of a shard that an agent took over on the second day of a run', async () => {
    expect(await refusal(running({ startDelayMs: 100_000_000 }))).to.equal('accepted');
  });

  it('accepts the errors and the ends that agents report, however long a message is', async () => {
    const long = 'x'.repeat(1e6);
    for (const thrown of [Object.assign(new Error(long), { code: 20 }), long, undefined, { message: null }])
      expect(await refusal(running({ state: 'refused', error: reportedError(thrown) }))).to.equal('accepted');
    for (const outcome of [
      { kind: 'lost', message: long },
      { kind: 'aborted', why: long },
    ])
      expect(await refusal(running({ state: 'ended', outcome: reportedOutcome(outcome) }))).to.equal('accepted');
  });

  for (const [what, change, reason] of [
    ['of another protocol', (report) => (report.protocol = PROTOCOL + 1), /^report.protocol: /],
    ['with an unknown property', (report) => (report.evaluate = '1'), 'report.evaluate: unknown property'],
    ['with an unknown figure', (report) => (report.stats.main.evil = 1), 'report.stats.main.evil: unknown property'],
    ['with a name that controls a terminal', (report) => (report.agent.name = 'a\u001b[2J'), /^report.agent.name: /],
    ['that is an hour away', (report) => (report.agent.roundTripMs = 3.6e6), /^report.agent.roundTripMs: .* to 60000/],
    ['in a state that does not exist', (report) => (report.state = 'sleeping'), /^report.state: /],
    ['with a sequence that is a text', (report) => (report.sequence = '1'), /^report.sequence: .*, got a string/],
    ['with a lease of any length', (report) => (report.lease = 'x'.repeat(1e6)), /^report.lease: /],
    ['with stats that are a list', (report) => (report.stats = []), /^report.stats: /],
    ['with a plan without options', (report) => (report.begun = { ...BEGUN, plan: {} }), /^report.begun.plan.shape: /],
    [
      'with a start delay that no clock measures',
      (report) => (report.startDelayMs = -1.7e308),
      /^report.startDelayMs: /,
    ],
    ['with a tick that is a text', (report) => (report.tick.ended = '3'), /^report.tick.ended: /],
    ['that has ended without an outcome', (report) => (report.state = 'ended'), /^report.outcome: contradicts/],
    ['that is refused without an error', (report) => (report.state = 'refused'), /^report.error: contradicts/],
    ['with an outcome while it runs', (report) => (report.outcome = { kind: 'ended' }), /^report.outcome: contradicts/],
  ])
    it(`A80 a report ${what} is refused`, async () => {
      expect(await refusal(changed(change))).to.match(new RegExp(reason));
    });

  for (const interval of [null, 0, -1000, '1000'])
    it(`A80 a series with an interval of ${JSON.stringify(interval)} is refused: it would have no end`, async () => {
      expect(await refusal(changed(({ stats }) => (stats.series.interval = interval)))).to.match(
        /^report\.stats\.series\.interval: expected a .*number.*, got /,
      );
    });

  for (const [what, change, place] of [
    ['a number as text', ({ loadGenerator }) => (loadGenerator.cpuTime = '500'), 'loadGenerator.cpuTime'],
    ['a time as text', ({ main }) => (main.histogram.p99 = '1'), 'main.histogram.p99'],
    ['a negative count', ({ iterations }) => (iterations.failed = -1), 'iterations.failed'],
    ['a count with a fraction', ({ requests }) => (requests.sent = 0.5), 'requests.sent'],
    ['a count above 2^53', ({ bytes }) => (bytes.sent = 1e300), 'bytes.sent'],
    ['more points than a series has', ({ series }) => (series.points = Array(10_001).fill({})), 'series.points'],
    ['a status that is none', ({ requests }) => (requests.statusCodes = { x: 1 }), 'requests.statusCodes.x'],
    ['a phase that is none', ({ errors }) => (errors.kinds = { x: 1 }), 'errors.kinds.x'],
  ])
    it(`A80 ${what} is refused by its place`, async () => {
      expect(await refusal(changed(({ stats }) => change(stats)))).to.include(`report.stats.${place}: expected `);
    });

  for (const [what, change, reason] of [
    ['more ended than started', ({ iterations }) => (iterations.failed = 9), 'iterations: more ended than started'],
    [
      'answered, but not sent',
      ({ requests }) => (requests.answered = 1),
      /^report.stats: requests: more were answered/,
    ],
    [
      'statuses of no answer',
      ({ requests }) => (requests.statusCodes = { 200: 5 }),
      /requests.statusCodes: not as many/,
    ],
    ['errors of no kind', ({ errors }) => (errors.count = 7), /errors.kinds: not as many as errors.count/],
    [
      'more completed than timed',
      ({ main }) => (main.completed.count = 100),
      /main.completed: more times than main.histogram/,
    ],
    [
      'more completed than there are times of',
      ({ iterations }) => (iterations.started = iterations.completed = 1e15),
      /iterations.completed: more than there are times in main.completed/,
    ],
    [
      'more ended early than started',
      ({ iterations }) => (iterations.endedEarly = 1e15),
      /iterations.endedEarly: more than iterations.started/,
    ],
    ['falling percentiles', ({ main }) => (main.histogram.p90 = 500), /main.histogram: its figures contradict/],
    ['a mean above the maximum', ({ main }) => (main.completed.mean = 500), /main.completed: its figures contradict/],
    [
      'points out of order',
      ({ series }) => (series.points = [POINT, POINT]),
      /series.points\[1\].at: not 1 intervals after the start/,
    ],
  ])
    it(`A81 a report whose account does not add up is refused: ${what}`, async () => {
      expect(await refusal(changed(({ stats }) => change(stats)))).to.match(new RegExp(reason));
    });

  it('A81 a part that has ended has no running iterations', async () => {
    const stats = stateOf([1, 2], { running: 1 });
    expect(await refusal(running({ ...ENDED, stats }))).to.equal(
      'report.stats: accounting: 3 iterations started, but 2 completed + 0 failed + 0 cancelled',
    );
    expect(await refusal(running({ state: 'ended', outcome: { kind: 'aborted' }, stats }))).to.equal('accepted');
  });

  it('A80 numbers beyond those of JSON, and a second property of one name, win nothing', async () => {
    expect(await refusalOfText(running(), '"cpuTime":500', '"cpuTime":1e309')).to.match(
      /^report.stats.loadGenerator.cpuTime: .* Infinity/,
    );
    expect(await refusalOfText(running(), '"cpuTime":500', '"cpuTime":500,"cpuTime":"x"')).to.match(
      /^report.stats.loadGenerator.cpuTime: /,
    );
    expect(await refusalOfText(running(), '"cpuTime":500', '"cpuTime":500,"__proto__":{"a":1}')).to.equal(
      'report.stats.loadGenerator.__proto__: unknown property',
    );
    expect(await refusalOfText(running(), '"series":', '"__proto__":{"meter":{}},"series":')).to.equal(
      'report.stats.__proto__: unknown property',
    );
  });

  describe('A82 a report is bounded when it is unpacked', () => {
    const packed = (text) => gzipSync(text, { level: 1 });

    itSlow('in bytes', async () => {
      expect(await faultOf(packed(Buffer.alloc(65 * 1024 * 1024, ' ')))).to.equal('it is too long');
    });

    for (const [unit, megabytes] of [
      ['[],', 60],
      ['{},', 5],
      ['1,', 5],
      ['{"a":', 8],
      ['[', 5],
    ])
      itSlow(`in values: ${megabytes} MB of ${unit}`, async () => {
        const bytes = packed(`[${unit.repeat(Math.floor((megabytes * 1024 * 1024) / unit.length))}`);
        const before = process.memoryUsage().rss;
        expect(await faultOf(bytes)).to.equal('it has too many values');
        expect(process.memoryUsage().rss - before).to.be.below(400 * 1024 * 1024);
      });

    it('and is refused if it is not packed, or not JSON', async () => {
      for (const bytes of [Buffer.from('x'), Buffer.alloc(40 * 1024 * 1024), packed('{'), packed(''), packed('null')])
        expect(await faultOf(bytes)).not.to.equal('accepted');
    });
  });
});

const POINT = {
  ...{ at: 0, iterations: { completed: 1, completedRate: 1, failed: 0 }, errors: 0, concurrency: 1 },
  ...{ responseTime: { median: 1, p99: 1, max: 1 }, loadGenerator: { eventLoopUtilization: 0 } },
};

import { expect } from 'chai';

import { Recorder } from '../../../../lib/core/measure/recorder.js';
import { StreamRecorder, readGoodput, refuseLimits } from '../../../../lib/addons/streams/measure/streams.js';
import { readThreshold } from '../../../../lib/core/measure/thresholds.js';
import { itSlow } from '../../../support/slow.js';

const GOOD = { key: 'stream', text: 'firstEvent<500ms', operation: null };
const stream = (more = {}) => ({
  ...{ hasBegun: true, events: 3, bytes: 30, counted: 5, reconnects: 0, gaps: 2, gapsWithin: [], failed: false },
  ...{ firstEventMs: 100, gapsMs: 30, maxGap: 20, meanGap: 15, durationMs: 140 },
  ...more,
});

describe('figures of streams', () => {
  it('the sum of any split equals the whole, also with the figures of a stream that goes on', () => {
    const whole = new StreamRecorder().withLimits([GOOD]);
    const part = new StreamRecorder().withLimits([GOOD]);
    const sum = new StreamRecorder();
    for (let i = 1; i <= 20; i++) {
      for (const one of [whole, part]) {
        one.firstEvent(50 * i);
        one.gap(i);
        one.ended(stream({ firstEventMs: 50 * i, reconnects: i % 2 }));
      }
      if (i % 3 === 0) sum.addState(part.drain());
    }
    sum.addState(part.drain());
    expect(sum.summary({ withCounts: true })).to.deep.equal(whole.summary({ withCounts: true }));
    expect(whole.summary({ withCounts: false }).goodput).to.deep.equal([{ limits: GOOD.text, good: 9, count: 20 }]);
  });

  it('a failed stream is not good, a cancelled one does not count, and one that never began has no figures', () => {
    const recorder = new StreamRecorder().withLimits([GOOD]);
    for (let i = 0; i < 3; i++) recorder.firstEvent(100);
    recorder.ended(stream());
    recorder.ended(stream({ failed: true }));
    recorder.ended(stream({ failed: true, cancelled: true }));
    recorder.ended(stream({ hasBegun: false, failed: true, firstEventMs: NaN, meanGap: NaN, durationMs: NaN }));
    const summary = recorder.summary({ withCounts: false });
    expect(summary).to.include({ count: 3, events: 9, bytes: 90, counted: 15 });
    expect([summary.firstEvent.count, summary.duration.count]).to.deep.equal([3, 1]);
    expect(summary.goodput).to.deep.equal([{ limits: GOOD.text, good: 1, count: 3 }]);
    const state = recorder.toState();
    recorder.ended(stream());
    expect(state.goodput[0].count, 'a copy').to.equal(3);
  });

  it('only operations with streams have such figures', () => {
    const recorder = new Recorder();
    recorder.operations.add('plain', 'main').answered(200, 1);
    recorder.operations.add('chat', 'main').figures('stream').ended(stream());
    const [plain, chat] = recorder.operations.summary();
    expect(plain).to.not.have.property('stream');
    expect(chat.stream).to.include({ count: 1, events: 3 });
    recorder.close();
  });
});

describe('goodput of streams', () => {
  const judged = (limits, gaps, more = {}) => {
    const gapLimits = [];
    const { isKept } = readGoodput(limits, (limit) => gapLimits.push(limit) - 1);
    const gapsWithin = gapLimits.map((limit) => gaps.filter(limit).length);
    const maxGap = Math.max(0, ...gaps);
    const gapsMs = gaps.reduce((sum, ms) => sum + ms, 0);
    return isKept(stream({ events: gaps.length + 1, gaps: gaps.length, gapsMs, maxGap, gapsWithin, ...more }));
  };

  it('the mean of the gaps is not that of what the stream counts', () => {
    expect(judged('meanGap<5ms', [10, 20], { meanGap: 3 })).to.equal(true);
    expect(judged('gap.mean<5ms', [10, 20], { meanGap: 3 })).to.equal(false);
    expect(judged('gap.mean<=15ms', [10, 20], { meanGap: 3 })).to.equal(true);
  });

  itSlow('a percentile of the gaps is that of all gaps, which are not kept', () => {
    const nearestRank = (gaps, share) => gaps.toSorted((a, b) => a - b)[Math.ceil(share * gaps.length - 1e-9) - 1];
    for (let count = 1; count <= 101; count++) {
      const gaps = Array.from({ length: count }, (_, i) => ((i * 37) % count) + 1);
      for (const share of [50, 90, 99, 99.9])
        for (const bound of [1, Math.ceil(count / 2), count - 1, count, count + 1]) {
          const p = nearestRank(gaps, share / 100);
          expect(judged(`gap.p${share}<${bound}ms`, gaps)).to.equal(p < bound);
          expect(judged(`gap.p${share}<=${bound}ms`, gaps)).to.equal(p <= bound);
          expect(judged(`gap.p${share}>${bound}ms`, gaps)).to.equal(p > bound);
        }
    }
  });

  for (const [limits, gaps, more, expected] of [
    ['firstEvent<101ms', [1], {}, true],
    ['firstEvent<100ms', [1], {}, false],
    ['firstEvent<100ms', [], { firstEventMs: NaN }, false],
    ['gap.max<10ms, gap.p99<10ms, meanGap<10ms', [], { meanGap: NaN }, true],
    ['gap.max<=5ms', [5, 4], {}, true],
    ['gap.max<5ms', [5, 4], {}, false],
    ['duration<1s', [1], {}, true],
    ['events>=3', [1, 1], {}, true],
    ['events>3', [1, 1], {}, false],
    ['eventRate>20', [1, 1], {}, true],
    ['counted>=5, countedRate<1', [1], {}, false],
    ['counted>=2, countedRate>14', [1], { counted: null }, true],
  ])
    it(`${limits} is ${expected} of the gaps ${gaps.join()}`, () =>
      expect(judged(limits, gaps, more)).to.equal(expected));

  for (const [limits, at, reason] of [
    ['', 0, /expected a limit of a stream/],
    ['firstEvent<500', 11, /a time with its unit/],
    ['firstEvent<5s, evnts>3', 15, /unknown figure evnts of a stream, did you mean events\?/],
    ['firstEvent<5s,  gap.p99 < 0x10us ', 26, /a time with its unit/],
    ['gap.max<1e3us', 8, /a time with its unit/],
    ['firstEvent<us', 11, /a time with its unit/],
    ['events>3ms', 7, /expected a number/],
    ['gap.p99==5ms', 0, /expected a limit/],
  ])
    it(`${JSON.stringify(limits)} is refused`, () => {
      const refusal = refuseLimits(limits);
      expect(refusal.at).to.equal(at);
      expect(refusal.reason).to.match(reason);
    });

  it('a threshold has the limits, and the name of an operation before them', () => {
    const { threshold } = readThreshold('chat goodput(firstEvent<500ms,gap.p99<100ms)>95%', { operations: ['chat'] });
    expect(threshold).to.deep.include({
      operation: 'chat',
      figure: 'goodput(firstEvent<500ms, gap.p99<100ms)',
      operator: '>',
      bound: 0.95,
      unit: 'ratio',
      limits: { key: 'stream', text: 'firstEvent<500ms, gap.p99<100ms', operation: 'chat' },
    });
  });

  for (const [text, column, reason] of [
    ['goodput(firstEvent<500ms)', 25, /expected a share of the streams/],
    ['goodput(firstEvent<500ms)>2', 26, /expected a share of the streams/],
    ['chat goodput(frstEvent<500ms)>95%', 13, /did you mean firstEvent/],
    ['chap goodput(firstEvent<500ms)>95%', 0, /did you mean "chat"/],
    ['firstEvent.p95<5s', 0, /write its name first, as in 'chat firstEvent.p95<800ms'/],
  ])
    it(`${text} is refused`, () => {
      const reading = readThreshold(text, { operations: ['chat'] });
      expect(reading.reason).to.match(reason);
      expect(reading.column).to.equal(column);
    });
});

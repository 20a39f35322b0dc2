import { expect } from 'chai';

import { Histogram } from '../lib/core/measure/histogram.js';
import { doubtOfFigures, judgeFigures } from '../lib/core/measure/judge-figures.js';
import { runOnLoop } from './support/event-loop.js';
import { seeded } from './support/random.js';

/** The figure is this much above that of the server, as a share of it: it must be suspect, or must be valid. */
const DISTORTED = 0.1;
const RIGHT = 0.02;
const LABELS = ['p50', 'p95', 'p99'];

describe('the verdict', () => {
  const { next: random } = seeded(7);
  /** around 5 ms, with a tail */
  const serviceMs = () => 5 * Math.exp(0.3 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  const load = (rate, seconds = 4) => ({ rate, seconds, serviceMs });
  const every = (ms, length, count = 40) => Array.from({ length: count }, (_, i) => ({ at: 3 + i * ms, ms: length }));

  const causes = {
    'no delay': [load(200), {}],
    'no delay at a high rate': [load(2000, 1), {}],
    'a hook of 0.1 ms': [load(500, 2), { workMs: () => 0.1 }],
    'a hook of 1 ms at 600/s': [load(600, 3), { workMs: () => 1 }],
    'a hook of 1.5 ms at 600/s': [load(600, 3), { workMs: () => 1.5 }],
    'a hook of 3 ms at 100/s': [load(100), { workMs: () => 3 }],
    'a hook of 3 ms at 230/s': [load(230), { workMs: () => 3 }],
    'a hook of 100 ms after every 50th response': [load(100, 8), { workMs: (n) => (n % 50 === 0 ? 100 : 0) }],
    'a hook of 900 ms, once': [load(200), { workMs: (n) => (n === 300 ? 900 : 0) }],
    'a timer of the flow that blocks': [load(200), { timers: every(100, 30) }],
    'a stop of 0.1 s': [load(200), { stops: [{ at: 1001, ms: 100 }] }],
    'a stop of 0.3 s': [load(200), { stops: [{ at: 1001, ms: 300 }] }],
    'a stop of 0.8 s': [load(200), { stops: [{ at: 1001, ms: 800 }] }],
    'stops of 20 ms': [load(200), { stops: every(50, 20, 80) }],
    'a neighbour that takes the CPU for 0.1 ms': [load(300), { cpuWaitMs: () => 0.1 }],
    'a neighbour that takes the CPU for 4 ms': [load(300), { cpuWaitMs: () => 4 * random() }],
    'a CPU quota that is used up': [load(300), { cpuWaitMs: () => (random() < 0.05 ? 60 : 0) }],
  };
  for (const [name, [settings, delays]] of Object.entries(causes))
    it(`judges each percentile right: ${name}`, async () => {
      const { times } = await runOnLoop(settings, delays);
      const server = histogramOf(times.map(({ serverMs }) => serverMs));
      const figures = figuresOf(times);
      for (const label of LABELS) {
        const { actual, status } = figures.find(({ figure }) => figure === `responseTime.${label}`);
        const added = actual / server[label === 'p50' ? 'median' : label] - 1;
        if (added > DISTORTED) expect([label, added, status]).to.include('suspect');
        if (added < RIGHT) expect([label, added, status]).to.include('valid');
      }
    });

  it('names the figures that are ranges, and the cause of most of it', async () => {
    const sentenceOf = ({ times, stops }, seconds) => {
      const all = { ...stops, gc: { count: 0, longest: 0, total: 0 } };
      return doubtOfFigures(figuresOf(times), { workers: 1, eventLoopUtilization: 0.4, stops: all }, 1000 * seconds);
    };
    const stopped = await runOnLoop(load(200), { stops: every(200, 60, 15) });
    expect(sentenceOf(stopped, 4)).to.match(
      /^(p99 is a range|p95 and p99 are ranges): the load generator was suspended for (0\.9|1\.0) of 4\.0 s$/,
    );
    const blocked = await runOnLoop(load(1000, 2), { workMs: (n) => (n % 200 === 0 ? 100 : 0) });
    expect(sentenceOf(blocked, 2)).to.match(
      /ranges: hooks, listeners or other work blocked the event loop for \d\.\d of 2\.0 s$/,
    );
    const crowded = await runOnLoop(load(300), { cpuWaitMs: () => 4 * random() });
    expect(sentenceOf(crowded, 4)).to.match(/: other programs used the CPU for \d\.\d of 4\.0 s$/);
  });
});

function figuresOf(times) {
  const ok = histogramOf(times.map(({ ms }) => ms));
  const least = histogramOf(times.map(({ leastMs }) => leastMs));
  return judgeFigures({ main: { completed: ok, least }, iterations: {}, operations: [] }, []);
}

function histogramOf(values) {
  const histogram = new Histogram();
  for (const value of values) histogram.update(value);
  return histogram.toJSON();
}

import { expect } from 'chai';

import { Histogram } from '../lib/measure/histogram.js';
import { doubtOfFigures, judgeFigures } from '../lib/measure/judge-figures.js';
import { runOnLoop } from './support/event-loop.js';
import { seeded } from './support/random.js';

/** The figure is this much above that of the server, as a share of it: it must be suspect, or must be valid. */
const DISTORTED = 0.2;
const RIGHT = 0.05;
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

  it('names how much and why', async () => {
    const client = (stops) => ({ utilization: 0.4, stops: { ...stops, gc: { count: 0, longest: 0, total: 0 } } });
    const stopped = await runOnLoop(load(200), { stops: every(200, 60, 15) });
    expect(doubtOfFigures(figuresOf(stopped.times), client(stopped.stops))).to.match(
      /^p50 and p95 are valid; of p99 \(.* ms\) up to .* ms are the load generator's: it was suspended 15 times for up to 6\d(\.\d)? ms$/,
    );
    const blocked = await runOnLoop(load(1000, 2), { workMs: (n) => (n % 200 === 0 ? 100 : 0) });
    expect(doubtOfFigures(figuresOf(blocked.times), client(blocked.stops))).to.match(
      /a hook, a listener or other work blocked it \d+ times for up to 1\d\d ms$/,
    );
    const crowded = await runOnLoop(load(300), { cpuWaitMs: () => 4 * random() });
    expect(doubtOfFigures(figuresOf(crowded.times), client(crowded.stops))).to.match(/it waited for a CPU \d+ times/);
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

// Cost of recording a plain GET, by part: node bench/micro/measure/recorder.js
import { performance } from 'node:perf_hooks';
import { Recorder } from '../../../lib/core/measure/recorder.js';

const count = 10_000_000;
/** us of a plain GET of ours, by npm run bench -- plain-get */
const requestUs = 12;
const times = Float64Array.from({ length: 1 << 12 }, (_, i) => 0.2 + ((i * 7919) % 1000) / 500);
const recorder = new Recorder();
const operation = recorder.operations.add('GET /', 'main');
const lane = { isRunning: false };
const parts = {
  'iteration: counts, histogram, meter, points': (ms, now) => {
    recorder.started(lane, now);
    recorder.main(ms, NaN, 'completed', now);
    recorder.ended(lane, 'completed', now, ms);
  },
  'request: counts, status': () => recorder.answered(200, 'count'),
  'first byte': (ms) => recorder.histograms.ttfb.update(ms),
  'operation: count, status, histogram': (ms) => operation.answered(200, ms),
  'the clock, once': () => performance.now(),
};

recorder.points.begin(0);
for (let round = 0; round < 2; round++) {
  for (const [name, part] of Object.entries(parts)) {
    const started = performance.now();
    for (let i = 0; i < count; i++) part(times[i & 0xfff], i / 100);
    const ns = ((performance.now() - started) * 1e6) / count;
    if (round > 0)
      console.log(
        `${name.padEnd(46)} ${ns.toFixed(1).padStart(6)} ns, ${(ns / 10 / requestUs).toFixed(2)} % of a request`,
      );
  }
}
recorder.close();

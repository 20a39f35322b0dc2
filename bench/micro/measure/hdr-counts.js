// Cost of a record, compared with hdr-histogram-js: node bench/micro/measure/hdr-counts.js
import { performance } from 'node:perf_hooks';
import { build } from 'hdr-histogram-js';
import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';

const values = Float64Array.from({ length: 1 << 16 }, (_, i) => Math.round(100 * Math.exp(((i * 7919) % 1000) / 100)));
const count = 20_000_000;
const ours = new HdrCounts();
const theirs = build({
  lowestDiscernibleValue: 1,
  highestTrackableValue: 3_600_000_000,
  numberOfSignificantValueDigits: 3,
  bitBucketSize: 64,
});

for (let round = 0; round < 3; round++) {
  for (const [name, record] of [
    ['ours', (value) => ours.record(value)],
    ['hdr-histogram-js', (value) => theirs.recordValue(value)],
  ]) {
    const started = performance.now();
    for (let i = 0; i < count; i++) record(values[i & 0xffff]);
    console.log(`${name}: ${(((performance.now() - started) * 1e6) / count).toFixed(1)} ns a record`);
  }
}

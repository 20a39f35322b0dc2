// What an export of a run with many operations costs: node bench/micro/run/export.js
import { Recorder } from '../../../lib/core/measure/recorder.js';
import { protobufOf, textOf } from '../../../lib/addons/export/prometheus.js';
import { readMetrics } from '../../../lib/addons/export/metrics.js';
import { requestOf } from '../../../lib/addons/export/otlp.js';

const ROUNDS = 30;
const recorder = new Recorder();
const operations = Array.from({ length: 20 }, (_, i) => recorder.operations.add(`GET /${i}`, 'main'));
for (let i = 0; i < 100_000; i++) operations[i % 20].answered(200, 0.2 + (i % 997) ** 1.3 / 10);
const collected = () => ({
  resource: {},
  startedAt: new Date(),
  metrics: readMetrics({ recorder, traffic: /** @type {any} */ ({ bytesSent: 1, bytesReceived: 1 }) }),
});
const formats = { 'OTLP, before protobuf': requestOf, 'Prometheus, text': textOf, 'Prometheus, protobuf': protobufOf };

for (const [name, format] of Object.entries(formats)) {
  const times = Array.from({ length: ROUNDS }, () => {
    const { user } = process.cpuUsage();
    format(collected());
    return (process.cpuUsage().user - user) / 1000;
  });
  console.log(`${name.padEnd(22)} ${times.sort((a, b) => a - b)[ROUNDS / 2].toFixed(1)} ms of CPU time`);
}
recorder.close();

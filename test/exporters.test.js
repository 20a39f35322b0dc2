import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';

import { expect } from 'chai';

import { Histogram } from '../lib/core/measure/histogram.js';
import { Recorder } from '../lib/core/measure/recorder.js';
import { benchrest } from '../lib/core/run/benchrest.js';
import { collectedOf as collected, exporting } from '../lib/addons/export/index.js';
import { METRICS, exponentialOf, readMetrics } from '../lib/addons/export/metrics.js';
import { open as openOtlp, requestOf } from '../lib/addons/export/otlp.js';
import { open, prometheusName, protobufOf, textOf } from '../lib/addons/export/prometheus.js';
import { readRunOptions } from './support/run-options.js';
import { mergedState } from '../lib/addons/agents/merged-state.js';
import { checkReceivedOptions, packOptions } from '../lib/addons/agents/pack-options.js';
import { ROOT, command } from './support/command.js';
import fc from './support/fast-check.js';
import { serving } from './support/serve.js';
import { reportOf, stateOf, tableOf } from './support/shard-reports.js';
import { itSlow } from './support/slow.js';

const optionsOf = (options) => readRunOptions([{ name: 'test', options: { limit: 1, iterations: 1, ...options } }], {});
const histogramOf = (...times) => {
  const histogram = new Histogram();
  for (const ms of times) histogram.update(ms);
  return histogram;
};
/** What a run with one operation has recorded. */
function recorded() {
  const recorder = new Recorder();
  const operation = recorder.operations.add('GET /a "b"', 'main');
  operation.answered(200, 1.5);
  operation.answered(200, 300);
  operation.answered(500, 20_000);
  operation.unanswered();
  recorder.operations.add('GET /a "b"', 'main').answered(200, 4);
  recorder.checks.add({ name: 'status', operation: 'GET /a', phase: 'main', path: 'flow.main[0]' }).passes = 3;
  recorder.metrics.serverTime('db', 5);
  recorder.close();
  return { recorder, traffic: { bytesSent: 10, bytesReceived: 20 } };
}
const collectedOf = (figures) => ({
  resource: { 'service.name': 'bench-rest' },
  startedAt: new Date(0),
  metrics: readMetrics(figures),
});
const stats = () => ({ stats: {} });
const rowOf = (exporter, name = 'own') => ({ name, exporter: async () => ({ open: async () => exporter }) });
const contextOf = (isAborted = false) => ({ options: {}, collect: () => ({}), isAborted: () => isAborted });
/** Whether the optional peer is installed, as in a checkout. */
const sdk = await import('@opentelemetry/exporter-metrics-otlp-proto').catch(() => null);

describe('exporters of metrics', () => {
  itSlow('exponential buckets have all times, each in the bucket that contains it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), { maxLength: 30 }), (times) => {
        const { scale, offset, counts, count, sum } = exponentialOf(histogramOf(...times));
        expect(counts.reduce((all, one) => all + one, 0)).to.equal(times.length);
        expect([count, sum]).to.deep.equal([times.length, histogramOf(...times).sum / 1000]);
        expect([counts[0], counts.at(-1)]).not.to.include(0);
        const base = 2 ** (2 ** -scale);
        for (const ms of times) {
          // The bins of the histogram are a thousandth wide, and at least 1 µs.
          const slack = ms / 1e6 + 1e-6;
          const isIn = (_, i) =>
            base ** (offset + i) <= ms / 1000 + slack && ms / 1000 - slack <= base ** (offset + i + 1);
          expect(counts.some((one, i) => one > 0 && isIn(one, i))).to.equal(true);
        }
      }),
      { numRuns: 200 },
    );
    expect(exponentialOf(new Histogram())).to.include({ offset: 0, count: 0, sum: 0, min: 0, max: 0 });
  });

  it('Prometheus gets a series for each operation and status, classic buckets and escaped labels', () => {
    const text = textOf(collectedOf(recorded())).toString();
    for (const line of [
      'benchrest_requests_total{operation="GET /a \\"b\\"",phase="main",status="200"} 3',
      'benchrest_requests_total{operation="GET /a \\"b\\"",phase="main",status="none"} 1',
      'benchrest_request_duration_seconds_bucket{operation="GET /a \\"b\\"",phase="main",le="0.005"} 2',
      'benchrest_request_duration_seconds_bucket{operation="GET /a \\"b\\"",phase="main",le="10"} 3',
      'benchrest_request_duration_seconds_bucket{operation="GET /a \\"b\\"",phase="main",le="+Inf"} 4',
      'benchrest_checks_total{check="status",operation="GET /a",result="passed"} 3',
      'benchrest_network_io_bytes_total{direction="receive"} 20',
      'benchrest_server_duration_seconds_count{name="db"} 1',
      'target_info{service_name="bench-rest"} 1',
      '# TYPE benchrest_virtual_users gauge',
    ])
      expect(text.split('\n')).to.include(line);
  });

  it('Prometheus gets native histograms as delimited messages', () => {
    const bytes = protobufOf(collectedOf(recorded()));
    const families = messagesIn(bytes).map((family) => fieldsOf(family));
    const names = families.map((fields) => fields.get(1)[0].toString());
    expect(names).to.include.members(['benchrest_iterations_total', 'benchrest_server_duration_seconds']);
    const native = families.at(names.indexOf('benchrest_server_duration_seconds'));
    expect(native.get(3)).to.deep.equal([4]);
    const metric = fieldsOf(native.get(4)[0]);
    const histogram = fieldsOf(metric.get(7)[0]);
    // 5 ms in buckets of the scale 4: 2^(-123/16) s is 4.85 ms, 2^(-122/16) s is 5.07 ms.
    const zigzag = (value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    expect(histogram.get(1)).to.deep.equal([1]);
    expect(zigzag(histogram.get(5)[0])).to.equal(4);
    const span = fieldsOf(histogram.get(12)[0]);
    expect([zigzag(span.get(1)[0]), span.get(2)[0]]).to.deep.equal([-122, 1]);
    expect([...histogram.get(13)[0]].map(zigzag)).to.deep.equal([1]);
  });

  it('operations and checks whose long names begin alike are one series', () => {
    const recorder = new Recorder();
    const long = 'y'.repeat(250);
    for (const end of ['1', '2']) {
      recorder.operations.add(`${long}${end}`, 'main').answered(200, 1);
      recorder.checks.add({
        name: `${long}${end}`,
        operation: 'a\0',
        phase: 'main',
        path: `flow.main[${end}]`,
      }).passes = 1;
    }
    const text = textOf(collectedOf({ recorder, traffic: { bytesSent: 0, bytesReceived: 0 } })).toString();
    recorder.close();
    expect(text.match(/benchrest_requests_total\{operation="y{200}",.*/g)).to.deep.equal([
      `benchrest_requests_total{operation="${'y'.repeat(200)}",phase="main",status="200"} 2`,
    ]);
    expect(text.match(/benchrest_checks_total.*passed.*/g)).to.have.lengthOf(1);
    expect(text).not.to.include('\0');
  });

  it('a title has no control characters, which end a scrape, and is no longer than a name', () => {
    const resource = { 'benchrest.title': `a\0${'y'.repeat(250)}` };
    const text = textOf({ ...collectedOf(recorded()), resource }).toString();
    expect(text).to.match(/^target_info\{benchrest_title="a\\\\x00y{195}"\} 1$/m);
  });

  it('the endpoint answers at /metrics, in the format that is asked for', async () => {
    const { to, close } = await open({ host: '127.0.0.1', port: 0 }, { collect: () => collectedOf(recorded()) });
    try {
      const text = await fetch(to);
      expect([text.status, text.headers.get('content-type')]).to.deep.equal([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      expect(await text.text()).to.match(/^# HELP benchrest_iterations_total/);
      const accept = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6';
      const native = await fetch(to, { headers: { accept } });
      expect(native.headers.get('content-type')).to.match(/^application\/vnd\.google\.protobuf/);
      expect(messagesIn(Buffer.from(await native.arrayBuffer()))).to.have.lengthOf(10);
      expect((await fetch(new URL('/', to))).status).to.equal(404);
      expect((await fetch(to, { method: 'POST' })).status).to.equal(405);
      const busy = await open({ host: '127.0.0.1', port: Number(new URL(to).port) }, {}).catch((error) => error);
      expect(busy.code).to.equal('E_EXPORTER');
    } finally {
      close();
    }
  });

  it('OpenTelemetry gets cumulative sums, and exponential histograms in seconds', () => {
    const { resource, scopeMetrics } = requestOf(collectedOf(recorded()));
    expect(resource.attributes['service.name']).to.equal('bench-rest');
    const [{ metrics }] = scopeMetrics;
    const named = (name) => metrics.find(({ descriptor }) => descriptor.name === name);
    expect(named('benchrest.requests')).to.include({ aggregationTemporality: 1, dataPointType: 3, isMonotonic: true });
    expect(named('benchrest.virtual_users')).to.include({ dataPointType: 2 });
    const [{ startTime, value }] = named('benchrest.request.duration').dataPoints;
    expect(startTime).to.deep.equal([0, 0]);
    expect(value).to.include({ count: 4, scale: 4, zeroCount: 0 });
    expect(value.sum).to.be.closeTo(20.3055, 1e-6);
  });

  it('failures of exports are counted and named, and the work has its result', async () => {
    let closed = 0;
    const close = () => closed++;
    const fine = { to: 'http://a', push: async () => {}, close };
    const refused = {
      to: 'http://user:secret@b',
      push: () => Promise.reject(new Error('400 Bad Request')),
      close: () => {
        close();
        throw new Error('closed twice');
      },
    };
    const asked = { to: 'http://c', close };
    const rows = [rowOf(fine), rowOf(refused), rowOf(asked)];
    const { stats: result } = await exporting(rows, contextOf(), async () => stats());
    expect(result.exports).to.deep.equal([
      { exporter: 'own', to: 'http://a', exports: 1, failed: 0 },
      { exporter: 'own', to: 'http://***@b', exports: 1, failed: 1, error: '400 Bad Request' },
      { exporter: 'own', to: 'http://c' },
    ]);
    expect(closed).to.equal(3);
  });

  const PARTIAL = Buffer.from([0x0a, 10, 0x08, 12, 0x12, 6, ...Buffer.from('no sum')]);
  for (const [status, headers, body, expected] of [
    [200, { 'content-type': 'application/x-protobuf' }, '', 'received'],
    [200, {}, '{"partialSuccess":{}}', 'received'],
    [200, { 'content-type': 'application/x-protobuf' }, PARTIAL, 'it rejected 12 values: no sum'],
    [200, { 'content-type': 'text/html' }, '<p>fine</p>', '200 with a page: no collector answers there'],
    [302, {}, '', '302 Found'],
    [404, {}, '', '404 Not Found: it receives no metrics at this URL'],
    [429, { 'retry-after': '30' }, '', '429 Too Many Requests: it gets metrics more often than it allows'],
    [503, { 'retry-after': '30' }, '', '503 Service Unavailable: it is overloaded, or not ready'],
  ])
    it(`a collector that answers ${status} with ${JSON.stringify(headers)}: ${expected}`, async function () {
      if (sdk === null) this.skip();
      await serving(
        (req, res) => res.writeHead(status, headers).end(body),
        async (url) => {
          const { push, close } = await openOtlp(url);
          const answer = push(collectedOf(recorded())).then(
            () => 'received',
            ({ message }) => message,
          );
          expect(await answer).to.equal(expected);
          await close();
        },
      );
    });

  it('an export without an answer does not hold the run', async () => {
    const silent = { to: 'http://a', push: () => new Promise(() => {}), close: () => new Promise(() => {}) };
    const { stats: result } = await exporting([rowOf(silent)], contextOf(true), async () => stats());
    expect(result.exports).to.deep.equal([
      { exporter: 'own', to: 'http://a', exports: 1, failed: 1, error: 'no answer in time' },
    ]);
  });

  it('an exporter that cannot be opened closes the others, and the work does not begin', async () => {
    let closed = 0;
    const rows = [
      rowOf({ to: '', close: () => closed++ }),
      { name: 'own', exporter: async () => ({ open: () => Promise.reject(new Error('no')) }) },
    ];
    const error = await exporting(rows, contextOf(), () => expect.fail('began')).catch((thrown) => thrown);
    expect([error.message, closed]).to.deep.equal(['no', 1]);
  });

  itSlow('a run, with workers too, exports to a collector at its end', async function () {
    if (sdk === null) this.skip();
    const posts = [];
    const collector = http.createServer((req, res) => {
      posts.push(`${req.method} ${req.url} ${req.headers['content-type']}`);
      req.resume().on('end', () => res.end());
    });
    await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const otlp = `http://127.0.0.1:${collector.address().port}`;
    try {
      await serving(
        (req, res) => res.end('ok'),
        async (url) => {
          const options = { limit: 2, iterations: 10, workers: 2, quiet: true, otlp, prometheus: ':0' };
          const { stats: result } = await benchrest({ get: url }, options);
          const [pushed, asked] = result.exports;
          expect(pushed).to.include({ exporter: 'otlp', to: otlp, failed: 0 });
          expect(pushed.exports).to.equal(posts.length);
          expect(new Set(posts)).to.deep.equal(new Set(['POST /v1/metrics application/x-protobuf']));
          expect(asked.to).to.match(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
        },
      );
    } finally {
      collector.closeAllConnections();
      collector.close();
    }
  });

  it('an address in use is refused before the plan is printed, and before the first request', () =>
    serving(
      (req, res) => res.end('ok'),
      async (url, seen) => {
        const { code, stderr } = await command(['-n', '1', '--prometheus', `:${new URL(url).port}`, url]);
        expect(code).to.equal(2);
        expect(stderr).to.match(/^bench-rest: --prometheus: listen EADDRINUSE/);
        expect(seen).to.deep.equal([]);
      },
    ));

  it('addresses without a host are those of this machine', () => {
    const { prometheus } = optionsOf({ prometheus: ':9464' });
    expect(prometheus).to.deep.equal({ host: '127.0.0.1', port: 9464 });
    expect(optionsOf({ prometheus: 9464 }).prometheus).to.deep.equal({ host: '127.0.0.1', port: 9464 });
    expect(optionsOf({ prometheus: '[::1]:1' }).prometheus).to.deep.equal({ host: '::1', port: 1 });
    expect(optionsOf({ prometheus: '0.0.0.0:1' }).prometheus).to.deep.equal({ host: '0.0.0.0', port: 1 });
    for (const wrong of [
      { prometheus: 'x' },
      { prometheus: ':70000' },
      { otlp: 'collector:4318' },
      { otlp: 'http://a:b@c' },
    ])
      expect(() => optionsOf(wrong)).to.throw(/expected/);
  });

  it('the dashboard and the guide name the metrics as they are', () => {
    const names = METRICS.map(prometheusName);
    const [dashboard, guide] = ['examples/grafana-dashboard.json', 'docs/guide/traces-and-metrics.md'].map((path) =>
      readFileSync(join(ROOT, path), 'utf8'),
    );
    const named = (text) => [...new Set(text.match(/\bbenchrest_\w+/g))].sort();
    expect(named(dashboard)).to.deep.equal([...names].sort());
    expect(named(guide)).to.deep.equal([...names].sort());
    for (const { name } of METRICS) expect(guide).to.include(`\`${name}\``);
  });

  it('the command exports the sum of its agents, which get no exporters and accept none from the queue', async () => {
    const layers = [{ name: 'test', options: { otlp: 'http://a:4318', prometheus: ':9464', limit: 2 } }];
    expect(packOptions(layers, {})).to.deep.equal([{ name: 'test', options: { limit: 2 } }]);
    expect(() => checkReceivedOptions(layers)).to.throw(/its option otlp belongs to the command/);
    let figures;
    const table = tableOf(reportOf(stateOf([1, 2], { running: 1 })), reportOf(stateOf([3])));
    await mergedState(table, 0, { onSum: (sum) => (figures = sum) });
    const { resource, metrics } = collected(figures, { id: 'r', startedAt: new Date(0), options: { label: 'x' } });
    expect(resource).to.include({ 'service.instance.id': 'r', 'benchrest.label': 'x' });
    const text = textOf({ resource, metrics }).toString().split('\n');
    expect(text).to.include.members([
      'benchrest_iterations_total{outcome="completed"} 3',
      'benchrest_iteration_duration_seconds_count 3',
      'benchrest_virtual_users 1',
    ]);
  });
});

/** Reads messages that follow their lengths. */
function messagesIn(bytes) {
  const all = [];
  for (let at = 0; at < bytes.length;) {
    const [length, from] = varintAt(bytes, at);
    all.push(bytes.subarray(from, from + length));
    at = from + length;
  }
  return all;
}

/** Reads the fields of a message: numbers, bytes, and 64 bits as bytes. */
function fieldsOf(bytes) {
  const fields = new Map();
  for (let at = 0; at < bytes.length;) {
    const [tag, from] = varintAt(bytes, at);
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    const [first, next] = type === 1 ? [8, from] : varintAt(bytes, from);
    at = type === 0 ? next : next + first;
    const value = type === 0 ? first : bytes.subarray(next, at);
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

function varintAt(bytes, from) {
  let [value, unit, at] = [0, 1, from];
  for (; bytes[at] >= 0x80; at++, unit *= 0x80) value += (bytes[at] & 0x7f) * unit;
  return [value + bytes[at] * unit, at + 1];
}

import { expect } from 'chai';

import { readServerTiming } from '../lib/addons/server-timing/server-timing.js';
import { UserMetrics } from '../lib/core/measure/user-metrics.js';
import { benchrest } from '../lib/core/run/benchrest.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { command } from './support/command.js';
import { literalResult } from './support/literal-result.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const answer = (req, res) => {
  res.setHeader('Server-Timing', req.url === '/hit' ? 'cache;desc="hit";dur=2' : ['db;dur=40, app;dur=3.5', 'miss']);
  res.end('ok');
};
const run = async (flow, options) => {
  const { stats } = await benchrest(flow, { limit: 2, iterations: 20, quiet: true, ...options });
  return stats;
};

const [text, markdown] = await Promise.all(
  ['text', 'markdown'].map((name) => REPORTERS.find((one) => one.name === name).load()),
);

describe('server timing', () => {
  const rows = [
    { field: 'db;dur=53.2', is: [['db', 53.2]], why: 'a name and its duration' },
    {
      field: 'a;dur=1,b;dur=2',
      is: [
        ['a', 1],
        ['b', 2],
      ],
      why: 'several entries',
    },
    {
      field: 'a ; desc="x, y; dur=9" ; DUR = "7" , b;dur=0',
      is: [
        ['a', 7],
        ['b', 0],
      ],
      why: 'quoted texts and spaces',
    },
    { field: 'a;dur=1;dur=2', is: [['a', 1]], why: 'the first duration' },
    { field: 'miss, a;dur=1', is: [['a', 1]], why: 'entries without a duration are passed over' },
    { field: 'a;dur=-1, b;dur=x, c;dur=1e9, d;dur=Infinity, e;dur=NaN, f;dur', is: [], why: 'durations that are none' },
    {
      field: 'a;dur=1, (b);dur=2, miss;desc=cache miss;dur=3, ,d;dur=, e f;dur=5, g;dur=6e-1,h;dur=7;desc="a, b;dur=8',
      is: [
        ['a', 1],
        ['miss', 3],
        ['g', 0.6],
        ['h', 7],
      ],
      why: 'what follows an entry that is malformed',
    },
    { field: `${'n'.repeat(51)};dur=1`, is: [], why: 'names up to 50 characters' },
    { field: 'a;dur=1,'.repeat(100), is: Array(20).fill(['a', 1]), why: 'at most 20 entries' },
    { field: `a;desc="${'x'.repeat(5000)}";dur=1`, is: [], why: 'entries up to 4,096 characters' },
    { field: `a;dur=1,b;desc="${'x'.repeat(5000)}";dur=1`, is: [['a', 1]], why: 'the beginning of a longer field' },
    { field: `${' '.repeat(4000)}"\\`, is: [], why: 'a text without an end' },
    { field: '', is: [], why: 'nothing of an empty field' },
  ];
  for (const { field, is, why } of rows)
    it(`reads ${why}: ${field.slice(0, 50)}`, () => {
      expect(readServerTiming(field).map(({ name, ms }) => [name, ms])).to.deep.equal(is);
    });

  it('times of responses become figures by their names', () =>
    serving(answer, async (url) => {
      const { metrics } = await run({ baseUrl: url, main: [{ get: '/hit' }, { get: '/' }] });
      expect(Object.keys(metrics).sort()).to.deep.equal(['serverTiming.app', 'serverTiming.cache', 'serverTiming.db']);
      const { histogram, meter } = metrics['serverTiming.db'];
      expect([histogram.count, histogram.median, histogram.max, meter.count]).to.deep.equal([20, 40, 40, 20]);
    }));

  itSlow('both HTTP clients and all workers record them', () =>
    serving(answer, async (url) => {
      for (const options of [{ workers: 2 }, { httpClient: 'undici' }]) {
        const { metrics } = await run({ get: url }, options);
        expect(metrics['serverTiming.app'].histogram.count).to.equal(20);
      }
    }),
  );

  it('thresholds judge them without a word in the flow', () =>
    serving(answer, async (url) => {
      const thresholds = ['serverTiming.db.p99<50ms', 'serverTiming.db.p50<10ms', 'serverTiming.none.p50<1s'];
      const { thresholds: judged } = await run({ get: url }, { thresholds });
      expect(judged.map(({ passed, actual }) => [passed, actual])).to.deep.equal([
        [true, 40],
        [false, 40],
        [false, null],
      ]);
    }));

  it('the report and a comparison have them', () =>
    serving(answer, async (url) => {
      const { stdout } = await command(['-n', '20', '--json', url]);
      const result = JSON.parse(stdout);
      expect(result.metrics['serverTiming.db'].histogram.median).to.equal(40);
      const { stdout: report } = await command(['-n', '20', url]);
      expect(report).to.match(/serverTiming\.db +20/);
    }));

  it('the report lists the 10 names with most time, in their order, and counts the others', () => {
    const metrics = new UserMetrics();
    for (let i = 0; i < 14; i++) metrics.serverTime(`n${i}`, i === 3 ? 500 : 14 - i);
    metrics.forHooks.timer('own').update(1);
    const result = { ...literalResult(), metrics: metrics.summary() };
    metrics.end();
    const rowsOf = (text) => [...text.matchAll(/(?:serverTiming\.\w+|and \d+ more names)/g)].map(([name]) => name);
    const listed = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `serverTiming.n${i}`);
    for (const { render } of [text, markdown]) {
      expect(rowsOf(render(result, { width: 80 }))).to.deep.equal([...listed, 'and 4 more names']);
      expect(render(result, { width: 80 })).to.match(/\bown\b/);
    }
    expect(rowsOf(text.render(result, { width: 80, full: true }))).to.have.lengthOf(14);
  });

  it('a run keeps at most 50 names of a server', () => {
    const metrics = new UserMetrics();
    metrics.serverTime('other', 1);
    for (let i = 0; i < 79; i++) metrics.serverTime(`n${i}`, 0);
    metrics.serverTime('n3', 1);
    const summary = metrics.summary();
    expect(Object.keys(summary)).to.have.lengthOf(51);
    expect(summary['serverTiming.n3'].histogram.count).to.equal(2);
    expect(summary['serverTiming.other'].histogram.count).to.equal(1);
    expect(summary['serverTiming.(other)'].histogram.count).to.equal(30);
    expect(summary['serverTiming.n0'].histogram.outOfRange).to.equal(0);
    const ofOtherThread = new UserMetrics();
    ofOtherThread.serverTime('n3', 1);
    ofOtherThread.serverTime('m', 1);
    metrics.addState(ofOtherThread.drain());
    const both = metrics.summary();
    expect(Object.keys(both)).to.have.lengthOf(51);
    expect(both['serverTiming.n3'].histogram.count).to.equal(3);
    expect(both['serverTiming.(other)'].histogram.count).to.equal(31);
    for (const one of [metrics, ofOtherThread]) one.end();
  });

  it('a metric of hooks with such a name is kept', () => {
    const metrics = new UserMetrics();
    metrics.forHooks.counter('serverTiming.db').inc();
    metrics.serverTime('db', 5);
    expect(metrics.summary()).to.deep.equal({ 'serverTiming.db': 1 });
  });
});

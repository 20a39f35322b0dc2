import { expect } from 'chai';

import { Histogram } from '../../../../lib/measure/histogram.js';
import { REPORTERS } from '../../../../lib/report/formats/index.js';
import { literalResult } from '../../../support/literal-result.js';

const RENDER = new Map(await Promise.all(REPORTERS.map(async ({ name, load }) => [name, (await load()).render])));
const HOSTILE = '=1+1 | `x` <b>]]>&"\u001b[2J\n\u202e</script>';

/** A result with hostile names and messages. */
const hostile = () => {
  const result = literalResult();
  result.operations[0].name = HOSTILE;
  Object.assign(result.errors.samples[0], { operation: HOSTILE, message: `${HOSTILE} token=CANARY` });
  result.thresholds[0].expression = HOSTILE;
  return result;
};

describe('report/formats', () => {
  it('each format has a name, a description and an extension', () => {
    for (const { name, about, extension } of REPORTERS) {
      expect(name).to.match(/^[a-z]+$/);
      expect(about.length).to.be.above(10);
      expect(extension).to.match(/^\.\w+$/);
    }
    expect(new Set(REPORTERS.map(({ name }) => name)).size).to.equal(REPORTERS.length);
  });

  for (const [name, render] of RENDER) {
    it(`${name} prints no secret, and escapes hostile text`, () => {
      const text = render(hostile(), { colour: false, width: 100, distributionOf: () => [] });
      expect(text).not.to.include('CANARY');
      expect(text).not.to.include('\u001b').and.not.include('\u202e');
    });

    it(`${name} renders a run without measurements`, () => {
      const nothing = new Histogram().toJSON();
      const result = literalResult();
      Object.assign(result.main, { histogram: nothing, serviceTime: nothing, ok: nothing });
      Object.assign(result, {
        operations: [],
        series: { interval: 1000, points: [], rates: null },
        iterations: { ...result.iterations, rate: 0 },
        measuredElapsed: 0,
        exemplars: { slowest: [], failed: [] },
      });
      delete result.thresholds;
      const text = render(result, { width: 100, distributionOf: () => [] });
      // the library in the page contains such words
      expect(name === 'html' ? dataOf(text) : text).not.to.match(/NaN|undefined|Infinity/);
    });
  }

  it('text and Markdown print the section of a report function, with numbers and without headings if it has none', () => {
    const report = {
      title: 'mine',
      lines: ['x'],
      columns: ['', ''],
      rows: [
        ['a', 1.5],
        ['bbb', null],
      ],
    };
    const text = RENDER.get('text')({ ...literalResult(), report }, { distributionOf });
    expect(text).to.include('\n\nmine\nx\na    1.50\nbbb     -\n\n');
    const named = { ...report, columns: ['name', 'n'] };
    const markdown = RENDER.get('markdown')({ ...literalResult(), report: named });
    expect(markdown)
      .to.include('#### mine\n\n    x\n')
      .and.include('| name | n |\n| --- | ---: |\n| a | 1.50 |\n| bbb | - |');
    expect(RENDER.get('text')({ ...literalResult(), report }, { quiet: true })).to.not.include('mine');
    const broken = { ...report, failed: true };
    expect(RENDER.get('text')({ ...literalResult(), report: broken }, { quiet: true })).to.include('mine');
  });

  it('text fits the width, and has colors only on request', () => {
    for (const width of [40, 60, 79, 100, 200]) {
      const text = RENDER.get('text')(literalResult(), { width, distributionOf });
      const widest = Math.max(...text.split('\n').map(({ length }) => length));
      expect(widest, `at ${width}`).to.be.at.most(Math.min(120, width));
      expect(text).not.to.match(/\u001b/);
    }
    expect(RENDER.get('text')(literalResult(), { colour: true })).to.include('\u001b[');
  });

  it('text prints all sections', () => {
    expect(RENDER.get('text')(literalResult(), { width: 100, distributionOf })).to
      .equal(`iterations   90 completed, 8 failed, 2 cancelled, 1 started late (backlog up to 1)
time         3.00 s of iterations, 3.10 s in total
requests     98 answered, 32.7 per second, 2 cancelled
statuses     200: 90, 503: 8
bytes        9.8 kB received (3.3 kB per second), 4.9 kB sent
connections  10 opened, 88 on reused connections

errors: 8
  8 x status in main, flow.main[0] GET /items, first in iteration 4
      error statusCode: 503
cancelled: 2 iterations still running when the run ended
late: 1 iteration waited for a free virtual user, up to 1 at a time; response times include the wait

latency, ms     p50   p75   p90   p95   p99  p99.9  max  mean  stddev
response time  50.0  75.0  90.0  95.0  99.0    100  100  50.5    29.0
service time   50.0  75.0  90.0  95.0  99.0    100  100  50.5    29.0
completed      50.0  75.0  90.0  95.0  99.0    100  100  50.5    29.0
first byte     50.0  75.0  90.0  95.0  99.0    100  100  50.5    29.0
connecting     50.0  75.0  90.0  95.0  99.0    100  100  50.5    29.0

per second   min  p2.5   p50  p97.5   max  mean
iterations  30.0  30.0  30.0   34.0  34.0  32.7
planned 34.0 iterations per second, started 33.3

operations, ms  phase  count  errors   p50   p95   p99  max
GET /items      main      98       8  50.0  95.0  99.0  100
GET /bye        after      1       0     -     -     -    -

distribution, ms
     1.00 - 1.78  #                                                     1.0 %
     1.78 - 3.16  ##                                                    2.0 %
     3.16 - 5.62  ##                                                    2.0 %
     5.62 - 10.0  #####                                                 4.0 %
     10.0 - 17.8  #########                                             8.0 %
     17.8 - 31.6  ################                                       14 %
     31.6 - 56.2  ############################                           25 %
      56.2 - 100  ##################################################     44 %

client  event loop busy 30 %, delay p99 1.00 ms, CPU 50.0 ms, GC 2.00 ms, 500.0 µs per request

thresholds
  passed  p99<200ms  (99.0 ms)
  FAILED  errors<1%  (8.00 %)

verdict  suspect
  errors: 8 in 100 iterations
`);
  });

  /** A result with a metric of each kind. */
  const withMetrics = () => {
    const result = literalResult();
    const { histogram, meter } = result.main;
    return { ...result, step_0: { meter, histogram }, sizes: histogram, marks: meter, hits: 1234, load: 0.25 };
  };

  it('text prints the metrics of hooks, a table for each kind', () => {
    const text = RENDER.get('text')(withMetrics(), { width: 100, distributionOf });
    expect(text).to.include(`
timers, ms  count  per second   p50   p95   p99  max
step_0         98        30.0  50.0  95.0  99.0  100

histograms  count   p50   p95   p99  max
sizes         100  50.0  95.0  99.0  100

meters  count  per second
marks      98        30.0

counters  value
hits      1,234
load      0.250
`);
  });

  it('csv, markdown, junit and html have the metrics of hooks', () => {
    const csv = RENDER.get('csv')(withMetrics());
    expect(csv)
      .to.match(/\r\ntimer,step_0,98,,30,1,50\.5,/)
      .and.include('\r\ncounter,hits,1234,,,,,');
    expect(RENDER.get('markdown')(withMetrics()))
      .to.include('| timer: step&#95;0 | 98 |  | 30.0 | 50.0 | 95.0 | 99.0 | 100 |')
      .and.include('| counter: hits | 1,234 |  |  |  |  |  |  |');
    expect(RENDER.get('junit')(withMetrics()))
      .to.include('<property name="step_0.p95" value="95"/>')
      .and.include('<property name="hits" value="1234"/>');
    expect(dataOf(RENDER.get('html')(withMetrics()))).to.include('"name":"step_0","kind":"timer","count":98');
  });

  it('a quiet text prints errors and failed thresholds, or nothing', () => {
    const text = RENDER.get('text')(literalResult(), { quiet: true });
    expect(text)
      .to.match(/^errors: 8\n/)
      .and.match(/thresholds\n {2}FAILED {2}errors<1%.*\n$/)
      .and.not.include('p99<200ms');
    expect(
      RENDER.get('text')({ ...literalResult(), errors: { count: 0, samples: [] }, thresholds: [] }, { quiet: true }),
    ).to.equal('');
  });

  it('the full distribution ends when half of the remaining values is less than one', () => {
    const text = RENDER.get('text')(literalResult(), { fullDistribution: true, distributionOf });
    expect(text)
      .to.match(/percentile {2,}ms {2,}iterations\n/)
      .and.match(/\n *97\.5 % +98\.0 +98\n/)
      .and.match(/\n *100\.0000 % +100 +100\n/);
  });

  it('X5 csv prints one row per metric, and quotes text that a spreadsheet would run', () => {
    const lines = RENDER.get('csv')(hostile()).split('\r\n');
    expect(lines[0]).to.equal('phase,name,count,errors,per second,min,mean,stddev,median,p75,p90,p95,p99,p999,max');
    expect(lines[1]).to.match(/^main,iterations,100,8,32\.666667,1,50\.5,/);
    expect(lines[2]).to.match(/^main,"'=1\+1 /);
  });

  it('X5 junit prints one test case for errors and one per threshold', () => {
    const xml = RENDER.get('junit')(literalResult());
    expect(xml)
      .to.include('tests="3" failures="1"')
      .and.include('name="p99&#60;200ms"')
      .and.include('errors&#60;1% failed: it was 8 %');
    expect(xml.match(/<testcase/g)).to.have.lengthOf(3);
    expect(RENDER.get('junit')(hostile())).not.to.match(/]]>|<b>/);
  });

  it('X5 markdown prints tables that hostile text cannot break', () => {
    const rows = RENDER.get('markdown')(hostile())
      .split('\n')
      .filter((line) => line.startsWith('|'));
    for (const row of rows) expect(row.replaceAll('&#124;', '').split('|').length, row).to.be.oneOf([5, 6, 10]);
  });

  it('hgrm prints increasing percentiles up to 1, like HdrHistogram', () => {
    const lines = RENDER.get('hgrm')(literalResult(), { distributionOf }).split('\n');
    const values = lines.filter((line) => /^\s+\d/.test(line)).map((line) => line.trim().split(/\s+/).map(Number));
    expect(values[0]).to.deep.equal([1, 0, 1, 1]);
    expect(values.at(-1).slice(0, 3)).to.deep.equal([100, 1, 100]);
    expect(values.map(([ms]) => ms)).to.deep.equal(values.map(([ms]) => ms).sort((a, b) => a - b));
    expect(lines.at(-2)).to.match(/^#\[Buckets = +22, SubBuckets +=/);
  });
});

/** The data of a page. */
function dataOf(html) {
  return /<script type="application\/json" id="result">(.*?)<\/script>/s.exec(html)[1];
}

/** 1 to 100 ms, each once. */
function distributionOf() {
  return Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
}

import { expect } from 'chai';

import { Histogram } from '../lib/core/measure/histogram.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { literalResult } from './support/literal-result.js';
import { judged } from './support/judged.js';
import { outcomeFor } from '../lib/core/measure/outcome.js';

const RENDER = new Map(await Promise.all(REPORTERS.map(async ({ name, load }) => [name, (await load()).render])));
const HOSTILE = '=1+1 | `x` <b>]]>&"\u001b[2J\n\u202e</script>';

/** A result with hostile names and messages. */
const hostile = () => {
  const result = literalResult();
  result.operations[0].name = HOSTILE;
  const exchange = [`> GET ${HOSTILE}`, '< 503', '<', `< ${HOSTILE} token=CANARY`];
  Object.assign(result.errors.details[0], { operation: HOSTILE, message: `${HOSTILE} token=CANARY`, exchange });
  result.thresholds[0].expression = HOSTILE;
  const trace = { id: 'a'.repeat(32), sampled: true, link: `javascript:${HOSTILE}` };
  result.exemplars = { slowest: [{ operation: HOSTILE, serviceTime: 9, trace }] };
  const conclusions = [{ code: 'x', message: HOSTILE }];
  result.servers = [{ name: 'start', source: 'process', cpuTime: 1, cpuCores: 0.5, conclusions }];
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
      const text = render(hostile(), { color: false, width: 100, distributionOf: () => [] });
      expect(text).not.to.include('CANARY');
      expect(text).not.to.include('\u001b').and.not.include('\u202e');
    });

    it(`${name} renders a run without measurements`, () => {
      const nothing = new Histogram().toJSON();
      const result = literalResult();
      Object.assign(result.main, { histogram: nothing, serviceTime: nothing, completed: nothing });
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

  it('markdown has the request and the response of the first error, as code whatever is in them', () => {
    const result = literalResult();
    const exchange = ['> GET http://h/', '< 503', '<', '< </details>\n# not a heading'];
    Object.assign(result.errors.details[0], { exchange });
    expect(RENDER.get('markdown')(result)).to.include(
      [
        '<details><summary>first request with an error of kind status in flow.main&#91;0&#93; GET /items</summary>\n',
        '    > GET http://h/',
        '    < 503',
        '    <',
        '    < </details>\\n# not a heading\n',
        '</details>',
      ].join('\n'),
    );
  });

  const withChecks = (isAllowed = false) => {
    const result = literalResult();
    if (!isAllowed) result.thresholds = [judged('p99<200ms', 99)];
    const place = { operation: 'GET /items', phase: 'main', path: 'flow.main[0].expect.status' };
    result.checks = {
      passed: 190,
      failed: 8,
      share: 190 / 198,
      details: [
        { ...place, name: HOSTILE, passed: 100, failed: 0, share: 1 },
        {
          ...place,
          name: 'status 2xx',
          passed: 90,
          failed: 8,
          share: 90 / 98,
          firstFailure: { index: 4, message: 'expected status 2xx, received 503 token=CANARY' },
        },
      ],
    };
    return result;
  };

  for (const [name, shown] of [
    ['csv', 'check,GET /items: status 2xx,98,8,'],
    ['junit', 'name="GET /items: status 2xx">\n      <failure message="8 of 98 failed; first: expected status 2xx'],
    ['markdown', '| GET /items: status 2xx | 91.8 % | 98 | **8** | expected status 2xx, received 503'],
    ['html', '"text":"190 of 198 passed (96.0 %)"'],
  ].filter(([format]) => RENDER.has(format)))
    it(`${name} lists the checks, with their names escaped`, () => {
      const text = RENDER.get(name)(withChecks(), { distributionOf: () => [] });
      expect(text).to.include(shown).and.not.include('\u001b').and.not.include('CANARY');
    });

  it('text has the sum of the checks, and each that failed with its first failure; full, a table of all', () => {
    const text = (options) => RENDER.get('text')(withChecks(), { unicode: true, width: 80, ...options });
    const failure = [
      '    8 of 98 failed: GET /items: status 2xx',
      '      expected status 2xx, received 503 token=*** in iteration 4',
    ];
    expect(text()).to.include(['  ✗ checks   190 of 198 passed (96.0 %)', ...failure, ''].join('\n'));
    expect(text({ quiet: true })).to.include(failure.join('\n'));
    expect(text({ full: true })).to.match(/check +passed +count +failed\n.*100 % +100 +0\n.*91\.8 % +98 +8\n/);
    const passed = withChecks();
    passed.checks = { passed: 9, failed: 0, share: 1, details: [{ ...passed.checks.details[0], passed: 9 }] };
    const render = RENDER.get('text');
    expect(render(passed, { unicode: true })).to.include('  ✓ checks   9 of 9 passed (100 %)\n\n');
    expect(render(passed, { unicode: true, quiet: true })).not.to.include('checks');
  });

  it('junit has no failed check and no case of errors if a threshold decides about them', () =>
    expect(RENDER.get('junit')(withChecks(true)))
      .to.not.include('8 of 98 failed')
      .and.not.include('no errors'));

  it('text and Markdown print the section of a section function, with numbers and without headings if it has none', () => {
    const section = {
      title: 'mine',
      lines: ['x'],
      columns: ['', ''],
      rows: [
        ['a', 1.5],
        ['bbb', null],
      ],
    };
    const text = RENDER.get('text')({ ...literalResult(), section }, { distributionOf });
    expect(text).to.include('\n\n  mine\n  x\n  a    1.50\n  bbb     -\n\n');
    const named = { ...section, columns: ['name', 'n'] };
    const markdown = RENDER.get('markdown')({ ...literalResult(), section: named });
    expect(markdown)
      .to.include('#### mine\n\n    x\n')
      .and.include('| name | n |\n| --- | ---: |\n| a | 1.50 |\n| bbb | - |');
    expect(RENDER.get('text')({ ...literalResult(), section }, { quiet: true })).to.not.include('mine');
    const broken = { ...section, failed: true };
    expect(RENDER.get('text')({ ...literalResult(), section: broken }, { quiet: true })).to.include('mine');
  });

  it('rows of a section have as many cells in Markdown as the section has columns', () => {
    const rows = [['x'], ['y', 1, 2]];
    const markdown = (section) => RENDER.get('markdown')({ ...literalResult(), section: { title: 'own', ...section } });
    expect(markdown({ columns: ['a', 'b'], rows })).to.include('| a | b |\n| --- | ---: |\n| x | - |\n| y | 1 |\n');
    expect(markdown({ rows })).to.include('#### own\n').and.not.include('| x');
  });

  it('text fits the width, and has colors only on request', () => {
    for (const width of [40, 60, 79, 100, 200]) {
      const text = RENDER.get('text')(literalResult(), { width, distributionOf });
      const widest = Math.max(...text.split('\n').map(({ length }) => length));
      expect(widest, `at ${width}`).to.be.at.most(Math.min(120, width));
      expect(text).not.to.match(/\u001b/);
    }
    expect(RENDER.get('text')(literalResult(), { color: true })).to.include('\u001b[');
  });

  it('text prints all sections', () => {
    expect(RENDER.get('text')(literalResult(), { width: 100, distributionOf, full: true })).to
      .equal(`✗ 32.7 iterations/s  p50 50.0 ms  p95 95.0 ms  p99 ~99.0 ms  8 errors (8.0 %)

  iterations   90 completed, 8 failed, 2 cancelled, 1 started late
  time         3.00 s of iterations, 3.10 s in total, started 2026-11-21 00:00:00 UTC
  requests     98 answered, 32.7 per second, 2 cancelled
  statuses     200: 90, 503: 8
  bytes        9.8 kB received (3.3 kB per second), 4.9 kB sent
  connections  10 opened, 88 on reused connections

  latency, ms    phase  count  mean   p50   p90   p95    p99  max  errors
  response time  main     100  50.5  50.0  90.0  95.0  ~99.0  100       8
  service time   main     100  50.5  50.0  90.0  95.0  ~99.0  100
  start delay    main     100  50.5  50.0  90.0  95.0  ~99.0  100
  GET /items     main      98  50.5  50.0  90.0  95.0  ~99.0  100       8
  GET /bye       after      1     -     -     -     -      -    -       0

  times, ms       p50   p75   p90   p95    p99  p99.9  max  mean  stddev
  response time  50.0  75.0  90.0  95.0  ~99.0      -  100  50.5    29.0
  service time   50.0  75.0  90.0  95.0  ~99.0      -  100  50.5    29.0
  first byte     50.0  75.0  90.0  95.0  ~99.0      -  100  50.5    29.0
  connecting     50.0  75.0  90.0  95.0  ~99.0      -  100  50.5    29.0
  start delay    50.0  75.0  90.0  95.0  ~99.0      -  100  50.5    29.0

  per second      min       p1     p2.5      p50    p97.5      max     mean   stddev
  iterations     30.0     30.0     30.0     30.0     34.0     34.0     32.7     2.00
  bytes       10.0 kB  10.0 kB  10.0 kB  30.0 kB  30.0 kB  30.0 kB  20.0 kB  10.0 kB
  planned 34.0 iterations per second, started 33.3

    1 ms  █▋                                                              1.0 %
  1.6 ms  █▋                                                              1.0 %
  2.5 ms  █▋                                                              1.0 %
    4 ms  ████▉                                                           3.0 %
  6.3 ms  ████▉                                                           3.0 %
   10 ms  █████████▊                                                      6.0 %
   16 ms  ████████████████▎                                                10 %
   25 ms  ██████████████████████▊                                          14 %
   40 ms  ██████████████████████████████████████▉                          24 % ◂ p50
   63 ms  ████████████████████████████████████████████████████████████     37 % ◂ p95 p99

  percentile    ms  iterations
       1.0 %  1.00           1
       2.5 %  3.00           3
      10.0 %  10.0          10
      20.0 %  20.0          20
      30.0 %  30.0          30
      40.0 %  40.0          40
      50.0 %  50.0          50
      60.0 %  60.0          60
      70.0 %  70.0          70
      75.0 %  75.0          75
      80.0 %  80.0          80
      85.0 %  85.0          85
      90.0 %  90.0          90
      95.0 %  95.0          95
      97.5 %  98.0          98
      98.8 %  99.0          99
  100.0000 %   100         100

  8 × status in flow.main[0] GET /items, first in iteration 4
      error statusCode: 503
  late: 1 iteration waited for a free virtual user; response times include the wait

  load    event loop busy 30 %, delay p99 1.00 ms, CPU 50.0 ms, GC 2.00 ms, 500.0 µs per request

  ✓ p99<200ms   ~99.0 ms
  ✗ errors<1%   8.00 %

  ✗ failed: errors are 8.00 %; the threshold is errors<1%.
    cancelled: 2 iterations were still running when the run ended
  validity: suspect
    errors: 8 in 100 iterations
    ~ marks p99: fewer than five of 100 values are above
`);
  });

  /** A result with a metric of each kind. */
  const withMetrics = () => {
    const result = literalResult();
    const { histogram, meter } = result.main;
    const metrics = { step_0: { meter, histogram }, sizes: histogram, marks: meter, hits: 1234, load: 0.25 };
    return { ...result, metrics };
  };

  it('text prints the metrics of hooks, a table for each kind', () => {
    const text = RENDER.get('text')(withMetrics(), { width: 100, distributionOf });
    expect(text).to.include(`
  timers, ms  count  per second   p50   p95    p99  max
  step_0         98        30.0  50.0  95.0  ~99.0  100

  histograms  count   p50   p95    p99  max
  sizes         100  50.0  95.0  ~99.0  100

  meters  count  per second
  marks      98        30.0

  counters  value
  hits      1,234
  load      0.250
`);
  });

  it('csv, markdown, junit and the page have the metrics of hooks', () => {
    const csv = RENDER.get('csv')(withMetrics());
    expect(csv)
      .to.match(/\r\ntimer,step_0,98,,30,1,50\.5,/)
      .and.include('\r\ncounter,hits,1234,,,,,');
    expect(RENDER.get('markdown')(withMetrics()))
      .to.include('| timer: step&#95;0 | 98 |  | 30.0 | 50.0 | 95.0 | ~99.0 | 100 |')
      .and.include('| counter: hits | 1,234 |  |  |  |  |  |  |');
    expect(RENDER.get('junit')(withMetrics()))
      .to.include('<property name="step_0.p95" value="95"/>')
      .and.include('<property name="hits" value="1234"/>');
    if (RENDER.has('html'))
      expect(dataOf(RENDER.get('html')(withMetrics()))).to.include('"name":"step_0","kind":"timer","count":98');
  });

  it('junit has one property of each name, also if a hook names its metric like one of them', () => {
    const metrics = { outcome: 3, validity: 4, 'metrics.outcome': 5 };
    const xml = RENDER.get('junit')({ ...literalResult(), metrics });
    const names = [...xml.matchAll(/<property name="([^"]*)"/g)].map(([, name]) => name);
    expect(names).to.include.members(['outcome', 'metrics.outcome', 'metrics.validity']);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('a quiet text prints errors and failed thresholds, or nothing', () => {
    const text = RENDER.get('text')(literalResult(), { quiet: true });
    expect(text)
      .to.match(/^ {2}8 × status in .*\n/)
      .and.match(/\n {2}✗ errors<1% .*\n$/)
      .and.not.include('p99<200ms');
    expect(
      RENDER.get('text')(
        {
          ...literalResult(),
          errors: { count: 0, details: [] },
          iterations: { ...literalResult().iterations, late: 0 },
          thresholds: [],
        },
        { quiet: true },
      ),
    ).to.equal('');
  });

  it('the full distribution ends when half of the remaining values is less than one', () => {
    const text = RENDER.get('text')(literalResult(), { fullDistribution: true, distributionOf });
    expect(text)
      .to.match(/percentile {2,}ms {2,}iterations\n/)
      .and.match(/\n *97\.5 % +98\.0 +98\n/)
      .and.match(/\n *100\.0000 % +100 +100\n/);
  });

  it('the rate of iterations in csv is that of the text: of those that completed', () => {
    const { iterations, ...result } = literalResult();
    const csv = RENDER.get('csv')({ ...result, iterations: { ...iterations, completedRate: 30 } });
    expect(csv).to.match(/\nmain,iterations,100,8,30,/);
  });

  it('X5 csv prints one row per metric, and quotes text that a spreadsheet would run', () => {
    const lines = RENDER.get('csv')(hostile()).split('\r\n');
    expect(lines[0]).to.equal(
      'type,name,count,errors,rate,min_ms,mean_ms,stddev_ms,median_ms,p75_ms,p90_ms,p95_ms,p99_ms,p999_ms,max_ms',
    );
    expect(lines[1]).to.match(/^main,iterations,100,8,32\.666667,1,50\.5,/);
    expect(lines[2]).to.match(/^main,"'=1\+1 /);
  });

  it('X5 junit prints one test case per threshold, and none for the errors that one of them judges', () => {
    const xml = RENDER.get('junit')(literalResult());
    expect(xml)
      .to.include('tests="3" failures="1"')
      .and.include('name="p99&#60;200ms"')
      .and.include('errors&#60;1% failed: it was 8.00 %')
      .and.include('<property name="outcome" value="failed"/>')
      .and.include('<property name="validity" value="suspect"/>');
    expect(xml.match(/<testcase/g)).to.have.lengthOf(3);
    expect(RENDER.get('junit')(hostile())).not.to.match(/]]>|<b>/);
  });

  it('reports name an undecided threshold with its range and its cause', () => {
    const result = literalResult();
    const doubt = '1.00–5.00 ms: other programs used the CPU for 1.0 of 3.0 s; run it on a less busy machine';
    result.errors = { ...result.errors, count: 0, kinds: {} };
    result.thresholds = [judged('p95<4ms', 5, { doubt, passed: false, undecided: true })];
    expect(RENDER.get('junit')(result)).to.match(/name="p95&#60;4ms"[^>]*>\s*<skipped message="1\.00–5\.00/);
    expect(RENDER.get('junit')(result)).to.include('failures="0"').and.include('name="outcome" value="undecided"');
    expect(RENDER.get('markdown')(result)).to.include('**undecided**').and.include('other programs used the CPU');
    expect(RENDER.get('github')(result)).to.match(/^::warning title=[^:]*::p95<4ms is undecided: 1\.00–5\.00 ms/i);
  });

  it('junit has a failure for every reason of the outcome', () => {
    const outcome = outcomeFor(['interrupted', 'threshold']);
    expect(RENDER.get('junit')({ ...literalResult(), outcome }))
      .to.include('tests="4" failures="2"')
      .and.include('name="the run: interrupted"');
  });

  it('junit names what a run without a completed iteration lacks', () => {
    const result = { ...literalResult(), outcome: undefined };
    result.iterations = { ...result.iterations, completed: 0 };
    expect(RENDER.get('junit')(result)).to.match(
      /name="the run: iterations\.completed&#62;0">\s*<failure message="no it/,
    );
  });

  it('markdown begins with the outcome, in a sentence, and the measurement', () => {
    const markdown = RENDER.get('markdown')({ ...literalResult(), validity: { status: 'valid', reasons: [] } });
    expect(markdown).to.match(/^### ❌ bench-rest: failed\n\nerrors are 8\.00 %; the threshold is errors&#60;1%\. /);
    expect(markdown).to.include('| p99&#60;200ms | &#126;99.0 ms | passed |');
  });

  for (const name of ['text', 'markdown', 'html', 'json'].filter((format) => RENDER.has(format)))
    it(`${name} ${name === 'json' ? 'has' : 'hides'} the numbers of percentiles that too few values cannot support`, () => {
      const result = literalResult();
      result.main.completed = { ...result.main.completed, count: 50, p99: 4321 };
      Object.assign(result.operations[0].times.serviceTime, { count: 50, p99: 4321 });
      const text = RENDER.get(name)(result, { distributionOf });
      const shown = name === 'html' ? dataOf(text) : text;
      if (name === 'json') expect(shown).to.include('4321');
      else {
        if (name === 'html') expect(shown).to.include('too few values for p99');
        expect(shown).to.not.match(/4,?321/);
      }
    });

  it('github prints the outcome, each group of errors and a doubt about the measurement, which no text can break', () => {
    const lines = RENDER.get('github')({
      ...literalResult(),
      title: 'a:b, 100%',
      thresholds: [judged('p99<50ms', 99)],
    })
      .trimEnd()
      .split('\n');
    expect(lines[0]).to.match(
      /^::error title=a%3Ab%2C 100%25::.*p99 is 99\.0 ms; the threshold is p99<50ms\..* p95 95\.0, p99 /,
    );
    expect(lines[1]).to.match(/^::error title=a%3Ab%2C 100%25::\d+ × status in /);
    const validity = { status: 'suspect', reasons: ['one', 'two'].map((message) => ({ code: 'test', message })) };
    expect(RENDER.get('github')({ ...literalResult(), validity })).to.match(/^::warning title=bench-rest::One\.\n$/m);
    const all = RENDER.get('github')(hostile()).trimEnd().split('\n');
    for (const line of all) expect(line).to.match(/^::(error|warning|notice) title=[^:,]*::/);
    const passed = {
      ...literalResult(),
      thresholds: [],
      outcome: undefined,
      validity: { status: 'valid', reasons: [] },
    };
    passed.errors = { ...passed.errors, count: 0, details: [] };
    expect(RENDER.get('github')(passed)).to.match(
      /^::notice title=bench-rest::90 iterations completed without errors\. 2 iterations were still running when the run ended\. 32\.7 iterations\/s, p50 50\.0, [^\n]*\n$/,
    );
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
    const bin = (which) =>
      distributionOf(which).map((point, i, all) => (i === all.length - 1 ? { ...point, ms: 99.98 } : point));
    const last = RENDER.get('hgrm')(literalResult(), { distributionOf: bin })
      .split('\n')
      .filter((line) => /^\s+\d/.test(line))
      .at(-1);
    expect(last.trim(), 'the value, not its bin').to.match(/^100\.000 1\.0/);
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

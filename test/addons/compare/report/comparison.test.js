import { expect } from 'chai';
import stringWidth from 'fast-string-width';

import { Histogram } from '../../../../lib/core/measure/histogram.js';
import { differencesOf } from '../../../../lib/addons/compare/report/objections.js';
import { factName } from '../../../../lib/addons/compare/report/run-facts.js';
import { comparisonOf, sentenceOf, withReasons } from '../../../../lib/addons/compare/report/index.js';
import { COMPARISON_FORMATS } from '../../../../lib/addons/compare/formats.js';
import { comparisonModel } from '../../../../lib/addons/page/comparison.js';
import { outcomeFor } from '../../../../lib/core/measure/outcome.js';
import { judged } from '../../../support/judged.js';
import { literalResult } from '../../../support/literal-result.js';
import { checkerOf } from '../../../support/schemas.js';

const RENDER = new Map(
  await Promise.all(COMPARISON_FORMATS.map(async ({ name, load }) => [name, (await load()).render])),
);

const isComparison = checkerOf('comparison');

/** A result whose times are `level` times those of the literal one. */
function resultOf(level, changes = {}) {
  const result = literalResult();
  const { completed } = result.main;
  const times = Object.fromEntries(
    ['min', 'max', 'mean', 'median', 'p90', 'p95', 'p99'].map((key) => [key, completed[key] * level]),
  );
  const [get, bye] = result.operations;
  return {
    ...result,
    iterations: { ...result.iterations, failed: 0, completedRate: 1000 / level },
    errors: { ...result.errors, count: 0 },
    thresholds: [],
    outcome: undefined,
    main: { ...result.main, completed: { ...completed, ...times } },
    operations: [{ ...get, times: { serviceTime: { ...get.times.serviceTime, ...times } } }, bye],
    ...changes,
  };
}
/** What differs in the result of another version of Node. */
function onNode22() {
  const [one] = literalResult().loadGenerators;
  return { loadGenerators: [{ ...one, machine: { ...one.machine, runtime: 'node 22.0.0' } }] };
}
/** Two sides that ran in turn. */
const inTurn = (...sides) =>
  sides.map((levels, side) =>
    levels.map((level, i) => resultOf(level, { startedAt: new Date(4000 * (2 * i + side)).toISOString() })),
  );
const faster = () => comparisonOf(...inTurn([0.99, 1, 1.01], [0.49, 0.5, 0.51]), { labels: ['old.js', 'new.js'] });

describe('reports of a comparison', () => {
  describe('the sentence', () => {
    const p95 = 'responseTime.p95';
    const figures = [{ figure: p95, base: 10, new: 10, change: 0.342 }];
    const side = (iterations) => ({ iterations });
    const none = side({ failed: 0, failedShare: 0 });
    const of = (conclusion, more = {}) =>
      sentenceOf({
        figures,
        totals: { base: none, new: none },
        conclusion: {
          ...{ figure: p95, verdict: 'better', change: -0.25, interval: { low: -0.3, high: -0.2 } },
          ...conclusion,
        },
        ...more,
      });
    const lower = 'p95 of B is 25.0 % lower (-30.0 % to -20.0 %)';
    for (const [conclusion, sentence] of [
      [{}, lower],
      [
        { verdict: 'worse', change: 0.5, interval: { low: 0.4, high: 0.6 } },
        'p95 of B is 50.0 % higher (+40.0 % to +60.0 %)',
      ],
      [
        { verdict: 'worse', change: 11.5, interval: { low: 9, high: 14 } },
        'p95 of B is 1,150 % higher (+900.0 % to +1,400 %)',
      ],
      [{ verdict: 'noise', interval: { low: -0.01, high: 0.03 } }, 'No significant difference (p95: -1.0 % to +3.0 %)'],
      [
        { verdict: 'unknown', change: 0.342, interval: null, reason: { message: 'each side has one run' } },
        'Cannot tell noise from change, because each side has one run (p95: +34.2 %)',
      ],
    ])
      it(sentence, () => expect(of(conclusion)).to.equal(sentence));

    it('names failed iterations, because errors can be fast', () =>
      expect(of({}, { totals: { base: none, new: side({ failed: 12, failedShare: 0.12 }) } })).to.equal(
        `${lower}; iterations failed: A 0 %, B 12 %`,
      ));

    it('names a side that failed first, and says what the rest is', () =>
      expect(
        of(
          { verdict: 'unknown', reason: { code: 'sideFailed', message: 'a side failed' } },
          { failed: [{ side: 'new', text: 'B failed: 40 % of its iterations failed' }] },
        ),
      ).to.equal(
        'B failed: 40 % of its iterations failed; p95 of what B completed is 25.0 % lower (-30.0 % to -20.0 %)',
      ));

    it('does not name a base that failed a threshold alone', () =>
      expect(
        of({}, { failed: [{ side: 'base', text: 'A failed: threshold p95<5ms', isOnlyThreshold: true }] }),
      ).to.equal(lower));

    it('names figures that changed in another direction', () => {
      const others = [
        { figure: 'iterations.completedRate', unit: '/s', verdict: 'better' },
        { figure: 'responseTime.p50', unit: 'ms', verdict: 'better' },
        { ...figures[0], unit: 'ms', verdict: 'noise' },
        { figure: 'responseTime.p99', unit: 'ms', verdict: 'worse' },
      ];
      expect(of({}, { figures: others })).to.equal(`${lower}, but p99 is worse`);
      expect(of({ verdict: 'noise', interval: { low: -0.01, high: 0.03 } }, { figures: others })).to.equal(
        'No significant difference (p95: -1.0 % to +3.0 %), but the rate, p50 are better, p99 is worse',
      );
    });

    const all = side({ failed: 9, failedShare: 1 });
    for (const [base, other, obstacle] of [
      [all, none, 'all iterations of A failed'],
      [none, all, 'all iterations of B failed'],
      [all, all, 'all iterations of both sides failed'],
      [none, none, 'a side has no measured iterations'],
    ])
      it(`Nothing to compare: ${obstacle}`, () =>
        expect(of({ change: null, interval: null, verdict: 'unknown' }, { totals: { base, new: other } })).to.equal(
          `Nothing to compare: ${obstacle}`,
        ));
  });

  it('differences are facts of the runs, and options', () => {
    const { run, tool, loadGenerators } = literalResult();
    const base = { run, tool, loadGenerators };
    const other = {
      ...run,
      flow: { source: '/new.js', sha256: 'def' },
      options: { limit: 5, headers: { authorization: 'Bearer CANARY' } },
    };
    expect(differencesOf([base], [base])).to.deep.equal([]);
    expect(differencesOf([base], [{}])).to.deep.equal([]);
    const found = differencesOf([base], [{ run: other, tool: { ...tool, version: '3.0.0' }, ...onNode22() }]);
    expect(found.map(({ path, base, new: of }) => `${path}: ${base} | ${of}`)).to.deep.equal([
      'run.flow.source: /flow.js | /new.js',
      'run.flow.sha256: abc | def',
      'tool: bench-rest 2.0.0 | bench-rest 3.0.0',
      'loadGenerators.machine: Node 20.0.0, linux, 2 x CPU | Node 22.0.0, linux, 2 x CPU',
      'run.options.headers: null | {"authorization":"***"}',
      'run.options.limit: null | 5',
      'run.options.rate: 34 | null',
    ]);
    expect(found.slice(1, 5).map(({ path }) => factName(path))).to.deep.equal([
      ...['content of the flow', 'version', 'machine', 'option headers'],
    ]);
  });

  for (const [what, change, objection] of [
    ['another load', { loads: [{ text: '9 s' }] }, /^A and B differ: load 3 s, 34\/s and 9 s$/],
    ['another machine', onNode22(), /^A and B differ: machine Node 20/],
    [
      'another pacing',
      { loadGenerator: { ...literalResult().loadGenerator, pacing: 'timer' } },
      /^A and B differ: pacing none and timer$/,
    ],
    ['another option', { options: { rate: 34, limit: 5 } }, /^A and B differ: option limit none and 5$/],
    [
      'another flow',
      { flow: { source: '/flow.js', sha256: 'def' } },
      /^A and B differ: content of the flow abc and def$/,
    ],
    ['the same time', {}, /^runs of A and B ran at the same time/],
  ])
    it(`${what} is a warning in every format`, async () => {
      const { run } = literalResult();
      const changed = Object.keys(change).some((key) => key.startsWith('loadGenerator'))
        ? change
        : { run: { ...run, ...change } };
      const comparison = comparisonOf([resultOf(1)], [resultOf(1, { id: 'two', ...changed })]);
      const messages = comparison.warnings.map(({ message }) => message);
      const found = messages.find((one) => objection.test(one));
      expect(found, messages.join()).to.be.a('string');
      for (const [name, render] of RENDER)
        expect(render(comparison, { width: 200 }), name).to.include(name === 'json' ? JSON.stringify(found) : found);
    });

  it('a result whose load generator was the limit is a warning', () => {
    const reasons = [{ code: 'saturated', message: 'the load generator was saturated' }];
    const saturated = resultOf(1, { loadGenerator: { ...literalResult().loadGenerator, saturated: true, reasons } });
    const { warnings } = comparisonOf([saturated, resultOf(1)], [resultOf(1)]);
    expect(warnings.find(({ code }) => code === 'saturated').message).to.equal(
      '1 of 2 runs of A: the load generator was saturated',
    );
  });

  it('every format has the thresholds, and in how many runs of each side they failed', () => {
    const judged = (level, passed) =>
      resultOf(level, {
        thresholds: [
          {
            ...{ expression: 'p95>=40ms', figure: 'responseTime.p95', of: {}, operator: '>=', bound: 40 },
            ...{ passed, actual: 30, unit: 'ms' },
          },
        ],
      });
    const comparison = comparisonOf([judged(1, false), judged(1, false)], [judged(1, true), judged(1, false)]);
    expect(comparison.outcome).to.deep.equal({
      passed: false,
      exitCode: 99,
      reasons: [
        {
          ...{ code: 'threshold', message: 'B failed: threshold p95>=40ms in 1 of 2 runs', side: 'new' },
          ...{ figure: 'responseTime.p95', of: {}, operator: '>=', bound: 40, unit: 'ms' },
        },
      ],
    });
    expect(comparison.warnings[0]).to.deep.equal({
      code: 'failed',
      message: 'A failed: threshold p95>=40ms in 2 of 2 runs',
    });
    expect(RENDER.get('text')(comparison)).to.match(/p95>=40ms +2 of 2 +1 of 2/);
    expect(RENDER.get('markdown')(comparison)).to.match(/p95.*40ms \| 2 of 2 \| 1 of 2/);
    expect(RENDER.get('html')(comparison)).to.include('2 of 2');
  });

  it('is plain data with everything that its reports show', () => {
    const comparison = faster();
    expect(JSON.parse(JSON.stringify(comparison))).to.deep.equal(comparison);
    isComparison(comparison);
    expect(isComparison.errors).to.equal(null);
    expect(comparison.conclusion.message).to.equal('p95 of B is 50.0 % lower (-52.2 % to -47.7 %)');
    const { base, new: other } = comparison.sides;
    expect([base, other].map(({ label, validity }) => [label, validity.status])).to.deep.equal([
      ['old.js', 'suspect'],
      ['new.js', 'suspect'],
    ]);
    const { sides } = comparisonOf([resultOf(1)], [resultOf(1, { title: 'mine' })]);
    expect([sides.base.label, sides.new.label]).to.deep.equal(['flow.js', 'mine']);
  });

  it('has no distribution without histograms', () => {
    const { base } = comparisonOf([resultOf(1)], [resultOf(1)]).sides;
    expect(base).not.to.have.property('responseTime');
  });

  it('a page draws the distributions from the histograms of the sides', () => {
    const counts = new Histogram();
    for (let ms = 1; ms <= 100; ms++) counts.update(ms);
    const run = (level) => {
      const result = resultOf(level);
      const main = { ...result.main, completed: counts.summary(true), histogram: counts.summary(true) };
      return { ...result, main };
    };
    const comparison = comparisonOf([run(1), run(1)], [run(2)]);
    expect(comparison.sides.base.responseTime).to.include({ count: 200, median: 50.015 });
    isComparison(comparison);
    expect(isComparison.errors).to.equal(null);
    const { above, below } = comparisonModel(comparison).distribution;
    expect([above.name, below.name]).to.deep.equal(['A, flow.js', 'B, flow.js']);
  });

  it('text is a table that ends with the sentence', () => {
    expect(RENDER.get('text')(faster(), { width: 80 })).to
      .equal(`A  old.js, 3 runs: 3 s, 34/s against http://127.0.0.1:8000
B  new.js, 3 runs: 3 s, 34/s against http://127.0.0.1:8000

                  A      B    change        96 % interval
iterations/s  1,000  2,000  +100.0 %  +91.1 % to +109.3 %  better
mean, ms       50.5   25.2   -50.0 %   -52.2 % to -47.7 %  better
p50, ms        50.0   25.0   -50.0 %   -52.2 % to -47.7 %  better
p90, ms        90.0   45.0   -50.0 %   -52.2 % to -47.7 %  better
p95, ms        95.0   47.5   -50.0 %   -52.2 % to -47.7 %  better
p99, ms        99.0   49.5   -50.0 %   -52.2 % to -47.7 %  better

p95, ms             A     B   change       96 % interval
GET /items       95.0  47.5  -50.0 %  -52.2 % to -47.7 %  better
after: GET /bye     -     -        -

- 3 of 3 runs of A and 3 of 3 runs of B: errors: 8 in 100 iterations

One value per run: Welch's t test of the logarithms. 9 figures were tested; of
those called better or worse, at most 5 % on average are so by chance
(Benjamini-Hochberg).

p95 of B is 50.0 % lower (-52.2 % to -47.7 %)
`);
  });

  it('a threshold that is undecided in runs of B is named, with exit code 98; one of A decides nothing', () => {
    const doubtful = judged('p95<80ms', 95, { passed: false, undecided: true, doubt: '70–95 ms: other programs' });
    const clear = resultOf(1, {
      thresholds: [judged('p95<80ms', 50)],
      outcome: outcomeFor([]),
      errors: { count: 0, kinds: {}, details: [] },
    });
    const unclear = { ...clear, thresholds: [doubtful] };
    const { outcome, thresholds } = comparisonOf([clear, clear, clear], [unclear, clear, unclear]);
    expect([outcome.exitCode, outcome.reasons.map(({ message }) => message)]).to.deep.equal([
      98,
      ['threshold p95<80ms of B is undecided in 2 of 3 runs: 70–95 ms: other programs'],
    ]);
    expect(thresholds).to.deep.equal([{ expression: 'p95<80ms', base: 0, new: 0 }]);
    expect(comparisonOf([unclear], [clear]).outcome.passed).to.equal(true);
  });

  it('one sentence about the figures of both sides has the cause of the run that it took most from, and a remedy', () => {
    const touched = (ms) => {
      const result = resultOf(1);
      const none = { count: 0, longest: 0, total: 0 };
      const stops = { blocked: none, gc: none, suspended: none, noCpu: { count: 9, longest: 9, total: ms } };
      const reasons = [{ code: 'loadGeneratorInFigures', message: `p95 is a range: ${ms}` }];
      return { ...result, validity: { status: 'suspect', reasons }, loadGenerator: { ...result.loadGenerator, stops } };
    };
    const valid = { ...resultOf(1), validity: { status: 'valid', reasons: [] } };
    const { warnings } = comparisonOf([touched(300), valid], [touched(600), touched(900)]);
    expect(warnings.filter(({ code }) => code === 'suspect').map(({ message }) => message)).to.deep.equal([
      'figures of 1 of 2 runs of A and 2 of 2 runs of B are ranges: other programs used the CPU for 0.9 of 3.0 s in one of them; run it on a less busy machine',
    ]);
    expect(comparisonOf([valid], [valid]).warnings.map(({ code }) => code)).not.to.include('suspect');
  });

  for (const width of [40, 50, 80, 200])
    it(`text fits ${width} columns`, () => {
      const text = RENDER.get('text')(faster(), { width });
      for (const line of text.split('\n')) expect(stringWidth(line), line).to.be.at.most(Math.min(120, width));
      expect(text.replaceAll(/\s+/g, ' ')).to.match(/ p95 of B is 50\.0 % lower \(-52\.2 % to -47\.7 %\) $/);
      expect(text.includes('96 % interval')).to.equal(width >= 64);
    });

  it('the sentence is green or red on a terminal, and bold', () => {
    const lastOf = (comparison) => RENDER.get('text')(comparison, { color: true }).split('\n').at(-2);
    expect(lastOf(faster())).to.include('\u001b[32m').and.include('\u001b[1m');
    expect(lastOf(comparisonOf(...inTurn([1, 1.01, 1.02], [2, 2.01, 2.02])))).to.include('\u001b[31m');
    expect(lastOf(comparisonOf(...inTurn([1, 2, 3], [3, 1, 2])))).to.not.match(/\u001b\[3[12]m/);
  });

  it('markdown begins with the sentence, then limits, sides, figures, operations and differences', () => {
    const others = [resultOf(0.5, onNode22())];
    const reason = { code: 'regression', message: 'p99 is worse by 20 %, more than 10 %' };
    const comparison = withReasons(comparisonOf([resultOf(1)], others), [reason]);
    const text = RENDER.get('markdown')(comparison);
    const [sentence, , limit, , objection] = text.split('\n');
    expect(sentence).to.match(/^### Cannot tell noise from change, because each side has one run \(p95: -50\.0 %\)$/);
    expect(limit).to.equal('- **p99 is worse by 20 %, more than 10 %**');
    expect(objection).to.equal('- A and B differ: machine Node 20.0.0, linux, 2 x CPU and Node 22.0.0, linux, 2 x CPU');
    expect(text).to.include('\n- A: flow.js: 3 s, 34/s against http://127.0.0.1:8000\n');
    expect(text)
      .to.include('- 1 of 1 run of A and 1 of 1 run of B: errors: 8 in 100 iterations\n')
      .and.include('| p95, ms | 95.0 | 47.5 | -50.0 % |  |  |')
      .and.include('| GET /items | 95.0 | 47.5 | -50.0 % |  |  | 98, 8 failed | 98, 8 failed |')
      .and.include('| machine | Node 20.0.0, linux, 2 x CPU | Node 22.0.0, linux, 2 x CPU |');
    expect(text).not.to.match(/undefined|NaN|null/);
  });

  it('markdown folds many operations', () => {
    const [operation] = resultOf(1).operations;
    const many = (n) => {
      const operations = Array.from({ length: n }, (_, i) => ({ ...operation, name: `GET /${i}` }));
      return RENDER.get('markdown')(comparisonOf([resultOf(1, { operations })], [resultOf(1, { operations })]));
    };
    expect(many(10)).not.to.include('<details>');
    expect(many(11)).to.match(/<details><summary>11 operations<\/summary>\n\n\|[^]*\n\n<\/details>/);
  });

  for (const [name, render] of RENDER)
    it(`${name} shows a comparison in which nothing was measured`, () => {
      const none = { ...literalResult().main.completed, count: 0 };
      for (const key of ['min', 'max', 'mean', 'median', 'p90', 'p95', 'p99']) none[key] = null;
      const empty = resultOf(1, {
        main: { completed: none, histogram: none },
        operations: [],
        iterations: { started: 0, failed: 0, completed: 0, dropped: 0, rate: 0 },
        run: undefined,
      });
      const text = render(comparisonOf([empty], [empty]));
      expect(text).to.include('Nothing to compare: a side has no measured iterations');
      const shown = name === 'html' ? /<script type="application\/json"[^]*?<\/script>/.exec(text)[0] : text;
      expect(shown).not.to.match(/NaN|undefined|Infinity/);
    });
});

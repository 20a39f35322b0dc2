import { expect } from 'chai';
import stringWidth from 'string-width';

import { COMPARISON_FORMATS } from '../../../../lib/report/comparison/formats.js';
import { comparisonOf, differencesOf, sentenceOf } from '../../../../lib/report/comparison/index.js';
import { literalResult } from '../../../support/literal-result.js';

const RENDER = new Map(
  await Promise.all(COMPARISON_FORMATS.map(async ({ name, load }) => [name, (await load()).render])),
);

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

describe('report/comparison', () => {
  describe('the sentence', () => {
    const figures = [{ figure: 'p95', base: 10, other: 10, change: 0.342, low: -0.01, high: 0.03 }];
    const none = { failed: 0, failedShare: 0 };
    const of = (conclusion, more = {}) =>
      sentenceOf({
        figures,
        why: 'each side has one run',
        totals: { base: none, other: none },
        conclusion: { figure: 'p95', verdict: 'better', factor: 1.333, margin: 0.05, isSlower: false, ...conclusion },
        ...more,
      });
    for (const [conclusion, sentence] of [
      [{}, 'B is 1.33 ± 0.05 times faster (p95)'],
      [{ verdict: 'worse', isSlower: true }, 'B is 1.33 ± 0.05 times slower (p95)'],
      [{ factor: 1.004, margin: 0.0012 }, 'B is 1.004 ± 0.001 times faster (p95)'],
      [{ factor: 12.34, margin: 1.5 }, 'B is 12.3 ± 1.5 times faster (p95)'],
      [{ factor: 1234.5, margin: 200 }, 'B is 1,235 ± 200 times faster (p95)'],
      [{ factor: 2, margin: 0 }, 'B is 2.00 ± 0.00 times faster (p95)'],
      [{ verdict: 'noise' }, 'No significant difference (p95: -1.0 % to +3.0 %)'],
      [
        { verdict: 'unknown', margin: null },
        'Cannot tell noise from change, because each side has one run (p95: +34.2 %)',
      ],
    ])
      it(sentence, () => expect(of(conclusion)).to.equal(sentence));

    it('names failed iterations, because errors can be fast', () =>
      expect(of({}, { totals: { base: none, other: { failed: 12, failedShare: 0.12 } } })).to.equal(
        'B is 1.33 ± 0.05 times faster (p95); iterations failed: A 0 %, B 12 %',
      ));

    it('names a side that failed first, and says what the rest is', () =>
      expect(
        of({ verdict: 'unknown' }, { failed: [{ side: 1, text: 'B failed: 40 % of its iterations failed' }] }),
      ).to.equal('B failed: 40 % of its iterations failed; what B completed was 1.33 ± 0.05 times faster (p95)'));

    it('does not name a base that failed a threshold alone', () =>
      expect(of({}, { failed: [{ side: 0, text: 'A failed: threshold p95<5ms', isOnlyThreshold: true }] })).to.equal(
        'B is 1.33 ± 0.05 times faster (p95)',
      ));

    it('names figures that changed in another direction', () => {
      const others = [
        { figure: 'iterations.completedRate', unit: '/s', verdict: 'better' },
        { figure: 'p50', unit: 'ms', verdict: 'better' },
        { ...figures[0], unit: 'ms', verdict: 'noise' },
        { figure: 'p99', unit: 'ms', verdict: 'worse' },
      ];
      expect(of({}, { figures: others })).to.equal('B is 1.33 ± 0.05 times faster (p95), but p99 is worse');
      expect(of({ verdict: 'noise' }, { figures: others })).to.equal(
        'No significant difference (p95: -1.0 % to +3.0 %), but the rate, p50 are better, p99 is worse',
      );
    });

    const all = { failed: 9, failedShare: 1 };
    for (const [base, other, obstacle] of [
      [all, none, 'all iterations of A failed'],
      [none, all, 'all iterations of B failed'],
      [all, all, 'all iterations of both sides failed'],
      [none, none, 'a side has no measured iterations'],
    ])
      it(`Nothing to compare: ${obstacle}`, () =>
        expect(of({ factor: null, margin: null, verdict: 'unknown' }, { totals: { base, other } })).to.equal(
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
    expect(differencesOf(base, base)).to.deep.equal([]);
    expect(differencesOf(base, {})).to.deep.equal([]);
    const found = differencesOf(base, { run: other, tool: { ...tool, version: '3.0.0' }, ...onNode22() });
    expect(found.map(({ name, base, other: of }) => `${name}: ${base} | ${of}`)).to.deep.equal([
      'flow: /flow.js | /new.js',
      'content of the flow: abc | def',
      'version: bench-rest 2.0.0 | bench-rest 3.0.0',
      'machine: Node 20.0.0, linux, 2 x CPU | Node 22.0.0, linux, 2 x CPU',
      'option headers:  | {"authorization":"***"}',
      'option limit:  | 5',
      'option rate: 34 | ',
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
    it(`${what} is an objection in every format`, async () => {
      const { run } = literalResult();
      const changed = Object.keys(change).some((key) => key.startsWith('loadGenerator'))
        ? change
        : { run: { ...run, ...change } };
      const comparison = comparisonOf([resultOf(1)], [resultOf(1, { id: 'two', ...changed })]);
      const found = comparison.objections.find((one) => objection.test(one));
      expect(found, comparison.objections.join()).to.be.a('string');
      for (const [name, render] of RENDER)
        expect(render(comparison, { width: 200 }), name).to.include(name === 'json' ? JSON.stringify(found) : found);
    });

  it('a result whose load generator was the limit is an objection', () => {
    const saturated = resultOf(1, { loadGenerator: { ...literalResult().loadGenerator, saturated: true } });
    expect(comparisonOf([saturated, resultOf(1)], [resultOf(1)]).objections.join('\n')).to.include(
      'the load generator was the limit in 1 of 2 runs of A',
    );
  });

  it('every format has the thresholds, and in how many runs of each side they failed', () => {
    const judged = (level, passed) =>
      resultOf(level, { thresholds: [{ expression: 'p95>=40ms', passed, actual: 50, unit: 'ms' }] });
    const comparison = comparisonOf([judged(1, false), judged(1, false)], [judged(1, true), judged(1, false)]);
    expect(comparison.outcome).to.equal('B failed: threshold p95>=40ms in 1 of 2 runs');
    expect(comparison.objections[0]).to.equal('A failed: threshold p95>=40ms in 2 of 2 runs');
    expect(RENDER.get('text')(comparison)).to.match(/p95>=40ms +2 of 2 +1 of 2/);
    expect(RENDER.get('markdown')(comparison)).to.match(/p95.*40ms \| 2 of 2 \| 1 of 2/);
    expect(RENDER.get('html')(comparison)).to.include('2 of 2');
  });

  it('is plain data with everything that its reports show', () => {
    const comparison = faster();
    expect(JSON.parse(JSON.stringify(comparison))).to.deep.equal(comparison);
    expect(comparison.sentence).to.match(/^B is 2\.00 ± 0\.\d+ times faster \(p95\)$/);
    expect(comparison.sides.map(({ name, label, validity }) => [name, label, validity])).to.deep.equal([
      ['A', 'old.js', ['suspect']],
      ['B', 'new.js', ['suspect']],
    ]);
    const untitled = comparisonOf([resultOf(1)], [resultOf(1, { title: 'mine' })]);
    expect(untitled.sides.map(({ label }) => label)).to.deep.equal(['flow.js', 'mine']);
  });

  it('has no distribution without histograms', () =>
    expect(comparisonOf([resultOf(1)], [resultOf(1)]).distribution).to.equal(null));

  it('text is a table that ends with the sentence', () => {
    expect(RENDER.get('text')(faster(), { width: 80 })).to
      .equal(`A  old.js, 3 runs: 3 s, 34/s against http://127.0.0.1:8000; validity: suspect
B  new.js, 3 runs: 3 s, 34/s against http://127.0.0.1:8000; validity: suspect

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

- the figures are suspect in 3 of 3 runs of A: errors: 8 in 100 iterations
- the figures are suspect in 3 of 3 runs of B: errors: 8 in 100 iterations

One value per run: Welch's t test of the logarithms. 9 figures were tested; of
those called better or worse, at most 5 % on average are so by chance
(Benjamini-Hochberg).

B is 2.00 ± 0.09 times faster (p95)
`);
  });

  for (const width of [40, 50, 80, 200])
    it(`text fits ${width} columns`, () => {
      const text = RENDER.get('text')(faster(), { width });
      for (const line of text.split('\n')) expect(stringWidth(line), line).to.be.at.most(Math.min(120, width));
      expect(text).to.match(/\n\nB is 2\.00 ± [\d.]+ times faster \(p95\)\n$/);
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
    const comparison = {
      ...comparisonOf([resultOf(1)], others),
      regressions: ['p99 is worse by 20 %, more than 10 %'],
    };
    const text = RENDER.get('markdown')(comparison);
    const [sentence, , limit, , objection] = text.split('\n');
    expect(sentence).to.match(/^### Cannot tell noise from change, because each side has one run \(p95: -50\.0 %\)$/);
    expect(limit).to.equal('- **p99 is worse by 20 %, more than 10 %**');
    expect(objection).to.equal('- A and B differ: machine Node 20.0.0, linux, 2 x CPU and Node 22.0.0, linux, 2 x CPU');
    expect(text).to.include('\n- **A**: flow.js: 3 s, 34/s against http://127.0.0.1:8000; validity: suspect\n');
    expect(text)
      .to.include('  - errors: 8 in 100 iterations')
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

import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

import { expect } from 'chai';
import stringWidth from 'fast-string-width';

import { Histogram } from '../../../../lib/core/measure/histogram.js';
import { readable } from '../../../../lib/core/report/supported.js';
import { render } from '../../../../lib/core/report/text/index.js';
import fc from '../../../support/fast-check.js';
import { scaled } from '../../../support/scale.js';
import { literalResult, unanswered } from '../../../support/literal-result.js';
import { judged } from '../../../support/judged.js';
import { itSlow } from '../../../support/slow.js';
import { outcomeFor } from '../../../../lib/core/measure/outcome.js';

/** 1 to 100 ms, each once. */
const distributionOf = () => Array.from({ length: 100 }, (_, i) => ({ ms: i + 1, upTo: i + 1 }));
const nothing = new Histogram().toJSON();
const passed = {
  thresholds: [judged('p99<200ms', 99)],
  errors: { count: 0, share: 0, kinds: {}, details: [] },
  validity: { status: 'valid', reasons: [] },
  outcome: outcomeFor([]),
};

/** A run without errors. */
function typical() {
  const result = { ...literalResult(), ...passed };
  const [first] = result.operations;
  Object.assign(result.iterations, { completed: 100, failed: 0, cancelled: 0, late: 0 });
  Object.assign(result.requests, { answered: 200, cancelled: 0, statusCodes: { 200: 100, 201: 100 } });
  delete result.iterations.plannedRate;
  result.operations = ['PUT /items/#{INDEX}', 'GET /items/#{INDEX}'].map((name) => ({ ...first, name, errors: 0 }));
  return result;
}

/** A run of one request: a table would repeat the headline. */
function single() {
  const result = typical();
  return { ...result, operations: result.operations.slice(0, 1) };
}

/** A run in which no iteration ended, as after Ctrl-C. */
function empty() {
  const result = { ...literalResult(), ...passed, outcome: outcomeFor(['interrupted']) };
  Object.assign(result.main, { histogram: nothing, serviceTime: nothing, completed: nothing });
  Object.assign(result.iterations, { started: 2, completed: 0, failed: 0, cancelled: 2, late: 0, rate: 0 });
  Object.assign(result.requests, { answered: 0, cancelled: 2, statusCodes: {} });
  delete result.iterations.plannedRate;
  return { ...result, operations: [], thresholds: undefined };
}

/** A run of many operations with long names, some in wide letters. */
function many() {
  const result = typical();
  const [first] = result.operations;
  const names = Array.from({ length: 49 }, (_, i) => `GET /api/v1/customers/#{id}/orders/${i}/items`);
  return {
    ...result,
    operations: ['注文一覧を取得する。とても長い名前の操作です', ...names].map((name) => ({ ...first, name })),
  };
}

/** The report of a run of one request, 100 columns wide. */
function reportOf({ groups, lines, passing, failing, late, dropped, isUnsteady, isRange }) {
  const result = { ...single(), ...(isRange && { main: touched(single().main) }) };
  const [sample] = literalResult().errors.details;
  const exchange = ['> GET /', '< 503', ...Array.from({ length: lines }, (_, i) => `< x-h${i}: ${i}`), '<', '< busy'];
  const details = Array.from({ length: groups }, (_, i) => ({ ...sample, message: `error ${i}`, count: 1, exchange }));
  const errors = { ...result.errors, count: groups, share: groups / 100, kinds: { status: groups }, details };
  const thresholds = [
    ...Array.from({ length: passing }, (_, i) => judged(`p99<${200 + i}ms`, 99)),
    ...Array.from({ length: failing }, (_, i) => judged(`p95<${50 + i}ms`, 95)),
  ];
  const iterations = {
    ...result.iterations,
    ...{ failed: groups, started: 100 + groups },
    ...(late && { late: 1234, maxBacklog: 345 }),
    ...(dropped && { dropped: 500, plannedRate: 200, startedRate: 33 }),
  };
  const remarks = [{ code: 'unsteady', message: `not steady: ${'the first 2 s are slower '.repeat(5)}` }];
  const validity = { ...result.validity, ...(isUnsteady && { remarks }) };
  const { outcome: _outcome, ...whole } = { ...result, errors, thresholds, iterations, validity };
  return render(whole, { width: 100, distributionOf });
}

/** The same times, of which the load generator may have made half. */
function touched(main) {
  const least = Object.entries(main.completed).map(([key, value]) => [key, key === 'count' ? value : value / 2]);
  return { ...main, least: Object.fromEntries(least) };
}

const RESULTS = { typical, single, failed: literalResult, unanswered, empty, many };
const WAYS = [
  ['80 columns', { width: 80 }],
  ['50 columns', { width: 50 }],
  ['50 columns of ASCII', { width: 50, unicode: false }],
];

/** The expected texts, each below a line with its title. Written by UPDATE_GOLDEN=1. */
const GOLDEN = new URL('reports.golden.txt', import.meta.url);

describe('report/text, as a whole', () => {
  const made = Object.entries(RESULTS).flatMap(([name, result]) =>
    WAYS.map(([way, options]) => ({
      title: `${name}, ${way}`,
      text: render(result(), { distributionOf, files: ['page.html', 'result.json'], ...options }),
    })),
  );
  const golden = made.map(({ title, text }) => `==== ${title}\n${text}`).join('');
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, golden);
  const expected = new Map(
    readFileSync(GOLDEN, 'utf8')
      .split(/^==== /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );

  for (const { title, text } of made) it(title, () => expect(text).to.equal(expected.get(title)));

  itSlow(
    'a run of one request has at most 18 lines, whatever went wrong, and names each kind of error or how many more',
    () => {
      const given = fc.record({
        groups: fc.integer({ min: 0, max: 12 }),
        lines: fc.integer({ min: 0, max: 40 }),
        passing: fc.integer({ min: 0, max: 6 }),
        failing: fc.integer({ min: 0, max: 3 }),
        late: fc.boolean(),
        dropped: fc.boolean(),
        isUnsteady: fc.boolean(),
        isRange: fc.boolean(),
      });
      fc.assert(
        fc.property(given, (made) => {
          const lines = reportOf(made).trimEnd().split('\n');
          expect(lines.length, lines.join('\n')).to.be.at.most(18);
          expect(lines.join('\n'))
            .to.include('mean ')
            .and.not.match(/\n\n\n/);
          const [, more = 0] = /and (\d+) more (?:groups? with|in other)/.exec(lines.join('\n')) ?? [];
          expect(lines.filter((line) => / × status in /.test(line)).length + Number(more)).to.equal(made.groups);
          expect(Number(more)).to.be.below(Math.max(1, made.groups));
          expect(lines.filter((line) => /^ {2}✗ \S+</.test(line)).length).to.equal(made.failing);
        }),
        { numRuns: scaled(20, 300) },
      );
    },
  );

  for (const [name, result] of Object.entries(RESULTS)) {
    it(`${name} fits every width, also with everything`, () => {
      for (const full of [false, true])
        for (const width of [40, 41, 50, 64, 79, 80, 130]) {
          const text = render(result(), { distributionOf, width, full });
          for (const line of text.split('\n')) expect(stringWidth(line), line).to.be.at.most(Math.min(width, 120));
        }
    });

    it(`${name} in color has the same text, in 16 colors`, () => {
      const [plain, colored] = [false, true].map((color) => render(result(), { distributionOf, width: 80, color }));
      expect(stripVTControlCharacters(colored)).to.equal(plain);
      expect(colored).to.match(/^\u001b\[1m\u001b\[3[12]m/);
      expect(colored).to.not.match(/\u001b\[[34]8/);
    });
  }

  it('ASCII has no other characters than the texts of the result', () => {
    for (const result of [typical(), literalResult(), unanswered(), empty()])
      expect(render(result, { distributionOf, width: 80, unicode: false, full: true })).to.not.match(/[^\n -~]/);
  });

  it('intervals are as wide in ASCII', () => {
    const figure = { figure: 'responseTime.p95', unit: 'ms', batches: 10 };
    const { p95 } = typical().main.completed;
    const confidence = {
      level: 0.95,
      figures: [{ ...figure, actual: p95, interval: { low: p95 - 1, high: p95 + 1 } }],
    };
    const precision = [{ expression: 'p95±3%', figure: 'responseTime.p95', bound: 0.03, actual: 0.02, passed: true }];
    const shown = (unicode) => render({ ...typical(), confidence, precision }, { width: 80, unicode });
    expect(shown(true))
      .to.match(/p95 \S+ ms ± 1\.?0* /)
      .and.match(/✓ p95±3% .*± 2\.?0* %/);
    expect(shown(false))
      .to.match(/p95 \S+ ms \+-1\.?0* /)
      .and.match(/PASSED p95\+-3% .*\+-2\.?0* %/);
    expect(shown(false)).to.not.match(/[^\n -~]/);
  });

  it('the report counts the statuses beyond the six most frequent ones', () => {
    const linesWith = (count) => {
      const result = single();
      result.requests.statusCodes = Object.fromEntries(Array.from({ length: count }, (_, i) => [200 + i, 10 - i]));
      return render(result, { width: 120 });
    };
    expect(linesWith(6)).to.include('205: 5').and.not.include('other status');
    expect(linesWith(7)).to.include('205: 5, 1 other status');
    expect(linesWith(8)).to.include('205: 5, 2 other statuses');
  });

  it('a section of a saved result may have rows of any length', () => {
    const linesOf = (columns, rows) => {
      const lines = render({ ...single(), section: { title: 'own', columns, rows } }, { width: 80 }).split('\n');
      const at = lines.indexOf('  own');
      return lines.slice(at + 1, lines.indexOf('', at)).map((line) => line.trim());
    };
    expect(linesOf(['a', 'b'], [['x'], ['y', 1, 2]])).to.deep.equal(['a  b', 'x  -', 'y  1']);
    expect(linesOf(['', ''], [['x', 1]])).to.deep.equal(['x  1']);
    expect(linesOf(['a'], [])).to.deep.equal([]);
    expect(linesOf([], [['x']])).to.deep.equal([]);
  });

  it('a single operation has a row if iterations repeat it', () => {
    const result = single();
    expect(render(result, { width: 80 })).to.not.match(/^ {2}PUT /m);
    const [operation] = result.operations;
    const repeated = { ...result, operations: [{ ...operation, count: 5 * result.iterations.started }] };
    expect(render(repeated, { width: 80 })).to.match(/^ {2}PUT \/items\/#\{INDEX\} /m);
  });

  it('one table has one unit: microseconds, milliseconds or seconds', () => {
    const times = (factor) => {
      const result = typical();
      const summary = result.main.completed;
      const scaled = Object.fromEntries(
        Object.entries(summary).map(([key, value]) => [key, key === 'count' ? value : value * factor]),
      );
      return render({ ...result, main: { ...result.main, completed: scaled, least: scaled } }, { width: 80 });
    };
    expect(times(0.001))
      .to.match(/p50 50 µs {2}p95 95 µs/)
      .and.match(/latency, µs/);
    expect(times(1000))
      .to.match(/p50 50\.0 s {2}p95 95\.0 s/)
      .and.match(/latency, s /);
  });

  it('percentiles of too few values are -, and the measurement has the reason', () => {
    const given = typical();
    given.main.completed.count = 50;
    const result = readable(given);
    const text = render(result, { width: 80 });
    expect(text).to.match(/^✓ 32\.7 iterations\/s {2}p50 50\.0 ms {2}p95 ~95\.0 ms {2}p99 - {2}0 errors\n/);
    expect(render(result, { width: 80, full: true })).to.include(
      'validity: valid\n    ~ marks p95: fewer than five of 50 values are above\n    too few values for p99: p99 needs 100 iterations, this run has 50\n',
    );
    expect(text).to.include('✓ p99<200ms   99.0 ms (of 50 values; p99 needs 100)');
  });

  it('an invalid result has its reason, and all of them in full, in red', () => {
    const validity = { status: 'invalid', reasons: [{ code: 'accounting', message: 'the counters do not add up' }] };
    const text = render({ ...typical(), validity }, { width: 80, color: true });
    expect(text).to.include('The counters do not add up.');
    const full = render({ ...typical(), validity }, { width: 80, color: true, full: true });
    expect(full).to.include('validity: \u001b[31minvalid\u001b[39m\n    the counters do not add up');
  });
});

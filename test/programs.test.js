import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import benchrest from '../index.js';
import {
  assertThresholds,
  compareResults,
  readResult,
  mergeResults,
  percentile,
  renderResult,
  writeResult,
} from '../lib/results.js';
import { withoutCounts } from '../lib/core/measure/histogram.js';
import { RUN_HEAD } from '../lib/core/measure/document.js';
import { COMPARISON_FORMATS } from '../lib/addons/compare/formats.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { command } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { literalResult } from './support/literal-result.js';

const codeOf = async (act) => {
  try {
    return await act();
  } catch (error) {
    return error.code;
  }
};

describe('cli/result/programs', () => {
  let folder;
  let outcome;
  let other;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const runs = await serving(ok, async (url) => [
      await benchrest([`${url}/a`, `${url}/b`], { limit: 2, iterations: 50, title: 'first', thresholds: 'errors<1' }),
      await benchrest([`${url}/a`, `${url}/b`], { limit: 2, iterations: 70 }),
    ]);
    [outcome, other] = runs;
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const { name } of REPORTERS)
    it(`renders ${name} from what a run resolves to, and from its stats alike`, async () => {
      const text = await renderResult(outcome, { format: name });
      expect(text.length).to.be.above(10);
      expect(await renderResult(outcome.stats, { format: name })).to.equal(text);
    });

  it('renders text by default, and with colors and all percentiles on request', async () => {
    expect(await renderResult(outcome))
      .to.match(/^first\n/)
      .and.not.include('\u001b');
    expect(await renderResult(outcome, { color: true, full: true }))
      .to.include('\u001b')
      .and.include('99.9');
    expect(await codeOf(() => renderResult(outcome, { format: 'pdf' }))).to.equal('E_USAGE');
  });

  for (const extension of ['json', 'ndjson'])
    it(`loads what it saved as .${extension}, with all figures`, async () => {
      const file = join(folder, `result.${extension}`);
      await writeResult(outcome, file);
      const loaded = await readResult(pathToFileURL(file));
      expect(loaded).to.deep.include({ ...RUN_HEAD, title: 'first', startedAt: outcome.stats.startedAt });
      expect(loaded.iterations).to.deep.equal(outcome.stats.iterations);
      expect(percentile(loaded, 99.5)).to.equal(percentile(outcome, 99.5));
    });

  it('saves a page and Markdown by their extensions, and refuses others', async () => {
    await writeResult(outcome, join(folder, 'page.html'));
    await writeResult(outcome, pathToFileURL(join(folder, 'result.md')));
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).to.include('<!doctype html>');
    expect(readFileSync(join(folder, 'result.md'), 'utf8')).to.match(/^### (✅ first: passed|⚠️ first: suspect)/);
    expect(await codeOf(() => writeResult(outcome, join(folder, 'x.pdf')))).to.equal('E_USAGE');
    expect(await codeOf(() => writeResult(outcome, join(folder, 'missing', 'x.json')))).to.equal('E_USAGE');
    for (const name of ['missing.json', join('result.md', 'x.json')])
      expect(await codeOf(() => readResult(join(folder, name))), name).to.equal('E_FILE_NOT_FOUND');
  });

  it('merges results: counts add up, and the title and the thresholds stay', () => {
    const merged = mergeResults([outcome, other.stats]);
    expect(merged.iterations.completed).to.equal(120);
    expect(merged.main.histogram.count).to.equal(120);
    expect(merged.title).to.equal('first');
    expect(merged.thresholds.map(({ passed }) => passed)).to.deep.equal([true]);
    expect([merged.startedAt, merged.endedAt]).to.deep.equal([outcome.stats.startedAt, other.stats.endedAt]);
  });

  it('refuses to merge nothing, and a result without histograms', async () => {
    const snapshot = withoutCounts(outcome.stats);
    expect(await codeOf(() => mergeResults([]))).to.equal('E_RESULT');
    expect(await codeOf(() => mergeResults([outcome, snapshot]))).to.equal('E_RESULT');
    expect(await codeOf(() => percentile(snapshot, 50))).to.equal('E_RESULT');
  });

  it('percentile is that of the response time, of other times, or of an operation', async () => {
    const { main, requests, operations } = outcome.stats;
    expect(percentile(outcome, 50)).to.equal(main.histogram.median);
    expect(percentile(outcome, 100)).to.equal(main.histogram.max);
    expect(percentile(outcome, 99.9, { of: 'serviceTime' })).to.equal(main.serviceTime.p999);
    expect(percentile(outcome, 75, { of: 'ttfb' })).to.equal(requests.ttfb.p75);
    expect(percentile(outcome, 95, { operation: operations[1].name })).to.equal(operations[1].times.serviceTime.p95);
    expect(percentile(outcome, 95, { of: 'tls' })).to.equal(null);
    for (const [share, which] of [[0], [101], ['x'], [50, { of: 'x' }], [50, { operation: 'GET /c' }]])
      expect(await codeOf(() => percentile(outcome, share, which))).to.equal('E_USAGE');
  });

  it('a threshold inside the range of its figure is undecided, with both ends and the cause', () => {
    const result = literalResult();
    result.main.least = { ...result.main.completed, p95: 10 };
    expect(() => assertThresholds(result, 'p95<20ms'))
      .to.throw(/^thresholds undecided: p95<20ms \(10\.0–95\.0 ms: /)
      .with.nested.property('thresholds[0].doubt')
      .that.match(/^10\.0–95\.0 ms: .* load generator/);
    expect(() => assertThresholds(result, ['p95<20ms', 'max<1ms'])).to.throw(
      /^thresholds failed: max<1ms \(it was [^)]*\); undecided: p95<20ms \(/,
    );
  });

  it('compares two results, or several of each side', () => {
    expect(compareResults(outcome, other).figures.map(({ figure }) => figure)).to.include.members([
      'iterations.completedRate',
      'responseTime.p99',
    ]);
    const at = (second) => ({
      ...(outcome.stats ?? outcome),
      id: `${second}`,
      startedAt: new Date(second * 1000).toISOString(),
      endedAt: new Date(second * 1000 + 900).toISOString(),
      run: undefined,
    });
    expect(compareResults([0, 3, 4].map(at), [1, 2, 5].map(at)).method).to.equal('runs');
    expect(compareResults([0, 1, 2].map(at), [3, 4, 5].map(at))).to.include({ method: 'none' });
    expect(compareResults([0, 3, 4].map(at), [1, 2, 5].map(at), { paired: true }).method).to.equal('pairs');
    expect(() => compareResults([outcome, outcome], other)).to.throw('base[1] is the same run as base[0]');
    expect(() => compareResults(outcome, outcome)).to.throw('new is the same run as base');
  });

  it('renders and saves a comparison', async () => {
    const comparison = compareResults(outcome, other, { labels: ['old', 'new'] });
    const { base, new: side } = comparison.sides;
    expect([base.label, side.label]).to.deep.equal(['old', 'new']);
    expect(await renderResult(JSON.parse(JSON.stringify(comparison)))).to.equal(await renderResult(comparison));
    for (const { name } of COMPARISON_FORMATS)
      expect(await renderResult(comparison, { format: name })).to.include(comparison.conclusion.message);
    const file = join(folder, 'diff.md');
    await writeResult(comparison, pathToFileURL(file));
    expect(readFileSync(file, 'utf8')).to.equal(await renderResult(comparison, { format: 'markdown' }));
    expect(await codeOf(() => renderResult(comparison, { format: 'csv' }))).to.equal('E_USAGE');
    expect(await codeOf(() => writeResult(comparison, join(folder, 'diff.csv')))).to.equal('E_USAGE');
    expect(await codeOf(async () => compareResults([], outcome))).to.equal('E_RESULT');
  });

  it('thresholds that hold are returned with what was measured', () => {
    const judged = assertThresholds(outcome, { errors: '<1', 'p99.5': '<1h' });
    expect(judged.map(({ expression, passed }) => [expression, passed])).to.deep.equal([
      ['errors<1', true],
      ['p99.5<1h', true],
    ]);
  });

  it('a threshold that fails is thrown with what was measured, and one that cannot be read, too', () => {
    expect(() => assertThresholds(outcome, ['iterations.started>10', 'iterations.started>1000']))
      .to.throw('thresholds failed: iterations.started>1000 (it was 50)')
      .with.property('code', 'E_THRESHOLD');
    expect(() => assertThresholds(outcome, 'p99'))
      .to.throw('has no comparison')
      .with.property('code', 'E_RUN_OPTIONS');
    expect(() => assertThresholds(outcome, 'GET /c p99<1s')).to.throw('no operation is called "GET /c"');
  });

  it('the result of a program has its outcome, as a file of the command has', () =>
    expect(outcome.stats.outcome).to.deep.equal({ passed: true, exitCode: 0, reasons: [] }));

  it('a threshold on a result names what the result has, metrics of its hooks too', () => {
    const values = { ...outcome.stats.main.completed };
    const stats = {
      ...outcome.stats,
      metrics: { hits: 3, size: values, wait: { meter: outcome.stats.main.meter, histogram: values } },
    };
    expect(assertThresholds(stats, ['hits>1', 'size.max<100000000', 'wait.p50<1h'])).to.have.lengthOf(3);
    for (const [text, problem] of [
      ['hitz>1', 'unknown figure hitz'],
      ['latencyy<1ms', 'unknown figure latencyy'],
      ['wait.p50<1', 'expected a time with its unit'],
      ['size.max<1ms', 'expected a number'],
    ])
      expect(() => assertThresholds(stats, text), text)
        .to.throw(problem)
        .with.property('headline', 'invalid thresholds');
  });

  it('merge names a threshold that cannot be read, and does not say that nothing was sent', async () => {
    const file = join(folder, 'named.json');
    await writeResult(outcome, file);
    const { code, stdout, stderr } = await command(['merge', file, '--threshold', 'hitz>1']);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr)
      .to.match(/invalid thresholds\n.*thresholds\[0\]: unknown figure hitz/)
      .and.not.include('sent');
  });
});

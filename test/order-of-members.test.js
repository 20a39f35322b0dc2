import { expect } from 'chai';

import { knownNoise } from '../lib/addons/compare/baseline.js';
import { mergedResult } from '../lib/addons/merge/merge-results.js';
import { loadSummaryOf } from '../lib/addons/loads/measure/loads.js';
import { mergeStats } from '../lib/addons/merge/measure/merge.js';
import { comparisonOf } from '../lib/addons/compare/report/index.js';
import { historyEntry } from '../lib/addons/history/report/entry.js';
import { historyOf } from '../lib/addons/history/report/index.js';
import fc from './support/fast-check.js';
import { resultAt } from './support/literal-history.js';
import { literalResult } from './support/literal-result.js';
import { recorded, resultOf } from './support/recorded.js';
import { describeSlow } from './support/slow.js';

const RUNS = 40;
/** Sums of whole results take longer. */
const SUMS = 8;

/** What differs between runs: of each, one of a few values. */
const member = fc.record({
  day: fc.integer({ min: 0, max: 3 }),
  level: fc.constantFrom(1, 1.1, 2),
  title: fc.constantFrom(undefined, 'one', 'two'),
  label: fc.constantFrom(undefined, 'v1', 'v2'),
  sha256: fc.constantFrom('abc', 'def'),
  load: fc.constantFrom('3 s, 34/s', '9 s'),
  origins: fc.constantFrom(['http://a'], ['http://b', 'http://c']),
  options: fc.constantFrom({ rate: 34 }, { limit: 5, seed: 7 }, { seed: 8, limit: 5 }),
  cores: fc.constantFrom(2, 4),
  reason: fc.constantFrom(undefined, 'tooShort', 'drift'),
  hasFailed: fc.boolean(),
});

/** Members, and the same ones in another order. */
const shuffled = (from, length) =>
  fc
    .array(from, length)
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })));

function resultOfMember({ day, level, title, label, sha256, load, origins, options, cores, reason, hasFailed }, i) {
  const { run, loadGenerators, errors, validity } = literalResult();
  const [generator] = loadGenerators;
  const doubts = { status: 'suspect', reasons: [{ code: reason, message: `${reason} of ${i}` }] };
  return {
    ...resultAt(day, level, { label, commit: null }),
    id: `${i}`,
    ...(title && { title }),
    run: { ...run, flow: { ...run.flow, sha256 }, loads: [{ ...run.loads[0], text: load }], origins, options },
    loadGenerators: [{ ...generator, machine: { ...generator.machine, cores } }],
    validity: reason ? doubts : { ...validity, status: 'valid', reasons: [] },
    ...(hasFailed && { errors }),
  };
}

/** Figures without the last digits, which sums of other orders have; lists in an order of their own. */
const rounded = (value) =>
  JSON.parse(
    JSON.stringify(value, (_key, one) => {
      if (typeof one === 'number') return Number(one.toPrecision(9));
      return Array.isArray(one) ? [...one].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : one;
    }),
  );
const inOrder = (all, order) => order.map((i) => all[i]);
const check = (from, length, test, numRuns = RUNS) =>
  fc.assert(
    fc.property(shuffled(from, length), ([all, order]) => test(all, order)),
    { numRuns },
  );

describeSlow('the order of members', () => {
  it('of the runs of both sides decides nothing in a comparison', () =>
    check(member, { minLength: 1, maxLength: 4 }, (members, order) => {
      const runs = members.map(resultOfMember);
      const others = members.map((one, i) => resultOfMember(one, 10 + i));
      expect(comparisonOf(inOrder(runs, order), inOrder(others, order))).to.deep.equal(comparisonOf(runs, others));
      const paired = { isPaired: true };
      expect(comparisonOf(inOrder(runs, order), inOrder(others, order), paired)).to.deep.equal(
        comparisonOf(runs, others, paired),
      );
    }));

  it('of its files decides nothing in a history', () =>
    check(member, { minLength: 1, maxLength: 6 }, (members, order) => {
      const entries = members.map((one, i) => historyEntry(resultOfMember(one, i % 4), `${i}.json`));
      expect(historyOf(inOrder(entries, order))).to.deep.equal(historyOf(entries));
    }));

  it('of the base, and of a history, decides nothing in the noise', () =>
    check(member, { minLength: 1, maxLength: 5 }, (members, order) => {
      const runs = members.map(resultOfMember);
      const history = members.map((one, i) => resultOfMember({ ...one, load: '3 s, 34/s' }, 10 + i));
      const noiseOf = (results, bases) =>
        knownNoise({ noise: [], history: results, names: results.map(({ id }) => id) }, bases).noise;
      expect(noiseOf(inOrder(history, order), inOrder(runs, order))).to.deep.equal(noiseOf(history, runs));
    }));

  const iteration = fc.record({
    at: fc.integer({ min: 0, max: 99 }).map((i) => i * 100),
    ms: fc.integer({ min: 1, max: 40 }),
    status: fc.constantFrom(200, 200, 404),
  });
  const part = fc.record({
    iterations: fc.uniqueArray(iteration, { minLength: 1, maxLength: 8, selector: ({ at }) => at }),
    names: fc.constantFrom(['a', 'b'], ['b', 'a'], ['b']),
    about: member,
  });
  const partOf = ({ iterations, names, about }, i) => {
    const stats = resultOf(recorded(iterations.sort((a, b) => a.at - b.at)));
    const { run, id, title, label, startedAt, measuredAt } = resultOfMember(about, i);
    const loads = names.map((name) => loadSummaryOf(stats, { name, startAfter: 0 }));
    return { ...stats, ...{ run, id, title, label, startedAt, measuredAt }, loads };
  };

  it('of files decides nothing in their sum', () =>
    check(
      part,
      { minLength: 2, maxLength: 4 },
      (parts, order) => {
        const results = parts.map(partOf);
        const names = results.map((_, i) => `${i}.json`);
        const merged = mergedResult(results, names);
        expect(mergedResult(inOrder(results, order), inOrder(names, order))).to.deep.equal(merged);
        // what is equal is described once, and what differs is not described by one of them
        const texts = new Set(parts.map(({ about }) => about.load));
        for (const text of texts) expect(merged.run.loads[0].text).to.include(text);
        const flows = new Set(parts.map(({ about }) => about.sha256));
        expect(merged.run.flow.sha256).to.equal(flows.size === 1 ? [...flows][0] : '');
      },
      SUMS,
    ));

  it('of threads, and of the loads and operations in each, decides no figure of their sum', () =>
    check(
      part,
      { minLength: 2, maxLength: 4 },
      (parts, order) => {
        const results = parts.map(partOf);
        const turned = inOrder(results, order).map((one) => ({
          ...one,
          loads: [...one.loads].reverse(),
          operations: [...one.operations].reverse(),
        }));
        // the names of generators without one have their numbers
        const figuresOf = ({ loadGenerators: _, ...figures }) => rounded(figures);
        expect(figuresOf(mergeStats(turned))).to.deep.equal(figuresOf(mergeStats(results)));
      },
      SUMS,
    ));
});

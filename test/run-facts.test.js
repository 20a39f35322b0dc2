import { expect } from 'chai';

import { compareCapacities } from '../lib/addons/capacity/report/comparison.js';
import { comparisonOf } from '../lib/addons/compare/report/index.js';
import { differencesOf, differencesTo } from '../lib/addons/compare/report/objections.js';
import { COMPARISON_FORMATS } from '../lib/addons/compare/formats.js';
import { historyEntry } from '../lib/addons/history/report/entry.js';
import { historyOf } from '../lib/addons/history/report/index.js';
import { HISTORY_FORMATS } from '../lib/addons/history/formats.js';
import { OF_ONE_RUN } from '../lib/addons/compare/report/run-facts.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { literalCapacity } from './support/literal-capacity.js';
import { resultAt } from './support/literal-history.js';
import { literalResult } from './support/literal-result.js';

const [render, renderHistory] = await Promise.all(
  [COMPARISON_FORMATS, HISTORY_FORMATS].map(async ([{ load }]) => (await load()).render),
);
const { run } = literalResult();
const withRun = (day, more, others = {}) => resultAt(day, 1, { run: { ...run, ...more }, ...others });
const groupsOf = (results) => historyOf(results.map((one, i) => historyEntry(one, `${i}.json`)));
const curve = (last) => [
  {
    name: 'main',
    virtualUsers: 10,
    stages: [2, 3, 4, ...Array(16).fill(last), 60].map((virtualUsers) => ({ duration: 60, ramp: true, virtualUsers })),
    text: '20 stages in 1.2 s, from 2.00 to 60.0 virtual users',
  },
];
const pad = (end) => ({ options: { args: { pad: 'x'.repeat(5000) + end } } });
const flag = (end) => ({ options: { headers: `${'y'.repeat(20_000)}${end}` } });
const origins = (end) => ({ origins: Array.from({ length: 50 }, (_, i) => `http://host-${i}.example${end}`) });

describe('facts of runs', () => {
  for (const [what, path, one, other] of [
    ['stages that their text does not show', 'run.loads', { loads: curve(20) }, { loads: curve(30) }],
    ['an option after its first 5,000 characters', 'run.options.args', pad('a'), pad('b')],
    ['a text after its first 20,000 characters', 'run.options.headers', flag('a'), flag('b')],
    ['the last of many targets', 'run.origins', origins(''), origins('/b')],
    [
      'the end of a hash',
      'run.flow.sha256',
      ...['a', 'b'].map((end) => ({ flow: { source: 'f', sha256: `${'0'.repeat(63)}${end}` } })),
    ],
  ])
    describe(`runs that differ only in ${what}`, () => {
      const [a, b] = [withRun(1, one), withRun(2, other)];

      it('are different in a comparison, whose texts are short', () => {
        const [found, ...others] = differencesOf([a], [b]);
        expect([found.path, others]).to.deep.equal([path, []]);
        expect(found.base.length).to.be.below(220);
        if (path !== 'run.flow.sha256') expect(found.base).not.to.equal(found.new);
        expect(differencesOf([a], [withRun(3, one)])).to.deep.equal([]);
      });

      it('are two groups of a history, whose names differ', () => {
        const { groups } = groupsOf([a, b, withRun(3, one)]);
        expect(groups.map(({ results }) => results.length)).to.deep.equal([2, 1]);
        const [mine, its] = groups.map(({ name, differs }) => [name, differs]);
        if (path !== 'run.flow.sha256') expect(mine).not.to.deep.equal(its);
      });
    });

  it('a baseline of another curve of the same length and peak is of another load', () => {
    const [{ code, message }] = differencesTo(withRun(1, { loads: curve(20) }), { ...run, loads: curve(30) });
    expect(code).to.equal('otherLoad');
    expect(message).to.match(/^the load of the baseline was 20 stages in 1\.2 s, .+ #[\da-f]{8}$/);
    expect(differencesTo(withRun(1, { loads: curve(20) }), { ...run, loads: curve(20) })).to.deep.equal([]);
  });

  it('searches whose options differ after 100 characters are named as different', () => {
    const capacity = (end) => ({ ...literalCapacity(), run: { ...run, ...pad(end) } });
    const { differences } = compareCapacities(capacity('a'), capacity('b'), ['a', 'b']);
    expect(differences.map(({ path }) => path)).to.deep.equal(['run.options.args']);
  });

  it('differences among the runs of a side are named, whichever comes first', () => {
    const side = (day, ...loads) =>
      loads.map((text, i) =>
        withRun(
          day + i,
          { loads: [{ ...run.loads[0], text }], origins: [`http://${text === '9 s' ? 'b' : 'a'}`] },
          { id: `${day + i}` },
        ),
      );
    const comparison = comparisonOf(side(0, '3 s', '3 s', '3 s'), side(10, '3 s', '9 s', '9 s'));
    expect(comparison.warnings.map(({ message }) => message)).to.deep.equal([
      'A and B differ: load 3 s and 3 s in 1 of 3 runs, 9 s in 2 of 3 runs',
      'runs of B differ: target http://a in 1 of 3 runs, http://b in 2 of 3 runs',
    ]);
    const [a, b] = render(comparison, { width: 200 }).split('\n');
    expect(a).to.equal('A  flow.js, 3 runs: 3 s against http://a');
    expect(b).to.equal('B  flow.js, 3 runs: different loads: 1 with 3 s; 2 with 9 s against http://a, http://b');
  });

  it('a server that each run starts has a port of its own, which is no difference among the runs', () => {
    const side = (day) =>
      [0, 1, 2].map((i) =>
        withRun(
          day + i,
          { origins: [`http://127.0.0.1:${10_000 + day + i}`], options: { start: 'node app.js' } },
          { id: `${day + i}` },
        ),
      );
    expect(comparisonOf(side(0), side(10)).warnings).to.deep.equal([]);
  });

  it('options that differ in each run, and ports that the system chose, make no group of their own', () => {
    const results = [0, 1, 2, 3, 4, 5, 6].map((i) =>
      withRun(i, {
        flow: { source: `http://[::1]:${40_000 + i}/`, sha256: 'abc' },
        origins: [`http://[::1]:${40_000 + i}`],
        options: {
          ...{
            rate: 34,
            seed: 100 + i,
            startAt: `2030-01-0${i + 1}T00:00:00Z`,
            log: `run-${i}.csv`,
            shard: `${i + 1}/7`,
          },
          ...{ label: `v${i}`, runId: `r${i}`, connectTo: [`api:80:127.0.0.1:${50_000 + i}`] },
        },
      }),
    );
    expect(groupsOf(results).message).to.equal('7 results: no change');
    const [first, second] = results;
    const warnings = comparisonOf([first], [second]).warnings.filter(({ code }) => code === 'differ');
    expect(warnings.map(({ message }) => message)).to.deep.equal([
      'A and B differ: option connectTo ["api:80:127.0.0.1:50000"] and ["api:80:127.0.0.1:50001"]',
    ]);
    expect(RUN_OPTIONS.map(({ name }) => name)).to.include.members(OF_ONE_RUN);
  });

  it('each flow of the newest version that could not be judged is named, also beside one that was', () => {
    const other = { ...run.flow, sha256: 'new' };
    const results = [0, 1, 2, 3, 4, 5].map((day) => resultAt(day, 1, { label: `v${day}` }));
    const history = groupsOf([...results, withRun(6, { flow: other }, { label: 'v5' })]);
    expect(history.notes.map(({ code }) => code)).to.deep.equal(['untold']);
    const sentence = /content of the flow new: cannot tell whether v5 is a change, because no earlier result/;
    expect(history.notes[0].message).to.match(sentence);
    expect(renderHistory(history).replace(/\n */g, ' ')).to.match(sentence);
  });
});

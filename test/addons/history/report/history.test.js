import { expect } from 'chai';

import { historyModel, render as renderPage } from '../../../../lib/addons/page/history.js';
import { HISTORY_NOTES, LEFT_OUT_CODES } from '../../../../lib/addons/history/measure/history.js';
import { HISTORY_FORMATS } from '../../../../lib/addons/history/formats.js';
import { historyEntry } from '../../../../lib/addons/history/report/entry.js';
import { historyOf } from '../../../../lib/addons/history/report/index.js';
import { leftOutTexts } from '../../../../lib/addons/history/report/blocks.js';
import { commitOf, resultAt, resultsAt } from '../../../support/literal-history.js';
import { literalResult } from '../../../support/literal-result.js';
import { expectOneScope } from '../../../support/one-scope.js';
import { checkerOf } from '../../../support/schemas.js';

const NOISE = [1, 1.01, 0.99, 1.005, 0.995, 1.012, 0.988, 1.003, 0.997, 1.008];
const noisy = (level) => NOISE.map((factor) => factor * level);
const historyFrom = (results) => historyOf(results.map((one, i) => historyEntry(one, `${i}.json`)));
const changed = () => historyFrom(resultsAt([...noisy(1), ...noisy(1.2), 1.5]));
const rendered = async (name, history, width = 80) =>
  (await HISTORY_FORMATS.find((one) => one.name === name).load()).render(history, { width });
const isHistory = checkerOf('history');
const conforms = (history) => {
  isHistory(JSON.parse(JSON.stringify(history)));
  expect(isHistory.errors).to.equal(null);
};

describe('reports of a history', () => {
  it('names each change by the label and the commit of its first result, and judges the newest one', () => {
    const history = changed();
    conforms(history);
    const [{ name, machine, changes, newest, results }] = history.groups;
    expect(name).to.equal('flow.js: 3 s, 34/s against http://127.0.0.1:8000');
    expect(machine).to.equal('linux, 2 x CPU');
    expect(changes).to.have.length(1);
    expect(changes[0].message).to.match(
      new RegExp(
        `^worse from v10 \\(commit ${commitOf(10).slice(0, 7)}\\) on: (.+ to .+ \\(.\\d+\\.\\d %; .+\\), ){2}.+ and 3 others$`,
      ),
    );
    expect(newest).to.include({ from: 20, runs: 10, verdict: 'worse' });
    expect(newest.message).to.match(/^v20 \(commit \w{7}\) is worse than the 10 results before it: /);
    expect(history.outcome).to.deep.equal({
      passed: false,
      exitCode: 99,
      reasons: [{ code: 'regression', message: newest.message }],
    });
    expect(history.message).to.equal('21 results: 1 change');
    expect(results[0]).to.deep.include({ file: '0.json', label: 'v0', git: { commit: commitOf(0), branch: 'main' } });
  });

  it('results are in the order of time, whatever their files are called', () => {
    const history = historyFrom(resultsAt(noisy(1)).reverse());
    expect(history.groups[0].results.map(({ label }) => label)).to.deep.equal(NOISE.map((_, i) => `v${i}`));
  });

  it('several results of the newest label are judged together, those of a commit one by one', () => {
    const newestOf = (more) => {
      const again = [11, 12].map((day) => resultAt(day, 1.5, { commit: commitOf(99), ...more }));
      return historyFrom([...resultsAt(noisy(1)), ...again]).groups[0].newest;
    };
    expect(newestOf({ label: 'v99' })).to.include({ from: 10, verdict: 'worse' });
    expect(newestOf({}).from).to.equal(11);
    expect(newestOf({}).message).to.include(`commit ${commitOf(99).slice(0, 7)} `);
  });

  it('versions that were measured in rounds are in the order of the first round', () => {
    const rounds = [0, 1, 2].flatMap((round) =>
      ['a', 'b'].map((label, i) => resultAt(10 * round + i, i === 0 ? 1 : 2, { label })),
    );
    const [{ results }] = historyFrom(rounds).groups;
    expect(results.map(({ label }) => label).join('')).to.equal('aaabbb');
  });

  it('without a label and a repository a result is named by its time', () => {
    const [{ results }] = historyFrom([resultAt(3, 1, { commit: null })]).groups;
    expect(results[0].name).to.equal('2030-01-04 12:00');
  });

  it('another flow, load, option or machine is a group of its own, which names what differs', () => {
    const { run, loadGenerators } = literalResult();
    const other = (day, change) => resultAt(day, 1, change);
    const history = historyFrom([
      ...resultsAt([1, 1]),
      other(3, { run: { ...run, flow: { ...run.flow, sha256: 'f00' } } }),
      other(4, { run: { ...run, loads: [{ ...run.loads[0], text: '9 s' }] } }),
      other(5, { run: { ...run, options: { ...run.options, pipelining: 9, title: 'other', progress: 5 } } }),
      other(6, { loadGenerators: [{ ...loadGenerators[0], machine: { ...loadGenerators[0].machine, cores: 96 } }] }),
      other(7, { run: { ...run, options: { rate: 34, title: 'the same', thresholds: ['p95<1s'] } } }),
    ]);
    conforms(history);
    expect(history.groups.map(({ results, differs }) => [results.length, differs])).to.deep.equal([
      [3, ['content of the flow abc', 'option pipelining none']],
      [1, ['content of the flow f00', 'option pipelining none']],
      [1, ['content of the flow abc', 'option pipelining none']],
      [1, ['content of the flow abc', 'option pipelining 9']],
      [1, ['content of the flow abc', 'option pipelining none']],
    ]);
    expect(history.groups[4].machine).to.equal('linux, 96 x CPU');
    expect(history.message).to.equal('7 results in 5 groups: no change');
  });

  it('the port of a server of this machine, which the system chose, is no difference', () => {
    const { run } = literalResult();
    const at = (day, port) => {
      const url = `http://127.0.0.1:${port}/`;
      return resultAt(day, 1, { run: { ...run, flow: { source: url, sha256: url }, origins: [url] } });
    };
    const { groups } = historyFrom([at(1, 40_001), at(2, 50_002), at(3, 8000)]);
    expect(groups.map(({ results }) => results.length)).to.deep.equal([2, 1]);
  });

  it('another version of bench-rest or of its runtime joins, and is named; so are suspect figures', () => {
    const results = resultsAt([1, 1, 1]);
    results[1].tool = { name: 'bench-rest', version: '2.1.0' };
    for (const one of results.slice(1))
      one.loadGenerators = [
        { ...one.loadGenerators[0], machine: { ...one.loadGenerators[0].machine, runtime: 'node 22.0.0' } },
      ];
    results[2].validity.status = 'suspect';
    const [{ notes }, ...others] = historyFrom(results).groups;
    expect(others).to.deep.equal([]);
    expect(notes.map(({ code, message }) => `${code}: ${message.replace(/commit \w+/, 'commit')}`)).to.deep.equal([
      'otherVersion: bench-rest 2.1.0 from v1 (commit) on, bench-rest 2.0.0 before',
      'otherVersion: bench-rest 2.0.0 from v2 (commit) on, bench-rest 2.1.0 before',
      'otherRuntime: node 22.0.0 from v1 (commit) on, node 20.0.0 before',
      'suspect: figures of 1 of 3 results are ranges, by what the load generator added to them: run it on a less busy machine',
    ]);
    expect(HISTORY_NOTES).to.include.members(notes.map(({ code }) => code));
  });

  it('a note counts the changes of bench-rest after the first five', () => {
    const lastNote = (count) => {
      const results = resultsAt(Array.from({ length: count }, () => 1));
      results.forEach((one, i) => (one.tool = { name: 'bench-rest', version: `2.${i}.0` }));
      return historyFrom(results).groups[0].notes.at(-1).message;
    };
    expect(lastNote(6)).to.match(/^bench-rest 2\.5\.0 from /);
    expect(lastNote(7)).to.equal('1 more change of bench-rest or its runtime');
    expect(lastNote(8)).to.equal('2 more changes of bench-rest or its runtime');
  });

  it('failed, partial and invalid runs, copies and other results are left out, and named', () => {
    const without = (day, change) => {
      const result = { ...resultAt(day, 1), ...change };
      for (const [key, value] of Object.entries(change)) if (value === undefined) delete result[key];
      return result;
    };
    const history = historyFrom([
      resultAt(0, 1),
      without(1, { errors: literalResult().errors }),
      without(2, { endedAt: undefined }),
      without(3, { validity: { status: 'invalid', reasons: [] } }),
      without(4, { id: 'run 0' }),
      without(5, { run: undefined }),
      without(6, { startedAt: undefined }),
    ]);
    conforms(history);
    expect(history.groups.map(({ results }) => results.length)).to.deep.equal([1]);
    expect(history.leftOut.map(({ file, code, message }) => `${file} ${message} (${code})`)).to.deep.equal([
      '1.json is of a run that failed: errors during the run (failed)',
      '2.json is of a run that had not ended (running)',
      '3.json is invalid: its counts contradict each other (invalid)',
      '4.json is the same run as 0.json (sameRun)',
      '5.json does not name its flow: only results of the command do (noFlow)',
      '6.json has no time (noTime)',
    ]);
    expect(LEFT_OUT_CODES).to.include.members(history.leftOut.map(({ code }) => code));
  });

  describe('of a newest result that was left out', () => {
    const failed = (day, more) => ({ ...resultAt(day, 1, more), errors: literalResult().errors });
    const outcomeOf = (...newest) => historyFrom([...resultsAt(noisy(1)), ...newest]).outcome;
    const message = 'the newest result, v10, is of a run that failed: errors during the run';

    it('the history fails: nothing says that the service is not worse', () => {
      expect(outcomeOf(failed(10, { label: 'v10' }))).to.deep.equal({
        ...{ passed: false, exitCode: 99, reasons: [{ code: 'regression', message }] },
      });
      const [{ message: unnamed }] = outcomeOf(failed(11)).reasons;
      expect(unnamed).to.equal('the newest result, 10.json, is of a run that failed: errors during the run');
    });

    it('it passes if a newer one, or another one of its version, counts', () => {
      for (const others of [
        [failed(10, { label: 'v10' }), resultAt(11, 1, { label: 'v11' })],
        [failed(11, { label: 'v10' }), resultAt(10, 1, { label: 'v10' })],
        [failed(10, { label: 'v3' })],
      ])
        expect(outcomeOf(...others)).to.deep.include({ passed: true, reasons: [] });
    });
  });

  it('without labels, each flow that was measured at the newest commit is judged', () => {
    const of = (sha256, levels) =>
      levels.map((level, day) => {
        const { run, ...others } = resultAt(day, level);
        return { ...others, id: `${sha256} ${day}`, run: { ...run, flow: { ...run.flow, sha256 } } };
      });
    const levels = noisy(1);
    const { outcome } = historyFrom([...of('f00', [...levels, 1.5]), ...of('abc', [...levels, 1])]);
    expect(outcome.reasons.map(({ code }) => code)).to.deep.equal(['regression']);
  });

  it('says why nothing tells whether the newest version is worse', () => {
    const { run } = literalResult();
    const renewed = resultAt(10, 9, { label: 'v10', run: { ...run, flow: { ...run.flow, sha256: 'f00' } } });
    const history = historyFrom([...resultsAt(noisy(1)), renewed]);
    conforms(history);
    expect(history.outcome.passed).to.equal(true);
    expect(history.notes.map(({ code, message }) => `${code}: ${message}`)).to.deep.equal([
      'untold: cannot tell whether v10 is a change, because no earlier result has its flow, load, options and machine',
    ]);
    const few = historyFrom(resultsAt([1, 1, 1]));
    expect(few.notes[0].message).to.match(
      /^cannot tell whether v2 .* because there are 2 earlier results, and it needs 5/,
    );
    expect(changed().notes).to.deep.equal([]);
  });

  it('files that are left out for one reason are named in one line, at most three of them', () => {
    const files = ['1', '2', '3', '4'].map((file) => ({ file, message: 'is damaged' }));
    expect(leftOutTexts([...files, { file: '5', message: 'has no time' }])).to.deep.equal([
      'left out, as each is damaged: 1, 2, 3 and 1 more',
      'left out: 5 has no time',
    ]);
  });

  it('text has a table of levels, the changes and what the newest result is', async () => {
    const lines = (await rendered('text', changed())).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(80);
    expect(lines.slice(0, 2)).to.deep.equal([
      'flow.js: 3 s, 34/s against http://127.0.0.1:8000',
      '21 results from 2030-01-01 to 2030-01-21, linux, 2 x CPU',
    ]);
    expect(lines[3]).to.match(/^ +first +now +range +noise +trend$/);
    expect(lines.find((line) => line.startsWith('p95, ms'))).to.match(
      /^p95, ms +95\.1 +1\d\d +1\d\d to 1\d\d +\d\.\d % +▁+▅+█$/,
    );
    expect(lines.at(-2)).to.equal('21 results: 1 change');
  });

  it('text says that there is nothing, or one result', async () => {
    expect(await rendered('text', historyFrom([]))).to.equal('No results\n');
    const one = await rendered('text', historyFrom([resultAt(0, 1)]));
    expect(one)
      .to.match(/^p95, ms +95\.0 +- +- +▁$/m)
      .and.include('1 result: no change');
  });

  it('Markdown begins with the sentence and the regressions, and escapes what it quotes', async () => {
    const results = resultsAt([...noisy(1), 1.5]);
    results[10].label = '<b>';
    const text = await rendered('markdown', historyFrom(results));
    expect(text).to.match(/^### 11 results: no change\n\n- \*\*&#60;b&#62; \(commit \w+\) is worse than /);
    expect(text).to.match(/^\| p95, ms \| \d\d\.\d \| /m);
  });

  it('a page is one file, whose script draws each figure', () => {
    const history = changed();
    const html = renderPage(history);
    expectOneScope(html);
    expect(html)
      .to.match(/^<!doctype html>/)
      .and.include("default-src 'none'")
      .and.not.include('uPlot(');
    const { groups, outcome } = historyModel(history);
    expect(outcome).to.deep.include({ status: 'failed', word: '✗ worse' });
    expect(outcome.regressions).to.deep.equal([history.groups[0].newest.message]);
    const [{ charts, marks, table }] = groups;
    expect(charts.map(({ name }) => name)).to.deep.equal(['iterations per second', 'mean', 'p50', 'p90', 'p95', 'p99']);
    expect(charts[4].levels).to.have.length(2);
    expect(charts[4].text).to.match(/^\d+ ms, \+\d+\.\d %$/);
    expect(marks).to.deep.include({ at: 10, verdict: 'worse', label: 'v10' });
    expect(table.rows).to.have.length(21);
  });
});

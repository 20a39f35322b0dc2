import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { readResult } from '../../lib/addons/saved/read-result.js';
import { loadFlow } from '../../lib/core/flow/source/load.js';
import { createProblems, nearest } from '../../lib/core/ground/problems.js';
import { mergeStats } from '../../lib/addons/merge/measure/merge.js';
import { readThreshold } from '../../lib/core/measure/thresholds.js';
import { REPORTERS } from '../../lib/core/report/formats/index.js';
import { glyphsOf } from '../../lib/core/report/terminal.js';
import { painter, table } from '../../lib/core/report/text/layout.js';
import { maskText } from '../../lib/core/text/mask.js';
import { parseJson } from '../../lib/core/text/parse-json.js';
import { parseYaml } from '../../lib/core/text/parse-yaml.js';
import { literalResult } from '../support/literal-result.js';
import { recorded, resultOf } from '../support/recorded.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';

/** About ten times the largest duration on an idle machine; quadratic time would be minutes. */
const MOST_MS = 20_000;
const LONGEST_MESSAGE = 20_000;
const N = scaled(2500, 25_000);
const OPERATIONS = scaled(1200, 10_000);
/** As many as a large flow may have. */
const MANY = scaled(1000, 5000);
const lines = (n, line) => Array.from({ length: n }, (_, i) => line(i)).join('\n');
const record = (n, entry) => Object.fromEntries(Array.from({ length: n }, (_, i) => entry(i)));

function largeResult(n, result = literalResult()) {
  const [operation] = result.operations;
  result.operations = Array.from({ length: n }, (_, i) => ({ ...operation, name: `GET /${i}` }));
  return result;
}

describe('N14 input of size n costs at most O(n log n), and messages are bounded', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));
  const within = async (act) => {
    const from = performance.now();
    const result = await act();
    expect(performance.now() - from).to.be.below(MOST_MS);
    return result;
  };

  const yaml = [
    ['entries of a map', lines(N, (i) => `k${i}: ${i}`)],
    ['items of a list', lines(N, (i) => `- k${i}`)],
    ['entries of a map in braces', `{${lines(N, (i) => `k${i}: ${i},`)}}`],
    ['anchors', lines(N, (i) => `- &a${i} x`)],
    ['documents', '--- a\n'.repeat(N), /a second document/],
    ['aliases', `${lines(N, (i) => `- &a${i} x`)}\n${lines(N, (i) => `- *a${i}`)}`, /more than 1000 aliases/],
    ['open brackets', '['.repeat(N), /nested too deeply/],
    ['open braces', '{a: '.repeat(N), /nested too deeply/],
    ['dashes', '- '.repeat(N), /nested too deeply/],
    ['question marks', '? '.repeat(N), /nested too deeply/],
  ];
  for (const [what, text, reason] of yaml) {
    itSlow(`YAML: ${N} ${what} take linear time`, async () => {
      const { fault } = await within(() => parseYaml(text));
      if (reason) expect(fault.reason).to.match(reason);
      else expect(fault).to.equal(undefined);
    });
  }

  it('YAML: brackets in strings do not count as nesting', async () => {
    const brackets = '['.repeat(2000);
    const { value } = await parseYaml(`a: "${brackets}"\nb: |\n  ${brackets}\nc: '${brackets}'\nd: x${brackets}\n`);
    expect(value).to.deep.equal({ a: brackets, b: `${brackets}\n`, c: brackets, d: `x${brackets}` });
  });

  it('YAML: a duplicate key is reported with its position in every notation', async () => {
    for (const [text, offset] of [
      ['a: 1\nb: 2\na: 3\n', 10],
      ['a: { b: 1, "b": 2 }\n', 11],
      ['- x: { y: 1 }\n  x: 2\n', 16],
      ['a: { c: 1, c: 2 }\na: 3\n', 11],
      ['1: a\n"1": b\n', 5],
    ])
      expect(await parseYaml(text), text).to.deep.equal({ fault: { offset, reason: 'Map keys must be unique' } });
  });

  it('JSON: many keys, one long line and an error at its end take linear time', async () => {
    expect((await within(() => parseJson(JSON.stringify(record(N, (i) => [`k${i}`, i]))))).fault).to.equal(undefined);
    expect((await within(() => parseJson(`[${'1,'.repeat(N)}x]`))).fault.offset).to.equal(2 * N + 1);
  });

  it('suggestions are only searched among names of reasonable length', async () => {
    const name = 'a'.repeat(200_000);
    expect(await within(() => nearest(name, [`${name}b`, `${name}c`]))).to.equal(undefined);
    expect(nearest('itterations', ['iterations'])).to.equal('iterations');
  });

  it('masking secrets takes linear time', () =>
    within(() => {
      for (const piece of ['token=', '"token', '"token":"\\\\', '://a', 'basic a', ' ', '?a', 'a.-'])
        maskText(piece.repeat(N));
      readThreshold(`p99<${' '.repeat(N)}x`);
      readThreshold(`${'a '.repeat(N)}p99<5`);
    }));

  const flows = [
    ['operations', () => ({ main: Array.from({ length: MANY }, (_, i) => `http://127.0.0.1:9/${i}`) })],
    [
      'operations of a oneOf',
      () => ({ main: [{ oneOf: Array.from({ length: N }, (_, i) => `http://127.0.0.1:9/${i % 9000}`) }] }),
    ],
    [
      'headers',
      () => ({ main: [{ get: 'http://127.0.0.1:9/', headers: record(MANY, (i) => [`h${i}`, '#{INDEX}']) }] }),
    ],
    ['tokens', () => ({ main: [`http://127.0.0.1:9/?${'#{INDEX}'.repeat(N)}`] })],
    ['beginnings of tokens', () => ({ main: [{ put: 'http://127.0.0.1:9/', body: '#{'.repeat(N) }] })],
    [
      'items of a body',
      () => ({ main: [{ put: 'http://127.0.0.1:9/', json: Array.from({ length: N }, (_, i) => ({ i })) }] }),
    ],
    [
      'fields of a form',
      () => ({ main: [{ post: 'http://127.0.0.1:9/', form: record(MANY, (i) => [`h${i}`, 'v']) }] }),
    ],
  ];
  for (const [what, flow] of flows) {
    itSlow(`a flow with many ${what} is compiled in linear time`, () =>
      within(async () => {
        const run = benchrest(flow(), { limit: 1, iterations: 1 });
        run.on('error', () => {});
        run.leave();
        await run;
      }),
    );
  }

  const long = 'x'.repeat(1.5 * LONGEST_MESSAGE);
  const url = 'http://127.0.0.1:9/';
  const wrong = [
    ['unknown keys', { main: [url], ...record(MANY, (i) => [`unknown${i}`, 1]) }, { strict: true }],
    ['misspelled keys', { main: [url], ...record(MANY, (i) => [`runOptions${i % 100}`, 1]) }],
    ['invalid operations', { main: Array.from({ length: MANY }, () => ({ get: url, haeders: 1 })) }],
    ['long keys', { main: [url], ...record(200, (i) => [`${long}${i}`, 1]) }, { strict: true }],
    ['a long hook', { main: [{ get: url, afterHooks: [long] }] }],
    ['a long method', { main: [{ method: `${long} `, uri: url }] }],
    ['a long scheme', { main: [`${long}://h/`] }],
    ['unknown tokens', { main: [`${url}?${'#{INDX}'.repeat(N)}`] }],
    ['a long option', { main: [url] }, { rate: long, [long]: 1 }],
    ['a long threshold', { main: [url], thresholds: { [long]: '<5', p99: long } }],
  ];
  for (const [what, flow, options] of wrong) {
    itSlow(`an error message about ${what} has a bounded length`, () =>
      within(() =>
        expect(() => benchrest(flow, { limit: 1, iterations: 1, ...options }))
          .to.throw()
          .with.property('message')
          .that.satisfies(({ length }) => length < LONGEST_MESSAGE),
      ),
    );
  }

  for (const [name, text] of [
    ['key.json', `{ "${long}": 1, "${long}": 2 }`],
    ['tag.yaml', `a: !${long} 1`],
    ['alias.yaml', `a: *${long}`],
  ]) {
    it(`${name}: a long name in a file is truncated in the message`, async () => {
      writeFileSync(join(folder, name), text);
      const error = await loadFlow({ argument: name }, { cwd: folder }).catch((thrown) => thrown);
      expect(error.code).to.equal('E_FLOW_FILE');
      expect(error.message.length).to.be.below(2000);
    });
  }

  it('a long list of problems ends with the number of those left out', () => {
    const problems = createProblems('E_FLOW');
    for (let i = 0; i < 1000; i++) problems.add(`${i}${long}`, long);
    expect(() => problems.throwIfAny()).to.throw(/\nand 99\d more$/);
  });

  for (const { name, load } of REPORTERS) {
    itSlow(`${name}: a report of ${OPERATIONS} operations`, async () => {
      const { render } = await load();
      await within(() => render(largeResult(OPERATIONS), { width: 100, distributionOf: () => [] }));
    });
  }

  itSlow('a flow with many scenarios and groups is planned in linear time', async () => {
    const entries = (name, at) => record(OPERATIONS, (i) => [`${name}${i}`, at(i)]);
    const main = (i) => [{ get: `http://127.0.0.1:1/${i}`, group: `group${i}`, name: `operation${i}` }];
    const scenarios = entries('scenario', (i) => ({ weight: 1, main: main(i) }));
    const { stats } = await within(() => benchrest({ scenarios }, { limit: 1, iterations: 1 }));
    expect(stats.iterations.failed).to.equal(1);
  });

  it('a table may have more rows than a call can have arguments', () => {
    const rows = Array.from({ length: 150_000 }, () => ['']);
    const options = { width: 80, paint: painter(false), glyphs: glyphsOf(true) };
    expect(table([{ head: 'rows' }], rows, options)).to.have.lengthOf(150_001);
  });

  itSlow('a large result is validated and merged in linear time', async () => {
    const { schema, run } = literalResult();
    const small = resultOf(recorded([{ at: 0, ms: 10, status: 200 }]));
    const result = largeResult(OPERATIONS, { schema, run, ...small });
    writeFileSync(join(folder, 'large.json'), JSON.stringify(result));
    expect((await within(() => readResult('large.json', folder))).operations).to.have.lengthOf(OPERATIONS);
    // as in a run: 1,000 operations, then `other`
    const { operations } = await within(() => mergeStats([result, result]));
    expect(operations).to.have.lengthOf(1001);
    expect(operations[1000].name).to.equal('other');
    const total = (all) => all.reduce((sum, { count }) => sum + count, 0);
    expect(total(operations)).to.equal(2 * total(result.operations));
    const { iterations } = await within(() => mergeStats(Array.from({ length: scaled(100, 500) }, () => small)));
    expect(iterations.started).to.equal(scaled(100, 500));
  });
});

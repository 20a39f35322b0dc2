import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { planText } from '../../lib/core/cli/run/run-view.js';
import { ERRORS } from '../../lib/core/ground/errors.js';
import { PHASES } from '../../lib/core/ground/phases.js';
import { COMPARISON_FORMATS } from '../../lib/addons/compare/formats.js';
import { comparisonOf } from '../../lib/addons/compare/report/index.js';
import { REPORTERS } from '../../lib/core/report/formats/index.js';
import { command } from '../support/command.js';
import fc from '../support/fast-check.js';
import { literalResult } from '../support/literal-result.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';
import { elementsOfXml } from '../support/xml.js';

const schema = JSON.parse(readFileSync(new URL('../../result.schema.json', import.meta.url), 'utf8'));
/** Characters that control a terminal or hide text: C0 except line ends, DEL, C1, line separators, direction marks. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const PIECES = [
  '=1+1',
  '@SUM(A1)',
  '\u001b[2J',
  '\u001b]8;;http://evil.test\u0007',
  '\u009b31m',
  '\u0090',
  '\u202e',
  '\u2066',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\0',
  '</script><img src=x onerror=alert(1)>',
  '<!--',
  ']]>',
  '| a | b |',
  '`x`',
  '```',
  '\\',
  '"',
  "'",
  '&amp;',
  '\ud800',
  '\uffff',
  '__proto__',
  'ü日本',
];
const WORST = PIECES.join('');
const WORST_NAME = WORST.replace('\ud800', '');

/** A copy with hostile text in every string, and in every key of the maps with foreign keys. */
function filled(value, text) {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((item) => filled(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, text)]));
}

function hostile(text) {
  const result = filled(literalResult(), text);
  const times = result.main.histogram;
  result.requests.statusCodes = { [text]: 1 };
  result.errors.kinds = { [text]: 8 };
  result.run.options = { [text]: text, headers: { [text]: text } };
  result[`timer ${text}`] = { meter: result.main.meter, histogram: times };
  result.operations[0].statusCodes = { [text]: 1 };
  return result;
}

const rendered = async (name, text) => {
  const { render } = await REPORTERS.find((reporter) => reporter.name === name).load();
  return render(hostile(text), { width: 100, distributionOf: () => [] });
};

/** The structure of a report, which must not depend on the texts of a result. */
const STRUCTURE = {
  text: () => null,
  object: () => null,
  json: (text) => Object.keys(JSON.parse(text)).length,
  ndjson: (text) => [text.split('\n').length, Object.keys(JSON.parse(text)).length],
  csv: (text) => cellsOf(text).map((row) => row.length),
  junit: (text) => text.match(/<[^>]*>/g).map((tag) => tag.replace(/"[^"<>]*"/g, '""')),
  markdown: (text) => text.split('\n').map((line) => [line[0] === '|', line.split('|').length]),
  github: (text) => text.split('\n').map((line) => /^::(\w+) title=[^:,]*::/.exec(line)?.[1]),
  hgrm: (text) => text,
  html: (text) => text.match(/<\/?(script|img|[a-z]+)\b/gi),
  card: elementsOfXml,
};

/** RFC 4180. */
function cellsOf(text) {
  const rows = text.split('\r\n').slice(0, -1);
  return rows.map((row) =>
    [...`${row},`.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*)),/g)].map(([, quoted, plain]) => quoted ?? plain),
  );
}

describe('N13 a saved result is untrusted input', () => {
  // halves of surrogate pairs too; `fc.string({ unit: 'binary' })` takes half a second to start
  const anyText = fc.array(fc.nat({ max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), anyText), { maxLength: 12 });

  for (const { name } of REPORTERS) {
    itSlow(`${name}: hostile text in every string stays text`, async () => {
      const plain = STRUCTURE[name](await rendered(name, 'x'));
      const check = async (text) => {
        const shown = await rendered(name, text);
        expect(name === 'csv' ? shown.replaceAll('\r\n', '\n') : shown).not.to.match(OBEYED);
        expect(STRUCTURE[name](shown)).to.deep.equal(plain);
        if (name === 'csv') for (const cell of cellsOf(shown).flat()) expect(cell).not.to.match(/^[=+@\t\r]|^-\D/);
        if (name === 'markdown') expect(shown.replaceAll('**failed**', '')).not.to.match(/[<>`*]/);
        if (name === 'html') expect(shown.match(/<\/script/g)).to.have.lengthOf(3);
      };
      await check(WORST);
      for (const piece of PIECES) await check(piece);
      // the page is large
      const numRuns = name === 'html' ? 10 : scaled(30, 100);
      await fc.assert(
        fc.asyncProperty(texts, (parts) => check(parts.join(''))),
        { numRuns },
      );
    });
  }

  it('json and ndjson keep every string unchanged', async () => {
    for (const name of ['json', 'ndjson']) {
      const read = JSON.parse(await rendered(name, WORST_NAME));
      expect(read.errors.details[0].kind).to.equal(WORST_NAME);
    }
  });

  it('the plan escapes texts of flows', () => {
    const plan = { shape: WORST, origins: [WORST], operations: { main: [WORST] } };
    expect(planText(plan, { from: WORST, version: '2' })).not.to.match(OBEYED);
  });

  for (const { name, load } of COMPARISON_FORMATS)
    it(`a comparison as ${name}: hostile text in every string stays text`, async () => {
      const { render } = await load();
      const renderedWith = (text) =>
        render(comparisonOf([hostile(text)], [{ ...hostile(text), run: undefined }], { labels: [text, text] }));
      const structure = STRUCTURE[name];
      const plain = structure(renderedWith('x'));
      for (const piece of [WORST, ...PIECES]) {
        const shown = renderedWith(piece);
        expect(shown).not.to.match(OBEYED);
        expect(structure(shown)).to.deep.equal(plain);
        if (name === 'html') expect(shown.match(/<\/script/g)).to.have.lengthOf(2);
        if (name === 'markdown') expect(shown.replaceAll(/^- \*\*[AB]\*\*/gm, '')).not.to.match(/[<>`*]/);
      }
    });

  describe('read by the command', () => {
    let cwd;
    let whole;
    before(async () => {
      cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      const flow = "{ beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'], main: ['/', '/status/500'] }";
      await command(['--serve', '-n', '20', '--threshold', 'p99<10s', '-o', join(cwd, 'whole.json'), '-e', flow]);
      whole = JSON.parse(readFileSync(join(cwd, 'whole.json'), 'utf8'));
    });
    after(() => rmSync(cwd, { recursive: true }));
    const save = (name, change) => {
      const result = structuredClone(whole);
      change(result);
      writeFileSync(join(cwd, name), JSON.stringify(result));
    };
    const hostileButValid = (result) => {
      Object.assign(result.run, { id: WORST, origins: [WORST], endReason: WORST });
      Object.assign(result, { id: WORST, tool: { name: WORST, version: WORST } });
      Object.assign(result.loadGenerators[0], { name: WORST, toolVersion: WORST });
      Object.assign(result.loadGenerators[0].machine, { platform: WORST, cpuModel: WORST, runtime: WORST });
      Object.assign(result.run.flow, { source: WORST, sha256: WORST });
      Object.assign(result.run.loads[0], { text: WORST });
      result.run.options = { [WORST]: WORST };
      Object.assign(result.operations[0], { name: WORST });
      for (const sample of result.errors.details)
        Object.assign(sample, { message: WORST, code: WORST, operation: WORST });
      for (const exemplar of [...result.exemplars.slowest, ...result.exemplars.failed])
        Object.assign(exemplar, { operation: WORST, error: WORST, code: WORST });
      result.validity.reasons = [{ code: WORST, message: WORST }];
      result.loadGenerator.reasons = [{ code: WORST, message: WORST }];
      result.thresholds[0].expression = WORST;
    };

    itSlow('report, merge and compare print and write no terminal control sequences', async () => {
      save('a.json', hostileButValid);
      save('b.json', (result) => {
        hostileButValid(result);
        result.id = 'b';
      });
      for (const args of [
        ...REPORTERS.map(({ name }) => ['report', 'a.json', '--format', name]),
        ['merge', 'a.json', 'b.json'],
        ['merge', 'a.json', 'b.json', '--json'],
        ['merge', 'a.json', 'a.json'],
        ['compare', 'a.json', 'b.json'],
        ...COMPARISON_FORMATS.map(({ name }) => ['compare', 'a.json', 'b.json', '--format', name]),
      ]) {
        const { code, stdout, stderr } = await command(args, { cwd });
        expect(code, stderr).to.be.oneOf([0, 1, 2, 99]);
        expect((stdout + stderr).replaceAll('\r\n', '\n'), args.join(' ')).not.to.match(OBEYED);
      }
    });

    it('a metric whose name has half of a surrogate pair is printed', async () => {
      save('odd.json', (result) => (result['\ud800'] = 1));
      const { code, stdout, stderr } = await command(['report', 'odd.json'], { cwd });
      // the code of the run
      expect(code, stderr).to.equal(99);
      expect(stdout).not.to.match(OBEYED);
    });

    const enums = [
      ['errors.details[0].kind', (result) => (result.errors.details[0].kind = WORST_NAME)],
      ['errors.details[0].phase', (result) => (result.errors.details[0].phase = WORST_NAME)],
      ['errors.kinds', (result) => (result.errors.kinds = { [WORST_NAME]: 1 })],
      ['operations[0].phase', (result) => (result.operations[0].phase = WORST_NAME)],
      ['operations[0].statusCodes', (result) => (result.operations[0].statusCodes = { [WORST_NAME]: 1 })],
      ['requests.statusCodes', (result) => (result.requests.statusCodes = { [WORST_NAME]: 1 })],
      ['validity.status', (result) => (result.validity.status = WORST_NAME)],
      ['thresholds[0].unit', (result) => (result.thresholds[0].unit = WORST_NAME)],
      ['startedAt', (result) => (result.startedAt = WORST_NAME)],
    ];
    for (const [place, change] of enums) {
      it(`an unknown value of ${place} is refused`, async () => {
        save('bad.json', change);
        for (const args of [
          ['report', 'bad.json'],
          ['merge', 'bad.json', 'whole.json'],
          ['compare', 'bad.json', 'whole.json'],
        ]) {
          const { code, stdout, stderr } = await command(args, { cwd });
          expect([code, stdout]).to.deep.equal([2, '']);
          expect(stderr).to.include(`is damaged at ${place}`).and.not.match(OBEYED);
          expect(stderr.length).to.be.below(2000);
        }
      });
    }
  });

  it('the enums of the schema equal those of the code', () => {
    const { $defs } = schema;
    const kinds = Object.values(ERRORS).flatMap(({ kind }) => kind ?? []);
    // those of system errors: lib/core/iteration/failure.js
    expect($defs.errorKind.enum).to.have.members([
      ...new Set([...kinds, 'dns', 'connect', 'tls', 'reset', 'protocol']),
    ]);
    expect($defs.phase.enum).to.deep.equal(PHASES);
  });
});

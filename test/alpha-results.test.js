import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv/dist/2020.js';
import { expect } from 'chai';

import { readCapacity } from '../lib/addons/capacity/capacities.js';
import { percentile } from '../lib/results.js';
import { readResult } from '../lib/core/cli/result/read-result.js';
import { COMPARISON_HEAD, RUN_HEAD } from '../lib/core/measure/document.js';
import { resultSchema } from '../lib/core/measure/result-schema.js';
import { command } from './support/command.js';
import { literalCapacity } from './support/literal-capacity.js';
import { resultAt } from './support/literal-history.js';

/** Written by 2.0.0-alpha.0. */
const FOLDER = fileURLToPath(new URL('alpha-results', import.meta.url));
const FILES = readdirSync(FOLDER);
const pathOf = (name) => join(FOLDER, name);
const alphaOf = (name) => JSON.parse(readFileSync(pathOf(name), 'utf8').trim().split('\n').at(-1));
const isResult = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(resultSchema());

/** @returns {{ result: object, notices: string[] }} */
const readAt = (path) => {
  const notices = [];
  return { result: readResult(path, '.', (text) => notices.push(text)), notices };
};

describe('results of alpha versions', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name, value) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const notices = (stderr) => stderr.match(/is of an alpha version/g) ?? [];

  for (const name of FILES) {
    it(`${name} becomes a result of schema version 2, with one notice that names it`, () => {
      const { result, notices: said } = readAt(pathOf(name));
      isResult(JSON.parse(JSON.stringify(result)));
      expect(isResult.errors).to.equal(null);
      expect(result).to.include(RUN_HEAD);
      expect(said).to.have.lengthOf(1);
      expect(said[0]).to.include(`${name} is of an alpha version`);
      const alpha = alphaOf(name);
      expect(percentile(result, 95)).to.be.closeTo(alpha.main.ok.p95, alpha.main.ok.p95 / 100);
    });
  }

  it('the command prints, compares and merges them, and warns once of each file', async () => {
    const report = await command(['report', pathOf('rich.json'), '--format', 'json']);
    expect(JSON.parse(report.stdout)).to.include(RUN_HEAD);
    expect(notices(report.stderr)).to.have.lengthOf(1);
    const compared = await command(['compare', pathOf('closed.json'), pathOf('workers.json')]);
    expect(notices(compared.stderr)).to.have.lengthOf(2);
    const merged = await command([
      'merge',
      pathOf('shard-1.json'),
      pathOf('shard-2.json'),
      '--partial',
      '--format',
      'json',
    ]);
    expect(JSON.parse(merged.stdout).iterations.started).to.equal(60);
    expect(notices(merged.stderr)).to.have.lengthOf(2);
  });

  it('a file that report saves again is of this version', async () => {
    const saved = join(folder, 'saved.json');
    await command(['report', pathOf('closed.json'), '-o', saved]);
    expect(readAt(saved).notices).to.deep.equal([]);
  });

  it('merge refuses a mixture with results of this version', async () => {
    const saved = join(folder, 'shard-2.json');
    await command(['report', pathOf('shard-2.json'), '-o', saved]);
    const { code, stderr } = await command(['merge', pathOf('shard-1.json'), saved, '--partial']);
    expect(code).to.equal(2);
    expect(stderr).to.match(/shard-1\.json is of an alpha version, and .*shard-2\.json is not/);
  });

  it('a file with values that no alpha version wrote is damaged', () => {
    const path = write('damaged.json', { ...alphaOf('rich.json'), verdict: 'sound' });
    expect(() => readAt(path)).to.throw(/is damaged at|has no validity/);
  });
});

describe('results of newer versions', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const written = (value) => {
    writeFileSync(join(folder, 'result.json'), JSON.stringify(value));
    return join(folder, 'result.json');
  };
  const result = () => readAt(pathOf('closed.json')).result;

  it('keys that this version does not know are left out, at any depth', () => {
    const newer = { ...result(), run: { ...result().run, tags: {} }, iterations: { ...result().iterations, later: 1 } };
    const { result: read, notices } = readAt(written(newer));
    expect(read.run).to.not.have.property('tags');
    expect(read.iterations).to.not.have.property('later');
    expect(notices).to.deep.equal([]);
  });

  it('a newer schema version is read with a notice', () => {
    const { result: read, notices } = readAt(written({ ...result(), schemaVersion: 3 }));
    expect(read).to.include(RUN_HEAD);
    expect(notices).to.have.lengthOf(1);
    expect(notices[0]).to.match(/result\.json has schema version 3, of a newer bench-rest/);
  });

  it('one that cannot be read asks for a newer bench-rest', () => {
    const path = written({ ...result(), schemaVersion: 3, totalElapsed: 'long' });
    expect(() => readAt(path)).to.throw(
      /has schema version 3, and is damaged at totalElapsed.*use a newer bench-rest/s,
    );
  });

  it('a comparison is no result', () => {
    const path = written({ ...result(), type: 'comparison' });
    expect(() => readAt(path)).to.throw(/is a comparison, not a result/);
    // it has a method, as operations have
    const whole = written({ ...COMPARISON_HEAD, of: 'run', method: 'runs', figures: [] });
    expect(() => readAt(whole)).to.throw(/is a comparison, not a result/);
  });
});

describe('results of early release candidates', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const readSaved = (change) => {
    const path = join(folder, 'result.json');
    const value = JSON.parse(JSON.stringify(resultAt(1, 1)));
    change(value);
    writeFileSync(path, JSON.stringify(value));
    return readAt(path);
  };

  it('are read without a notice: judged figures of the whole run, and exemplars of closed runs without due', () => {
    const figure = { figure: 'responseTime.p95', actual: 95, loadGeneratorTime: 1, status: 'valid' };
    const { result, notices } = readSaved(({ validity, exemplars }) => {
      validity.figures = [figure];
      for (const one of [...exemplars.slowest, ...exemplars.failed]) one.due = null;
    });
    expect(result.validity.figures).to.deep.equal([{ ...figure, of: {} }]);
    for (const one of [...result.exemplars.slowest, ...result.exemplars.failed])
      expect(one).not.to.have.any.keys('due');
    expect(notices).to.deep.equal([]);
  });

  it('whose lists have something else in place of objects are refused as damaged', () => {
    for (const wrong of [null, 7, [[]], ['x'], { length: 1 }])
      expect(() => readSaved(({ exemplars }) => (exemplars.slowest = wrong))).to.throw(/is damaged at exemplars/);
  });

  it('a capacity is read with the names of today', () => {
    const path = join(folder, 'capacity.json');
    const { loadGenerators, conclusion, steps, ...capacity } = literalCapacity();
    const { code, message, iterations, ...found } = conclusion;
    const before = steps.map(({ outcome, validity, responseTime, errors, loadGenerator, ...step }) => ({
      ...step,
      passed: outcome.passed,
      verdict: outcome.status,
      reasons: outcome.reasons,
      validity: validity.status,
      figures: {
        throughput: step.iterations.completedRate,
        p50: responseTime.median,
        p95: responseTime.p95,
        p99: responseTime.p99,
        max: responseTime.max,
        errors: errors.count,
        errorShare: errors.share,
        concurrency: step.concurrency,
        backlogGrowth: step.backlogGrowth,
        loadGeneratorUtilization: loadGenerator.eventLoopUtilization,
        loadGeneratorLost: loadGenerator.lostShare,
      },
    }));
    const value = {
      ...capacity,
      conclusion: { ...found, outcome: code, throughput: iterations.completedRate, sentence: message },
      steps: before,
      machines: loadGenerators.map(({ machine }) => machine),
    };
    writeFileSync(path, JSON.stringify(value));
    expect(readCapacity(path, '.')).to.deep.equal(literalCapacity());
    writeFileSync(path, JSON.stringify({ ...value, steps: [null] }));
    expect(() => readCapacity(path, '.')).to.throw(/is damaged at capacity\.steps\[0\]/);
  });
});

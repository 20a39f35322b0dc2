import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { assertNoRegression, readResult, renderResult, withBaseline } from '../lib/results.js';
import { commandHere } from './support/command.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

/** Answers take so long that the load generator of a busy machine explains no change by a factor. */
const slow = (_request, response) => setTimeout(() => response.end('ok'), 30);

describe('--baseline', () => {
  let cwd;
  let url;
  let stop;
  const run = (...args) => commandHere(['-d', '0', '-n', '20', '-c', '2', ...args], { cwd });

  before(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const isOver = new Promise((resolve) => (stop = resolve));
    url = await new Promise((resolve) => {
      void serving(slow, (address) => {
        resolve(address);
        return isOver;
      });
    });
    await run('-o', 'base.json', '--quiet', url);
    // every time of the next run is worse than these
    const base = JSON.parse(readFileSync(join(cwd, 'base.json'), 'utf8'));
    for (const key of ['mean', 'median', 'p90', 'p95', 'p99']) base.main.completed[key] = 1e-6;
    // The load generator's parts are those of the real times.
    delete base.validity.figures;
    base.id = 'fast';
    writeFileSync(join(cwd, 'fast.json'), JSON.stringify(base));
  });

  after(() => {
    stop();
    rmSync(cwd, { recursive: true });
  });

  itSlow('every report shows the changes, and a regression ends the command with 99', async () => {
    const outputs = ['json', 'md', 'xml', 'html'].flatMap((extension) => ['-o', `new.${extension}`]);
    const { code, stdout, stderr } = await run(
      '--baseline',
      'fast.json',
      '--max-regression',
      '10%',
      '--noise',
      '4%',
      ...outputs,
      url,
    );
    expect(code, stderr).to.equal(99);
    expect(stdout)
      .to.match(/compared with fast\.json +before +now +change/)
      .and.match(/p99 is worse by [\d.,]+ %, more/);
    const [json, markdown, junit, html] = ['json', 'md', 'xml', 'html'].map((extension) =>
      readFileSync(join(cwd, `new.${extension}`), 'utf8'),
    );
    const { baseline, outcome } = JSON.parse(json);
    expect(outcome).to.include({ passed: false, exitCode: 99 });
    // on a busy machine some limits are undecided
    const regressions = outcome.reasons.filter(({ code }) => code !== 'undecided');
    expect(regressions.every(({ code, figure }) => code === 'regression' && figure.includes('.'))).to.equal(true);
    expect(baseline.regressions.filter(({ passed }) => !passed)).to.have.lengthOf.at.least(5);
    expect(markdown).to.include('| compared with fast.json | before |');
    expect(junit).to.include('<testcase classname="bench-rest" name="max-regression p99=10%"');
    expect(html).to.include('against fast.json');
    expect((await commandHere(['report', 'new.json'], { cwd })).stdout).to.include('compared with fast.json');
  });

  it('without a limit the changes are shown, and decide nothing', async () => {
    const { code, stdout } = await run('--baseline', 'fast.json', '--json', url);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout).baseline).to.deep.include({
      method: 'none',
      untested: { code: 'singleRuns', message: 'each side has one run' },
      regressions: [],
    });
  });

  it('another flow and another load are named', async () => {
    const { stderr, stdout } = await run('--baseline', 'base.json', '-n', '21', `${url}/other`);
    for (const text of [stderr, stdout])
      expect(text)
        .to.match(/the baseline is of another flow/i)
        .and.match(/the load of the baseline was 20 iterations/i);
  });

  for (const [args, code, message] of [
    [['--baseline', 'none.json'], 2, 'file does not exist'],
    [['--baseline', 'damaged.json'], 2, 'damaged.json'],
    [['--baseline', 'base.json', '--max-regression', 'p98=10%'], 2, 'unknown figure'],
    [['--max-regression', '10%'], 2, '--max-regression needs --baseline'],
    [['--noise', '10%'], 2, '--noise needs --baseline'],
    [['--history', '.'], 2, '--history needs --baseline'],
    [
      ['--baseline', 'base.json', '--max-regression', '10%'],
      2,
      'because each side has one run; run both sides in turn',
    ],
    [
      ['--baseline', 'base.json', '--max-regression', 'p99=10%', '--noise', 'p95=4%'],
      2,
      'the noise of p99 is not known',
    ],
  ]) {
    it(`${args.join(' ')} is refused before the run`, async () => {
      writeFileSync(join(cwd, 'damaged.json'), '{ "schema": 1 }');
      const said = await run(...args, url);
      expect(said.code).to.equal(code);
      expect(said.stderr).to.include(message).and.not.include('flow:');
    });
  }

  it('a folder of earlier results shows how much runs differ, so that changes have a verdict', async () => {
    const base = JSON.parse(readFileSync(join(cwd, 'base.json'), 'utf8'));
    delete base.validity.figures;
    mkdirSync(join(cwd, 'earlier'));
    for (const factor of [0.9, 1, 1.1]) {
      for (const key of ['mean', 'median', 'p90', 'p95']) base.main.completed[key] = 10 * factor;
      base.id = `earlier ${factor}`;
      writeFileSync(join(cwd, `earlier/${factor}.json`), JSON.stringify(base));
    }
    const args = ['--baseline', 'fast.json', '--history', 'earlier', '--max-regression', 'p95=10%', '--json', url];
    const { code, stdout } = await run(...args);
    // a limit that the load generator may explain is undecided
    expect(code).to.be.oneOf([99, 98]);
    const { method, untested, figures } = JSON.parse(stdout).baseline;
    expect([method, untested]).to.deep.equal(['noise', undefined]);
    expect(figures.find(({ figure }) => figure === 'responseTime.p95').p).to.be.below(0.05);
  });

  it('programs compare with withBaseline', async () => {
    const base = await readResult(join(cwd, 'base.json'));
    const again = (id = 'again') => ({ ...base, id });
    const result = withBaseline(again(), base, {
      from: 'last week',
      maxRegression: ['p99=10%', 'iterations.completedRate=5%'],
      noise: '4%',
    });
    expect(result.baseline.regressions.map(({ passed }) => passed)).to.deep.equal([true, true]);
    expect(await renderResult(result)).to.include('compared with last week');
    expect(() => withBaseline(again(), base, { maxRegression: 'x' })).to.throw('expected a percentage');
    expect(() => withBaseline(again(), base, { maxRegression: '5%' })).to.throw('cannot tell noise from change');
    const history = ['1', '2', '3'].map(again);
    expect(withBaseline(again(), base, { history }).baseline.method).to.equal('noise');
    expect(() => withBaseline(base, base)).to.throw('the result is the same run as baseline');
    expect(() => withBaseline(again(), base, { history: [base, base, base] })).to.throw(
      'history[1] is the same run as history[0]',
    );
    const contradictory = {
      ...again('2'),
      validity: { status: 'invalid', reasons: [{ code: 'test', message: 'more ended than started' }] },
    };
    expect(() => withBaseline(contradictory, base)).to.throw('the result is invalid: more ended than started');
  });

  it('assertNoRegression throws if a figure is worse than allowed, and returns the changes otherwise', async () => {
    const base = await readResult(join(cwd, 'base.json'));
    delete base.validity.figures;
    const fast = structuredClone(base);
    fast.id = 'fast';
    for (const key of ['p95', 'p99']) fast.main.completed[key] = 0.001;
    const { regressions } = assertNoRegression(base, { ...base, id: 'again' }, '10%', {
      noise: '4%',
    }).baseline;
    expect(regressions.map(({ passed }) => passed)).to.deep.equal(Array(6).fill(true));
    expect(() => assertNoRegression(base, fast, ['p99=10%', 'p95=10%', 'p50=10%'], { from: 'main', noise: '4%' }))
      .to.throw(/^worse than main: p99 (is|may be) worse by [\d,.]+ %, more than 10 %.*, p95 (is|may be) worse by [^,]/)
      .with.nested.property('baseline.regressions.length', 3);
    expect(() => assertNoRegression(base, base, 'p98=1%')).to.throw('unknown figure');
  });
});

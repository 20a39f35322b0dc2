import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { renderResult } from '../lib/results.js';
import { command } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { here } from './support/threads-here.js';
import { outcomeFor } from '../lib/core/measure/outcome.js';

const HOSTILE = '<b>| `x` \u001b[2J token=CANARY';

describe('the section function of a flow', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  let files = 0;
  /** A flow file with this export, run by the command. */
  const commanded = (text, args = []) =>
    serving(ok, (url) => {
      const file = join(folder, `flow${++files}.mjs`);
      writeFileSync(file, `export default ${JSON.stringify(url)};\n${text}\n`);
      return command(['-n', '20', '-c', '2', ...args, file], { cwd: folder });
    });

  for (const workers of [undefined, 2])
    it(`gets the result of all threads, once, at the end; ${workers ?? 'no'} workers`, () =>
      serving(ok, async (url) => {
        const calls = [];
        const flow = {
          main: [url],
          section(result) {
            calls.push(result);
            return { title: 'mine', rows: [{ completed: result.iterations.completed }] };
          },
        };
        const { stats } = await here('workers', () => benchrest(flow, { limit: 2, iterations: 30, workers }));
        expect(stats.section).to.deep.equal({ title: 'mine', columns: ['completed'], rows: [[30]] });
        expect(calls).to.have.lengthOf(1);
        expect(calls[0].endedAt).to.equal(stats.endedAt);
        expect(calls[0].main.histogram.hdr).to.be.a('string').and.equal(stats.main.histogram.hdr);
      }));

  it('an export of a flow file adds a section to every report, and to those of the saved result', async () => {
    const text = `export const section = ({ iterations }) => ({ title: 'done', text: iterations.completed + ' of 20\\n' + ${JSON.stringify(HOSTILE)} });`;
    const { stdout, code } = await commanded(text, ['-o', 'r.json', '-o', 'r.md', '-o', 'r.html', '-w', '2']);
    expect(code).to.equal(0);
    expect(stdout).to.include('\n  done\n  20 of 20\n').and.not.include('CANARY').and.not.include('\u001b');
    const read = (name) => readFileSync(join(folder, name), 'utf8');
    expect(JSON.parse(read('r.json')).section.lines[0]).to.equal('20 of 20');
    expect(read('r.md')).to.include('#### done\n\n    20 of 20\n').and.not.include('CANARY');
    expect(read('r.html')).to.include('20 of 20').and.not.include('<b>').and.not.include('CANARY');
    const saved = await command(['report', 'r.json'], { cwd: folder });
    expect(saved.stdout).to.include('\n  done\n  20 of 20\n').and.not.include('\u001b');
  });

  it('one that throws is reported with its line, exits with 5, and loses nothing', async () => {
    const text = "export function section(result) {\n  return result.nothing.at('all');\n}";
    const { stdout, code } = await commanded(text, ['--json']);
    const { iterations, section, outcome } = JSON.parse(stdout);
    expect([iterations.completed, code, outcome]).to.deep.equal([20, 5, outcomeFor(['section'])]);
    expect(section.failed).to.equal(true);
    expect(section.lines[0]).to.match(/failed: Cannot read .*, at .*flow\d\.mjs:3:25$/);
    expect(section.lines.slice(1)).to.deep.equal(
      ["  return result.nothing.at('all');", `  ${' '.repeat(24)}^`].map((line, i) => (i === 0 ? `  ${line}` : line)),
    );
    const quiet = await commanded(text, ['--quiet']);
    expect(quiet.stdout).to.include('the section function of the flow failed');
  });

  it('one that throws is an error event of a program', () =>
    serving(ok, async (url) => {
      const errors = [];
      const flow = {
        main: [url],
        section() {
          throw new Error('mine');
        },
      };
      const { stats, errorCount } = await benchrest(flow, { limit: 1, iterations: 1 }).on('error', (error, phase) =>
        errors.push([error.code, error.cause.message, phase]),
      );
      expect(errors).to.deep.equal([['E_SECTION', 'mine', 'section']]);
      expect([stats.errors.count, errorCount, stats.validity.status]).to.deep.equal([0, 0, stats.validity.status]);
      expect(await renderResult(stats)).to.include('the section function of the flow failed: mine');
    }));

  it('is not called after an abort, and must be a function', () =>
    serving(ok, async (url) => {
      let calls = 0;
      const run = benchrest({ main: [url], section: () => calls++ }, { limit: 1, forever: true });
      run.on('start', () => run.abort());
      await run;
      expect(calls).to.equal(0);
      expect(() => benchrest({ main: [url], section: 'x' }, { limit: 1, iterations: 1 })).to.throw(
        'flow.section: expected a function',
      );
    }));
});

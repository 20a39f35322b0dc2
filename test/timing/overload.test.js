import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { PROGRAM, saidBy } from '../support/command.js';
import { serving } from '../support/serve.js';

/** Answers one request after the other, each after 10 ms: at most 100 per second, however many wait. */
function oneAtATime() {
  let last = Promise.resolve();
  return (_request, response) => {
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, 10))).then(() => response.end('ok'));
    return last;
  };
}

const FINDING = /did not keep up: [\d.]+ of (?:150|75|300)\/s; [\d,]+ iterations waited at the end/i;
const run = (cwd, ...args) => saidBy(process.execPath, [PROGRAM, ...args], { cwd });

describe('a service that gets half as much again as it can do', () => {
  let cwd;
  before(() => (cwd = mkdtempSync(join(tmpdir(), 'overload-'))));
  after(() => rmSync(cwd, { recursive: true }));

  it('fails with 96 and names the backlog in text, JSON, Markdown, JUnit, annotations, page and a sum of results', () =>
    serving(oneAtATime(), async (url) => {
      const outputs = ['json', 'md', 'xml', 'html'].flatMap((extension) => ['-o', `one.${extension}`]);
      const { code, stdout, stderr } = await run(cwd, '-r', '150', '-t', '3s', '-c', '450', ...outputs, url);
      expect(code, stdout + stderr).to.equal(96);
      expect(stdout.replaceAll(/\s+/g, ' '))
        .to.match(FINDING)
        .and.match(/^✗ [\d.]+ of 150\.0 iterations\/s/);
      expect(stdout.trimEnd().split('\n').length, stdout).to.be.at.most(18);
      const [json, ...others] = ['json', 'md', 'xml', 'html'].map((one) =>
        readFileSync(join(cwd, `one.${one}`), 'utf8'),
      );
      const result = JSON.parse(json);
      expect(result.outcome).to.include({ passed: false, exitCode: 96 });
      expect(result.outcome.reasons.map(({ code: reason }) => reason)).to.deep.equal(['backlog']);
      for (const text of others) expect(text).to.match(FINDING);
      expect((await run(cwd, 'report', 'one.json', '--format', 'github')).stdout)
        .to.match(/^::error /)
        .and.match(FINDING);
      writeFileSync(join(cwd, 'two.json'), JSON.stringify({ ...result, id: 'another' }));
      const sum = await run(cwd, 'merge', 'one.json', 'two.json');
      expect([sum.code, sum.stdout.replaceAll(/\s+/g, ' ')], sum.stderr).to.satisfy(
        ([exitCode, text]) => exitCode === 96 && FINDING.test(text),
      );
    }));
});

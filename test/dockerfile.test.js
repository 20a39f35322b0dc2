import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { ROOT, saidBy } from './support/command.js';
import { itSlow } from './support/slow.js';

const textOf = (name) => readFileSync(join(ROOT, name), 'utf8');
const INSTRUCTIONS = textOf('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^([A-Z]+) (.*)$/.exec(line).slice(1));
const argumentsOf = (name) => INSTRUCTIONS.filter(([one]) => one === name).map(([, rest]) => rest);
/** Sources and target of each COPY. */
const COPIES = argumentsOf('COPY').map((rest) => {
  const words = rest.split(' ');
  return { sources: words.slice(0, -1), target: words.at(-1) };
});

describe('the Dockerfile', () => {
  it('builds on a Node that the package supports, and runs as a user without rights', () => {
    const [, major] = /^node:(\d+)-alpine$/.exec(argumentsOf('FROM')[0]);
    const { engines } = JSON.parse(textOf('package.json'));
    expect(engines.node).to.match(/^>=\d+/);
    expect(Number(major)).to.be.at.least(Number(/\d+/.exec(engines.node)[0]));
    expect(argumentsOf('USER')).to.deep.equal(['1000']);
    expect(argumentsOf('ENTRYPOINT')).to.deep.equal(['["bench-rest"]']);
    expect(INSTRUCTIONS.at(-1)[0]).to.equal('ENTRYPOINT');
  });

  it('labels the image with the repository and the licence of the package', () => {
    const { name, repository, license } = JSON.parse(textOf('package.json'));
    const labels = Object.fromEntries(
      Array.from(argumentsOf('LABEL')[0].matchAll(/org\.opencontainers\.image\.(\w+)="(.*?)"/g), ([, key, value]) => [
        key,
        value,
      ]),
    );
    expect(labels).to.include({ title: name, licenses: license });
    expect(`git+${labels.source}.git`).to.equal(repository.url);
  });

  it('copies what .dockerignore lets through, and nothing else', () => {
    const [first, ...rest] = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).to.equal('*');
    expect(rest).to.have.members(COPIES.flatMap(({ sources }) => sources).map((name) => `!${name}`));
  });

  it('copies the schemas that the package has', () => {
    const isSchema = (name) => name.endsWith('.schema.json');
    const { files } = JSON.parse(textOf('package.json'));
    expect(COPIES.flatMap(({ sources }) => sources).filter(isSchema)).to.have.members(files.filter(isSchema));
  });

  it('links the command that package.json names, which is executable', () => {
    const { bin } = JSON.parse(textOf('package.json'));
    expect(argumentsOf('RUN').at(-1)).to.equal(`ln -s /opt/bench-rest/${bin['bench-rest']} /usr/local/bin/bench-rest`);
    expect(statSync(join(ROOT, bin['bench-rest'])).mode & 0o111).to.equal(0o111);
  });

  it('installs the optional packages above the package, where it finds them', async () => {
    const line = argumentsOf('RUN').find((one) => one.includes('peerDependencies'));
    expect(argumentsOf('WORKDIR')[0]).to.equal('/opt/bench-rest');
    expect(line).to.match(/^npm install --prefix \/opt .*--ignore-scripts/);
    const [, program] = /\$\(node -p "(.*?)"\)/.exec(line);
    const { stdout } = await saidBy(process.execPath, ['-p', program], { cwd: ROOT });
    const { peerDependencies } = JSON.parse(textOf('package.json'));
    expect(stdout.trim().split(' ')).to.deep.equal(
      Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`),
    );
  });

  itSlow('copies all that a run needs, beside the dependencies of the package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const app = join(folder, 'app');
      const work = join(folder, 'work');
      for (const name of [app, work]) mkdirSync(name);
      for (const { sources, target } of COPIES)
        for (const source of sources)
          cpSync(join(ROOT, source), target === './' ? join(app, source) : join(app, target), { recursive: true });
      const { dependencies } = JSON.parse(textOf('package.json'));
      expect(Object.keys(dependencies)).to.not.have.lengthOf(0);
      symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'), 'dir');
      writeFileSync(
        join(work, 'flow.mjs'),
        "import { defineFlow } from 'bench-rest';\nexport default defineFlow({ main: ['/'] });\n",
      );
      const page = join(work, 'page.html');
      const args = ['--serve', '-n', '20', '-o', page, join(work, 'flow.mjs')];
      const { code, stderr } = await saidBy(process.execPath, [join(app, 'bin/bench-rest.js'), ...args]);
      expect(code, stderr).to.equal(0);
      expect(readFileSync(page, 'utf8')).to.include('</html>');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

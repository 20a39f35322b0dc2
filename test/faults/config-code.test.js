import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { projectRoot } from '../../lib/cli/project.js';
import { PROGRAM, command } from '../support/command.js';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const OTHER = 65534;

describe('N16 configuration files run as code only in folders that other users cannot write to', () => {
  let top;
  let ran;
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    ran = join(top, 'ran');
    mkdirSync(join(top, 'project/below'), { recursive: true });
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));
  const at = (name) => join(top, name);
  /** Writes a configuration file that creates a file when it runs. */
  const writeCode = (name) => {
    const text = `process.getBuiltinModule?.('fs').writeFileSync(${JSON.stringify(ran)}, '');`;
    const body = name.endsWith('.mjs') ? `${text} export default` : `${text} module.exports =`;
    writeFileSync(at(name), `${body} { timeout: 1234 };`);
  };
  const run = (cwd, args = ['--print-config', 'http://127.0.0.1:9/']) => command(args, { cwd: at(cwd) });

  for (const name of ['.bench-restrc.js', '.bench-restrc.mjs', '.bench-restrc.cjs']) {
    it(`${name} above the project does not run; the reason and a remedy are printed`, async () => {
      writeFileSync(at('project/package.json'), '{}');
      writeCode(name);
      const { code, stdout, stderr } = await run('project/below');
      expect([code, existsSync(ran)], stderr).to.deep.equal([0, false]);
      expect(stdout).not.to.include('1234');
      expect(stderr)
        .to.include(`${at(name)} is ignored: it is code outside the project ${at('project')}`)
        .and.include('move it into the project, or convert it to .bench-restrc.json');
    });
  }

  it('every command that reads a configuration follows this rule', async () => {
    writeCode('.bench-restrc.js');
    writeFileSync(at('project/package.json'), '{}');
    for (const args of [
      ['--serve', '-n', '1'],
      ['ab', '--runs', '1', '-n', '1', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/'],
    ]) {
      const { stderr } = await run('project', args);
      expect([existsSync(ran), /is ignored: it is code outside/.test(stderr)]).to.deep.equal([false, true]);
    }
  });

  it('without package.json and .git the project is the working directory', async () => {
    writeCode('.bench-restrc.js');
    expect(projectRoot(at('project'))).to.equal(at('project'));
    expect((await run('project')).stderr).to.include('is ignored');
    expect(existsSync(ran)).to.equal(false);
    expect((await run('.')).stdout).to.match(/timeout +1234 /);
    expect(existsSync(ran)).to.equal(true);
  });

  for (const mark of ['package.json', '.git']) {
    it(`code runs in the folder of ${mark} and below`, async () => {
      if (mark === '.git') mkdirSync(at('project/.git'));
      else writeFileSync(at(`project/${mark}`), '{}');
      writeCode('project/.bench-restrc.js');
      const { stdout, stderr } = await run('project/below');
      expect(stdout, stderr).to.match(/timeout +1234 +\(.*project\/\.bench-restrc\.js\)/);
      expect([stderr, existsSync(ran)]).to.deep.equal(['', true]);
    });
  }

  it('data above the project is read, even next to code', async () => {
    writeFileSync(at('project/package.json'), '{}');
    writeCode('.bench-restrc.js');
    writeFileSync(at('.bench-restrc.yaml'), 'timeout: 4321\n');
    expect((await run('project/below')).stdout).to.match(/timeout +4321 /);
    expect(existsSync(ran)).to.equal(false);
  });

  const refused = async (cwd, reason) => {
    const { code, stdout, stderr } = await run(cwd);
    expect([code, stdout, existsSync(ran)], stderr).to.deep.equal([3, '', false]);
    expect(stderr)
      .to.match(reason)
      .and.include('change its owner or mode (chown, chmod o-w), or convert it to .bench-restrc.json');
  };

  it('a file or a folder that every user can write to is refused', async function () {
    if (isWindows) return this.skip();
    writeCode('project/.bench-restrc.js');
    chmodSync(at('project/.bench-restrc.js'), 0o666);
    await refused('project', /not run, because it is code and every user can write to .*project\/\.bench-restrc\.js;/);
    chmodSync(at('project/.bench-restrc.js'), 0o644);
    chmodSync(at('project'), 0o1777);
    await refused('project', /not run, because it is code and every user can write to .*project;/);
    chmodSync(at('project'), 0o755);
    expect((await run('project')).code).to.equal(0);
  });

  it('a flow that is code runs only if its file, and the configuration that names it, are in the project and safe', async function () {
    if (isWindows) return this.skip();
    const notRun = async (reason) => {
      const { code, stderr } = await run('project', []);
      expect([code, existsSync(ran)], stderr).to.deep.equal([3, false]);
      expect(stderr).to.match(reason).and.include('pass it as an argument');
    };
    writeFileSync(at('project/package.json'), '{}');
    writeCode('project/flow.cjs');
    writeFileSync(at('.bench-restrc.json'), '{ "flow": "project/flow.cjs" }');
    await notRun(/flow\.cjs is not run, because it is code and .*restrc\.json is outside the project;/);
    writeFileSync(at('project/.bench-restrc.json'), '{ "flow": "flow.cjs" }');
    chmodSync(at('project/.bench-restrc.json'), 0o666);
    await notRun(/because it is code and every user can write to .*restrc\.json;/);
    chmodSync(at('project/.bench-restrc.json'), 0o644);
    chmodSync(at('project/flow.cjs'), 0o666);
    await notRun(/because it is code and every user can write to .*flow\.cjs;/);
    chmodSync(at('project/flow.cjs'), 0o644);
    await run('project', []);
    expect(existsSync(ran)).to.equal(true);
  });

  it('a link to a file that every user can write to is refused', async function () {
    if (isWindows) return this.skip();
    writeCode('elsewhere.js');
    chmodSync(at('elsewhere.js'), 0o666);
    symlinkSync(at('elsewhere.js'), at('project/.bench-restrc.js'));
    await refused('project', /every user can write to .*(elsewhere|restrc)\.js;/);
  });

  it('a file or a folder of another user is refused (needs root, to make one)', async function () {
    if (!isRoot) return this.skip();
    writeCode('project/.bench-restrc.js');
    chownSync(at('project/.bench-restrc.js'), OTHER, OTHER);
    await refused(
      'project',
      /not run, because it is code and .*restrc\.js belongs to another user \(65534, you are 0\)/,
    );
    chownSync(at('project/.bench-restrc.js'), 0, 0);
    chownSync(at('project'), OTHER, OTHER);
    await refused('project', /not run, because it is code and .*project belongs to another user/);
    chownSync(at('project'), 0, 0);
    chmodSync(top, 0o755);
    const child = spawn(process.execPath, [PROGRAM, '--print-config', 'http://127.0.0.1:9/'], {
      cwd: at('project'),
      uid: OTHER,
      gid: OTHER,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    expect((await once(child, 'close'))[0]).to.equal(3);
    expect(stderr).to.match(/belongs to another user \(0, you are 65534\)/);
  });

  it('a configuration that cannot be parsed is refused with its location', async () => {
    mkdirSync(at('project/.bench-restrc.json'));
    const { code, stderr } = await run('project');
    expect([code, stderr]).to.satisfy(([exit, text]) => exit === 3 && /bench-restrc\.json is a directory/.test(text));
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { projectRoot } from '../../lib/core/cli/config-file.js';
import { PROGRAM, command, spawned } from '../support/command.js';
import { itSlow } from '../support/slow.js';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const OTHER = 65534;

describe('N16 configuration files are obeyed only where other users could not have written them', () => {
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

  for (const name of ['.bench-restrc.js', '.bench-restrc.mjs', '.bench-restrc.json', '.bench-restrc.yaml']) {
    it(`X63 ${name} above the project is not found`, async () => {
      writeFileSync(at('project/package.json'), '{}');
      if (/js$/.test(name)) writeCode(name);
      else writeFileSync(at(name), '{ "timeout": 1234 }');
      for (const folder of ['project', 'project/below']) {
        const { code, stdout, stderr } = await run(folder);
        expect([code, existsSync(ran)], stderr).to.deep.equal([0, false]);
        expect(stdout).not.to.include('1234');
      }
    });
  }

  itSlow('X63 every command that reads a configuration follows this rule', async () => {
    writeCode('.bench-restrc.js');
    writeFileSync(at('project/package.json'), '{}');
    for (const args of [
      ['--serve', '-n', '1'],
      ['ab', '--runs', '1', '-n', '1', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/'],
    ]) {
      await run('project', args);
      expect(existsSync(ran)).to.equal(false);
    }
  });

  it('without package.json and .git the project is the working directory', async () => {
    writeCode('.bench-restrc.js');
    expect(projectRoot(at('project'))).to.equal(at('project'));
    await run('project');
    expect(existsSync(ran)).to.equal(false);
    expect((await run('.')).stdout).to.match(/timeout +1234 /);
    expect(existsSync(ran)).to.equal(true);
  });

  it('X63 the home folder and those above it are no root of a folder below', () => {
    mkdirSync(at('project/.git'));
    writeFileSync(at('package.json'), '{}');
    const inHome = (home, folder) => {
      const { HOME } = process.env;
      process.env.HOME = home;
      try {
        return projectRoot(folder);
      } finally {
        process.env.HOME = HOME;
      }
    };
    const below = at('project/below');
    expect(inHome(at('elsewhere'), below)).to.equal(at('project'));
    if (isWindows) return;
    expect(inHome(at('project'), below)).to.equal(below);
    expect(inHome(at('project/below/home'), below)).to.equal(below);
    expect(inHome(at('project'), at('project'))).to.equal(at('project'));
    symlinkSync(at('project'), at('link'));
    expect(inHome(at('link'), below)).to.equal(below);
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

  /** The configuration of a folder has no effect; a notice names the reason and the remedy. */
  const ignored = async (cwd, reason) => {
    const { code, stdout, stderr } = await run(cwd);
    expect([code, existsSync(ran)], stderr).to.deep.equal([0, false]);
    expect(stdout).not.to.match(/timeout +(1234|4321)/);
    expect(stderr)
      .to.match(reason)
      .and.match(/is ignored, because .*; write --config .*restrc\.\w+ to use it, or change its owner or mode/);
  };

  it('X63 a file that others can write to is ignored, and code in a folder that they can write to', async function () {
    if (isWindows) return this.skip();
    writeCode('project/.bench-restrc.js');
    chmodSync(at('project/.bench-restrc.js'), 0o666);
    await ignored('project', /every user can write to .*project\/\.bench-restrc\.js;/);
    chmodSync(at('project/.bench-restrc.js'), 0o644);
    chmodSync(at('project'), 0o1777);
    await ignored('project', /every user can write to .*project;/);
    writeFileSync(at('project/.bench-restrc.yaml'), 'timeout: 5000\n');
    expect((await run('project')).stdout).to.match(/timeout +5000 /);
    chmodSync(at('project/.bench-restrc.yaml'), 0o646);
    await ignored('project', /every user can write to .*project\/\.bench-restrc\.yaml;/);
    rmSync(at('project/.bench-restrc.yaml'));
    chmodSync(at('project'), 0o755);
    expect((await run('project')).stdout).to.match(/timeout +1234/);
  });

  it('X63 a file that a group of others can write to is ignored', async function () {
    if (!isRoot) return this.skip();
    writeFileSync(at('project/.bench-restrc.json'), '{ "timeout": 1234 }');
    chmodSync(at('project/.bench-restrc.json'), 0o664);
    chownSync(at('project/.bench-restrc.json'), 0, OTHER);
    await ignored('project', /the users of group 65534 can write to .*restrc\.json;/);
    chmodSync(at('project/.bench-restrc.json'), 0o644);
    expect((await run('project')).stdout).to.match(/timeout +1234/);
  });

  it('X63 --config obeys a file of any owner, anywhere, with what is code in it', async function () {
    writeCode('.bench-restrc.js');
    if (!isWindows) chmodSync(at('.bench-restrc.js'), 0o666);
    const show = (...args) => run('project', ['--print-config', ...args, 'http://127.0.0.1:9/']);
    expect((await show('--config', '../.bench-restrc.js')).stdout).to.match(/timeout +1234 +\(.*restrc\.js\)/);
    rmSync(ran);
    writeFileSync(at('bench.json'), '{ "timeout": 77, "start": "node server.js" }');
    writeFileSync(at('project/.bench-restrc.json'), '{ "timeout": 1 }');
    if (!isWindows) chmodSync(at('bench.json'), 0o666);
    if (isRoot) chownSync(at('bench.json'), OTHER, OTHER);
    expect((await show('--config', at('bench.json'))).stdout)
      .to.match(/timeout +77 /)
      .and.match(/start +\{/);
    for (const [file, reason] of [
      ['none.json', /none\.json does not exist; check the path/],
      ['bench.toml', /bench\.toml: expected a file with one of \.json \.yaml/],
      ['package.json', /package\.json has no configuration/],
    ]) {
      writeFileSync(at('project/package.json'), '{}');
      const { code, stderr } = await show('--config', file);
      expect([code, reason.test(stderr)], stderr).to.deep.equal([2, true]);
    }
  });

  it('a flow that is code runs only if its file, and the configuration that names it, are in the project and safe', async function () {
    if (isWindows) return this.skip();
    const notRun = async (reason) => {
      const { code, stderr } = await run('project', []);
      expect([code, existsSync(ran)], stderr).to.deep.equal([2, false]);
      expect(stderr).to.match(reason).and.include('pass it as an argument');
    };
    writeFileSync(at('project/package.json'), '{}');
    writeCode('project/flow.cjs');
    writeFileSync(at('project/.bench-restrc.json'), '{ "flow": "flow.cjs" }');
    chmodSync(at('project'), 0o777);
    await notRun(/flow\.cjs is not run, because it is code and every user can write to .*project;/);
    chmodSync(at('project'), 0o755);
    chmodSync(at('project/flow.cjs'), 0o666);
    await notRun(/because it is code and every user can write to .*flow\.cjs;/);
    writeFileSync(at('project/.bench-restrc.json'), '{ "flow": "./flow" }');
    await notRun(/because it is code and every user can write to .*flow\.cjs;/);
    chmodSync(at('project/flow.cjs'), 0o644);
    await run('project', []);
    expect(existsSync(ran)).to.equal(true);
  });

  it('X63 a link to a file that every user can write to is ignored', async function () {
    if (isWindows) return this.skip();
    writeCode('elsewhere.js');
    chmodSync(at('elsewhere.js'), 0o666);
    symlinkSync(at('elsewhere.js'), at('project/.bench-restrc.js'));
    await ignored('project', /every user can write to .*elsewhere\.js;/);
  });

  itSlow('X63 a file, a link or a folder of another user is ignored (needs root, to make one)', async function () {
    if (!isRoot) return this.skip();
    const file = at('project/.bench-restrc.json');
    writeFileSync(file, '{ "timeout": 1234, "proxy": "http://127.0.0.1:9" }');
    chownSync(file, OTHER, OTHER);
    await ignored('project', /restrc\.json belongs to another user \(65534, you are 0\)/);
    writeFileSync(at('project/package.json'), '{ "bench-rest": { "timeout": 4321 } }');
    chownSync(at('project/package.json'), OTHER, OTHER);
    expect((await run('project')).stderr).to.match(/package\.json is ignored, because .*belongs to another user/);
    writeFileSync(at('project/package.json'), '{ "devDependencies": { "bench-rest": "2" } }');
    expect((await run('project')).stderr).not.to.match(/package\.json/);
    for (const [SUDO_UID, seen] of [
      [String(OTHER), true],
      ['1', false],
    ]) {
      const args = ['--print-config', 'http://127.0.0.1:9/'];
      const { stdout } = await spawned(args, { cwd: at('project'), env: { SUDO_UID } });
      expect(/timeout +1234/.test(stdout), SUDO_UID).to.equal(seen);
    }
    rmSync(file);
    writeFileSync(at('own.json'), '{ "timeout": 1234 }');
    symlinkSync(at('own.json'), file);
    lchownSync(file, OTHER, OTHER);
    await ignored('project', /project\/\.bench-restrc\.json belongs to another user/);
    rmSync(file);
    writeCode('project/.bench-restrc.js');
    chownSync(at('project'), OTHER, OTHER);
    await ignored('project', /project belongs to another user/);
    expect((await run('project')).stdout).not.to.include('1234');
  });

  itSlow('X63 files of root are trusted by other users (needs root, to be another one)', async function () {
    if (!isRoot) return this.skip();
    chmodSync(top, 0o755);
    writeFileSync(at('project/.bench-restrc.json'), '{ "timeout": 1234 }');
    const child = spawn(process.execPath, [PROGRAM, '--print-config', 'http://127.0.0.1:9/'], {
      cwd: at('project'),
      uid: OTHER,
      gid: OTHER,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (text) => (stdout += text));
    expect((await once(child, 'close'))[0]).to.equal(0);
    expect(stdout).to.match(/timeout +1234/);
  });

  it('a configuration that cannot be parsed is refused with its location', async () => {
    mkdirSync(at('project/.bench-restrc.json'));
    const { code, stderr } = await run('project');
    expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && /bench-restrc\.json is a directory/.test(text));
  });
});

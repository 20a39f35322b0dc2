import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import { identityOf, replaceFile, startFile, targetOf } from '../../lib/core/cli/result/replace-file.js';
import { PROGRAM, command, spawned } from '../support/command.js';
import { scaled } from '../support/scale.js';
import { listen, ok, shut } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { outcomeFor } from '../../lib/core/measure/outcome.js';

const isWindows = process.platform === 'win32';
/** An ordinary user, because root may write everywhere. */
const USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const YESTERDAY = 'the result of yesterday\n';

/** Runs the command where no file may grow beyond 512 or 1,024 bytes, the unit of `ulimit -f`. */
async function limited(args, { cwd, user = {}, limit = 'ulimit -f 1', stdout = 'pipe' }) {
  const child = spawn('sh', ['-c', `${limit}; exec "$@"`, 'sh', process.execPath, PROGRAM, ...args], {
    cwd,
    stdio: ['ignore', stdout, 'pipe'],
    ...user,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name]?.setEncoding('utf8').on('data', (text) => (said[name] += text));
  const [code] = await once(child, 'close');
  return { code, ...said };
}

describe('N6 no result is lost, no existing file is damaged', () => {
  /** for the commands that are processes: a target of their own would be a thread more */
  let server;
  let url;
  before(async () => {
    server = http.createServer(ok);
    url = await listen(server);
  });
  after(() => shut(server));

  let cwd;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  });
  afterEach(() => {
    chmodSync(cwd, 0o700);
    rmSync(cwd, { recursive: true });
  });
  const at = (name) => join(cwd, name);
  const textOf = (name) => readFileSync(at(name), 'utf8');
  const leftovers = () => readdirSync(cwd).filter((name) => /tmp$|partial$/.test(name));

  const formats = ['x.json', 'x.csv', 'x.html', 'x.ndjson', 'x.hgrm', 'x.md'];
  for (const names of [
    formats,
    ...scaled(
      [],
      formats.map((name) => [name]),
    ),
  ]) {
    itSlow(
      `a full disk keeps the old ${names.join(', ')}; the complete result is on stdout, also with --quiet`,
      async function () {
        if (isWindows) return this.skip();
        for (const name of names) writeFileSync(at(name), YESTERDAY);
        const args = ['--base-url', url, '-n', '5', '--quiet', '--latency', ...names.flatMap((name) => ['-o', name])];
        const flow = ['-e', `[${Array.from({ length: 30 }, (_, i) => `'/?${i}'`)}]`];
        const { code, stdout, stderr } = await limited([...args, ...flow], { cwd });
        expect(code, stderr).to.equal(5);
        for (const name of names) {
          expect(textOf(name), name).to.equal(YESTERDAY);
          expect(stderr).to.include(`a result was not written: ${at(name)}: EFBIG`);
        }
        expect(leftovers()).to.deep.equal([]);
        const result = JSON.parse(stdout);
        expect(result.iterations.completed).to.equal(5);
        expect(result.outcome).to.deep.equal(outcomeFor(['notWritten']));
        expect(stderr).to.include('the complete result is on stdout, as JSON');
        // what was printed is a result
        writeFileSync(at('printed.json'), stdout);
        expect((await command(['report', 'printed.json'], { cwd })).code).to.equal(0);
      },
    );
  }

  itSlow('report and merge keep the old file too, and print the complete result', async function () {
    if (isWindows) return this.skip();
    for (const name of ['a.json', 'b.json']) await command(['--serve', '-n', '5', '-o', name], { cwd });
    for (const [args, started] of [
      [['report', 'a.json'], 5],
      [['merge', 'a.json', 'b.json'], 10],
    ]) {
      writeFileSync(at('old.json'), YESTERDAY);
      const { code, stdout } = await limited([...args, '--quiet', '-o', 'old.json'], { cwd });
      expect([code, textOf('old.json')]).to.deep.equal([5, YESTERDAY]);
      expect(JSON.parse(stdout).iterations.started).to.equal(started);
    }
  });

  it('text is printed before the JSON; a format that contains everything is printed once', async function () {
    if (isWindows) return this.skip();
    execFileSync('mkfifo', [at('x.json')]); // without a reader the command cannot write to it
    const text = await command(['--serve', '-n', '5', '-o', 'x.json'], { cwd });
    expect(text.stdout)
      .to.match(/^[✓✗!] .* iterations\/s [^]*\n {2}5 iterations in /)
      .and.match(/\n\{\n {2}"\$schema": /);
    const json = await command(['--serve', '-n', '5', '--json', '-o', 'x.json'], { cwd });
    expect(JSON.parse(json.stdout).outcome.exitCode).to.equal(5);
  });

  itSlow('the complete result is on stderr if stdout fails too', async function () {
    if (process.platform !== 'linux') return this.skip();
    const full = openSync('/dev/full', 'w');
    const { code, stderr } = await limited([url, '-n', '5', '--quiet', '-o', 'x.json'], { cwd, stdout: full });
    closeSync(full);
    expect(code).to.equal(5);
    expect(JSON.parse(/^\{$[^]*?^\}$/m.exec(stderr)[0]).iterations.completed).to.equal(5);
  });

  for (const [what, args, shown] of [
    ['compare', ['compare', 'a.json', 'b.json'], /p99, ms/],
    ['--print-config', ['--print-config', 'http://127.0.0.1:9/'], /timeout +\d+/],
    ['--help', ['--help'], /Usage: bench-rest/],
  ]) {
    it(`${what} is on stderr if stdout fails: exit 5`, async function () {
      if (process.platform !== 'linux') return this.skip();
      for (const file of ['a.json', 'b.json']) await command(['--serve', '-n', '5', '-o', file], { cwd });
      const full = openSync('/dev/full', 'w');
      const { code, stderr } = await command(args, { cwd, stdio: ['ignore', full, 'pipe'] });
      closeSync(full);
      expect([code, stderr]).to.satisfy(([exit, text]) => exit === 5 && shown.test(text));
    });
  }

  it('replacing a file keeps links and modes', async function () {
    if (isWindows) return this.skip();
    mkdirSync(at('real'));
    writeFileSync(at('real/x.json'), YESTERDAY, { mode: 0o640 });
    chmodSync(at('real/x.json'), 0o640);
    symlinkSync('real/x.json', at('link.json'));
    symlinkSync('real/new.ndjson', at('dangling.ndjson'));
    const { code, stderr } = await command(['--serve', '-n', '5', '-o', 'link.json', '-o', 'dangling.ndjson'], { cwd });
    expect(code, stderr).to.equal(0);
    expect(lstatSync(at('link.json')).isSymbolicLink()).to.equal(true);
    expect(lstatSync(at('dangling.ndjson')).isSymbolicLink()).to.equal(true);
    expect(statSync(at('real/x.json')).mode & 0o777).to.equal(0o640);
    expect(JSON.parse(textOf('real/x.json')).iterations.completed).to.equal(5);
    expect(textOf('real/new.ndjson')).to.match(/^\{"\$schema":"[^"]*","type":"run"/m);
    expect(readdirSync(at('real')).sort()).to.deep.equal(['new.ndjson', 'x.json']);
  });

  it('a reader never sees a partial file, because a new file takes its name', () => {
    writeFileSync(at('x.json'), YESTERDAY);
    const fd = openSync(at('x.json'), 'r');
    replaceFile(at('x.json'), 'today');
    expect([readFileSync(fd, 'utf8'), textOf('x.json')]).to.deep.equal([YESTERDAY, 'today']);
    closeSync(fd);
  });

  itSlow('T10 kill -9 keeps the old .ndjson and the lines so far in .partial, which report explains', async () => {
    writeFileSync(at('x.ndjson'), YESTERDAY);
    const lines = (name) => (existsSync(at(name)) ? textOf(name).split('\n').slice(0, -1) : []);
    for (const partial of scaled(['x.ndjson.partial'], ['x.ndjson.partial', 'x.ndjson.2.partial'])) {
      const args = ['-t', '60s', '-r', '50', '-c', '2', '-d', '100', '-o', 'x.ndjson', url];
      await spawned(args, {
        cwd,
        async act(child) {
          while (lines(partial).length < 2) await wait(50);
          child.kill('SIGKILL');
        },
      });
      for (const line of lines(partial)) expect(JSON.parse(line).type).to.equal('point');
      const { code, stderr } = await command(['report', partial], { cwd });
      expect([code, stderr]).to.satisfy(([exit, text]) => exit === 2 && /is incomplete: \d+ points/.test(text));
    }
    expect(textOf('x.ndjson')).to.equal(YESTERDAY);
    rmSync(at('x.ndjson'));
    for (const name of ['x.ndjson', 'x.json']) {
      const missing = await command(['report', name], { cwd });
      expect(missing.stderr).to.match(
        /file does not exist: .*x\.(nd)?json; its run was killed: see .*x\.ndjson(\.2)?\.partial, whose points any tool/,
      );
    }
  });

  itSlow('a file in a read-only folder can be written and restored', async function () {
    if (isWindows) return this.skip();
    for (const name of ['x.json', 'x.ndjson']) {
      writeFileSync(at(name), YESTERDAY);
      if (USER.uid) chownSync(at(name), USER.uid, USER.gid);
    }
    if (USER.uid) chownSync(cwd, USER.uid, USER.gid);
    chmodSync(cwd, 0o555);
    const args = [url, '-n', '5', '--quiet', '-o', 'x.json', '-o', 'x.ndjson'];
    const full = await limited(args, { cwd, user: USER });
    expect(full.code, full.stderr).to.equal(5);
    expect([textOf('x.json'), textOf('x.ndjson')]).to.deep.equal([YESTERDAY, YESTERDAY]);
    const { code, stderr } = await limited(args, { cwd, user: USER, limit: 'true' });
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(textOf('x.json')).iterations.completed).to.equal(5);
    expect(textOf('x.ndjson')).to.match(/"type":"run"[^\n]*\n$/);
    const none = await limited([url, '-n', '5', '-o', 'new.json'], { cwd, user: USER, limit: 'true' });
    expect([none.code, none.stderr]).to.satisfy(([exit, text]) => exit === 2 && /cannot write to .*EACCES/.test(text));
  });

  itSlow('/dev/stdout, /dev/null and a FIFO with a reader are written directly', async function () {
    if (process.platform !== 'linux') return this.skip();
    symlinkSync('/dev/stdout', at('out.json'));
    symlinkSync('/dev/null', at('null.json'));
    execFileSync('mkfifo', [at('fifo.ndjson')]);
    // open before the command starts: another process might open it too late
    const fd = openSync(at('fifo.ndjson'), constants.O_RDONLY | constants.O_NONBLOCK);
    const read = new Socket({ fd, writable: false }).setEncoding('utf8').toArray();
    const outputs = ['out.json', 'null.json', 'fifo.ndjson'].flatMap((name) => ['-o', name]);
    const args = [url, '-n', '5', '--quiet', ...outputs];
    // a pipe of the shell: pipes of Node are sockets, which have no path
    const { stdout, stderr } = await limited([...args, '-c', '1'], {
      cwd,
      limit: 'exec 3>&1; "$@" | cat >&3; set -- true',
    });
    expect(stderr).to.equal('');
    expect(JSON.parse(stdout).iterations.completed).to.equal(5);
    expect((await read).join('')).to.match(/"type":"point"[^]*"type":"run"[^\n]*\n$/);
    expect(lstatSync('/dev/null').isCharacterDevice()).to.equal(true);
  });

  itSlow('/dev/stdout redirected to a file gets the result after the printed text', async function () {
    if (process.platform !== 'linux') return this.skip();
    symlinkSync('/dev/stdout', at('out.json'));
    const file = openSync(at('printed.txt'), 'a');
    await spawned([url, '-n', '5', '-o', 'out.json'], { cwd, stdio: ['ignore', file, 'pipe'] });
    closeSync(file);
    expect(textOf('printed.txt'))
      .to.match(/^\{\n {2}"\$schema": /)
      .and.match(/^ {2}5 iterations in /m);
  });

  it('a FIFO without a reader does not block: exit 5, and the result is on stdout', async function () {
    if (process.platform !== 'linux') return this.skip();
    execFileSync('mkfifo', [at('fifo.json')]);
    const { code, stdout, stderr } = await command(['--serve', '-n', '5', '--quiet', '-o', 'fifo.json'], { cwd });
    expect([code, JSON.parse(stdout).iterations.completed]).to.deep.equal([5, 5]);
    expect(stderr).to.match(/fifo\.json: ENXIO/);
  });

  describe('refused before the run', () => {
    const refused = async (args, reason) => {
      const { code, stdout, stderr } = await command(['--serve', '-n', '5', ...args], { cwd });
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.match(reason);
    };

    it('one file under two names: a symbolic or hard link, to an existing or missing file', async function () {
      if (isWindows) return this.skip();
      writeFileSync(at('x.json'), YESTERDAY);
      linkSync(at('x.json'), at('hard.json'));
      symlinkSync('x.json', at('soft.json'));
      symlinkSync('none.json', at('dangling.json'));
      for (const [one, other] of [
        ['x.json', 'hard.json'],
        ['x.json', 'soft.json'],
        ['none.json', 'dangling.json'],
      ])
        await refused(['-o', one, '-o', other], new RegExp(`${other} and .*${one} are the same file`));
      expect(textOf('x.json')).to.equal(YESTERDAY);
    });

    it('a folder, a cycle of links, and the flow itself', async function () {
      if (isWindows) return this.skip();
      mkdirSync(at('folder.json'));
      symlinkSync('circle.json', at('circle.json'));
      writeFileSync(at('flow.json'), '{ "main": ["/"] }');
      await refused(['-o', 'folder.json'], /cannot write to .*folder\.json: it is a directory/);
      await refused(
        ['-o', 'circle.json'],
        /cannot write to .*circle\.json: its symbolic links lead back to themselves/,
      );
      for (const one of ['circle.json', `${'x'.repeat(300)}.json`]) {
        const { code, stderr } = await command(['compare', one, one], { cwd });
        expect(code, stderr).to.equal(2);
        expect(stderr).to.match(/cannot be read: (ELOOP|ENAMETOOLONG)/);
      }
      await refused(['-o', 'flow.json', 'flow.json'], /flow\.json is the flow itself/);
      expect(textOf('flow.json')).to.equal('{ "main": ["/"] }');
    });
  });

  describe('T33 a link whose target has no folder is refused with the folder that is missing', () => {
    const nowhere = () => at('nowhere');
    const links = [
      ['a link to a file', 'dangling.json', 'nowhere/x.json', 'dangling.json', 'nowhere'],
      ['a link to a link', 'second.json', 'dangling.json', 'second.json', 'nowhere'],
      ['a link to a folder', 'folder', 'nowhere', 'folder/x.json', 'nowhere'],
      ['a link above the folder', 'folder', 'nowhere', 'folder/sub/x.json', 'nowhere/sub'],
    ];
    for (const [what, link, target, path, missing] of links)
      for (const flag of ['-o', '--save-runs'])
        it(`${flag}: ${what}`, async function () {
          if (isWindows) return this.skip();
          symlinkSync('nowhere/x.json', at('dangling.json'));
          if (link !== 'dangling.json') symlinkSync(target, at(link));
          const args =
            flag === '-o' ? ['-n', '1', '-o', path, '/'] : ['ab', '--save-runs', path, '-n', '1', '/a', '/b'];
          const { code, stderr } = await command(args, { cwd });
          const text = stderr.replace(/\s+/g, ' ');
          expect(code, stderr).to.equal(2);
          expect(text)
            .to.include(`cannot write to ${at(path)}`)
            .and.include(`which leads to ${nowhere()}`);
          // --save-runs has a folder for each side
          expect(text).to.match(new RegExp(`create it: mkdir -p ${at(missing)}[ /]`));
          expect(existsSync(nowhere())).to.equal(false);
        });

    it('a link to a new file of a folder that exists is followed', async function () {
      if (isWindows) return this.skip();
      symlinkSync('new.json', at('link.json'));
      replaceFile(at('link.json'), '{}');
      expect([textOf('new.json'), lstatSync(at('link.json')).isSymbolicLink()]).to.deep.equal(['{}', true]);
    });
  });

  it('a file of a name without room for .partial is written too', () => {
    const name = `${'x'.repeat(243)}.ndjson`;
    const pending = startFile(at(name));
    pending.append('{}\n');
    pending.commit();
    expect(readdirSync(cwd)).to.deep.equal([name]);
  });

  it('files in /dev/shm are replaced; a link to a device is the device', function () {
    if (process.platform !== 'linux') return this.skip();
    const folder = mkdtempSync('/dev/shm/bench-rest-');
    writeFileSync(join(folder, 'x.json'), YESTERDAY);
    expect(targetOf(join(folder, 'x.json')).isDirect).to.equal(false);
    rmSync(folder, { recursive: true });
    symlinkSync('/dev/null', at('null.json'));
    expect(identityOf(at('null.json'))).to.equal('/dev/null');
  });

  it('an aborted file leaves no temporary file', () => {
    const pending = startFile(at('x.ndjson'));
    pending.append('{}\n');
    expect(readdirSync(cwd)).to.deep.equal(['x.ndjson.partial']);
    const second = startFile(at('x.ndjson'));
    expect(readdirSync(cwd)).to.deep.equal(['x.ndjson.2.partial', 'x.ndjson.partial']);
    second.discard();
    pending.discard();
    pending.discard();
    expect(readdirSync(cwd)).to.deep.equal([]);
    mkdirSync(at('gone'));
    const lost = startFile(at('gone/x.ndjson'));
    rmSync(at('gone'), { recursive: true });
    expect(() => lost.commit()).to.throw('ENOENT');
    lost.discard();
  });

  itSlow('every command reports a removed working directory with a remedy', async function () {
    if (isWindows) return this.skip();
    const some = [
      ['-n', '1', 'http://127.0.0.1:9/'],
      ['report', 'x.json'],
    ];
    const others = [
      ['-n', '1', '-e', 'http://127.0.0.1:9/'],
      ['--print-config', 'flow.json'],
      ['merge', 'x.json', 'y.json'],
      ['compare', 'x.json', 'y.json'],
      ['ab', 'x.json', 'y.json'],
    ];
    for (const args of scaled(some, [...some, ...others])) {
      const gone = mkdtempSync(join(cwd, 'gone-'));
      const { code, stdout, stderr } = await limited(args, { cwd: gone, limit: `rmdir '${gone}'` });
      expect([code, stdout], stderr).to.deep.equal([2, '']);
      expect(stderr)
        .to.match(/the working directory cannot be used: ENOENT; change to a folder that exists/)
        .and.not.match(/ at /);
    }
  });
});

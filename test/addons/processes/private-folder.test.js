import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import { confine, isClosedOff, nameInPrivateFolder } from '../../../lib/core/process/confinement.js';
import { PrivateFolder, removeLeftFolders } from '../../../lib/addons/processes/private-folder.js';
import { readRegularFile, recordReads } from '../../../lib/core/process/read-file.js';

describe('private-folder', () => {
  let other;
  let folder;
  before(() => {
    other = mkdtempSync(join(tmpdir(), 'bench-rest-other-'));
    writeFileSync(join(other, 'secret'), 'x');
  });
  after(() => rmSync(other, { recursive: true }));
  beforeEach(async () => (folder = await PrivateFolder.open()));
  afterEach(() => folder.remove());

  const close = (files = []) => confine({ folder: folder.path, isClosed: true, files, variables: null, targets: null });

  it('only its user can enter it', () => {
    expect(statSync(folder.path).mode & 0o777).to.equal(0o700);
  });

  it('is removed with its files', async () => {
    writeFileSync(join(folder.path, 'a'), '');
    await folder.remove();
    expect(existsSync(folder.path)).to.equal(false);
  });

  it('files elsewhere can be read until it is closed off, and after it is removed', async () => {
    const path = join(other, 'secret');
    expect(isClosedOff(path)).to.equal(false);
    close();
    expect(isClosedOff(path)).to.equal(true);
    expect(isClosedOff(join(folder.path, 'a'))).to.equal(false);
    expect(() => readRegularFile(path, { maxBytes: 9 })).to.throw(/is outside of the folder that the flow may read/);
    await folder.remove();
    expect(String(readRegularFile(path, { maxBytes: 9 }))).to.equal('x');
  });

  it('a path with .. is a file elsewhere', () => {
    close();
    expect(isClosedOff(join(folder.path, '..', 'x'))).to.equal(true);
    expect(isClosedOff(`${folder.path}/a/../../x`)).to.equal(true);
    expect(isClosedOff(`${folder.path}-2/x`)).to.equal(true);
  });

  it('below the root folder is every file but the folder itself', () => {
    confine({ folder: '/', isClosed: true, files: [], variables: null, targets: null });
    expect(isClosedOff(join(other, 'secret'))).to.equal(false);
    expect(isClosedOff('/')).to.equal(true);
  });

  it('threads that start while it is closed off read no other files', async () => {
    close();
    const file = new URL('../../../lib/core/process/read-file.js', import.meta.url).href;
    const code = `import(${JSON.stringify(file)}).then(({ readRegularFile }) => {
      try { readRegularFile(${JSON.stringify(join(other, 'secret'))}, { maxBytes: 9 }); } catch ({ message }) {
        require('node:worker_threads').parentPort.postMessage(message);
      }
    })`;
    const worker = new Worker(code, { eval: true });
    const message = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    expect(message).to.include('outside of the folder');
    await worker.terminate();
  });

  it('files in it have relative names for people', () => {
    expect(nameInPrivateFolder(join(folder.path, 'lib', 'a.js'))).to.equal(join('lib', 'a.js'));
    expect(nameInPrivateFolder(join(other, 'secret'))).to.equal(null);
  });
});

describe('private-folder: folders of processes that were killed', () => {
  let parent;
  beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'bench-rest-parent-'))));
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  /** The name of a folder that this process has now, with another owner. */
  const nameWith = async ({ pid = process.pid, start, where } = {}) => {
    const folder = await PrivateFolder.open();
    await folder.remove();
    const [, place, , own, rest] = /^(bench-rest-flow-[^-]+)-(\d+)-(\d+)-(\w+)$/.exec(basename(folder.path));
    return `${where ?? place}-${pid}-${start ?? own}-${rest}`;
  };
  const make = async (owner) => {
    const path = join(parent, await nameWith(owner));
    mkdirSync(join(path, 'lib'), { recursive: true });
    writeFileSync(join(path, 'lib', 'flow.json'), '{}');
    return path;
  };
  /** of a process that has ended */
  const gone = () => spawnSync(process.execPath, ['-e', '']).pid;

  it('A65 are removed with their files', async () => {
    const path = await make({ pid: gone() });
    expect(await removeLeftFolders(parent)).to.deep.equal([path]);
    expect(existsSync(path)).to.equal(false);
  });

  it('A65 are removed where files have no owner, and not where they belong to another user', async () => {
    const path = await make({ pid: gone() });
    expect(await removeLeftFolders(parent, { user: -2 })).to.deep.equal([]);
    expect(await removeLeftFolders(parent, { user: undefined })).to.deep.equal([path]);
  });

  it('A65 are removed if another process has its number by now', async function () {
    if (process.platform !== 'linux') this.skip();
    const path = await make({ start: 1 });
    expect(await removeLeftFolders(parent)).to.deep.equal([path]);
  });

  it('A65 that of a process that runs, of another machine, and other folders stay', async () => {
    const kept = [await make(), await make({ pid: gone(), where: 'bench-rest-flow-00000000' })];
    for (const name of ['bench-rest-flow-AbCdEf', 'other']) mkdirSync(join(parent, name));
    expect(await removeLeftFolders(parent)).to.deep.equal([]);
    for (const path of kept) expect(existsSync(path)).to.equal(true);
  });

  it('A65 a link with such a name is left alone, and so is what it leads to', async () => {
    const other = join(parent, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'file'), 'x');
    symlinkSync(other, join(parent, await nameWith({ pid: gone() })));
    const path = await make({ pid: gone() });
    symlinkSync(other, join(path, 'link'));
    expect(await removeLeftFolders(parent)).to.deep.equal([path]);
    expect(existsSync(join(other, 'file'))).to.equal(true);
  });
});

describe('read-file: recordReads', () => {
  it('has the files that were read, and those that could not be', () => {
    const self = new URL(import.meta.url).pathname;
    const { files, error } = recordReads(() => {
      readRegularFile(self, { maxBytes: 1e6, isSecret: true });
      readRegularFile('/none/at all', { maxBytes: 1 });
    });
    expect([...files]).to.deep.equal([
      [self, { isSecret: true }],
      ['/none/at all', { isSecret: false }],
    ]);
    expect(error.message).to.include('does not exist');
  });

  it('records nothing afterwards', () => {
    const { files, result } = recordReads(() => 5);
    readRegularFile(new URL(import.meta.url).pathname, { maxBytes: 1e6 });
    expect({ count: files.size, result }).to.deep.equal({ count: 0, result: 5 });
  });
});

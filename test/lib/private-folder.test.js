import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { expect } from 'chai';

import { PrivateFolder, closeOff, isClosedOff, nameInPrivateFolder } from '../../lib/private-folder.js';
import { readRegularFile, recordReads } from '../../lib/read-file.js';

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
    closeOff(folder.path, true);
    expect(isClosedOff(path)).to.equal(true);
    expect(isClosedOff(join(folder.path, 'a'))).to.equal(false);
    expect(() => readRegularFile(path, { maxBytes: 9 })).to.throw(/is not one of the files that came with the flow/);
    await folder.remove();
    expect(String(readRegularFile(path, { maxBytes: 9 }))).to.equal('x');
  });

  it('a path with .. is a file elsewhere', () => {
    closeOff(folder.path, true);
    expect(isClosedOff(join(folder.path, '..', 'x'))).to.equal(true);
    expect(isClosedOff(`${folder.path}/a/../../x`)).to.equal(true);
    expect(isClosedOff(`${folder.path}-2/x`)).to.equal(true);
  });

  it('threads that start while it is closed off read no other files', async () => {
    closeOff(folder.path, true);
    const file = new URL('../../lib/read-file.js', import.meta.url).href;
    const code = `import(${JSON.stringify(file)}).then(({ readRegularFile }) => {
      try { readRegularFile(${JSON.stringify(join(other, 'secret'))}, { maxBytes: 9 }); } catch ({ message }) {
        require('node:worker_threads').parentPort.postMessage(message);
      }
    })`;
    const worker = new Worker(code, { eval: true });
    const message = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    expect(message).to.include('came with the flow');
    await worker.terminate();
  });

  it('files in it have relative names for people', () => {
    expect(nameInPrivateFolder(join(folder.path, 'lib', 'a.js'))).to.equal(join('lib', 'a.js'));
    expect(nameInPrivateFolder(join(other, 'secret'))).to.equal(null);
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

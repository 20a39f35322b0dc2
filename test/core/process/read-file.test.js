import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { FileRefusal, readRegularFile, readTextFile } from '../../../lib/core/process/read-file.js';

describe('read-file', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    writeFileSync(at('ten'), '0123456789');
    writeFileSync(at('empty'), '');
    symlinkSync('ten', at('link'));
    symlinkSync('circle', at('circle'));
    symlinkSync('fifo', at('link to fifo'));
    execFileSync('mkfifo', [at('fifo')]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);
  const read = (path, options) => String(readRegularFile(path, { maxBytes: 10, ...options }));
  const refusalOf = (path, options) => {
    try {
      read(path, options);
      return 'none';
    } catch (error) {
      expect(error).to.be.instanceOf(FileRefusal);
      return `${error.reason}; ${error.cure}`;
    }
  };

  it('a text has no byte order mark', () => {
    writeFileSync(at('marked'), '\ufeffA=1');
    expect(readTextFile(at('marked'), { maxBytes: 10 })).to.equal('A=1');
  });

  const readable = [
    ['ten', {}, '0123456789', 'a file of the maximum size'],
    ['empty', {}, '', 'an empty file'],
    ['link', {}, '0123456789', 'a link to a file'],
    ['ten', { start: 2, end: 4 }, '234', 'a part of a file, including its last byte'],
    ['ten', { start: 8 }, '89', 'a part up to the end of a file'],
    ['ten', { start: 20 }, '', 'a part beyond the end of a file'],
    ['ten', { start: 2, end: 4, maxBytes: 3 }, '234', 'a small part of a file that is too large'],
  ];
  for (const [name, options, text, what] of readable) {
    it(`reads ${what}`, () => expect(read(at(name), options)).to.equal(text));
  }

  it('reads a file of unknown size', function () {
    if (process.platform !== 'linux') this.skip();
    expect(read('/proc/self/status', { maxBytes: 100_000 })).to.match(/^Name:/);
    expect(refusalOf('/proc/self/status', { maxBytes: 100 })).to.match(/too large: it is still growing/);
  });

  const refused = [
    ['no such file', /^does not exist; check the path$/],
    ['ten/below', /^does not exist/],
    ['.', /^is a directory; use a file in it$/],
    ['fifo', /^is a FIFO, not a regular file; save its content to a file first$/],
    ['link to fifo', /^is a FIFO/],
    ['/dev/zero', /^is a device, not a regular file; use a regular file$/],
    ['/dev/null', /^is a device/],
    ['circle', /^cannot be read: ELOOP/],
    ['x'.repeat(300), /^cannot be read: ENAMETOOLONG/],
  ];
  for (const [name, reason] of refused) {
    it(`refuses ${name.slice(0, 20)}`, () =>
      expect(refusalOf(name.startsWith('/') ? name : at(name))).to.match(reason));
  }

  it('refuses a file that is too large, with its size and the limit', () =>
    expect(refusalOf(at('ten'), { maxBytes: 9 })).to.equal(
      'is too large: it has 10 bytes, at most 9 are read; make it smaller',
    ));

  it('refuses a socket', async () => {
    const server = net.createServer();
    await new Promise((resolve) => server.listen(at('socket'), resolve));
    try {
      expect(refusalOf(at('socket'))).to.match(/^is a socket/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { makeError } from '../../../lib/errors.js';
import { codePlace } from '../../../lib/run/code-place.js';

const HERE = fileURLToPath(import.meta.url);
const hookError = (cause) => makeError('E_HOOK', { hook: 'h', reason: 'r' }, { cause });
const withStack = (...lines) => hookError({ stack: ['Error: x', ...lines.map((line) => `    at ${line}`)].join('\n') });

describe('run/code-place', () => {
  it('is the line of the user that threw', () => {
    const { line, code, ...place } = codePlace(hookError(new Error('x')), null);
    expect(place).to.include({ file: relative(process.cwd(), HERE) });
    expect(code).to.include("hookError(new Error('x'))");
    expect(line).to.be.above(1);
  });

  it('files of ours, of installed packages and of Node are passed over', () => {
    const ours = fileURLToPath(new URL('../../../lib/errors.js', import.meta.url));
    const error = withStack(`a (${ours}:1:1)`, 'b (/x/node_modules/chai/index.js:1:1)', 'node:fs:1:1', `${HERE}:1:8`);
    expect(codePlace(error, null)).to.deep.include({ line: 1, column: 8 });
  });

  it('quotes no other files, and no secrets', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    try {
      const path = join(folder, 'flow.mjs');
      writeFileSync(path, "fail('http://ann:secret@h/');\n");
      writeFileSync(join(folder, 'private.txt'), 'secret\n');
      expect(codePlace(withStack(`${folder}/private.txt:1:1`), null)).to.equal(null);
      expect(codePlace(withStack(`${path}:1:1`), null)?.code)
        .to.include('fail(')
        .and.not.include('secret');
      expect(codePlace(withStack(`${folder}/missing.mjs:1:1`), null)).to.equal(null);
      expect(codePlace(withStack(`${path}:99:1`), null)).to.include({ line: 99, code: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a function that returned a wrong value is found by its text', () => {
    const returned = (returnedBy) => Object.assign(makeError('E_VALUE', {}), { returnedBy });
    const found = () => 'a function that this file has once';
    expect(codePlace(returned(found), HERE)?.code).to.include('const found = () =>');
    expect(codePlace(returned(found), null)).to.equal(null);
    const twice = [() => 2, () => 2];
    expect(codePlace(returned(twice[0]), HERE)).to.equal(null);
  });

  it('has the whole path if the working directory was removed', () => {
    const { cwd } = process;
    process.cwd = () => { throw new Error('ENOENT: uv_cwd'); }; // prettier-ignore
    try {
      expect(codePlace(hookError(new Error('x')), null)?.file).to.equal(HERE);
    } finally {
      process.cwd = cwd;
    }
  });

  it('whatever was thrown, there is a place or null', () => {
    const hostile = new Proxy({}, { get: () => { throw new Error('no'); } }); // prettier-ignore
    for (const cause of [undefined, null, 1, 'text', {}, { stack: 5 }, hostile])
      expect(codePlace(hookError(cause), HERE)).to.equal(null);
    expect(codePlace(new Error('of a transport'), HERE)).to.equal(null);
  });
});

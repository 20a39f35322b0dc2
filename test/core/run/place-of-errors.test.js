import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { makeError } from '../../../lib/core/ground/errors.js';
import { codePlace, isInternal } from '../../../lib/core/run/flow-failures.js';

const HERE = fileURLToPath(import.meta.url);
const hookError = (cause) => makeError('E_HOOK', { hook: 'h', reason: 'r' }, { cause });
const withStack = (...lines) => hookError({ stack: ['Error: x', ...lines.map((line) => `    at ${line}`)].join('\n') });

describe('the place of an error in code', () => {
  it('is the line of the user that threw', () => {
    const { line, source, ...place } = codePlace(hookError(new Error('x')), null);
    expect(place).to.include({ file: relative(process.cwd(), HERE) });
    expect(source).to.include("hookError(new Error('x'))");
    expect(line).to.be.above(1);
  });

  it('is relative in the working directory, also in a folder whose name begins with two dots', () =>
    expect(codePlace(withStack(`${join(process.cwd(), '..a', 'flow.mjs')}:1:2`), null)).to.include({
      file: join('..a', 'flow.mjs'),
    }));

  it('files of ours, of installed packages and of Node are passed over', () => {
    const ours = fileURLToPath(new URL('../../../lib/core/ground/errors.js', import.meta.url));
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
      expect(codePlace(withStack(`${path}:1:1`), null)?.source)
        .to.include('fail(')
        .and.not.include('secret');
      const text = `fail(); fetch('http://ann:${'secret'.repeat(40)}@h/'); other();`;
      writeFileSync(path, text);
      expect(codePlace(withStack(`${path}:1:6`), null)?.source).to.match(/^fail\(\); fetch\('http:\/\/\*+$/);
      const { column, source } = codePlace(withStack(`${path}:1:${text.indexOf('other') + 1}`), null);
      expect(source.slice(column - 1)).to.equal('other();');
      expect(codePlace(withStack(`${folder}/missing.mjs:1:2`), null)).to.deep.equal({
        ...{ file: join(folder, 'missing.mjs'), line: 1, column: 2, source: '' },
      });
      expect(codePlace(withStack(`${path}:99:1`), null)).to.include({ line: 99, source: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const ours = `    at list (${new URL('../../../lib/core/text/format-value.js', import.meta.url)}:1:2)`;
  const users = '    at hook (file:///home/ann/flow.mjs:1:2)';
  const installed = '    at get (/home/ann/node_modules/dep/index.js:1:2)';
  const evaluated = `    at eval (eval at compile (${new URL('../../../lib/flow/x.js', import.meta.url)}:1:2), <anonymous>:1:2)`;
  for (const [what, frames, expected] of [
    ['thrown by our code, with none of the user', [ours, '    at node:internal/timers:483:21'], true],
    ['thrown by our code that an installed package of ours calls', [ours, installed], true],
    ['thrown by a hook that our code calls', [users, ours], false],
    ['thrown by our code that a hook calls', [ours, users], false],
    ['thrown by a package that a hook uses', [installed], false],
    ['thrown by a package that our code calls as a hook', [installed, ours], false],
    ['thrown by evaluated text that our code calls', [evaluated, ours], false],
    ['thrown by code of a bundle that names its source', ['    at run (webpack://app/src/x.ts:3:1)', ours], false],
    ['thrown by a script that a hook runs', ['    at evalmachine.<anonymous>:1:7', ours], false],
    [
      'thrown by our code that Node calls',
      [ours, '    at async Promise.all (index 0)', '    at x (node:fs:1:2)'],
      true,
    ],
    ['thrown by Node', ['    at node:internal/timers:483:21'], false],
    ['without a stack', [], false],
  ]) {
    it(`an error ${what} is ${expected ? 'internal' : 'one of the flow'}`, () => {
      expect(isInternal({ stack: ['Error: x', ...frames].join('\n') })).to.equal(expected);
    });
  }

  it('an error that has a code of ours is one of the flow, which did not await it', () =>
    expect(isInternal(Object.assign(makeError('E_STATUS', { status: 500 }), { stack: `Error: x\n${ours}` }))).to.equal(
      false,
    ));

  it('a function that returned a wrong value is found by its text', () => {
    const returned = (returnedBy) => Object.assign(makeError('E_VALUE', {}), { returnedBy });
    const found = () => 'a function that this file has once';
    expect(codePlace(returned(found), HERE)?.source).to.include('const found = () =>');
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

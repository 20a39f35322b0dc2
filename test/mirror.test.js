import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { ROOT } from './support/command.js';

/** Folders of sources whose tests are elsewhere: stories that run the whole command or program. */
const ELSEWHERE = {
  'lib/addons/bar': 'test/live.test.js',
  'lib/addons/bounds': 'test/addons/mcp/server.test.js',
  'lib/addons/own-server': 'test/own-servers.test.js',
  'lib/addons/server-timing': 'test/server-timing.test.js',
  'lib/core/report/live': 'test/live.test.js',
  'lib/core/flow/source/dialects': 'test/addons/import/dialects.test.js',
};

describe('the tests mirror the folders of the sources', () => {
  const all = [...new Set(filesIn('lib').filter(isSource).map(dirname))].filter((folder) => folder !== 'lib');
  /** an add-on is tested as a whole */
  const folders = [...new Set(all.map((folder) => /^lib\/addons\/[^/]+/.exec(folder)?.[0] ?? folder))];

  it('every folder of lib/core and every add-on has tests, or a story that runs it', () => {
    const missing = folders.filter((folder) => !ELSEWHERE[folder] && !hasTests(testsOf(folder)));
    expect(missing, 'write a test there, or list its story in test/mirror.test.js').to.deep.equal([]);
  });

  it('every listed folder needs its entry, which names an existing story', () => {
    const stale = Object.entries(ELSEWHERE).filter(
      ([folder, story]) => !folders.includes(folder) || hasTests(testsOf(folder)) || !existsSync(join(ROOT, story)),
    );
    expect(stale, 'delete or correct these in test/mirror.test.js').to.deep.equal([]);
  });

  it('every folder of test/core and test/addons is one of lib', () => {
    const tests = ['test/core', 'test/addons'].flatMap(filesIn).filter(isTest);
    expect(tests.filter((test) => !all.includes(dirname(test).replace(/^test\//, 'lib/')))).to.deep.equal([]);
  });
});

describe('npm run test:node', () => {
  it('names tests that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const patterns = [...scripts['test:node'].matchAll(/'(test[^']*)'/g)].map(([, pattern]) => pattern);
    // mocha expands braces beside another wildcard alone
    expect(patterns.filter((pattern) => !/@\(|\*/.test(pattern))).to.deep.equal([]);
    const named = patterns.flatMap((pattern) => {
      const [, folder, names = '', end] = /^(.*?)(?:@\(|{)(.*?)[)}](.*)$/.exec(pattern) ?? [];
      return names.split(/[|,]/).map((name) => name && join(ROOT, folder, name + end.replace(/\/\*\*.*/, '')));
    });
    expect(named).to.have.lengthOf.above(20);
    expect(named.filter((path) => path && !existsSync(path))).to.deep.equal([]);
  });
});

function filesIn(folder) {
  const paths = readdirSync(join(ROOT, folder), { recursive: true });
  return paths.map((path) => `${folder}/${path.replaceAll('\\', '/')}`).sort();
}

function isSource(path) {
  return path.endsWith('.js');
}

function isTest(path) {
  return path.endsWith('.test.js');
}

function testsOf(folder) {
  return folder.replace(/^lib\//, 'test/');
}

function hasTests(folder) {
  const recursive = folder.startsWith('test/addons/');
  return existsSync(join(ROOT, folder)) && readdirSync(join(ROOT, folder), { recursive }).some(isTest);
}

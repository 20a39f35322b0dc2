import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { buildRequire } from '../scripts/build-require.js';
import { ROOT, saidBy } from './support/command.js';
import { describeSlow } from './support/slow.js';

const PROGRAM = fileURLToPath(new URL('support/required-features.cjs', import.meta.url));
/** Jest and old bundlers cannot require ES modules either. */
const WITHOUT_ESM = '--no-experimental-require-module';

/** What sources load at their first use: files of the package, and names of packages. */
function loadedLater(sources) {
  const calls = sources.flatMap((source) => {
    const text = readFileSync(join(ROOT, source), 'utf8');
    const names = [...text.matchAll(/(?:requireHere|createRequire\(import\.meta\.url\))\('([^']+)'\)/g)];
    return names.map(([, name]) => (name.startsWith('.') ? posix.join(posix.dirname(source), name) : name));
  });
  return [...new Set(calls)].filter((name) => !isBuiltin(name));
}

describeSlow('the package as CommonJS, where Node cannot require ES modules', () => {
  let folder;
  let sources;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    for (const name of ['lib', 'index.js', 'package.json', 'node_modules'])
      symlinkSync(join(ROOT, name), join(folder, name));
    const { inputs } = await buildRequire(join(folder, 'cjs'));
    sources = Object.keys(inputs).filter((name) => /^(lib\/|index)/.test(name));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('each feature works whose code is loaded when it is needed', async () => {
    const coverage = join(folder, 'coverage');
    mkdirSync(coverage);
    const env = { ...process.env, NODE_V8_COVERAGE: coverage };
    const { stdout, stderr } = await saidBy(process.execPath, [WITHOUT_ESM, PROGRAM, folder], { env });
    expect(stdout.match(/^FAILED.*/gm)).to.equal(null);
    expect(stderr).to.equal('');
    // Each thread has a report.
    const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')));
    const scripts = reports.flatMap(({ result }) => result).filter(({ url }) => url.endsWith('all.cjs'));
    const functions = scripts.flatMap((one) => one.functions);
    // The bundler makes a function of each module, with its path as name.
    const used = new Set(functions.flatMap(({ functionName, ranges: [{ count }] }) => (count > 0 ? functionName : [])));
    const isUsed = (name) => used.has(name) || stdout.includes(`/node_modules/${name.split('/')[0]}/`);
    // Use them in PROGRAM.
    expect(loadedLater(sources).filter((name) => !isUsed(name))).to.deep.equal([]);
  });

  it('advice is as in the source, import.meta.url included', async () => {
    const { default: benchrest } = await import(pathToFileURL(join(folder, 'cjs', 'index.cjs')).href);
    const flow = { main: [{ get: 'http://127.0.0.1:1/', beforeHooks: [() => {}] }] };
    expect(() => benchrest(flow, { limit: 1, iterations: 1, workers: 1 })).to.throw(
      "new URL('./flow.js', import.meta.url)",
    );
  });

  it('each module can be loaded', async () => {
    const all = join(folder, 'cjs', 'all.cjs');
    const names = [...readFileSync(all, 'utf8').matchAll(/(\w+)=__(?:esm|commonJS)\(\{"(lib\/[^"]+)"/g)];
    expect(names.length).to.be.above(sources.length - 10);
    const copy = join(folder, 'cjs', 'every.cjs');
    writeFileSync(copy, readFileSync(all));
    // add-ons are joined first, as the entries do
    const addons = names.filter(([, , name]) => name === 'lib/addons.js');
    appendFileSync(copy, [...addons, ...names].map(([, load]) => `\n${load}();`).join(''));
    const { code, stderr } = await saidBy(process.execPath, [
      WITHOUT_ESM,
      '-e',
      `require(${JSON.stringify(copy)}); process.exit(0)`,
    ]);
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { ok, serving } from './support/serve.js';
import { chatting, echo } from './support/web-socket-server.js';
import { describeSlow } from './support/slow.js';

const ROOT = new URL('..', import.meta.url);
const BIN = fileURLToPath(new URL('bin/bench-rest.js', ROOT));
const LIBRARY = fileURLToPath(new URL('index.js', ROOT));
const RECORDER = new URL('support/record-modules.js', import.meta.url).href;
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

/** What a program of Node loads: dependencies of the package, and its own modules. */
async function loadedBy(program, args = []) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  const RECORD_MODULES = join(folder, 'modules');
  try {
    await promisify(execFile)(process.execPath, ['--import', RECORDER, program, ...args], {
      // without the modules that a preload script of these tests loads
      env: { ...process.env, NODE_OPTIONS: '', RECORD_MODULES },
    });
    const urls = readFileSync(RECORD_MODULES, 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    const paths = urls.filter((url) => url.startsWith(ROOT.href)).map((url) => url.slice(ROOT.href.length));
    return {
      packages: Object.keys(dependencies).filter((name) =>
        paths.some((path) => path.startsWith(`node_modules/${name}/`)),
      ),
      own: [...new Set(paths.filter((path) => path.startsWith('lib/')))],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** what every run of the command loads */
const ALWAYS = ['commander', 'fast-string-width', 'measured-core', 'p-limit'];

describeSlow('start-up', () => {
  it('--version loads what prints it, and what explains too many open files', async () => {
    const { packages, own } = await loadedBy(BIN, ['--version']);
    expect(packages).to.deep.equal([]);
    expect(
      own.filter((path) => !/^lib\/core\/(ground\/(system-errors|addons|errors)|text\/mask)\.js$/.test(path)),
    ).to.have.members(['lib/core/cli/version.js', 'lib/core/ground/package.js']);
  });

  it('--help loads facts alone, and commander', async () => {
    const { packages, own } = await loadedBy(BIN, ['--help']);
    expect(packages).to.deep.equal(['commander']);
    expect(
      own.filter((path) =>
        // what is a record is such a fact
        /^lib\/(core\/(cli\/(run|result)\/|flow\/(?!record|nesting)|(iteration|measure|schedule|report\/text|run\/load)\/)|addons\/(serve\/(?!command|flags)|page\/))/.test(
          path,
        ),
      ),
    ).to.deep.equal([]);
  });

  it('the library loads neither what the command alone needs, nor cookies, YAML and undici', async () => {
    const { packages, own } = await loadedBy(LIBRARY);
    expect(packages).to.deep.equal(['measured-core', 'p-limit']);
    expect(
      own.filter((path) =>
        /^lib\/(core\/(cli|report|transport\/\w+)|addons\/(serve|page|card|screen|http2(?!\/(options|version)\.)|undici|websocket\/transport))\//.test(
          path,
        ),
      ),
    ).to.deep.equal([]);
  });

  it('the run of a URL loads no cookies, no YAML, no undici, no page, no progress bar and no other format', () =>
    serving(ok, async (url) => {
      const { packages, own } = await loadedBy(BIN, ['-n', '1', url]);
      expect(packages).to.deep.equal(ALWAYS);
      expect(own.filter((path) => /^lib\/core\/(report|flow\/source)\/formats\//.test(path))).to.have.members([
        'lib/core/flow/source/formats/index.js',
        'lib/core/flow/source/formats/url.js',
        'lib/core/report/formats/index.js',
        'lib/core/report/formats/json.js',
      ]);
      expect(
        own.filter((path) =>
          /^lib\/(core\/(run\/workers|flow\/source\/dialects|report\/live\/bar)|addons\/(undici|serve|page|card|import)\/)/.test(
            path,
          ),
        ),
      ).to.deep.equal([]);
      // what few flows need, or a name that is unknown
      expect(
        own.filter((path) =>
          /^lib\/(core\/(cli\/commands\/(?!index|run)|run\/options\/other-|iteration\/(hooked|function|step-f)|flow\/(json-path|function|hook-))|addons\/(\S+\/command|aws\/signature|json-path\/query|websocket\/flow\/(steps|requests)|calls\/))/.test(
            path,
          ),
        ),
      ).to.deep.equal([]);
      expect(own).to.have.lengthOf.at.most(265);
    }));

  it('hooks load the cookies that they can read; captures of plain paths load nothing', () =>
    serving(ok, async (url) => {
      const flow = `{ get: '${url}/', afterHooks: ['verify2XX'], capture: { a: { json: '$.a[0]', default: 1 } } }`;
      const { packages } = await loadedBy(BIN, ['-n', '1', '-e', flow]);
      expect(packages).to.deep.equal([...ALWAYS, 'tough-cookie']);
    }));

  it('a WebSocket loads ws, a second operation cookies, and paths and patterns json-p3 and re2js if they need them', () =>
    chatting(echo, (socketUrl) =>
      serving(ok, async (url) => {
        const capture = "{ a: { json: '$..a', default: 1 }, b: { text: 'a', default: 1 } }";
        const flow = `[{ ws: '${socketUrl}' }, { get: '${url}/', capture: ${capture} }]`;
        const { packages } = await loadedBy(BIN, ['-n', '1', '-e', flow]);
        expect(packages).to.have.members([...ALWAYS, 'json-p3', 're2js', 'tough-cookie', 'ws']);
      }),
    ));
});

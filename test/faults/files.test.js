import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { command, spawned } from '../support/command.js';
import { itSlow } from '../support/slow.js';

const FLOW = "export default ['http://127.0.0.1:1/'];";

/** Only regular files are opened. The FIFOs here never have a writer, so opening one would block. */
describe('N12 files are checked before they are read', () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => join(folder, name);
  const make = {
    fifo: (name) => execFileSync('mkfifo', [at(name)]),
    folder: (name) => mkdirSync(at(name)),
  };
  const refusal = (...args) => refusalOf(command, args);
  const refusalOf = async (run, args) => {
    const { code, stdout, stderr } = await run(args, { cwd: folder });
    expect(stdout).to.equal('');
    return `${code}: ${stderr}`;
  };

  for (const extension of ['js', 'mjs', 'cjs', 'json', 'yaml', 'yml']) {
    it(`a flow that is a FIFO is refused: flow.${extension}`, async () => {
      make.fifo(`flow.${extension}`);
      expect(await refusal(`flow.${extension}`)).to.match(/^2: .*flow\.\w+: is a FIFO, not a regular file; save/);
    });
  }

  it('a flow that is a FIFO is refused if a program passes its path', async () => {
    make.fifo('flow.json');
    const error = await benchrest(at('flow.json'), { limit: 1, iterations: 1 }).catch((reason) => reason);
    expect(error).to.include({ code: 'E_FLOW_FILE' });
    expect(error.message).to.match(/is a FIFO/);
  });

  it('a FIFO that a .js flow imports is refused if its module kind has to be detected', async () => {
    writeFileSync(at('package.json'), '{ "type": "commonjs" }');
    writeFileSync(at('flow.js'), `import './part.js'; ${FLOW}`);
    make.fifo('part.js');
    expect(await refusal('flow.js')).to.match(/^2: .*part\.js is a FIFO/s);
  });

  const configs = ['package.json', ...['json', 'yaml', 'yml', 'js', 'mjs', 'cjs'].map((ext) => `.bench-restrc.${ext}`)];
  for (const name of configs) {
    it(`a configuration file that is a FIFO is refused: ${name}`, async () => {
      make.fifo(name);
      writeFileSync(at('flow.mjs'), FLOW);
      expect(await refusal('flow.mjs')).to.match(
        /^2: .*(package\.json|bench-restrc\.\w+) is a FIFO, not a regular file/s,
      );
    });
  }

  it('a configuration file that is a folder, or too large, is refused', async () => {
    make.folder('.bench-restrc.json');
    expect(await refusal('http://127.0.0.1:1/')).to.match(/^2: .*restrc\.json is a directory/s);
    rmSync(at('.bench-restrc.json'), { recursive: true });
    execFileSync('truncate', ['-s', '17M', at('.bench-restrc.yaml')]);
    expect(await refusal('http://127.0.0.1:1/')).to.match(/^2: .*restrc\.yaml is too large: it has 17825792 bytes/s);
  });

  itSlow('a package.json that is a FIFO is refused before Node reads it for a .js flow', async () => {
    mkdirSync(at('below'));
    writeFileSync(at('below/flow.js'), FLOW);
    make.fifo('below/package.json');
    expect(await refusalOf(spawned, ['below/flow.js'])).to.match(/^2: .*package\.json is a FIFO/);
  });

  it('a flow that is too large is refused, with the limit', async () => {
    execFileSync('truncate', ['-s', '300M', at('flow.json')]);
    expect(await refusal('flow.json')).to.match(
      /^2: .*flow\.json: is too large: it has 314572800 bytes, at most 2684354/,
    );
  });

  for (const args of [
    ['report', 'fifo.json'],
    ['merge', 'fifo.json', 'fifo.ndjson'],
    ['compare', 'fifo.json', 'fifo.json'],
  ]) {
    it(`a result that is a FIFO is refused: ${args[0]}`, async () => {
      make.fifo('fifo.json');
      make.fifo('fifo.ndjson');
      expect(await refusal(...args)).to.match(/^2: .*fifo\.json is a FIFO, not a regular file/);
    });
  }

  it('a result that is a folder, a device, missing, or too large is refused', async () => {
    expect(await refusal('report', '.')).to.match(/^2: .* is a directory; use a file in it/);
    expect(await refusal('report', '/dev/zero')).to.match(/^2: .*\/dev\/zero is a device/);
    expect(await refusal('report', 'no.json')).to.match(/^2: .*file does not exist/);
    execFileSync('truncate', ['-s', '300M', at('large.json')]);
    expect(await refusal('report', 'large.json')).to.match(/^2: .*large\.json is too large/);
  });

  describe('files in forms', () => {
    const problemOf = (file, options) => {
      const flow = { post: 'http://127.0.0.1:1/', formData: { a: file } };
      try {
        benchrest(flow, { limit: 1, iterations: 1, ...options }).catch(() => {});
        return 'none';
      } catch ({ message }) {
        return message;
      }
    };
    const rows = [
      ['a device', () => ({ file: '/dev/zero' }), /formData\.a: \/dev\/zero is a device/],
      ['a FIFO', () => (make.fifo('x'), { file: at('x') }), /formData\.a: .*x is a FIFO/],
      ['a FIFO as a value', () => (make.fifo('x'), { value: { file: at('x') } }), /formData\.a: .*x is a FIFO/],
      ['a folder', () => ({ file: folder }), /formData\.a: .* is a directory/],
      ['nothing', () => ({ file: at('no') }), /formData\.a: .*no does not exist/],
      ['a stream from a device', () => ({ pipe() {}, path: '/dev/zero' }), /formData\.a: \/dev\/zero is a device/],
    ];
    for (const [what, file, problem] of rows) {
      it(`${what} is refused`, () => expect(problemOf(file())).to.match(problem));
    }

    it('a file larger than maxBodyMemory is refused before it is read', () => {
      execFileSync('truncate', ['-s', '3G', at('large')]);
      expect(problemOf({ file: at('large') })).to.match(
        /large is too large: it has 3221225472 bytes, at most 536870912/,
      );
      expect(problemOf({ file: at('large') }, { maxBodyMemory: 1000 })).to.match(/at most 1000 are read/);
    });

    it('a part of a large file can be sent', () => {
      execFileSync('truncate', ['-s', '3G', at('large')]);
      expect(problemOf({ pipe() {}, path: at('large'), start: 5, end: 10 })).to.equal('none');
    });

    it('a FIFO that a hook names fails the operation', async () => {
      make.fifo('x');
      const rename = ({ requestOptions }) => {
        requestOptions.formData = { a: { file: at('x') } };
      };
      const flow = { post: 'http://127.0.0.1:1/', formData: { a: 'x' }, beforeHooks: [rename] };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 2 });
      expect(stats.errors.details.map(({ code, kind }) => [code, kind])).to.deep.equal([['E_REQUEST_FIELD', 'hook']]);
      expect(stats.errors.details[0].message).to.match(/formData\.a .*x is a FIFO/);
    });
  });
});

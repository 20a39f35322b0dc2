import { expect } from 'chai';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadFlow } from '../../../../lib/core/flow/source/load.js';

const URL = 'http://localhost:8000/';

describe('loadFlow', () => {
  let cwd = '';
  const write = async (name, text) => {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  };
  const load = (argument, options) => loadFlow({ argument }, { cwd, ...options });
  const evaluate = async (text) => (await loadFlow({ evaluate: text }, { cwd })).flow;
  const failure = (promise) =>
    promise.then(
      () => expect.fail('did not fail'),
      (error) => error,
    );
  const failureOf = async (name, text, options) => {
    await write(name, text);
    return failure(load(name, options));
  };

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'load-flow-'));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  describe('files', () => {
    it('a missing file is E_FILE_NOT_FOUND with the absolute path and the nearest name', async () => {
      await write('flow.json', '[]');
      const error = await failure(load('flwo.json'));
      expect(error.code).to.equal('E_FILE_NOT_FOUND');
      expect(error.message)
        .to.contain(join(cwd, 'flwo.json'))
        .and.contain(`did you mean ${join(cwd, 'flow.json')}?`);
      expect((await failure(load('flow'))).message).to.contain(`did you mean ${join(cwd, 'flow.json')}?`);
      expect((await failure(load('no/such.json'))).message).to.match(/check the path$/);
    });

    it('a URL, or a path of the server, may be longer than the name of a file', async () => {
      const long = 'x'.repeat(5000);
      expect(await load(`${URL}${long}`)).to.include({ flow: `${URL}${long}` });
      expect((await failure(load(`/${long}`))).message).to.contain('for a path of the server add --base-url');
    });

    it('the error about a dangling link names its target', async () => {
      await symlink('gone-away.js', join(cwd, 'link.js'));
      const error = await failure(load('link.js'));
      expect(error.code).to.equal('E_FILE_NOT_FOUND');
      expect(error.message).to.contain('a link to gone-away.js');
    });

    it('a directory and an unknown extension are E_FLOW_FILE', async () => {
      expect((await failure(load('.'))).message).to.contain('is a directory');
      const error = await failureOf('flow.toml', '');
      expect(error.code).to.equal('E_FLOW_FILE');
      expect(error.message).to.contain('.toml').and.contain('.yaml');
    });

    it('a path may have spaces, #, % and unicode', async () => {
      const name = 'a b #1 50% ü.mjs';
      await write(name, `export default '${URL}';`);
      expect(await load(name)).to.include({ flow: URL, from: join(cwd, name), folder: cwd, isRecording: false });
    });

    it('UTF-16 and other bytes are refused', async () => {
      expect((await failureOf('a.json', Buffer.from('\ufeff[]', 'utf16le'))).message).to.contain('UTF-16');
      expect((await failureOf('b.json', Buffer.from([0x22, 0xff, 0x22]))).message).to.contain('is not UTF-8');
    });
  });

  describe('flows that import bench-rest, where it is not installed', () => {
    it('are refused if the package has no such part, or another package is missing', async () => {
      const part = await failureOf('part.mjs', "import 'bench-rest/nothing'; export default '/';");
      expect(part.code).to.equal('E_FLOW_FILE');
      expect(part.message).to.contain('\'./nothing\' is not defined by "exports"');
      const other = await failureOf('other.mjs', "import 'bench-rest'; import 'no-such-package'; export default '/';");
      expect(other.message).to.contain("cannot find package 'no-such-package'; install it: cd ");
    });
  });

  for (const [code, cure] of [
    ['${INDEX}', 'write #{INDEX}, not ${INDEX} of a template literal'],
    ['${index}', 'write #{INDEX}, not ${index} of a template literal'],
    ['${user}', 'correct the flow'],
    ['${verify2XX}', "write the name of the built-in hook as a text: 'verify2XX'"],
  ])
    it(`a module with \`/${code}\` gets the remedy: ${cure}`, async () => {
      const { message } = await failureOf(`template-${code.slice(2, -1)}.mjs`, `export default [\`/${code}\`];`);
      expect(message)
        .to.match(/\.mjs:1:\d+: ReferenceError: \w+ is not defined; /)
        .and.contain(cure);
    });

  describe('URLs', () => {
    it('a URL is a flow of one GET', async () => {
      for (const url of [URL, 'https://x.example/a', 'unix:/tmp/s.sock:/']) {
        expect(await load(url)).to.include({ flow: url, from: url, folder: cwd, isRecording: false });
      }
    });

    it('a host without a scheme is E_USAGE with the URL', async () => {
      for (const [host, cure] of [
        ['localhost:8000', 'http://localhost:8000/ ?'],
        ['localhost', 'http://localhost/ ?'],
        ['example.com/a', 'http://example.com/a ?'],
        ['ftp://x/', 'use http://'],
      ]) {
        const error = await failure(load(host));
        expect(error.code).to.equal('E_USAGE');
        expect(error.message).to.contain(cure);
      }
    });
  });

  describe('modules', () => {
    const flow = { main: [{ get: URL }] };
    const source = JSON.stringify(flow);

    for (const [name, text] of [
      ['esm.mjs', `export default ${source};`],
      ['common.cjs', `module.exports = ${source};`],
      ['common.js', `module.exports = ${source};`],
      ['transpiled.cjs', `exports.__esModule = true; exports.default = ${source};`],
      ['function.mjs', `export default async () => (${source});`],
    ]) {
      it(`${name} is read`, async () => {
        await write(name, text);
        expect((await load(name)).flow).to.deep.equal(flow);
      });
    }

    for (const [name, text, expected] of [
      [
        'beside.mjs',
        `export default ${source}; export const runOptions = { limit: 3 };`,
        { ...flow, runOptions: { limit: 3 } },
      ],
      [
        'url.mjs',
        `export default () => '${URL}'; export const runOptions = { limit: 3 };`,
        { main: [URL], runOptions: { limit: 3 } },
      ],
      [
        'list.cjs',
        `module.exports = ['${URL}']; module.exports.runOptions = { limit: 3 };`,
        { main: [URL], runOptions: { limit: 3 } },
      ],
      [
        'own.mjs',
        `export default { ...${source}, runOptions: { limit: 5 } }; export const runOptions = { limit: 3 };`,
        { ...flow, runOptions: { limit: 5 } },
      ],
    ]) {
      it(`${name}: run options may be next to the flow, or in it`, async () => {
        await write(name, text);
        expect((await load(name)).flow).to.deep.equal(expected);
      });
    }

    for (const [name, text, ...parts] of [
      ['number.mjs', 'export default 5;', 'default export of number.mjs is a number', 'export a flow'],
      ['none.mjs', 'export const a = 1;', 'default export of none.mjs is undefined'],
      ['phases.mjs', 'export const main = [];', 'exports main, but a flow is the default export'],
      ['none.cjs', 'exports;', 'an empty object'],
      ['class.mjs', 'export default class {}', 'is a class'],
      ['returns.mjs', 'export default () => {};', 'returned undefined'],
      ['throws.mjs', '\nexport default () => { throw new Error("ouch"); };', 'throws.mjs:2:30: Error: ouch'],
      ['import.mjs', '\nthrow new TypeError("ouch");', 'import.mjs:2:7: TypeError: ouch'],
      ['rejects.mjs', 'export default Promise.reject(new Error("ouch"));', 'Error: ouch'],
      ['null.mjs', 'throw null;', 'null'],
      ['bad.mjs', '\nexport default [ };', 'bad.mjs:2:18: SyntaxError', '  export default [ };\n                   ^'],
      [
        'bad.cjs',
        '\nmodule.exports = [ };',
        'bad.cjs:2:20: SyntaxError',
        '  module.exports = [ };\n                     ^',
      ],
      ['dep.mjs', 'import "not-there/x";', "cannot find package 'not-there'", 'npm install not-there'],
      ['dep.cjs', 'require("@not/there/x");', "cannot find package '@not/there'"],
      ['near.mjs', 'import "./gone.mjs";', 'gone.mjs', 'check the path'],
      ['mix.cjs', 'export default [];', 'rename it to mix.mjs'],
      ['mix.mjs', 'module.exports = [];', 'rename it to mix.cjs'],
      ...(process.features.typescript ? [['mix.mts', 'module.exports = [];', 'rename it to mix.cts']] : []),
    ]) {
      it(`${name} is E_FLOW_FILE: ${parts[0]}`, async () => {
        const error = await failureOf(name, text);
        expect(error.code).to.equal('E_FLOW_FILE');
        for (const part of parts) expect(error.message).to.contain(part);
        expect(error.message).not.to.contain('node:internal');
      });
    }

    it('an import or a function that never ends is aborted', async () => {
      const error = await failureOf('hangs.mjs', 'await new Promise(() => {});', { limitMs: 30 });
      expect(error.code).to.equal('E_FLOW_FILE');
      expect(error.message).to.contain('did not finish within 0.03 s');
      const other = await failureOf('waits.mjs', 'export default () => new Promise(() => {});', { limitMs: 1000 });
      expect(other.message).to.contain('the exported function did not finish');
    });
  });

  describe('JSON', () => {
    it('a BOM is skipped and __proto__ is an own key', async () => {
      await write('flow.json', '\ufeff{"main":[],"__proto__":{"a":1}}');
      expect(Object.keys((await load('flow.json')).flow)).to.deep.equal(['main', '__proto__']);
    });

    for (const [text, place, reason] of [
      ['{"main": [],}', '1:13', 'key in double quotes'],
      ['// hello\n[]', '1:1', 'no comments'],
      ['{"main": [\n', '2:1', 'end of the text'],
      ['{\n  "a": 1,\n  "a": 2\n}', '3:3', 'duplicate key "a"'],
      ['{"a": NaN}', '1:7', 'expected a value'],
      ['[1e999]', '1:2', 'out of range'],
      ['[] []', '1:4', 'end of the text'],
      ['["a]', '1:2', 'string is not closed'],
      ['["a\\x"]', '1:4', 'not a JSON escape'],
      ['['.repeat(100_000), '1:501', 'nested deeper'],
    ]) {
      it(`${JSON.stringify(text.slice(0, 30))} fails at ${place}: ${reason}`, async () => {
        const error = await failureOf('flow.json', text);
        expect(error.code).to.equal('E_FLOW_FILE');
        expect(error.message).to.contain(`flow.json:${place}: `).and.contain(reason).and.match(/\^$/);
      });
    }

    it('a number is not a flow', async () => {
      expect((await failureOf('flow.json', '5')).message).to.contain('contains a number');
    });
  });

  describe('YAML', () => {
    it('no and on are text, as in the core schema of YAML 1.2, and << merges a mapping', async () => {
      await write('flow.yml', 'main:\n  - get: no\n    b: on\n    c: 012\n    <<: { d: 1 }\n');
      expect((await load('flow.yml')).flow).to.deep.equal({ main: [{ get: 'no', b: 'on', c: 12, d: 1 }] });
    });

    const bomb = [
      'a: &a [1,1,1,1,1,1,1,1,1]',
      'b: &b [*a,*a,*a,*a,*a,*a]',
      'c: &c [*b,*b,*b,*b,*b,*b]',
      'd: &d [*c,*c,*c,*c,*c,*c]',
      'e: [*d,*d,*d,*d]',
    ].join('\n');
    for (const [text, place, reason] of [
      ['a:\n\t- b', '2:1', 'Tabs'],
      ['a: !!js/function x', '1:4', 'tag'],
      ['a: !!python/object x', '1:4', 'tag'],
      ['a: !!set { x }', '1:4', 'tag'],
      ['a: 1\n---\nb: 2', '2:', 'second document'],
      ['a: 1\na: 2', '2:1', 'unique'],
      ['a: [', '1:', 'end with a ]'],
      ['a: 1\nb: *c', '2:4', 'alias *c'],
      [bomb, '2:8', 'Excessive alias'],
      ['main:\n  - get: /\n    name: item #{INDEX}', '3:16', 'quotes'],
      ['main:\n  - { get: /x_#{INDEX} }', '2:15', 'quotes'],
      ['['.repeat(100_000), '1:', 'nested too deeply'],
    ]) {
      it(`${JSON.stringify(text.slice(0, 30))} fails at ${place} ${reason}`, async () => {
        const error = await failureOf('flow.yaml', text);
        expect(error.code).to.equal('E_FLOW_FILE');
        expect(error.message).to.contain(`flow.yaml:${place}`).and.contain(reason);
      });
    }

    it('an empty file is not a flow', async () => {
      for (const text of ['', '# later\n']) expect((await failureOf('flow.yaml', text)).message).to.contain('is empty');
    });
  });

  describe('-e', () => {
    for (const [text, flow] of [
      [URL, URL],
      ['/path', '/path'],
      [`'${URL}'`, URL],
      [`{ head: '${URL}' }`, { head: URL }],
      [`{ head: ${URL} }`, { head: URL }],
      [`< head: ${URL} >`, { head: URL }],
      [`[{ "get": "${URL}" }]`, [{ get: URL }]],
      [`{ get: ${URL}, a: process.exit() }`, { get: URL, a: 'process.exit()' }],
      ['{ "get": "/${process.exit()}" }', { get: '/${process.exit()}' }],
      ['{ get: "/" + (1 + 1) }', { get: '/2' }],
      ['{ get: require("./path.json").path }', { get: '/r' }],
      ['{ get: /x_#{INDEX} }', { get: '/x_#{INDEX}' }],
      ['< get: /x_#{INDEX} >', { get: '/x_#{INDEX}' }],
      [
        '{ put: /x, json: { a: #{INDEX}, b: [#{randomInt(1, 5)}, "#{x}"] } }',
        { put: '/x', json: { a: '#{INDEX}', b: ['#{randomInt(1, 5)}', '#{x}'] } },
      ],
    ]) {
      it(`${text} is ${JSON.stringify(flow)}`, async () => {
        await write('path.json', '{"path":"/r"}');
        expect(await evaluate(text)).to.deep.equal(flow);
      });
    }

    it('is reported as -e', async () => {
      expect((await loadFlow({ evaluate: URL })).from).to.equal('-e');
    });

    for (const [text, ...parts] of [
      ['', 'the text is empty'],
      ['localhost:8000', 'is not a URL'],
      ['{ get: missing }', 'ReferenceError: missing is not defined', 'quotes'],
      ['{ get: [ }', 'JavaScript: SyntaxError', 'YAML: '],
      ['< put: /x, json: < a: 1 > >', 'only the outer braces are < and >', 'YAML: '],
      ['< get: x', 'does not end with >'],
      ['"it', 'JavaScript: ', 'YAML: '],
      ['[{ get: http://x/ #<INDEX> }]', 'quotes', 'at 1:19'],
    ]) {
      it(`${JSON.stringify(text)} is E_USAGE: ${parts[0]}`, async () => {
        const error = await failure(evaluate(text));
        expect(error.code).to.equal('E_USAGE');
        for (const part of parts) expect(error.message).to.contain(part);
      });
    }
  });
});

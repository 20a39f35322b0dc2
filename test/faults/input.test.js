import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { command } from '../support/command.js';

/** `URL` in files, arguments and messages is a server that must never get a connection. */
const op = (text) => `export default { main: [${text}] };`;
const MAIN = "{ get: 'URL/' }";
const run = (...args) => ['-n', '1', '-c', '1', ...args];
const flow = (id, what, text, code, ...says) => ({
  id,
  what,
  files: { 'flow.mjs': text },
  args: run('flow.mjs'),
  code,
  says,
});
const operation = (id, text, ...says) => flow(id, text, op(text), 2, /flow\.main\[0\]/, ...says);
const flags = (id, args, ...says) => ({
  id,
  what: args,
  args: [...args.split(' ').map((part) => (part === "''" ? '' : part)), 'URL/'],
  code: 2,
  says,
});
const file = (id, name, text, ...says) => ({
  id,
  what: `${name}: ${JSON.stringify(String(text).slice(0, 50))}`,
  files: { [name]: text },
  args: run(name),
  code: 2,
  says,
});
const inline = (id, text, code, ...says) => ({ id, what: `-e ${text}`, args: run('-e', text), code, says });

const ROWS = [
  // paths
  {
    id: 'B1',
    what: 'a missing file',
    files: { 'flow.mjs': op(MAIN) },
    args: run('flwo.mjs'),
    code: 2,
    says: [/does not exist: .*flwo\.mjs/, /did you mean .*flow\.mjs/],
  },
  {
    id: 'B1',
    what: 'a folder',
    files: { 'dir/flow.mjs': op(MAIN) },
    args: run('dir'),
    code: 2,
    says: [/is a directory/],
  },
  {
    id: 'B1',
    what: 'a dangling link',
    links: { 'link.mjs': 'gone.mjs' },
    args: run('link.mjs'),
    code: 2,
    says: [/a link to gone\.mjs/],
  },
  {
    id: 'B1',
    what: 'spaces, #, % and unicode, and a fault within',
    files: { 'a b #1 50% ü.mjs': op("{ gte: 'URL/' }") },
    args: run('a b #1 50% ü.mjs'),
    code: 2,
    says: [/gte.*did you mean get/],
  },
  // modules
  flow('B2', 'a syntax error', 'export default {\n  main: [ }\n', 2, /flow\.mjs:2/, /main: \[ \}/, /\^/),
  {
    id: 'B2',
    what: 'a syntax error in CommonJS',
    files: { 'flow.cjs': 'module.exports = {\n  main: [ }\n' },
    args: run('flow.cjs'),
    code: 2,
    says: [/flow\.cjs:2/],
  },
  flow('B3', 'a module that throws', 'throw new Error("ouch");', 2, /ouch/, /flow\.mjs/),
  flow('B3', 'a module that exports nothing', 'const a = 1;', 2, /flow\.mjs/),
  flow('B3', 'a module that exports a number', 'export default 7;', 2, /flow\.mjs.*number|number/),
  flow(
    'B3',
    'a module that exports a rejected promise',
    'export default Promise.reject(new Error("ouch"));',
    2,
    /ouch/,
  ),
  flow('B3', 'a module that exports a class', 'export default class Flow {}', 2, /flow\.mjs/),
  flow('B3', 'a flow function that throws', 'export default () => { throw new Error("ouch"); };', 2, /ouch/),
  flow('B3', 'a flow function that returns nothing', 'export default () => {};', 2, /flow\.mjs/),
  flow('B4', 'a missing package', 'import x from "no-such-package-here"; export default x;', 2, /no-such-package-here/),
  flow('B4', 'a missing import', 'import x from "./no-such-file.js"; export default x;', 2, /no-such-file\.js/),
  {
    id: 'B4',
    what: 'CommonJS in a file that must be an ES module',
    files: { 'flow.mjs': 'module.exports = {};' },
    args: run('flow.mjs'),
    code: 2,
    says: [/flow\.mjs/, /\.cjs/],
  },
  // operations
  operation('B5', "{ get: 'URL/', haeders: {} }", /haeders: .*did you mean headers\?/),
  operation('B5', "{ put: 'URL/', jsno: {} }", /jsno: .*did you mean json\?/),
  operation('B5', "{ Get: 'URL/' }", /Get: .*did you mean get\?/),
  operation('B5', "{ GET: 'URL/' }", /GET: .*did you mean get\?/),
  operation('B5', "{ get: 'URL/', har: {} }", /har: .*not supported/),
  operation('B5', "{ get: 'URL/', strictSLL: false }", /did you mean strictSSL\?/),
  flow(
    'B6',
    'an unknown phase',
    `export default { main: [${MAIN}], beforMain: [] };`,
    2,
    /beforMain.*did you mean beforeMain\?/,
  ),
  operation('B6', "{ get: 'URL/', afterHooks: ['verify2xx'] }", /afterHooks\[0\].*did you mean verify2XX\?/),
  operation('B6', "{ get: 'URL/#{INDX}' }", /#\{INDX\}.*Did you mean #\{INDEX\}\?/),
  flow(
    'B6',
    'an unknown run option in the flow',
    `export default { main: [${MAIN}], runOptions: { limti: 5 } };`,
    2,
    /limti.*did you mean limit\?/,
  ),
  flags('B6', '--concurency 5', /--concurency/, /--concurrency/),
  operation('B7', '{ json: 1 }', /no URL/),
  flow(
    'B7',
    'circular JSON',
    "const a = {}; a.a = a; export default { put: 'URL/', json: a };",
    2,
    /json/,
    /circular/i,
  ),
  operation('B7', "{ put: 'URL/', json: 1n }", /json/, /BigInt/),
  operation('B7', "{ put: 'URL/', timeout: () => {} }", /timeout.*function/),
  operation('B7', "{ put: 'URL/', json: Symbol('x') }", /json.*symbol/),
  ...[
    ['http://', /is not an? .*URL/],
    ['htp://x/', /did you mean http/],
    ['localhost:8000', /did you mean http:\/\/localhost:8000\?/],
    ['http://[::1', /not a valid URL/],
    ['http://h:70000/', /has port 70000, the highest is 65535/],
    ['http://a b/', /not a valid URL/],
    ['', /not a URL/],
    ['//x', /relative: set baseUrl/],
    ['ws://h/', /is the URL of a WebSocket/],
    ['/relative', /baseUrl/],
  ].map(([url, says]) => operation('B8', `{ get: '${url}' }`, says)),
  // numbers
  ...['-n -1', '-n 0', '-n 1.5', '-n NaN', '-n abc', '-n Infinity', '-n 9007199254740993', "-n ''", '-n 10x'].map(
    (args) => flags('B9', `${args} -c 1`, /iterations/, /whole number from 1/),
  ),
  ...['-c 0', '-c -3', '-c 2.5'].map((args) => flags('B9', args, /concurrency/, /whole number from 1/)),
  flags('B9', '-r 0', /rate/),
  flags('B9', '-r -5', /rate/),
  flags('B9', '-t 0s', /duration/),
  flags('B9', '-t 5x', /duration/),
  flags('B9', '--timeout -1', /timeout/, /milliseconds/),
  flags('B10', '-c 1000000', /from 1 to 100000/),
  flags('B10', '-r 1e9', /rate/),
  flags('B10', '-a 1e12', /prealloc/),
  operation(
    'B18',
    "{ get: 'URL/', headers: { 'Transfer-Encoding': 'gzip' } }",
    /Transfer-Encoding.*does not end with chunked/,
  ),
  operation(
    'B18',
    "{ get: 'URL/', headers: { 'Content-Length': 7 } }",
    /Content-Length.*is 7, and the body has 0 bytes/,
  ),
  operation('B17', "{ get: 'URL/', headers: { a: 'b\\r\\nInjected: 1' } }", /headers\.a/, /CR, LF/),
  operation('B17', "{ get: 'URL/', headers: { 'a\\r\\nb': '1' } }", /not a header field name/),
  operation('B17', "{ method: 'GET / HTTP/1.1\\r\\nInjected: 1', uri: 'URL/' }", /method/),
  // what contradicts
  flags('B11', '-r 5 --stage 1s:5', /--stage and -r/),
  flags('B11', '-n 5 --forever', /--forever and -n/),
  flags('B11', '--serve-delay 5ms', /--serve/),
  flags('B11', '--json --format csv', /json/, /format/),
  {
    id: 'B11',
    what: 'pipelining on connections that the request closes',
    files: { 'flow.mjs': op("{ get: 'URL/', headers: { connection: 'close' } }") },
    args: run('--pipelining', '2', 'flow.mjs'),
    code: 2,
    says: [/pipelining/, /Connection: close/],
  },
  {
    id: 'B11',
    what: 'more workers than lanes',
    args: ['-n', '5', '-c', '1', '-w', '4', 'URL/'],
    code: 2,
    says: [/--workers: 4 workers/, /virtual users, got -c 1/],
  },
  // data
  file('B12', 'f.json', '{ "main": ["URL/"], }', /f\.json:1:\d/, /\^/),
  file('B12', 'f.json', '{ "main": ["URL/"] // x\n}', /f\.json:1:\d/),
  file('B12', 'f.json', '{ "main": ["UR', /f\.json:1/),
  file('B12', 'f.json', '{ "main": [], "main": ["URL/"] }', /main/, /twice|duplicate|again/),
  file('B12', 'f.json', '{ "main": [{ "put": "URL/", "json": NaN }] }', /f\.json:1:/),
  file('B12', 'f.json', '{ "main": [{ "put": "URL/", "json": 1e999 }] }', /1e999/),
  file('B12', 'f.json', '['.repeat(100_000), /f\.json/),
  file('B12', 'f.json', '['.repeat(100_000) + ']'.repeat(100_000), /f\.json/),
  file('B12', 'f.json', Buffer.from('\ufeff[]', 'utf16le'), /UTF-16/),
  file('B13', 'f.yaml', 'main:\n\t- get: URL/\n', /f\.yaml:2/),
  file('B13', 'f.yaml', 'main:\n  - get: URL/\n put: x\n', /f\.yaml:/),
  file('B13', 'f.yaml', 'main:\n  - get: !!js/function "function () {}"\n', /f\.yaml:2/, /js\/function/),
  file('B13', 'f.yaml', 'main: !!python/object:os.system [x]\n', /python\/object/),
  file(
    'B13',
    'f.yaml',
    `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]`).join('\n')}\nmain: *a12\n`,
    /alias/i,
  ),
  file('B13', 'f.yaml', 'main: [URL/]\n---\nmain: [URL/]\n', /document/),
  file('B13', 'f.yaml', '', /f\.yaml/),
  ...['-e', '-e'].map((_, i) => inline('B19', ['{ main: [ }', '{ get: "URL/'][i], 2, /-e/)),
  inline('B19', '{ "main": ["${process.exit(7)}"] }', 2, /process\.exit/),
  // the rest
  ...[
    ['p99<', 4],
    ['p101<5ms', 0],
    ['p99<200', 4],
    ['errors<1%%', 7],
    ['rate>', 5],
  ].map(([text, column]) => ({
    id: 'B20',
    what: text,
    args: run('--threshold', text, 'URL/'),
    code: 2,
    says: [new RegExp(text.replace(/[<>%]/g, '.')), /\^/],
    column,
  })),
  {
    id: 'B20',
    what: 'a threshold on an unknown operation',
    args: run('--threshold', 'GET /x p95<1s', 'URL/'),
    code: 2,
    says: [/GET \/x/, /\^/],
  },
  {
    id: 'B21',
    what: 'broken',
    files: { '.bench-restrc.json': '{ "limit": 3,, }' },
    args: run('URL/'),
    code: 2,
    says: [/\.bench-restrc\.json/],
  },
  {
    id: 'B21',
    what: 'an unknown key',
    files: { '.bench-restrc.json': '{ "limti": 3 }' },
    args: run('URL/'),
    code: 2,
    says: [/\.bench-restrc\.json/, /limti.*did you mean limit\?/],
  },
  {
    id: 'B16',
    what: '__proto__ in a configuration file',
    files: { '.bench-restrc.json': '{ "__proto__": { "limit": 3 } }' },
    args: run('URL/'),
    code: 2,
    says: [/__proto__/],
  },
  {
    id: 'B16',
    what: 'constructor in a threshold',
    args: run('--threshold', 'constructor<5', 'URL/'),
    code: 2,
    says: [/constructor/],
  },
  {
    id: 'B16',
    what: '__proto__ as a property of an operation',
    files: { 'f.json': '{ "main": [{ "get": "URL/", "__proto__": { "put": "URL/" } }] }' },
    args: run('f.json'),
    code: 2,
    says: [/__proto__/],
  },
  {
    id: 'B16',
    what: '__proto__ as a phase in YAML',
    files: { 'f.yaml': 'main: [URL/]\n__proto__: { a: 1 }\n' },
    args: run('f.yaml'),
    code: 2,
    says: [/__proto__/],
  },
  {
    id: 'B16',
    what: 'a hook named toString',
    files: { 'flow.mjs': op("{ get: 'URL/', afterHooks: ['constructor', 'toString'] }") },
    args: run('flow.mjs'),
    code: 2,
    says: [/afterHooks\[0\]/, /afterHooks\[1\]/],
  },
  flags('B16', '--format constructor', /format/),
  flags('B16', '--http-client __proto__', /http-client/),
];

describe('invalid input to the command', () => {
  let cwd;
  let server;
  let url;
  let connections = 0;

  before(async () => {
    server = net.createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    connections = 0;
    cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  for (const { id, what, files = {}, links = {}, args, code, says } of ROWS) {
    it(`${id} ${what}: exit ${code} before the first request`, async () => {
      const aimed = (text) => (Buffer.isBuffer(text) ? text : text.replaceAll('URL/', `${url}/`));
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, name)), { recursive: true });
        writeFileSync(join(cwd, name), aimed(text));
      }
      for (const [name, to] of Object.entries(links)) symlinkSync(to, join(cwd, name));
      const result = await command(args.map(aimed), { cwd });
      expect(result.code, result.stderr).to.equal(code);
      for (const pattern of says) expect(result.stderr).to.match(pattern);
      expect(result.stdout).to.equal('');
      expect(result.stderr, 'a stack').not.to.match(/^\s+at .*(node:|lib\/)/m);
      expect(result.stderr).to.have.length.below(4000);
      expect(connections, 'connections').to.equal(0);
    });
  }
});

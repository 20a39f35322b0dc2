import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { mergeResults, percentile, renderResult } from 'bench-rest/results';
import { startTarget } from 'bench-rest/target';
import { expect } from 'chai';

import { benchrest } from '../index.js';
import { loadCommands } from '../lib/core/cli/commands/index.js';
import { refuseFlags } from '../lib/core/cli/refuse-arguments.js';
import { createProgram } from '../lib/core/cli/options.js';
import { PROPERTIES } from '../lib/core/flow/properties.js';
import { PHASES } from '../lib/core/ground/phases.js';
import { ERRORS } from '../lib/core/ground/errors.js';
import { HOOKS } from '../lib/core/hooks/index.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { explainName, otherNames } from '../lib/core/run/options/names.js';
import { selfSigned } from './support/certificate.js';
import { command, spawned, untilAnswered } from './support/command.js';
import { recorded, recording } from './support/har.js';
import { listen, shut } from './support/serve.js';
import { itSlow } from './support/slow.js';

const text = readFileSync(new URL('../docs/reference/coming-from.md', import.meta.url), 'utf8');
const written = text.replace(/<!-- generated[^]*?<!-- \/generated -->/g, '');
const program = createProgram({ version: '', commands: await loadCommands(), env: {}, submit() {} });

/** The rows of the table of flags, and of the lists below the title of a tool: the code of the other tool, and of ours. */
function rowsOf(document) {
  const rows = [];
  const tools = [];
  for (const line of document.split('\n')) {
    const [, level, title] = /^(#+) (.*)$/.exec(line) ?? [];
    if (level) tools.splice(level.length - 2, Infinity, title);
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, there, here] = /^- ((?:`[^`]*`|[^`])*?): (.*)$/.exec(line) ?? [];
    if (cells.length > 3) rows.push(rowOf('flag', cells[1], cells.slice(-2)));
    if (there) rows.push(rowOf(tools[0] === 'Other tools' ? tools[1] : tools[0], there, [here]));
  }
  return rows.filter((row) => row.there.length > 0);
}

const rowOf = (title, there, here) => ({
  title,
  there: codesOf(there),
  here: here.flatMap(codesOf),
  words: here.join(' '),
});

const codesOf = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code.replaceAll('\\|', '|'));

const ROWS = rowsOf(written);
const CODES = [...new Set(ROWS.flatMap(({ here }) => here))];
/** Notes that name what the other tool has, and values. */
const THEIRS = ['ab -k', 'ALPNProtocols', 'checkServerIdentity', 'context', 'maxVUs'];
const WORDS = ['auto', 'c', 'code', 'localhost', 'null', 'PORT', 'http.Server', 'text/plain', '/echo', '.bench-restrc'];
/** What a package and its functions are called. */
const PARTS = ['bench-rest', 'bench-rest/results', 'bench-rest/target', 'full', 'latency'];
const isLine = (code) => /^(?:bench-rest |-)|^site\.har /.test(code) && !isFlag(code);
const isFlag = (code) => /^--?[\w-]+(, --[\w-]+)?$/.test(code);

/** Names of ours that code can be, by what they are. */
const NAMES = {
  option: RUN_OPTIONS.map(({ name }) => name),
  property: [...Object.keys(PROPERTIES), ...PHASES, 'iterCtx', 'oneOf'],
  hook: HOOKS.map(({ name }) => name),
  event: ['start', 'progress', 'response', 'error', 'end'],
  kind: Object.values(ERRORS).flatMap(({ kind }) => kind ?? []),
  word: [...WORDS, ...PARTS],
  theirs: THEIRS,
};

/** What stands for a value of the reader's own, and shorter runs. @type {[RegExp, string][]} */
const INSTEAD = [
  [/^-\w, (?=--)/, ''],
  [/(?<=-T )type\b/, 'json'],
  [/(?<=-x )http:\/\/user:password@host:port/, 'URL'],
  [/(?<=--cert )file --key file/, 'cert.pem --key key.pem'],
  [/(?<=--ciphers )list/, 'ECDHE-RSA-AES128-GCM-SHA256'],
  [/"\$\(cat form.json\)"/, `'{"a":"1"}'`],
  [/(?<=-t |--duration |--stage |-W )\d+s/, '30ms'],
  [/(?<=-n )\d+/, '4'],
  [/(?<=-c )\d+/, '2'],
  [/(?<=-w )\d+/, '2'],
  [/(?<=:)10c/, '2c'],
];

/** Flags that say nothing alone. @type {[RegExp, string[]][]} */
const BESIDE = [
  [/^--abort-after/, ['--abort-on-fail', '--threshold', 'errors<1']],
  [/^-r (?!.*-t )/, ['-n', '4']],
];

/** Lines of the service. */
const SERVES = /^bench-rest serve\b|^--body OK$/;

const FLOW = 'export default { get: "/" };';
const FILES = {
  'flow.js': FLOW,
  'body.json': '{}',
  file: 'text',
  'x.png': 'png',
  'cert.pem': selfSigned().cert,
  'key.pem': selfSigned().key,
  'server.js': "require('node:http').createServer((_, answer) => answer.end()).listen(process.env.PORT);",
};

describe('coming-from.md', () => {
  let server;
  let url;
  let folder;
  /** what code of the page can name */
  let known;

  before(async () => {
    server = createServer((request, response) => request.resume().on('end', () => response.end('OK')));
    url = await listen(server);
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
    writeFileSync(join(folder, 'targets.txt'), `GET ${url}/\n`);
    writeFileSync(join(folder, 'site.har'), JSON.stringify(recording(recorded(`GET ${url}/items`))));
    await command(['-n', '2', '-o', join(folder, 'result.json'), url]);
    known = await knownOf({ url, folder });
  });
  after(async () => {
    await shut(server);
    rmSync(folder, { recursive: true });
  });

  const argumentsOf = (code) => {
    const line = INSTEAD.reduce((all, [pattern, value]) => all.replace(pattern, value), code);
    const args = wordsOf(line).map((word) =>
      word.replace(/^URL$/, `${url}/`).replace(/^\w+\.pem$/, join(folder, '$&')),
    );
    const beside = BESIDE.flatMap(([pattern, more]) => (pattern.test(code) ? more : []));
    const base = /flow\.js$|bench-rest -$/.test(code) ? ['--base-url', url] : [];
    const hasFlow = args[0] === 'bench-rest' || /URL$|^site\.har| -- /.test(code);
    const flow = code.startsWith('--start') ? ['/'] : [`${url}/`];
    return [...args, ...base, ...beside, ...(hasFlow ? [] : flow)].filter((arg) => arg !== 'bench-rest');
  };

  describe('prints command lines that run:', () => {
    const lines = CODES.filter(isLine);

    it('there are some', () => expect(lines.length).to.be.above(50));

    for (const code of lines.filter((one) => !SERVES.test(one)))
      itSlow(code, async () => {
        // a log is a file of the working directory, which a process has
        const run = code.includes('--log') ? spawned : command;
        // the suite also runs with undici, which has no pipelining
        const wire = code.includes('--pipelining') ? ['--http-client', 'builtin'] : [];
        const { code: exit, stderr } = await untilAnswered(() =>
          run([...wire, ...argumentsOf(code)], { cwd: folder, input: `[{ get: '${url}/' }]` }),
        );
        // a busy machine may be slow, and drop arrivals
        const allowed = [
          ...(/--threshold 'p95/.test(code) ? [99] : []),
          ...(/(^| )(-r|-R|--rate) /.test(code) ? [96] : []),
        ];
        expect(exit, stderr).to.be.oneOf([0, ...allowed]);
      });

    for (const code of lines.filter((one) => SERVES.test(one)))
      it(code, async () => {
        const args = wordsOf(code.replace(/^bench-rest (serve)?/, '').replace('8000', ''));
        const { stderr } = await command(['serve', '--port', '0', ...args], {
          async act(child, heard) {
            await heard(/http:\/\//);
            child.kill('SIGINT');
          },
        });
        expect(stderr).not.to.match(/error/i);
      });
  });

  describe('names flags that there are, or that are answered:', () => {
    const serve = program.commands.find((one) => one.name() === 'serve');
    for (const code of CODES.filter(isFlag))
      it(code, () => {
        const isOurs = (flag) =>
          [program, serve].some(({ options }) => options.some(({ short, long }) => [short, long].includes(flag)));
        const flags = code.replace(/^(-[td])\d+s?$/, '$1').split(', ');
        expect(flags.filter((flag) => !isOurs(flag) && !isAnswered(flag))).to.deep.equal([]);
      });
  });

  describe('prints code of programs and names that have a meaning:', () => {
    for (const code of CODES.filter((one) => !isLine(one) && !isFlag(one)))
      it(code, async () => expect(await meaningOf(code, known)).to.be.a('string'));
  });

  /** Reports whether an answer has a word or code of the row. */
  const agrees = (answer, { words }) =>
    /with two dashes/.test(answer) ||
    (words.match(/--?[a-z][\w-]*|[a-z][\w./-]{3,}/gi) ?? []).some((one) => answer.includes(one));

  describe('names of the other tool are ours, or are answered with what the page says:', () => {
    for (const row of ROWS)
      for (const name of row.there.flatMap(flagsOf))
        it(`${row.title}: ${name}`, () => {
          const [answer] = refuseFlags([name, '1'], program).flags;
          expect(answer).not.to.match(/unknown option|did you mean/);
          expect(answer === undefined || agrees(answer, row), answer).to.equal(true);
        });
  });

  describe('run options of the other tool are ours, or are answered with what the page says:', () => {
    // a word can be a name in a result, too, as rps of loadtest
    const isOption = (code) =>
      /^[a-z]\w+$/.test(code) && ![...otherNames().words, 'rps'].includes(code) && !NAMES.option.includes(code);
    for (const row of ROWS.filter(({ title }) => ['autocannon', 'loadtest'].includes(title)))
      for (const name of row.there.filter((code) => isOption(code) && explainName(code, 'option') !== undefined))
        it(`${row.title}: ${name}`, () =>
          expect(agrees(explainName(name, 'option'), row), explainName(name, 'option')).to.equal(true));
  });
});

/** @type {(line: string) => string[]} */
function wordsOf(line) {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** The flags in code of the other tool: `-c, --connections`, `wrk -t12 URL`. @type {(code: string) => string[]} */
function flagsOf(code) {
  if (code.startsWith('vegeta encode')) return [];
  const own = code.replace(/'[^']*'|"[^"]*"/g, '').split(' -- ')[0];
  return (own.match(/(?<![\w-])--?[a-z][\w-]*/gi) ?? []).map((name) => name.replace(/^(-[tcd])\d+s?$/, '$1'));
}

/** @type {(flag: string) => boolean} */
function isAnswered(flag) {
  const [problem] = refuseFlags([flag, '1'], program).flags;
  return problem === undefined ? program.optionOf(flag)?.is(flag) === false : !/unknown option/.test(problem);
}

/** What a run, its hooks and its result have. */
async function knownOf({ url, folder }) {
  let all;
  const flow = { main: [{ get: `${url}/`, afterHooks: [(given) => (all = given)] }], iterCtx: {} };
  const { stats } = await benchrest(flow, { limit: 1, iterations: 1 });
  const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
  return { all, stats, result, url, folder };
}

/** What code of the page means here; undefined if it has no meaning. */
async function meaningOf(code, { all, stats, result, url, folder }) {
  const kind = Object.keys(NAMES).find((one) => NAMES[one].includes(code));
  if (kind !== undefined) return kind;
  if (/^(all|run)(\.\w+)*\.\w+\(/.test(code)) return isMethod(code, { all, url }) ? 'method' : undefined;
  if (/^[a-z]\w*(\.\w+)*$/i.test(code)) return hasPath({ all, stats, result }, code) ? 'path' : undefined;
  return runs(code, { url, folder, result });
}

/** Methods of `all`, and of a run. @type {(code: string, known: { all: object, url: string }) => boolean} */
function isMethod(code, { all, url }) {
  const run = code.startsWith('run.') ? benchrest(url, { limit: 1, iterations: 1 }) : undefined;
  const [path] = code.split('(');
  return typeof valueAt({ all, run }, path) === 'function';
}

/** A path of `all`, of the event `start`, or of the result, whose parts may be named alone. */
function hasPath({ all, stats, result }, code) {
  const roots = [
    { all },
    result,
    stats,
    result.main?.histogram,
    { errors: { kinds: Object.fromEntries(NAMES.kind.map((one) => [one, 0])) } },
  ];
  const name = code.replace(/^run\.(stop|abort)$/, 'all.$1');
  return roots.some((root) => valueAt(root, name) !== undefined) || /^(target|origins)$/.test(code);
}

/** @type {(root: any, path: string) => any} */
function valueAt(root, path) {
  return path.split('.').reduce((value, name) => value?.[name], root);
}

const SHORT = { limit: 1, iterations: 1 };

/** Runs code of the page: a token, an expression, properties of a flow, of an operation, or run options. */
async function runs(code, { url, folder, result }) {
  const full = code
    .replace('=> …', "=> '1'")
    .replace(/, … }/, ' }')
    .replace('{ … }', '{ port: 0 }')
    .replace(', …)', ', options)')
    .replace('import.meta.url', 'here')
    .replace('import.meta.url', 'here')
    .replace(/'(site.har)'/, 'recordingFile')
    .replace(/'10s'(?= }\))/, "'30ms'");
  if (/^#\{/.test(code)) {
    const tokens = { id: () => '1' };
    const { errorCount } = await benchrest(
      { main: [{ get: `${url}/${code}` }], tokens },
      { ...SHORT, args: { name: 1 } },
    );
    return errorCount === 0 ? 'token' : undefined;
  }
  if (code.startsWith('export ')) {
    writeFileSync(join(folder, 'report.mjs'), `export default { get: '${url}/' };\n${full};`);
    return /\n {2}1\n/.test((await command([join(folder, 'report.mjs')])).stdout) ? 'module' : undefined;
  }
  if (/^(while|unix:)/.test(code)) return 'shell';
  const value = await evaluated(/^\w+: /.test(full) ? `{ ${full} }` : full, { url, folder, result });
  if (value?.close) await value.close();
  return /^\{/.test(code) || /^\w+: /.test(code) ? usedIn(value, url) : typeof value;
}

/** Evaluates an expression of the page. */
function evaluated(code, { url, folder, result }) {
  const scope = {
    ...{ benchrest, renderResult, mergeResults, percentile, startTarget, url, result, results: [result] },
    ...{ URL: /new URL/.test(code) ? URL : `${url}/`, a: `${url}/a`, b: `${url}/b`, here: import.meta.url },
    ...{ method: 'POST', body: 'text', headers: { a: 'b' }, json: { a: 1 }, file: join(folder, 'file'), args: {} },
    ...{ options: SHORT, run: benchrest(url, SHORT), recordingFile: join(folder, 'site.har') },
    ...{ stdout: new PassThrough(), stderr: new PassThrough(), progress: 0 },
  };
  const AsyncFunction = (async () => {}).constructor;
  return new AsyncFunction(...Object.keys(scope), `return (${code});`)(...Object.values(scope));
}

/** Where properties have an effect. */
async function usedIn(properties, url) {
  const names = Object.keys(properties);
  const isOf = (kind) => names.every((name) => NAMES[kind].includes(name));
  const flow = { get: `${url}/` };
  if (names.includes('a') || names.includes('args')) return 'values';
  if (isOf('option') && typeof Object.values(properties)[0] !== 'function') {
    await benchrest(flow, { ...SHORT, ...properties });
    return 'options';
  }
  const own = names.some((name) => ['url', 'post', 'get'].includes(name)) || names.includes('main') ? {} : flow;
  const given = names.includes('tokens') ? { main: [flow], ...properties } : { ...own, ...properties };
  const { errors } = (await benchrest(names.includes('oneOf') ? properties : given, { ...SHORT, baseUrl: url })).stats;
  return errors.count === 0 || errors.kinds.expect !== undefined ? 'flow' : undefined;
}

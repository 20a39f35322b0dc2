import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openTarget } from '../target.js';

/** Files of the folder in which each command runs; URL is the target. */
const FILES = {
  'flow.js': "module.exports = { main: [{ put: URL + '/#{INDEX}', json: { id: '#{INDEX}' } }] };",
  'flow.json': '{ "main": [{ "get": "URL/json" }] }',
  'parts.js': "module.exports = require('./flow.js').main.concat({ get: URL + '/last' });",
  'index.js': "module.exports = URL + '/index';",
  'bad.js': "module.exports = URL + '/status/500';",
  'argv.js': "module.exports = URL + '/' + process.argv.slice(2).length + process.argv.indexOf('-n');",
  'own.js': "exports.main = [{ get: URL + '/own' }];\nrequire('BENCH_REST')(exports, { limit: 1, iterations: 1 });",
  plain: "module.exports = URL + '/plain';",
  'broken.js': 'module.exports = {',
};

/**
 * Command lines for 1.2.4, of which the requests are compared, and whether the command succeeded. `URL` is the target.
 *
 * @typedef {{ requests: string[], succeeds: boolean }} Said
 * @type {{ name: string, args: string[], differs?: { guide: string, theirs: Said, ours: Said } }[]}
 */
export const COMMANDS = [
  { name: 'the command with a URL alone', args: ['URL/a'] },
  { name: '-n and -c', args: ['-n', '3', '-c', '1', 'URL/a'] },
  { name: '--iterations=3 --concurrency=1', args: ['--iterations=3', '--concurrency=1', 'URL/a'] },
  { name: '-c above -n', args: ['-n', '2', '-c', '50', 'URL/a'] },
  { name: 'flags after the flow', args: ['./flow.js', '-n', '2', '-c', '1'] },
  { name: 'a flow file', args: ['-n', '2', '-c', '1', './flow.js'] },
  { name: 'a flow file without ./', args: ['-n', '2', '-c', '1', 'flow.js'] },
  { name: 'a flow in JSON', args: ['flow.json'] },
  { name: 'a flow file that requires another', args: ['parts.js'] },
  { name: 'a flow file that reads process.argv', args: ['-n', '2', '-c', '1', 'argv.js'] },
  { name: '-d and -a', args: ['-n', '2', '-c', '1', '-d', '500', '-a', '1', 'flow.js'] },
  { name: '-d 0', args: ['-n', '2', '-c', '1', '-d', '0', 'flow.js'] },
  {
    name: '-n 1e1',
    args: ['-n', '1e1', '-c', '1', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: ['10 x GET /a, host: TARGET'], succeeds: true },
    },
  },
  {
    name: '-n 1k',
    args: ['-n', '1k', '-c', '1', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: ['1000 x GET /a, host: TARGET'], succeeds: true },
    },
  },
  {
    name: '-c 10x',
    args: ['-n', '2', '-c', '10x', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['2 x GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-n 3.7',
    args: ['-n', '3.7', '-c', '1', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['3 x GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-n of an empty text',
    args: ['-n', '', '-c', '1', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-d 1e3',
    args: ['-n', '2', '-c', '1', '-d', '1e3', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['2 x GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  { name: '-n 0', args: ['-n', '0', 'URL/a'] },
  { name: '-u of an empty text', args: ['-u', '', 'URL/a'] },
  { name: '-p of an empty text', args: ['-p', '', 'URL/a'] },
  { name: '-u and -p of empty texts', args: ['-u', '', '-p', '', 'URL/a'] },
  { name: '-u with -p of an empty text', args: ['-u', 'joe', '-p', '', 'URL/a'] },
  {
    name: '-u of an empty text with -p',
    args: ['-u', '', '-p', 'x', 'URL/a'],
    differs: {
      guide: '`-p` needs',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-u joe:secret',
    args: ['-u', 'joe:secret', 'URL/a'],
    differs: {
      guide: '`-u USER:PASSWORD`',
      theirs: { requests: ['GET /a, authorization: Basic am9lOnNlY3JldDp1bmRlZmluZWQ=, host: TARGET'], succeeds: true },
      ours: { requests: ['GET /a, authorization: Basic am9lOnNlY3JldA==, host: TARGET'], succeeds: true },
    },
  },
  { name: '-c without its number', args: ['-n', '2', '-c', 'URL/a'] },
  { name: 'a flow file that runs itself', args: ['own.js'] },
  { name: '-u and -p', args: ['-u', 'joe', '-p', 'secret', 'URL/a'] },
  { name: "-e with quotes of JavaScript: { head: '…' }", args: ['-e', "{ head: 'URL/a' }"] },
  { name: '-e with an array', args: ['-n', '2', '-c', '1', '-e', "[{ get: 'URL/a' }, { get: 'URL/b' }]"] },
  { name: '-e with a URL alone', args: ['-e', 'URL/a'] },
  { name: '-e with an expression', args: ['-e', "{ get: 'URL/' + 3 * 4 }"] },
  { name: '--evaluate', args: ['--evaluate', "{ post: 'URL/a', json: { a: 1 } }"] },
  { name: 'a failing flow', args: ['bad.js'] },
  { name: 'a flow file that is not there', args: ['missing.js'] },
  { name: 'a flow file that cannot be read', args: ['broken.js'] },
  { name: 'an unknown flag', args: ['--unknown', 'URL/a'] },
  { name: 'no flow', args: ['-n', '2'] },
  {
    name: 'two flows',
    args: ['URL/a', 'URL/b'],
    differs: {
      guide: 'Several URLs are one flow',
      theirs: { requests: [], succeeds: false },
      ours: { requests: ['GET /a, host: TARGET'], succeeds: true },
    },
  },
  {
    name: 'a flow file without an extension in its name',
    args: ['plain'],
    differs: {
      guide: 'A flow file needs',
      theirs: { requests: ['GET /plain, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: 'a URL after --',
    args: ['--', 'URL/a'],
    differs: {
      guide: 'After `--` comes',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-a above all bounds',
    args: ['-n', '2', '-c', '1', '-a', '1000000000', 'URL/a'],
    differs: {
      guide: '`-n`, `-c`, `-a` and `-d` are read',
      theirs: { requests: ['2 x GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  { name: '-e beside a flow', args: ['-e', 'URL/a', 'URL/b'] },
  { name: '-h', args: ['-h'] },
  { name: '-V', args: ['-V'] },
  {
    name: 'the number of errors as exit code',
    args: ['-n', '256', '-c', '1', 'bad.js'],
    differs: {
      guide: 'The exit code is',
      theirs: { requests: ['256 x GET /status/500, host: TARGET'], succeeds: true },
      ours: { requests: ['256 x GET /status/500, host: TARGET'], succeeds: false },
    },
  },
  { name: 'a flow file without its extension', args: ['./flow'] },
  {
    name: 'a folder with index.js',
    args: ['.'],
    differs: {
      guide: 'A folder is no flow',
      theirs: { requests: ['GET /index, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-p without -u',
    args: ['-p', 'secret', 'URL/a'],
    differs: {
      guide: '`-p` needs',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
  {
    name: '-d below 1000 without -n',
    args: ['-d', '500', 'URL/a'],
    differs: {
      guide: '`-d` below',
      theirs: { requests: ['GET /a, host: TARGET'], succeeds: true },
      ours: { requests: [], succeeds: false },
    },
  },
];

/**
 * Plays a command line: `run(args, { cwd })` resolves with an exit code; `library` is what a flow file requires.
 * @returns {Promise<Said>}
 */
export async function playCommand({ args }, { library, run }) {
  const target = await openTarget({});
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  for (const [name, text] of Object.entries(FILES)) {
    const value = name.endsWith('.json') ? target.url : `'${target.url}'`;
    writeFileSync(join(folder, name), text.replaceAll('URL', value).replaceAll('BENCH_REST', library));
  }
  const { code } = await run(
    args.map((arg) => arg.replaceAll('URL', target.url)),
    { cwd: folder },
  );
  rmSync(folder, { recursive: true });
  target.close();
  const lines = target.requests.map(target.withoutPort);
  // many of the same are one, with their number
  const requests = [...new Set(lines)].map((line) => {
    const count = lines.filter((one) => one === line).length;
    return count > 1 ? `${count} x ${line}` : line;
  });
  return { requests, succeeds: code === 0 };
}

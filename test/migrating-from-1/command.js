import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { RUN_OPTIONS } from '../../lib/core/run/options/index.js';
import { PROGRAM, ROOT, saidBy } from '../support/command.js';
import { until } from '../support/until.js';

const rowOf = (name) => RUN_OPTIONS.find((row) => row.name === name);

/** The run options that a command line leads to. */
async function configOf({ command, url }, args) {
  const { stdout, stderr } = await command([...args, '--print-config', url]);
  expect(stdout, stderr).not.to.equal('');
  return stdout;
}

/** A flow file that runs itself, and exits when that run has ended. */
const exiting = (url, around = (run) => run) => `
  exports.main = [{ get: '${url}/main' }];
  ${around(`require('${ROOT}')('${url}/own', { limit: 1, iterations: 1 }).on('end', () => process.exit(3));`)}`;

/** A flow file that prints a line. */
const printing = (url) => `console.log('a flow prints'); module.exports = '${url}/a';`;

/** The command. @type {import('../migrating-from-1.test.js').Stories} */
export const COMMAND_LINES = {
  'A flow file without operations': {
    async here({ command, file }) {
      const { code, stderr } = await command([file('flow.js', 'module.exports = { main: [] };')]);
      expect([code, stderr]).to.satisfy(([is, text]) => is === 2 && /flow\.main: has no operations/.test(text));
    },
  },
  'Node 20.19': {
    here: () => expect(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).engines.node).to.equal('>=20.19'),
  },
  'The command prints a readable report': {
    async here({ command, url }) {
      const plain = await command(['-n', '2', url]);
      const full = await command(['-n', '2', '--full', url]);
      expect(plain.stdout)
        .to.match(/p99/)
        .and.not.match(/histogram/);
      expect(full.stdout.split('\n').length).to.be.above(plain.stdout.split('\n').length);
    },
    async instead({ command, url, codes: [object, json] }) {
      const dump = await command(['-n', '2', ...object.split(' '), url]);
      expect(dump.stdout).to.match(/^errors: 0\n[^]*stats: \{\n {2}totalElapsed: [^]*histogram: \{\n {6}min: /);
      const { main } = JSON.parse((await command(['-n', '2', json, url])).stdout);
      expect(main.histogram.count).to.equal(2);
    },
  },
  'The exit code is': {
    async instead({ command, url, codes: [json, path], valueOf }) {
      const { stdout, code } = await command(['-n', '3', json, `${url}/status/500`]);
      expect([valueOf(path, JSON.parse(stdout)), code]).to.deep.equal([3, 1]);
    },
  },
  'The progress display': {
    async here({ command, url }) {
      // a second of a run, which ends later on a busy machine
      const run = ['-n', '20', '-r', '20', '-c', '1'];
      const line = /^\d+ s of .* \(\d+ %\): .*\/s, p50 .* errors$/m;
      expect((await command([...run, '-d', '100', url])).stderr).to.match(line);
      expect((await command([...run, url])).stderr).not.to.match(/^\d+ s of /m);
    },
    async instead({ command, url, codes: [dashboard, output], folder }) {
      const { stderr } = await command(['-n', '2', dashboard, url]);
      expect(stderr).to.match(/dashboard: http/);
      await command(['-t', '1500ms', '-r', '10', ...output.split(' '), url]);
      const lines = readFileSync(join(folder, output.split(' ')[1]), 'utf8')
        .trim()
        .split('\n');
      expect(lines.map((line) => JSON.parse(line)).length).to.be.above(1);
    },
  },
  'A folder is no flow': {
    async instead({ command, url, codes: [path], folder, requests }) {
      mkdirSync(join(folder, 'folder'));
      writeFileSync(join(folder, path), `module.exports = '${url}/index';`);
      await command([path]);
      expect(requests()).to.deep.equal(['GET /index, host: TARGET']);
    },
  },
  'A flow file needs': {
    async instead({ command, url, codes: [name], file, requests }) {
      file(name, `module.exports = '${url}/a';`);
      expect((await command([name])).code).to.equal(0);
      expect(requests()).to.deep.equal(['GET /a, host: TARGET']);
    },
  },
  'After `--` comes': {
    async instead({ command, url, requests }) {
      expect((await command([`${url}/a`])).code).to.equal(0);
      expect(requests()).to.deep.equal(['GET /a, host: TARGET']);
    },
  },
  '`-p` needs': {
    async instead({ command, url, codes: [flags], requests }) {
      await command([...flags.split(' '), url]);
      expect(requests()).to.deep.equal([`GET /, authorization: Basic ${btoa('USER:PASSWORD')}, host: TARGET`]);
    },
  },
  '`-n`, `-c`, `-a` and `-d` are read': {
    async instead({ command, url, codes: [flags], requests }) {
      await command([...flags.split(' '), url]);
      expect(requests()).to.have.lengthOf(10);
    },
  },
  '`-d` below': {
    async instead(context) {
      const [duration, iterations, progress, prealloc] = context.codes.map((code) => code.split(' '));
      const values = [...progress, '500', ...prealloc, '5'];
      expect(await configOf(context, [...duration, ...values])).to.match(/duration +10000 [^]*progress +500 /);
      const { code } = await context.command([...iterations, ...values, context.url]);
      expect([code, context.requests().length]).to.deep.equal([0, 1000]);
    },
  },
  '`--prealloc` is 0': {
    here: () => expect(rowOf('prealloc')).to.include({ default: 0 }).and.not.have.property('commandDefault'),
    async instead(context) {
      expect(await configOf(context, ['-n', '2', ...context.codes[0].split(' ')])).to.match(/prealloc +100000 /);
    },
  },
  'Ctrl-C': {
    async here({ command, url, requests }) {
      const act = async (child) => {
        // the virtual user asks again after its first response
        await until(() => requests().length > 1);
        child.kill('SIGINT');
      };
      const { code, stdout } = await command(['--forever', '-c', '1', url], { act });
      expect([code, /p99/.test(stdout)]).to.deep.equal([100, true]);
    },
    async instead({ command, url }) {
      // the request is never answered: one Ctrl-C would wait for it
      const { code } = await command(['-n', '1', '--timeout', '0', `${url}/never`], { act: pressing(2) });
      expect(code).to.equal(100);
    },
  },
  '`process.chdir`': {
    async here({ command, url, file }) {
      const flow = file('flow.js', `process.chdir('/'); module.exports = '${url}/a';`);
      const { code, stderr } = await command([flow], { engine: 'thread' });
      expect([code, /process\.chdir/.test(stderr)]).to.deep.equal([2, true]);
    },
    async instead({ url, file, requests }) {
      const program = file(
        'program.js',
        `process.chdir('/'); process.on('SIGHUP', () => {});
        require('${ROOT}')('${url}/a', { limit: 1, iterations: 1 });`,
      );
      expect((await saidBy(process.execPath, [program])).code).to.equal(0);
      expect(requests()).to.deep.equal(['GET /a, host: TARGET']);
    },
  },
  'What a flow prints': {
    async here({ command, url, file }) {
      const { stdout, stderr } = await command([file('flow.js', printing(url))], { engine: 'thread' });
      expect([stdout, stderr].map((text) => text.includes('a flow prints'))).to.deep.equal([false, true]);
    },
    async instead({ url, file, codes: [redirection] }) {
      const line = `"${process.execPath}" "${PROGRAM}" "${file('flow.js', printing(url))}" ${redirection}`;
      expect((await saidBy('sh', ['-c', line])).stdout).to.include('a flow prints');
    },
  },
  '`module.parent` and `require.main`': {
    async here({ command, url, file, requests }) {
      const flow = file('flow.js', `module.exports = '${url}/' + [typeof module.parent, typeof require.main];`);
      await command([flow], { engine: 'thread' });
      expect(requests()).to.deep.equal(['GET /undefined,undefined, host: TARGET']);
    },
    async instead({ command, url, file, codes: [condition], requests }) {
      const flow = file('flow.js', `module.exports = '${url}/' + (${condition});`);
      await command([flow], { engine: 'thread' });
      expect(requests()).to.deep.equal(['GET /false, host: TARGET']);
      const program = file('program.js', `process.exit(${condition} ? 3 : 4);`);
      expect((await saidBy(process.execPath, [program])).code).to.equal(3);
    },
  },
  '`process.exit` in a flow file': {
    async here({ command, url, file }) {
      const { code, stderr } = await command(['--forever', file('flow.js', exiting(url))], { engine: 'thread' });
      expect(code).to.equal(1);
      expect(stderr)
        .to.match(/the flow ended its process with code 3/)
        .and.match(/require\.main === module/);
    },
    async instead({ command, url, file, codes: [condition], requests }) {
      const flow = file(
        'flow.js',
        exiting(url, (run) => `${condition} { ${run} }`),
      );
      expect((await command([flow], { engine: 'thread' })).code).to.equal(0);
      expect((await saidBy(process.execPath, [flow])).code).to.equal(3);
      expect(requests()).to.deep.equal(['GET /main, host: TARGET', 'GET /own, host: TARGET']);
    },
  },
};

/** Presses Ctrl-C so many times, when the run has started. */
const pressing = (times) => async (child, heard) => {
  await heard(/against|virtual user/);
  for (let time = 0; time < times; time++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
  }
};

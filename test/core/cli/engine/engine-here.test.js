import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect } from 'chai';

import { runsHere } from '../../../../lib/core/cli/engine/engine-here.js';
import { likelySmall } from '../../../../lib/core/cli/commands/index.js';
import { EXIT_CODES } from '../../../../lib/core/ground/exit-codes.js';
import { PROGRAM, saidBy } from '../../../support/command.js';
import { ok, serving } from '../../../support/serve.js';

const URL_ARGUMENT = { argument: 'http://127.0.0.1:9/' };

/** The result of a command in a process of its own, which gets a signal when the server has a request. */
async function signalled(signals, args) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let result = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  child.stdout.setEncoding('utf8').on('data', (text) => (result += text));
  const signal = () => child.kill('SIGINT');
  signals(signal);
  const [code] = await once(child, 'close');
  return { code, said, result };
}

describe('cli/engine/engine-here', () => {
  for (const [source, options, isHere] of [
    [URL_ARGUMENT, {}, true],
    [URL_ARGUMENT, { iterations: 10, limit: 3, insecure: true }, true],
    [{ urls: ['http://127.0.0.1:9/', 'https://127.0.0.1:9/'] }, { iterations: 1 }, true],
    [URL_ARGUMENT, { iterations: 11 }, false],
    [URL_ARGUMENT, { duration: 1000 }, false],
    [URL_ARGUMENT, { iterations: 1, rate: 5 }, false],
    [URL_ARGUMENT, { iterations: 1, workers: 2 }, false],
    [{ argument: 'flow.js' }, { iterations: 1 }, false],
    [{ evaluate: "'http://127.0.0.1:9/'" }, { iterations: 1 }, false],
  ])
    it(`${JSON.stringify(source)} with ${JSON.stringify(options)} ${isHere ? 'needs no' : 'has a'} thread`, () => {
      expect(runsHere(source, options)).to.equal(isHere);
    });

  it('the guess before the flags are read finds what may need no thread', () => {
    const small = [['http://a/'], ['-n', '1', 'http://a/'], ['https://a/', '--iterations=10', '-H', 'a: b']];
    const others = [
      ['flow.js'],
      ['-n', '11', 'http://a/'],
      ['-n', '1k', 'http://a/'],
      ['-t', '1s', 'http://a/'],
      ['http://a/', '--workers', '2'],
    ];
    expect(small.filter((args) => !likelySmall(args))).to.deep.equal([]);
    expect(others.filter(likelySmall)).to.deep.equal([]);
  });

  it('a small run has the result of a thread', () =>
    serving(ok, async (url) => {
      const [small, large] = await Promise.all(
        ['10', '11'].map((n) => saidBy(process.execPath, [PROGRAM, '--json', '-n', n, url])),
      );
      expect([small.code, large.code]).to.deep.equal([0, 0]);
      const [one, other] = [small, large].map(({ stdout }) => JSON.parse(stdout));
      expect(one.iterations.completed).to.equal(10);
      expect(Object.keys(one)).to.deep.equal(Object.keys(other));
      expect(Object.keys(one.loadGenerator)).to.deep.equal(Object.keys(other.loadGenerator));
    }));

  it('Ctrl-C stops it, and the request in flight ends', async () => {
    let answer;
    let signal;
    await serving(
      (_, response) => {
        answer = () => response.end('ok');
        signal();
        setTimeout(answer, 300);
      },
      async (url) => {
        const { code, result } = await signalled((send) => (signal = send), ['-n', '2', '-c', '1', '--json', url]);
        expect(code).to.equal(EXIT_CODES.interrupted.code);
        expect(JSON.parse(result).iterations).to.include({ started: 1, completed: 1 });
      },
    );
  });

  it('a second Ctrl-C aborts it', async () => {
    let signal;
    await serving(
      () => {
        signal();
        setTimeout(signal, 300);
      },
      async (url) => {
        const { code, result } = await signalled((send) => (signal = send), ['-n', '1', '--json', url]);
        expect(code).to.equal(EXIT_CODES.interrupted.code);
        expect(JSON.parse(result).iterations).to.include({ started: 1, cancelled: 1 });
      },
    );
  });
});

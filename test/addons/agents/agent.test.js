import { join } from 'node:path';

import { expect } from 'chai';

import { Agent } from '../../../lib/addons/agents/agent.js';
import { PROTOCOL, TIMING, unpack, writeMessage } from '../../../lib/addons/agents/protocol.js';
import { PREPARE } from '../../../lib/addons/agents/run-control.js';
import { connectionOf, contentOf } from '../../support/seal.js';
import { stateOf } from '../../support/shard-reports.js';

const FLOW = {
  kind: 'data',
  name: 'flow.json',
  hash: 'x',
  source: { kind: 'file', file: 'flow.json' },
  folder: '',
  files: [{ name: 'flow.json', encoding: 'utf8', content: '["http://127.0.0.1:1/"]' }],
  disk: null,
};
const SHARD = { protocol: PROTOCOL, run: 'r1', number: 1, of: 1 };

/** An agent that gets this work from a queue in memory: the requests of its engines, and its reports. */
async function handing(
  work,
  {
    secret = null,
    clock,
    shard = SHARD,
    writer,
    again = false,
    workers = 'auto',
    closeWorker = async () => {},
    ready,
    getrange,
    exec,
    onEngine,
    getsStop = false,
    logFolder = null,
    saveResult,
    stats = null,
    write = async () => 1,
  } = {},
) {
  const engines = [];
  const lines = [];
  const reports = [];
  let runJob;
  const commands = [];
  const pipeline = { exec: exec ?? (async () => []) };
  for (const name of ['sadd', 'set', 'eval', 'srem', 'del']) pipeline[name] = () => (commands.push(name), pipeline);
  const redis = {
    pipeline: () => pipeline,
    getrange: getrange ?? (async () => sealed('control', 'r1', PREPARE)),
    set: async () => 'OK',
    eval: async (_script, _count, _control, _report, bytes) => {
      const isStored = await write();
      reports.push(await unpack(contentOf(bytes)));
      return isStored;
    },
  };
  const connection = connectionOf(redis, { secret, clock });
  const other = writer ?? connection.seal;
  const sealed = (purpose, name, message) => writeMessage(other, purpose, name, message, { now: 0, lifeMs: 1000 });
  const data = {
    protocol: PROTOCOL,
    run: 'r1',
    flow: FLOW,
    config: { name: 'c', options: {} },
    commandLine: [],
    ...work,
  };
  class Jobs {
    on() {}
    getJob = async () => ({ data: { sealed: sealed('work', 'p', data) } });
    close = async () => {};
  }
  class Worker extends Jobs {
    constructor(_name, handle) {
      super();
      runJob = handle;
    }
    waitUntilReady = ready ?? (async () => {});
    close = closeWorker;
  }
  const agent = new Agent({
    queue: {
      ...{
        ...connection,
        bullmq: { Queue: Jobs, Worker },
        settings: {},
        address: 'memory',
        time: async () => Date.now(),
      },
      errorOf: ({ message }) => Object.assign(new Error(`the queue: ${message}`), { code: 'E_QUEUE' }),
    },
    ...{ name: 'box-1', pool: 'p', version: '2.0.0', workers, cwd: process.cwd() },
    allowed: { code: false, variables: [], targets: null },
    logFolder,
    secrets: { name: 'environment of the agent', options: {} },
    saveResult,
    createEngine(request, { onBegin }) {
      engines.push(request);
      onEngine?.(agent);
      onBegin({ plan: {}, from: 'flow.json', hash: 'x', notices: [], hints: [] });
      const outcome = Promise.resolve({ kind: 'ended', stats, why: 'completed' });
      return { outcome, stop() {}, abort() {}, startAt() {}, close: async () => {} };
    },
    log: process.stderr,
    notify: (text) => lines.push(text),
    timing: { ...TIMING, closeMs: 1, unreachableMs: 1, collectMs: 1, pollMs: 1 },
  });
  try {
    await agent.start();
    const given = { data: { sealed: sealed('shard', 'p', shard) }, parent: { id: '1' }, attemptsStarted: 1 };
    if (again) await runJob(given, 'lease');
    const job = runJob(given, 'lease').catch(String);
    if (getsStop) {
      agent.stop('SIGINT');
      await agent.close();
    }
    const how = await job;
    return { how, engines, reports, lines, commands };
  } finally {
    await agent.close();
  }
}

describe('an agent', () => {
  for (const [options, says] of [
    [{ start: 'rm -rf /' }, /its option start would start a server/],
    [{ socketPath: '/var/run/docker.sock' }, /its option socketPath is a socket of this machine/],
    [{ envFiles: ['/etc/environment'] }, /its option envFiles is a file/],
  ])
    it(`refuses ${Object.keys(options)[0]}, which a job of another program may have`, async () => {
      const layer = { name: 'command line', options };
      for (const work of [{ config: layer }, { commandLine: [layer] }]) {
        const { how, engines, reports } = await handing(work);
        expect(engines).to.deep.equal([]);
        expect(how).to.match(says);
        expect(reports[0]).to.include({ state: 'refused' });
        expect(reports[0].error).to.include({ code: 'E_PACKET' });
      }
    });

  it('runs no command, and reads no socket and no variables, whatever the flow says', async () => {
    const [{ commandLine }] = (await handing({})).engines;
    expect(commandLine.at(-1).options).to.include({ start: null, socketPath: null, envFiles: null });
  });

  it('writes the log of a run into its own folder, whatever the flow says', async () => {
    const logOf = async (options, logFolder) => {
      const { engines, reports } = await handing({ commandLine: [{ name: '--log', options }] }, { logFolder });
      return engines[0]?.commandLine.at(-1).options.log ?? reports[0]?.error ?? null;
    };
    expect(await logOf({ log: 'requests.csv' }, '/var/log')).to.equal(join('/var/log', 'requests.csv'));
    expect(await logOf({}, '/var/log')).to.equal(null);
    const none = await logOf({ log: 'requests.csv' }, null);
    expect(none.code).to.equal('E_LOG');
    expect(none.message).to.match(/requests\.csv: this agent has no folder for it; start agents with --log-folder/);
    for (const log of ['/etc/a.csv', '../a.csv', 'a/b.csv', '.a.csv', 'a\\b.csv', '', 7]) {
      const { code, message } = await logOf({ log }, '/var/log');
      expect([code, message]).to.deep.equal(['E_PACKET', message]);
      expect(message).to.match(/its option log is not the name of a file/);
    }
  });

  it('A17 is refused if Redis is lost while it begins to wait', async () => {
    const error = await handing({}, { ready: () => new Promise(() => {}) }).catch((thrown) => thrown);
    expect(error).to.include({ code: 'E_QUEUE', message: 'the queue: Command timed out' });
  });

  it('prints why a job failed, which BullMQ takes', async () => {
    const getrange = async () => {
      throw new Error('Connection is closed.');
    };
    const { how, lines } = await handing({}, { getrange });
    expect(how).to.equal('Error: Connection is closed.');
    expect(lines).to.deep.equal(['a shard failed: the queue: Connection is closed.']);
  });

  it('closes although BullMQ cannot, as Redis is unreachable', async () => {
    const { how } = await handing({}, { closeWorker: () => new Promise(() => {}) });
    expect(how).to.equal('completed');
  });

  it('closes although Redis answers nothing', async () => {
    let isAnswering = true;
    const exec = () => (isAnswering ? Promise.resolve([]) : new Promise(() => {}));
    const { how } = await handing({}, { exec, onEngine: () => (isAnswering = false) });
    expect(how).to.equal('completed');
  });

  it('A95 the result of a shard is saved when its coordinator waits no longer for the queue', async () => {
    const saved = [];
    const write = async () => {
      throw new Error('Connection is closed.');
    };
    const saveResult = ({ number }, { begun, stats, why }) => {
      saved.push({ number, hash: begun.hash, iterations: stats.iterations.started, why });
      return '/x/bench-rest-r1-1.json';
    };
    const { how, lines } = await handing({}, { write, saveResult, stats: stateOf([1, 2], { isOver: true }) });
    expect(saved).to.deep.equal([{ number: 1, hash: 'x', iterations: 2, why: 'completed' }]);
    expect(how).to.equal('completed');
    expect(lines.join()).to.match(/the result of shard 1 of 1 is in \/x\/bench-rest-r1-1\.json: bench-rest merge/);
  });

  it('A91 an agent does not keep a result for a run that is over', async () => {
    const { how } = await handing({}, { write: async () => 0, stats: stateOf([1], { isOver: true }) });
    expect(how).to.equal('completed; its run no longer wants the result');
  });

  it('is not present again when the shard ends in which it was closed', async () => {
    const { commands } = await handing({}, { onEngine: (agent) => void agent.close() });
    expect(commands.slice(-3)).to.deep.equal(['srem', 'del', 'eval']);
  });

  it('takes another name if one that is suspended has lost its own', async () => {
    let reports = 0;
    const exec = async () => [[null, ++reports === 1 ? 0 : 1]];
    const { lines } = await handing({}, { exec });
    expect(lines[0]).to.match(/^another agent has the name (\S+) now; this one is \1$/);
    expect(lines.filter((line) => line.startsWith('another agent'))).to.have.lengthOf(1);
  });

  it('a stop that arrives while a shard is unpacked refuses the shard', async () => {
    const { how, engines, reports } = await handing({}, { getsStop: true });
    expect([how, engines]).to.deep.equal(['refused: it was stopped', []]);
    expect(reports[0]).to.include({ state: 'refused' });
  });

  it('has its own number of workers as an upper limit, unless the run decides', async () => {
    const configOf = async (options) =>
      (await handing({ config: { name: 'c', options } }, { workers: 8 })).engines[0].config;
    expect(await configOf({})).to.deep.equal({ name: 'c', options: { workers: 8 }, adapts: ['workers'] });
    expect(await configOf({ workers: 3 })).to.deep.equal({ name: 'c', options: { workers: 3 } });
  });
});

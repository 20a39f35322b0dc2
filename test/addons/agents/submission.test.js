import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { precisionLayer } from '../../../lib/addons/agents/pack-options.js';
import { shardRequest } from '../../../lib/addons/agents/parts.js';
import { isQueueError } from '../../../lib/addons/agents/queue.js';
import { Submission, checkRun } from '../../../lib/addons/agents/submission.js';
import { connectionOf } from '../../support/seal.js';

const never = () => new Promise(() => {});

/** BullMQ while Redis is unreachable. */
class Unreachable {
  on() {}
  close = async () => {};
  drain = never;
  obliterate = never;
  add = never;
  waitUntilReady = never;
}

describe('shard/submission', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('a run with a precision is divided, and its agents get its longest duration instead', async () => {
    const flow = { argument: 'http://127.0.0.1:1/' };
    const config = { name: 'config', options: {} };
    const commandLine = [{ name: 'command line', options: { precision: ['p95±3%'], maxDuration: '5m' } }];
    const { options, begun } = await checkRun(flow, { cwd: '/', config, commandLine, agents: 2 });
    expect(begun.plan.shape).to.include('until p95±3% or 5 m');
    expect(precisionLayer(options)).to.deep.equal([{ name: '--max-duration', options: { duration: 300_000 } }]);
    const context = {
      ...{ shard: { run: 'r', number: 1, of: 2 }, work: { config, commandLine, flow: { kind: 'data' } } },
      ...{ secrets: { name: '', options: {} }, timing: {}, workers: 1 },
    };
    const { commandLine: layers } = shardRequest(context);
    expect(layers.at(-1).options).to.include({ precision: null, maxDuration: null });
  });

  it('a part of a lost shard has at most the workers of the run, or else those of the agent', () => {
    const workersOf = (options) => {
      const work = { config: { name: '', options: {} }, commandLine: [{ name: '', options }], flow: { kind: 'data' } };
      const context = { shard: { run: 'r' }, part: { number: 1, of: 2, from: [0] }, work, timing: {}, workers: 8 };
      return shardRequest(context).commandLine.at(-1).options.workers;
    };
    expect([workersOf({ workers: 1 }), workersOf({})]).to.deep.equal([1, 8]);
  });

  describe('the load of lost agents', () => {
    const get = { get: 'http://127.0.0.1:1/' };
    const data = { users: { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], order: 'unique' } };
    const loads = (load) => ({
      scenarios: { a: { load: { rate: 9, duration: '9s' }, main: [get] }, b: { load, main: [get] } },
    });
    const optionsOf = async (own, flow = { main: [get] }) => {
      const path = join(folder, 'flow.json');
      writeFileSync(path, JSON.stringify(flow));
      const config = { name: 'config', options: {} };
      const commandLine = [{ name: 'command line', options: { limit: 6, ...own } }];
      const given = { cwd: '/', config, commandLine, agents: 2, replacesLost: true };
      return (await checkRun({ argument: path }, given)).options;
    };

    for (const [title, own, flow] of [
      ['a time ends', { duration: '9s' }],
      ['has a rate and a number of iterations', { rate: 9, iterations: 90 }],
      ['has a rate and rows that are used once', { rate: 9, duration: '9s' }, { main: [get], data }],
      ['has several loads, of which those with iterations have a rate', {}, loads({ rate: 2, iterations: 8 })],
    ])
      it(`is replaced in a run that ${title}`, async () => {
        expect(await optionsOf(own, flow)).to.have.property('limit');
      });

    for (const [own, reason, flow] of [
      [{ iterations: 10 }, 'a lost agent has started is unknown: remove -n, and write -t 60s or --forever'],
      [{}, 'remove the iterations of b', loads({ iterations: 8 })],
      [{ stages: ['9s:4c'], iterations: 10 }, 'remove -n'],
      [{ duration: '9s', maxRequests: 100 }, 'cannot be combined with --max-requests,'],
      [{ duration: '9s', maxRequestsPerUser: 10 }, 'cannot be combined with --max-requests-per-user'],
      [{ duration: '9s', log: '/tmp/no.csv' }, 'cannot be combined with --log'],
      [{ duration: '9s' }, 'give data.users another order than unique', { main: [get], data }],
    ])
      it(`is not replaced if an agent may start all of it at once: ${reason}`, async () => {
        const error = await optionsOf(own, flow).catch((thrown) => thrown);
        expect(error.message).to.include('--agents-replace-lost: ').and.include(reason);
      });
  });

  it('A17 ends with an error of the queue if Redis is lost meanwhile', async () => {
    const bullmq = { Queue: Unreachable, QueueEvents: Unreachable, FlowProducer: Unreachable, Worker: Unreachable };
    const submission = new Submission({
      queue: { bullmq, settings: {}, ...connectionOf({}) },
      pool: 'p',
      timing: { unreachableMs: 1 },
      onSuspicion() {},
    });
    const error = await submission.open({ run: 'r' }, 2).catch((thrown) => thrown);
    expect(isQueueError(error)).to.equal(true);
  });
});

import { expect } from 'chai';

import { precisionLayer } from '../../../lib/addons/agents/pack-options.js';
import { shardRequest } from '../../../lib/addons/agents/shard-request.js';
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

describe('the submission of a run to agents', () => {
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

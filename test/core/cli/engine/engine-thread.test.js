import { PassThrough } from 'node:stream';

import { expect } from 'chai';

import { Engine } from '../../../../lib/core/cli/engine/engine.js';
import { EngineThread } from '../../../../lib/core/cli/engine/engine-thread.js';
import { STATE_MS } from '../../../../lib/core/report/live/index.js';
import { ok, serving } from '../../../support/serve.js';
import { itSlow } from '../../../support/slow.js';
import { here } from '../../../support/threads-here.js';
import { until } from '../../../support/until.js';

const LISTENER = { log: new PassThrough(), onBegin() {}, onProgress() {}, onExchange() {} };
const REQUEST = {
  source: { urls: ['http://127.0.0.1:9/'] },
  cwd: '.',
  config: { name: 'configuration', options: {} },
  commandLine: [{ name: 'flags', options: { iterations: 1 } }],
  debug: false,
};

describe('cli/engine/engine-thread', () => {
  it('a thread that was started before performs the run of its engine', async () => {
    const outcome = await here('engine', async () => {
      const engine = new Engine(REQUEST, LISTENER, new EngineThread());
      return engine.outcome;
    });
    expect([outcome.kind, outcome.stats.iterations.failed]).to.deep.equal(['ended', 1]);
  });

  it('a live page has figures of a run that is shorter than the interval of its states', () =>
    serving(ok, async (url) => {
      let completed;
      const onReport = ({ stats, phase }) => phase === 'main' && completed.push(stats.iterations.completed);
      const request = {
        ...REQUEST,
        source: { urls: [url] },
        commandLine: [{ name: 'flags', options: { duration: 300 } }],
      };
      // a standstill could take the time in which iterations complete
      await until(async () => {
        completed = [];
        await here('engine', () => new Engine(request, { ...LISTENER, onReport }).outcome);
        return completed.some((count) => count > 0);
      });
    }));

  it('posts a state soon after the load begins, and then at intervals', () =>
    serving(ok, async (url) => {
      let states;
      const onReport = ({ phase }) => phase === 'main' && states++;
      const load = { name: 'flags', options: { duration: 1.5 * STATE_MS } };
      const request = { ...REQUEST, source: { urls: [url] }, commandLine: [load] };
      await until(async () => {
        states = 0;
        await here('engine', () => new Engine(request, { ...LISTENER, onReport }).outcome);
        return states > 1;
      });
    }));

  itSlow('posts the response times of each interval once, if they are asked for', () =>
    serving(ok, async (url) => {
      const load = { name: 'flags', options: { duration: 1000, rate: 50, limit: 2 } };
      const posted = async (intervals) => {
        const all = [];
        const onState = (_stats, _inFlight, fresh) => all.push(fresh);
        const request = { ...REQUEST, source: { urls: [url] }, commandLine: [load], intervals };
        await here('engine', () => new Engine(request, { ...LISTENER, onState }).outcome);
        return all.flat();
      };
      const [asked, others] = await Promise.all([posted(true), posted(false)]);
      expect(asked.length).to.be.above(0);
      asked.forEach(({ from }, i) => expect(from).to.equal(asked[i - 1]?.to ?? 0));
      expect(others.every((one) => one === undefined)).to.equal(true);
    }),
  );

  it('a thread that broke before its engine was there loses the run', async () => {
    const thread = {
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      listen: ({ onLost }) => onLost({ error: new Error('no memory') }),
      post() {},
      terminate: async () => {},
    };
    const engine = new Engine(REQUEST, LISTENER, thread);
    const { kind, message, isFault } = await engine.outcome;
    expect([kind, message.split('\n')[0], isFault]).to.deep.equal(['lost', 'Error: no memory', true]);
    await engine.close();
  });

  it('a thread without an engine ends when the command ends', async () => {
    const thread = new EngineThread();
    expect(await thread.close()).to.equal(true);
    expect(await new Promise((onLost) => thread.listen({ onLost }))).to.have.property('code');
  });

  itSlow(
    'a run sees the environment that code of the configuration has set, and only its engine ends its thread',
    async () => {
      const thread = new EngineThread();
      process.env.BENCH_REST_TEST_PATH = 'set-later';
      try {
        const source = { urls: ['http://127.0.0.1:9/#{env.BENCH_REST_TEST_PATH}'] };
        const engine = new Engine({ ...REQUEST, source }, LISTENER, thread);
        expect(await thread.close()).to.equal(true);
        expect((await engine.outcome).kind).to.equal('ended');
      } finally {
        delete process.env.BENCH_REST_TEST_PATH;
      }
    },
  );
});

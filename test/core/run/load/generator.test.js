import { expect } from 'chai';

import { clock } from '../../../../lib/core/run/clock.js';
import { indexMemory, sharedIndexes } from '../../../../lib/core/run/load/arrivals.js';
import { ExchangeProgress } from '../../../../lib/core/transport/exchange-parts.js';
import { NO_TRAFFIC } from '../../../../lib/core/transport/traffic.js';
import { planned } from '../../../support/planned-generator.js';
import { ok, serving } from '../../../support/serve.js';
import { NAMES } from '../../../support/transports.js';
import { until } from '../../../support/until.js';

/** A transport whose first response, a redirect, has arrived and is delivered when its connection is aborted. */
const redirecting = (sent) => () => ({
  connect() {
    let receiver;
    return Object.assign(new ExchangeProgress(), {
      send(request, needs, to) {
        receiver = to;
        this.wasSent = true;
        sent.push(request.path);
      },
      abort(error) {
        const response = {
          statusCode: 302,
          headers: { location: '/next' },
          setCookies: null,
          body: null,
          bodyBytes: 0,
        };
        if (sent.length > 1) receiver.onError(error);
        else receiver.onResponse(response, performance.now());
      },
      close() {},
    });
  },
  totals: () => NO_TRAFFIC,
  addresses: { toJSON: () => [], reset() {} },
  close: async () => {},
});

/** A transport without an answer to /hangs; the first attempt of any other request fails with `code`. */
const failingOnce = (sent, code) => () => ({
  connect() {
    let abort = () => {};
    return Object.assign(new ExchangeProgress(), {
      send({ path }, needs, receiver) {
        sent.push(path);
        abort = (error) => receiver.onError(error);
        this.wasReused = true;
        if (path === '/hangs') return;
        const response = { statusCode: 200, headers: {}, setCookies: null, body: null, bodyBytes: 0 };
        if (sent.filter((one) => one === path).length > 1) setImmediate(() => receiver.onResponse(response, 0));
        else setImmediate(() => abort(Object.assign(new Error('first'), { code })));
      },
      abort: (error) => abort(error),
      close() {},
    });
  },
  totals: () => NO_TRAFFIC,
  addresses: { toJSON: () => [], reset() {} },
  close: async () => {},
});

const WRITTEN_AFTER_MS = 50;
const ANSWERED_AFTER_MS = 10;

/**
 * A transport whose requests wait 50 ms until they are written, and 10 ms until they are answered: the clock is moved.
 */
const waitingToWrite =
  ({ opensConnections, fails, move }) =>
  () => {
    const connect = () =>
      Object.assign(new ExchangeProgress(), {
        send(request, needs, receiver) {
          this.restart();
          const asked = clock.now();
          setImmediate(() => {
            move(WRITTEN_AFTER_MS + ANSWERED_AFTER_MS);
            this.wasSent = this.sawBytes = true;
            if (opensConnections) this.connectedAt = asked + 1;
            this.sentAt = asked + WRITTEN_AFTER_MS;
            this.firstByteAt = this.endedAt = this.sentAt + ANSWERED_AFTER_MS;
            const response = { statusCode: 200, headers: {}, setCookies: null, body: null, bodyBytes: 0 };
            if (fails) receiver.onError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
            else receiver.onResponse(response, this.endedAt);
          });
        },
        abort() {},
        close() {},
      });
    return { connect, totals: () => NO_TRAFFIC, addresses: { toJSON: () => [], reset() {} }, close: async () => {} };
  };

/** Runs a flow on it, and returns its recorder and the times of its responses, ms. */
const runWaitingToWrite = async (flow, options = {}, { fails = false, opensConnections = false } = {}) => {
  const { now } = clock;
  let at = 1000;
  clock.now = () => at;
  try {
    const responses = [];
    const transport = waitingToWrite({ fails, opensConnections, move: (ms) => (at += ms) });
    const open = planned(flow, { limit: 1, iterations: 1, ...options }, transport);
    const generator = await open({ onResponse: (step, index, status, ms) => responses.push(ms) });
    await generator.run(clock.now());
    await generator.close();
    return { recorder: generator.recorder, responses };
  } finally {
    clock.now = now;
  }
};

describe('run/load/generator', () => {
  describe('C53 the time of a request begins when it is written', () => {
    const url = 'http://127.0.0.1/';
    const timesOf = ({ recorder: { histograms } }) => [histograms.serviceTime.sum, histograms.completed.sum];

    it('in a closed run, in the figures of the iteration, its operation, its group and its scenario', async () => {
      const flow = { scenarios: { a: { main: [{ get: url, group: 'g' }] } } };
      const { recorder, responses } = await runWaitingToWrite(flow);
      const [{ times }] = recorder.operations.drain();
      const [group, scenario] = [recorder.groups, recorder.scenarios].map((all) => all.drain()[0]);
      expect(recorder.histograms.completed.sum).to.equal(10);
      expect(responses).to.deep.equal([10]);
      expect([times[0][1], group.time, scenario.time].map(({ us }) => us)).to.deep.equal([10_000, 10_000, 10_000]);
      const [slow] = recorder.exemplars.drain().slowest;
      expect(slow).to.include({ serviceTime: 10, started: 50, sent: 50, ended: 60 });
    });

    it('in an open run, whose response times begin when iterations are due that wait for a virtual user', async () => {
      const idle = await runWaitingToWrite(url, { rate: 1000 });
      expect(timesOf(idle)).to.deep.equal([10, 10]);
      const { histograms } = idle.recorder;
      expect(histograms.least.sum).to.equal(histograms.serviceLeast.sum);
      // the second one is due 1 ms after the first one, which takes 60 ms
      const second = await runWaitingToWrite(url, { rate: 1000, iterations: 2 });
      expect(timesOf(second)).to.deep.equal([20, 10 + (59 + 50 + 10)]);
      expect(second.recorder.histograms.least.sum, "the waits are the load generator's").to.be.below(30);
    });

    it('for each request of an iteration', async () => {
      const { recorder } = await runWaitingToWrite([{ get: url }, { get: url }, { get: url }]);
      expect(recorder.histograms.completed.sum).to.equal(30);
    });

    it('and not if it waits for a connection, which takes time of the service', async () => {
      const { recorder } = await runWaitingToWrite(url, {}, { opensConnections: true });
      expect(recorder.histograms.completed.sum).to.equal(60);
    });

    it('also if it fails', async () => {
      const { recorder } = await runWaitingToWrite(url, {}, { fails: true });
      expect(recorder.histograms.failed.sum).to.equal(10);
    });

    it('a wait in beforeMain is no part of the response time', async () => {
      const flow = { beforeMain: [{ get: url }], main: [{ get: url }] };
      const run = await runWaitingToWrite(flow, { rate: 1000, iterations: 2 });
      expect(timesOf(run)).to.deep.equal([20, 10 + (119 + 50 + 10)]);
    });
  });

  for (const transport of NAMES) {
    it(`an internal error after a response rejects the run, ${transport}`, () =>
      serving(ok, async (url) => {
        const generator = await planned(url, { limit: 2, iterations: 4, httpClient: transport })();
        generator.recorder.main = () => {
          throw new Error('internal');
        };
        const error = await generator.run(performance.now()).catch((reason) => reason);
        expect(error.message).to.equal('internal');
        await generator.close();
      }));

    it(`two parts of a run share its lanes and its iterations, ${transport}`, () =>
      serving(ok, async (url, seen) => {
        const memory = indexMemory(2);
        const open = planned(`${url}/#{INDEX}`, { limit: 3, iterations: 40, httpClient: transport });
        const started = [0, 0];
        const parts = await Promise.all(
          [0, 1].map((part) =>
            open({ worker: part, workers: 2, indexes: [sharedIndexes(memory)], onStart: () => started[part]++ }),
          ),
        );
        const start = performance.now();
        await Promise.all(parts.map((generator) => generator.run(start)));
        const indexes = seen.map(({ url: path }) => Number(path.slice(1))).sort((a, b) => a - b);
        expect(indexes).to.deep.equal(Array.from({ length: 40 }, (_, index) => index));
        expect(parts.map(({ recorder }) => recorder.iterations.started)).to.deep.equal(started);
        expect(parts.map((generator) => generator.traffic().opened)).to.deep.equal([2, 1]);
        await Promise.all(parts.map((generator) => generator.close()));
      }));

    it(`a stop of the thread after the measured iterations is no part of its load, ${transport}`, () =>
      serving(ok, async (url) => {
        const generator = await planned(url, { limit: 1, iterations: 2, httpClient: transport })();
        await generator.run(performance.now());
        const load = structuredClone(generator.thread());
        const end = performance.now() + 60;
        while (performance.now() < end);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(generator.thread()).to.deep.equal(load);
        await generator.close();
      }));

    it(`requests in flight are counted until they are cancelled, ${transport}`, () => {
      let arrived;
      const request = new Promise((resolve) => (arrived = resolve));
      return serving(
        () => arrived(),
        async (url) => {
          const generator = await planned(url, { limit: 1, iterations: 1, httpClient: transport })();
          const run = generator.run(performance.now());
          await request;
          expect(generator.inFlight()).to.equal(1);
          generator.ending.abort();
          await run;
          expect(generator.inFlight()).to.equal(0);
          expect(generator.recorder.iterations).to.include({ started: 1, cancelled: 1 });
          await generator.close();
        },
      );
    });
  }

  for (const [code, title] of [
    ['E_HTTP_1_1', 'falls back to HTTP/1.1'],
    ['E_RESET_BEFORE_HEAD', 'is sent once more after a reset'],
  ])
    it(`a request of afterMain ${title} though the end of the run has cut off main`, async () => {
      const sent = [];
      const flow = { main: [{ get: 'http://127.0.0.1/hangs' }], afterMain: [{ get: 'http://127.0.0.1/clean' }] };
      const open = planned(flow, { limit: 1, iterations: 1 }, failingOnce(sent, code));
      const generator = await open();
      const run = generator.run(performance.now());
      await until(() => sent.length === 1);
      generator.ending.stop('interrupted', { within: 0 });
      await run;
      expect(sent).to.deep.equal(['/hangs', '/clean', '/clean']);
      expect(generator.recorder.errors().count).to.equal(0);
      await generator.close();
    });

  it('C50 a redirect that waits for its group when the run is aborted is not followed', async () => {
    const sent = [];
    const generator = await planned('http://127.0.0.1/first', { limit: 1, iterations: 1 }, redirecting(sent))();
    const run = generator.run(performance.now());
    await until(() => sent.length === 1);
    generator.ending.abort();
    await run;
    expect(sent).to.deep.equal(['/first']);
    expect(generator.recorder.iterations).to.include({ started: 1, cancelled: 1 });
    expect(generator.recorder.requests).to.include({ answered: 1, cancelled: 0 });
    await generator.close();
  });

  it('the lanes of a pipelined connection stay in one part of a run', () =>
    serving(ok, async (url) => {
      const open = planned(url, { limit: 9, iterations: 36, pipelining: 3, httpClient: 'builtin' });
      const memory = indexMemory(2);
      const parts = await Promise.all(
        [0, 1].map((part) => open({ worker: part, workers: 2, indexes: [sharedIndexes(memory)] })),
      );
      const start = performance.now();
      await Promise.all(parts.map((generator) => generator.run(start)));
      expect(parts.map((generator) => generator.traffic().opened)).to.deep.equal([2, 1]);
      expect(parts.map(({ recorder }) => recorder.virtualUsers.started)).to.deep.equal([2, 1]);
      await Promise.all(parts.map((generator) => generator.close()));
    }));

  it('a failure of no operation is counted and passed on', async () => {
    const failures = [];
    const open = planned('http://127.0.0.1/', { limit: 1, iterations: 1 });
    const generator = await open({ onFailure: (error, phase) => failures.push([error.message, phase]) });
    generator.fail(Object.assign(new Error('no'), { code: 'E_AFTER_CUT' }), 'after');
    expect(failures).to.deep.equal([['no', 'after']]);
    const [group] = generator.recorder.errors().details;
    expect(group).to.include({ code: 'E_AFTER_CUT', phase: 'after' }).and.not.have.any.keys('path', 'operation');
    await generator.close();
  });
});

import { expect } from 'chai';

import { readFlow } from '../../../../lib/flow/compile.js';
import { indexMemory, sharedIndexes } from '../../../../lib/run/load/arrivals.js';
import { LoadGenerator } from '../../../../lib/run/load/generator.js';
import { programLayers } from '../../../../lib/run/options/layers.js';
import { readRunOptions } from '../../../../lib/run/options/read-options.js';
import { planLoad } from '../../../../lib/run/plan.js';
import { ExchangeProgress } from '../../../../lib/transport/exchange-progress.js';
import { NO_TRAFFIC } from '../../../../lib/transport/traffic.js';
import { ok, serving } from '../../../support/serve.js';
import { NAMES } from '../../../support/transports.js';
import { until } from '../../../support/until.js';

/** Opens a generator of a flow; the second argument of `open` has its options as a part of a run. */
const planned = (flow, given, openTransport) => {
  const read = readFlow(flow);
  const options = readRunOptions(programLayers(read.flow, given));
  const plan = planLoad(read.compile(options), options);
  if (openTransport) plan.transport = { load: () => ({ open: openTransport }) };
  return (part) => LoadGenerator.open(plan, part);
};

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

describe('run/load/generator', () => {
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
            open({ part, parts: 2, indexes: sharedIndexes(memory), onStart: () => started[part]++ }),
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
      const parts = await Promise.all([0, 1].map((part) => open({ part, parts: 2, indexes: sharedIndexes(memory) })));
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

import { expect } from 'chai';

import { benchrest, capacity } from '../../../index.js';
import { serving } from '../../support/serve.js';
import { itSlow } from '../../support/slow.js';

const ok = (_, res) => res.end('ok');

describe('capacity() of a program', () => {
  itSlow('returns the document, reports each step, and judges atLeast', () =>
    serving(ok, async (url) => {
      const steps = [];
      const found = await capacity(
        { main: [url], runOptions: { iterations: 3, limit: 1 } },
        {
          ...{ thresholds: 'p99<10s', from: '500/s', step: '1s', warmup: 100, maxDuration: '2s', atLeast: 1e6 },
          onStep: (step) => steps.push(step),
        },
      );
      expect(found).to.deep.include({ type: 'capacity', by: 'rate', within: 0.05, steps });
      expect(steps).to.have.length(1);
      expect(steps[0].load).to.deep.include({ rate: 500, duration: 1000 });
      expect(found.outcome.passed).to.equal(false);
    }),
  );

  it('an aborted search has the best answer so far', () =>
    serving(ok, async (url) => {
      const { conclusion, outcome, steps } = await capacity(url, { signal: AbortSignal.abort(), step: 1000 });
      expect(steps).to.deep.equal([]);
      expect(conclusion).to.include({ code: 'imprecise', load: null });
      expect(outcome.reasons[0].code).to.equal('interrupted');
    }));

  itSlow('a later step that is refused ends the search with the answer so far, and says why', () =>
    serving(ok, async (url) => {
      // Its options are read anew for each step.
      let isFirst = true;
      const flow = { main: [url], runOptions: {} };
      const options = { by: 'users', step: '1s', warmup: 100, onStep: () => (isFirst = false) };
      Object.defineProperty(flow.runOptions, 'timeout', { get: () => (isFirst ? '30s' : 'soon'), enumerable: true });
      const { steps, outcome } = await capacity(flow, options);
      expect(steps).to.have.length(1);
      expect(outcome).to.deep.include({ passed: false });
      expect(outcome.reasons[0].code).to.equal('undecided');
      expect(outcome.reasons[0].message).to.match(/^step 2 was refused: [^]*timeout/);
    }),
  );

  for (const [options, message] of [
    [{ rate: 5 }, /capacity\.rate: is decided by the search/],
    [{ within: 5 }, /capacity\.within: expected a share between 0 and 1/],
    [{ within: '0.05' }, /capacity\.within: expected a share between 0 and 1/],
    [{ by: 'concurrency', step: 10 }, /capacity\.by: [^]*capacity\.step: /],
    [{ limti: 5 }, /limti/],
    [{ from: '1e400' }, /capacity\.from: expected a load above 0/],
    [{ by: 'users', from: 1.5, limit: 9 }, /capacity\.from: [^]*capacity\.limit: is decided by the search/],
    [{ from: '1/h' }, /from: at 1\/h a step would take 100 h for the 100 iterations/],
  ])
    it(`refuses ${JSON.stringify(options)}`, async () => {
      const error = await capacity('http://127.0.0.1:1/', options).catch((thrown) => thrown);
      expect(error.code).to.equal('E_RUN_OPTIONS');
      expect(error.message).to.match(message);
    });

  it('is a property of the function that require() returns', () => {
    expect(benchrest.capacity).to.equal(capacity);
  });
});

import { expect } from 'chai';

import benchrest from '../index.js';
import { exitCode } from '../lib/core/ground/exit-codes.js';
import { outcomeOfResult } from '../lib/core/measure/outcome-reasons.js';
import { outcomeFor, reasonsOf } from '../lib/core/measure/outcome.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import { modelOf } from '../lib/addons/page/model.js';
import { outcomeOf } from '../lib/core/report/outcome.js';
import { judgedPart, outcomeCases } from './support/outcome-cases.js';
import { literalResult } from './support/literal-result.js';
import { serving } from './support/serve.js';
import { describeSlow, itSlow } from './support/slow.js';

const RENDER = new Map(await Promise.all(REPORTERS.map(async ({ name, load }) => [name, (await load()).render])));
const MARKS = {
  passed: { text: '✓', markdown: '✅', github: '::notice' },
  failed: { text: '✗', markdown: '❌', github: '::error' },
};

/** The rules of the documentation, once more and independent of the code. */
function expectedOf({ completed, errors, cutOff, dropped, requests, generator, thresholds }) {
  const areAllowed = errors === 'none' || errors === 'allowed errors';
  if (generator === 'invalid') return ['failed', 70];
  if (thresholds === 'fail') return ['failed', 99];
  if (!areAllowed || (cutOff === 'overdue' && errors === 'none')) return ['failed', 1];
  if (dropped === '5 %') return ['failed', 96];
  if (cutOff === 'late') return ['failed', 1];
  if (completed === 'none' || requests === 'left out') return ['failed', 1];
  return ['passed', 0];
}

/** A result of a case. */
function resultOf(given) {
  const { outcome: _outcome, ...whole } = literalResult();
  const { iterations, requests, operations, errors, loadGenerator, run = {}, ...part } = judgedPart(given);
  const [operation] = whole.operations;
  return {
    ...whole,
    ...part,
    run: { ...whole.run, ...run },
    iterations: { ...whole.iterations, ...iterations },
    requests: { ...whole.requests, ...requests },
    operations: operations.map((one) => ({ ...operation, ...one })),
    errors: { ...whole.errors, ...errors, details: samplesOf(whole.errors, operations) },
    loadGenerator: { ...whole.loadGenerator, ...loadGenerator },
  };
}

/** The error of the operation that the end of the run has cut off. */
function samplesOf({ details: [{ path: _path, ...group }] }, [, { name, errors: count }]) {
  const overdue = { ...group, kind: 'timeout', code: 'E_OVERDUE', operation: name, count, firstIndex: null };
  return count > 0 ? [overdue] : [];
}

/** So many cases that each value of a factor meets each value of the others. */
function pairwise(cases) {
  const seen = new Set();
  return cases.filter((given) => {
    const values = Object.entries(given).map(String);
    const pairs = values.flatMap((one, i) => values.slice(i + 1).map((other) => `${one} ${other}`));
    const isNew = pairs.some((pair) => !seen.has(pair));
    for (const pair of pairs) seen.add(pair);
    return isNew;
  });
}

describeSlow('the outcome', () => {
  const cases = outcomeCases();

  it('S43 follows the documented rules in every combination of what ended how, doubt and thresholds', () => {
    for (const given of cases) {
      const result = { ...judgedPart(given) };
      const [, code] = expectedOf(given);
      expect(exitCode(reasonsOf(result)), JSON.stringify(given)).to.equal(code);
    }
    expect(cases.length).to.be.above(4000);
  });

  it('S43 is one in the text, Markdown, JUnit, the annotations, the page, the card, JSON and the exit code', () => {
    const shown = pairwise(cases);
    expect(shown.length).to.be.above(50);
    for (const given of shown) {
      const result = resultOf(given);
      const [status] = expectedOf(given);
      const where = JSON.stringify(given);
      const mark = MARKS[status];
      const render = (name) => RENDER.get(name)(result, { width: 80, unicode: true, distributionOf: () => [] });
      const text = render('text');
      expect(outcomeOf(result).status, where).to.equal(status);
      expect(text.slice(0, mark.text.length), where).to.equal(mark.text);
      // The mark of the first line is enough of a run that passed. Without an answer this line is the outcome.
      const hasWord = status === 'failed' && !text.startsWith('✗ No request was answered');
      if (hasWord) expect(text, where).to.include(`${mark.text} ${status}`);
      else expect(text, where).not.to.match(/[✓✗] (passed|failed)/);
      expect(render('markdown'), where).to.include(`### ${mark.markdown} bench-rest: ${status}`);
      expect(render('github').startsWith(mark.github), where).to.equal(true);
      expect(render('card'), where).to.include(`${mark.text} ${status}`);
      expect(modelOf(result, () => []).outcome, where).to.include({ status, mark: mark.text });
      const junit = render('junit');
      expect(/failures="0"/.test(junit), where).to.equal(status !== 'failed');
      expect(junit, where).to.include(`<property name="outcome" value="${status}"/>`);
      if (given.errors !== 'none') expect(junit, where).not.to.include('name="no errors" time="3.100"/>');
    }
  });

  it('has no reason twice, and counts one thing in the singular', () => {
    for (const given of cases) {
      const { reasons } = outcomeOfResult(judgedPart(given));
      const messages = reasons.map(({ message }) => message);
      expect([...new Set(messages)], JSON.stringify(given)).to.deep.equal(messages);
      expect(messages.join()).not.to.match(/\b1 (\w+ )?(iterations|thresholds|errors|agents|shards)\b/);
    }
    const { thresholds: _none, ...whole } = literalResult();
    const alone = { ...whole, iterations: { ...whole.iterations, started: 1, failed: 1 } };
    expect(outcomeOf(alone).headline).to.equal('1 of 1 iteration failed (100 %).');
  });

  it('the operation that was not answered is named in JUnit and in the annotations', () => {
    const [overdue] = cases.filter(({ cutOff, errors }) => cutOff === 'overdue' && errors === 'none');
    expect(RENDER.get('junit')(resultOf(overdue))).to.include('40 timeout in GET /slow: ');
    expect(RENDER.get('github')(resultOf(overdue))).to.include('40 × timeout in GET /slow: ');
  });

  it('a result that was saved with reasons that only its run knew keeps them; thresholds are judged anew', () => {
    const result = resultOf({ ...cases[0], thresholds: 'hold' });
    const withExit = (...reasons) => reasonsOf({ ...result, outcome: outcomeFor(reasons) });
    expect(withExit('interrupted', 'threshold')).to.deep.equal(['interrupted']);
    expect(withExit('threshold')).to.deep.equal([]);
  });
});

describe('the outcome of a run whose server does not answer', () => {
  const TIMES = { limit: 4, duration: 400, gracefulStop: 50, teardownTimeout: 50 };
  /** Answers those of `/`, and never `/hang`. */
  const hanging = (req, res) => req.url === '/hang' || res.end('ok');
  const run = async (listener, flow, options) => {
    const judged = {};
    await serving(listener, async (url) => {
      const { stats } = await benchrest({ baseUrl: url, ...flow }, { ...TIMES, ...options });
      Object.assign(judged, stats, { reasons: reasonsOf(stats) });
    });
    return judged;
  };

  itSlow('S50 a slow answer before it does not make it good', async () => {
    let requests = 0;
    const slowFirst = (_, res) => {
      requests++;
      if (requests === 1) setTimeout(() => res.end('ok'), 350);
      else if (requests < 20) res.end('ok');
    };
    const { reasons, iterations } = await run(slowFirst, { main: [{ get: '/' }] }, { limit: 60, rate: 150 });
    expect(reasons).to.be.an('array').that.is.not.empty;
    expect(iterations.overdue + iterations.cutOff).to.be.above(20);
  });

  it('S51 its teardown is one of the requests that have to be answered', async () => {
    const { reasons, errors, operations, iterations } = await run(hanging, {
      main: [{ get: '/' }],
      afterMain: [{ get: '/hang' }],
    });
    expect(reasons).to.deep.equal(['errors']);
    expect(iterations).to.include({ completed: 4, teardownFailed: 4, overdue: 0 });
    expect(errors.details[0]).to.include({ count: 4, phase: 'afterMain', operation: 'GET /hang' });
    expect(operations.find(({ name }) => name === 'GET /hang')).to.include({ errors: 4 });
  });

  it('S52 the operation, the scenario and the group that it does not answer have the errors', async () => {
    const scenarios = {
      good: { main: [{ get: '/' }] },
      bad: { main: [{ get: '/' }, { group: 'cart', get: '/hang' }] },
    };
    const thresholds = ['GET /hang errors<1%', 'bad errors<1%', 'cart errors<1%', 'good errors<1%'];
    const { thresholds: judged, errors } = await run(hanging, { scenarios }, { thresholds });
    expect(judged.map(({ passed }) => passed)).to.deep.equal([false, false, false, true]);
    expect(errors.details[0]).to.include({ operation: 'GET /hang' });
  });

  it('S53 a window in which nothing completes fails, without abortOnFail too', async () => {
    const thresholds = ['p99<200ms over 1s', 'max<200ms over 1s', 'errors<1% over 1s', 'errors<100%'];
    let requests = 0;
    const stalling = (_, res) => ++requests < 20 && setTimeout(() => res.end('ok'), 5);
    const flow = { main: [{ get: '/' }] };
    const { thresholds: judged } = await run(stalling, flow, { duration: 1200, thresholds });
    expect(judged.map(({ passed }) => passed)).to.deep.equal([false, false, false, true]);
  });

  it('S54 a run whose hooks leave out every request has sent nothing', async () => {
    const leaveOut = (all) => all.skip();
    const few = { duration: undefined, iterations: 20 };
    const { reasons, requests } = await run(hanging, { main: [{ get: '/', beforeHooks: [leaveOut] }] }, few);
    expect(requests.sent).to.equal(0);
    expect(reasons).to.deep.equal(['unanswered']);
    const { reasons: ofFunctions } = await run(hanging, { main: [() => {}] }, few);
    expect(ofFunctions).to.deep.equal([]);
  });

  it('virtual users that an explicit grace period of 0 cuts off are ordinary', async () => {
    const slow = (_, res) => setTimeout(() => res.end('ok'), 20);
    const { reasons } = await run(slow, { main: [{ get: '/' }] }, { gracefulStop: 0, duration: 1000 });
    // an iteration that is older than the slowest one by chance is an error
    expect(reasons.filter((reason) => reason !== 'errors')).to.deep.equal([]);
  });
});

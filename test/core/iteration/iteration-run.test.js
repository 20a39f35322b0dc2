import { expect } from 'chai';

import { IterationRun } from '../../../lib/core/iteration/iteration-run.js';
import { TIMES, createTimes } from '../../../lib/core/iteration/lane-times.js';

/** When the iterations begin, and how long their `main` takes; its request waits to be written for a part of that. */
const BEGIN = 1000;
const MAIN_MS = 60;
const UNWRITTEN_MS = 50;
const SERVICE_MS = MAIN_MS - UNWRITTEN_MS;

/** An iteration whose request was written after a wait. It ends by `end`, which returns what was recorded. */
function exchanging({ waitedMs, lateMs }) {
  /** @type {Record<string, number>} */
  const recorded = {};
  const recorder = {
    started: (holder) => (holder.isRunning = true),
    ended: () => {},
    main: (service, waited, outcome, now, ownMs, ownWaitMs) =>
      Object.assign(recorded, { service, waited, ownMs, ownWaitMs }),
  };
  const scenarios = {
    names: ['browse'],
    choose: () => 0,
    recorders: [{ took: (ms) => (recorded.scenario = ms), ended: () => {} }],
  };
  const lane = {
    times: Object.assign(createTimes(), { [TIMES.NOW]: BEGIN }),
    isExchanging: true,
    bodies: {},
    readClock: () => {},
  };
  const run = new IterationRun(/** @type {any} */ (lane));
  const step = { isPlain: true, step: { pauseMs: null }, perform: () => run.unwritten(UNWRITTEN_MS) };
  const phase = (name, steps) => ({
    name,
    steps,
    select: null,
    refresh: null,
    isEmpty: steps.length === 0,
    hasGroups: false,
  });
  const plan = {
    nextEnv: () => ({}),
    context: { recorder },
    scenarios,
    heldKeys: null,
    phases: { beforeMain: phase('beforeMain', []), main: phase('main', [step]), afterMain: phase('afterMain', []) },
  };
  if (lateMs !== undefined) run.startsLate(lateMs);
  run.start(/** @type {any} */ (plan), 0, BEGIN - (waitedMs || 0), waitedMs, { onEnd: () => {}, onFault: () => {} });
  return {
    run,
    end: () => {
      lane.times[TIMES.NOW] = BEGIN + MAIN_MS;
      run.onResponse(/** @type {any} */ ({ statusCode: 200, rules: { pauseMs: null } }));
      return recorded;
    },
  };
}

describe('iteration/iteration-run', () => {
  for (const { title, user, response, beyond, own } of [
    {
      title: 'of a closed run is the service time',
      user: { waitedMs: NaN },
      response: SERVICE_MS,
      beyond: NaN,
      own: 0,
    },
    {
      title: 'is the service time if the virtual user was idle, however late it starts',
      user: { waitedMs: 0, lateMs: 7 },
      response: SERVICE_MS,
      beyond: 0,
      own: 0,
    },
    {
      title: 'has the wait for a virtual user, and that until the request was written',
      user: { waitedMs: 30 },
      response: 30 + MAIN_MS,
      beyond: 30 + UNWRITTEN_MS,
      own: UNWRITTEN_MS,
    },
  ])
    it(`the response time ${title}`, () => {
      const { run, end } = exchanging(user);
      expect(run.timesSoFar(BEGIN + MAIN_MS), 'while it runs').to.deep.include({ service: SERVICE_MS, response });
      expect(run.lateMs, 'of the first event of a stream').to.equal(response - SERVICE_MS);
      const { service, waited, ownWaitMs, scenario } = end();
      expect([service, waited, ownWaitMs, scenario]).to.deep.equal([SERVICE_MS, beyond, own, response]);
    });
});

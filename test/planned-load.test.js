import { expect } from 'chai';

import { curvedLoadOf } from '../lib/addons/preview/print-run.js';
import { curveOf, valueOf } from '../lib/addons/preview/load-curves.js';
import { inUsers } from '../lib/core/run/options/fit-to-flow.js';
import { describeLoads } from '../lib/core/run/plan.js';
import fc from './support/fast-check.js';
import { describeSlow } from './support/slow.js';
import { loggedCalls, planOf, runVirtually } from './support/virtual-run.js';

/** How often the number of virtual users follows the plan, ms. */
const ADAPTS_MS = 50;
/** The load after another one begins this much later at most, and a timer of the virtual clock is as exact as a number. */
const LEAD_MS = 25;
const WINDOW_MS = 250;

const ms = (least, most) => fc.integer({ min: least / 50, max: most / 50 }).map((n) => n * 50);
const users = fc.integer({ min: 1, max: 5 });
const whole = (min, max) => fc.integer({ min, max });
/** Options, of which those with a question mark are missing half of the time. */
const optional = (options) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(options).map(([name, value]) =>
          name.endsWith('?') ? [name.slice(0, -1), fc.option(value, { nil: undefined, freq: 2 })] : [name, value],
        ),
      ),
    )
    .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
const stagesOf = (key, most) =>
  fc.array(
    fc.record({
      duration: ms(250, 1000),
      [key]: fc.oneof(whole(0, most), fc.constantFrom(0, most)),
      ramp: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  );

const LOADS = {
  time: { limit: users, duration: ms(500, 1500), 'rampUp?': ms(200, 1500), 'pause?': ms(50, 100) },
  number: {
    limit: users,
    iterations: fc.oneof(
      whole(1, 60),
      whole(1, 8).map((n) => `${n} per user`),
    ),
    'rampUp?': ms(200, 1500),
  },
  users: { stages: stagesOf('limit', 5), 'iterations?': whole(1, 100), 'pause?': ms(50, 100) },
  rate: {
    limit: whole(20, 30),
    rate: whole(2, 40),
    duration: ms(500, 1500),
    'iterations?': whole(1, 40),
    'arrival?': fc.constant('poisson'),
  },
  rates: { limit: whole(20, 30), stages: stagesOf('rate', 40), 'iterations?': whole(1, 40) },
};

const LOAD = fc.oneof(...Object.values(LOADS).map((options) => optional({ serviceMs: ms(50, 150), ...options })));
const PLAN = fc.record({
  loads: fc.tuple(LOAD, LOAD, LOAD),
  count: whole(1, 3),
  starts: fc.tuple(
    ...['a', 'b'].map((before) => fc.option(fc.oneof(fc.constant(before), ms(50, 800)), { nil: undefined })),
  ),
  threads: whole(1, 3),
  run: optional({ 'warmup?': fc.constant(200), 'ratePerUser?': whole(4, 12), 'maxRequestsPerUser?': whole(2, 20) }),
});

/** Plans and runs what was drawn; null: it is refused. */
async function played({ loads, count, starts, threads, run }) {
  const named = ['a', 'b', 'c'].slice(0, count).map((name, at) => {
    const startAfter = at === 0 ? undefined : starts[at - 1];
    return [name, { ...loads[at], ...(startAfter !== undefined && { startAfter }) }];
  });
  const { flow, calls } = loggedCalls(Object.fromEntries(named));
  const plan = tryTo(() => planOf(flow, { seed: 3, ...run }));
  if (plan === null) return null;
  const begun = await runVirtually(plan, { threads });
  const drawn = describeLoads(inUsers(plan.options)).map((load) => curveOf(curvedLoadOf(load)));
  return plan.loads.map((load, at) => ({
    load,
    curve: drawn[at],
    serviceMs: loads[at].serviceMs,
    isFree:
      run.ratePerUser === undefined && loads[at].pause === undefined && load.options.iterationsOfLane === undefined,
    calls: calls
      .filter((call) => call.load === load.name && call.from >= begun)
      .map((call) => ({ ...call, from: call.from - begun, to: call.to - begun })),
    all: named,
  }));
}

function tryTo(act) {
  try {
    return act();
  } catch (error) {
    if (error.code !== 'E_RUN_OPTIONS') throw error;
    return null;
  }
}

const countIn = (calls, from, to) => calls.filter((call) => call.from >= from && call.from < to).length;
const busyAt = (calls, at) => calls.filter((call) => call.from <= at && call.to > at).length;
/** The drawn values of a span, in steps of 10 ms and at its ends. */
function valuesIn(curve, from, to) {
  const values = [];
  for (let at = from; at < to; at += 10) values.push(valueOf(curve, at));
  return [...values, valueOf(curve, to)].map((value) => value ?? 0);
}
/** A ramp from or to 0 has one virtual user as long as it lasts. */
const usersOf = (value) => (value === 0 ? 0 : Math.max(1, Math.round(value)));

describeSlow('a run follows the plan that --print-plan draws', () => {
  it('in its virtual users at a time, their numbers, its arrivals per 250 ms, and the start and end of each load', async function () {
    this.timeout(120_000);
    const { RUNS = '40' } = process.env;
    const kinds = new Set();
    await fc.assert(
      fc.asyncProperty(PLAN, async (drawn) => {
        const loads = await played(drawn);
        fc.pre(loads !== null);
        for (const load of loads) {
          checkUsers(load, drawn.threads);
          if (load.curve.from === Infinity) checkFollower(load, loads);
          else if (load.curve.isOpen) checkArrivals(load);
          else checkUsersAtOnce(load);
          kinds.add(load.load.profile.name);
        }
      }),
      { numRuns: Number(RUNS) },
    );
    expect([...kinds]).to.have.members(['closed', 'constant', 'poisson', 'stages']);
  });
});

/** Runs loads, and returns for each one when its virtual users start an iteration. */
async function startsOf(loads, { run = {}, ...where } = {}) {
  const { flow, calls } = loggedCalls(loads);
  await runVirtually(planOf(flow, run), where);
  return Object.fromEntries(
    Object.keys(loads).map((name) => [
      name,
      calls.filter((call) => call.load === name).map(({ vu, from }) => [from, vu]),
    ]),
  );
}
const usersIn = (starts, from, to) => new Set(starts.flatMap(([at, vu]) => (at >= from && at < to ? [vu] : []))).size;

describe('virtual users of a plan', () => {
  for (const [what, run] of Object.entries({
    'are as many': {},
    'with a rate per user are as many': { ratePerUser: 20 },
  }))
    for (const threads of [1, 2])
      it(`${what} as each stage has, if the first one has the most, in ${threads} threads`, async () => {
        const stages = ['1s:=6c', '1s:=1c', '1s:=0c', '1s:3c'];
        const { a } = await startsOf({ a: { stages, serviceMs: 50 } }, { run, threads });
        const second = (n) => usersIn(a, n * 1000 + 110, n * 1000 + 1000);
        expect([0, 1, 2, 3].map(second)).to.deep.equal([6, 1, 0, 3]);
      });

  it('wait in a stage at 0, also the first or the last one, and running iterations end', async () => {
    const stages = ['500ms:=0c', '500ms:=2c', '500ms:=0c'];
    const { a } = await startsOf({ a: { stages, serviceMs: 300 } });
    expect(a.map(([at]) => Math.round(at))).to.deep.equal([500, 500, 800, 800]);
  });

  it('of a run whose iterations have run out do not wait for the next stage', async () => {
    const stages = ['500ms:=2c', '50s:=0c', '1s:=2c'];
    const { a, b } = await startsOf(
      { a: { stages, iterations: 10, serviceMs: 50 }, b: { startAfter: 'a', limit: 1, iterations: 1, serviceMs: 50 } },
      { threads: 2 },
    );
    expect(a).to.have.length(10);
    expect(b[0][0]).to.be.within(250, 400);
  });

  for (const threads of [1, 3])
    it(`begin when a ramp-up has them, if each has its own number of iterations, in ${threads} threads`, async () => {
      const load = { limit: 5, iterations: '2 per user', rampUp: 1000, serviceMs: 20 };
      const { a, b } = await startsOf({ a: load, b: { ...load, startAfter: 10 } }, { threads });
      for (const [starts, place] of [
        [a, 0],
        [b, 1],
      ]) {
        const first = [0, 1, 2, 3, 4].map((user) => starts.find(([, vu]) => vu === user * 2 + place)[0]);
        first.forEach((at, user) => expect(at).to.be.within(user * 200, user * 200 + 80));
        expect(starts).to.have.length(10);
      }
    });

  it('of stages begin with their stage, if a user makes a maximum of requests', async () => {
    const stages = ['500ms:=2c', '500ms:=4c'];
    const { a } = await startsOf({ a: { stages, serviceMs: 20 } }, { run: { maxRequestsPerUser: 3 } });
    expect([usersIn(a, 0, 500), usersIn(a, 500, 1000), a.length]).to.deep.equal([2, 2, 12]);
  });
});

/** Virtual users have the numbers of their load, each runs one call at a time, and each INDEX runs once. */
function checkUsers({ load, calls }) {
  const limit = load.schedule.most;
  const allowed = Array.from({ length: limit }, (_, user) => user * load.of + load.position);
  expect(allowed, `users of ${load.name}`).to.include.members([...new Set(calls.map(({ vu }) => vu))]);
  const indexes = calls.map(({ index }) => index);
  expect(new Set(indexes).size, `INDEX of ${load.name}`).to.equal(indexes.length);
  for (const vu of allowed) {
    const own = calls.filter((call) => call.vu === vu);
    expect(
      own.every((call, i) => i === 0 || call.from >= own[i - 1].to),
      `virtual user ${vu}`,
    ).to.equal(true);
  }
}

/** A load after another one, whose end is not planned, starts when that has ended. */
function checkFollower({ load, calls }, loads) {
  const ends = loads[load.after].calls.map(({ to }) => to);
  const first = Math.min(...calls.map(({ from }) => from));
  expect(first, `the start of ${load.name}`).to.be.at.least(Math.max(...ends));
}

function checkUsersAtOnce({ load, curve, calls, serviceMs, isFree }) {
  const position = (vu) => (vu - load.position) / load.of;
  for (const { from, vu } of calls) {
    // No user starts an iteration before it is due, or when it is due no more.
    const planned = Math.max(...valuesIn(curve, Math.max(curve.from, from - LEAD_MS), from + 1).map(usersOfRamp(load)));
    expect(position(vu), `user ${vu} of ${load.name} at ${from}`).to.be.below(planned);
    expect(from, `the end of ${load.name}`).to.be.below(curve.to + LEAD_MS);
  }
  if (!isFree) return;
  const last = load.options.iterations === undefined ? curve.to : Math.max(...calls.map(({ from }) => from));
  for (let at = curve.from + LEAD_MS + ADAPTS_MS + serviceMs; at < Math.min(last, curve.to); at += 37) {
    const planned = valuesIn(curve, at - serviceMs - ADAPTS_MS - LEAD_MS, at).map(usersOfRamp(load));
    if (new Set(planned).size > 1) continue;
    expect(busyAt(calls, at), `users of ${load.name} at ${at}`).to.equal(planned[0]);
  }
}

/** `rampUp` starts each user at the beginning of its part. */
function usersOfRamp({ options }) {
  return options.rampUp === undefined ? usersOf : (value) => Math.max(1, Math.ceil(value - 1e-9));
}

function checkArrivals({ load, curve, calls, isFree }) {
  const { schedule } = load;
  if (!isFree) return;
  const planned = (to) => {
    let sum = 0;
    for (let at = curve.from; at < Math.min(to, curve.to); at += 1) sum += (valueOf(curve, at + 0.5) ?? 0) / 1000;
    return sum;
  };
  for (let at = curve.from; at < curve.to; at += WINDOW_MS) {
    const to = Math.min(curve.to, at + WINDOW_MS);
    const count = countIn(calls, curve.from - 1, to);
    expect(count, `arrivals of ${load.name} by ${to}`).to.be.within(
      schedule.arrived(Math.max(0, to - curve.from - LEAD_MS)) - 1,
      schedule.arrived(to - curve.from),
    );
    if (load.profile.name !== 'poisson')
      expect(count, `the area of ${load.name} by ${to}`).to.be.closeTo(planned(to), 1.5);
  }
  if (load.hasEnd)
    expect(calls.length).to.equal(schedule.arrived(schedule.end === Infinity ? 1e9 : schedule.end - 1e-6));
}

import { expect } from 'chai';

import { capacityReasons } from '../../../lib/addons/capacity/conclusion.js';
import {
  endReasonOf,
  findCapacity,
  iterationsNeeded,
  refusedStep,
  stepOutcomeOf,
} from '../../../lib/addons/capacity/course.js';
import { stepLayers, usersFor } from '../../../lib/addons/capacity/load.js';
import { resolveLayers } from '../../../lib/core/run/options/layers.js';
import { literalResult } from '../../support/literal-result.js';
import { checkerOf } from '../../support/schemas.js';

const NAMES = { from: 'from', step: 'step', maxDuration: 'maxDuration' };
const OPTIONS = { by: 'rate', from: 20, within: 0.05, stepMs: 10_000, settleMs: 2000, names: NAMES };

/** The result of a step against a service that does `capacity` iterations per second and answers in 10 ms. */
function resultOf({ rate, limit, duration }, capacity) {
  const seconds = duration / 1000;
  const perSecond = rate === undefined ? Math.min(limit * 100, capacity) : Math.min(rate, capacity);
  const started = Math.round((rate ?? perSecond) * seconds);
  const result = literalResult();
  const times = { ...result.main.completed, median: 10, p95: 11, p99: rate > capacity ? 900 : 12, mean: 10 };
  return {
    ...result,
    measuredElapsed: duration,
    id: `run of ${rate ?? limit}`,
    main: { ...result.main, completed: times, serviceTime: times },
    iterations: {
      ...result.iterations,
      ...{ started, completed: started, failed: 0, cancelled: 0, completedRate: perSecond, plannedRate: rate },
    },
    requests: { ...result.requests, answered: started },
    series: {
      ...result.series,
      points: Array.from({ length: seconds }, (_, i) => ({
        at: i * 1000,
        iterations: { completed: perSecond, failed: 0 },
        responseTime: { median: 10 },
      })),
    },
    errors: { ...result.errors, count: 0, share: 0, allowed: true, kinds: {}, samples: [] },
    validity: { status: 'valid', reasons: [] },
    thresholds: [],
    outcome: undefined,
  };
}

const search = (capacity, options, perform = {}) =>
  findCapacity({ ...OPTIONS, ...options }, { run: async (load) => ({ result: resultOf(load, capacity) }), ...perform });
/** Performs so many steps, then the search is stopped. */
function firstOf(most, run) {
  let steps = 0;
  return async (load) => (++steps > most ? { ended: 'interrupted' } : run(load));
}
const isCapacity = checkerOf('capacity');

describe('capacity/course', () => {
  it('a search ends with a document that conforms to its schema', async () => {
    const { capacity, ended } = await search(500);
    isCapacity(JSON.parse(JSON.stringify(capacity)));
    expect(isCapacity.errors).to.equal(null);
    expect(ended).to.equal(null);
    const { conclusion, steps } = capacity;
    expect(conclusion.code).to.equal('found');
    expect(conclusion.load).to.be.within(475, 510);
    expect(conclusion.message).to.match(
      /^The service holds \d+\/s \(4\d\d to 5\d\d\/s\): at 5\d\d\/s the backlog grew by/,
    );
    expect(steps[0]).to.deep.include({
      resultId: 'run of 20',
      outcome: { passed: true, status: 'passed', reasons: [] },
      validity: { status: 'valid', reasons: [] },
    });
    expect(steps[0].load).to.deep.equal({ rate: 20, virtualUsers: 20, duration: 25_000, warmup: 2000 });
    expect(steps.map(({ role }) => role)).to.include.members(['search', 'settling', 'confirmation']);
  });

  it('virtual users are those that Little’s law needs if each iteration takes as long as a threshold allows', () => {
    expect(usersFor(1000, { meanMs: 5, boundMs: 0 })).to.equal(375);
    expect(usersFor(1000, { meanMs: 5, boundMs: 1000 })).to.equal(1500);
    expect(usersFor(1000, { meanMs: 500, boundMs: 0 })).to.equal(3000);
    expect(usersFor(1, { meanMs: null, boundMs: 0 })).to.equal(20);
  });

  it('-c bounds the virtual users of every step', async () => {
    const { capacity } = await search(500, { mostUsers: 7 });
    expect(new Set(capacity.steps.map(({ load }) => load.virtualUsers))).to.deep.equal(new Set([7]));
  });

  it('virtual users that -c bounds are named as the limit, if they were', async () => {
    const run = async (load) => {
      const result = resultOf(load, 100);
      const late = load.rate > 100 ? result.iterations.started : 0;
      return { result: { ...result, iterations: { ...result.iterations, late } } };
    };
    const { capacity } = await search(100, { mostUsers: 7 }, { run });
    expect(capacity.conclusion.limit.code).to.equal('virtualUsers');
    expect(capacity.conclusion.message).to.match(/all 7 virtual users were busy: allow more \(-c\)/);
  });

  it('a step has its own load, whatever the flow and the configuration file say', () => {
    const flow = { name: 'flow', options: { iterations: 10, stages: ['1s:5'], limit: 3, thresholds: 'p99<1s' } };
    const load = { rate: 40, limit: 20, duration: 10_000, warmup: 2000 };
    const { options } = resolveLayers([{ name: 'default', options: {} }, ...stepLayers(load, [flow])]);
    expect(options).to.deep.equal({ ...load, thresholds: 'p99<1s', gracefulStop: 5000 });
  });

  it('no step begins that would end after the longest duration', async () => {
    let now = 0;
    const { capacity } = await search(
      500,
      { maxDurationMs: 60_000 },
      {
        now: () => now,
        run: async (load) => {
          now += load.duration + load.warmup;
          return { result: resultOf(load, 500) };
        },
      },
    );
    expect(capacity.steps.length).to.equal(3);
    expect(capacity.conclusion).to.deep.include({ code: 'imprecise', load: 320, confirmed: false });
    expect(capacity.conclusion.message).to.match(/; maxDuration ended the search$/);
  });

  describe('the iterations of a step', () => {
    const p999 = {
      expression: 'p99.9<1s',
      figure: 'responseTime.p99.9',
      operator: '<',
      bound: 1000,
      unit: 'ms',
      of: {},
    };
    const dueIn = ({ load: { rate, duration } }) => (rate * duration) / 1000;

    it('are as many as a percentile of its thresholds needs, also of operations', () => {
      const needed = (...figures) => iterationsNeeded(figures.map((figure) => ({ figure })));
      expect(needed()).to.equal(100);
      expect(needed('errors', 'responseTime.p95', 'responseTime.max', 'responseTime.p100')).to.equal(100);
      expect(needed('responseTime.p99', 'serviceTime.p99.9')).to.equal(1000);
      expect(needed('p99.99')).to.equal(10_000);
    });

    it('are so many in each step, and the first one is not judged before', async () => {
      const { capacity } = await search(500, { thresholds: [p999] });
      for (const step of capacity.steps.filter(({ role }) => role !== 'settling'))
        expect(dueIn(step)).to.be.at.least(1000);
    });

    it('the first step is repeated for longer, if the flow has a threshold that needs it', async () => {
      const loads = [];
      const run = async (load) => {
        loads.push(load);
        return { result: { ...resultOf(load, 500), thresholds: [{ ...p999, actual: 12, passed: true }] } };
      };
      const { capacity } = await search(500, {}, { run });
      expect(loads.slice(0, 2).map(({ rate, duration }) => [rate, duration])).to.deep.equal([
        [20, 25_000],
        [20, 50_000],
      ]);
      expect(capacity.steps[0].load).to.deep.include({ rate: 20, duration: 50_000 });
    });

    it('it is not, if the duration of the search does not allow it', async () => {
      let now = 0;
      const run = async (load) => {
        now += load.warmup + load.duration;
        return { result: { ...resultOf(load, 500), thresholds: [{ ...p999, actual: 12, passed: true }] } };
      };
      const error = await search(500, { maxDurationMs: 60_000 }, { now: () => now, run }).catch((thrown) => thrown);
      expect(error.message).to.match(/maxDuration: ends before the first step, which takes 52 s/);
      expect(now).to.equal(27_000);
    });

    it('a search goes down to the lowest rate that has them, and says so', async () => {
      const run = async (load) => {
        const result = resultOf(load, 500);
        return { result: { ...result, thresholds: [{ ...p999, actual: 2000, passed: false }] } };
      };
      const { capacity } = await search(500, { thresholds: [p999] }, { run });
      const { code, message } = capacity.conclusion;
      expect(code).to.equal('none');
      expect(capacity.steps.at(-1).load).to.deep.include({ rate: 10, duration: 100_000 });
      expect(message).to.match(
        /^No rate from 10\/s to 20\/s holds: at 10\/s p99\.9<1s failed .*; lower ones need longer steps/,
      );
    });

    for (const [about, options, message] of [
      [
        'too few',
        { from: 0.5 },
        /^from: at 0\.50\/s a step would take 200 s for the 100 iterations .* at 1\/s or above/m,
      ],
      ['no time', { maxDurationMs: 11_000 }, /^maxDuration: ends before the first step, which takes 12 s/m],
      ['no time for virtual users', { by: 'users', from: 1, maxDurationMs: 11_000 }, /^maxDuration: /m],
    ])
      it(`a search whose first step has ${about} is refused before it`, async () => {
        const run = () => Promise.reject(new Error('a step ran'));
        const error = await search(500, options, { run }).catch((thrown) => thrown);
        expect(error.code).to.equal('E_RUN_OPTIONS');
        expect(error.message).to.match(message);
      });

    it('the first step is short enough for the duration of the search', async () => {
      const { capacity } = await search(500, { maxDurationMs: 20_000 }, { now: () => 0 });
      expect(capacity.steps[0].load.duration).to.equal(18_000);
    });

    it('a service that hangs may take the time that is left, but not less than a threshold allows', async () => {
      const graceOfFirst = async (options) => {
        const loads = [];
        const run = async (load) => {
          loads.push(load);
          return { ended: 'interrupted' };
        };
        await search(500, options, { now: () => 0, run });
        return loads[0].grace;
      };
      expect(await graceOfFirst({})).to.equal(5000);
      expect(await graceOfFirst({ maxDurationMs: 32_000 })).to.equal(2000);
      expect(await graceOfFirst({ maxDurationMs: 20_000 })).to.equal(1000);
      expect(
        await graceOfFirst({ maxDurationMs: 20_000, thresholds: [{ ...p999, figure: 'p99', bound: 3000 }] }),
      ).to.equal(3000);
    });

    it('a step of virtual users takes longer if their iterations do', async () => {
      const run = async (load) => {
        const result = resultOf(load, 400);
        const { main } = result;
        return { result: { ...result, main: { ...main, serviceTime: { ...main.serviceTime, mean: 500 } } } };
      };
      const { capacity } = await search(400, { by: 'users', from: 1 }, { run });
      expect(capacity.steps.slice(0, 2).map(({ load }) => load.duration)).to.deep.equal([10_000, 25_000]);
    });
  });

  describe('of iterations that pause', () => {
    /** A service of 500 iterations per second, each of which pauses for so long, as it was measured. */
    const searchOf = async (pauseMs, options) => {
      const loads = [];
      const run = async (load) => {
        loads.push(load);
        const result = resultOf(load, 500);
        const { serviceTime } = result.main;
        const [none, times] = [0, result.iterations.completed].map((count) => ({ ...serviceTime, count, mean: 10 }));
        const busyTime = times.count * (10 + pauseMs);
        const main = { ...result.main, serviceTime: times, failed: none, cancelled: none };
        // in the first pause no iteration ends
        const points = result.series.points.map(({ iterations, ...point }) => ({
          ...point,
          iterations: point.at < pauseMs ? { completed: 0, failed: 0 } : iterations,
        }));
        return {
          result: {
            ...result,
            main,
            iterations: { ...result.iterations, busyTime },
            series: { ...result.series, points },
          },
        };
      };
      const { capacity } = await search(500, options, { run });
      return { capacity, loads };
    };

    it('the first step is repeated with the virtual users and the time that they need', async () => {
      const { capacity, loads } = await searchOf(8000);
      expect(loads.slice(0, 2).map(({ rate, limit, duration }) => [rate, limit, duration])).to.deep.equal([
        [20, 20, 25_000],
        [20, 248, 32_000],
      ]);
      expect(capacity.steps[0].load).to.deep.include({ rate: 20, virtualUsers: 248 });
      expect(capacity.conclusion.code).to.equal('found');
      expect(capacity.conclusion.load).to.be.within(475, 510);
    });

    it('pauses within the spare virtual users change nothing', async () => {
      const { loads } = await searchOf(90);
      expect(loads[1].rate).to.be.above(20);
    });

    it('a step that is too short for them is refused', async () => {
      const error = await searchOf(60_000).catch((thrown) => thrown);
      expect(error.message).to.match(/step: an iteration takes 1 m beside its requests, .*: use 18 s or longer/);
    });

    it('by users, a step is long enough for their iterations', async () => {
      const { loads } = await searchOf(2000, { by: 'users', from: 1 });
      expect(loads[1]).to.include({ limit: 2, duration: 100_000 });
    });
  });

  it('of a service that holds none of the loads, only those that were tried are named', async () => {
    const run = async (load) => {
      const result = resultOf(load, 500);
      return {
        result: {
          ...result,
          errors: { ...result.errors, count: 50, share: 0.5, allowed: false, kinds: { status: 50 } },
        },
      };
    };
    const messageOf = async (options) => (await search(500, options, { run })).capacity.conclusion.message;
    expect(await messageOf()).to.match(/^No rate from \S+ to 20\/s holds: at \S+ 50 errors/);
    expect(await messageOf({ from: 1 })).to.match(/^Even 1\/s does not hold: /);
    expect(await messageOf({ by: 'users', from: 4 })).to.match(/^Even 1 virtual user does not hold: /);
  });

  it('a run that was cut short tells nothing about its load', () => {
    const stats = literalResult();
    expect(stepOutcomeOf('completed', stats)).to.deep.equal({ result: stats });
    expect(stepOutcomeOf('bailout', stats).early).to.match(/the error limit of --bailout/);
    expect(stepOutcomeOf('hook', stats)).to.deep.equal({ ended: 'errors', message: 'stopped by a hook' });
    expect(stepOutcomeOf('server', stats)).to.deep.include({ ended: 'server' });
    const unreachable = { connections: { opened: 0 }, requests: { answered: 0 }, errors: { count: 3 } };
    expect(stepOutcomeOf('completed', unreachable).ended).to.equal('errors');
    expect(stepOutcomeOf('completed', unreachable).message).to.match(/no connection succeeded/);
    expect(stepOutcomeOf('server', unreachable).ended).to.equal('server');
    expect(endReasonOf('queue', unreachable), 'a reason with an exit code of its own').to.equal('queue');
  });

  it('a step that too many errors ended has failed, though a threshold allows them', async () => {
    const run = async (load) => stepOutcomeOf(load.rate > 20 ? 'bailout' : 'completed', resultOf(load, 5000));
    const { capacity } = await search(5000, {}, { run: firstOf(2, run) });
    expect(capacity.steps[1].outcome).to.deep.include({ passed: false, status: 'failed' });
    expect(capacity.conclusion.load).to.equal(20);
  });

  it('a rate at which the load generator was the bottleneck is none that does not hold', async () => {
    const run = async (load) => {
      const result = resultOf(load, 10);
      const saturated = load.rate < 20;
      const reasons = [{ code: 'saturated', message: 'the load generator was saturated' }];
      return { result: { ...result, loadGenerator: { ...result.loadGenerator, saturated, reasons } } };
    };
    const { capacity } = await search(10, {}, { run: firstOf(3, run) });
    expect(capacity.conclusion.message).to.match(/^Even 20\/s does not hold: /);
  });

  it('a later step that is refused ends the search, by what it lacks', () => {
    const endOf = (code) => refusedStep(Object.assign(new Error('why'), { code }), 3);
    expect(endOf('E_RUN_OPTIONS')).to.deep.equal({ ended: 'undecided', message: 'step 3 was refused: why' });
    expect(['E_AGENT_LOST', 'E_START_ENDED', 'E_FLOW', undefined].map((code) => endOf(code).ended).join(' ')).to.equal(
      'agents server errors errors',
    );
    expect(() => refusedStep(new Error('why'), 1)).to.throw('why');
  });

  it('a search that is stopped has the best answer so far', async () => {
    let steps = 0;
    const run = async (load) => (++steps > 3 ? { ended: 'interrupted' } : { result: resultOf(load, 5000) });
    const { capacity, ended } = await search(5000, {}, { run });
    expect(ended).to.equal('interrupted');
    expect(capacity.conclusion).to.deep.include({ code: 'imprecise', load: 320 });
    expect(capacity.conclusion.message).to.equal('The service holds 320/s, not within 5 %: no load has failed yet');
  });

  it('a server that ended ends the search', async () => {
    const run = async (load) => {
      const result = resultOf(load, 5000);
      return { result: load.rate > 20 ? { ...result, errors: { ...result.errors, kinds: { server: 1 } } } : result };
    };
    const { capacity, ended } = await search(5000, {}, { run });
    expect({ ended, load: capacity.conclusion.load }).to.deep.equal({ ended: 'server', load: 20 });
  });

  it('a load generator that is the bottleneck limits the answer', async () => {
    const run = async (load) => {
      const result = resultOf(load, 1e6);
      const reasons = [{ code: 'saturated', message: 'the load generator was saturated' }];
      const loadGenerator = { ...result.loadGenerator, saturated: load.rate > 1000, reasons };
      return { result: { ...result, loadGenerator } };
    };
    const { capacity } = await search(1e6, {}, { run });
    const { code, load, message, interval } = capacity.conclusion;
    expect(code).to.equal('atLeast');
    expect(load).to.be.within(940, 1000);
    expect(interval.high).to.equal(null);
    expect(message).to.match(/^The service holds at least \d+\/s; the load generator is the bottleneck: at 1,0\d\d\/s/);
    expect(capacityReasons(capacity, null)).to.deep.equal(['undecided']);
    expect(capacityReasons(capacity, 900)).to.deep.equal([]);
    expect(capacityReasons(capacity, 2000)).to.deep.equal(['undecided']);
  });

  it('a capacity below --at-least, and none at all, fail', async () => {
    const { capacity } = await search(500);
    expect(capacityReasons(capacity, null)).to.deep.equal([]);
    expect(capacityReasons(capacity, 450)).to.deep.equal([]);
    expect(capacityReasons(capacity, 600)).to.deep.equal(['threshold']);
    const early = { conclusion: { code: 'imprecise', load: 320, interval: { low: 312, high: null } } };
    expect(capacityReasons(early, null)).to.deep.equal(['undecided']);
    expect(capacityReasons(early, 500)).to.deep.equal(['undecided']);
    early.conclusion.interval.high = 450;
    expect(capacityReasons(early, 500)).to.deep.equal(['threshold']);
    const none = { conclusion: { code: 'none', load: null } };
    expect(capacityReasons(none, null)).to.deep.equal(['threshold']);
    const unrecovered = { conclusion: { code: 'unrecovered', load: null } };
    expect(capacityReasons(unrecovered, null)).to.deep.equal(['threshold']);
    const unknown = { conclusion: { code: 'imprecise', load: null } };
    expect(capacityReasons(unknown, null)).to.deep.equal(['undecided']);
  });

  for (const from of [1, 2, 3, 16])
    it(`by users from ${from}, the answer is the number beyond which more virtual users only wait`, async () => {
      const { capacity } = await search(400, { by: 'users', from });
      isCapacity(JSON.parse(JSON.stringify(capacity)));
      expect(isCapacity.errors).to.equal(null);
      const { conclusion, scalability, steps } = capacity;
      expect(conclusion).to.deep.include({ code: 'found', load: 4, iterations: { completedRate: 400 } });
      expect(conclusion.limit).to.deep.include({ code: 'throughput' });
      expect(steps.every(({ load }) => load.rate === undefined)).to.equal(true);
      expect(scalability.message).to.be.a('string');
    });

  it('by users, a loss of CPU ends nothing unless it decides whether throughput grows', async () => {
    const stop = (ms) => ({ count: 1, longest: 20, total: ms });
    const run = async (load) => {
      const result = resultOf(load, 400);
      const stops = { suspended: stop(0), noCpu: stop(load.duration * 0.1), gc: stop(0), blocked: stop(0) };
      const reasons = [{ code: 'stopped', message: 'stopped for 10 % of the time' }];
      return {
        result: { ...result, loadGenerator: { ...result.loadGenerator, workers: 1, stops, saturated: true, reasons } },
      };
    };
    const { capacity } = await search(400, { by: 'users', from: 1 }, { run });
    expect(capacity.conclusion).to.deep.include({ code: 'found', load: 4 });
    expect(capacity.steps[0].loadGenerator.lostShare).to.equal(0.1);
  });

  it('a step that lacked CPU is repeated for longer, and shown', async () => {
    let isFirst = true;
    const run = async (load) => {
      const result = resultOf(load, 500);
      if (load.rate < 300 || !isFirst) return { result };
      isFirst = false;
      const stop = { count: 9, longest: 100, total: load.duration * 0.3 };
      const stops = { suspended: stop, noCpu: stop, gc: stop, blocked: stop };
      const reasons = [{ code: 'missedRate', message: 'missed the rate' }];
      return {
        result: {
          ...result,
          loadGenerator: { ...result.loadGenerator, eventLoopUtilization: 0.5, stops, saturated: true, reasons },
        },
      };
    };
    const { capacity } = await search(500, {}, { run });
    const i = capacity.steps.findIndex(({ outcome }) => outcome.status === 'saturated');
    const [starved, repeated] = capacity.steps.slice(i);
    expect(repeated).to.nested.include({ role: 'confirmation', 'outcome.status': 'passed' });
    expect(repeated.load.rate).to.equal(starved.load.rate);
    expect(repeated.load.duration).to.equal(2 * starved.load.duration);
    expect(capacity.conclusion.code).to.equal('found');
  });
});

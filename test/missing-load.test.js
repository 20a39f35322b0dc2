import { expect } from 'chai';

import { mergedResult as mergedFiles } from '../lib/addons/merge/merge-results.js';
import { mergedResult, mergedState } from '../lib/addons/agents/merged-state.js';
import { literalResult } from './support/literal-result.js';
import { reportOf, stateOf, tableOf } from './support/shard-reports.js';
import { messagesOf } from './support/messages.js';
import { soleGenerator } from '../lib/core/measure/load-generators.js';
import { missingIn } from '../lib/core/measure/validity.js';
import { plannedLoad } from '../lib/core/run/plan.js';

/** Loads of 30 virtual users in three shards. `each`: iterations of a shard that ran to its end. */
const LOADS = {
  open: { options: { limit: 30, rate: 30, duration: 10_000 }, each: 100, planned: 300 },
  'open with -n': { options: { limit: 30, rate: 30, iterations: 300 }, each: 100, planned: 300 },
  'poisson with -n': { options: { limit: 30, rate: 30, iterations: 300, arrival: 'poisson' }, each: 100, planned: 300 },
  stages: { options: { limit: 30, stages: [{ duration: 10_000, rate: 60 }] }, each: 100, planned: 300 },
  'closed with -n': { options: { limit: 30, iterations: 300 }, each: 100, planned: 300 },
  closed: { options: { limit: 30, duration: 10_000 }, each: 100, planned: null },
};
const sumOptionsOf = (options, agents) => ({ load: plannedLoad(options, agents) });
const isOpen = ({ options }) => options.rate !== undefined || options.stages !== undefined;

const stateIn = (load, started, isOver) =>
  stateOf(
    Array.from({ length: started }, () => 1),
    {
      isOver,
      ...(isOpen(load) && { planned: started, plannedMs: started * 100 }),
    },
  );

/**
 * How the shards of a run on agents ended: why, and after how many iterations; null: lost, undefined: it has not
 * reported its end.
 */
const AGENTS = {
  'one agent is lost': {
    ends: [
      ['completed', 100],
      ['completed', 100],
      [null, 20],
    ],
    missing: 80,
    users: 20,
  },
  'one agent is stopped, and so are the others': {
    ends: [
      ['SIGTERM', 20],
      ['agent', 21],
      ['agent', 21],
    ],
    missing: 238,
    users: 0,
  },
  'agents cannot reach the queue': {
    ends: [
      ['queue', 50],
      ['queue', 50],
      ['queue', 50],
    ],
    missing: 150,
    users: 0,
  },
  'the queue is gone for good': {
    ends: [
      [null, 50],
      [null, 50],
      [null, 50],
    ],
    missing: 150,
    users: 0,
  },
  'the coordinator does not respond': {
    ends: [
      ['queue', 30],
      ['completed', 100],
      ['queue', 30],
    ],
    missing: 140,
    users: 10,
  },
  'all agents are lost': {
    ends: [
      [null, 20],
      [null, 20],
      [null, 20],
    ],
    missing: 240,
    users: 0,
  },
  'one agent has never reported': {
    ends: [
      ['completed', 100],
      ['completed', 100],
      [null, null],
    ],
    missing: 100,
    users: 20,
  },
  'a hook ends the run': {
    ends: [
      ['hook', 20],
      ['hook', 20],
      ['hook', 20],
    ],
    missing: 0,
    users: 30,
  },
  'a limit of errors ends the run': {
    ends: [
      ['bailout', 20],
      ['bailout', 20],
      ['bailout', 20],
    ],
    missing: 0,
    users: 30,
  },
  'a threshold ends the run': {
    ends: [
      ['threshold', 20],
      ['threshold', 20],
      ['threshold', 20],
    ],
    missing: 0,
    users: 30,
  },
  'Ctrl-C ends the run': {
    ends: [
      ['SIGINT', 20],
      ['SIGINT', 20],
      ['SIGINT', 20],
    ],
    options: { stoppedBy: 'SIGINT' },
    missing: 0,
    users: 30,
  },
  'the run is aborted': {
    ends: [
      [undefined, 20],
      [undefined, 20],
      [undefined, 20],
    ],
    options: { isAborted: true },
    missing: 0,
    users: 30,
  },
};

/** Results of shards, saved and merged: the number of each, why it ended, and after how many iterations. */
const FILES = {
  'all shards are stopped by a signal': {
    ends: [
      [1, 'SIGINT', 20],
      [2, 'SIGINT', 20],
      [3, 'SIGTERM', 30],
    ],
    missing: 230,
    users: 0,
  },
  'one shard is stopped by a signal': {
    ends: [
      [1, 'completed', 100],
      [2, 'completed', 100],
      [3, 'SIGTERM', 30],
    ],
    missing: 70,
    users: 20,
  },
  'one shard is lost': {
    ends: [
      [1, 'completed', 100],
      [2, 'lost', 10],
      [3, 'completed', 100],
    ],
    missing: 90,
    users: 20,
  },
  'a shard is not there (--partial)': {
    ends: [
      [1, 'completed', 100],
      [3, 'completed', 100],
    ],
    missing: 100,
    users: 20,
  },
  'a shard is not there, and the others are stopped': {
    ends: [
      [1, 'SIGINT', 20],
      [3, 'SIGINT', 20],
    ],
    missing: 260,
    users: 0,
  },
  'one shard ends by a limit, and the others go on': {
    ends: [
      [1, 'completed', 100],
      [2, 'bailout', 10],
      [3, 'completed', 100],
    ],
    missing: 90,
    users: 20,
  },
  'all shards end by a limit': {
    ends: [
      [1, 'bailout', 20],
      [2, 'bailout', 20],
      [3, 'unreachable', 20],
    ],
    missing: 0,
    users: 30,
  },
  'hooks end all shards': {
    ends: [
      [1, 'hook', 20],
      [2, 'hook', 20],
      [3, 'hook', 20],
    ],
    missing: 0,
    users: 30,
  },
};

/** Checks that the plan is what the user asked for, whatever is missing of it. */
function expectPlan(result, load, { missing, users, ends }) {
  const { iterations, validity } = result;
  const lacks = missingIn({ validity }).join('\n');
  if (load.planned === null) {
    expect(iterations.missing).to.equal(0);
    const text = `${users} of 30 virtual users ran until the end`;
    if (users < 30) expect(lacks).to.include(text);
    else expect(lacks).not.to.include('virtual users');
    return;
  }
  expect(iterations.missing).to.equal(missing);
  if (missing === 0) return;
  expect(lacks).to.include(`${missing} of ${load.planned} planned iterations are missing`);
  expect(iterations.started + missing, JSON.stringify(ends)).to.equal(load.planned);
  if (isOpen(load)) expect(iterations.plannedRate).to.be.closeTo(30, 0.5);
}

describe('A90 missing load', () => {
  for (const [name, load] of Object.entries(LOADS)) {
    describe(`of a load that is ${name}`, () => {
      for (const [about, { ends, options, ...expected }] of Object.entries(AGENTS))
        it(`counts if ${about}`, async () => {
          const reports = ends.map(([why, started]) => {
            if (started === null) return null;
            const isOver = typeof why === 'string';
            const end = isOver ? { outcome: { kind: 'ended', why }, state: 'ended' } : {};
            return reportOf(stateIn(load, started, isOver), end);
          });
          const table = tableOf(...reports);
          for (const [i, [why]] of ends.entries()) if (why === null) table.drop(i + 1, 'killed');
          const sum = await mergedResult(table, 0, { ...sumOptionsOf(load.options, 3), ...options });
          expectPlan(sum, load, { ...expected, ends });
        });

      for (const [about, { ends, ...expected }] of Object.entries(FILES))
        it(`counts in merged results if ${about}`, () => {
          const results = ends.map(([number, why, started]) => {
            const { schema, run } = literalResult();
            const shard = { number, of: 3 };
            return {
              ...{ schema, run: { ...run, options: load.options, endReason: why } },
              ...stateIn(load, started, true),
              ...{ id: `${number}`, loadGenerators: [soleGenerator({ shard, workers: 1 })] },
              measuredAt: '2026-01-01T00:00:00.000Z',
            };
          });
          const result = mergedFiles(
            results,
            results.map(({ id }) => `${id}.json`),
            { isPartial: true },
          );
          expectPlan(result, load, { ...expected, ends });
        });
    });
  }

  it('A94 shards whose start is not known may not have run at the same time', () => {
    const results = [1, 2, 3].map((number) => {
      const { schema, run } = literalResult();
      const shard = { number, of: 3 };
      const known = number === 3 ? {} : { measuredAt: '2026-01-01T00:00:00.000Z' };
      return {
        ...{ schema, run: { ...run, options: LOADS.open.options } },
        ...stateIn(LOADS.open, 100, true),
        ...{ id: `${number}`, loadGenerators: [soleGenerator({ shard, workers: 1 })] },
        ...known,
      };
    });
    const result = mergedFiles(results, ['1.json', '2.json', '3.json']);
    expect(result.validity.status).to.equal('suspect');
    expect(messagesOf(result.validity.reasons).join()).to.include('not known when 1 of the 3 parts started');
    expect(result.loadGenerator.startSkew).to.equal(null);
  });

  it('an agent that Ctrl-C of the command stops is not one that was stopped', async () => {
    const ended = reportOf(stateOf([1], { isOver: true }), {
      outcome: { kind: 'ended', why: 'SIGINT' },
      state: 'ended',
    });
    const { loadGenerators } = await mergedResult(tableOf(ended), 0, { stoppedBy: 'SIGINT' });
    expect(loadGenerators[0]).not.to.have.property('stoppedBy');
  });

  it('many agents that were lost alike have one sentence', async () => {
    const reports = Array.from({ length: 40 }, (_, i) => reportOf(stateOf([1]), { name: `vm-${i + 1}` }));
    const table = tableOf(...reports);
    for (let i = 1; i <= 39; i++) table.drop(i, i % 2 ? 'killed' : 'silent');
    const { validity } = await mergedResult(table, 0, { isAborted: true });
    expect(missingIn({ validity })).to.deep.equal([
      '20 agents (vm-1, vm-3, vm-5, vm-7, vm-9 and 15 others) were lost: killed; counted until 1.0 s',
      '19 agents (vm-2, vm-4, vm-6, vm-8, vm-10 and 14 others) were lost: silent; counted until 1.0 s',
      'agent vm-40 was lost: it did not answer the abort; counted until 1.0 s',
    ]);
  });

  it('while a run goes on, a lost agent lacks what is due by now, and others will still report', async () => {
    const load = LOADS.open;
    const table = tableOf(reportOf(stateIn(load, 40, false)), reportOf(stateIn(load, 10, false)), null);
    table.drop(2, 'killed', 'noSignal');
    const { iterations } = await mergedState(table, 1, sumOptionsOf(load.options, 3));
    expect(iterations.missing).to.equal(30);
  });

  it('a shard whose last iteration was due before that of a lost one has reached the end', async () => {
    const load = LOADS.open;
    const done = () =>
      reportOf(stateOf(Array(100).fill(1), { isOver: true, planned: 100, plannedMs: 9950 }), {
        outcome: { kind: 'ended', why: 'completed' },
        state: 'ended',
      });
    const table = tableOf(done(), done(), reportOf(stateIn(load, 20, false)));
    table.drop(3, 'killed', 'noSignal');
    const { iterations } = await mergedResult(table, 1, sumOptionsOf(load.options, 3));
    expect(iterations.missing).to.equal(80);
  });

  it('a run without an end lacks what was due while it ran', async () => {
    const options = { limit: 30, rate: 30 };
    const stopped = reportOf(stateIn(LOADS.open, 50, true), {
      outcome: { kind: 'ended', why: 'SIGINT' },
      state: 'ended',
    });
    const table = tableOf(stopped, stopped, reportOf(stateIn(LOADS.open, 20, false)));
    table.drop(3, 'killed', 'noSignal');
    const { iterations } = await mergedResult(table, 1, { ...sumOptionsOf(options, 3), stoppedBy: 'SIGINT' });
    expect(iterations.missing).to.equal(30);
  });

  it('a plan of many arrivals at random is known at once', async () => {
    const options = { limit: 30, rate: 1e6, duration: 1e12, arrival: 'poisson' };
    const table = tableOf(reportOf(stateOf([1], { planned: 1, plannedMs: 1 })));
    table.drop(1, 'killed', 'noSignal');
    const { iterations } = await mergedResult(table, 1, sumOptionsOf(options, 1));
    expect(iterations.missing).to.be.closeTo(1e15, 1e9);
  });
});

import { expect } from 'chai';

import { ServerMeter } from '../../../lib/addons/server/server-meter.js';

const thread = (id) => ({ id, pid: 7, thread: 0, name: 'app.js', version: 'v22.0.0' });
const delay = { mean: 0, p99: 0, max: 0 };
const figures = (heap) => ({
  ...{ loop: { active: 500, idle: 500 }, delay, recent: delay, gc: { time: 0, count: 0 } },
  ...{ memory: { heap, external: 0, limit: 1, collected: 0 }, resources: 1, losses: { errors: 0, dropped: 0 } },
});
const sample = {
  ...{ elapsed: 1000, cpuTime: 500, machineCpuTime: 900, busiestThread: 400, busiestThreadWait: 0, busyThreads: 0 },
  ...{ cpuWait: 0, contextSwitches: 0, memory: 1, openFiles: 1, threads: 1, processes: 1, restarts: 0, cores: 1 },
  ...{ io: null, network: null },
};

/** A link to threads whose messages the test writes. */
class Link {
  threads = [thread('7'), thread('8')];
  #listeners = new Map();

  send() {}

  on(kind, listener) {
    this.#listeners.set(kind, listener);
  }

  receive(kind, body, id) {
    this.#listeners.get(kind)(body, thread(id));
  }

  second({ isLast = false } = {}) {
    this.receive('processes', { sample, elapsed: 1000, rows: [], isLast }, '');
  }
}

describe('the load of a server', () => {
  it('the heap of a thread counts until it ends, and until the end of the run if it ends after that', async () => {
    const link = new Link();
    const load = new ServerMeter(link, 'start');
    load.begin(() => 1);
    for (const id of ['7', '8']) link.receive('figures', figures(1e6), id);
    link.second();
    link.receive('bye', {}, '8');
    link.second();
    link.threads = [thread('7')];
    load.end();
    link.receive('bye', {}, '7');
    link.second({ isLast: true });
    await load.ended;
    const { nodeThreads, series } = load.toJSON({ isOver: true });
    expect(series.points.map(({ heap }) => heap)).to.deep.equal([2e6, 1e6, 1e6]);
    expect(nodeThreads).to.have.lengthOf(2);
  });
});

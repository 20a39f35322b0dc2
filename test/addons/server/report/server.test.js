import { expect } from 'chai';

import { serverParts, threadRows } from '../../../../lib/addons/server/report/server.js';

const THREAD = { pid: 7, eventLoopUtilization: 0.5, eventLoopDelay: { p99: 3 }, gcShare: 0.01, memory: { heap: 1e6 } };
const PROCESSES = { details: [{ pid: 7, name: 'app', cpuTime: 9, memory: 2e6 }] };

describe('a server in reports', () => {
  it('a leak of less than an open file per minute has decimals', () => {
    const textOf = (growth) => serverParts({ openFiles: { peak: 40, growth } });
    expect(textOf(0.2)).to.deep.equal(['40 open files (+0.20/min)']);
    expect(textOf(12.4)).to.deep.equal(['40 open files (+12/min)']);
  });

  it('the event loop of a run that was too short to measure it is left out', () => {
    const figures = { memory: { mean: 5e7 }, gcShare: 0.04 };
    const textOf = (p99) => serverParts({ ...figures, eventLoopDelay: { p99 } });
    expect(textOf(0)).to.deep.equal(['memory 50.0 MB']);
    expect(textOf(3)).to.deep.equal(['memory 50.0 MB', 'event loop delay p99 3.00 ms', 'GC 4.0 %']);
  });

  it('a process whose worker thread alone has reported keeps its name, and has no event loop', () => {
    const [own, worker] = threadRows({ processes: PROCESSES, nodeThreads: [{ ...THREAD, thread: 2, name: 'pool' }] });
    expect(own.slice(0, 2)).to.deep.equal(['app', '7']);
    expect(own.slice(4)).to.deep.equal(['', '', '', '']);
    expect(worker[0]).to.equal('thread 2: pool');
    const [named] = threadRows({ processes: PROCESSES, nodeThreads: [{ ...THREAD, thread: 0, name: 'api' }] });
    expect(named[0]).to.equal('api');
  });
});

import { expect } from 'chai';

import { watchProcess } from '../../../lib/process/processes.js';

describe('measure/process-usage', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('the load of a process lies between begin and end', () => {
    const load = watchProcess(process.pid);
    expect(load.toJSON()).to.equal(null);
    load.begin();
    load.end();
    const ended = load.toJSON();
    expect(ended.cpuTime).to.be.at.least(0);
    expect(ended.memory.peak).to.be.at.least(ended.memory.mean);
    expect(ended.memory.mean).to.be.above(1e6);
    load.end();
    expect(load.toJSON()).to.deep.equal(ended);
  });

  it('a process that has ended has no figures', () => {
    const load = watchProcess(2 ** 22 + 1);
    load.begin();
    load.end();
    expect(load.toJSON()).to.equal(null);
  });
});

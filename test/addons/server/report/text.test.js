import { expect } from 'chai';

import { render } from '../../../../lib/core/report/text/index.js';
import { unanswered } from '../../../support/literal-result.js';

describe('the text of a run with a server', () => {
  it('a run without an answer has the server, which may be blocked', () => {
    const conclusions = [{ code: 'serverCpu', message: 'the server used 1.0 of 2 cores: one thread is the limit' }];
    const servers = [{ name: 'start', source: 'process', cpuTime: 990, cpuCores: 0.99, conclusions }];
    const text = render({ ...unanswered(), servers }, { width: 80 });
    expect(text).to.include('server  0.99 cores').and.include(conclusions[0].message);
    const none = [{ ...servers[0], endedAfter: 0, memory: { mean: 0, peak: 0 } }];
    expect(render({ ...unanswered(), servers: none }, { width: 80 })).to.include('server  no figures\n');
  });
});

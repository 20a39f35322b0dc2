import { expect } from 'chai';

import { Histogram } from '../../../../lib/core/measure/histogram.js';
import { render } from '../../../../lib/core/report/text/index.js';
import { literalResult } from '../../../support/literal-result.js';
import { outcomeFor } from '../../../../lib/core/measure/outcome.js';

const nothing = new Histogram().toJSON();

/** A run that got no answer. */
function unanswered() {
  const result = literalResult();
  const [sample] = result.errors.details;
  const message = 'connect ECONNREFUSED 127.0.0.1:9; is the server running there?';
  Object.assign(result.main, { histogram: nothing, serviceTime: nothing, completed: nothing });
  Object.assign(result.iterations, { completed: 0, failed: 100, cancelled: 0, late: 0 });
  Object.assign(result.requests, { answered: 0, sent: 0, failed: 100, statusCodes: {} });
  delete result.iterations.plannedRate;
  const errors = { ...result.errors, count: 100, share: 1 };
  errors.details = [{ ...sample, message, kind: 'connect', code: 'ECONNREFUSED', count: 100, firstIndex: 0 }];
  return { ...result, errors, thresholds: undefined, outcome: outcomeFor(['errors']) };
}

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

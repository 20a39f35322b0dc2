import http from 'node:http';
import { expect } from 'chai';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { originOf } from '../../../lib/core/run/flow-source.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { prepare } from '../../../lib/core/run/prepare.js';

const OPTIONS = { limit: 2, iterations: 4 };

const prepared = (flow, options, caller) => {
  const read = readFlow(flow);
  return prepare(read, programLayers(read.flow, { ...OPTIONS, ...options }), originOf(flow), caller);
};

describe('a run against a server of this process', () => {
  it('a run is planned at once, unless it needs a server of its own or code of its flow', () => {
    const summaries = [
      prepared('http://127.0.0.1:9/'),
      prepared('/', { target: http.createServer() }),
      prepared('/', { start: 'node app.js' }),
      prepared({ main: ['http://127.0.0.1:9/'], data: { users: 'users.csv' } }),
    ].map(({ summary }) => summary !== null);
    expect(summaries).to.deep.equal([true, false, false, false]);
  });
});

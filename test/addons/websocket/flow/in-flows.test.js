import { expect } from 'chai';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { stepName } from '../../../../lib/core/flow/request.js';
import { settleOperation } from '../../../../lib/core/flow/settle-operation.js';
import { fitToFlow } from '../../../../lib/core/run/options/fit-to-flow.js';

/** What is wrong with a flow. */
const problemsOf = (flow) => {
  try {
    readFlow(flow).compile({});
    return [];
  } catch (error) {
    return error.problems.map(({ path, reason }) => `${path}: ${reason}`);
  }
};

describe('a WebSocket in a flow', () => {
  it('has the name of its path', () => expect(stepName('GET', 'wss://h')).to.equal('GET /'));

  it('is not one of several', () =>
    expect(problemsOf({ oneOf: ['ws://a/'] }).join()).to.include(
      'flow.main[0].oneOf[0].ws: a WebSocket cannot be one of several',
    ));

  it('keeps the properties that the request library had', () => {
    const operation = { ws: 'ws://h/', expect: 0, send: null };
    expect(settleOperation({ ...operation }, () => {})).to.deep.equal(operation);
  });

  it('with TLS uses a mapping for its name and port', () => {
    const connectTo = { 'api.test:443': { host: '127.0.0.1', port: 7001 } };
    const steps = readFlow({ main: [{ ws: 'wss://api.test/', send: 'a' }] }).compile({ connectTo });
    const notices = [];
    fitToFlow({ limit: 1, httpClient: 'builtin', forever: true, connectTo }, steps, (text) => notices.push(text));
    expect(notices).to.deep.equal([]);
  });
});

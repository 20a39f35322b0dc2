import { expect } from 'chai';

import { tracing } from '../../../lib/core/iteration/exchange-record.js';
import { requestTo } from '../../support/transports.js';

const RESPONSE = { statusCode: 200, headers: { a: '1' }, body: Buffer.from('ok') };
const ERROR = new Error('no response');
const THROWN = new Error('of the trace');

const ENDS = [
  ['a response', (receiver) => receiver.onResponse(RESPONSE), { response: RESPONSE }],
  ['an error', (receiver) => receiver.onError(ERROR), { error: ERROR }],
];

/** Sends a request on a connection that ends as given; returns what the receiver got. */
function sendTraced(end, trace) {
  const got = [];
  const next = (request, connection, exchange, receiver) => end(receiver);
  const send = tracing({ where: 'flow.main[0]', name: 'GET /' }, { now: () => 5 }, trace, next);
  send(requestTo('http://localhost:1/x', { fields: ['b', '2'] }), null, {
    onResponse: (response) => got.push({ response }),
    onError: (error) => got.push({ error }),
  });
  return got;
}

describe('the trace of requests', () => {
  for (const [what, end, passed] of ENDS) {
    it(`${what} is reported with its request, then passed on`, () => {
      const traced = [];
      expect(sendTraced(end, (exchange) => traced.push(exchange))).to.deep.equal([passed]);
      const request = { method: 'GET', url: 'http://localhost:1/x', headers: [['b', '2']], body: null };
      expect(traced).to.deep.equal([{ where: 'flow.main[0]', name: 'GET /', request, ...passed, ms: 0 }]);
    });

    it(`a trace that throws at ${what} fails the exchange, once`, () => {
      const trace = () => {
        throw THROWN;
      };
      expect(sendTraced(end, trace)).to.deep.equal([{ error: THROWN }]);
    });
  }
});

import { expect } from 'chai';

import { MeasuredTransport } from '../../../../lib/core/run/load/measured-transport.js';
import { NO_TRAFFIC } from '../../../../lib/core/transport/traffic.js';

/** A transport that counts a connection for each call of `send`, and what it recorded. */
function measured() {
  const recorded = { connect: [], tls: [], ttfb: [] };
  const histograms = Object.fromEntries(
    Object.entries(recorded).map(([name, values]) => [name, { update: (ms) => values.push(ms) }]),
  );
  let opened = 0;
  let closed = false;
  let timings;
  const open = (options) => {
    ({ timings } = options);
    const addresses = { toJSON: () => [], reset() {} };
    return { totals: () => ({ ...NO_TRAFFIC, opened }), addresses, close: () => (closed = true) };
  };
  const transport = new MeasuredTransport(open, { timeout: 5 }, { histograms, turn: 0 });
  const send = () => {
    opened++;
    for (const time of Object.values(timings)) time.update(1);
  };
  return { transport, recorded, send, isClosed: () => closed };
}

describe('run/load/measured-transport', () => {
  it('times and traffic are measured', () => {
    const { transport, recorded, send } = measured();
    transport.begin();
    send();
    expect(recorded).to.deep.equal({ connect: [1], tls: [1], ttfb: [1] });
    expect(transport.totals().opened).to.equal(1);
  });

  it('traffic before and after the measured iterations is not measured', () => {
    const { transport, recorded, send } = measured();
    send();
    expect([recorded.ttfb, transport.totals().opened]).to.deep.equal([[], 0]);
    transport.begin();
    send();
    expect([recorded.ttfb, transport.totals().opened]).to.deep.equal([[1], 1]);
    transport.end();
    send();
    expect([recorded.ttfb, transport.totals().opened]).to.deep.equal([[1], 1]);
  });

  it('closing closes the transport', () => {
    const { transport, isClosed } = measured();
    transport.close();
    expect(isClosed()).to.equal(true);
  });
});

import { expect } from 'chai';

import { open } from '../../../lib/addons/calls/client.js';

describe('the client of measured calls', () => {
  for (const [title, isWarmUp, count] of [
    ['a call that obeys its signal is not abandoned', false, 0],
    ['a call that the warm-up has counted as abandoned stays so, as its count is subtracted', true, 1],
  ])
    it(title, async () => {
      const transport = open({});
      const connection = transport.connect({});
      let end;
      const call = ({ signal }) => new Promise((_, reject) => (end = () => reject(signal.reason)));
      connection.send({ task: { kind: 'call', call, env: {} } }, 'status', { onResponse() {}, onError() {} });
      connection.abort(new Error('its time is over'));
      expect(transport.totals().callsAbandoned).to.equal(1);
      if (isWarmUp) transport.addresses.reset();
      end();
      await new Promise((resolve) => setImmediate(resolve));
      expect(transport.totals().callsAbandoned).to.equal(count);
    });
});

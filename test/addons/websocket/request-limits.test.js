import { expect } from 'chai';

import benchrest from '../../../index.js';
import { limitLoad } from '../../../lib/core/run/load/request-limits.js';
import { chatting, echo } from '../../support/web-socket-server.js';

const MANY = { rate: 1e6, requests: 1e6, bytes: 1e9 };

describe('limits of requests', () => {
  it('each message of a WebSocket counts as a request', async () => {
    await chatting(echo, async (url, { messages }) => {
      limitLoad({ ...MANY, requests: 50 });
      try {
        const flow = { main: [{ ws: url, send: Array(20).fill('a'), receive: 20 }] };
        const { endReason } = await benchrest(flow, { iterations: 100, limit: 1, gracefulStop: 0 });
        expect(endReason).to.equal('limit');
        expect(messages.length).to.be.below(51);
      } finally {
        limitLoad(undefined);
      }
    });
  });
});

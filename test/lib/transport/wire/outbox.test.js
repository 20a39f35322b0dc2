import { expect } from 'chai';

import { Outbox } from '../../../../lib/transport/wire/socket.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('transport/wire/outbox', () => {
  it('flushes all senders of a turn together, in order, with one clock reading', async () => {
    const log = [];
    let readings = 0;
    const outbox = new Outbox(() => ++readings);
    for (const name of ['a', 'b', 'c']) outbox.add({ flush: (now) => log.push(`${name} ${now}`) });
    expect(log, 'nothing is written during the turn').to.deep.equal([]);
    await turn();
    expect(log).to.deep.equal(['a 1', 'b 1', 'c 1']);
  });

  it('a sender that is added during a flush belongs to the next turn', async () => {
    const log = [];
    const outbox = new Outbox(() => 0);
    const again = { flush: () => log.push('again') };
    outbox.add({ flush: () => (log.push('first'), outbox.add(again)) });
    await turn();
    expect(log).to.deep.equal(['first']);
    await turn();
    expect(log).to.deep.equal(['first', 'again']);
  });
});

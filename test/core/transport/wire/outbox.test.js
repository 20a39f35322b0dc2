import { expect } from 'chai';

import { Outbox } from '../../../../lib/core/transport/wire/socket.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('requests that are written together', () => {
  it('flushes all senders of a turn together, in order', async () => {
    const log = [];
    const outbox = new Outbox(() => 7);
    for (const name of ['a', 'b', 'c']) outbox.add({ flush: (now) => log.push(`${name} ${now}`) });
    expect(log, 'nothing is written during the turn').to.deep.equal([]);
    await turn();
    expect(log).to.deep.equal(['a 7', 'b 7', 'c 7']);
  });

  it('reads the clock again after every four writes, as those take time', async () => {
    const log = [];
    let readings = 0;
    const outbox = new Outbox(() => ++readings);
    for (let i = 0; i < 9; i++) outbox.add({ flush: (now) => log.push(now) });
    await turn();
    expect(log).to.deep.equal([1, 1, 1, 1, 2, 2, 2, 2, 3]);
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

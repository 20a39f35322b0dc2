import { expect } from 'chai';

import { Turns } from '../../../../lib/core/run/load/lanes.js';

describe('turns of the event loop', () => {
  it('lanes continue in the order of their calls, in a later turn of the event loop', async () => {
    const turns = new Turns();
    const log = [];
    const lanes = [1, 2, 3].map((lane) => turns.next().then(() => log.push(lane)));
    await Promise.resolve();
    expect(log).to.deep.equal([]);
    await Promise.all(lanes);
    expect(log).to.deep.equal([1, 2, 3]);
  });

  it('the event loop is served after every 64 lanes', async () => {
    const turns = new Turns();
    let resumed = 0;
    const perTurn = [];
    const lanes = Array.from({ length: 130 }, () => turns.next().then(() => resumed++));
    let isOver = false;
    const count = () => {
      perTurn.push(resumed - perTurn.reduce((sum, lanesOfTurn) => sum + lanesOfTurn, 0));
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(lanes);
    isOver = true;
    expect(Math.max(...perTurn)).to.be.at.most(64);
    expect(resumed).to.equal(130);
  });

  it('lanes that come while others are served wait for the next turn', async () => {
    const turns = new Turns();
    const log = [];
    await Promise.all([
      turns.next().then(() => {
        log.push('first');
        return turns.next().then(() => log.push('again'));
      }),
      turns.next().then(() => log.push('second')),
    ]);
    expect(log).to.deep.equal(['first', 'second', 'again']);
  });
});

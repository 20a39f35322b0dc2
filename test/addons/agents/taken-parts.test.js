import { expect } from 'chai';

import { TakenParts } from '../../../lib/addons/agents/parts.js';

const PART = { report: 4, lease: 'l', number: 2, of: 6, from: [9] };

/** Parts that end when `end` is called. */
const taking = () => {
  const log = [];
  let end = () => {};
  const taken = new TakenParts(
    ({ report }) => ({
      run: () => new Promise((resolve, reject) => (end = (error) => (error ? reject(error) : resolve('done')))),
      stop: (reason) => log.push(`stop ${report} ${reason}`),
      abort: () => log.push(`abort ${report}`),
    }),
    (text) => log.push(text),
  );
  return { taken, log, end: (error) => end(error) };
};

describe('shard/taken-parts', () => {
  it('each part is begun once, however often the control names it', async () => {
    const { taken, log, end } = taking();
    taken.begin([PART]);
    taken.begin([PART]);
    end();
    await taken.close();
    expect(log).to.deep.equal(['takes over part 2 of 6 from INDEX 9', 'part 2 of 6: done']);
  });

  it('a stop and an abort hold for the parts, and no other one is begun then', () => {
    const { taken, log } = taking();
    taken.begin([PART]);
    taken.stop('SIGINT');
    taken.abort();
    taken.begin([{ ...PART, report: 5 }]);
    expect(log.slice(1)).to.deep.equal(['stop 4 SIGINT', 'abort 4']);
  });

  it('a part may begin while the own shard waits for another one', async () => {
    const [log, ends] = [[], []];
    const create = () => ({ run: () => new Promise((resolve) => ends.push(resolve)) });
    const taken = new TakenParts(create, (text) => log.push(text));
    taken.begin([PART]);
    const isClosed = taken.close();
    taken.begin([{ ...PART, report: 5, number: 3 }]);
    for (const end of ends) end('done');
    await isClosed;
    taken.begin([{ ...PART, report: 6, number: 4 }]);
    expect(log.slice(1)).to.deep.equal([
      ...['takes over part 3 of 6 from INDEX 9', 'part 2 of 6: done', 'part 3 of 6: done'],
    ]);
  });

  it('a part whose thread cannot be created is printed once, and ends nothing else', async () => {
    const log = [];
    const create = () => {
      throw new Error('EAGAIN');
    };
    const taken = new TakenParts(create, (text) => log.push(text));
    taken.begin([PART]);
    taken.begin([PART]);
    await taken.close();
    expect(log.slice(1)).to.deep.equal(['part 2 of 6: EAGAIN']);
  });

  it('a part that fails is printed, and ends nothing else', async () => {
    const { taken, log, end } = taking();
    taken.begin([PART]);
    end(new Error('the queue is gone'));
    await taken.close();
    expect(log.at(-1)).to.equal('part 2 of 6: the queue is gone');
  });
});

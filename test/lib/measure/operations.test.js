import { expect } from 'chai';

import { createOperations } from '../../../lib/measure/operations.js';

describe('measure/operations', () => {
  it('count responses by status, failures without a status, and errors', () => {
    const operations = createOperations();
    const operation = operations.add('GET /', 'main');
    for (const [status, ms] of [
      [200, 1],
      [304, 9],
      [200, 3],
    ])
      operation.answered(status, ms);
    operation.unanswered();
    operation.errors++;
    const [{ serviceTime, serviceTimeByStatus, least, ...rest }] = operations.toJSON();
    expect(rest).to.deep.equal({ name: 'GET /', phase: 'main', count: 4, errors: 1, statusCodes: { 200: 2, 304: 1 } });
    expect(serviceTime).to.include({ count: 3, min: 1, max: 9 });
    expect(least).to.deep.equal(serviceTime);
    expect([serviceTimeByStatus[200].max, serviceTimeByStatus[304].min]).to.deep.equal([3, 9]);
  });

  it('with a single status have no times by status; operations never run have null', () => {
    const operations = createOperations();
    operations.add('a', 'main').answered(200, 1);
    operations.add('b', 'main');
    const [one, none] = operations.toJSON();
    expect(one).to.not.have.property('serviceTimeByStatus');
    expect(none).to.deep.include({ count: 0, statusCodes: {} });
    expect(none.serviceTime.p99).to.equal(null);
  });

  it('have their times without what the load generator may have added, by themselves and in sums', () => {
    const [one, sum] = [createOperations(), createOperations()];
    one.add('a', 'main').answered(200, 9, 4);
    sum.addState(one.drain());
    sum.addState(one.drain());
    const [{ serviceTime, least }] = sum.toJSON();
    expect([serviceTime.max, least.max, least.count]).to.deep.equal([9, 4, 1]);
    expect(sum.encodedLeast()).to.have.lengthOf(1);
  });

  it('X11 beyond 1,000 are counted as other, and so are statuses beyond ten per operation', () => {
    const operations = createOperations();
    for (let i = 0; i < 1500; i++) operations.add(`GET /${i}`, 'main').answered(200, 1);
    const all = operations.toJSON();
    expect(all).to.have.lengthOf(1001);
    expect(all[1000]).to.include({ name: 'other', count: 500 });
    const many = createOperations();
    const operation = many.add('a', 'main');
    for (let status = 200; status < 300; status++) operation.answered(status, 1);
    const { statusCodes, count } = many.toJSON()[0];
    expect(Object.keys(statusCodes)).to.have.lengthOf(11);
    expect([statusCodes.other, count]).to.deep.equal([90, 100]);
  });
});

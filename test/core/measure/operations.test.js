import { expect } from 'chai';

import { OperationRows } from '../../../lib/core/measure/operations.js';
import { itSlow } from '../../support/slow.js';

describe('measure/operations', () => {
  it('count responses by status, failures without a status, and errors', () => {
    const operations = new OperationRows();
    const operation = operations.add('GET /', 'main');
    for (const [status, ms] of [
      [200, 1],
      [304, 9],
      [200, 3],
    ])
      operation.answered(status, ms);
    operation.unanswered();
    operation.errors++;
    const [{ times, serviceTimeByStatus, ...rest }] = operations.summary();
    const { serviceTime, least } = times;
    expect(rest).to.deep.equal({
      ...{ name: 'GET /', phase: 'main', protocol: 'http', labels: {} },
      ...{ count: 4, errors: 1, statusCodes: { 200: 2, 304: 1 } },
    });
    expect(serviceTime).to.include({ count: 3, min: 1, max: 9 });
    expect(least).to.deep.equal(serviceTime);
    expect([serviceTimeByStatus[200].max, serviceTimeByStatus[304].min]).to.deep.equal([3, 9]);
  });

  it('with a single status have no times by status; operations never run have null', () => {
    const operations = new OperationRows();
    operations.add('a', 'main').answered(200, 1);
    operations.add('b', 'main');
    const [one, none] = operations.summary();
    expect(one).to.not.have.property('serviceTimeByStatus');
    expect(none).to.deep.include({ count: 0, statusCodes: {} });
    expect(none.times.serviceTime.p99).to.equal(null);
  });

  it('have their times without what the load generator may have added, by themselves and in sums', () => {
    const [one, sum] = [new OperationRows(), new OperationRows()];
    one.add('a', 'main').answered(200, 9, 4);
    sum.addState(one.drain());
    sum.addState(one.drain());
    const { serviceTime, least } = sum.summary()[0].times;
    expect([serviceTime.max, least.max, least.count]).to.deep.equal([9, 4, 1]);
  });

  it('S42 have the times of responses that were no errors apart, by themselves and in sums', () => {
    const [one, sum] = [new OperationRows(), new OperationRows()];
    const operation = one.add('a', 'main');
    for (const ms of [10, 20, 30]) operation.answered(200, ms, ms / 2);
    operation.answered(500, 1, 1);
    operation.answeredWithError(1, 1);
    operation.answered(200, 99, 99);
    operation.answeredWithError(99, 99);
    const encodedIn = (operations) => operations.summary({ withCounts: true })[0].times.withoutErrors.hdr;
    const encoded = encodedIn(one);
    sum.addState(one.drain());
    sum.addState(one.drain());
    const { serviceTime, withoutErrors: ok, least } = sum.summary()[0].times;
    expect(serviceTime).to.include({ count: 5, min: 1, max: 99 });
    expect(ok).to.include({ count: 3, sum: 60 });
    expect(ok.min).to.be.closeTo(10, 0.01);
    expect(ok.max).to.be.closeTo(30, 0.03);
    expect(least).to.include({ count: 3, sum: 30 });
    expect(encodedIn(sum)).to.be.a('string').and.equal(encoded);
  });

  it('without an error among the responses have no times apart; with errors alone these are empty', () => {
    const operations = new OperationRows();
    operations.add('fine', 'main').answered(200, 1);
    const broken = operations.add('broken', 'main');
    broken.answered(500, 1);
    broken.answeredWithError(1, 1);
    const [one, other] = operations.summary();
    expect(one.times).to.not.have.property('withoutErrors');
    expect(other.times.withoutErrors).to.include({ count: 0, p99: null });
  });

  itSlow('X11 beyond 1,000 are counted as other, and so are statuses beyond ten per operation', () => {
    const operations = new OperationRows();
    for (let i = 0; i < 1500; i++) operations.add(`GET /${i}`, 'main').answered(200, 1);
    const all = operations.summary();
    expect(all).to.have.lengthOf(1001);
    expect(all[1000]).to.include({ name: 'other', count: 500 });
    const many = new OperationRows();
    const operation = many.add('a', 'main');
    for (let status = 200; status < 300; status++) operation.answered(status, 1);
    const { statusCodes, count } = many.summary()[0];
    expect(Object.keys(statusCodes)).to.have.lengthOf(11);
    expect([statusCodes.other, count]).to.deep.equal([90, 100]);
  });
});

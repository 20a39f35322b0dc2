import { expect } from 'chai';

import { Checks } from '../../../lib/core/measure/checks.js';

const place = (name) => ({ name, operation: 'GET /', phase: 'main', path: `flow.main[0].expect.${name}` });

describe('measure/checks', () => {
  it('count passes and failures, and keep the failure of the lowest iteration', () => {
    const checks = new Checks();
    const status = checks.add(place('status'));
    const body = checks.add(place('body'));
    status.passes += 3;
    status.fail(7, 'received 500');
    status.fail(5, 'received 503');
    body.passes++;
    expect(checks.toJSON()).to.deep.equal({
      passed: 4,
      failed: 2,
      share: 4 / 6,
      details: [
        {
          ...place('status'),
          passed: 3,
          failed: 2,
          share: 0.6,
          firstFailure: { index: 5, message: 'received 503' },
        },
        { ...place('body'), passed: 1, failed: 0, share: 1 },
      ],
    });
  });

  it('are null without any, and have no share before the first response', () => {
    const checks = new Checks();
    expect(checks.toJSON()).to.equal(null);
    checks.add(place('status'));
    expect(checks.toJSON()).to.include({ passed: 0, failed: 0, share: null });
  });

  it('the failure of a phase without iterations comes before all others', () => {
    const checks = new Checks();
    const check = checks.add(place('status'));
    check.fail(0, 'of an iteration');
    check.fail(undefined, 'of before');
    expect(checks.toJSON().details[0].firstFailure).to.deep.equal({ index: null, message: 'of before' });
  });

  it('of other threads are added by place and name; draining clears them', () => {
    const [one, other, sum] = [new Checks(), new Checks(), new Checks()];
    one.add(place('status')).fail(9, 'nine');
    other.add(place('status')).fail(2, 'two');
    other.add(place('body')).passes++;
    for (const part of [one, other]) sum.addState(part.drain());
    const { details: each } = sum.toJSON();
    expect(
      each.map(({ name, passed, failed, firstFailure }) => [name, passed, failed, firstFailure?.index]),
    ).to.deep.equal([
      ['status', 0, 2, 2],
      ['body', 1, 0, undefined],
    ]);
    expect(other.toJSON()).to.include({ passed: 0, failed: 0 });
    sum.addState(other.drain());
    expect(sum.toJSON()).to.include({ passed: 1, failed: 2 });
  });

  it('X11 beyond 1,000 are counted as other, also when they are added to another thread', () => {
    const fill = (checks) => {
      for (let i = 0; i < 1500; i++) checks.add(place(`status ${i}`)).passes++;
      return checks;
    };
    const checks = fill(new Checks());
    const { details: each, passed } = checks.toJSON();
    expect([each.length, passed]).to.deep.equal([1001, 1500]);
    expect(each[1000]).to.include({ name: 'other', path: '', passed: 500 });
    checks.addState(fill(new Checks()).drain());
    expect(checks.toJSON().details[1000]).to.include({ name: 'other', passed: 1000 });
  });
});

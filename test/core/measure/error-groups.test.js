import { expect } from 'chai';

import { ErrorGroups } from '../../../lib/core/measure/samples.js';
import { failure } from '../../support/recorded-failure.js';

const total = (details) => details.reduce((sum, { count }) => sum + count, 0);

describe('groups of errors', () => {
  it('X11 errors are grouped by kind, code and operation, not by message', () => {
    const errors = new ErrorGroups();
    for (let index = 9; index >= 0; index--)
      errors.add(failure({ kind: 'protocol', index, message: () => `unique ${index}` }));
    const { count, kinds, details } = errors.toJSON();
    expect({ count, kinds }).to.deep.equal({ count: 10, kinds: { protocol: 10 } });
    expect(details).to.have.lengthOf(1);
    expect(details[0]).to.include({ message: 'unique 9', count: 10, firstIndex: 0 });
  });

  it('X11 errors of a hook are grouped by message up to five of them, in parts of a run too', () => {
    const errors = new ErrorGroups();
    const fail = (to, index, message) => to.add(failure({ index, message: () => message }));
    for (let index = 0; index < 30; index++) fail(errors, index, `kind ${index % 3}`);
    expect(errors.toJSON().details.map(({ message, count }) => [message, count])).to.deep.equal([
      ['kind 0', 10],
      ['kind 1', 10],
      ['kind 2', 10],
    ]);
    const part = new ErrorGroups();
    for (let index = 30; index < 100; index++) fail(part, index, `unique ${index}`);
    errors.addState(part.drain());
    const { count, details } = errors.toJSON();
    expect([count, total(details)]).to.deep.equal([100, 100]);
    expect(details).to.have.lengthOf(6);
    expect(details[0]).to.include({ message: 'other messages of this hook', count: 68, firstIndex: 32 });
  });

  it('X11 codes of a hook without number have few groups, so that other errors have theirs', () => {
    const errors = new ErrorGroups();
    for (let index = 0; index < 2000; index++) errors.add(failure({ index, code: `MY_${index}` }));
    errors.add(failure({ kind: 'status', code: 'E_STATUS', index: 2000 }));
    const { kinds, details } = errors.drain();
    expect(kinds).to.deep.equal({ hook: 2000, status: 1 });
    expect(details).to.have.lengthOf(102);
    expect(details.at(-1)).to.include({ code: 'E_STATUS', count: 1 });
    expect(details[100]).to.include({ code: 'E_HOOK', count: 1900 });
  });

  it('X11 there are at most 1,000 groups, which still count their errors when there could be more', () => {
    const errors = new ErrorGroups();
    const known = [failure({}), failure({ kind: 'status', code: 'E_STATUS' })];
    for (const one of known) errors.add(one);
    for (let i = 0; i < 1500; i++) errors.add(failure({ kind: 'status', code: 'E_STATUS', operation: `GET /${i}` }));
    for (const one of known) errors.add(one);
    const { count, kinds, details } = errors.drain();
    expect({ count, kinds }).to.deep.equal({ count: 1504, kinds: { hook: 2, status: 1502 } });
    expect(details).to.have.lengthOf(1000);
    expect(details.slice(0, 3).map((sample) => sample.count)).to.deep.equal([2, 2, 1]);
  });

  it('a result lists at most 20 groups, the largest first', () => {
    const errors = new ErrorGroups();
    for (let i = 0; i < 30; i++) {
      for (let n = 0; n <= i; n++) errors.add(failure({ code: `E${i}`, index: n }));
    }
    const { details } = errors.toJSON();
    expect(details).to.have.lengthOf(20);
    expect(details[0].count).to.equal(30);
  });
});

import { expect } from 'chai';

import { ValueSlot } from '../../../lib/flow/value-slot.js';
import { ValueList, withSlots } from '../../../lib/flow/values.js';

const one = () => 1;
const listOf = (operation) => {
  const values = new ValueList('flow.main[0]');
  return { values, replaced: withSlots(operation, values), places: values.list.map(({ where }) => where) };
};

describe('flow/values', () => {
  it('an operation without functions is not copied', () => {
    const operation = { post: '/', json: { a: [1, { b: null }] }, headers: { x: 'y' } };
    expect(listOf(operation).replaced).to.equal(operation);
  });

  it('functions become slots, in the order of the flow, and the operation of the user stays as it is', () => {
    const operation = { post: one, json: { a: [one, 2], b: one }, headers: { x: one }, timeout: 5 };
    const { replaced, places } = listOf(operation);
    expect(places.map((place) => place.slice('flow.main[0].'.length))).to.deep.equal([
      'post',
      'json.a[0]',
      'json.b',
      'headers.x',
    ]);
    expect(replaced).to.deep.equal({
      post: new ValueSlot(0),
      json: { a: [new ValueSlot(1), 2], b: new ValueSlot(2) },
      headers: { x: new ValueSlot(3) },
      timeout: 5,
    });
    expect(operation.json.a[0]).to.equal(one);
  });

  it('functions elsewhere stay: of hooks, of objects that write their own JSON, of instances', () => {
    class Thing {
      act = one;
    }
    const operation = {
      post: '/',
      json: { own: { toJSON: one }, thing: new Thing() },
      afterHooks: [one],
      auth: { bearer: one },
      pause: one,
      followRedirect: one,
    };
    expect(listOf(operation).replaced).to.equal(operation);
  });

  it('a token has one slot, and none after the operation was compiled', () => {
    const { values } = listOf({});
    const meaning = { kind: 'value', where: 'flow.tokens.a', call: one, isUsersFunction: true };
    expect(values.slotOf({ name: 'a' }, meaning)).to.equal(values.slotOf({ name: 'a', conversion: 'text' }, meaning));
    expect(values.slotOf({ name: 'a', argument: '1' }, meaning)).to.deep.equal(new ValueSlot(1, 'a(1)'));
    values.close();
    expect(values.slotOf({ name: 'a' }, meaning)).to.deep.equal(new ValueSlot(0, 'a'));
    expect(values.slotOf({ name: 'b' }, meaning)).to.equal(undefined);
  });

  it('take refuses a wrong type, and names its place', () => {
    const { values } = listOf({ get: one, qs: one });
    expect(values.list[0].take('/a')).to.equal('/a');
    expect(() => values.list[1].take([])).to.throw('flow.main[0].qs returned an empty array: return a plain object');
  });
});

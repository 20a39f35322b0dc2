import { expect } from 'chai';

import { Placeholder } from '../../../lib/core/flow/placeholder.js';
import { ValueList, withPlaceholders } from '../../../lib/core/flow/values.js';

const one = () => 1;
const listOf = (operation) => {
  const values = new ValueList('flow.main[0]');
  return { values, replaced: withPlaceholders(operation, values), places: values.list.map(({ where }) => where) };
};

describe('flow/values', () => {
  it('an operation without functions is not copied', () => {
    const operation = { post: '/', json: { a: [1, { b: null }] }, headers: { x: 'y' } };
    expect(listOf(operation).replaced).to.equal(operation);
  });

  it('functions become placeholders, in the order of the flow, and the operation of the user stays as it is', () => {
    const operation = { post: one, json: { a: [one, 2], b: one }, headers: { x: one }, timeout: 5 };
    const { replaced, places } = listOf(operation);
    expect(places.map((place) => place.slice('flow.main[0].'.length))).to.deep.equal([
      'post',
      'json.a[0]',
      'json.b',
      'headers.x',
    ]);
    expect(replaced).to.deep.equal({
      post: new Placeholder(0),
      json: { a: [new Placeholder(1), 2], b: new Placeholder(2) },
      headers: { x: new Placeholder(3) },
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

  it('a token has one placeholder, and none after the operation was compiled', () => {
    const { values } = listOf({});
    const meaning = { kind: 'value', where: 'flow.tokens.a', call: one, isUsersFunction: true };
    expect(values.placeholderOf({ name: 'a' }, meaning)).to.equal(
      values.placeholderOf({ name: 'a', conversion: 'text' }, meaning),
    );
    expect(values.placeholderOf({ name: 'a', argument: '1' }, meaning)).to.deep.equal(new Placeholder(1, 'a(1)'));
    values.close();
    expect(values.placeholderOf({ name: 'a' }, meaning)).to.deep.equal(new Placeholder(0, 'a'));
    expect(values.placeholderOf({ name: 'b' }, meaning)).to.equal(undefined);
  });

  it('take refuses a wrong type, and names its place', () => {
    const { values } = listOf({ get: one, qs: one });
    expect(values.list[0].take('/a')).to.equal('/a');
    expect(() => values.list[1].take([])).to.throw(
      "flow.main[0].qs returned an empty array: return an object such as { name: 'value' }",
    );
  });
});

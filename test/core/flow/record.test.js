import { expect } from 'chai';

import { isObject, isRecord } from '../../../lib/core/flow/record.js';

class Point {
  x = 1;
}
const cyclic = {};
cyclic.self = cyclic;

describe('flow/record', () => {
  for (const [value, asObject, asRecord, title] of [
    [{}, true, true, 'an empty object is a record'],
    [Object.create(null), true, true, 'an object without a prototype is a record'],
    [new Point(), true, true, 'an object of a class with properties is a record'],
    [new (class {})(), true, true, 'an object of an own class is a record, as it may get properties later'],
    [new Headers({ a: '1' }), true, false, 'an iterable object without properties is no record'],
    [new Date(0), true, false, 'a Date is no record'],
    [Promise.resolve(), true, false, 'a promise is no record'],
    [new Map([['a', 1]]), true, false, 'a Map is no record, as its content is no property'],
    [cyclic, true, false, 'a cyclic object is no record'],
    [[1], false, false, 'an array is no object'],
    [Buffer.from('x'), false, false, 'a Buffer is no object'],
    [null, false, false, 'null is no object'],
    ['text', false, false, 'a text is no object'],
  ]) {
    it(title, () => expect([isObject(value), isRecord(value)]).to.deep.equal([asObject, asRecord]));
  }
});

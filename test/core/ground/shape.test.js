import { expect } from 'chai';

import { shapeOf } from '../../../lib/core/ground/schema-shape.js';
import {
  ShapeError,
  choice,
  flag,
  json,
  list,
  mapOf,
  nullable,
  number,
  optional,
  rebuild,
  record,
  tagged,
  text,
  where,
} from '../../../lib/core/ground/shape.js';

const AGENT = record({
  name: text({ most: 5 }),
  cores: number({ least: 1, isWhole: true }),
  isBusy: flag,
  note: optional(text()),
});
const SOURCE = tagged('kind', { urls: { urls: list(text(), { least: 1 }) }, file: { file: text() } });
const read = (shape, value, options) => rebuild(shape, value, { name: 'it', ...options });
const message = (shape, value) => {
  try {
    read(shape, value);
  } catch (error) {
    expect(error).to.be.instanceOf(ShapeError);
    return error.message;
  }
  return 'accepted';
};
const parsed = (text) => JSON.parse(text);
const valid = { name: 'box', cores: 2, isBusy: false };

describe('shape', () => {
  it('rebuilds a value: no object of the result is one of the value', () => {
    const value = { list: [{ a: 1 }], map: { b: { c: 2 } }, any: { d: [3] } };
    const shape = record({ list: list(record({ a: number() })), map: mapOf(json), any: json });
    const result = read(shape, value);
    expect(result).to.deep.equal(value);
    expect(result).not.to.equal(value);
    for (const name of ['list', 'map', 'any']) expect(result[name]).not.to.equal(value[name]);
    expect(result.list[0]).not.to.equal(value.list[0]);
    expect(result.any.d).not.to.equal(value.any.d);
  });

  it('refuses an unknown property by its path', () => {
    expect(message(AGENT, { ...valid, evil: 1 })).to.equal('it.evil: unknown property');
    expect(message(AGENT, { ...valid, nane: 1 })).to.equal('it.nane: unknown property, did you mean name?');
    expect(message(list(AGENT), [valid, { ...valid, 'a b': 1 }])).to.equal('it[1]["a b"]: unknown property');
  });

  it('drops unknown properties if it shall', () => {
    expect(read(AGENT, { ...valid, evil: 1 }, { dropsUnknown: true })).to.deep.equal(valid);
  });

  it('names what was expected, and not the value, which may be a secret', () => {
    expect(message(AGENT, { ...valid, name: 'secret' })).to.equal(
      'it.name: expected a text of at most 5 characters, got a string',
    );
    expect(message(AGENT, { ...valid, cores: 0 })).to.equal('it.cores: expected a whole number from 1, got 0');
    expect(message(AGENT, { ...valid, isBusy: 'no' })).to.equal('it.isBusy: expected true or false, got a string');
    expect(message(AGENT, { name: 'box', cores: 1 })).to.equal('it.isBusy: expected true or false, got undefined');
    expect(message(AGENT, [])).to.equal('it: expected an object, got an empty array');
  });

  it('lets only the tag choose between kinds', () => {
    expect(read(SOURCE, { kind: 'urls', urls: ['a'] })).to.deep.equal({ kind: 'urls', urls: ['a'] });
    expect(message(SOURCE, { kind: 'urls', urls: ['a'], file: 'b' })).to.equal('it.file: unknown property');
    expect(message(SOURCE, { kind: 'urls', urls: [] })).to.contain('it.urls: expected 1 to');
    expect(message(SOURCE, { urls: ['a'] })).to.equal('it.kind: expected urls or file, got undefined');
    expect(message(SOURCE, { kind: 'constructor' })).to.equal('it.kind: expected urls or file, got a string');
    expect(message(SOURCE, { kind: ['urls'], urls: ['a'] })).to.equal('it.kind: expected urls or file, got an array');
  });

  it('takes no property from a prototype, and changes none', () => {
    const forged = parsed('{ "__proto__": { "name": "box", "cores": 2, "isBusy": false } }');
    expect(message(AGENT, forged)).to.equal('it.__proto__: unknown property');
    expect(message(AGENT, Object.create(valid))).to.contain('it.name: expected');
    const map = read(mapOf(number()), parsed('{ "__proto__": 1, "constructor": 2 }'));
    expect(Object.keys(map)).to.deep.equal(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(map)).to.equal(Object.prototype);
    const any = read(json, parsed('{ "__proto__": { "polluted": 1 } }'));
    expect(any.polluted).to.equal(undefined);
    expect({}.polluted).to.equal(undefined);
  });

  it('copies the items of an array, and not its other properties', () => {
    const items = Object.assign([1, 2], { evil: 3 });
    expect(Object.keys(read(list(number()), items))).to.deep.equal(['0', '1']);
  });

  it('bounds lists, maps, texts and levels', () => {
    expect(message(list(flag, { most: 1 }), [true, true])).to.contain('expected 0 to 1 items');
    const schema = { type: 'array', items: { type: 'boolean' }, minItems: 1 };
    expect(message(shapeOf(schema), [])).to.contain('expected at least 1 of them');
    expect(message(mapOf(flag, { most: 1 }), { a: true, b: true })).to.contain('expected at most 1 properties');
    let deep = {};
    for (let i = 0; i < 600; i++) deep = { a: deep };
    expect(message(json, deep)).to.contain('expected at most 500 levels');
  });

  it('refuses numbers that JSON cannot express', () => {
    for (const value of [NaN, Infinity, '1', null, 1n])
      expect(message(number(), value), String(value)).to.contain('it: ');
    expect(message(json, NaN)).to.equal('it: expected JSON, got NaN');
  });

  it('adds conditions to a shape', () => {
    const even = where(number(), (value) => value % 2 === 0, 'an even number');
    expect(read(even, 2)).to.equal(2);
    expect(message(even, 3)).to.equal('it: expected an even number, got 3');
    expect(read(nullable(even), null)).to.equal(null);
    expect(message(choice('a', 'b'), 'c')).to.equal('it: expected a or b, got a string');
  });

  it('shortens and escapes names in messages', () => {
    const reason = message(AGENT, { ...valid, [`\u001b[31m\u202e${'x'.repeat(1000)}`]: 1 });
    expect(reason.length).to.be.below(150);
    expect(reason).not.to.match(/[\u001b\u202e]/);
  });
});

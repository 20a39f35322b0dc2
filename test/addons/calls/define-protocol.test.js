import { expect } from 'chai';

import { defineProtocol } from '../../../lib/addons/calls/protocol.js';

const FACTS = {
  key: 'line',
  scheme: 'line',
  about: 'lines',
  noun: { one: 'a line', many: 'lines' },
  properties: {},
  open() {},
  call() {},
};

describe('defineProtocol()', () => {
  for (const [name, type] of Object.entries({ scheme: 'string', noun: 'object', open: 'function', call: 'function' }))
    it(`refuses a protocol without ${name}, by the name of the protocol`, () => {
      expect(() => defineProtocol({ ...FACTS, [name]: undefined })).to.throw(
        TypeError,
        `the protocol line has no ${name} of the type ${type}`,
      );
    });

  it('refuses a body that is none of its properties', () => {
    expect(() => defineProtocol({ ...FACTS, body: 'say' })).to.throw(
      TypeError,
      'has no property say, which body names',
    );
  });

  it('needs no close', () => expect(defineProtocol(FACTS)).to.include({ scheme: 'line' }));
});

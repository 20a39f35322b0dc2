import { expect } from 'chai';

import { describedSchemas } from '../../../../lib/flow/checks/expected.js';

describe('flow/described-schemas', () => {
  it('a schema has the text of its entry as a sentence', () => {
    const entries = [
      { name: 'a', about: 'a number', schema: { type: 'number' } },
      { name: 'b', about: 'JSON', schema: {} },
    ];
    expect(describedSchemas(entries)).to.deep.equal({
      a: { type: 'number', description: 'A number' },
      b: { description: 'JSON' },
    });
  });
});

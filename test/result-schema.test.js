import { expect } from 'chai';

import { RESULT_KEYS } from '../lib/core/measure/document.js';
import { literalResult } from './support/literal-result.js';
import { recorded, resultOf } from './support/recorded.js';
import { checkerOf, schemaOf } from './support/schemas.js';

const stats = () => resultOf(recorded([{ at: 0, ms: 2, status: 200, waited: 1 }]), { planned: 1 });

describe('result.schema.json', () => {
  it('every key at the root has its place in the order of documents', () =>
    expect(Object.keys(schemaOf('result').properties)).to.deep.equal(RESULT_KEYS));

  it('a result and the literal one of the tests conform to the schema', () => {
    const isResult = checkerOf('result');
    for (const result of [stats(), literalResult()]) {
      isResult(result);
      expect(isResult.errors).to.equal(null);
    }
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv from 'ajv/dist/2020.js';
import { expect } from 'chai';

import { RESULT_KEYS } from '../lib/core/measure/document.js';
import { resultSchema } from '../lib/core/measure/result-schema.js';
import { opened } from '../lib/core/measure/schema-parts.js';
import { markedSchemas } from '../scripts/experimental.js';
import { ROOT } from './support/command.js';
import { literalResult } from './support/literal-result.js';
import { recorded, resultOf } from './support/recorded.js';

const stats = () => resultOf(recorded([{ at: 0, ms: 2, status: 200, waited: 1 }]), { planned: 1 });

describe('measure/result-schema', () => {
  it('result.schema.json is what the table gives (npm run generate)', () => {
    expect(JSON.parse(readFileSync(join(ROOT, 'result.schema.json'), 'utf8'))).to.deep.equal(
      opened(markedSchemas().result),
    );
  });

  it('every key has its place in the order of documents', () =>
    expect(Object.keys(resultSchema().properties)).to.deep.equal(RESULT_KEYS));

  it('a result and the literal one of the tests conform to the schema', () => {
    const isResult = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(resultSchema());
    for (const result of [stats(), literalResult()]) {
      isResult(result);
      expect(isResult.errors).to.equal(null);
    }
  });

  it('each key at the root has its place in the order of keys', () => {
    expect(RESULT_KEYS).to.have.members(Object.keys(resultSchema().properties));
  });
});

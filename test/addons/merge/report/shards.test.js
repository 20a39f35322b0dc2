import { expect } from 'chai';

import { shardsLine } from '../../../../lib/addons/merge/report/shards.js';
import { REPORTERS } from '../../../../lib/core/report/formats/index.js';
import { literalResult } from '../../../support/literal-result.js';

describe('shards in reports', () => {
  for (const [shards, startSkew, line] of [
    [{ merged: 3, of: 3 }, 1.2, '3 of 3 shards, started within 1.20 ms'],
    [{ merged: 2, of: 3 }, null, '2 of 3 shards, started at unknown times'],
    [{ merged: 1, of: 2 }, 0, '1 of 2 shards'],
  ])
    it(`merged shards have a line: ${line}`, () =>
      expect(shardsLine({ run: { shards }, loadGenerator: { startSkew } })).to.equal(line));

  for (const name of ['text', 'markdown', 'html'])
    it(`${name} has the line of merged shards`, async () => {
      const { render } = await REPORTERS.find((one) => one.name === name).load();
      const result = literalResult();
      result.run = { ...result.run, shards: { merged: 3, of: 3 } };
      result.loadGenerator.startSkew = 1.2;
      expect(render(result, { width: 120 })).to.include('3 of 3 shards, started within 1.20 ms');
    });
});

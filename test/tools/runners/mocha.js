import assert from 'node:assert';

import benchrest from 'bench-rest';
import { startTarget } from 'bench-rest/target';

it('runs a flow', async () => {
  const target = await startTarget();
  const { errorCount } = await benchrest(target.url, { limit: 2, iterations: 10 });
  await target.close();
  assert.equal(errorCount, 0);
});

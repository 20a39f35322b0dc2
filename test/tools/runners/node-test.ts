import assert from 'node:assert';
import { test } from 'node:test';

import benchrest, { type Flow } from 'bench-rest';
import { startTarget } from 'bench-rest/target';

test('runs a flow', async () => {
  const target = await startTarget();
  const flow: Flow = { main: [{ get: target.url }] };
  const { errorCount } = await benchrest(flow, { limit: 2, iterations: 10 });
  await target.close();
  assert.equal(errorCount, 0);
});

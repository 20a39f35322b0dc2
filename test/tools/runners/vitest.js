import benchrest from 'bench-rest';
import { startTarget } from 'bench-rest/target';
import { expect, test } from 'vitest';

test('runs a flow', async () => {
  const target = await startTarget();
  const { errorCount } = await benchrest(target.url, { limit: 2, iterations: 10 });
  await target.close();
  expect(errorCount).toBe(0);
});

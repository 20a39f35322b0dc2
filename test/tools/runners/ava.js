import test from 'ava';
import benchrest from 'bench-rest';
import { startTarget } from 'bench-rest/target';

test('runs a flow', async (t) => {
  const target = await startTarget();
  const { errorCount } = await benchrest(target.url, { limit: 2, iterations: 10 });
  await target.close();
  t.is(errorCount, 0);
});

import benchrest from 'bench-rest';
import { assertThresholds } from 'bench-rest/results';
import { startTarget } from 'bench-rest/target';

const target = await startTarget();
const result = await benchrest(`${target.url}/`, { limit: 2, iterations: 10 });
assertThresholds(result, 'errors<1');
console.log(`${result.stats.main.meter.count} iterations`);
await target.close();

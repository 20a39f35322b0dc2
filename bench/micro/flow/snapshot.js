// What it costs to compare the objects of an operation before a request: node bench/micro/flow/snapshot.js
import { LiveOperation } from '../../../lib/core/flow/live-operation.js';
import { readFlow } from '../../../lib/core/flow/compile.js';
import { Snapshot } from '../../../lib/core/flow/snapshot.js';

const members = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));
const ROOTS = {
  'a list of one hook': [[() => {}]],
  '3 headers': [members(3)],
  'an object of 20': [members(20)],
  '100 rows of 5': [Array.from({ length: 100 }, () => members(5))],
  'a Buffer of 64 KiB': [Buffer.alloc(65_536)],
};

/** The time of a call, ns: the least of ten rounds. */
function timeOf(call, count) {
  let least = Infinity;
  for (let round = 0; round < 10; round++) {
    const start = performance.now();
    for (let i = 0; i < count; i++) call(i);
    least = Math.min(least, ((performance.now() - start) * 1e6) / count);
  }
  return `${least.toFixed(0)} ns`;
}

for (const [name, roots] of Object.entries(ROOTS)) {
  const snapshot = new Snapshot(roots);
  console.log(
    name.padEnd(24),
    timeOf(() => snapshot.isSame(), 20_000),
  );
}

const item = { n: 0, list: [1, 2] };
let { live } = readFlow({ main: [{ post: 'http://h/', json: item }] }, { isLive: true }).compile({}).main[0];
const renew = (i) => {
  item.n = i + 1;
  ({ live } = live instanceof LiveOperation ? live.renewed() : {});
};
console.log('compiled again'.padEnd(24), timeOf(renew, 2000));

// What functions of a flow and a copy of iterCtx cost: node bench/micro/flow/values.js
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readFlow } from '../../../lib/core/flow/compile.js';
import { copier } from '../../../lib/core/flow/placeholder.js';

const index = (scope) => scope.index;
const OPERATIONS = {
  'INDEX in a path': { get: '/#{INDEX}' },
  'token in a path': { get: '/#{token}' },
  'value in json': { post: '/', json: { n: index, s: 'x' } },
  json: { post: '/', json: (scope) => ({ n: scope.index, s: 'x' }) },
  'value in headers': { get: '/', headers: { x: index } },
  headers: { get: '/', headers: (scope) => ({ x: scope.index }) },
  'URL, a path': { get: (scope) => `/${scope.index}` },
  'URL that is parsed': { get: (scope) => `/\u00e9${scope.index}` },
  qs: { get: '/', qs: (scope) => ({ a: scope.index }) },
  uuid: { get: '/#{uuid}' },
  randomInt: { get: '/#{randomInt(1,1000)}' },
  'randomString of 12': { get: '/#{randomString(12)}' },
  isoDate: { get: '/#{isoTimestamp}' },
  'column of CSV': { get: '/#{users.b}' },
  'three columns': { get: '/#{users.b}', json: { c: '#{users.c}', d: '#{users.d}' } },
};
const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
writeFileSync(
  join(folder, 'users.csv'),
  `a,b,c,d,e\n${'1234567,ann@example.com,Ann Ann,"a street, a city",a note\n'.repeat(1000)}`,
);
const flat = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, i]));
const CONTEXTS = { 'iterCtx of 20 values': flat, 'with 5 objects': { ...flat, a: { b: [1], c: { d: 1 } }, e: [{}] } };

for (const [name, operation] of Object.entries(OPERATIONS)) {
  const raw = { main: [operation], tokens: { token: index }, data: { users: 'users.csv' } };
  const flow = readFlow(raw, { folder });
  await flow.load();
  const feeders = flow.openFeeders({});
  const [step] = flow.compile({ baseUrl: 'http://127.0.0.1:8000' }, feeders).main;
  print(name, (i) => {
    const scope = { index: i, values: [] };
    step.values.forEach(({ call, take }, at) => (scope.values[at] = take(call(scope))));
    step.render(scope);
  });
}
rmSync(folder, { recursive: true });
for (const [name, context] of Object.entries(CONTEXTS)) {
  const copy = copier(context, (text) => text);
  print(name, () => copy({}));
}

function print(name, act) {
  const costs = Array.from({ length: 6 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < 100_000; i++) act(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 100_000;
  });
  console.log(name.padEnd(24), `${Math.min(...costs.slice(1)).toFixed(2)} us`);
}

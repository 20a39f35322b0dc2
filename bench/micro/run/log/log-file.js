/**
 * The CPU time of a line in a log of requests: writing it as bytes, and the disk; beside a text by JSON.stringify.
 *
 *     node bench/micro/run/log/log-file.js
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RequestLog } from '../../../../lib/addons/log/request-log.js';

const COUNT = 200_000;
const BATCH = 1000;
const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));

async function usOf(extension) {
  const options = { log: join(folder, `log${extension}`) };
  const log = await RequestLog.open(options, { worker: 0, isWorker: false });
  log.begin(performance.now());
  const { count: step } = log.stepOf({ phase: 'main', name: 'GET /items' });
  const link = log.linkOf(3, { number: 0, address: '127.0.0.1:8000' });
  const from = process.cpuUsage();
  for (let i = 0; i < COUNT; i++) {
    const endedAt = performance.now();
    log.add({
      ...{ due: NaN, startedAt: endedAt - 1.234, connectedAt: 0, sentAt: endedAt - 1.2, firstByteAt: endedAt - 0.1 },
      ...{ endedAt, status: 200, bytesOut: 46, bytesIn: 214, iteration: i, step, link, error: null },
    });
    // the file is written between turns of the event loop
    if (i % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await log.close();
  const { user, system } = process.cpuUsage(from);
  const { lines } = log.toJSON();
  return { us: (user + system) / COUNT, lines };
}

function usOfText() {
  let length = 0;
  const from = process.cpuUsage();
  for (let i = 0; i < COUNT; i++) {
    const end = performance.now();
    const times = { time: 1.7e12 + end, due: null, started: end - 1.234, connected: null, sent: end - 1.2 };
    const bytes = { firstByte: end - 0.1, end, status: 200, bytesOut: 46, bytesIn: 214, iteration: i, phase: 'main' };
    const rest = { operation: 'GET /items', kind: 'request', virtualUser: 3, connection: 1, address: '127.0.0.1:8000' };
    length += JSON.stringify({ ...times, ...bytes, ...rest, error: null, weight: 1 }).length;
  }
  const { user, system } = process.cpuUsage(from);
  return { us: (user + system) / COUNT, lines: length > 0 ? COUNT : 0 };
}

for (let round = 0; round < 3; round++) {
  const all = {
    csv: await usOf('.csv'),
    ndjson: await usOf('.ndjson'),
    'JSON.stringify, without a file': usOfText(),
  };
  for (const [name, { us, lines }] of Object.entries(all))
    console.log(`${name.padEnd(32)} ${us.toFixed(2)} us/request, ${lines} lines`);
}
rmSync(folder, { recursive: true });

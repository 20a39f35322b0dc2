// Gain of the memo of response heads: node bench/micro/transport/wire/head-memo.js
import { performance } from 'node:perf_hooks';
import { HeadMemo } from '../../../../lib/core/transport/wire/head-memo.js';
import { ResponseParser } from '../../../../lib/core/transport/wire/parser.js';

const head = [
  'HTTP/1.1 200 OK',
  'Server: nginx/1.22.1',
  'Date: Sat, 21 Nov 2026 05:45:00 GMT',
  'Content-Type: text/plain',
  'Content-Length: 5',
  'Connection: keep-alive',
  '',
  '',
];
const bytes = Buffer.from(`${head.join('\r\n')}hello`);
const wanted = { method: 'GET', head: false, body: false, maxBodySize: 1e6 };
const never = Object.assign(new HeadMemo(), { find: () => null, shouldKeep: () => false });
const count = 3_000_000;

for (let round = 0; round < 3; round++) {
  for (const [how, memo] of [
    ['known', new HeadMemo()],
    ['read', never],
  ]) {
    const parser = new ResponseParser({ memo });
    const started = performance.now();
    for (let i = 0; i < count; i++) {
      parser.begin(wanted);
      parser.feed(bytes, 0, bytes.length);
    }
    console.log(`head ${how}: ${(((performance.now() - started) * 1e6) / count).toFixed(0)} ns a response`);
  }
}

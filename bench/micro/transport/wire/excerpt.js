// What a kept beginning of a body costs, and the question for it: node bench/micro/transport/wire/excerpt.js
import { ResponseParser } from '../../../../lib/core/transport/wire/parser.js';
import { WireResponse } from '../../../../lib/core/transport/wire/response.js';

const ROUNDS = 60;
const count = 100_000;
const body = '{"error":"pool exhausted"}'.padEnd(200, ' ');
const response = (status) =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\nServer: nginx\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

for (const [what, status, readsExcerpt] of [
  ['200', '200 OK', undefined],
  ['503, not kept', '503 Service Unavailable', () => false],
  ['503, kept', '503 Service Unavailable', () => true],
]) {
  const bytes = response(status);
  const parser = new ResponseParser();
  const wire = new WireResponse();
  const receiver = { onResponse() {}, onError() {}, readsExcerpt };
  const expected = { method: 'GET', head: false, body: false, maxBodySize: 1e6, receiver };
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) {
      parser.begin(expected);
      parser.feed(bytes, 0, bytes.length);
      wire.take(parser);
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, ((user + system) * 1000) / count);
  }
  console.log(`${what}: ${least.toFixed(1)} ns a response, at least`);
}

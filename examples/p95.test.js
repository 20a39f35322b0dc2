// npx mocha examples/p95.test.js
import assert from 'node:assert/strict';
import http from 'node:http';

import benchrest from 'bench-rest';

describe('the service', () => {
  // the server of your application; it does not have to listen yet
  const server = http.createServer((request, response) => response.end('hello'));

  it('answers 95 % of the requests within a second', async () => {
    const { stats, errorCount } = await benchrest('/', { target: server, limit: 10, iterations: 500 });
    assert.equal(errorCount, 0);
    assert.ok((stats.main.completed.p95 ?? Infinity) < 1000, `p95 is ${stats.main.completed.p95} ms`);
    assert.ok(stats.requests.rate > 10, `${stats.requests.rate} requests per second`);
  });
});

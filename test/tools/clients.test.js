import { expect } from 'chai';

import { command } from '../support/command.js';
import { withRedis } from '../support/redis.js';

/** Counts of commands that Redis itself has: `set` to its calls. */
async function commandCounts(redis) {
  const info = await redis.info('commandstats');
  return Object.fromEntries(
    [...info.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)].map(([, name, calls]) => [name, Number(calls)]),
  );
}
const rows = (stdout) => JSON.parse(stdout).operations.map(({ name, count, errors }) => [name, count, errors]);

describe('the recipes for clients', () => {
  it('Redis has counted as many calls as the result', () =>
    withRedis(async ({ url, redis }) => {
      const args = ['-n', '200', '-c', '5', '--json', 'examples/clients/redis.js', '--arg', `url=${url}`];
      const { code, stdout, stderr } = await command(args);
      expect(code, stderr).to.equal(0);
      expect(rows(stdout)).to.deep.equal([
        ['SET', 200, 0],
        ['GET', 200, 0],
      ]);
      expect(await commandCounts(redis)).to.include({ set: 200, get: 200, quit: 5 });
    }));

  it('a queue has done each job', () =>
    withRedis(async ({ url, redis }) => {
      const args = ['-n', '20', '-c', '2', '--json', 'examples/clients/queue.js', '--arg', `url=${url}`];
      const { code, stdout, stderr } = await command(args);
      expect(code, stderr).to.equal(0);
      expect(rows(stdout)).to.have.deep.members([
        ['add', 20, 0],
        ['done', 20, 0],
      ]);
      expect(await redis.zcard('bull:bench-rest-jobs:completed')).to.equal(20);
    }));
});

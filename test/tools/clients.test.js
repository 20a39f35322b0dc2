import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { notInstalled, pathInBench } from '../../bench/peers/installed.js';
import { pathOf, startPostgres } from '../../bench/postgres.js';
import { ROOT, command } from '../support/command.js';
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

  /** Runs a recipe beside packages of the registry. */
  const runBesidePackages = async (recipe, args) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-clients-'));
    try {
      cpSync(join(ROOT, 'examples/clients'), folder, { recursive: true });
      symlinkSync(pathInBench('node_modules'), join(folder, 'node_modules'));
      return await command(['-n', '200', '-c', '5', '--json', join(folder, recipe), ...args]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const withPackage = (name) => (notInstalled(name) === undefined ? it : it.skip);
  const require = createRequire(pathInBench('package.json'));

  (pathOf('initdb') === '' ? it.skip : withPackage('pg'))(
    'PostgreSQL has counted as many calls as the result',
    async () => {
      const { Client } = require('pg');
      const { url, close } = await startPostgres({ settings: ['shared_preload_libraries=pg_stat_statements'] });
      try {
        const client = new Client(url);
        await client.connect();
        await client.query('CREATE EXTENSION pg_stat_statements');
        const { code, stdout, stderr } = await runBesidePackages('postgres.js', ['--arg', `url=${url}`]);
        expect(code, stderr).to.equal(0);
        expect(rows(stdout)).to.deep.equal([
          ['insert', 200, 0],
          ['select', 200, 0],
        ]);
        const sql = "SELECT calls FROM pg_stat_statements WHERE query ~ '^(INSERT INTO|SELECT name FROM) bench_rest'";
        const counted = await client.query(sql);
        expect(counted.rows.map(({ calls }) => Number(calls))).to.deep.equal([200, 200]);
        await client.end();
      } finally {
        await close();
      }
    },
  );

  withPackage('@grpc/grpc-js')(
    'a gRPC server has counted as many calls as the result, unary and streamed',
    async () => {
      const grpc = require('@grpc/grpc-js');
      const definition = require('@grpc/proto-loader').loadSync(join(ROOT, 'examples/clients/shop.proto'));
      const { shop } = grpc.loadPackageDefinition(definition);
      const server = new grpc.Server();
      const counts = { Get: 0, List: 0, messages: 0 };
      server.addService(shop.Items.service, {
        Get({ request: { id } }, answer) {
          counts.Get++;
          answer(null, { id, name: `item ${id}` });
        },
        List(call) {
          counts.List++;
          for (let id = 0; id < call.request.count; id++, counts.messages++) call.write({ id, name: `item ${id}` });
          call.end();
        },
      });
      const port = await new Promise((resolve, reject) =>
        server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, at) =>
          error ? reject(error) : resolve(at),
        ),
      );
      try {
        const { code, stdout, stderr } = await runBesidePackages('grpc.js', ['--arg', `address=127.0.0.1:${port}`]);
        expect(code, stderr).to.equal(0);
        expect(rows(stdout)).to.deep.equal([
          ['Get', 200, 0],
          ['List', 200, 0],
        ]);
        expect(counts).to.deep.equal({ Get: 200, List: 200, messages: 1000 });
      } finally {
        server.forceShutdown();
      }
    },
  );
});

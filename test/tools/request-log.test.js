import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { freePort } from '../../lib/addons/server/run-with-server.js';
import { until } from '../support/until.js';

const HAS_NGINX = spawnSync('nginx', ['-v']).status === 0;

const configuration = (folder, port) => `
worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  log_format line '$msec|$remote_port|$connection_requests|$request_method|$status|$request_length|$bytes_sent';
  access_log ${folder}/access.log line;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location /items { return 200 "hello"; }
    location /from { return 302 /items; }
    location / { return 404; }
  }
}`;

const answers = (port) =>
  fetch(`http://127.0.0.1:${port}/items`).then(
    () => true,
    () => false,
  );

/** nginx does not count the bytes of a body that it does not read. */
const lineOf = (method, status, bytesOut, bytesIn) =>
  `${method} ${status} ${method === 'PUT' ? '-' : bytesOut} ${bytesIn}`;

const counted = (texts) => {
  const counts = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

(HAS_NGINX ? describe : describe.skip)('log of requests beside the access log of nginx', () => {
  let folder;
  let nginx;
  let port;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    port = await freePort();
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port));
    nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    await until(() => answers(port));
    // the requests of this file are not in the log
    await fetch(`http://127.0.0.1:${port}/items`);
  });

  after(async () => {
    nginx.kill('SIGQUIT');
    await once(nginx, 'exit');
    rmSync(folder, { recursive: true });
  });

  for (const httpClient of ['builtin', 'undici'])
    it(`both have the same requests, statuses and bytes, ${httpClient}`, async () => {
      const url = `http://127.0.0.1:${port}`;
      const access = join(folder, 'access.log');
      const from = readFileSync(access, 'utf8').length;
      const log = join(folder, `${httpClient}.ndjson`);
      const flow = {
        main: [
          { get: `${url}/items` },
          { put: `${url}/items`, json: { n: '#{INDEX}' } },
          { get: `${url}/from` },
          { get: `${url}/x` },
        ],
      };
      await benchrest(flow, { limit: 10, iterations: 500, httpClient, log });
      const mine = readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const theirs = () => readFileSync(access, 'utf8').slice(from).split('\n').filter(Boolean);
      await until(() => theirs().length >= mine.length);
      const lines = theirs().map((line) => line.split('|'));
      expect(mine).to.have.length(2500);
      expect(
        counted(
          mine.map(({ operation, status, bytesOut, bytesIn }) =>
            lineOf(operation.split(' ')[0], status, bytesOut, bytesIn),
          ),
        ),
      ).to.deep.equal(counted(lines.map(([, , , ...request]) => lineOf(...request))));
      const byConnection = (values) => Object.values(counted(values)).sort((a, b) => a - b);
      expect(byConnection(mine.map(({ connection }) => connection))).to.deep.equal(
        byConnection(lines.map(([, remotePort]) => remotePort)),
      );
      // nginx logs whole milliseconds, of its own clock
      const distances = mine.map(({ time }, i) => Math.abs(time / 1000 - Number(lines[i][0])));
      expect(Math.max(...distances)).to.be.below(5);
    });
});

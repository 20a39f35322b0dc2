import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { withAgents } from '../support/agents.js';
import { CERTIFICATES } from '../support/certificate.js';
import { spawned } from '../support/command.js';
import { withRedis, withSecureRedis } from '../support/redis.js';
import { serving } from '../support/serve.js';

const MISMATCH = /is not reachable; .*rediss:\/\/ needs TLS, redis:\/\/ is without/;
const UNTRUSTED = /has no TLS that this machine trusts; .*NODE_EXTRA_CA_CERTS/;

describe('agents on a queue with TLS', () => {
  let folder;
  let trusting;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const NODE_EXTRA_CA_CERTS = join(folder, 'ca.pem');
    writeFileSync(NODE_EXTRA_CA_CERTS, CERTIFICATES.ca);
    trusting = { NODE_EXTRA_CA_CERTS };
  });
  after(() => rmSync(folder, { recursive: true }));

  /** An agent and a run end with exit code 9 and this message. */
  const expectRefused = async (url, message, env) => {
    for (const args of [
      ['agent', '--queue', url],
      ['--agents', '1', '--agents-queue', url, '-n', '1', 'http://127.0.0.1:1/'],
    ]) {
      const { code, stderr } = await spawned(args, { env });
      expect(code, stderr).to.equal(9);
      expect(stderr.replaceAll(/\s+/g, ' ')).to.match(message);
    }
  };

  it('a run uses an authority that NODE_EXTRA_CA_CERTS names', () =>
    withSecureRedis(CERTIFICATES.here, ({ url }) =>
      serving(
        (req, res) => res.end('ok'),
        (base, seen) =>
          withAgents(
            url,
            ['box-1'],
            async () => {
              const args = ['--agents', '1', '--agents-queue', url, '-n', '20', '-c', '2', `${base}/`];
              const { code, stderr } = await spawned(args, { env: trusting });
              expect(code, stderr).to.equal(0);
              expect(seen).to.have.lengthOf(20);
            },
            { env: trusting },
          ),
      ),
    ));

  it('A18 a certificate without an authority is refused', () =>
    withSecureRedis(CERTIFICATES.here, ({ url }) => expectRefused(url, UNTRUSTED)));

  it('A18 a certificate that has expired is refused', () =>
    withSecureRedis(CERTIFICATES.expired, ({ url }) => expectRefused(url, UNTRUSTED, trusting)));

  it('A18 a Redis without TLS is refused by rediss://', () =>
    withRedis(({ port }) => expectRefused(`rediss://127.0.0.1:${port}`, /is without TLS; write redis:\/\//)));

  it('A18 a Redis with TLS is refused by redis://', () =>
    withSecureRedis(CERTIFICATES.here, ({ plainUrl }) => expectRefused(plainUrl, MISMATCH)));
});

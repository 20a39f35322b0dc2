import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { CERTIFICATES } from './support/certificate.js';
import { command } from './support/command.js';
import { listen, ok, shut } from './support/serve.js';
import { NAMES } from './support/transports.js';

const { ca, client, here, lockedKey, pfx } = CERTIFICATES;
const ONE = { limit: 1, iterations: 1 };

/** Runs `story(url, seen)` with a server that records what it learns of the client in the handshake. */
async function secured(options, story) {
  const seen = [];
  const server = https.createServer({ ...here, ...options }, (req, res) => {
    const { socket } = req;
    seen.push({
      name: socket.getPeerCertificate().subject?.CN,
      sni: socket.servername,
      version: socket.getProtocol(),
      cipher: socket.getCipher().standardName,
    });
    ok(req, res);
  });
  const url = (await listen(server)).replace('http:', 'https:');
  try {
    return await story(url, seen);
  } finally {
    await shut(server);
  }
}

const MUTUAL = { requestCert: true, ca };
const CIPHER = 'ECDHE-ECDSA-AES256-GCM-SHA384';

/** The versions have other names in operations. */
function ofOperation({ tlsMin: minVersion, tlsMax: maxVersion, ...own }) {
  return { ...own, ...(minVersion && { minVersion }), ...(maxVersion && { maxVersion }) };
}

describe('TLS as options of a run', () => {
  let folder;
  const at = (name) => join(folder, name);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const files = { ca, cert: client.cert, key: client.key, locked: lockedKey, other: here.key, p12: pfx };
    for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const httpClient of NAMES) {
    const rows = [
      ['ca', () => ({ ca: at('ca') }), {}, {}],
      ['cert and key', () => ({ ca, cert: at('cert'), key: at('key') }), MUTUAL, { name: 'the client' }],
      [
        'key and passphrase',
        () => ({ ca, cert: client.cert, key: { file: at('locked') }, passphrase: 'open sesame' }),
        MUTUAL,
        { name: 'the client' },
      ],
      ['pfx', () => ({ ca, pfx: at('p12'), passphrase: 'open sesame' }), MUTUAL, { name: 'the client' }],
      ['servername', () => ({ insecure: true, servername: 'a.test' }), {}, { sni: 'a.test' }],
      ['tlsMax', () => ({ ca, tlsMax: '1.2' }), {}, { version: 'TLSv1.2' }],
      ['tlsMin', () => ({ ca, tlsMin: 'TLSv1.3' }), {}, { version: 'TLSv1.3' }],
      [
        'a version that is disabled by default',
        () => ({ ca, tlsMax: 1.1 }),
        { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
        { version: 'TLSv1.1' },
      ],
      [
        'ciphers',
        () => ({ ca, tlsMax: '1.2', ciphers: CIPHER }),
        {},
        { cipher: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384' },
      ],
    ];
    for (const [what, options, ofServer, expected] of rows) {
      it(`${httpClient} uses ${what} of a run, and of an operation`, () =>
        secured(ofServer, async (url, seen) => {
          const { stats } = await benchrest(url, { ...ONE, ...options(), httpClient });
          expect(stats.errors.details).to.deep.equal([]);
          const { insecure, ...own } = options();
          await benchrest({ get: url, ...ofOperation(own) }, { ...ONE, insecure, httpClient });
          expect(seen).to.have.lengthOf(2);
          for (const one of seen) expect(one).to.deep.include(expected);
        }));
    }

    it(`${httpClient}: an operation with other options has a connection of its own`, () =>
      secured({}, async (url, seen) => {
        const flow = [url, { get: url, maxVersion: '1.2' }, url];
        const { stats } = await benchrest(flow, { ...ONE, ca, httpClient });
        expect(seen.map(({ version }) => version)).to.deep.equal(['TLSv1.3', 'TLSv1.2', 'TLSv1.3']);
        expect(stats.connections.opened).to.equal(2);
      }));
  }

  it('reports what cannot be used before the run, all at once', () => {
    const run = () =>
      benchrest([{ get: 'https://127.0.0.1/', cert: client.cert }], {
        ...ONE,
        ca: at('none'),
        ciphers: 'NOTHING',
        tlsMin: '1.9',
      });
    expect(run).to.throw(/runOptions\.tlsMin: expected a version of TLS: 1\.0, 1\.1, 1\.2 or 1\.3, got "1\.9"/);
    expect(run).to.throw(/runOptions\.ca: .* does not exist; check the path/);
  });

  it('reports what cannot be used of an operation with its place', () => {
    const flow = [{ get: 'https://127.0.0.1/', cert: client.cert, key: here.key }];
    expect(() => benchrest(flow, ONE)).to.throw('flow.main[0].key: does not belong to the certificate in cert');
  });

  it('the command has a flag for each', () =>
    secured(MUTUAL, async (url, seen) => {
      const flags = ['--ca', at('ca'), '--cert', at('cert'), '--key', at('locked'), '--tls-max', '1.2'];
      const env = { BENCH_REST_PASSPHRASE: 'open sesame' };
      const { code, stdout } = await command([...flags, '--ciphers', CIPHER, '--servername', 'a.test', url], { env });
      expect(stdout).to.include("Hostname/IP does not match certificate's altnames");
      expect(code).to.equal(1);
      await command([...flags, '--insecure', '--servername', 'a.test', url], { env });
      expect(seen[0]).to.include({ name: 'the client', sni: 'a.test', version: 'TLSv1.2' });
    }));

  it('the command refuses a key of another certificate, and an encrypted one without its passphrase', async () => {
    const flags = ['--cert', at('cert'), 'https://127.0.0.1:1/'];
    const other = await command(['--key', at('other'), ...flags]);
    expect(other.code).to.equal(2);
    expect(other.stderr).to.include('--key: does not belong to the certificate in cert');
    const locked = await command(['--key', at('locked'), ...flags]);
    expect(locked.stderr).to.include('--key: is encrypted: set passphrase');
  });

  it('a result does not show keys and passphrases', async () => {
    const run = benchrest('https://127.0.0.1:1/', { ...ONE, ca, cert: client.cert, key: client.key, passphrase: 'x' });
    expect(Object.keys(run.plan.options)).to.include('ca').and.not.include.members(['key', 'passphrase']);
    await run;
  });
});

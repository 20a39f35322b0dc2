import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { CERTIFICATES } from '../support/certificate.js';
import { faulting } from '../support/faulty-server.js';
import { listen, ok, shut } from '../support/serve.js';
import { scaled } from '../support/scale.js';
import { itSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { NAMES, exchange, requestTo, takesTurn, transporting } from '../support/transports.js';
import { balance as checkBooks, heapInUse } from './ground.js';

const ITERATIONS = scaled(6, 12);
const OPTIONS = { limit: 3, iterations: ITERATIONS, timeout: 10_000 };

/** Equations that hold after every run, including the number of emitted errors. */
function balance(stats, errorCount, arrived) {
  checkBooks(stats, arrived);
  expect(stats.errors.count).to.equal(errorCount);
}

const made = CERTIFICATES;

/** Runs `story(url, seen)` against an https.Server that is closed afterwards. */
async function secured(options, story) {
  const seen = [];
  const server = https.createServer(options, (req, res) => {
    seen.push({
      url: req.url,
      servername: req.socket.servername,
      isAuthorized: req.socket.authorized,
      isResumed: req.socket.isSessionReused(),
      client: req.socket.getPeerCertificate().subject?.CN,
    });
    res.end('ok');
  });
  const url = (await listen(server)).replace('http:', 'https:');
  try {
    return await story(url, seen);
  } finally {
    await shut(server);
  }
}

for (const httpClient of NAMES) {
  describe(`tls: ${httpClient}`, () => {
    const run = (flow, options) => benchrest(flow, { ...OPTIONS, httpClient, ...options });

    async function accepted(flow, seen, options) {
      const { stats, errorCount } = await run(flow, options);
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.iterations).to.include({ started: ITERATIONS, completed: ITERATIONS });
      balance(stats, errorCount, seen.length);
    }

    async function refused(flow, kind, code, options) {
      const { stats, errorCount } = await run(flow, options);
      expect(stats.errors.kinds).to.deep.equal({ [kind]: ITERATIONS });
      expect(stats.errors.details).to.have.lengthOf(1);
      if (code) expect([code].flat()).to.include(stats.errors.details[0].code);
      expect(stats.iterations).to.include({ started: ITERATIONS, failed: ITERATIONS });
      balance(stats, errorCount);
      return stats;
    }

    it('a certificate signed by the authority in ca is accepted', () =>
      secured(made.here, async (url, seen) => {
        await accepted({ get: url, ca: made.ca }, seen);
        await accepted({ get: url, ca: [made.stranger.cert, Buffer.from(made.ca)] }, seen.splice(0));
      }));

    describe('F67 certificates', () => {
      const rows = [
        ['expired', () => made.expired, 'CERT_HAS_EXPIRED', /--insecure/],
        ['not yet valid', () => made.early, 'CERT_NOT_YET_VALID', /--insecure/],
        ['issued for another host', () => made.a, 'ERR_TLS_CERT_ALTNAME_INVALID', /servername.*--insecure/],
        ['self-signed', () => made.stranger, 'DEPTH_ZERO_SELF_SIGNED_CERT', /--insecure/],
        [
          'without its intermediate certificate',
          () => made.leaf,
          ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
          /--insecure/,
        ],
      ];
      for (const [i, [what, certificate, code, cure]] of rows.entries()) {
        if (!takesTurn(i, httpClient)) continue;
        it(`a certificate that is ${what} fails before anything is sent, unless rejectUnauthorized is false`, () =>
          secured(certificate(), async (url, seen) => {
            const stats = await refused({ get: url, ca: made.ca }, 'tls', code);
            expect(stats.requests.sent).to.equal(0);
            expect(seen).to.be.empty;
            if (cure) expect(stats.errors.details[0].message).to.match(cure);
            await accepted({ get: url, rejectUnauthorized: false }, seen);
            seen.length = 0;
            await accepted({ get: url, strictSSL: false }, seen);
            seen.length = 0;
            await accepted(url, seen, { insecure: true });
          }));
      }

      it('a certificate signed by an unknown authority fails before anything is sent', () =>
        secured(made.here, async (url, seen) => {
          const stats = await refused(url, 'tls', [
            'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
            'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
          ]);
          expect(stats.requests.sent).to.equal(0);
          expect(seen).to.be.empty;
        }));

      it('a complete chain is accepted', () =>
        secured({ key: made.leaf.key, cert: made.leaf.cert + made.middle.cert }, (url, seen) =>
          accepted({ get: url, ca: made.ca }, seen),
        ));

      it('rejectUnauthorized of one operation does not apply to the next', () =>
        secured(made.expired, async (url, seen) => {
          const { stats, errorCount } = await run([
            { get: `${url}/1`, rejectUnauthorized: false },
            { get: `${url}/2`, ca: made.ca },
          ]);
          expect(stats.errors.kinds).to.deep.equal({ tls: ITERATIONS });
          expect(stats.errors.details[0].path).to.equal('flow.main[1]');
          expect(seen.map((r) => r.url)).to.deep.equal(Array(ITERATIONS).fill('/1'));
          balance(stats, errorCount, seen.length);
        }));
    });

    describe('servername', () => {
      const two = () => ({
        ...made.here,
        SNICallback: (name, callback) =>
          callback(null, tls.createSecureContext({ 'a.test': made.a, 'b.test': made.b }[name] ?? made.here)),
      });

      it('is sent, and selects the certificate', () =>
        secured(two(), async (url, seen) => {
          await accepted({ get: url, ca: made.ca, servername: 'a.test' }, seen);
          expect(new Set(seen.map((r) => r.servername))).to.deep.equal(new Set(['a.test']));
        }));

      it('is verified against the certificate', () =>
        secured(made.a, async (url, seen) => {
          await refused({ get: url, ca: made.ca, servername: 'b.test' }, 'tls', 'ERR_TLS_CERT_ALTNAME_INVALID');
          expect(seen).to.be.empty;
        }));

      it('is not sent for an IP address', () =>
        secured(two(), async (url, seen) => {
          await accepted({ get: url, ca: made.ca }, seen);
          expect(seen.map((r) => Boolean(r.servername))).to.deep.equal(Array(ITERATIONS).fill(false));
        }));

      for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
        it(`F71 two host names on one port share no connections and sessions: ${maxVersion}`, () =>
          secured({ ...two(), maxVersion }, async (url, seen) => {
            const at = (path, servername) => ({
              get: url + path,
              ca: made.ca,
              servername,
              headers: { connection: 'close' },
            });
            const { stats, errorCount } = await run([at('/a', 'a.test'), at('/b', 'b.test'), at('/a', 'a.test')]);
            expect(stats.errors.details).to.deep.equal([]);
            expect(seen).to.have.lengthOf(3 * ITERATIONS);
            // Node does not report the server name of a resumed TLS 1.2 session
            for (const { url: path, servername, isResumed } of seen)
              expect(servername).to.equal(isResumed && maxVersion === 'TLSv1.2' ? false : `${path[1]}.test`);
            balance(stats, errorCount, 3 * ITERATIONS);
          }));
      }
    });

    describe('client certificates', () => {
      const demanding = (more) => ({ ...made.here, requestCert: true, rejectUnauthorized: true, ca: made.ca, ...more });
      const rows = [
        ['cert and key', () => ({ cert: made.client.cert, key: made.client.key })],
        ['cert and key as Buffers', () => ({ cert: Buffer.from(made.client.cert), key: Buffer.from(made.client.key) })],
        [
          'a key with its passphrase',
          () => ({ cert: made.client.cert, key: made.lockedKey, passphrase: 'open sesame' }),
        ],
        ['pfx with its passphrase', () => ({ pfx: made.pfx, passphrase: 'open sesame' })],
      ];
      for (const [what, given] of rows) {
        it(`a client certificate is sent when the server demands it: ${what}`, () =>
          secured(demanding(), async (url, seen) => {
            await accepted({ get: url, ca: made.ca, ...given() }, seen);
            for (const request of seen) expect(request).to.include({ isAuthorized: true, client: 'the client' });
          }));
      }

      it('a client certificate of one operation is not sent by the next', () =>
        secured(demanding({ rejectUnauthorized: false }), async (url, seen) => {
          await run([
            { get: `${url}/with`, ca: made.ca, ...made.client },
            { get: `${url}/without`, ca: made.ca },
          ]);
          expect(seen).to.have.lengthOf(2 * ITERATIONS);
          for (const request of seen)
            expect(request.client).to.equal(request.url === '/with' ? 'the client' : undefined);
        }));

      it('a missing client certificate has the kind tls, before anything is sent: TLSv1.2', () =>
        secured(demanding({ maxVersion: 'TLSv1.2' }), async (url, seen) => {
          const stats = await refused({ get: url, ca: made.ca }, 'tls');
          expect(stats.requests.sent).to.equal(0);
          expect(seen).to.be.empty;
        }));

      it('a missing client certificate fails each iteration before a response: TLSv1.3', () =>
        secured(demanding(), async (url, seen) => {
          // the handshake ends for the client before the server verifies: the resulting error depends on the system
          const { stats, errorCount } = await run({ get: url, ca: made.ca });
          expect(Object.keys(stats.errors.kinds)).to.satisfy((kinds) =>
            kinds.every((kind) => kind === 'tls' || kind === 'reset'),
          );
          expect(stats.iterations.failed).to.equal(ITERATIONS);
          expect(stats.requests.answered).to.equal(0);
          expect(seen).to.be.empty;
          balance(stats, errorCount);
        }));

      it('a client certificate of an unknown authority fails before a response', () =>
        secured(demanding({ maxVersion: 'TLSv1.2' }), async (url, seen) => {
          const { stats, errorCount } = await run({ get: url, ca: made.ca, ...made.stranger });
          expect(Object.keys(stats.errors.kinds)).to.satisfy((kinds) =>
            kinds.every((kind) => kind === 'tls' || kind === 'reset'),
          );
          expect(errorCount).to.equal(ITERATIONS);
          expect(stats.requests.answered).to.equal(0);
          expect(seen).to.be.empty;
          balance(stats, errorCount);
        }));

      const unreadable = [
        ['a wrong passphrase of pfx', { pfx: made.pfx, passphrase: 'open barley' }, 'passphrase'],
        [
          'a wrong passphrase of a key',
          { cert: made.client.cert, key: made.lockedKey, passphrase: 'open barley' },
          'passphrase',
        ],
        ['a key of another certificate', { cert: made.client.cert, key: made.a.key }, 'key'],
        ['an invalid cert', { cert: Buffer.from('not a certificate'), key: made.client.key }, 'cert'],
      ];
      for (const [what, given, key] of unreadable) {
        it(`${what} is refused before the run, and is an error of a connection that gets it`, () =>
          secured(made.here, async (url, seen) => {
            expect(() => run({ get: url, ...given })).to.throw(`flow.main[0].${key}: `);
            const request = requestTo(url, { tls: { ca: made.ca, ...given } });
            await transporting(httpClient, async (opened) => {
              const connect = () => exchange(opened.connect(request.endpoint), request);
              expect(await connect().catch(({ message }) => ({ message }))).to.not.have.property('status');
            });
            expect(seen).to.be.empty;
          }));
      }
    });

    describe('F28 the wrong protocol', () => {
      it('TLS on a plain port has the kind tls, and the message suggests http://', async () => {
        const server = http.createServer(ok);
        let arrived = 0;
        server.on('request', () => arrived++);
        const url = (await listen(server)).replace('http:', 'https:');
        try {
          const stats = await refused(url, 'tls', [
            'EPROTO',
            'ERR_SSL_WRONG_VERSION_NUMBER',
            'ERR_SSL_PACKET_LENGTH_TOO_LONG',
          ]);
          expect(stats.errors.details[0].message).to.match(/is this an http:\/\/ server\?/);
          expect(stats.requests.sent).to.equal(0);
          expect(arrived).to.equal(0);
        } finally {
          await shut(server);
        }
      });

      it('wss on a plain port has the words of https', async () => {
        const server = http.createServer(ok);
        const url = (await listen(server)).replace('http:', 'wss:');
        try {
          const stats = await refused({ ws: url, send: 'a' }, 'tls', 'EPROTO');
          expect(stats.errors.details[0].message).to.match(/^TLS: [\w ]+; is this an http:\/\/ server\?$/);
        } finally {
          await shut(server);
        }
      });

      it('plain http on a TLS port has the kind protocol or reset', () =>
        secured(made.here, async (url, seen) => {
          const { stats, errorCount } = await run(url.replace('https:', 'http:'));
          expect(Object.keys(stats.errors.kinds)).to.satisfy((kinds) =>
            kinds.every((kind) => kind === 'protocol' || kind === 'reset'),
          );
          expect(stats.iterations.failed).to.equal(ITERATIONS);
          expect(seen).to.be.empty;
          balance(stats, errorCount, ITERATIONS);
        }));
    });

    itSlow('F68 repeated failed handshakes leave nothing open', () =>
      secured(made.stranger, async (url) => {
        const iterations = scaled(20, 1000);
        await run(url, { limit: 10, iterations: scaled(20, 300) });
        const before = heapInUse();
        const { stats } = await run(url, { limit: 10, iterations });
        expect(stats.errors.kinds).to.deep.equal({ tls: iterations });
        // with the full count, a leak of 1 KB each would be 1 MB
        expect(heapInUse() - before).to.be.below(1e6);
      }),
    );

    describe('handshakes', () => {
      it('F70 with a version that is too old have the kind tls', () =>
        secured({ ...made.here, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }, async (url, seen) => {
          const stats = await refused({ get: url, ca: made.ca }, 'tls');
          expect(seen).to.be.empty;
          expect(stats.requests.sent).to.equal(0);
        }));

      it('F69 that never end have the kind timeout', () =>
        faulting(
          (io) => io.hang(),
          async (url, seen) => {
            const stats = await refused(url.replace('http:', 'https:'), 'timeout', 'E_TIMEOUT_CONNECT', {
              connectTimeout: 150,
            });
            expect(stats.requests.sent).to.equal(0);
            expect(seen.connections).to.equal(ITERATIONS);
          },
        ));

      for (const end of ['fin', 'rst']) {
        it(`F69 that the server ends by ${end} fail each iteration before anything is sent`, () =>
          faulting(
            async (io) => {
              await io.wait(5);
              io[end]();
            },
            async (url) => {
              const { stats, errorCount } = await run(url.replace('http:', 'https:'));
              expect(Object.keys(stats.errors.kinds)).to.satisfy((kinds) =>
                kinds.every((kind) => kind === 'reset' || kind === 'connect' || kind === 'tls'),
              );
              expect(errorCount).to.equal(ITERATIONS);
              balance(stats, errorCount, 0);
            },
          ));
      }

      it('F69 that the server answers with an alert have the kind tls', () =>
        faulting(
          async (io) => {
            await io.wait(5);
            await io.send(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])); // fatal, handshake_failure
            io.fin();
          },
          async (url) => {
            const stats = await refused(url.replace('http:', 'https:'), 'tls', [
              'EPROTO',
              'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
              'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
            ]);
            expect(stats.requests.sent).to.equal(0);
          },
        ));
    });

    describe('an https.Server as target', () => {
      const targeting = async (flow, options, story) => {
        let arrived = 0;
        const server = https.createServer(made.here, (req, res) => {
          arrived++;
          res.end(req.url);
        });
        try {
          const { stats, errorCount } = await here('workers', () => run(flow, { target: server, ...options }));
          balance(stats, errorCount, arrived);
          await story(stats, server);
        } finally {
          if (server.listening) await shut(server);
        }
      };

      it('gets TLS connections and is closed afterwards', () =>
        targeting(
          [
            { get: '/a', ca: made.ca },
            { put: '/b', body: 'x', ca: made.ca },
          ],
          {},
          (stats, server) => {
            expect(stats.errors.details).to.deep.equal([]);
            expect(stats.requests.answered).to.equal(2 * ITERATIONS);
            expect(server.listening).to.equal(false);
            expect(server.listenerCount('error')).to.equal(0);
          },
        ));

      it('is accepted with insecure', () =>
        targeting('/', { insecure: true }, (stats) => {
          expect(stats.iterations.completed).to.equal(ITERATIONS);
        }));

      it('is verified like any other server', () =>
        targeting('/', {}, (stats, server) => {
          expect(stats.errors.kinds).to.deep.equal({ tls: ITERATIONS });
          expect(stats.requests.sent).to.equal(0);
          expect(server.listening).to.equal(false);
        }));

      it('an https.Server that listens before the run listens after it', async () => {
        const server = https.createServer(made.here, ok);
        await listen(server);
        try {
          const { stats } = await here('workers', () => run({ get: '/', ca: made.ca }, { target: server }));
          expect(stats.iterations.completed).to.equal(ITERATIONS);
          expect(server.listening).to.equal(true);
        } finally {
          await shut(server);
        }
      });
    });
  });
}

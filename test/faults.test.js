import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';

import benchrest from '../index.js';
import { GOOD, faulting, refusedUrl } from './support/faulty-server.js';
import { listen, ok, serving, shut } from './support/serve.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Bytes that are still needed. */
function heapInUse() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const OPTIONS = { limit: 3, iterations: 12 };

/** Books that must hold after every run. */
function balance({ iterations, requests, errors }, errorCount, arrived) {
  expect(iterations.started).to.equal(iterations.completed + iterations.failed + iterations.cancelled);
  expect(requests.sent).to.equal(requests.answered + requests.failed + requests.cancelled);
  expect(errors.count).to.equal(errorCount);
  if (arrived !== undefined) expect(requests.sent).to.equal(arrived);
}

describe('faults', () => {
  it('a refused connection is kind connect, with no request sent', async () => {
    const { stats, errorCount } = await benchrest(await refusedUrl(), OPTIONS);
    balance(stats, errorCount, 0);
    expect(stats.iterations.failed).to.equal(12);
    expect(stats.errors.kinds).to.deep.equal({ connect: 12 });
    expect(stats.errors.samples[0].code).to.equal('ECONNREFUSED');
  });

  const rows = [
    { what: 'a reset before the response', answer: '', end: 'rst', kind: 'reset', code: 'E_RESET_BEFORE_HEAD' },
    { what: 'a connection closed before the response', answer: '', end: 'fin', kind: 'reset', code: 'E_RESET_BEFORE_HEAD' },
    { what: 'a connection closed in the middle of the body', answer: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', end: 'fin', kind: 'reset', code: 'E_BODY_SHORT' },
    { what: 'a body shorter than its chunks say', answer: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab', end: 'fin', kind: 'reset', code: ['E_CHUNK_SHORT', 'E_BODY_SHORT'] },
    { what: 'a content-length that is no number', answer: 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\nok', end: 'fin', kind: 'protocol' },
    { what: 'a malformed status line', answer: 'HTTZ/9 what\r\n\r\n', end: 'fin', kind: 'protocol', code: ['E_STATUS_LINE', 'E_PROTOCOL'] },
    { what: 'no answer', answer: '', end: 'hang', kind: 'timeout', code: 'E_TIMEOUT_REQUEST', timeout: 200 },
    { what: 'an answer that stops', answer: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', end: 'hang', kind: 'timeout', code: 'E_TIMEOUT_REQUEST', timeout: 200 },
  ];
  for (const { what, answer, end, kind, code, timeout = 10_000 } of rows) {
    it(`${what} is kind ${kind}`, () =>
      faulting(async (io) => {
        await io.readRequest();
        if (answer) await io.send(answer);
        await io[end]();
      }, async (url, seen) => {
        const { stats, errorCount } = await benchrest(url, { ...OPTIONS, timeout });
        expect(stats.errors.kinds).to.deep.equal({ [kind]: 12 });
        if (code) expect([code].flat()).to.include(stats.errors.samples[0].code);
        expect(stats.errors.samples).to.have.lengthOf(1);
        expect(stats.iterations).to.include({ started: 12, failed: 12 });
        balance(stats, errorCount, seen.requests);
      }));
  }

  it('a response cut after any of its bytes fails, and never hangs', () =>
    faulting(async (io, id) => {
      await io.readRequest();
      if (id > 0) await io.send(GOOD.slice(0, id));
      io.fin();
    }, async (url, seen) => {
      const { stats, errorCount } = await benchrest(url, { limit: 1, iterations: GOOD.length, timeout: 10_000 });
      expect(errorCount).to.equal(GOOD.length);
      expect(seen.connections).to.equal(GOOD.length);
      balance(stats, errorCount, seen.requests);
    }));

  it('more bytes than the content-length says spoil no other request of the lane', () =>
    faulting(async (io) => {
      for (;;) {
        await io.readRequest();
        await io.send(`${GOOD}EXTRA`);
      }
    }, async (url, seen) => {
      const { stats, errorCount } = await benchrest(url, { ...OPTIONS, timeout: 5000 });
      expect(stats.iterations.started).to.equal(12);
      balance(stats, errorCount, seen.requests);
    }));

  it('a redirect loop ends after ten redirects', () =>
    serving((req, res) => res.writeHead(302, { location: '/' }).end(), async (url, seen) => {
      const { stats, errorCount } = await benchrest(url, OPTIONS);
      expect(stats.errors.samples[0]).to.include({ code: 'E_REDIRECT_LOOP', kind: 'protocol', count: 12 });
      expect(seen).to.have.lengthOf(12 * 11);
      balance(stats, errorCount, seen.length);
    }));

  for (const [method, retried] of [['get', true], ['post', false]]) {
    it(`a kept-alive connection that the server closes under a ${method} is ${retried ? 'retried once' : 'an error'}`, () =>
      faulting(async (io, id) => {
        await io.readRequest();
        await io.send(GOOD);
        await io.readRequest();
        if (id === 0) return io.rst();
        await io.send(GOOD);
      }, async (url, seen) => {
        const { stats, errorCount } = await benchrest({ [method]: url, ...(method === 'post' && { body: 'x' }) }, { limit: 1, iterations: 2 });
        expect(errorCount).to.equal(retried ? 0 : 1);
        expect(stats.requests).to.include({ sent: retried ? 3 : 2, retries: retried ? 1 : 0 });
        balance(stats, errorCount, seen.requests);
      }));
  }

  it('a GET whose retry fails as well is one error and two requests', () =>
    faulting(async (io, id) => {
      await io.readRequest();
      if (id > 0) return io.rst();
      await io.send(GOOD);
      await io.readRequest();
      io.rst();
    }, async (url, seen) => {
      const { stats, errorCount } = await benchrest(url, { limit: 1, iterations: 2 });
      expect(errorCount).to.equal(1);
      expect(seen.requests).to.equal(3);
      balance(stats, errorCount, 3);
    }));

  it('idle connections that the server closes between requests cost no errors', () =>
    serving((req, res) => res.setHeader('connection', 'close').end('ok'), async (url, seen) => {
      const { stats, errorCount } = await benchrest(url, { limit: 5, iterations: 100 });
      expect(errorCount).to.equal(0);
      balance(stats, errorCount, seen.length);
    }));

  it('100,000 iterations that all fail leave one short sample and no memory behind', async () => {
    let early;
    const run = benchrest(await refusedUrl(), { limit: 50, iterations: 100_000, progress: 200 });
    run.on('progress', (_, percent) => (early ??= percent >= 20 ? heapInUse() : undefined));
    const { stats, errorCount } = await run;
    expect(errorCount).to.equal(100_000);
    expect(stats.errors.samples).to.have.lengthOf(1);
    expect(stats.errors.samples[0]).to.include({ count: 100_000, firstIndex: 0 });
    expect(JSON.stringify(stats.errors)).to.have.length.below(1000);
    expect(heapInUse() - early).to.be.below(5e6);
    balance(stats, errorCount, 0);
  }).timeout(120_000);

  describe('a self-signed certificate', () => {
    let folder;
    let key;
    let cert;

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost',
        '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: folder, stdio: 'ignore' });
      [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const secured = async (story) => {
      const server = https.createServer({ key, cert }, ok);
      const url = (await listen(server)).replace('http:', 'https:');
      try {
        await story(url);
      } finally {
        await shut(server);
      }
    };

    it('is refused as kind tls', () =>
      secured(async (url) => {
        const { stats, errorCount } = await benchrest(url, OPTIONS);
        expect(stats.errors.kinds).to.deep.equal({ tls: 12 });
        balance(stats, errorCount, 0);
      }));

    it('is accepted with ca, rejectUnauthorized: false, strictSSL: false or insecure', () =>
      secured(async (url) => {
        const flows = [{ ca: cert }, { rejectUnauthorized: false }, { strictSSL: false }];
        for (const tls of flows) expect((await benchrest({ get: url, ...tls }, OPTIONS)).errorCount).to.equal(0);
        expect((await benchrest(url, { ...OPTIONS, insecure: true })).errorCount).to.equal(0);
      }));
  });

  it('an after-hook that trips over the missing response does not hide the transport error', () =>
    faulting(async (io) => { await io.readRequest(); io.rst(); }, async (url) => {
      const { stats } = await benchrest({ get: url, afterHooks: [(all) => { all.response.statusCode; }] }, { limit: 1, iterations: 1 });
      expect(stats.errors.kinds).to.deep.equal({ reset: 1 });
    }));
});

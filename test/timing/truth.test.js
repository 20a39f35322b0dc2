import { mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { startTargetThread } from '../../lib/addons/serve/thread.js';
import { selfSigned } from '../support/certificate.js';
import { command } from '../support/command.js';
import { faulty } from '../support/faulty-server.js';
import { serving } from '../support/serve.js';
import { undisturbed, until } from '../support/until.js';
import { messagesOf } from '../support/messages.js';

/** Blocks the event loop for 15 ms, without taking CPU. */
const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15);

/** Runs `story(url)` with a target in its own thread. */
const aiming = async (options, story) => {
  const target = await startTargetThread(options);
  try {
    return await story(target.url);
  } finally {
    await target.close();
  }
};

describe('measured results', () => {
  it('every operation has its own times, errors and status codes', () =>
    serving(
      (req, res) => res.writeHead(req.url.startsWith('/odd') ? 404 : 200).end(),
      async (url) => {
        const flow = {
          before: ['/first'],
          main: [{ get: '/a_#{INDEX}' }, { get: '/b', name: 'the second' }, { get: '/odd' }, { get: '/never' }],
        };
        const { operations } = (await benchrest(flow, { baseUrl: url, limit: 2, iterations: 10 })).stats;
        const shown = operations.map(({ name, phase, count, errors, statusCodes, times }) => ({
          name,
          phase,
          count,
          errors,
          statusCodes,
          measured: times.serviceTime.count,
        }));
        expect(shown).to.deep.equal([
          { name: 'GET /first', phase: 'before', count: 1, errors: 0, statusCodes: { 200: 1 }, measured: 1 },
          { name: 'GET /a_#{INDEX}', phase: 'main', count: 10, errors: 0, statusCodes: { 200: 10 }, measured: 10 },
          { name: 'the second', phase: 'main', count: 10, errors: 0, statusCodes: { 200: 10 }, measured: 10 },
          { name: 'GET /odd', phase: 'main', count: 10, errors: 10, statusCodes: { 404: 10 }, measured: 10 },
          { name: 'GET /never', phase: 'main', count: 0, errors: 0, statusCodes: {}, measured: 0 },
        ]);
      },
    ));

  it('S11 a request without a response is counted and has no response time', () =>
    serving(
      (req) => req.socket.destroy(),
      async (url) => {
        const [
          {
            count,
            errors,
            times: { serviceTime },
          },
        ] = (await benchrest(url, { limit: 1, iterations: 3 })).stats.operations;
        expect({ count, errors, measured: serviceTime.count }).to.deep.equal({ count: 3, errors: 3, measured: 0 });
      },
    ));

  it('a redirect loop is an operation without a final response', () =>
    serving(
      (req, res) => res.writeHead(302, { location: '/' }).end(),
      async (url) => {
        const { operations, requests } = (await benchrest(url, { limit: 1, iterations: 2 })).stats;
        expect(operations[0]).to.deep.include({ count: 2, errors: 2, statusCodes: {} });
        expect(requests.statusCodes).to.deep.equal({ 302: 22 });
      },
    ));

  it('C4 a hook that blocks the event loop saturates the load generator, and the verdict reports it', () =>
    aiming({}, async (url) => {
      let stats;
      // a target without a core for a while leaves the client idle
      await until(async () => {
        ({ stats } = await benchrest({ main: [{ get: url, afterHooks: [block] }] }, { limit: 100, iterations: 150 }));
        return stats.loadGenerator.eventLoopUtilization > 0.95;
      });
      const { loadGenerator, validity } = stats;
      expect(loadGenerator.saturated).to.equal(true);
      expect(messagesOf(loadGenerator.reasons).join()).to.match(
        /the load generator was saturated: its event loop was busy/,
      );
      expect(validity.status).to.equal('suspect');
      expect(loadGenerator.cpuTime).to.be.above(0);
    }));

  it('C5 a slow server and an idle client give no warning', () =>
    aiming({ delay: 100 }, async (url) => {
      const { loadGenerator, validity } = (await benchrest(url, { limit: 10, iterations: 150 })).stats;
      // a busy machine may delay the event loop of this process
      const reasons = messagesOf([...loadGenerator.reasons, ...validity.reasons]);
      expect(
        reasons.filter(
          (reason) => !/ stalled | stopped for | event loop |(is a range|are ranges): | too low: /.test(reason),
        ),
      ).to.deep.equal([]);
    }));

  it('S10 known delays are measured: 9,000 of 5 ms, 950 of 50 ms, 50 of 500 ms, divided by ten', () =>
    serving(
      (req, res) => {
        const n = Number(req.url.slice(1));
        const wait = n % 200 === 7 ? 500 : n % 20 === 3 ? 50 : 5;
        setTimeout(() => res.end(), wait);
      },
      async (url) => {
        const run = () => benchrest(`${url}/#{INDEX}`, { limit: 20, iterations: 1000 });
        const { histogram } = (await undisturbed(run)).stats.main;
        // generous upper bounds: other processes may use the cores
        expect(histogram.median).to.be.within(4, 5000);
        expect(histogram.p95).to.be.within(49, 5000);
        expect(histogram.p999).to.be.within(499, 10_000);
      },
    ));

  it('exemplars hold the slowest requests and some failed ones, with their progress and time', () =>
    serving(
      (req, res) => {
        const n = Number(req.url.slice(1));
        if (n % 7 === 3) return void res.writeHead(500).end();
        if (n % 7 === 5) return void req.socket.destroy();
        return void setTimeout(() => res.end(), n === 20 ? 1500 : 1);
      },
      async (url) => {
        const flow = { get: `${url}/#{INDEX}`, name: 'one' };
        const run = () => benchrest(flow, { limit: 2, rate: 200, iterations: 70 });
        const { exemplars, operations } = (await undisturbed(run, 500)).stats;
        expect(operations[0].errors).to.equal(20);
        const [slowest] = exemplars.slowest;
        expect(exemplars.slowest).to.have.lengthOf(10);
        expect(slowest).to.include({ index: 20, path: 'flow.main[0]', operation: 'one', status: 200 });
        expect(slowest.serviceTime).to.be.above(1490);
        expect(slowest.due).to.be.closeTo(100, 1e-6);
        for (const { due: scheduled, started, connected, sent, firstByte, ended, reused } of exemplars.slowest) {
          expect([scheduled, started, sent, firstByte, ended]).to.deep.equal(
            [scheduled, started, sent, firstByte, ended].sort((a, b) => a - b),
          );
          expect(connected === null).to.equal(reused);
        }
        expect(exemplars.failed).to.have.lengthOf(6);
        const kinds = exemplars.failed.map(({ code, status, firstByte }) => `${code} ${status} ${firstByte === null}`);
        expect(new Set(kinds)).to.deep.equal(new Set(['E_STATUS 500 false', 'E_RESET_BEFORE_HEAD null true']));
      },
    ));

  it('connecting and the first byte are measured separately', () =>
    serving(
      (req, res) => {
        res.flushHeaders();
        setTimeout(() => res.end('late'), 250);
      },
      async (url) => {
        const { requests, connections, operations } = (await benchrest(url, { limit: 3, iterations: 12 })).stats;
        expect(connections.connect.count).to.equal(3);
        expect(connections).not.to.have.property('tls');
        expect(requests.ttfb.count).to.equal(12);
        expect(requests.ttfb.min).to.be.below(240);
        expect(operations[0].times.serviceTime.min).to.be.above(240);
      },
    ));

  it('TLS handshakes are measured separately', async () => {
    const { key, cert } = selfSigned();
    const server = https.createServer({ key, cert }, (req, res) => res.end());
    const { stats } = await benchrest({ get: '/', ca: cert }, { target: server, limit: 2, iterations: 10 });
    const { connections } = stats;
    expect(connections.connect.count).to.equal(2);
    expect(connections.tls.count).to.equal(2);
    expect(connections.tls.min).to.be.above(0);
  });

  it('S14 the series has a point for each interval, and the points add up to the result', () =>
    serving(
      (req, res) => setTimeout(() => res.writeHead(req.url === '/7' ? 500 : 200).end(), 20),
      async (url) => {
        const { series, iterations, errors } = (await benchrest(`${url}/#{INDEX}`, { limit: 4, duration: 2300 })).stats;
        expect(series.interval).to.be.oneOf([125, 250, 500, 1000]);
        expect(series.points.length).to.be.at.least(3);
        expect(series.points.map(({ at }) => at)).to.deep.equal(series.points.map((_, i) => i * series.interval));
        const sum = (of) => series.points.reduce((total, point) => total + of(point), 0);
        expect(sum((point) => point.iterations.completed)).to.equal(iterations.completed);
        expect(sum((point) => point.errors)).to.equal(errors.count);
        for (const { iterations: own, responseTime, concurrency, loadGenerator } of series.points) {
          const { completed: count } = own;
          const { median: p50, p99, max } = responseTime;
          // none ended while the machine was suspended
          if (count > 0) {
            expect(p50).to.be.at.most(p99).and.above(15);
            expect(p99).to.be.at.most(max);
          }
          expect(concurrency).to.be.within(0, 4);
          expect(loadGenerator.eventLoopUtilization).to.be.within(0, 1);
        }
      },
    ));

  it('S2 one virtual user hides a stall, and the correction by expectedInterval reveals it', () => {
    let count = 0;
    return serving(
      (req, res) => {
        if (++count % 160 === 80) setTimeout(() => res.end(), 400);
        else res.end();
      },
      async (url) => {
        const options = { limit: 1, ratePerUser: 100, iterations: 160, expectedInterval: 10 };
        const { main } = (await undisturbed(() => benchrest(url, options))).stats;
        expect(main.histogram.p95).to.be.below(100);
        expect(main.histogram.max).to.be.above(390);
        expect(main.corrected.count - main.histogram.count).to.be.within(36, 200);
        expect(main.corrected.p95).to.be.above(150);
      },
    );
  });

  it('a server that answers only some of the connections is reported', async () => {
    const server = await faulty(async ({ readRequest, send, rst }, id) => {
      if (id > 1) return void rst();
      for (;;) {
        await readRequest();
        await send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      }
    });
    const { virtualUsers, validity } = (await benchrest(server.url, { limit: 5, duration: 300 })).stats;
    expect(virtualUsers).to.include({ started: 5, answered: 2 });
    expect(messagesOf(validity.reasons).join()).to.not.include('received a response');
    await server.close();
  });

  it('--require-valid exits with 98, as its earlier names do, and the text gives the reason', async () => {
    const flow = `{ main: [{ get: '/', afterHooks: [${block}] }] }`;
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const file = join(folder, 'result.json');
    const [failing, lenient] = [
      await command(['--serve', '-n', '150', '-c', '100', '--require-valid', '-e', flow]),
      await command(['--serve', '-n', '150', '-c', '100', '-o', file, '-e', flow]),
    ];
    expect([failing.code, lenient.code]).to.deep.equal([98, 0]);
    // a saved result can be judged later
    for (const name of ['report', 'merge']) {
      expect((await command([name, file])).code, name).to.equal(0);
      expect((await command([name, file, '--require-valid'])).code, name).to.equal(98);
      expect((await command([name, file, '--require-valid'])).code, name).to.equal(98);
    }
    rmSync(folder, { recursive: true });
    expect(failing.stdout).to.match(/the load generator was (saturated|busy)/i);
  });
});

import { expect } from 'chai';

import benchrest from '../index.js';
import { startTargetThread } from '../lib/target/thread.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';

const spin = (ms) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** Runs `story(url)` with a target in a thread of its own. */
const aiming = async (options, story) => {
  const target = await startTargetThread(options);
  try {
    return await story(target.url);
  } finally {
    await target.close();
  }
};

describe('truth', function () {
  this.timeout(60_000);

  it('every operation is measured by itself, with its errors and statuses', () =>
    serving((req, res) => res.writeHead(req.url.startsWith('/odd') ? 404 : 200).end(), async (url) => {
      const flow = { before: ['/first'], main: [{ get: '/a_#{INDEX}' }, { get: '/b', name: 'the second' }, { get: '/odd' }, { get: '/never' }] };
      const { operations } = (await benchrest(flow, { baseUrl: url, limit: 2, iterations: 10 })).stats;
      const shown = operations.map(({ name, phase, count, errors, statusCodes, serviceTime }) => ({ name, phase, count, errors, statusCodes, measured: serviceTime.count }));
      expect(shown).to.deep.equal([
        { name: 'GET /first', phase: 'before', count: 1, errors: 0, statusCodes: { 200: 1 }, measured: 1 },
        { name: 'GET /a_#{INDEX}', phase: 'main', count: 10, errors: 0, statusCodes: { 200: 10 }, measured: 10 },
        { name: 'the second', phase: 'main', count: 10, errors: 0, statusCodes: { 200: 10 }, measured: 10 },
        { name: 'GET /odd', phase: 'main', count: 10, errors: 10, statusCodes: { 404: 10 }, measured: 10 },
        { name: 'GET /never', phase: 'main', count: 0, errors: 0, statusCodes: {}, measured: 0 },
      ]);
    }));

  it('an answer that never comes is counted, and no time is made of it', () =>
    serving((req) => req.socket.destroy(), async (url) => {
      const [{ count, errors, serviceTime }] = (await benchrest(url, { limit: 1, iterations: 3 })).stats.operations;
      expect({ count, errors, measured: serviceTime.count }).to.deep.equal({ count: 3, errors: 3, measured: 0 });
    }));

  it('a redirect loop is an operation that ended without an answer', () =>
    serving((req, res) => res.writeHead(302, { location: '/' }).end(), async (url) => {
      const { operations, requests } = (await benchrest(url, { limit: 1, iterations: 2 })).stats;
      expect(operations[0]).to.deep.include({ count: 2, errors: 2, statusCodes: {} });
      expect(requests.statusCodes).to.deep.equal({ 302: 22 });
    }));

  it('a hook that computes makes the client the limit, and it says so', () =>
    aiming({}, async (url) => {
      const { client, verdict } = (await benchrest({ main: [{ get: url, afterHooks: [() => spin(5)] }] }, { limit: 10, iterations: 300 })).stats;
      expect(client.saturated).to.equal(true);
      expect(client.notes[0]).to.match(/the client was the limit: its event loop was busy/);
      expect(verdict.status).to.equal('suspect');
      expect(client.cpu).to.be.above(500);
    }));

  it('a slow server and a free client: it stays silent', () =>
    aiming({ delay: 100 }, async (url) => {
      const { client, verdict } = (await benchrest(url, { limit: 10, iterations: 150 })).stats;
      expect(client).to.deep.include({ saturated: false, notes: [] });
      expect(verdict).to.deep.equal({ status: 'valid', reasons: [] });
    }));

  it('known delays come out as they are: 9,000 x 5 ms, 950 x 50 ms, 50 x 500 ms, in a tenth', () =>
    serving((req, res) => {
      const n = Number(req.url.slice(1));
      const wait = n % 200 === 7 ? 500 : n % 20 === 3 ? 50 : 5;
      setTimeout(() => res.end(), wait);
    }, async (url) => {
      const { histogram } = (await benchrest(`${url}/#{INDEX}`, { limit: 20, iterations: 1000 })).stats.main;
      // generous above: another process may have the core for a while
      expect(histogram.median).to.be.within(4, 45);
      expect(histogram.p95).to.be.within(49, 400);
      expect(histogram.p999).to.be.within(499, 2000);
    }));

  it('--fail-if-saturated is exit code 98, and the text says why', async () => {
    const flow = "({ main: [{ get: '/', afterHooks: [() => { const end = performance.now() + 5; while (performance.now() < end); }] }] })".slice(1, -1);
    const [failing, lenient] = [await command(['--serve', '-n', '300', '--fail-if-saturated', '-e', flow]), await command(['--serve', '-n', '300', '-e', flow])];
    expect([failing.code, lenient.code]).to.deep.equal([98, 0]);
    expect(failing.stdout).to.match(/suspect:\n {2}the client was the limit: /);
  });
});

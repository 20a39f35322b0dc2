import { Writable } from 'node:stream';

import { expect } from 'chai';

import benchrest from '../index.js';
import { REFUSED_URL } from './support/faulty-server.js';
import { serving } from './support/serve.js';
import { suiteHere } from './support/threads-here.js';
import { uncaught } from './support/uncaught.js';

const upTo = (count) => Array.from({ length: count }, (_, i) => i);
/** Answers with as many bytes as the number at the end of the path; /redirect leads to /5. */
const sized = (req, res) => {
  if (req.url === '/redirect') res.writeHead(302, { location: '/5' }).end();
  else res.writeHead(req.url === '/404' ? 404 : 200).end('x'.repeat(Number(req.url.slice(1))));
};
/** The response events of a run against {@link sized}. */
const responsesOf = (flow, options) =>
  serving(sized, async (baseUrl) => {
    const events = [];
    const result = await benchrest(flow, { baseUrl, limit: 2, ...options }).on('response', (one) => events.push(one));
    return { events, result };
  });

describe('the counters of a run', () => {
  suiteHere('workers');

  for (const workers of [undefined, 2])
    it(`say where it is, ${workers ? `with ${workers} workers` : 'in one thread'}`, () =>
      serving(sized, async (baseUrl) => {
        const seen = [];
        const run = benchrest(['/5', '/404'], { baseUrl, limit: 2, iterations: 20, workers });
        run.on('start', () => seen.push(run.counters()));
        run.on('error', () => {});
        await run;
        const { elapsedMs, ...atStart } = seen[0];
        expect([elapsedMs, atStart]).to.deep.equal([null, { share: 0, ended: 0, errors: 0 }]);
        const end = run.counters();
        expect(end).to.include({ share: 1, ended: 20, errors: 20 });
        expect(end.elapsedMs).to.be.above(0);
      }));
});

describe('the events of a run', () => {
  suiteHere('workers');

  for (const workers of [undefined, 2]) {
    const where = workers ? `with ${workers} workers` : 'in one thread';

    it(`response has index, phase, operation, status, serviceTime and bodyBytes of every operation, ${where}`, async () => {
      const flow = { before: ['/1'], main: ['/2', { get: '/redirect' }], after: ['/3'] };
      const { events, result } = await responsesOf(flow, { iterations: 20, workers });
      expect(result.stats.errors.details).to.deep.equal([]);
      const of = (phase) => events.filter((event) => event.phase === phase);
      const facts = ({ index, operation, status, bodyBytes }) => [index, operation, status, bodyBytes];
      expect(of('before').map(facts)).to.deep.equal([[null, 'GET /1', 200, 1]]);
      expect(of('after').map(facts)).to.deep.equal([[null, 'GET /3', 200, 3]]);
      const main = of('main').sort((a, b) => a.index - b.index || a.operation.localeCompare(b.operation));
      expect(main.map(facts)).to.deep.equal(
        upTo(20).flatMap((index) => [
          [index, 'GET /2', 200, 2],
          [index, 'GET /redirect', 200, 5],
        ]),
      );
      for (const { serviceTime } of events) expect(serviceTime).to.be.within(0.001, result.stats.totalElapsed);
      expect(result).to.not.have.property('missedResponses');
    });

    it(`a response that fails its iteration is reported too, and one that never came is only an error, ${where}`, async () => {
      const { events, result } = await responsesOf('/404', { iterations: 3, workers });
      expect(events.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
      expect(result.errorCount).to.equal(3);
      const errors = [];
      const refused = [];
      await benchrest(REFUSED_URL, { limit: 2, iterations: 2, keepGoing: true, workers })
        .on('response', (one) => refused.push(one))
        .on('error', (error) => errors.push(error.code));
      expect([refused, errors]).to.deep.equal([[], ['ECONNREFUSED', 'ECONNREFUSED']]);
    });
  }

  it('the responses of a warm-up are not reported', async () => {
    const { events, result } = await responsesOf('/1', { iterations: 5, warmup: 20 });
    expect(result.stats.warmup.iterations).to.be.above(0);
    expect(events.map(({ index }) => index).sort()).to.deep.equal(upTo(5));
  });

  it('an error of a response listener does not end the run: it is thrown after it', async () => {
    let calls = 0;
    const run = serving(sized, (baseUrl) => {
      const own = benchrest('/1', { baseUrl, limit: 1, iterations: 4 });
      own.on('response', () => {
        calls++;
        throw new Error(`listener ${calls}`);
      });
      return own;
    });
    const thrown = uncaught();
    const { stats } = await run;
    expect(stats.iterations.completed).to.equal(4);
    expect([calls, (await thrown).message]).to.deep.equal([4, 'listener 1']);
  });

  it('start comes once, before the first request, with the load and the operations', () =>
    serving(sized, async (baseUrl, seen) => {
      const log = [];
      const flow = { before: ['/1'], main: ['/2'] };
      await benchrest(flow, { baseUrl, limit: 2, iterations: 3 })
        .on('start', (start) => log.push([start, seen.length]))
        .on('end', () => log.push('end'));
      const operations = { before: ['GET /1'], beforeMain: [], main: ['GET /2'], afterMain: [], after: [] };
      expect(log[0][0].startedAt).to.match(/^\d{4}-.*Z$/);
      delete log[0][0].startedAt;
      expect(log).to.deep.equal([
        [{ load: '3 iterations, 2 virtual users', origins: [baseUrl.replace(/\/$/, '')], operations }, 0],
        'end',
      ]);
    }));

  it('a run that cannot start does not emit start', async () => {
    const log = [];
    const run = benchrest(new URL('./missing.mjs', import.meta.url), { limit: 1, iterations: 1 });
    run.on('start', () => log.push('start'));
    await run.catch(({ code }) => log.push(code));
    expect(log).to.deep.equal(['E_FILE_NOT_FOUND']);
  });
});

describe('a run that fails before it starts', () => {
  const options = { limit: 1, iterations: 1 };
  const url = `${REFUSED_URL}#{u.id}`;
  const FAILURES = {
    'a malformed flow with data': [{ data: { u: [{ id: 1 }] }, main: [{ gett: url }] }, options, 'E_FLOW'],
    'data in a file that is missing': [{ data: { u: 'none.csv' }, main: [url] }, options, 'E_FLOW'],
    'a flow file that is missing': [new URL('./missing.mjs', import.meta.url), options, 'E_FILE_NOT_FOUND'],
    'options that a flow file lacks': [new URL('../examples/put-get.js', import.meta.url), {}, 'E_NO_LIMIT'],
    'a malformed flow for a server of this process': [[{ gett: '/' }], { ...options, target: () => {} }, 'E_FLOW'],
    'a command that ends at once': [
      ['/'],
      { ...options, start: [process.execPath, '-e', 'process.exit(3)'] },
      'E_START_ENDED',
    ],
    'a log in a folder that is missing': [[REFUSED_URL], { ...options, log: '/missing/log.csv' }, 'E_LOG'],
  };
  for (const [what, [flow, given, code]] of Object.entries(FAILURES))
    // A command that is stopped before it fails is no failure.
    for (const isStopped of given.start ? [false] : [false, true])
      it(`emits error, then end, and rejects: ${what}${isStopped ? ', although it was stopped' : ''}`, async () => {
        const log = [];
        let run;
        try {
          run = benchrest(flow, given);
        } catch (error) {
          expect.fail(`threw ${error.code}`);
        }
        run.on('error', (error, phase) => log.push(['error', error.code, phase]));
        run.on('end', ({ main, iterations, errors }, count) =>
          log.push(['end', main.meter.count, iterations.started, errors.count, count]),
        );
        if (isStopped) run.stop();
        await run.catch((error) => log.push(['await', error.code]));
        expect(log).to.deep.equal([
          ['error', code, 'internal'],
          ['end', 0, 0, 1, 1],
          ['await', code],
        ]);
      });

  it('emits end, too, if nothing listens to error, and then ends the program', async () => {
    const [flow] = FAILURES['data in a file that is missing'];
    const thrown = uncaught();
    const count = await new Promise((resolve) => benchrest(flow, options).on('end', (_, errors) => resolve(errors)));
    expect([count, (await thrown).code]).to.deep.equal([1, 'E_FLOW']);
  });

  it('prints no report', async () => {
    const [flow] = FAILURES['data in a file that is missing'];
    const written = [];
    const out = new Writable({ write: (chunk, _, done) => done(null, void written.push(String(chunk))) });
    await benchrest(flow, options)
      .show({ stdout: out, stderr: out })
      .catch(() => {});
    expect(written).to.deep.equal([]);
  });
});

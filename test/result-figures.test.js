import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { ok, serving } from './support/serve.js';
import { suiteHere } from './support/threads-here.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('figures of a result', () => {
  suiteHere('workers');

  for (const workers of [undefined, 2]) {
    it(`title, start, end, percentiles and the bytes of each interval, ${workers ?? 'no'} workers`, () =>
      serving(
        (req, res) => void setTimeout(() => res.end('x'.repeat(1000)), 5),
        async (url) => {
          const { stats } = await benchrest(url, {
            limit: 2,
            iterations: 40,
            title: 'checkout',
            percentiles: [99.5, '10', 'p50', 10],
            seriesInterval: 10,
            workers,
          });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.title).to.equal('checkout');
          expect(stats.startedAt).to.match(INSTANT);
          expect(stats.endedAt).to.match(INSTANT);
          expect(Date.parse(stats.endedAt)).to.be.at.least(Date.parse(stats.startedAt));
          expect(stats.percentiles.map(({ percentile }) => percentile)).to.deep.equal([10, 50, 99.5]);
          expect(stats.percentiles[1].responseTime).to.equal(stats.main.histogram.median);
          const { interval, points, spread } = stats.series;
          expect(interval).to.equal(10);
          expect(points.length).to.be.above(2);
          expect(spread['bytes.receivedRate'].max).to.be.above(0);
          const received = points.reduce((sum, { bytes }) => sum + bytes.received, 0);
          expect(received).to.equal(stats.bytes.received);
        },
      ));
  }

  describe('the service time of an operation leaves out what the client does before it:', () => {
    /** when the client was busy last */
    let busyUntil = 0;
    const busy = () => {
      const end = performance.now() + 3;
      while (busyUntil < end) busyUntil = performance.now();
      return 0;
    };
    const last = { get: '/last' };
    const hooked = { get: '/', afterHooks: [() => {}] };
    const iterCtx = {
      get value() {
        return busy();
      },
    };
    const rows = {
      'the copy of iterCtx': { iterCtx, main: [last, hooked] },
      'a function for a value of its request': { main: [{ ...last, headers: { 'X-A': busy } }] },
      'a function for its condition': { main: [{ ...last, when: () => busy() === 0 }] },
      'a function for the pause before it': { main: [{ get: '/', pause: busy }, last] },
      'a check of the response before it': { main: [{ get: '/', expect: { json: { '$.a': 1 } } }, last], parses: true },
      'a capture of the response before it': { main: [{ get: '/', capture: { a: '$.a' } }, last], parses: true },
      'a listener of the response before it': { main: ['/', last], listens: true },
    };
    for (const [what, { parses = false, listens = false, ...flow }] of Object.entries(rows)) {
      it(what, () =>
        serving(
          (req, res) => void res.end('{"a":1}'),
          async (url) => {
            const { parse } = JSON;
            const times = [];
            const run = benchrest({ baseUrl: url, ...flow }, { limit: 1, iterations: 3 });
            run.on('response', ({ operation, serviceTime }) => {
              if (operation === 'GET /last') times.push([serviceTime, performance.now() - busyUntil]);
              else if (listens) busy();
            });
            if (parses) JSON.parse = (text) => busy() || parse(text);
            try {
              const { errorCount } = await run;
              expect(errorCount).to.equal(0);
            } finally {
              JSON.parse = parse;
            }
            expect(times.length).to.equal(3);
            for (const [ms, most] of times) expect(ms).to.be.at.most(most);
          },
        ),
      );
    }
  });

  describe('S42 the times of an operation are those of responses that were no errors, if some were:', () => {
    const fails = () => {
      throw new Error('no');
    };
    const flows = {
      'a status': { answer: (isBad) => (isBad ? 500 : 200), get: {} },
      'a check': { answer: (isBad) => (isBad ? 202 : 200), get: { expect: { status: 200 } } },
      'a request of a function': {
        answer: (isBad) => (isBad ? 500 : 200),
        get: null,
      },
      'a body that cannot be decoded': {
        answer: () => 200,
        get: { expect: { text: '{}' } },
        headers: { 'content-encoding': 'gzip' },
      },
      'a hook': {
        answer: () => 200,
        get: { afterHooks: [(all) => (all.env.index % 2 === 1 ? fails() : all)] },
      },
    };
    for (const [what, { answer, get, headers = {} }] of Object.entries(flows)) {
      it(what, () =>
        serving(
          (req, res) => {
            const isBad = Number(req.url.slice(1)) % 2 === 1;
            const end = () => res.writeHead(answer(isBad), isBad ? headers : {}).end('{}');
            if (isBad) end();
            else setTimeout(end, 20);
          },
          async (url) => {
            const look = { get: `${url}/#{INDEX}`, name: 'look', ...get };
            const main = [get === null ? ({ request, index }) => request({ ...look, get: `${url}/${index}` }) : look];
            const { stats } = await benchrest({ main }, { limit: 1, iterations: 20, thresholds: ['look p50>10ms'] });
            const [{ count, errors, times }] = stats.operations;
            const { serviceTime, withoutErrors: fine, least } = times;
            expect({ count, errors }).to.deep.equal({ count: 20, errors: 10 });
            expect([serviceTime.count, fine.count, least.count]).to.deep.equal([20, 10, 10]);
            expect(fine.min).to.be.above(10);
            expect(stats.thresholds[0].actual).to.be.above(10);
          },
        ),
      );
    }

    it('a status, in workers', () =>
      serving(
        (req, res) => res.writeHead(Number(req.url.slice(1)) % 2 === 1 ? 500 : 200).end(),
        async (url) => {
          const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 2, iterations: 20, workers: 2 });
          const { serviceTime, withoutErrors: fine } = stats.operations[0].times;
          expect([serviceTime.count, fine.count]).to.deep.equal([20, 10]);
        },
      ));
  });

  it('a snapshot has no end yet, and start emits title and time', () =>
    serving(ok, async (url) => {
      const seen = [];
      const run = benchrest(url, { limit: 1, iterations: 1, title: 'a' });
      run.on('start', ({ title, startedAt }) => {
        seen.push(title, startedAt, run.snapshot());
      });
      const { stats } = await run;
      const [title, startedAt, snapshot] = seen;
      expect([title, startedAt]).to.deep.equal(['a', stats.startedAt]);
      expect(snapshot.endedAt).to.equal(undefined);
    }));

  it('the command takes them as flags, and prints them', () =>
    serving(ok, async (url) => {
      const args = ['-n', '200', '--title', 'my \u001b[2J run', '--percentile', '99.5', '--percentile', '1', '--full'];
      const { stdout, code } = await command([...args, '--series-interval', '10ms', url]);
      expect(code).to.equal(0);
      expect(stdout)
        .to.match(/^my .* run\n/)
        .and.not.include('\u001b');
      expect(stdout).to.match(/started \d{4}-\d\d-\d\d/);
      expect(stdout).to.match(/^ +2\.5 % /m);
      expect(stdout).to.match(/percentiles, (?:µs|ms|s) {2}~?p1 ~?[\d,.]+, p99.5 ~?[\d,.]+\n/);
    }));

  for (const [option, given, reason] of [
    ['percentiles', [0], 'expected percentiles above 0'],
    ['percentiles', ['x'], 'expected percentiles above 0'],
    ['percentiles', 99.5, 'expected percentiles above 0'],
    ['seriesInterval', 1, 'expected whole milliseconds from 10'],
    ['title', 7, 'expected a string'],
  ])
    it(`${option}: ${JSON.stringify(given)} is refused`, () => {
      const run = () => benchrest('http://127.0.0.1/', { limit: 1, iterations: 1, [option]: given });
      expect(run).to.throw(`runOptions.${option}: ${reason}`);
    });
});

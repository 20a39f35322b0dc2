import { expect } from 'chai';

import benchrest from '../index.js';
import { deepFreeze, ok, serving } from './support/serve.js';

const failing = (req, res) => {
  res.statusCode = req.url.includes('bad') ? 500 : 200;
  res.end();
};
const paths = (seen) => seen.map(({ url }) => url);

describe('phases', () => {
  for (const phase of ['beforeMain', 'main']) {
    it(`afterMain and after run when ${phase} failed`, () =>
      serving(failing, async (url, seen) => {
        const { stats, errorCount } = await benchrest(
          { main: ['/m'], [phase]: ['/bad', '/not'], afterMain: ['/tidy'], after: ['/end'] },
          { limit: 1, iterations: 2, baseUrl: url },
        );
        expect(paths(seen)).to.deep.equal(['/bad', '/tidy', '/bad', '/tidy', '/end']);
        expect(errorCount).to.equal(2);
        expect(stats.iterations).to.include({ started: 2, completed: 0, failed: 2, cancelled: 0, teardownFailed: 0 });
        expect(stats.errors.details[0]).to.include({ phase, kind: 'status', count: 2, firstIndex: 0 });
      }));
  }

  it('C19 an afterMain that fails is counted in teardownFailed', () =>
    serving(failing, async (url) => {
      const { stats } = await benchrest(
        { main: ['/m'], afterMain: ['/bad'] },
        { limit: 1, iterations: 3, baseUrl: url },
      );
      expect(stats.iterations).to.include({ completed: 3, teardownFailed: 3 });
    }));

  it('C19 a failing before ends the run before any iteration, after still runs, the stats have the same shape', () =>
    serving(failing, async (url, seen) => {
      const flow = (path) => ({ before: [path], main: ['/m'], after: ['/end'] });
      const options = { limit: 2, iterations: 5, baseUrl: url };
      const good = await benchrest(flow('/fine'), options);
      seen.length = 0;
      const { stats, errorCount } = await benchrest(flow('/bad'), options);
      expect(paths(seen)).to.deep.equal(['/bad', '/end']);
      expect(errorCount).to.equal(1);
      expect(stats.iterations.started).to.equal(0);
      // there are judged figures, least times and remarks as soon as there is one time
      const timed = ({ least: _least, figures: _figures, remarks: _remarks, ...rest }) => rest;
      // an operation that had errors has the times without them
      const ofOperation = ({ times: { serviceTime }, oldest: _oldest, ...rest }) => ({ ...rest, serviceTime });
      const fixed = ({ exemplars: _lists, operations, main, validity, ...rest }) =>
        shape({ ...rest, main: timed(main), operations: operations.map(ofOperation), validity: timed(validity) });
      expect(fixed(stats)).to.deep.equal(fixed(good.stats));
    }));

  it('a run that a failing before ends has measured no time, and has no rates', () =>
    serving(failing, async (url) => {
      const flow = { before: [{ get: '/bad', repeat: 3 }], main: ['/m'] };
      for (const load of [
        { limit: 2, iterations: 5 },
        { limit: 2, rate: 5, duration: 1000 },
      ]) {
        const { stats } = await benchrest(flow, { ...load, baseUrl: url });
        expect(stats.measuredElapsed).to.equal(0);
        expect(stats.requests).to.include({ answered: 0, rate: 0 });
        expect(stats.outside).to.deep.equal({ sent: 1, answered: 1, unanswered: 0, cancelled: 0 });
        expect(stats.bytes.receivedRate).to.equal(0);
        expect(stats.operations.map(({ rate }) => rate)).to.deep.equal([undefined, 0]);
      }
    }));

  it("the caller's flow and options are not changed", () =>
    serving(ok, async (url) => {
      const flow = deepFreeze({
        baseUrl: url,
        headers: { 'x-a': '#{INDEX}' },
        beforeHooks: [() => {}],
        beforeMain: ['/b'],
        main: [
          {
            post: '/#{INDEX}',
            json: { a: ['#{INDEX}', { b: 1 }] },
            qs: { q: '#{INDEX}' },
            beforeHooks: [
              'useEtag',
              (all) => {
                all.requestOptions.headers['x-b'] = '1';
                all.requestOptions.json.a[1].b = 2;
              },
            ],
          },
          { put: '/x', body: 'text' },
        ],
        runOptions: { limit: 1, iterations: 2 },
      });
      const { stats, errorCount } = await benchrest(flow, deepFreeze({ iterations: 3, headers: { 'x-c': '1' } }));
      expect(errorCount).to.equal(0);
      expect(stats.iterations.completed).to.equal(3);
    }));

  it('flow headers with #{INDEX} are omitted from before and after', () =>
    serving(ok, async (url, seen) => {
      const { errorCount } = await benchrest(
        { headers: { 'x-a': '#{INDEX}' }, before: [url], main: [url] },
        { limit: 1, iterations: 1 },
      );
      expect(errorCount).to.equal(0);
      expect(seen.map(({ headers }) => headers['x-a'])).to.deep.equal([undefined, '0']);
    }));
});

function shape(value) {
  if (typeof value !== 'object' || value === null) return 'value';
  // nothing was recorded: there are no counts
  const { hdr: _counts, ...rest } = value;
  return Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [
      key,
      ['statusCodes', 'kinds', 'details', 'notes', 'reasons', 'series'].includes(key) ? 'any' : shape(item),
    ]),
  );
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1 };
const paths = (seen) => seen.map(({ url }) => url);
const counts = ({ operations }) => Object.fromEntries(operations.map(({ name, count }) => [name, count]));

describe('oneOf', () => {
  it('each iteration performs one of the operations, in turn; each is measured by itself', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        oneOf: [`${url}/a`, { put: `${url}/b`, json: { n: '#{INDEX}' } }, { get: `${url}/c`, name: 'see' }],
      };
      const { stats, errorCount } = await benchrest(flow, { ...ONE, iterations: 7 });
      expect(errorCount).to.equal(0);
      expect(paths(seen)).to.deep.equal(['/a', '/b', '/c', '/a', '/b', '/c', '/a']);
      expect(seen[4].body).to.equal('{"n":"4"}');
      expect(counts(stats)).to.deep.equal({ 'GET /a': 3, 'PUT /b': 2, see: 2 });
      expect(stats.iterations.completed).to.equal(7);
    }));

  it('stands among other operations and in every phase; before and after perform the first', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        baseUrl: url,
        before: [{ oneOf: ['/before0', '/before1'] }],
        beforeMain: [{ oneOf: ['/begin0', '/begin1'] }],
        main: ['/first', { oneOf: ['/x0', '/x1', '/x2'] }, { oneOf: ['/y0', '/y1'] }, '/last'],
        afterMain: [{ oneOf: ['/end0', '/end1'] }],
        after: [{ oneOf: ['/after0', '/after1'] }],
      };
      await benchrest(flow, { ...ONE, iterations: 2 });
      expect(paths(seen)).to.deep.equal([
        '/before0',
        ...['/begin0', '/first', '/x0', '/y0', '/last', '/end0'],
        ...['/begin1', '/first', '/x1', '/y1', '/last', '/end1'],
        '/after0',
      ]);
    }));

  itSlow(
    'by weight the same iterations perform the same operations, with any seed given, with workers and without',
    () =>
      serving(ok, async (url, seen) => {
        const flow = {
          oneOf: [
            { get: `${url}/a?#{INDEX}`, weight: 3 },
            { get: `${url}/b?#{INDEX}`, weight: 1 },
          ],
        };
        const chosen = async (options) => {
          seen.length = 0;
          const { stats } = await benchrest(flow, { limit: 4, iterations: 200, ...options });
          return { lines: paths(seen).sort(), stats };
        };
        const { lines, stats } = await chosen({});
        const { 'GET /a?#{INDEX}': a, 'GET /b?#{INDEX}': b } = counts(stats);
        expect(a + b).to.equal(200);
        expect(b).to.be.within(25, 75);
        expect((await here('workers', () => chosen({ workers: 2 }))).lines).to.deep.equal(lines);
        expect((await chosen({ seed: 2 })).lines).to.not.deep.equal(lines);
      }),
  );

  it('hooks, cookies and preallocated requests belong to the operation that is performed', () =>
    serving(
      (req, res) => res.setHeader('set-cookie', `at=${req.url.slice(1)}`).end('ok'),
      async (url, seen) => {
        const called = [];
        const hooked = (name) => ({
          get: `${url}/${name}`,
          beforeHooks: [(all) => void (all.requestOptions.headers['x-op'] = name)],
          afterHooks: [(all) => void called.push([all.env.index, all.opIndex, name])],
        });
        const flow = [{ oneOf: [hooked('a'), hooked('b'), `${url}/c#{INDEX}`] }, `${url}/z`];
        await benchrest(flow, { ...ONE, iterations: 3, prealloc: 3 });
        expect(paths(seen)).to.deep.equal(['/a', '/z', '/b', '/z', '/c2', '/z']);
        expect(seen.map(({ headers }) => headers['x-op'] ?? headers.cookie)).to.deep.equal([
          ...['a', 'at=a', 'b', 'at=b'],
          ...[undefined, 'at=c2'],
        ]);
        expect(called).to.deep.equal([
          [0, 0, 'a'],
          [1, 0, 'b'],
        ]);
      },
    ));

  it('the failure of one of them names it, and its iteration fails', () =>
    serving(
      (req, res) => res.writeHead(req.url === '/b' ? 500 : 200).end(),
      async (url) => {
        const { stats } = await benchrest({ oneOf: [`${url}/a`, `${url}/b`] }, { ...ONE, iterations: 4 });
        expect(stats.iterations).to.include({ completed: 2, failed: 2 });
        expect(stats.errors.details[0]).to.include({ path: 'flow.main[0].oneOf[1]', operation: 'GET /b' });
        expect(stats.operations.map(({ errors }) => errors)).to.deep.equal([0, 2]);
      },
    ));

  it('a threshold may name one of them', () =>
    serving(ok, async (url) => {
      const thresholds = { 'GET /a p99': '<9s' };
      const { stats } = await benchrest({ oneOf: [`${url}/a`, `${url}/b`] }, { ...ONE, iterations: 2, thresholds });
      expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true]);
    }));

  it('counts as one request of an iteration for limits of requests, and may be pipelined', () =>
    serving(ok, async (url, seen) => {
      const flow = { oneOf: [`${url}/a`, `${url}/b`] };
      await benchrest(flow, { ...ONE, maxRequests: 3 });
      expect(seen).to.have.lengthOf(3);
      const { stats } = await benchrest(flow, { ...ONE, iterations: 4, pipelining: 2, httpClient: 'builtin' });
      expect(counts(stats)).to.deep.equal({ 'GET /a': 2, 'GET /b': 2 });
    }));

  it('works in a YAML file, with workers too', () =>
    serving(ok, async (url, seen) => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        const file = join(folder, 'flow.yaml');
        writeFileSync(file, 'main:\n  - oneOf:\n      - /a\n      - get: /b\n        weight: 1\n');
        const { stats } = await here('workers', () =>
          benchrest(file, { baseUrl: url, limit: 2, iterations: 40, workers: 2 }),
        );
        const { 'GET /a': a, 'GET /b': b } = counts(stats);
        expect(a + b).to.equal(40);
        expect(paths(seen).filter((path) => path === '/b')).to.have.lengthOf(b);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));
});

import { expect } from 'chai';

import { mergeStats } from '../lib/addons/merge/measure/merge.js';
import { benchrest } from '../lib/core/run/benchrest.js';
import { readRunOptions } from './support/run-options.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { chatting, echo } from './support/web-socket-server.js';

const FIELD = /^00-([\da-f]{32})-([\da-f]{16})-(0[01])$/;
const LINK = 'https://traces.example.com/trace/{traceId}';
const answer = (req, res) => res.end('ok');
const run = async (flow, options) => {
  const { stats } = await benchrest(flow, { limit: 2, iterations: 20, quiet: true, traceContext: true, ...options });
  return stats;
};
const partsOf = (seen) => seen.map(({ headers }) => FIELD.exec(headers.traceparent)?.slice(1) ?? []);
const problemsOf = (options) => {
  try {
    readRunOptions([{ name: 'test', options: { limit: 1, iterations: 1, ...options } }], {});
    return [];
  } catch ({ problems }) {
    return problems.map(({ path, reason }) => `${path}: ${reason}`);
  }
};

describe('trace context', () => {
  it('each operation is a trace of its own, and each request has an id of its own', () =>
    serving(answer, async (url, seen) => {
      await run({ baseUrl: url, main: [{ get: '/a' }, { get: '/b' }] });
      const parts = partsOf(seen);
      expect(parts).to.have.lengthOf(40);
      for (const part of parts) expect(part).to.have.lengthOf(3);
      for (const at of [0, 1]) expect(new Set(parts.map((part) => part[at])).size).to.equal(40);
      expect(new Set(parts.map(([, , flags]) => flags))).to.deep.equal(new Set(['01']));
    }));

  it('requests have no such field without the option', () =>
    serving(answer, async (url, seen) => {
      const { exemplars } = await run({ get: url }, { traceContext: undefined });
      expect(seen.some(({ headers }) => 'traceparent' in headers)).to.equal(false);
      expect(exemplars.slowest.some(({ trace }) => trace)).to.equal(false);
    }));

  it('the slowest requests name their traces, with a link to those that are recorded', () =>
    serving(answer, async (url, seen) => {
      const { exemplars } = await run({ get: url }, { traceLink: LINK });
      const ids = partsOf(seen).map(([id]) => id);
      expect(exemplars.slowest).to.have.lengthOf(10);
      for (const { trace } of exemplars.slowest) {
        expect(ids).to.include(trace.id);
        expect(trace).to.deep.equal({ id: trace.id, sampled: true, link: LINK.replace('{traceId}', trace.id) });
      }
    }));

  it('a failed request names its trace, and one that a hook prevented has none', () =>
    serving(
      (req, res) => {
        res.statusCode = 500;
        res.end();
      },
      async (url, seen) => {
        const refuse = () => {
          throw new Error('no');
        };
        const { exemplars } = await run({
          baseUrl: url,
          main: [{ get: '/a' }],
          afterMain: [{ get: '/b', beforeHooks: [refuse] }],
        });
        const [request, hook] = [500, null].map((status) => exemplars.failed.find((one) => one.status === status));
        expect(partsOf(seen).map(([id]) => id)).to.include(request.trace.id);
        expect(hook.trace).to.equal(undefined);
      },
    ));

  it('a share of the traces is recorded: the others say that they are not, and have no link', () =>
    serving(answer, async (url, seen) => {
      const { exemplars } = await run({ get: url }, { traceContext: '0%', traceLink: LINK });
      expect(new Set(partsOf(seen).map(([, , flags]) => flags))).to.deep.equal(new Set(['00']));
      const [{ trace }] = exemplars.slowest;
      expect(trace).to.deep.equal({ id: trace.id, sampled: false });
      seen.length = 0;
      await run({ get: url }, { iterations: 400, traceContext: 0.5 });
      const sampled = partsOf(seen).filter(([, , flags]) => flags === '01').length;
      // The chance of fewer or more is below 1e-12.
      expect(sampled).to.be.within(120, 280);
    }));

  it('redirects belong to the trace of their operation', () =>
    serving(
      (req, res) => {
        if (req.url === '/from') res.writeHead(302, { location: '/to' });
        res.end();
      },
      async (url, seen) => {
        await run({ baseUrl: url, main: [{ get: '/from', maxRedirects: 1 }] }, { iterations: 1, limit: 1 });
        const [from, to] = partsOf(seen);
        expect(to[0]).to.equal(from[0]);
        expect(to[1]).not.to.equal(from[1]);
      },
    ));

  it('a field that the flow sets is sent as it is, and names the trace', () =>
    serving(answer, async (url, seen) => {
      const own = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
      const { exemplars } = await run({ get: url, headers: { TraceParent: own } }, { iterations: 2 });
      expect(seen.map(({ headers }) => headers.traceparent)).to.deep.equal([own, own]);
      expect(exemplars.slowest[0].trace).to.deep.equal({ id: 'a'.repeat(32), sampled: true });
      seen.length = 0;
      const malformed = await run({ get: url, headers: { traceparent: 'x' } }, { iterations: 1, limit: 1 });
      expect(seen[0].headers.traceparent).to.equal('x');
      expect(malformed.exemplars.slowest[0].trace).to.equal(undefined);
    }));

  for (const options of [{}, { httpClient: 'undici' }, { httpClient: 'builtin', pipelining: 2 }])
    it(`requests keep their other fields and their bodies, with the options ${JSON.stringify(options)}`, () =>
      serving(answer, async (url, seen) => {
        const main = [
          { get: '/a' },
          { post: '/b', body: 'é', headers: { 'x-own': '1' } },
          { put: '/c', json: { i: '#{INDEX}' } },
        ];
        await run({ baseUrl: url, main }, { iterations: 6, ...options });
        expect(new Set(partsOf(seen).map(([id]) => id)).size).to.equal(18);
        const bodies = (name) =>
          seen.flatMap(({ method, body, headers }) => (method === name ? [[body, headers['x-own']]] : []));
        expect(bodies('GET')).to.deep.equal(Array(6).fill(['', undefined]));
        expect(bodies('POST')).to.deep.equal(Array(6).fill(['é', '1']));
        expect(bodies('PUT').sort()).to.deep.equal([0, 1, 2, 3, 4, 5].map((i) => [`{"i":"${i}"}`, undefined]));
      }));

  it('the upgrade of a WebSocket has the field', () =>
    chatting(echo, async (url, { handshakes }) => {
      const { errors } = await run({ ws: url, send: 'a', receive: 'a' }, { limit: 1 });
      expect(errors.count).to.equal(0);
      expect(partsOf(handshakes)[0]).to.have.lengthOf(3);
    }));

  it('merged results keep links to traces, and exports of metrics', () =>
    serving(answer, async (url) => {
      const results = [await run({ get: url }, { traceLink: LINK }), await run({ get: url }, { traceLink: LINK })];
      const exports = [{ exporter: 'otlp', to: 'http://a', exports: 1, failed: 0 }];
      const merged = mergeStats([results[0], { ...results[1], exports }]);
      expect(merged.exemplars.slowest[0].trace.link).to.match(/^https:\/\/traces\.example\.com\/trace\/\w{32}$/);
      expect(merged.exports).to.deep.equal(exports);
    }));

  itSlow('ids of worker threads differ', () =>
    serving(answer, async (url, seen) => {
      await run({ get: url }, { workers: 2 });
      expect(new Set(partsOf(seen).map(([id]) => id)).size).to.equal(20);
    }),
  );

  it('shares are read as percentages, numbers and booleans', () => {
    const options = [true, 'true', '10%', '0.25', 0.5, 1, false].map(
      (traceContext) =>
        readRunOptions([{ name: 'test', options: { limit: 1, iterations: 1, traceContext } }], {}).traceContext,
    );
    expect(options).to.deep.equal([1, 1, 0.1, 0.25, 0.5, 1, false]);
    for (const traceContext of [2, -1, '10', '200%', 'x', {}]) expect(problemsOf({ traceContext })).to.have.lengthOf(1);
  });

  it('a link leads to http or https, has a place for the id, and no credentials', () => {
    for (const traceLink of [
      'javascript:alert({traceId})',
      'https://a/',
      'http://u:p@a/{traceId}',
      '/{traceId}',
      'https://a b/{traceId}',
      'https://{traceId}/',
      'https://a/{traceId}"><script>',
    ])
      expect(problemsOf({ traceLink })[0]).to.match(/^runOptions.traceLink: expected an http or https URL/);
    expect(problemsOf({ traceLink: 'http://localhost:16686/trace/{traceId}' })).to.deep.equal([]);
  });

  it('the report of the command has the links', () =>
    serving(answer, async (url, seen) => {
      const { stdout, code } = await command(['-n', '3', '--trace-link', LINK, '--trace-context', url]);
      expect(code).to.equal(0);
      const [, id] =
        /traces of the slowest requests\n.* ms {2}GET \/ {2}https:\/\/traces\.example\.com\/trace\/(\w+)\n/.exec(
          stdout,
        );
      expect(partsOf(seen).map(([own]) => own)).to.include(id);
    }));
});

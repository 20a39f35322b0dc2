import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { here } from './support/threads-here.js';
import { NAMES, runsWorkers } from './support/transports.js';

/** Answers `/right` with `hello`, `/wrong` with something else, `/INDEX` with the index. */
function answer(req, res) {
  if (req.url === '/gzip') return res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
  if (req.url === '/moved') return res.writeHead(302, { location: '/right' }).end('moved');
  if (req.url === '/created') return res.writeHead(201, { location: '/items/5', etag: 'x' }).end('created');
  if (req.url === '/json') return res.end('{"id":5,"owner":{"name":"Joe"},"tags":["a","b"]}');
  if (req.url === '/failed') return res.writeHead(500).end('oops');
  if (/^\/\d+$/.test(req.url)) return res.end(`item ${req.url.slice(1)}`);
  return res.end(req.url === '/right' ? 'hello' : 'something else');
}
const hello = { body: 'hello' };

for (const httpClient of NAMES) {
  describe(`expect: ${httpClient}`, () => {
    const run = (flow, options) => benchrest(flow, { limit: 2, iterations: 4, httpClient, ...options });

    for (const [path, about] of [
      ['/right', 'the same body'],
      ['/gzip', 'a compressed body'],
      ['/moved', 'the body after a redirect'],
    ])
      it(`${about} passes`, () =>
        serving(answer, async (baseUrl) => {
          const { stats } = await run({ baseUrl, main: [{ get: path, expect: hello }] });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.iterations.completed).to.equal(4);
        }));

    it('another body is an error of the kind expect: counted, with a sample, and the exchange is measured', () =>
      serving(answer, async (baseUrl) => {
        const { stats, errorCount } = await run({ baseUrl, main: [{ get: '/wrong', expect: hello }, '/right'] });
        expect(errorCount).to.equal(4);
        expect(stats.errors.kinds).to.deep.equal({ expect: 4 });
        expect(stats.errors.details[0]).to.include({
          code: 'E_EXPECT',
          kind: 'expect',
          message: 'flow.main[0].expect.body: expected "hello", received "something else" with status 200',
          count: 4,
        });
        expect(stats.requests).to.include({ sent: 4, answered: 4 });
        expect(stats.operations[0]).to.include({ errors: 4 });
        expect(stats.operations[0].count).to.equal(4);
        expect(stats.exemplars.failed[0]).to.include({ status: 200, code: 'E_EXPECT' });
      }));

    it('a failed status with another body is a mismatch; with this body, an error of its status', () =>
      serving(answer, async (baseUrl) => {
        const main = (body) => ({ baseUrl, main: [{ get: '/failed', expect: { body } }] });
        expect((await run(main('hello'))).stats.errors.kinds).to.deep.equal({ expect: 4 });
        expect((await run(main('oops'))).stats.errors.kinds).to.deep.equal({ status: 4 });
      }));

    it('a status decides which statuses are errors', () =>
      serving(answer, async (baseUrl) => {
        const main = (path, status) => ({ baseUrl, main: [{ get: path, expect: { status } }, '/right'] });
        for (const [path, status] of [
          ['/failed', 500],
          ['/failed', [200, '5xx']],
          ['/created', '2xx'],
        ]) {
          const { stats } = await run(main(path, status));
          expect(stats.errors.details, path).to.deep.equal([]);
          expect(stats.iterations.completed).to.equal(4);
        }
        const { stats } = await run(main('/right', 500));
        expect(stats.errors.details[0]).to.include({
          kind: 'expect',
          message: 'flow.main[0].expect.status: expected status 500, received 200',
        });
        expect((await run(main('/failed', 200))).stats.errors.kinds).to.deep.equal({ expect: 4 });
      }));

    it('an after-hook can make an error of an expected status, and end the iteration with one', () =>
      serving(answer, async (baseUrl) => {
        const failed = (hook) => ({ get: '/failed', expect: { status: 500 }, afterHooks: [hook] });
        const changed = failed((all) => void (all.response.statusCode = 503));
        expect((await run({ baseUrl, main: [changed] })).stats.errors.kinds).to.deep.equal({ status: 4 });
        const ended = failed((all) => all.end());
        const { stats } = await run({ baseUrl, main: [ended, '/wrong'] });
        expect(stats.iterations).to.include({ completed: 4, endedEarly: 4 });
        expect(stats.operations[1].count).to.equal(0);
      }));

    it('all checks of a response are counted, also after one has failed', () =>
      serving(answer, async (baseUrl) => {
        const checks = { status: 201, headers: { location: '/items/*', etag: 'y' }, text: /^x/, within: '1m' };
        const { stats } = await run({ baseUrl, main: [{ name: 'create', get: '/created', expect: checks }] });
        expect(stats.errors.kinds).to.deep.equal({ expect: 4 });
        expect(stats.errors.details[0].message).to.equal(
          'flow.main[0].expect.headers["etag"]: expected "y", received "x" with status 201; 1 more check of this response failed',
        );
        const { details: each, ...all } = stats.checks;
        expect(all).to.deep.equal({ passed: 12, failed: 8, share: 0.6 });
        expect(each.map(({ name, passed, failed }) => [name, passed, failed])).to.deep.equal([
          ['status 201', 4, 0],
          ['header location', 4, 0],
          ['header etag', 0, 4],
          ['text', 0, 4],
          ['within 1 m', 4, 0],
        ]);
        expect(each[3]).to.deep.include({
          operation: 'create',
          phase: 'main',
          path: 'flow.main[0].expect.text',
          share: 0,
          firstFailure: { index: 0, message: 'expected a text that matches /^x/, received "created"' },
        });
      }));

    it('values of JSON are checked by path, and the whole by a schema', () =>
      serving(answer, async (baseUrl) => {
        const schema = { type: 'object', required: ['id'], properties: { tags: { items: { type: 'string' } } } };
        const right = { json: { '$.id': { gte: 5 }, '$.owner.name': /^J/, '$.tags[*]': { in: ['a', 'b'] } }, schema };
        const { stats } = await run({ baseUrl, main: [{ get: '/json', expect: right }] });
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.checks).to.include({ passed: 16, failed: 0, share: 1 });

        const wrong = { json: { '$.owner.name': 'Jim' }, schema: { properties: { id: { type: 'string' } } } };
        const failed = (await run({ baseUrl, main: [{ get: '/json', expect: wrong }] })).stats;
        expect(failed.errors.details[0].message).to.equal(
          'flow.main[0].expect.json["$.owner.name"]: expected "Jim", received "Joe" with status 200; 1 more check of this response failed',
        );
        expect(failed.checks.details[1].firstFailure.message).to.equal(
          'expected "/id" that must be string, received 5',
        );
      }));

    it('a body that is not JSON fails the checks that read JSON', () =>
      serving(answer, async (baseUrl) => {
        const main = [{ get: '/wrong', expect: { json: { '$.a': 1 }, schema: {}, text: 'some' } }];
        const { stats } = await run({ baseUrl, main });
        expect(stats.errors.kinds).to.deep.equal({ expect: 4 });
        expect(stats.errors.details[0].message).to.include(
          'expected JSON, received "something else", which is not JSON',
        );
        expect(stats.checks).to.include({ passed: 4, failed: 8 });
      }));

    it('a response that never came is not checked; a run without expect has no checks', () =>
      serving(
        (req) => req.socket.destroy(),
        async (baseUrl) => {
          const main = [{ post: '/', expect: { status: 200 } }];
          const { stats } = await run({ baseUrl, main }, { thresholds: 'checks>1%' });
          expect(stats.checks).to.include({ passed: 0, failed: 0, share: null });
          expect(stats.thresholds[0]).to.include({ passed: false, actual: null });
          expect((await run({ baseUrl, main: [{ post: '/' }] })).stats).to.not.have.property('checks');
        },
      ));

    it('a threshold on checks decides whether failed checks fail the run', () =>
      serving(answer, async (baseUrl) => {
        const main = [{ get: '/#{INDEX}', expect: [{ name: 'is one', text: '1' }, { status: 200 }] }];
        const { stats } = await run({ baseUrl, main }, { thresholds: ['checks>=60%', 'checks.is one==25%'] });
        expect(stats.thresholds.map(({ passed, actual }) => [passed, actual])).to.deep.equal([
          [true, 0.625],
          [true, 0.25],
        ]);
        expect([stats.errors.count, stats.outcome.passed]).to.deep.equal([3, true]);
        expect((await run({ baseUrl, main })).stats.outcome.passed).to.equal(false);
      }));

    it('captured values keep their type in what later operations expect', () =>
      serving(answer, async (baseUrl) => {
        const main = [
          { get: '/json', capture: { id: '$.id', owner: '$.owner', tag: '$.tags[1]' } },
          { get: '/json', expect: { json: { '$.id': '#{id}', '$.owner': '#{owner}', '$.tags': ['a', '#{tag}'] } } },
        ];
        const { stats } = await run({ baseUrl, main });
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.checks).to.include({ passed: 12, failed: 0 });
      }));

    it('checks of a scenario have its name, and a threshold can select them', () =>
      serving(answer, async (baseUrl) => {
        const scenarios = {
          right: { main: [{ get: '/right', expect: { text: 'hello' } }] },
          wrong: { main: [{ get: '/wrong', expect: { text: 'hello' } }] },
        };
        const thresholds = ['right checks==100%', 'wrong checks.text==0%'];
        const { stats } = await run({ baseUrl, scenarios }, { thresholds });
        expect(stats.checks.details.map(({ scenario, passed, failed }) => [scenario, passed, failed])).to.deep.equal([
          ['right', 2, 0],
          ['wrong', 0, 2],
        ]);
        expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true]);
      }));

    it('tokens of the text are replaced', () =>
      serving(answer, async (baseUrl) => {
        const flow = { baseUrl, main: [{ get: '/#{INDEX}', expect: { body: 'item #{INDEX}' } }] };
        expect((await run(flow)).errorCount).to.equal(0);
        expect((await run({ baseUrl, main: [{ get: '/1', expect: { body: 'item #{INDEX}' } }] })).errorCount).to.equal(
          3,
        );
      }));

    it('after-hooks see the response and the error, and may ignore it', () =>
      serving(answer, async (baseUrl) => {
        const seen = [];
        const hook = (all) => {
          seen.push(`${all.err.code} ${all.response.statusCode} ${all.body}`);
          if (all.env.index > 0) all.err = null;
        };
        const { stats } = await run(
          { baseUrl, main: [{ get: '/wrong', expect: hello, afterHooks: [hook] }] },
          { limit: 1, iterations: 2 },
        );
        expect(seen).to.deep.equal(['E_EXPECT 200 something else', 'E_EXPECT 200 something else']);
        expect(stats.errors.kinds).to.deep.equal({ expect: 1 });
      }));

    it('a before-hook cannot change it', () =>
      serving(answer, async (baseUrl) => {
        const replace = (all) => void (all.requestOptions.expect = { body: 'something else' });
        const { stats } = await run({ baseUrl, main: [{ get: '/wrong', expect: hello, beforeHooks: [replace] }] });
        expect(stats.errors.details[0].message).to.match(/requestOptions\.expect cannot be changed by a hook/);
        const mutate = (all) => void (all.requestOptions.expect.body = 'something else');
        const kinds = (await run({ baseUrl, main: [{ get: '/wrong', expect: hello, beforeHooks: [mutate] }] })).stats
          .errors.kinds;
        expect(kinds).to.deep.equal({ hook: 4 });
        const deep = { text: { contains: 'something' } };
        const mutateDeep = (all) => void (all.requestOptions.expect.text.contains = 'else');
        const { stats: other } = await run({
          baseUrl,
          main: [{ get: '/wrong', expect: deep, beforeHooks: [mutateDeep] }],
        });
        expect(other.errors.kinds).to.deep.equal({ hook: 4 });
        expect(hello).to.deep.equal({ body: 'hello' });
      }));

    it('mismatches count for bailout', () =>
      serving(answer, async (baseUrl) => {
        const flow = { baseUrl, main: [{ get: '/wrong', expect: hello }] };
        const { stats, endReason } = await run(flow, { limit: 1, iterations: 50, bailout: 3 });
        expect(stats.errors.kinds).to.deep.equal({ expect: 3 });
        expect(endReason).to.equal('bailout');
      }));

    if (runsWorkers(httpClient, 'builtin')) {
      it('workers check too', () =>
        serving(answer, async (baseUrl) => {
          const flow = { baseUrl, main: [{ get: '/wrong', expect: hello }] };
          const { stats } = await here('workers', () => run(flow, { workers: 2, thresholds: 'checks<1%' }));
          expect(stats.errors.kinds).to.deep.equal({ expect: 4 });
          expect(stats.checks.details).to.have.lengthOf(1);
          expect(stats.checks.details[0]).to.deep.include({ passed: 0, failed: 4 });
          expect(stats.checks.details[0].firstFailure.index).to.equal(0);
        }));
    }

    it('--expect-body expects the body of a URL', () =>
      serving(answer, async (url) => {
        const flags = ['--http-client', httpClient, '-n', '3', '--json', '--expect-body', 'hello'];
        expect((await command([...flags, `${url}/right`])).code).to.equal(0);
        const { code, stdout } = await command([...flags, `${url}/wrong`]);
        expect(code).to.equal(1);
        expect(JSON.parse(stdout).errors.kinds).to.deep.equal({ expect: 3 });
      }));
  });
}

describe('expect', () => {
  it('works with pipelining and preallocation', () =>
    serving(answer, async (url) => {
      const options = { limit: 2, iterations: 40, httpClient: 'builtin' };
      const flow = (path) => ({ get: `${url}${path}`, expect: hello });
      const right = await benchrest(flow('/right'), { ...options, pipelining: 4 });
      expect(right.stats.iterations.completed).to.equal(40);
      const wrong = await benchrest(flow('/wrong'), { ...options, pipelining: 4, prealloc: 10 });
      expect(wrong.stats.errors.kinds).to.deep.equal({ expect: 40 });
    }));

  it('is checked before the run', () => {
    const refused = (given, says) =>
      expect(() => benchrest({ get: 'http://a/', expect: given }, { limit: 1, iterations: 1 })).to.throw(says);
    refused(
      'hello',
      'flow.main[0].expect: expected an object such as { status: 201 }, or a list of them, got a string',
    );
    refused({ body: 5 }, 'flow.main[0].expect.body: expected a string, got 5');
    refused({ bodi: 'x' }, 'flow.main[0].expect.bodi: unknown property, did you mean body?');
  });
});

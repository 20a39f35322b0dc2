import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { NAMES, runsWorkers } from './support/transports.js';

/** Answers `/right` with `hello`, `/wrong` with something else, `/INDEX` with the index. */
function answer(req, res) {
  if (req.url === '/gzip') return res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
  if (req.url === '/moved') return res.writeHead(302, { location: '/right' }).end('moved');
  if (req.url === '/failed') return res.writeHead(500).end('oops');
  if (/^\/\d+$/.test(req.url)) return res.end(`item ${req.url.slice(1)}`);
  return res.end(req.url === '/right' ? 'hello' : 'something else');
}
const hello = { body: 'hello' };

for (const transport of NAMES) {
  describe(`expect: ${transport}`, () => {
    const run = (flow, options) => benchrest(flow, { limit: 2, iterations: 4, transport, ...options });

    for (const [path, about] of [
      ['/right', 'the same body'],
      ['/gzip', 'a compressed body'],
      ['/moved', 'the body after a redirect'],
    ])
      it(`${about} passes`, () =>
        serving(answer, async (baseUrl) => {
          const { stats } = await run({ baseUrl, main: [{ get: path, expect: hello }] });
          expect(stats.errors.samples).to.deep.equal([]);
          expect(stats.iterations.completed).to.equal(4);
        }));

    it('another body is an error of the kind expect: counted, with a sample, and the exchange is measured', () =>
      serving(answer, async (baseUrl) => {
        const { stats, errorCount } = await run({ baseUrl, main: [{ get: '/wrong', expect: hello }, '/right'] });
        expect(errorCount).to.equal(4);
        expect(stats.errors.kinds).to.deep.equal({ expect: 4 });
        expect(stats.errors.samples[0]).to.include({
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
        expect(stats.errors.samples[0].message).to.match(/requestOptions\.expect cannot be changed by a hook/);
        const mutate = (all) => void (all.requestOptions.expect.body = 'something else');
        const kinds = (await run({ baseUrl, main: [{ get: '/wrong', expect: hello, beforeHooks: [mutate] }] })).stats
          .errors.kinds;
        expect(kinds).to.deep.equal({ hook: 4 });
        expect(hello).to.deep.equal({ body: 'hello' });
      }));

    it('mismatches count for bailout', () =>
      serving(answer, async (baseUrl) => {
        const flow = { baseUrl, main: [{ get: '/wrong', expect: hello }] };
        const { stats, why } = await run(flow, { limit: 1, iterations: 50, bailout: 3 });
        expect(stats.errors.kinds).to.deep.equal({ expect: 3 });
        expect(why).to.equal('bailout');
      }));

    if (runsWorkers(transport, 'wire')) {
      it('workers check too', () =>
        serving(answer, async (baseUrl) => {
          const flow = { baseUrl, main: [{ get: '/wrong', expect: hello }] };
          expect((await run(flow, { workers: 2 })).stats.errors.kinds).to.deep.equal({ expect: 4 });
        }));
    }

    it('-E expects the body of a URL', () =>
      serving(answer, async (url) => {
        const flags = ['--transport', transport, '-n', '3', '--json', '-E', 'hello'];
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
      const options = { limit: 2, iterations: 40, transport: 'wire' };
      const flow = (path) => ({ get: `${url}${path}`, expect: hello });
      const right = await benchrest(flow('/right'), { ...options, pipelining: 4 });
      expect(right.stats.iterations.completed).to.equal(40);
      const wrong = await benchrest(flow('/wrong'), { ...options, pipelining: 4, prealloc: 10 });
      expect(wrong.stats.errors.kinds).to.deep.equal({ expect: 40 });
    }));

  it('is checked before the run', () => {
    const refused = (given, says) =>
      expect(() => benchrest({ get: 'http://a/', expect: given }, { limit: 1, iterations: 1 })).to.throw(says);
    refused('hello', "flow.main[0].expect: expected an object such as { body: 'text' }, got a string");
    refused({ body: 5 }, 'flow.main[0].expect: body: expected a string, got 5');
    refused({ bodi: 'x' }, 'flow.main[0].expect: has the unknown property bodi, did you mean body?');
  });

  it('-E with the name of a certificate, as of ab, is refused', async () => {
    const { stderr, code } = await command(['-E', 'client.pem', 'http://127.0.0.1:1/']);
    expect(stderr).to.include('A client certificate is --cert and --key');
    expect(code).to.equal(3);
  });
});

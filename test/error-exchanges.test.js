import zlib from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../index.js';
import { assertThresholds, renderResult as render } from '../lib/results.js';
import { REFUSED_URL } from './support/faulty-server.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { suiteHere } from './support/threads-here.js';

const ERROR = '{"error":"pool exhausted","token":"CANARY"}';
const SHOWN = '< {"error":"pool exhausted","token":"***"}';

/** Some paths answer 503, most of them with a secret; all others 200. */
const BODIES = {
  '/bad': [ERROR],
  '/gzip': [zlib.gzipSync(ERROR), 'gzip'],
  '/binary': [Buffer.from([0xff, 0xfe, 0])],
  '/long': [`${'x'.repeat(1990)} {"token":"${'CANARY '.repeat(100)}"}${'y'.repeat(9000)}`],
};
const answer = (req, res) => {
  const [bytes, coding] = BODIES[req.url] ?? [];
  if (!bytes) return res.end('fine');
  const type = coding ? { 'content-encoding': coding } : { 'content-type': 'application/json' };
  res.writeHead(503, { ...type, 'set-cookie': 'sid=CANARY' });
  return res.end(bytes);
};
const headers = { authorization: 'Bearer CANARY' };
const body = { name: 'item #{INDEX}', password: 'CANARY' };

/** The exchanges of the groups of errors, by what failed. */
const exchangesOf = (main, options) =>
  serving(answer, async (baseUrl) => {
    const run = benchrest({ main, headers }, { baseUrl, limit: 1, iterations: 3, ...options });
    const { stats } = await run.on('error', () => {});
    expect(JSON.stringify(stats)).to.not.include('CANARY');
    return stats.errors.details.map(({ exchange }) => exchange?.map((line) => line.replace(baseUrl, '')));
  });

describe('the sample of an error', () => {
  suiteHere('workers');

  for (const workers of [undefined, 2])
    it(`has the request and the response, without secrets${workers ? ', with workers too' : ''}`, async () => {
      const [lines, ...others] = await exchangesOf(['/', { post: '/bad', json: body }], {
        workers,
        limit: workers ?? 1,
      });
      expect(others).to.deep.equal([]);
      expect(lines[0]).to.equal('> POST /bad');
      expect(lines).to.include.members(['> authorization: ***', '< 503', '< content-type: application/json']);
      expect(lines.join()).to.match(/> \{"name":"item \d","password":"\*\*\*"\}/);
    });

  it('has the request of the operation if what middleware adds to it is malformed', async () => {
    const malform = (all) => void (all.env.jar = 5);
    const [lines] = await exchangesOf([{ get: '/', beforeHooks: [malform] }]);
    expect(lines[0]).to.equal('> GET /');
  });

  for (const options of [{}, { httpClient: 'undici' }, { httpClient: 'builtin', pipelining: 2 }])
    it(`has the beginning of the body of an error, ${JSON.stringify(options)}`, async () => {
      const bodyOf = async (operation) => {
        const [lines] = await exchangesOf([operation], options);
        return lines.slice(lines.indexOf('<') + 1);
      };
      expect(await bodyOf('/bad')).to.deep.equal([SHOWN]);
      expect(await bodyOf('/gzip')).to.deep.equal([SHOWN]);
      expect(await bodyOf('/binary')).to.deep.equal(['< (3 bytes of binary data)']);
      const [text, note] = await bodyOf('/long');
      expect(text).to.match(/^< x{1990} \{"token/);
      expect(note).to.match(/cut off; the body has 1\d{4} bytes/);
      expect((await exchangesOf([{ head: '/bad' }], options))[0]).to.not.include('<');
    });

  it('of a request in a function has the response, unless another one followed', async () => {
    const [[...lines]] = await exchangesOf([({ request }) => request('/bad')]);
    expect(lines).to.include.members(['> GET /bad', '< 503', SHOWN]);
    const withAnother = async ({ request }) => {
      try {
        await request('/bad');
      } finally {
        await request('/');
      }
    };
    expect(await exchangesOf([withAnother])).to.deep.equal([undefined]);
  });

  it('has the body of the response if hooks or checks read it', async () => {
    const kept = SHOWN;
    const [[...hooked], [...expected]] = [
      (await exchangesOf([{ get: '/bad', afterHooks: ['verify2XX', (all) => all] }]))[0],
      (await exchangesOf([{ get: '/bad', expect: { body: 'nothing' } }]))[0],
    ];
    expect(hooked).to.include(kept);
    expect(expected).to.include(kept);
  });

  it('of an after-hook has the response that it saw', async () => {
    const fail = () => {
      throw new Error('bad');
    };
    const [lines] = await exchangesOf([{ get: '/', afterHooks: [fail] }]);
    expect(lines).to.include.members(['> GET /', '< 200', '< fine']);
  });

  it('of a before-hook has none: nothing was sent', async () => {
    const fail = (all) => {
      if (all.env.index > 0) throw new Error('bad');
      return all;
    };
    expect(await exchangesOf([{ get: '/', beforeHooks: [fail] }])).to.deep.equal([undefined]);
  });

  it('of a failed connection has the request and the error', async () => {
    const { stats } = await benchrest(REFUSED_URL, { limit: 1, iterations: 1 }).on('error', () => {});
    const [{ exchange, message }] = stats.errors.details;
    expect(exchange).to.deep.equal([`> GET ${new URL(REFUSED_URL).href}`, `! ${message}`]);
  });

  it('is part of the report, which has at most 18 lines', () =>
    serving(answer, async (url) => {
      const args = ['-n', '3', '-e', `{ post: '${url}/bad', json: { a: 1 }, headers: { x1: 1, x2: 2, x3: 3, x4: 4 } }`];
      const { stdout } = await command(args);
      expect(stdout).to.match(/ × status in .* POST .*\/bad: .*\n +< \d+\n/);
      expect(stdout.trimEnd().split('\n').length).to.be.at.most(18);
      expect((await command([...args, '--full'])).stdout).to.match(/\n +> POST .*\/bad\n/);
    }));
});

describe('a failing threshold has the reason', () => {
  const limited = (req, res) => {
    if (req.url === '/events') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      return res.write('data: a\n\n');
    }
    res.writeHead(req.url === '/limited' ? 429 : 404, { 'retry-after': 7 });
    return res.end('no such thing');
  };
  const failing = (path, httpClient, use) =>
    serving(limited, async (url) => {
      const options = { limit: 1, iterations: 3, timeout: 300, httpClient, thresholds: ['errors<1%'] };
      const { stats } = await benchrest(url + path, options).on('error', () => {});
      await use(stats);
    });

  for (const httpClient of ['builtin', 'undici']) {
    it(`status, operation, count, response and remedy, in assertThresholds: ${httpClient}`, () =>
      failing('/nope', httpClient, (stats) =>
        expect(() => assertThresholds(stats, 'p95<1s')).to.throw(
          /p95<1s \(no iteration completed\)\n3 status in flow.main\[0\] GET \/nope: .*404\n[^]*\n {2}< retry-after: 7\n[^]*no such thing\n.*expect: \{ status: 404 \}/,
        ),
      ));
    it(`a limited rate is called one: ${httpClient}`, () =>
      failing('/limited', httpClient, (stats) =>
        expect(() => assertThresholds(stats, 'p95<1s')).to.throw('429; the server limits the rate (retry-after: 7)'),
      ));
    it(`server-sent events that nothing reads are called so: ${httpClient}`, () =>
      failing('/events', httpClient, ({ errors: { details } }) =>
        expect(details.map(({ code, message }) => [code, message])).to.deep.equal([
          [
            'E_TIMEOUT_EVENTS',
            "no complete response within 300 ms: it is a stream of server-sent events; write stream: 'sse' in the operation",
          ],
        ]),
      ));
  }

  it('in JUnit and in annotations, beside a threshold that allows some errors', () =>
    failing('/nope', 'builtin', async (stats) => {
      const [junit, github] = [await render(stats, { format: 'junit' }), await render(stats, { format: 'github' })];
      expect(junit).to.match(/errors&#60;1% failed: it was 100.0 %\n3 status in flow.main\[0\] GET \/nope/);
      expect(github).to.match(
        /::error .*3 × status in flow.main\[0\] GET \/nope: .*%0A< 404%0A< retry-after: 7%0A<%0A< no such thing/,
      );
    }));
});

import http from 'node:http';
import https from 'node:https';

import { expect } from 'chai';

import benchrest from '../index.js';
import { selfSigned } from './support/certificate.js';
import { ok, shut } from './support/serve.js';
import { here, suiteHere } from './support/threads-here.js';

describe('an https.Server as target', () => {
  it('listens during the run, gets TLS connections, and is closed afterwards', async () => {
    const { key, cert } = selfSigned();
    const server = https.createServer({ key, cert }, ok);
    const { stats } = await here('workers', () =>
      benchrest({ get: '/', ca: cert }, { target: server, limit: 3, iterations: 9 }),
    );
    expect(stats.errors.details).to.deep.equal([]);
    expect(stats.iterations.completed).to.equal(9);
    expect(server.listening).to.equal(false);
    await shut(server);
  });
});

describe('C40 a server of this process is closed', () => {
  suiteHere('workers');
  const create = () => http.createServer((req, res) => res.end('x'));
  const flow = (hook) => ({ get: '/', afterHooks: [hook] });
  const rows = [
    ['at the end of the run', flow(() => {})],
    [
      'after errors of a hook',
      flow(() => {
        throw new Error('ouch');
      }),
    ],
    ['after all.stop()', flow((all) => all.stop())],
    ['after an abort', flow(() => {}), (run) => run.abort()],
    ['after a stop', flow(() => {}), (run) => run.stop()],
    ['if the flow is malformed', '/#{NOTHING}', () => {}, 'E_FLOW'],
  ];
  for (const [when, what, act = () => {}, code] of rows) {
    it(when, async () => {
      const server = create();
      const run = benchrest(what, { target: server, limit: 3, iterations: 100_000, duration: 200 });
      act(run);
      const error = await run.then(
        () => undefined,
        (thrown) => thrown,
      );
      expect([error?.code, server.listening]).to.deep.equal([code, false]);
    });
  }

  it('if it cannot listen, the run rejects with the reason', async () => {
    const server = create();
    server.listen = () =>
      process.nextTick(() => server.emit('error', Object.assign(new Error('no'), { code: 'EACCES' })));
    const error = await benchrest('/', { target: server, limit: 1, iterations: 1 }).catch((thrown) => thrown);
    expect(error.code).to.equal('EACCES');
  });

  it('if its listen() throws no error, the run rejects with one', async () => {
    const server = create();
    server.listen = () => {
      throw null;
    };
    const error = await benchrest('/', { target: server, limit: 1, iterations: 1 }).catch((thrown) => thrown);
    expect(error).to.be.an.instanceOf(Error);
  });

  it('whose own close() never calls back delays no result', async () => {
    const server = create();
    const close = server.close.bind(server);
    server.close = () => close();
    const { stats } = await benchrest('/', { target: server, limit: 1, iterations: 1 });
    expect(stats.iterations.completed).to.equal(1);
  });
});

describe('C40 odd applications as target', () => {
  suiteHere('workers');
  const once = { limit: 1, iterations: 1 };
  const fetch = () => new Response('ok');

  it('an application may contain a list of any length', async () => {
    let state = {};
    for (let i = 0; i < 5000; i++) state = { next: state };
    const { stats } = await benchrest('/', { target: { fetch, state }, ...once });
    expect(stats.errors.details).to.deep.equal([]);
  });

  it('an object whose properties throw is refused', () => {
    const target = {
      get listening() {
        throw new Error('not yet');
      },
    };
    expect(() => benchrest('/', { target, ...once })).to.throw(/target: expected an http\.Server.* got an object/);
  });

  for (const [what, route, status] of [
    ['that has a route answers', (_request, response) => response.end('ok'), 200],
    ['without a route answers with 404', (_request, _response, next) => next(), 404],
    ['whose route fails answers with 500', (_request, _response, next) => next(new Error('no')), 500],
  ])
    it(`a router of Express ${what}`, async () => {
      const router = Object.assign((request, response, next) => route(request, response, next), { handle: route });
      const { stats } = await benchrest({ get: '/', expect: { status } }, { target: router, ...once });
      expect(stats.errors.details).to.deep.equal([]);
    });
});

import http from 'node:http';
import https from 'node:https';

import { expect } from 'chai';

import benchrest from '../index.js';
import { selfSigned } from './support/certificate.js';
import { ok, shut } from './support/serve.js';
import { here } from './support/threads-here.js';

describe('an https.Server as target', () => {
  it('listens during the run, gets TLS connections, and is closed afterwards', async () => {
    const { key, cert } = selfSigned();
    const server = https.createServer({ key, cert }, ok);
    const { stats } = await here('workers', () =>
      benchrest({ get: '/', ca: cert }, { target: server, limit: 3, iterations: 9 }),
    );
    expect(stats.errors.samples).to.deep.equal([]);
    expect(stats.iterations.completed).to.equal(9);
    expect(server.listening).to.equal(false);
    await shut(server);
  });
});

describe('C40 a server of this process is closed', () => {
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
});

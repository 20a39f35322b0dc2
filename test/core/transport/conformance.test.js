import { expect } from 'chai';

import { RESPONSES } from '../../support/responses.js';
import { faulting } from '../../support/faulty-server.js';
import { turns } from '../../support/until.js';
import { NAMES, exchange, requestTo, transporting } from '../../support/transports.js';

const HEALTHY = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nhealthy';
const bytesOf = (text) => Buffer.from(text, 'latin1');

/**
 * Every response on both transports, through real sockets: one healthy exchange before it on the same connection, one
 * after it, which must get its own response.
 */
describe('conformance of transports', () => {
  for (const name of NAMES) {
    describe(name, () => {
      for (const row of RESPONSES) {
        const [reason, differs] = (name === 'undici' && row.undici) || [];
        const expected = differs ? { ...row, code: undefined, ...differs } : row;
        const title = `${expected.code ? 'refuses' : 'reads'} ${row.what}${reason ? ` (${reason})` : ''}`;

        it(title, () =>
          faulting(
            async (io) => {
              for (;;) {
                const head = await io.readRequest();
                const isTested = head.includes(' /tested ');
                await io.send(isTested ? bytesOf(row.say) : HEALTHY);
                if (isTested && row.closes) io.fin();
              }
            },
            (url, seen) =>
              transporting(name, async (transport) => {
                let connection = transport.connect(requestTo(url).endpoint);
                const visit = (path, method) => {
                  if (connection.isDead) connection = transport.connect(requestTo(url).endpoint);
                  return exchange(connection, requestTo(url + path, { method }));
                };
                expect(await visit('/before')).to.include({ status: 200, body: 'healthy' });
                const result = await visit('/tested', row.method);
                const { status, headers, body = 'ok', reuse = true, code } = expected;
                if (code) {
                  expect(result.code, JSON.stringify(result)).to.be.a('string').and.not.equal('TOO_SLOW');
                  expect(result.kind).to.be.oneOf(['protocol', 'reset']);
                  if (name === 'builtin' && code !== true) expect(result.code).to.equal(code);
                } else {
                  expect(result).to.include({ status, body });
                  if (headers) expect(result.headers).to.deep.include(headers);
                }
                const connectionsBefore = seen.connections;
                if (!code && !reuse) await turns(10);
                expect(await visit('/after')).to.include({ status: 200, body: 'healthy' });
                if (!code) expect(seen.connections - connectionsBefore, 'new connections').to.equal(reuse ? 0 : 1);
                expect(seen.requests).to.equal(3);
              }),
          ),
        );
      }

      for (const row of RESPONSES.filter(({ what }) =>
        ['a response', 'chunks', 'trailers', 'several Set-Cookie fields', 'a response after 100, 102 and 103'].includes(
          what,
        ),
      )) {
        if (name === 'undici' && row.undici) continue;
        it(`reads ${row.what}, split at every byte`, () => {
          const bytes = bytesOf(row.say);
          let at = 0;
          return faulting(
            async (io) => {
              for (;;) {
                await io.readRequest();
                at++;
                await io.send(bytes.subarray(0, at));
                await io.wait(1);
                await io.send(bytes.subarray(at));
              }
            },
            (url, seen) =>
              transporting(name, async (transport) => {
                const request = requestTo(url);
                const connection = transport.connect(request.endpoint);
                for (let i = 1; i < bytes.length; i++)
                  expect(await exchange(connection, request), `split at ${i}`).to.include({
                    status: row.status,
                    body: row.body ?? 'ok',
                  });
                expect(seen.connections).to.equal(1);
              }),
          );
        });
      }
    });
  }
});

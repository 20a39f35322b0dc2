import { expect } from 'chai';

import { CODES, framing } from '../../support/frame-server.js';
import { HTTP2_RESPONSES } from '../../support/http2-responses.js';
import { exchange, requestTo, transporting } from '../../support/transports.js';
import { until } from '../../support/until.js';

const CODE_NAMES = Object.keys(CODES);

/** The requests of one connection: a healthy one, the tested one, another healthy one. */
const serve = (row) => async (io) => {
  await io.hello();
  for (;;) {
    const { id, path } = await io.readRequest();
    if (path === '/tested') await io.send(row.say(id));
    else await io.respond(id, { body: path });
  }
};

/** What the client has sent of a type: the codes of RST_STREAM and GOAWAY. */
function codesSent({ frames }, type) {
  const at = type === 'GOAWAY' ? 4 : 0;
  return frames.filter((frame) => frame.type === type).map(({ payload }) => CODE_NAMES[payload.readUInt32BE(at)]);
}

describe('responses over HTTP/2', () => {
  for (const row of HTTP2_RESPONSES) {
    const { id, what, section, ends, sends, status = 200, body = 'ok', headers, lives = ends !== 'connection' } = row;
    const title = `${ends ? 'refuses' : 'reads'} ${what}${section ? ` (RFC 9113 ${section})` : ''}`;
    it(`${id ? `${id} ` : ''}${title}`, () =>
      framing(serve(row), (url, seen) =>
        transporting('builtin', async (transport) => {
          const http2 = 'prior-knowledge';
          const connection = transport.connect(requestTo(url, { http2 }).endpoint);
          const visit = (path) => exchange(connection, requestTo(url + path, { http2 }));
          expect(await visit('/before')).to.include({ status: 200, body: '/before' });
          const result = await visit('/tested');
          if (ends) expect(result.kind, JSON.stringify(result)).to.be.oneOf(['protocol', 'reset']);
          else expect(result).to.include({ status, body });
          if (headers) expect(result.headers).to.deep.include(headers);
          if (!lives) await until(() => codesSent(seen, 'GOAWAY').length > 0);
          expect(await visit('/after')).to.include({ status: 200, body: '/after' });
          expect(seen.connections, 'connections').to.equal(lives ? 1 : 2);
          expect(seen.requests).to.equal(3);
          if (!sends) return;
          const type = ends === 'stream' ? 'RST_STREAM' : 'GOAWAY';
          await until(() => codesSent(seen, type).length > 0);
          expect(codesSent(seen, type)[0]).to.equal(sends);
        }),
      ));
  }
});

import { once } from 'node:events';
import https from 'node:https';

import { expect } from 'chai';

import { createDial } from '../../../../lib/core/transport/wire/socket.js';
import { selfSigned } from '../../../support/certificate.js';

describe('transport/wire/socket', () => {
  it('the certificate of an IP address is that of the URL, wherever --connect-to leads', async () => {
    const made = selfSigned();
    const server = https.createServer(made).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    const dial = createDial({ to: () => ({ host: '127.0.0.1', port }), follow() {} });
    const codeAt = (hostname) =>
      new Promise((resolve) => {
        const endpoint = { key: hostname, protocol: 'https:', hostname, port: 443, tls: { ca: made.cert } };
        const socket = dial(endpoint, undefined, () => resolve('open'));
        socket.on('error', ({ code }) => resolve(code));
        socket.on('secureConnect', () => socket.destroy());
      });
    const codes = [await codeAt('127.0.0.1'), await codeAt('10.0.0.1')];
    server.close();
    expect(codes).to.deep.equal(['open', 'ERR_TLS_CERT_ALTNAME_INVALID']);
  });
});

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

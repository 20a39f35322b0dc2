import http from 'node:http';

import { expect } from 'chai';

import benchrest from '../index.js';
import { listen, ok, shut } from './support/serve.js';
import { NAMES } from './support/transports.js';

describe('a flow of 17 origins', () => {
  const servers = Array.from({ length: 17 }, () => http.createServer(ok));
  let urls;

  before(async () => (urls = await Promise.all(servers.map(listen))));
  after(() => Promise.all(servers.map(shut)));

  for (const httpClient of NAMES)
    it(`keeps a connection to each of them (${httpClient})`, async () => {
      const { stats } = await benchrest(urls, { limit: 1, iterations: 5, httpClient });
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.connections).to.include({ opened: 17, requestsOnReused: 4 * 17 });
    });
});

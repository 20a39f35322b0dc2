import { expect } from 'chai';

import { addressOfFlow, portVariable, serverAddress } from '../../../lib/addons/server/run-with-server.js';

describe('where a server listens', () => {
  it('without an address a free port is chosen, at which it may listen with either IP version', async () => {
    const place = await serverAddress({ start: {} });
    const port = portVariable(place);
    expect(Number(port)).to.be.above(0);
    expect(place).to.deep.equal({
      baseUrl: `http://127.0.0.1:${port}`,
      origins: [`http://127.0.0.1:${port}`, `http://[::1]:${port}`],
      isPortFree: true,
    });
  });

  it('a base URL that is a path, and a path in ready, leave the port to the run', async () => {
    const place = await serverAddress({ start: { ready: '/health' }, baseUrl: '/api/' });
    expect(place.baseUrl).to.equal(`${place.origins[0]}/api/`);
    expect(place.isPortFree).to.equal(true);
  });

  for (const { what, options, place, port } of [
    {
      what: 'the origin of ready is the base URL',
      options: { start: { ready: 'http://localhost:3000/health' } },
      place: { baseUrl: 'http://localhost:3000', origins: ['http://localhost:3000'] },
      port: '3000',
    },
    {
      what: 'a base URL that is a path belongs to the origin of ready',
      options: { start: { ready: 'http://localhost:3000/health' }, baseUrl: '/api' },
      place: { baseUrl: 'http://localhost:3000/api', origins: ['http://localhost:3000'] },
      port: '3000',
    },
    {
      what: 'an absolute base URL is where it listens',
      options: { start: {}, baseUrl: 'https://localhost/api' },
      place: { baseUrl: 'https://localhost/api', origins: ['https://localhost'] },
      port: '443',
    },
    {
      what: 'ready may lead to another port than the base URL',
      options: { start: { ready: 'http://localhost:9000/' }, baseUrl: 'http://localhost:8000' },
      place: { baseUrl: 'http://localhost:8000', origins: ['http://localhost:9000'] },
      port: '9000',
    },
    {
      what: 'a unix socket needs no port',
      options: { start: {}, baseUrl: 'http://unix:/run/app.sock:/api' },
      place: { baseUrl: 'http://unix:/run/app.sock:/api', origins: ['http://localhost'], socketPath: '/run/app.sock' },
      port: undefined,
    },
    {
      what: 'the option socketPath is where it listens',
      options: { start: {}, socketPath: '/run/app.sock' },
      place: { baseUrl: 'http://localhost', origins: ['http://localhost'], socketPath: '/run/app.sock' },
      port: undefined,
    },
  ]) {
    it(what, async () => {
      const found = await serverAddress(options);
      expect(found).to.deep.include({ ...place, isPortFree: false });
      expect(portVariable(found)).to.equal(port);
    });
  }

  it('a flow of absolute URLs leads to the server', async () => {
    const place = await serverAddress({ start: {} });
    expect(addressOfFlow(place, ['http://localhost:3000'])).to.deep.include({
      origins: ['http://localhost:3000'],
      isPortFree: false,
    });
    expect(addressOfFlow(place, ['http://localhost:3000', place.origins[0]])).to.equal(place);
    expect(addressOfFlow(place, [])).to.equal(place);
    expect(portVariable(addressOfFlow(place, ['wss://localhost']))).to.equal('443');
  });
});

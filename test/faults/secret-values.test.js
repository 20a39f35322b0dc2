import { expect } from 'chai';

import benchrest from '../../index.js';
import { command } from '../support/command.js';
import { serving } from '../support/serve.js';
import { NAMES } from '../support/transports.js';
import { chatting } from '../support/web-socket-server.js';

const CANARY = 'CANARY-4711-abcdef';
const ONE = { limit: 1, iterations: 1 };
const basic = (password) => `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;

/** Answers with the canary in a place that does not look like a secret; sets it as a cookie on `/session`. */
const leaky = (request, response) => {
  if (request.url === '/session') response.setHeader('set-cookie', `visit=${CANARY}; Path=/`);
  response.setHeader('x-note', `for ${CANARY}`);
  response.end(JSON.stringify({ value: CANARY, note: `for ${CANARY}`, encoded: encodeURIComponent(`${CANARY} é`) }));
};

/** An operation that shows the body, a header and the text of its response. */
const showing = (operation) => ({
  ...operation,
  expect: [
    { json: { '$.note': 'none', '$.value': { in: [`${CANARY}x`, 'none'] } } },
    { headers: { 'x-note': 'none' } },
    { text: 'none' },
  ],
});

/** Ways by which a flow gets to know the canary, each with the operations after it. */
const FLOWS = {
  'captured as token': () => [{ get: '/', capture: { token: '$.value' } }, showing({ get: '/' })],
  'captured by the operation that fails': () => [showing({ get: '/', capture: { apiKey: '$.value' } })],
  'captured as an object': () => [{ get: '/', capture: { passwords: '$' } }, showing({ get: '/' })],
  'a variable': () => [showing({ get: '/' })],
  'a column of a feeder': () => [showing({ get: '/', qs: { a: '#{users.name}' } })],
  'sent as bearer token': () => [showing({ get: '/', auth: { bearer: CANARY } })],
  'sent as authorization': () => [showing({ get: '/', headers: { authorization: basic(CANARY) } })],
  'sent as a field of its own': () => [showing({ get: '/', headers: { 'x-auth-token': CANARY } })],
  'sent as cookie': () => [showing({ get: '/', headers: { cookie: `a=1; visit=${CANARY}` } })],
  'kept in the cookie jar': () => ['/session', showing({ get: '/' })],
  'set as cookie by the response that fails': () => [showing({ get: '/session' })],
  'in the error of a hook': () => [
    { get: '/', capture: { token: '$.value' } },
    { get: '/', afterHooks: [(all) => Promise.reject(new Error(`bad ${all.vars.token}`))] },
  ],
  'in the error of a function': () => [
    { get: '/', capture: { token: '$.value' } },
    ({ vars }) => Promise.reject(new Error(`bad ${vars.token}`)),
  ],
};

/** The flow of one of them. */
const flowOf = (name, baseUrl) => ({
  baseUrl,
  vars: name === 'a variable' ? { clientSecret: CANARY } : {},
  ...(name.startsWith('a column') && { data: { users: [{ name: 'ann', password: CANARY }] } }),
  main: FLOWS[name](),
});

describe('secrets are recognized by their values', () => {
  for (const httpClient of NAMES)
    for (const name of Object.keys(FLOWS))
      it(`X1 a secret that is ${name} is in no message, sample or check: ${httpClient}`, () =>
        serving(leaky, async (baseUrl) => {
          const { stats } = await benchrest(flowOf(name, baseUrl), { ...ONE, httpClient });
          expect(stats.errors.count).to.equal(1);
          const text = JSON.stringify(stats);
          expect(text).to.include('***').and.not.include('CANARY');
        }));

  it('X1 a text of one iteration is shown in another one, which does not know it as a secret', () =>
    serving(
      (request, response) => response.end(`{"id":"user-${request.url.slice(1)}"}`),
      async (baseUrl) => {
        const main = [
          { get: '/#{INDEX}', capture: { token: '$.id' } },
          { get: '/0', expect: { json: { '$.id': 'x' } } },
        ];
        const { stats } = await benchrest({ baseUrl, main }, { limit: 1, iterations: 2 });
        const [{ firstFailure, failed: failures }] = stats.checks.details;
        expect(failures).to.equal(2);
        expect(firstFailure.message).to.equal('expected "x", received "***"');
        const { stats: other } = await benchrest({ baseUrl, main: main.slice(1) }, ONE);
        expect(other.checks.details[0].firstFailure.message).to.equal('expected "x", received "user-0"');
      },
    ));

  it('X1 a message of a WebSocket that is not the expected one hides it, also where it is cut off', () =>
    chatting(
      (socket) => socket.on('message', () => socket.send(`${'x'.repeat(80)} ${CANARY.repeat(2)} and more`)),
      async (ws) => {
        const flow = { vars: { token: CANARY.repeat(2) }, main: [{ ws, send: 'a', receive: 'b' }] };
        const { stats } = await benchrest(flow, ONE);
        expect(stats.errors.kinds).to.deep.equal({ expect: 1 });
        expect(JSON.stringify(stats)).to.include('xx ***').and.not.include('CANARY');
      },
    ));

  it('X1 --debug hides what an exchange sends or captures as a secret, in every place', () =>
    serving(leaky, async (url) => {
      const main =
        "[{ get: '/a', capture: { token: '$.value' } }, { get: '/b', qs: { id: '#{token}' } }, '/session', '/c']";
      const flow = `{ baseUrl: '${url}', main: ${main} }`;
      const { code, stderr } = await command(['--debug', '-e', flow]);
      expect(code).to.equal(0);
      expect(stderr.match(/^< x-note: for \*\*\*$/gm)).to.have.lengthOf(4);
      expect(stderr).to.include('/b?id=***').and.not.include('CANARY');
    }));
});

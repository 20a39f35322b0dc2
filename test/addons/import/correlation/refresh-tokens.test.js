import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { correlate } from '../../../../lib/addons/import/correlation/correlate.js';
import { flowOf } from '../../../../lib/addons/import/draft.js';
import { recording } from '../../../support/recording.js';
import { describeSlow } from '../../../support/slow.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Ways to send a refresh token: what the client sends, and how the server reads it. */
const WAYS = [
  {
    place: 'a member of JSON',
    send: (refresh) => ({ headers: JSON_TYPE, body: JSON.stringify({ refreshToken: refresh }) }),
    read: (_, body) => JSON.parse(body).refreshToken,
  },
  {
    place: 'an inner member of JSON, of any name',
    send: (refresh) => ({ headers: JSON_TYPE, body: JSON.stringify({ data: { value: refresh } }) }),
    read: (_, body) => JSON.parse(body).data.value,
  },
  {
    place: 'a form',
    send: (refresh) => ({ headers: FORM_TYPE, body: `grant_type=refresh_token&refresh_token=${refresh}` }),
    read: (_, body) => new URLSearchParams(body).get('refresh_token'),
  },
  {
    place: 'a text',
    send: (refresh) => ({ headers: { 'Content-Type': 'text/plain' }, body: refresh }),
    read: (_, body) => body,
  },
  {
    place: 'a field of its own',
    send: (refresh) => ({ headers: { 'X-Refresh-Token': refresh } }),
    read: ({ headers }) => headers['x-refresh-token'],
  },
  {
    place: 'the field Authorization',
    send: (refresh) => ({ headers: { Authorization: `Bearer ${refresh}` } }),
    read: ({ headers }) => headers.authorization?.slice('Bearer '.length),
  },
  {
    place: 'the query',
    send: (refresh) => ({ query: `?refresh=${refresh}` }),
    read: ({ url }) => new URL(url, 'http://x').searchParams.get('refresh'),
  },
];

/** A server whose refresh tokens are valid once, as those of RFC 9700. */
async function rotating(read) {
  const valid = { access: new Set(), refresh: new Set() };
  const issue = () => {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    valid.access.add(accessToken);
    valid.refresh.add(refreshToken);
    return { accessToken, refreshToken };
  };
  const server = createServer(async (req, res) => {
    const body = await text(req);
    const answer = (status, value) => res.writeHead(status, JSON_TYPE).end(JSON.stringify(value));
    if (req.url === '/login') return answer(200, issue());
    if (req.url.startsWith('/refresh')) {
      const isValid = valid.refresh.delete(read(req, body));
      return isValid ? answer(200, issue()) : answer(401, { error: 'used' });
    }
    const isKnown = valid.access.has(req.headers.authorization?.slice('Bearer '.length));
    return answer(isKnown ? 200 : 401, { name: 'ann' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

/** The story that is recorded: both tokens of the login, and then the second ones. */
async function story(url, send, refreshes) {
  const post = async (path, { query = '', ...init }) =>
    (await fetch(`${url}${path}${query}`, { method: 'POST', ...init })).json();
  const me = (token) => fetch(`${url}/me`, { headers: { Authorization: `Bearer ${token}` } });
  let tokens = await post('/login', { headers: JSON_TYPE, body: '{"user":"ann","password":"pw-of-ann"}' });
  await me(tokens.accessToken);
  for (let i = 0; i < refreshes; i++) {
    tokens = await post('/refresh', send(tokens.refreshToken));
    await me(tokens.accessToken);
  }
}

describeSlow('refresh tokens of a recording', () => {
  for (const [i, { place, send, read }] of WAYS.entries())
    for (const refreshes of i === 0 ? [1, 2] : [1])
      it(`each iteration refreshes a token of its own, in ${place}: ${refreshes}`, async function () {
        this.timeout(60_000);
        const { server, url } = await rotating(read);
        try {
          const { exchanges } = await recording(url, (proxy) => story(proxy, send, refreshes));
          const flow = { ...flowOf(correlate(exchanges)), baseUrl: url };
          const { stats } = await benchrest(flow, { iterations: 100, limit: 20 });
          expect(stats.errors.count, JSON.stringify(flow)).to.equal(0);
          expect(stats.requests.count).to.equal(100 * (2 + 2 * refreshes));
        } finally {
          server.close();
        }
      });
});

import { once } from 'node:events';
import { createServer } from 'node:http';

import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { correlate } from '../../../../lib/addons/import/correlation/correlate.js';
import { flowOf } from '../../../../lib/addons/import/draft.js';
import { exchanges } from '../../../support/exchanges.js';
import { seeded } from '../../../support/random.js';
import { scaled } from '../../../support/scale.js';
import { itSlow } from '../../../support/slow.js';

const TOKEN = 'tok-5f2c9a81d3e7';
const SID = 'sid-91c27ab4e05f';
const LOGIN = [
  'POST /login',
  { json: { user: 'ann', password: 'x' } },
  { json: { token: TOKEN }, cookies: [`sid=${SID}; Path=/`] },
];
const withToken = { headers: { Authorization: `Bearer ${TOKEN}` } };
const withSid = { headers: { Cookie: `sid=${SID}` } };

/** The draft of a recording, with its operations by their URLs. */
function draftOf(...rows) {
  const draft = correlate(exchanges(...rows), { include: ['third-party'] });
  const all = Object.values(draft.phases).flat();
  const at = (url) => all.find(({ operation }) => Object.values(operation).includes(url));
  return { ...draft, at: (url) => at(url).operation };
}

describe('import/correlation/credentials', () => {
  it('a field is one of the flow if all requests after the capture of its value have it', () => {
    const rows = [LOGIN, ...['/a', '/b', '/c'].map((path) => [`GET ${path}`, { headers: { ...withToken.headers } }])];
    const { properties, at } = draftOf(...rows.map(([line, request, { json } = {}]) => [line, request, { json }]));
    expect(properties.headers).to.deep.equal({ Authorization: 'Bearer #{token}' });
    expect(at('/a')).to.not.have.property('headers');
  });

  for (const [title, request] of [
    ['another server', 'GET http://stats.test/a'],
    ['the same server', 'GET /refused'],
    ['another port', 'GET http://shop.test:81/a'],
  ])
    it(`a request to ${title} that had no token gets none`, () => {
      const rows = ['/a', '/b', '/c'].map((path) => [`GET ${path}`, withToken]);
      for (const at of [1, 2, 4]) {
        const { properties } = draftOf(...[LOGIN, ...rows].toSpliced(at, 0, [request]));
        expect(properties.headers, String(at)).to.equal(undefined);
      }
    });

  it('a key in the query is sent to the servers that had it, and to no sister host', () => {
    const key = 'k3y-77aa21c9e0d4';
    const session = ['POST /login', { json: { user: 'ann' } }, { json: { apikey: key } }];
    const sister = 'http://sister.shop.test/a';
    const { at } = draftOf(session, [`GET /a?apikey=${key}`], [`GET ${sister}`], [`GET ${sister}?page=2`]);
    expect(at('/a?apikey=#{apikey}')).to.not.equal(undefined);
    for (const url of [sister, `${sister}?page=2`]) expect(JSON.stringify(at(url))).to.not.include('apikey');
  });

  it('a request that had no cookie, although the server had set one, uses no jar', () => {
    const { at } = draftOf(LOGIN, ['GET /me', withSid], ['GET /refused', {}, 401], ['GET /me2', withSid]);
    expect(at('/refused')).to.deep.equal({ get: '/refused', jar: false, expect: { status: 401 } });
    expect(at('/me')).to.deep.equal({ get: '/me' });
    expect(at('/me2')).to.deep.equal({ get: '/me2' });
  });

  it('a read that was sent before a login, and follows it in the flow, gets no cookie of it', () => {
    const { at } = draftOf(['GET /public', {}, { json: { a: 1 } }], LOGIN, ['GET /me', withSid]);
    expect(at('/public')).to.deep.equal({ get: '/public', jar: false });
  });

  it('a redirect is followed only if the next request has the same credentials', () => {
    const moved = { status: 302, headers: { Location: '/next' } };
    const { at } = draftOf(['GET /from', withToken, moved], ['GET /next', {}, { json: { a: 1 } }], ['GET /x']);
    expect(at('/from').followRedirect).to.equal(false);
    expect(at('/next')).to.not.have.property('headers');
  });

  it('requests of two users have the cookies of each', () => {
    const second = 'sid-0c3e55d9a7b1';
    const login2 = ['POST /login2', { json: { user: 'bob', password: 'y' } }, { cookies: [`sid=${second}; Path=/`] }];
    const { at } = draftOf(LOGIN, ['GET /a', withSid], login2, ['GET /b', { headers: { Cookie: `sid=${second}` } }]);
    expect(at('/login2')).to.include({ jar: false });
    expect(at('/login2').capture).to.deep.equal({ sid: { cookie: 'sid' } });
    expect(at('/b').cookies).to.deep.equal({ sid: '#{sid}' });
  });

  itSlow('a run sends each credential with the requests that had it, and to the same servers', async function () {
    this.timeout(120_000);
    const random = seeded(20_261_128);
    const seen = new Map();
    const servers = await Promise.all([0, 1].map(() => listening(seen)));
    const [home, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
    try {
      for (let i = 0, runs = scaled(60, 600); i < runs; i++) {
        const recorded = recordingOf(random, [home, home, other]);
        const draft = correlate(exchanges(...recorded.rows), { include: ['third-party'], origin: home });
        const all = Object.values(draft.phases).flat();
        expect(all.filter(({ disabled }) => disabled !== undefined)).to.deep.equal([]);
        seen.clear();
        await benchrest(flowOf(draft), { iterations: 1, limit: 1 });
        const text = JSON.stringify(recorded.rows, null, 1);
        expect(Object.fromEntries(seen), text).to.deep.equal(recorded.expected);
      }
    } finally {
      for (const server of servers) server.close();
    }
  });
});

const NAMES = ['authorization', 'x-api-key', 'x-csrf', 'cookie'];

/** The order of cookies says nothing. */
const inOrder = ({ cookie, ...fields }) => ({ ...fields, ...(cookie && { cookies: cookie.split('; ').sort() }) });

/** A server that notes the credentials of each path. */
async function listening(seen) {
  const server = createServer((req, res) => {
    const own = NAMES.filter((name) => req.headers[name] !== undefined).map((name) => [name, req.headers[name]]);
    seen.set(`${req.headers.host}${req.url}`, inOrder(Object.fromEntries(own)));
    if (/^\/(?:login|moved)/.test(req.url)) res.setHeader('Set-Cookie', `sid=${SID}; Path=/`);
    if (req.url.startsWith('/moved')) res.writeHead(302, { Location: req.url.replace('moved', 'next') });
    res.end(req.url.startsWith('/login') ? JSON.stringify({ token: TOKEN }) : '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Requests with any credentials, as a client without a jar of its own may send them, and what the servers see. */
function recordingOf(random, bases) {
  const rows = [];
  const expected = {};
  const loginAt = random.below(4);
  const values = {
    authorization: () => random.pick([`Bearer ${TOKEN}`, 'Basic YW5uOng=']),
    'x-api-key': () => 'key-77aa',
    'x-csrf': () => TOKEN,
    cookie: () => random.pick([`sid=${SID}`, 'other=1', `sid=${SID}; other=1`]),
  };
  const add = (method, base, path, response, isLogin) => {
    const names = NAMES.filter(() => !isLogin && random.below(3) === 0);
    const headers = Object.fromEntries(names.map((name) => [name, values[name]()]));
    rows.push([`${method} ${base}${path}`, { headers, ...(isLogin && { json: { password: 'x' } }) }, response]);
    expected[new URL(base).host + path] = inOrder(headers);
  };
  for (let i = 0; i < 8; i++) {
    const cookies = [`sid=${SID}; Path=/`];
    if (i === loginAt) add('POST', bases[0], '/login', { json: { token: TOKEN }, cookies }, true);
    else if (random.below(6) === 0) {
      const base = random.pick(bases);
      add('GET', base, `/moved${i}`, { status: 302, headers: { Location: `/next${i}` }, cookies });
      add('GET', base, `/next${i}`, { json: {} });
    } else add('GET', random.pick(bases), `/r${i}`, { json: {} });
  }
  return { rows, expected };
}

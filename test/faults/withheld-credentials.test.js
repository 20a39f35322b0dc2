import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { command } from '../support/command.js';
import { ok, serving } from '../support/serve.js';
import { NAMES } from '../support/transports.js';
import { chatting, echo } from '../support/web-socket-server.js';

const ONE = { limit: 1, iterations: 1 };
const RUN = {
  ...ONE,
  user: 'bob',
  password: 'pw-of-bob',
  cookies: { visit: 'c' },
  headers: { 'X-Goog-Api-Key': 'k', 'X-Bearer': 'Bearer abcd', 'X-Env': '#{env.X64_KEY}', accept: 'text/plain' },
};
const SECRETS = ['authorization', 'cookie', 'x-goog-api-key', 'x-bearer', 'x-env'];
const noSecrets = ({ headers }) => {
  expect(headers).not.to.have.any.keys(SECRETS);
  expect(headers).to.include({ accept: 'text/plain' });
};
const allSecrets = ({ headers }) => expect(headers).to.include.keys(SECRETS);

/** Two servers: `home` answers with what `next(other)` returns; what `other` gets is in `elsewhere`. */
const twoServers = (next, act) =>
  serving(ok, (otherUrl, elsewhere) => {
    const other = `${otherUrl}/`;
    return serving(
      (request, response) => {
        if (request.url.startsWith('/go')) response.writeHead(302, { location: `${other}to` }).end();
        else response.end(JSON.stringify({ v: next(other), host: new URL(other).host }));
      },
      (url, seen) => act({ home: `${url}/`, seen, other, elsewhere }),
    );
  });
const itself = (other) => other;
const first = (home, capture = { v: '$.v' }) => ({ get: home, capture });

/** Sets the variable for the tests of a suite. */
const withKey = () => {
  before(() => (process.env.X64_KEY = 'a key of the environment'));
  after(() => delete process.env.X64_KEY);
};

describe('X64 X68 credentials of the run go only to origins that the flow names', () => {
  withKey();

  for (const httpClient of NAMES) {
    /** Ways in which a response chooses the origin of a request. */
    const ways = {
      'a captured URL': ({ home }) => [first(home), { get: '#{v}' }],
      'a captured host': ({ home }) => [first(home, { host: '$.host' }), { get: 'http://#{host}/' }],
      'a function of a value': ({ home }) => [first(home), { get: ({ vars }) => vars.v }],
      'a function that requests': ({ home }) => [first(home), ({ request, vars }) => request(vars.v)],
      'a hook': ({ home }) => [
        first(home),
        { get: home, beforeHooks: [(all) => ((all.requestOptions.uri = all.vars.v), all)] },
      ],
      'a hook of an operation with a captured URL': ({ home }) => [
        first(home),
        { get: '#{v}', beforeHooks: [(all) => ((all.requestOptions.headers['x-own'] = '1'), all)] },
      ],
      'a redirect': ({ home }) => [{ get: `${home}go` }],
    };
    for (const [what, main] of Object.entries(ways))
      it(`X64 not to that of ${what}: ${httpClient}`, () =>
        twoServers(itself, async ({ home, seen, other, elsewhere }) => {
          const { stats } = await benchrest({ main: main({ home }) }, { ...RUN, httpClient });
          expect(stats.errors.details).to.deep.equal([]);
          expect(elsewhere).to.have.lengthOf(1);
          seen.forEach(allSecrets);
          elsewhere.forEach(noSecrets);
          expect(stats.requests.withheld).to.deep.equal({ [other.slice(0, -1)]: 1 });
        }));

    for (const credentialsFor of ['127.0.0.1', '*', 'other.test,127.0.0.1'])
      it(`X64 credentialsFor: ${credentialsFor} sends them: ${httpClient}`, () =>
        twoServers(itself, async ({ home, elsewhere }) => {
          for (const [what, main] of Object.entries(ways)) {
            const { stats } = await benchrest({ main: main({ home }) }, { ...RUN, httpClient, credentialsFor });
            expect([what, stats.errors.details]).to.deep.equal([what, []]);
            expect(stats.requests).not.to.have.property('withheld');
          }
          expect(elsewhere).to.have.lengthOf(Object.keys(ways).length);
          elsewhere.forEach(allSecrets);
        }));

    it(`X64 the text of the flow names origins: of other operations, variables, rows, arguments, the base URL: ${httpClient}`, () =>
      twoServers(itself, async ({ home, other, elsewhere }) => {
        const { host } = new URL(other);
        const flows = [
          [{ main: [first(home), { get: '#{v}' }, { get: `${other}x` }] }, 2],
          [{ main: [{ get: `${home}go` }, { get: `${other}x` }] }, 2],
          [{ vars: { other }, main: [{ get: '#{other}' }] }, 1],
          [{ vars: { host }, main: [{ get: 'http://#{host}/' }] }, 1],
          [{ data: { rows: [{ url: other }] }, main: [{ get: '#{rows.url}' }] }, 1],
          [{ data: { rows: [{ host }] }, main: [{ get: 'http://#{rows.host}/' }] }, 1],
          [{ main: [{ get: 'http://#{args.host}/' }] }, 1],
          [{ baseUrl: other, main: [first(home), { get: '#{v}' }, { get: () => '/y' }] }, 2],
        ];
        for (const [flow, count] of flows) {
          elsewhere.length = 0;
          const { stats } = await benchrest(flow, { ...RUN, httpClient, args: { host } });
          expect([JSON.stringify(flow), stats.errors.details]).to.deep.equal([JSON.stringify(flow), []]);
          expect(elsewhere).to.have.lengthOf(count);
          elsewhere.forEach(allSecrets);
        }
      }));

    it(`X64 credentials that an operation or a hook writes itself go where it sends: ${httpClient}`, () =>
      twoServers(itself, async ({ home, elsewhere }) => {
        const main = [
          first(home),
          { get: '#{v}', auth: { bearer: 'own' } },
          { get: '#{v}', headers: { Authorization: 'Bearer own', 'x-goog-api-key': 'own' }, cookies: { own: '1' } },
          {
            get: '#{v}',
            beforeHooks: [(all) => ((all.requestOptions.headers.Authorization = 'Bearer own'), all)],
          },
        ];
        const { stats } = await benchrest({ main }, { ...RUN, httpClient });
        expect(stats.errors.details).to.deep.equal([]);
        expect(elsewhere.map(({ headers }) => headers.authorization)).to.deep.equal(Array(3).fill('Bearer own'));
        expect(elsewhere.map(({ headers }) => headers['x-goog-api-key'])).to.deep.equal([undefined, 'own', undefined]);
        expect(elsewhere.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, 'own=1', undefined]);
      }));

    it(`X64 code that names an origin itself sends them there: ${httpClient}`, () =>
      twoServers(itself, async ({ home, other, elsewhere }) => {
        const main = [
          ({ request }) => request(other),
          { get: () => other },
          { get: home, beforeHooks: [(all) => ((all.requestOptions.uri = other), all)] },
        ];
        await benchrest({ main }, { ...RUN, httpClient });
        expect(elsewhere).to.have.lengthOf(3);
        elsewhere.forEach(allSecrets);
      }));

    it(`X64 a user that a hook sets, and credentials for a challenge, stay at named origins: ${httpClient}`, () =>
      serving(
        (request, response) =>
          response
            .writeHead(request.headers.authorization ? 200 : 401, { 'www-authenticate': 'Basic realm="x"' })
            .end(),
        (other, elsewhere) =>
          serving(
            (request, response) => response.end(JSON.stringify({ v: other })),
            async (home) => {
              const login = (all) => ((all.env.user = 'ann'), (all.env.password = 'pw'), all);
              const main = [
                { ...first(home), beforeHooks: [login] },
                { get: '#{v}', expect: { status: 401 } },
                { get: '#{v}', auth: { sendImmediately: false }, expect: { status: 401 } },
                { get: '#{v}', auth: { user: 'own', pass: 'x', sendImmediately: false } },
              ];
              const { stats } = await benchrest({ main }, { ...RUN, httpClient });
              expect(stats.errors.details).to.deep.equal([]);
              const own = `Basic ${Buffer.from('own:x').toString('base64')}`;
              expect(elsewhere.map(({ headers }) => headers.authorization)).to.deep.equal([
                undefined,
                undefined,
                undefined,
                own,
              ]);
            },
          ),
      ));
  }

  const spellings = {
    'another port': (other) => other.replace(/:\d+\//, ':1/'),
    'another scheme': (other) => other.replace('http:', 'https:'),
    'a trailing dot': (other) => other.replace('127.0.0.1', 'localhost.'),
    'another name': (other) => other.replace('127.0.0.1', '127.0.0.2'),
    'an IPv6 form': (other) => other.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
  };
  for (const [what, spelling] of Object.entries(spellings))
    it(`X64 a named origin with ${what} is another origin`, () =>
      twoServers(spelling, async ({ home, other, elsewhere }) => {
        const main = [first(home), { get: '#{v}' }, { get: `${other}x` }];
        const { stats } = await benchrest({ main }, { ...RUN, timeout: 1000, connectTimeout: 500 });
        expect(Object.keys(stats.requests.withheld)).to.deep.equal([new URL(spelling(other)).origin]);
        elsewhere.filter(({ url }) => url !== '/x').forEach(noSecrets);
      }));

  for (const value of ['//evil.test/x', '\\\\evil.test', '/\\evil.test', 'http:\\\\evil.test'])
    it(`X64 ${value} leads nowhere with credentials`, () =>
      twoServers(
        () => value,
        async ({ home, seen }) => {
          const { stats } = await benchrest({ baseUrl: home, main: [first('/a'), { get: '#{v}' }] }, RUN);
          expect(stats.errors.count).to.equal(1);
          expect(seen).to.have.lengthOf(1);
        },
      ));

  it('X64 HTTP:evil.test is a path of the base URL, as in a browser', () =>
    twoServers(
      () => 'HTTP:evil.test',
      async ({ home, seen }) => {
        const { stats } = await benchrest({ baseUrl: home, main: [first('/a'), { get: '#{v}' }] }, RUN);
        expect(stats.errors.count).to.equal(0);
        expect(seen.map(({ url }) => url)).to.deep.equal(['/a', '/evil.test']);
      },
    ));

  it('X64 a WebSocket at a captured host gets none', () =>
    chatting(echo, (url, { handshakes }) =>
      serving(
        (request, response) => response.end(JSON.stringify({ host: new URL(url).host })),
        async (home) => {
          const main = [first(home, { host: '$.host' }), { ws: 'ws://#{host}/', send: 'a', receive: 1 }];
          const { stats } = await benchrest({ main }, RUN);
          expect(stats.errors.details).to.deep.equal([]);
          expect(handshakes).to.have.lengthOf(1);
          expect(handshakes[0].headers).not.to.have.any.keys(SECRETS);
        },
      ),
    ));

  it('X64 the report names the origin and the flag; the flag is read', () =>
    twoServers(itself, async ({ home, other, elsewhere }) => {
      const flow = JSON.stringify({ main: [first(home), { get: '#{v}' }] });
      const said = await command(['-n', '1', '-H', 'Authorization: Bearer CANARY', '-e', flow]);
      const origin = other.slice(0, -1);
      expect(said.stdout.replace(/\s+/g, ' ')).to.include(
        `the credentials of the run were not sent to ${origin} (1 request): a response named it, not the flow; to send them, add --credentials-for ${origin}`,
      );
      expect(elsewhere[0].headers).not.to.have.property('authorization');
      await command(['-n', '1', '-H', 'Authorization: Bearer CANARY', '-e', flow, '--credentials-for', origin]);
      expect(elsewhere[1].headers.authorization).to.equal('Bearer CANARY');
      const { code, stderr } = await command(['--credentials-for', 'http://a/b', home]);
      expect([code, /Expected hosts such as/.test(stderr)], stderr).to.deep.equal([2, true]);
    }));
});

describe('X65 no value of the run chooses a unix socket', () => {
  withKey();

  let folder;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  /** A server at a socket, and another one that answers with `v`. */
  const withSocket = async (act) => {
    const path = join(folder, 's.sock');
    const got = [];
    const server = createServer((request, response) => response.end(got.push(request.url) && '{}'));
    await new Promise((resolve) => server.listen(path, resolve));
    try {
      await act(path, got);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };

  const ways = {
    'a captured URL': () => [{ get: '#{v}' }],
    'a function': () => [{ get: ({ vars }) => vars.v }],
    'a function that requests': () => [({ request, vars }) => request(vars.v)],
    'a hook': (home) => [{ get: home, beforeHooks: [(all) => ((all.requestOptions.url = all.vars.v), all)] }],
  };
  for (const spelling of ['unix:', 'UNIX:', 'http://unix:', 'https://Unix:'])
    for (const [what, operations] of Object.entries(ways))
      it(`X65 not ${spelling} by ${what}`, function () {
        if (process.platform === 'win32') return this.skip();
        return withSocket((path, got) =>
          twoServers(
            () => `${spelling}${path}:/x`,
            async ({ home }) => {
              const { stats } = await benchrest({ main: [first(home), ...operations(home)] }, RUN);
              expect(got).to.deep.equal([]);
              expect(stats.errors.count).to.equal(1);
              expect(JSON.stringify(stats.errors)).to.match(
                /leads to a unix socket that the flow does not name: write it in socketPath/,
              );
            },
          ),
        );
      });

  it('X65 rows and parts of a path choose none either; the flow names them in a URL, a property or an option', function () {
    if (process.platform === 'win32') return this.skip();
    return withSocket(async (path, got) => {
      const url = `unix:${path}:/x`;
      const { stats } = await benchrest({ data: { rows: [{ url }] }, main: ['#{rows.url}'] }, RUN);
      expect([stats.errors.count, got]).to.deep.equal([1, []]);
      const main = [{ get: `unix:${folder}/#{name}.sock:/x` }];
      expect(() => benchrest({ vars: { name: 's' }, main }, RUN)).to.throw(/has a token in the path of a unix socket/);
      writeFileSync(join(folder, 'flow.json'), JSON.stringify({ main: [`unix:${path}:/literal`] }));
      const named = [
        [{ main: [url] }, {}],
        [{ main: [{ get: 'http://a.test/x', socketPath: path }] }, {}],
        [{ main: ['/x'] }, { socketPath: path }],
        [{ main: ['/x'] }, { baseUrl: `unix:${path}` }],
        [{ main: [() => url, url].map((get) => ({ get })) }, {}],
        [{ main: [{ get: url, beforeHooks: [(all) => ((all.requestOptions.headers.a = '1'), all)] }] }, {}],
        [
          {
            main: [
              {
                get: 'http://a.test/x',
                beforeHooks: [(all) => ((all.requestOptions.socketPath = path), all)],
              },
            ],
          },
          {},
        ],
      ];
      for (const [flow, options] of named) {
        const { stats: ended } = await benchrest(flow, { ...RUN, ...options });
        expect(ended.errors.details).to.deep.equal([]);
      }
      expect(got).to.have.lengthOf(named.length + 1);
    });
  });
});

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { maskText } from '../../lib/core/text/mask.js';
import { escapeText } from '../../lib/core/text/safe.js';
import { REPORTERS } from '../../lib/core/report/formats/index.js';
import { ROOT, command, spawned } from '../support/command.js';
import { faulting } from '../support/faulty-server.js';
import { literalResult } from '../support/literal-result.js';
import { RESPONSES } from '../support/responses.js';
import { IS_FULL, scaled } from '../support/scale.js';
import { ok, serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { SERVER_FAULTS } from './server-faults.js';

const CANARY = 'c4n4ry';
const HEADERS = {
  authorization: `Bearer ${CANARY}`,
  cookie: `sid=${CANARY}`,
  'x-api-key': CANARY,
  'x-auth-token': CANARY,
  'X-Goog-Api-Key': CANARY,
};
const QUERY = `access_token=${CANARY}&api_key=${CANARY}&password=${CANARY}&key=${CANARY}&X-Amz-Signature=${CANARY}`;
const SET_COOKIE = `Set-Cookie: sid=${CANARY}; Path=/\r\nX-Auth-Token: ${CANARY}`;

/** Responses, valid and malformed, with secrets in all parts. */
const TELLING = [
  ['a redirect to nowhere', `HTTP/1.1 302 Found\r\nLocation: ftp://ann:${CANARY}@h/?${QUERY}\r\n\r\n`],
  ['a redirect loop', `HTTP/1.1 302 Found\r\nLocation: /?${QUERY}\r\nContent-Length: 0\r\n\r\n`],
  ['a cookie with NUL', `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${CANARY}\0\r\n\r\n`],
  ['an authorization with NUL', `HTTP/1.1 200 OK\r\nAuthorization: Bearer ${CANARY}\0\r\n\r\n`],
  ['a secret in the status line', `HTTP/9 200 access_token=${CANARY}\r\n\r\n`],
  ['a secret as Content-Length', `HTTP/1.1 200 OK\r\nContent-Length: token=${CANARY}\r\n\r\n`],
  ['json as a chunk size', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{"password":"${CANARY}"}\r\n`],
  ['an error status', `HTTP/1.1 401 ${CANARY}\r\n${SET_COOKIE}\r\nContent-Length: 0\r\n\r\n`],
].map(([what, say]) => ({ id: 'X1', what, say, end: 'fin' }));

/** Every output of a run: the result in all formats, and the emitted errors with all their properties. */
async function everythingSaid(run) {
  const errors = [];
  run.on('error', (error) => errors.push(error));
  const { stats } = await run;
  const result = { ...literalResult(), ...stats };
  const shown = await Promise.all(
    REPORTERS.filter(({ name }) => name !== 'html').map(async ({ load }) =>
      (await load()).render(result, { width: 100, fullDistribution: true, distributionOf: () => [] }),
    ),
  );
  return [
    ...shown,
    ...errors.slice(0, 3).map((error) => inspect(error, { depth: 9, showHidden: true })),
    inspect(stats, { depth: 9 }),
  ];
}

describe('X1 no secret in any output', () => {
  for (const httpClient of NAMES) {
    const others = [
      ...SERVER_FAULTS,
      ...RESPONSES.filter(({ id }) => id).map((row) => ({ ...row, end: row.closes ? 'fin' : undefined })),
    ];
    const rows = IS_FULL ? [...TELLING, ...others] : [...TELLING, ...others.filter((_, i) => i % 8 === 0)];
    for (const { id, what, say, end, options } of rows) {
      it(`${id === 'X1' ? '' : `${id} `}no output contains a secret after: ${what} (${httpClient})`, () =>
        faulting(
          async (io) => {
            for (io.carried = 0; ; io.carried++) {
              await io.readRequest();
              if (typeof say === 'function') await say(io);
              // the fields of the response contain secrets too
              else
                await io.send(
                  typeof say === 'string'
                    ? Buffer.from(say.replace('HTTP/1.1 200 OK\r\n', `HTTP/1.1 200 OK\r\n${SET_COOKIE}\r\n`), 'latin1')
                    : say,
                );
              if (end) return void io[end]();
            }
          },
          async (url) => {
            const flow = [
              {
                post: `${url.replace('//', `//ann:${CANARY}@`)}/odd?${QUERY}`,
                headers: HEADERS,
                json: { password: CANARY, n: 1 },
                gzip: true,
                followAllRedirects: true,
                timeout: 150,
                afterHooks: [() => {}],
              },
            ];
            const all = await everythingSaid(
              benchrest(flow, { ...options, limit: 2, iterations: 2, httpClient, password: CANARY, user: 'ann' }),
            );
            for (const text of all) expect(text).not.to.include(CANARY);
          },
        ));
    }
  }

  it('errors of connections and of refused flows contain no secret', async () => {
    for (const flow of [
      { get: `http://ann:${CANARY}@127.0.0.1:1/?${QUERY}` },
      { get: `http://${CANARY}.invalid.example.invalid/`.replace(CANARY, 'x'), headers: HEADERS },
    ]) {
      for (const text of await everythingSaid(benchrest(flow, { limit: 1, iterations: 2 })))
        expect(text).not.to.include(CANARY);
    }
    for (const flow of [
      { get: `http://ann:${CANARY}@h:0/` },
      { get: `ftp://ann:${CANARY}@h/` },
      { get: `/?${QUERY}` },
      { get: 'http://h/', headers: { authorization: `Bearer ${CANARY}\0` } },
    ]) {
      expect(() => benchrest(flow, { limit: 1, iterations: 1 }))
        .to.throw()
        .with.property('message')
        .that.does.not.include(CANARY);
    }
  });

  itSlow('the command writes no secret to any output, and warns of a password on the command line', () =>
    serving(
      (req, res) =>
        res
          .writeHead(req.url.startsWith('/bad') ? 500 : 302, {
            'set-cookie': `sid=${CANARY}`,
            location: `/bad?${QUERY}`,
          })
          .end(`{"token":"${CANARY}"}`),
      async (url) => {
        const cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
        try {
          writeFileSync(
            join(cwd, 'flow.json'),
            JSON.stringify({ main: [{ get: `${url}/?${QUERY}`, headers: HEADERS }] }),
          );
          const files = REPORTERS.flatMap(({ name, extension }) => ['-o', `${name}${extension}`]).filter(
            (one, i, all) => all.indexOf(one) === i || one === '-o',
          );
          const unique = files.filter((one, i) => one !== '-o' || files[i + 1]?.includes('.'));
          for (const args of [
            ['-p', CANARY, ...unique],
            ['--debug', '-p', CANARY],
            ['--print-config', '-p', CANARY],
            ['--format', 'json', '--base-url', `http://ann:${CANARY}@h/`],
          ]) {
            const { stdout, stderr } = await command(
              ['-n', '2', '-c', '1', '-u', 'ann', '-H', `x-api-key: ${CANARY}`, ...args, 'flow.json'],
              { cwd },
            );
            expect(stdout + stderr, args.join(' ')).not.to.include(CANARY);
            if (args.includes('-p')) expect(stderr).to.match(/password on the command line.*BENCH_REST_PASSWORD/);
            else expect(stderr).not.to.match(/on the command line/);
          }
          const written = readdirSync(cwd).filter((name) => name !== 'flow.json');
          expect(written.length).to.be.at.least(7);
          for (const name of written) expect(readFileSync(join(cwd, name), 'utf8'), name).not.to.include(CANARY);
        } finally {
          rmSync(cwd, { recursive: true });
        }
      },
    ),
  );
});

describe('security', () => {
  itSlow('X3 data flows run with code generation from strings disabled', () =>
    serving(ok, async (url, seen) => {
      const cwd = mkdtempSync(join(tmpdir(), 'bench-rest-'));
      try {
        const evil = [
          '${process.exit(7)}',
          'constructor.constructor("process.exit(7)")()',
          '<% process.exit(7) %>',
          '#{constructor.constructor}',
        ];
        const main = [
          ...evil.slice(0, 3).map((text) => ({ put: `${url}/`, json: { text } })),
          { put: `${url}/`, body: evil[0] },
        ];
        // YAML contains JSON, and has a parser of its own
        const names = scaled(['flow.yaml'], ['flow.yaml', 'flow.json']);
        for (const name of names) writeFileSync(join(cwd, name), JSON.stringify({ main }));
        // files may be read, threads started, and nothing else: no process, no file written
        const permission = process.allowedNodeEnvironmentFlags.has('--permission')
          ? '--permission'
          : '--experimental-permission';
        const net = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ' --allow-net' : '';
        const options = `--disallow-code-generation-from-strings ${permission} --allow-fs-read=* --allow-worker${net}`;
        for (const name of names) {
          seen.length = 0;
          const { code, stderr } = await spawned(['-n', '1', '-c', '1', name], { cwd, env: { NODE_OPTIONS: options } });
          expect(code, stderr).to.equal(0);
          expect(seen).to.have.lengthOf(4);
          expect(seen.slice(0, 3).map(({ body }) => JSON.parse(body).text)).to.deep.equal(evil.slice(0, 3));
          expect(seen[3].body).to.equal(evil[0]);
        }
      } finally {
        rmSync(cwd, { recursive: true });
      }
    }),
  );

  it('X6 serve and the embedded target listen on 127.0.0.1 only', async () => {
    const { stdout } = await command(['serve', '--port', '0'], {
      act: async (child, heard) => {
        const [, url] = await heard(/REST target at (\S+)/);
        expect(new URL(url).hostname).to.equal('127.0.0.1');
        const cors = await new Promise((resolve, reject) =>
          http
            .get(url, { headers: { origin: 'http://evil.test' } }, (response) =>
              resolve((response.resume(), response.headers['access-control-allow-origin'])),
            )
            .on('error', reject),
        );
        expect(cors).to.equal(undefined);
        child.kill('SIGINT');
      },
    });
    expect(stdout).to.match(/127\.0\.0\.1/);
  });

  describe('X8 the dependencies', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const needed = Object.entries(lock.packages).filter(([name, { dev, devOptional }]) => name && !dev && !devOptional);

    it('are few, install without scripts, and are all in the lock file', () => {
      expect(needed.length).to.be.within(8, 40);
      expect(needed.filter(([, { hasInstallScript }]) => hasInstallScript)).to.deep.equal([]);
      for (const [name, { integrity, resolved }] of needed) {
        expect(integrity, name).to.match(/^sha512-/);
        expect(resolved ?? 'https://registry.npmjs.org/', name).to.match(/^https:/);
      }
    });

    it('are new enough to be without known vulnerabilities', () => {
      const version = (name) => lock.packages[`node_modules/${name}`].version.split('.').map(Number);
      const [major, minor] = version('undici');
      expect(major * 1000 + minor).to.be.at.least(7024);
      expect(version('tough-cookie')[0]).to.be.at.least(5);
    });
  });

  describe('X10 100 KB of hostile text take linear time', () => {
    const rows = [
      'a',
      ' ',
      '=',
      '"',
      '\\',
      '/',
      '#{',
      '&password=',
      'Basic ',
      '"password":"\\',
      'http://',
      '://@',
      '<',
      'p99<',
      '\u202e',
      'sid',
    ];
    for (const piece of rows) {
      it(JSON.stringify(piece), async () => {
        const text = piece.repeat(100_000 / piece.length);
        const started = process.cpuUsage();
        maskText(text);
        escapeText(text);
        for (const flow of [
          { get: text },
          { get: `http://h/${text}` },
          { put: 'http://h/', body: text },
          { get: 'http://h/', headers: { a: text } },
        ]) {
          try {
            // no server listens at h: only reading is tested; a run that starts is stopped at once
            benchrest(flow, { limit: 1, iterations: 1, thresholds: text }).stop();
          } catch (error) {
            expect(error.code).to.match(/^E_/);
          }
        }
        const { user, system } = process.cpuUsage(started);
        // a backtracking regular expression would take minutes
        expect((user + system) / 1e6).to.be.below(5);
      });
    }
  });

  itSlow('X11 the numbers of names, statuses and codes are bounded', () => {
    let n = 0;
    return faulting(
      async (io) => {
        for (;;) {
          await io.readRequest();
          n++;
          await io.send(
            `HTTP/1.1 ${100 + (n % 900) < 200 ? 200 : 100 + (n % 900)} Status ${n}\r\nX-${n}: ${n}\r\nContent-Length: 0\r\n\r\n`,
          );
        }
      },
      async (url) => {
        let i = 0;
        const unique = () => {
          throw Object.assign(new Error(`unique ${i++}`), { code: `CODE_${i}` });
        };
        const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 10, iterations: scaled(1000, 2000) });
        expect(Object.keys(stats.requests.statusCodes).length).to.be.within(100, 900);
        const { stats: failing } = await benchrest(
          { get: `${url}/#{INDEX}`, maxRedirects: 0, beforeHooks: [unique] },
          { limit: 10, iterations: scaled(1000, 2000) },
        );
        expect(failing.errors.count).to.equal(scaled(1000, 2000));
        // the first few codes of a hook, and one group of all others
        const { details } = failing.errors;
        expect(details.length).to.be.within(2, 20);
        expect(details[0].count).to.be.above(scaled(1000, 2000) - 101);
        expect(JSON.stringify(failing).length).to.be.below(100_000);
      },
    );
  });
});

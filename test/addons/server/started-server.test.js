import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { isGroupAlive } from '../../../lib/addons/server/process-group.js';
import { StartedServer, accepts, answers, spawnProblem } from '../../../lib/addons/server/started-server.js';
import { CERTIFICATES } from '../../support/certificate.js';
import { listen, ok, serving, shut } from '../../support/serve.js';
import { until } from '../../support/until.js';

const NOWHERE = 'http://127.0.0.1:1';

/** A command, and the place where its server is expected. */
const settings = (command, more = {}) => ({
  command,
  env: {},
  cwd: '.',
  timeout: 60_000,
  origins: [NOWHERE],
  tls: {},
  port: '1234',
  isPortFree: true,
  ...more,
});

/** Why a server does not start. */
async function refusal(command, more) {
  const server = new StartedServer(settings(command, more));
  try {
    return await server.start().then(
      () => expect.fail('it started'),
      (error) => error,
    );
  } finally {
    await server.stop();
  }
}

describe('a started server', () => {
  it('a line runs in the shell, in its folder, with PORT and its variables', async () => {
    const { code, message } = await refusal('echo $PORT:$NAME && pwd && exit 3', {
      env: { NAME: 'value' },
      cwd: tmpdir(),
    });
    expect(code).to.equal('E_START_ENDED');
    expect(message)
      .to.match(
        /^the server ended with code 3 after [\d.]+ s, before it was ready \(a connection to http:\/\/127\.0\.0\.1:1\)/,
      )
      .and.include(`Its last output:\n  | 1234:value\n  | ${tmpdir()}`);
  });

  for (const [what, command, more, how] of [
    ['is missing', ['no-such-program'], {}, 'ENOENT'],
    ['has a file as its folder', 'echo', { cwd: process.execPath }, 'ENOTDIR'],
    ['has a null byte', 'echo \0', {}, 'null bytes'],
  ])
    it(`a command that ${what} is not started`, async () => {
      const { code, message } = await refusal(command, more);
      expect(code).to.equal('E_START_COMMAND');
      expect(message).to.match(new RegExp(`^the server was not started, .*${how}`));
    });

  it('a program and its arguments run without a shell', async () => {
    const { message } = await refusal(['printf', '%s', '$PORT; rm -rf "x"']);
    expect(message).to.include('\n  | $PORT; rm -rf "x"');
  });

  for (const { what, command, expected } of [
    { what: 'a program that does not exist', command: ['no-such-program'], expected: /spawn no-such-program ENOENT/ },
    { what: 'a line with an unknown program', command: 'no-such-program', expected: /is the program installed\?/ },
    { what: 'a port in use', command: 'echo "Error: listen EADDRINUSE" >&2; exit 1', expected: /its port is in use/ },
    { what: 'a missing file', command: 'echo "Cannot find module /x"; exit 1', expected: /check the path/ },
    {
      what: 'the file of a run',
      command: 'echo _preloadModules; echo ERR_ACCESS_DENIED; exit 1',
      expected: /--watch off/,
    },
    { what: 'a command that starts nothing', command: 'exit 0', expected: /must stay in the foreground: for example/ },
    { what: 'a signal', command: 'kill -9 $$', expected: /ended with SIGKILL/ },
    { what: 'nothing written', command: 'exit 1', expected: /It wrote nothing/ },
    { what: 'a secret in the output', command: 'echo password=hunter2; exit 1', expected: /password=\*\*\*/ },
  ]) {
    it(`F96 the message of a server that dies at once has the remedy: ${what}`, async () => {
      expect((await refusal(command)).message).to.match(expected);
    });
  }

  for (const [command, remedy] of [
    ['nginx', "nginx -g 'daemon off;'"],
    ['redis-server --port $PORT --daemonize yes', 'redis-server --daemonize no'],
    ['gunicorn app:app --daemon', 'gunicorn without --daemon'],
    ['npx pm2 start app.js', 'pm2-runtime instead of pm2'],
    ['docker compose up -d', 'docker run or docker compose up without -d'],
    ['apachectl start', 'httpd -DFOREGROUND'],
    ['pg_ctl start -D data', 'postgres instead of pg_ctl'],
    ['node app.js &', 'the command without &'],
    ['cd app && ./daemon', "for example nginx -g 'daemon off;'"],
  ])
    it(`F132 the refusal of a server in the background names what keeps it in the foreground: ${command}`, async () => {
      const { code, message } = await refusal(
        `true ${command}`.replace('&&', '; :').replace(/true (.*&)$/, 'true; : $1'),
      );
      expect(code).to.equal('E_START_ENDED');
      expect(message).to.include(`a server must stay in the foreground: ${remedy}`);
    });

  it('names the shell that scripts need on Windows', () => {
    const error = Object.assign(new Error('spawn npm ENOENT'), { code: 'ENOENT' });
    expect(spawnProblem(error, ['npm', 'start'], 'win32')).to.equal(
      'spawn npm ENOENT; a script such as npm needs a shell: --start "npm start"',
    );
    expect(spawnProblem(error, ['npm', 'start'], 'linux')).to.equal('spawn npm ENOENT');
    expect(spawnProblem(error, 'npm start', 'win32')).to.equal('spawn npm ENOENT');
  });

  it('F99 a server that listens while this process is suspended is ready, even after its time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const socketPath = join(folder, 'server');
    const timeout = 50;
    const server = new StartedServer(
      settings(['node', '-e', `net.createServer().listen(${JSON.stringify(socketPath)})`], { socketPath, timeout }),
    );
    const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    const suspend = () => {
      sleep(2 * timeout);
      while (!existsSync(socketPath)) sleep(timeout);
      return false;
    };
    try {
      expect(await server.start(suspend)).to.include({ origin: NOWHERE });
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('F99 a server that never listens fails the run after its time, with the address that it lacks', async () => {
    let error;
    // a machine that pauses may not let the command write anything in time: then with more time
    for (let timeout = 200; !error?.message.includes('| starting'); timeout *= 2)
      error = await refusal('echo starting; sleep 100', { timeout });
    expect(error.code).to.equal('E_START_TIMEOUT');
    expect(error.message)
      .to.match(/^the server is not ready after [\d.]+ m?s, waited for a connection to http:\/\/127\.0\.0\.1:1/)
      .and.match(/does it listen on the port in PORT\?/)
      .and.include('\n  | starting');
  });

  it('F99 a server that is never ready fails the run with its last answer', () =>
    serving(
      (_, response) => response.writeHead(503).end(),
      async (url) => {
        const { message } = await refusal('sleep 100', { origins: [url], ready: '/health', timeout: 1000 });
        expect(message).to.include(`waited for 2xx or 3xx of GET ${url}/health, which answered 503`);
      },
    ));

  it('F100 a server is not started where something listens already', () =>
    serving(ok, async (url) => {
      const { code, message } = await refusal('echo started', { origins: [url], isPortFree: false });
      expect(code).to.equal('E_START_IN_USE');
      expect(message).to.include(`something listens at ${url} already`);
    }));

  it('F98 the place that answers is reported, of several', () =>
    serving(ok, async (url) => {
      const server = new StartedServer(settings('sleep 100', { origins: [NOWHERE, url] }));
      const { origin, pid } = await server.start();
      expect(origin).to.equal(url);
      await server.stop();
      expect(isGroupAlive(pid)).to.equal(false);
      expect(server.hasEnded).to.equal(false);
    }));

  it('F97 the end of a server is reported once, with its last output', () =>
    serving(ok, async (url) => {
      const server = new StartedServer(settings('echo "Error: gone" >&2; read -r _; exit 7', { origins: [url] }));
      const ends = [];
      server.start().catch(() => {});
      server.onEnd((end) => ends.push(end));
      await until(() => ends.length > 0);
      expect(server.hasEnded).to.equal(true);
      expect(await server.outputText()).to.equal('\n  | Error: gone');
      await server.stop();
      expect(ends).to.have.lengthOf(1);
      expect(ends[0].how).to.match(/^ended with code 7 after [\d.]+ s$/);
    }));

  it('a server that is stopped before its process exists is not started', async () => {
    const server = new StartedServer(settings('sleep 100'));
    const started = server.start().catch((error) => error);
    await server.stop();
    expect(await started).to.include({ code: 'E_START_ENDED' });
  });

  it('F101 a server may close its output', () =>
    serving(ok, async (url) => {
      const server = new StartedServer(settings('exec >&- 2>&-; exec sleep 100', { origins: [url] }));
      const { pid } = await server.start();
      expect(isGroupAlive(pid)).to.equal(true);
      await server.stop();
      expect(await server.outputText()).to.equal('');
    }));

  it('a start that is not needed any more does not wait', async () => {
    const server = new StartedServer(settings('sleep 100'));
    await server.start(() => true);
    await server.stop();
  });
});

describe('readiness of a server', () => {
  for (const { status, isReady } of [
    { status: 200, isReady: true },
    { status: 204, isReady: true },
    { status: 302, isReady: true },
    { status: 404, isReady: false },
    { status: 503, isReady: false },
  ]) {
    it(`a server that answers ${status} is ${isReady ? '' : 'not '}ready`, () =>
      serving(
        (_, response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
        async (url) =>
          expect(await answers(`${url}/health`, {})).to.deep.equal({ isReady, what: `answered ${status}` }),
      ));
  }

  it('a server that closes the connection, or does not listen, is not ready, with the reason', async () => {
    const server = createSocketServer((socket) => socket.destroy());
    const url = await listen(server);
    expect(await accepts({ origin: url })).to.equal(true);
    expect(await answers(url, {})).to.deep.equal({ isReady: false, what: 'failed: socket hang up' });
    await shut(server);
    expect(await accepts({ origin: url })).to.equal(false);
    expect((await answers(url, {})).what).to.match(/^failed: connect ECONNREFUSED/);
  });

  it('a server with a certificate of an authority of its own is found with its certificate', async () => {
    const server = createTlsServer(CERTIFICATES.here, (_, response) => response.end());
    const url = (await listen(server)).replace('http:', 'https:');
    const { ca } = CERTIFICATES;
    expect((await answers(url, {})).what).to.match(/^failed: unable to verify.*: pass ca, or use --insecure$/);
    expect(await answers(url, { tls: { ca } })).to.deep.equal({ isReady: true, what: 'answered 200' });
    await shut(server);
  });

  it('a server at a unix socket is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const socketPath = join(folder, 's');
    const server = createServer((_, response) => response.end());
    expect(await accepts({ origin: 'http://localhost', socketPath })).to.equal(false);
    await new Promise((resolve) => server.listen(socketPath, resolve));
    expect(await accepts({ origin: 'http://localhost', socketPath })).to.equal(true);
    expect(await answers('http://localhost/', { socketPath })).to.deep.equal({ isReady: true, what: 'answered 200' });
    await shut(server);
    rmSync(folder, { recursive: true });
  });
});

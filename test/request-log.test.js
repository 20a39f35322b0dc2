import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { expect } from 'chai';

import benchrest from '../index.js';
import { mergeLogs } from '../lib/addons/merge/merge-logs.js';
import { machine } from '../lib/addons/processes/private-folder.js';
import { lockLogs } from '../lib/addons/log/log-file.js';
import { LOG_COLUMNS } from '../lib/addons/log/log-format.js';
import { AGENT_OPTIONS } from '../lib/addons/agents/options/agents.js';
import { RUN_OPTIONS } from '../lib/core/run/options/index.js';
import { TRANSPORTS } from '../lib/core/transport/index.js';
import { PROGRAM, command, saidBy, spawned } from './support/command.js';
import { REFUSED_URL } from './support/faulty-server.js';
import { inFolder } from './support/in-folder.js';
import { scaled } from './support/scale.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here, suiteHere } from './support/threads-here.js';
import { NAMES } from './support/transports.js';
import { until } from './support/until.js';

const FLOW = new URL('./support/flows/worker.mjs', import.meta.url);

const linesOf = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const sumOf = (lines) => lines.reduce((sum, { weight }) => sum + weight, 0);

/** Answers: a redirect, a challenge, a reset after an answer, a status of 500. */
const answer = () => {
  let calls = 0;
  return (req, res) => {
    if (req.url === '/from') return res.writeHead(302, { location: '/to' }).end();
    if (req.url === '/secret' && !req.headers.authorization)
      return res.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' }).end();
    if (req.url === '/reset' && calls++ === 0) return req.socket.destroy();
    if (req.url === '/bad') return res.writeHead(500).end('no');
    return res.end('fine');
  };
};

describe('log of requests', () => {
  for (const httpClient of NAMES) {
    it(`has a line for each request: redirects, challenges, retries and errors, too, ${httpClient}`, () =>
      inFolder((folder) =>
        serving(answer(), async (url, seen) => {
          const log = join(folder, 'requests.ndjson');
          const flow = {
            before: [{ get: `${url}/login` }],
            main: [
              { get: `${url}/from` },
              { get: `${url}/secret`, auth: { user: 'u', pass: 'p', sendImmediately: false } },
              { get: `${url}/reset` },
              { put: `${url}/put`, body: 'ä'.repeat(10) },
              { get: `${url}/bad` },
            ],
            after: [{ get: `${url}/logout` }],
          };
          const { stats } = await benchrest(flow, { limit: 1, iterations: 1, httpClient, log });
          const lines = linesOf(log);
          expect(Object.keys(lines[0])).to.deep.equal(LOG_COLUMNS.map(({ name }) => name));
          expect(lines.map(({ phase, operation, kind, status }) => [phase, operation, kind, status])).to.deep.equal([
            ['before', 'GET /login', 'request', 200],
            ['main', 'GET /from', 'request', 302],
            ['main', 'GET /from', 'redirect', 200],
            ['main', 'GET /secret', 'request', 401],
            ['main', 'GET /secret', 'challenge', 200],
            ['main', 'GET /reset', 'request', null],
            ['main', 'GET /reset', 'retry', 200],
            ['main', 'PUT /put', 'request', 200],
            ['main', 'GET /bad', 'request', 500],
            ['after', 'GET /logout', 'request', 200],
          ]);
          expect(lines).to.have.length(seen.length);
          expect(lines.map(({ error }) => error).filter(Boolean)).to.deep.equal(['E_RESET_BEFORE_HEAD']);
          expect(new Set(lines.map(({ weight }) => weight))).to.deep.equal(new Set([1]));
          expect(new Set(lines.map(({ address }) => address))).to.deep.equal(new Set([new URL(url).host]));
          const { bytes } = stats;
          expect(stats.log.files).to.deep.equal([{ file: log, requests: 10, lines: 10, behindDisk: 0 }]);
          const ofIterations = lines.filter(({ phase }) => phase !== 'before' && phase !== 'after');
          expect(ofIterations.reduce((sum, { bytesOut }) => sum + bytesOut, 0)).to.equal(bytes.sent);
          expect(ofIterations.reduce((sum, { bytesIn }) => sum + bytesIn, 0)).to.equal(bytes.received);
        }),
      ));

    it(`its times are in order, and of the run, ${httpClient}`, () =>
      inFolder((folder) =>
        serving(ok, async (url) => {
          const log = join(folder, 'requests.ndjson');
          const before = Date.now();
          await benchrest(`${url}/#{INDEX}`, { limit: 2, iterations: 20, rate: 1000, httpClient, log });
          const lines = linesOf(log);
          expect(lines.map(({ iteration }) => iteration).sort((a, b) => a - b)).to.deep.equal([...Array(20).keys()]);
          for (const { time, due, started, connected, sent, firstByte, end, virtualUser } of lines) {
            expect(time).to.be.within(before - 10, Date.now() + 10);
            const instants = [0, due, started, connected, sent, firstByte, end].filter((instant) => instant !== null);
            expect([...instants].sort((a, b) => a - b)).to.deep.equal(instants);
            expect(virtualUser).to.be.oneOf([0, 1]);
          }
          const times = lines.map(({ time }) => time);
          expect([...times].sort((a, b) => a - b)).to.deep.equal(times);
          const opened = lines.filter(({ connected }) => connected !== null);
          expect(opened.map(({ connection }) => connection).sort()).to.deep.equal(
            [...new Set(lines.map(({ connection }) => connection))].sort(),
          );
        }),
      ));

    it(`a connection that is refused has a line with its error and its address, ${httpClient}`, () =>
      inFolder(async (folder) => {
        const log = join(folder, 'requests.csv');
        await benchrest(REFUSED_URL, { limit: 1, iterations: 1, httpClient, log });
        const [header, line] = readFileSync(log, 'utf8').split('\n');
        const names = header.split(',');
        const values = Object.fromEntries(line.split(',').map((value, i) => [names[i], value]));
        expect(values).to.include({
          error: 'ECONNREFUSED',
          status: '',
          sent: '',
          connection: '',
          bytesOut: '0',
          bytesIn: '0',
          address: new URL(REFUSED_URL).host,
        });
      }));
  }

  describe('with any other run option, the sum of weight is the number of requests that were answered', () => {
    const ENDLESS = { iterations: undefined };
    const OPTIONS = {
      retryAfter: true,
      iterations: 7,
      limit: 3,
      duration: 2000,
      forever: false,
      rate: 2000,
      arrival: { arrival: 'poisson', rate: 2000 },
      pacing: { pacing: 'timer', rate: 2000 },
      seed: 7,
      stages: { ...ENDLESS, stages: ['20ms:1000'] },
      scale: { ...ENDLESS, stages: ['20ms:500'], scale: 2 },
      speed: { ...ENDLESS, stages: ['40ms:1000'], speed: 2 },
      maxBacklog: { maxBacklog: 1000, rate: 2000 },
      warmup: 5,
      rampUp: 10,
      pause: 1,
      ratePerUser: 1000,
      maxRequestsPerUser: { ...ENDLESS, maxRequestsPerUser: 5 },
      maxRequests: { ...ENDLESS, maxRequests: 5 },
      prealloc: 3,
      shard: '2/2',
      signal: new AbortController().signal,
      headers: { a: 'b' },
      cookies: ['a=b'],
      args: { a: 'b' },
      user: { user: 'u', password: 'p' },
      timeout: 5000,
      gracefulStop: 1000,
      teardownTimeout: 1000,
      maxBodySize: 1000,
      maxBodyMemory: 10_000_000,
      maxHeaderSize: 20_000,
      maxHeaderFields: 100,
      pipelining: 2,
      connectTimeout: 5000,
      requestsPerConnection: 1000,
      dnsCache: false,
      family: 4,
      keepAlive: false,
      insecure: true,
      thresholds: ['errors<1'],
      abortOnFail: { abortOnFail: true, thresholds: ['errors<1'] },
      abortOnFailOf: { abortOnFailOf: 'GET /', thresholds: ['GET / errors<1'] },
      abortAfter: { abortAfter: 100, abortOnFail: true, thresholds: ['errors<1'] },
      bailout: 100,
      strict: true,
      keepGoing: false,
      progress: 10,
      quiet: true,
      title: 'a title',
      label: 'a label',
      percentiles: [12.5],
      seriesInterval: 10,
      expectedInterval: 1,
      trace: () => {},
      target: ok,
    };
    /**
     * Options that need a file, a certificate, a proxy, another machine or ten seconds, and those of a flow or the
     * command.
     */
    const OTHERS = [
      ...[
        'startAt',
        'runId',
        'envFiles',
        'password',
        'credentialsFor',
        'allowTargets',
        'connectTo',
        'resolver',
        'socketPath',
        'baseUrl',
      ],
      ...['ca', 'cert', 'key', 'pfx', 'passphrase', 'servername', 'tlsMin', 'tlsMax', 'ciphers'],
      ...['proxy', 'noProxy', 'proxyInsecure', 'harCookies', 'harTiming', 'log', 'start', 'httpClient', 'workers'],
      ...['precision', 'maxDuration', 'http2', 'connections', 'streams', 'otlp', 'prometheus'],
      ...['addons', 'watch', 'profile', 'traceContext', 'traceLink'],
      ...AGENT_OPTIONS,
    ];

    // a run with a target has a worker
    suiteHere('workers');
    for (const [i, [name, value]] of Object.entries(OPTIONS).entries()) {
      const row = RUN_OPTIONS.find((one) => one.name === name);
      const isGroup = value !== null && typeof value === 'object' && name in value;
      const options = isGroup ? value : { [name]: value };
      const able = TRANSPORTS.filter(
        ({ capabilities }) => !row.needsCapability?.(options[name]) || capabilities.includes(name),
      );
      // with the small counts each option has one client, in turn
      for (const { name: httpClient } of scaled([able[i % able.length]], able)) {
        it(`${name}, ${httpClient}`, () =>
          inFolder((folder) =>
            serving(ok, async (url) => {
              const log = join(folder, 'requests.ndjson');
              const flow = name === 'target' ? '/' : url;
              const { stats } = await benchrest(flow, { limit: 2, iterations: 20, httpClient, log, ...options });
              expect(stats.errors.count).to.equal(0);
              const [file] = readdirSync(folder);
              expect(sumOf(linesOf(join(folder, file)))).to.equal(stats.requests.answered);
              expect(stats.requests.answered).to.be.above(0);
            }),
          ));
      }
    }

    it('each run option has a row', () => {
      const names = RUN_OPTIONS.map(({ name }) => name);
      expect([...Object.keys(OPTIONS), ...OTHERS].sort()).to.deep.equal(names.sort());
    });
  });

  it('with pipelining each request has a line, and connections are shared', () =>
    inFolder((folder) =>
      serving(ok, async (url) => {
        const log = join(folder, 'requests.ndjson');
        const options = { limit: 2, iterations: 50, pipelining: 4, httpClient: 'builtin', log };
        const run = await benchrest(`${url}/#{INDEX}`, options);
        const lines = linesOf(log);
        expect(lines).to.have.length(50);
        expect(new Set(lines.map(({ connection }) => connection)).size).to.equal(run.stats.connections.opened);
        expect(lines.reduce((sum, { bytesIn }) => sum + bytesIn, 0)).to.equal(run.stats.bytes.received);
        expect(lines.reduce((sum, { bytesOut }) => sum + bytesOut, 0)).to.equal(run.stats.bytes.sent);
      }),
    ));

  it('the warm-up has no lines', () =>
    inFolder((folder) =>
      serving(ok, async (url) => {
        const log = join(folder, 'requests.ndjson');
        await benchrest(url, { limit: 1, iterations: 3, warmup: 20, log });
        expect(linesOf(log)).to.have.length(3);
      }),
    ));

  it('--debug writes a line for each request that it prints', () =>
    inFolder((folder) =>
      serving(ok, async (url) => {
        const log = join(folder, 'requests.ndjson');
        const { stderr } = await command(['--debug', '--log', log, url]);
        expect(stderr).to.contain('200');
        expect(linesOf(log).map(({ status, weight }) => [status, weight])).to.deep.equal([[200, 1]]);
      }),
    ));

  for (const httpClient of NAMES)
    it(`a trace that throws fails the iteration; the line is about the response, ${httpClient}`, () =>
      inFolder((folder) =>
        serving(ok, async (url) => {
          const log = join(folder, 'requests.ndjson');
          const trace = () => {
            throw new Error('of the trace');
          };
          const { stats } = await benchrest(url, { limit: 1, iterations: 2, httpClient, log, trace });
          expect(stats.iterations.failed).to.equal(2);
          expect(linesOf(log).map(({ status, error }) => [status, error])).to.deep.equal([
            [200, null],
            [200, null],
          ]);
        }),
      ));

  it('T71 the name of an operation may have any length', () =>
    inFolder((folder) =>
      serving(ok, async (url) => {
        const log = join(folder, 'requests.csv');
        const flow = { main: [{ get: url, name: 'n'.repeat(270_000) }] };
        const { stats } = await benchrest(flow, { limit: 1, iterations: 3, log });
        expect(stats.log.files[0]).to.include({ requests: 3, lines: 3 });
      }),
    ));

  itSlow('T72 a log that outgrew its limit has complete lines only, and the report counts them', function () {
    if (process.platform === 'win32') return this.skip();
    return inFolder((folder) =>
      serving(ok, async (url) => {
        const log = join(folder, 'big.csv');
        const args = [PROGRAM, '-n', '2000', '--log', log, url];
        const words = ['-c', 'ulimit -f 40; exec "$0" "$@"', process.execPath, ...args];
        const { code, stdout } = await saidBy('sh', words);
        const text = readFileSync(log, 'utf8');
        const count = text.split('\n').length - 2;
        expect(text.endsWith('\n')).to.equal(true);
        expect(count).to.be.above(100);
        expect(stdout.replace(/\s+/g, ' ')).to.contain(`big.csv: ${count} lines for 2,000 requests`);
        expect(code).to.equal(5);
      }),
    );
  });

  itSlow('workers write their own files, and merge --log joins them in the order of time', () =>
    inFolder((folder) =>
      serving(ok, async (url, seen) => {
        const log = join(folder, 'requests.ndjson');
        const run = () => benchrest(FLOW, { baseUrl: url, limit: 4, iterations: 40, workers: 2, log });
        const { stats } = await here('workers', run);
        const files = readdirSync(folder).sort();
        expect(files).to.deep.equal(['requests.1.ndjson', 'requests.2.ndjson', 'requests.ndjson']);
        expect(stats.log.files.reduce((sum, { lines }) => sum + lines, 0)).to.equal(seen.length);
        const paths = files.map((file) => join(folder, file));
        const merged = join(folder, 'all.ndjson');
        const { code } = await command(['merge', '--log', ...paths, '-o', merged]);
        expect(code).to.equal(0);
        const lines = linesOf(merged);
        expect(lines).to.have.length(seen.length);
        const times = lines.map(({ time }) => time);
        expect([...times].sort((a, b) => a - b)).to.deep.equal(times);
        const ofThreads = paths.map((path) => new Set(linesOf(path).map(({ connection }) => connection)));
        const connections = ofThreads.flatMap((numbers) => [...numbers]);
        expect(new Set(connections).size).to.equal(connections.length);
      }),
    ),
  );

  it('merge --log joins CSV files with one header, on stdout, and leaves out a last line that was cut off', () =>
    inFolder(async (folder) => {
      const header = `${LOG_COLUMNS.map(({ name }) => name).join(',')}\n`;
      const line = (time) => `${time}${','.repeat(LOG_COLUMNS.length - 1)}\n`;
      writeFileSync(join(folder, 'a.csv'), `${header}${line(1)}${line(3)}`);
      writeFileSync(join(folder, 'b.csv'), `${header}${line(2)}4,,`);
      const { stdout, stderr, code } = await command(['merge', '--log', join(folder, 'a.csv'), join(folder, 'b.csv')]);
      expect(stdout).to.equal(`${header}${line(1)}${line(2)}${line(3)}`);
      expect(stderr).to.contain('b.csv: its last line is incomplete and left out');
      expect(code).to.equal(0);
    }));

  it('merge --log onto a full stdout ends, and puts no lines onto stderr', () =>
    inFolder(async (folder) => {
      const header = `${LOG_COLUMNS.map(({ name }) => name).join(',')}\n`;
      writeFileSync(join(folder, 'a.csv'), header + `1${','.repeat(LOG_COLUMNS.length - 1)}\n`.repeat(10_000));
      const written = { stdout: [], stderr: [] };
      const stream = (name, error) => {
        const write = (chunk, _, done) => {
          written[name].push(String(chunk));
          done(error);
        };
        return new Writable({ write }).on('error', () => {});
      };
      const io = { stdout: stream('stdout', new Error('ENOSPC')), stderr: stream('stderr', null), cwd: () => folder };
      const reasons = await mergeLogs({ paths: ['a.csv'], outputs: [], thresholds: [] }, io);
      expect([...reasons]).to.deep.equal(['notWritten']);
      expect(written.stdout).to.have.lengthOf(1);
      expect(written.stderr.join('')).to.match(/ENOSPC.*the log is not complete/s);
      expect(written.stderr.join('').length).to.be.below(200);
    }));

  it('merge --log reads no further when the reader of stdout, such as head, has gone', () =>
    inFolder(async (folder) => {
      const header = `${LOG_COLUMNS.map(({ name }) => name).join(',')}\n`;
      const lines = `1${','.repeat(LOG_COLUMNS.length - 1)}\n`.repeat(10_000);
      writeFileSync(join(folder, 'a.csv'), `${header}${lines}not a line of a log\n`);
      const gone = Object.assign(new Error('EPIPE'), { code: 'EPIPE' });
      const stdout = new Writable({ write: (_chunk, _encoding, done) => done(gone) }).on('error', () => {});
      const reasons = await mergeLogs({ paths: ['a.csv'], outputs: [], thresholds: [] }, { stdout, cwd: () => folder });
      expect([...reasons]).to.deep.equal([]);
    }));

  it('T75 merge --log takes a last line without an end as incomplete, also in the middle of its last value', () =>
    inFolder(async (folder) => {
      const header = `${LOG_COLUMNS.map(({ name }) => name).join(',')}\n`;
      const line = (time, weight) => `${time}${','.repeat(LOG_COLUMNS.length - 1)}${weight}`;
      writeFileSync(join(folder, 'a.csv'), `${header}${line(1, 128)}\n${line(2, 12)}`);
      const { stdout, stderr, code } = await command(['merge', '--log', join(folder, 'a.csv')]);
      expect(stdout).to.equal(`${header}${line(1, 128)}\n`);
      expect(stderr).to.contain('a.csv: its last line is incomplete and left out');
      expect(code).to.equal(0);
    }));

  for (const [what, name, text, reason] of [
    ['a line with too few columns, one of them with commas', 'a.csv', `1,"${','.repeat(30)}"\n`, /no log.*: line 2/],
    ['a log of another program', 'a.ndjson', '{"time":1700000000,"level":30}\n', /no log of requests/],
    ['a file without an end of line', 'a.ndjson', '[1,2,3]', /no log of requests/],
    ['a long file without an end of line', 'a.ndjson', `{"time":1,"data":"${'x'.repeat(1e6)}`, /no log of requests/],
  ])
    it(`T75 merge --log refuses ${what}`, () =>
      inFolder(async (folder) => {
        const header = name === 'a.csv' ? `${LOG_COLUMNS.map((column) => column.name).join(',')}\n` : '';
        writeFileSync(join(folder, name), header + text);
        const { stderr, code } = await command(['merge', '--log', name], { cwd: folder });
        expect(stderr).to.match(reason);
        expect(code).to.be.above(1);
      }));

  itSlow('T75 merge --log onto a full disk says so, keeps the old file, and exits with 5', function () {
    if (process.platform === 'win32') return this.skip();
    return inFolder(async (folder) => {
      const header = `${LOG_COLUMNS.map(({ name }) => name).join(',')}\n`;
      const line = `1${','.repeat(LOG_COLUMNS.length - 1)}\n`;
      writeFileSync(join(folder, 'a.csv'), header + line.repeat(1000));
      writeFileSync(join(folder, 'all.csv'), header);
      const args = [PROGRAM, 'merge', '--log', join(folder, 'a.csv'), '-o', join(folder, 'all.csv')];
      const { code, stderr } = await saidBy('sh', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, ...args]);
      expect(stderr).to.match(/a result was not written: .*all\.csv: EFBIG/);
      expect(stderr).not.to.contain('    at ');
      expect(code).to.equal(5);
      expect(readFileSync(join(folder, 'all.csv'), 'utf8')).to.equal(header);
      expect(readdirSync(folder).sort()).to.deep.equal(['a.csv', 'all.csv']);
    });
  });

  for (const flags of [
    ['--json'],
    ['--format', 'csv'],
    ['--full'],
    ['--latency'],
    ['--partial'],
    ['--threshold', 'errors<1'],
    ['--require-valid'],
  ])
    it(`merge --log refuses ${flags.join(' ')}`, async () => {
      const { stderr, code } = await command(['merge', '--log', 'a.csv', ...flags]);
      expect(stderr).to.contain(`${flags[0]} cannot be combined with --log`);
      expect(code).to.equal(2);
    });

  for (const [what, args, reason] of [
    ['a file that is no log', ['flow.csv'], /flow\.csv is no log of requests: its columns differ/],
    ['a file that does not exist', ['none.csv'], /none\.csv/],
    ['two formats', ['flow.csv', 'a.ndjson'], /logs of one format can be joined/],
    [
      'an output with another extension',
      ['flow.csv', '-o', 'all.json'],
      /-o all\.json: name a file that ends with \.csv/,
    ],
  ])
    it(`merge --log refuses ${what}`, () =>
      inFolder(async (folder) => {
        writeFileSync(join(folder, 'flow.csv'), 'a,b\n1,2\n');
        const { stderr, code } = await command(['merge', '--log', ...args], { cwd: folder });
        expect(stderr).to.match(reason);
        expect(code).to.be.above(1);
      }));

  it('a file that cannot be written is reported, and does not stop the run', function () {
    if (process.platform !== 'linux') this.skip();
    return inFolder((folder) =>
      serving(ok, async (url, seen) => {
        const log = join(folder, 'requests.ndjson');
        writeFileSync(log, '');
        const { LogFile } = await import('../lib/addons/log/log-file.js');
        const { open: own } = LogFile;
        const { open } = await import('node:fs/promises');
        // a disk that is full from the beginning
        LogFile.open = async () => new LogFile(await open('/dev/full', 'w'));
        try {
          const { stats } = await benchrest(url, { limit: 1, iterations: 20, log });
          expect(seen).to.have.length(20);
          expect(stats.log.files).to.deep.equal([
            { file: log, requests: 20, lines: 0, behindDisk: 0, error: 'the disk is full' },
          ]);
        } finally {
          LogFile.open = own;
        }
      }),
    );
  });

  describe('T73 an output to a file of the log is refused before the first request', () => {
    for (const [what, flags, log, output] of [
      ['the log itself', [], 'x.csv', 'x.csv'],
      ['the log of a worker', ['-c', '2', '-w', '2'], 'x.csv', 'x.1.csv'],
      ['the log of a shard', ['-c', '2', '--shard', '1/2'], 'x.csv', 'x.shard1.csv'],
      ['the log of a worker of a shard', ['-c', '4', '-w', '2', '--shard', '2/2'], 'x.ndjson', 'x.shard2.2.ndjson'],
    ])
      it(what, () =>
        inFolder((folder) =>
          serving(ok, async (url, seen) => {
            const args = ['-n', '8', ...flags, '--log', join(folder, log), '-o', join(folder, output), url];
            const { code, stderr } = await command(args);
            expect(stderr).to.contain(`${output} is a file of --log`);
            expect([code, seen.length, readdirSync(folder)]).to.deep.equal([2, 0, []]);
          }),
        ),
      );

    it('a log of the run options of the flow', () =>
      inFolder((folder) =>
        serving(ok, async (url, seen) => {
          const flow = join(folder, 'flow.mjs');
          const log = join(folder, 'fl.csv');
          writeFileSync(flow, `export default ${JSON.stringify({ main: [url], runOptions: { log } })}`);
          const { code, stderr } = await command(['-n', '2', '-o', log, flow]);
          expect(stderr).to.contain('fl.csv is a file of --log');
          expect([code, seen.length, readdirSync(folder)]).to.deep.equal([2, 0, ['flow.mjs']]);
        }),
      ));

    it('a link to an earlier log', function () {
      if (process.platform === 'win32') return this.skip();
      return inFolder((folder) =>
        serving(ok, async (url) => {
          const [log, link] = [join(folder, 'x.csv'), join(folder, 'link.csv')];
          writeFileSync(log, '');
          symlinkSync('x.csv', link);
          const { code, stderr } = await command(['-n', '2', '--log', log, '-o', link, url]);
          expect(stderr).to.contain('link.csv is a file of --log');
          expect(code).to.equal(2);
        }),
      );
    });
  });

  itSlow('T73 each run of ab writes a log of its own', () =>
    inFolder((folder) =>
      serving(ok, async (url, seen) => {
        const log = join(folder, 'ab.csv');
        const { stderr } = await command(['ab', url, url, '-n', '20', '--runs', '2', '--log', log]);
        const files = readdirSync(folder).sort();
        expect(files, stderr).to.deep.equal(['ab.A1.csv', 'ab.A2.csv', 'ab.B1.csv', 'ab.B2.csv']);
        for (const file of files) {
          expect(readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)).to.have.length(21);
        }
        expect(seen).to.have.length(80);
      }),
    ),
  );

  describe('T74 a log that another run writes is refused', () => {
    const running = (url, log) => {
      const run = benchrest(url, { limit: 1, forever: true, pause: 5, log });
      return { run, started: once(run, 'start') };
    };

    it('of the same process, until that run has ended', () =>
      inFolder((folder) =>
        serving(ok, async (url) => {
          const log = join(folder, 'x.ndjson');
          const { run, started } = running(url, log);
          await started;
          const error = await benchrest(url, { limit: 1, iterations: 1, log }).catch((reason) => reason);
          expect(error.code).to.equal('E_LOG');
          expect(error.message).to.match(/x\.ndjson: process \d+ writes it.*use another path/s);
          run.stop();
          const { stats } = await run;
          expect(linesOf(log)).to.have.length(stats.requests.answered);
          await benchrest(url, { limit: 1, iterations: 3, log });
          expect(linesOf(log)).to.have.length(3);
          expect(readdirSync(folder)).to.deep.equal(['x.ndjson']);
        }),
      ));

    itSlow('of another process, and its lock is replaced after that process was killed', () =>
      inFolder((folder) =>
        serving(ok, async (url) => {
          const log = join(folder, 'x.ndjson');
          await spawned(['--forever', '--pause', '5ms', '--log', log, url], {
            act: async (child) => {
              await until(() => existsSync(log));
              const refused = await command(['-n', '1', '--log', log, url]);
              expect(refused.stderr).to.contain(`process ${child.pid} writes it`);
              expect(refused.code).to.equal(2);
              child.kill('SIGKILL');
            },
          });
          expect(readdirSync(folder).sort()).to.deep.equal(['x.ndjson', 'x.ndjson.lock']);
          const { code } = await command(['-n', '1', '--log', log, url]);
          expect(code).to.equal(0);
          expect(readdirSync(folder)).to.deep.equal(['x.ndjson']);
        }),
      ),
    );

    for (const [what, text, isRefused] of [
      ['a lock of another machine', '1 7 abc elsewhere\n', true],
      ['a lock of another machine, such as a container, that was not renewed', '1 7 abc elsewhere\n', false],
      ['a lock that is being written', '', true],
      [
        'a lock of this process number from an earlier start',
        `${process.pid} 1 ${machine()} ${hostname()}\n`,
        process.platform !== 'linux',
      ],
    ])
      it(`${what} is ${isRefused ? 'respected' : 'replaced'}`, () =>
        inFolder(async (folder) => {
          const path = join(folder, 'x.csv');
          writeFileSync(`${path}.lock`, text);
          if (!isRefused) utimesSync(`${path}.lock`, 1, 1);
          const release = await lockLogs([path]).catch((error) => error);
          if (isRefused) expect(release.message).to.contain('writes it').and.contain('x.csv.lock');
          else await release();
          expect(existsSync(`${path}.lock`)).to.equal(isRefused);
        }));

    it('a run that cannot start releases its log', () =>
      inFolder((folder) =>
        serving(ok, async (url) => {
          const log = join(folder, 'x.csv');
          writeFileSync(join(folder, 'x.2.csv'), 'name,age\n');
          const start = () => benchrest(FLOW, { baseUrl: url, limit: 2, iterations: 4, workers: 2, log });
          const error = await here('workers', start).catch((reason) => reason);
          expect(error.code).to.equal('E_LOG');
          expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).to.deep.equal([]);
        }),
      ));
  });

  for (const [what, options, message] of [
    [
      'a file with another extension',
      { log: 'requests.txt' },
      /runOptions\.log: expected a path that ends with \.ndjson or \.csv/,
    ],
    ['a folder that does not exist', { log: join('no', 'such', 'folder.csv') }, /its folder does not exist/],
  ])
    it(`${what} is refused before the first request`, () =>
      serving(ok, async (url, seen) => {
        const start = async () => benchrest(url, { limit: 1, iterations: 1, ...options });
        const error = await start().catch((reason) => reason);
        expect(error.message).to.match(message);
        expect(seen).to.deep.equal([]);
      }));
});

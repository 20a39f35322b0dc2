import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { TRANSPORTS } from '../../lib/transport/index.js';
import { NO_TRAFFIC } from '../../lib/transport/totals.js';
import { PROGRAM, saidBy } from '../support/command.js';
import { afterGood, faulting, REFUSED_URL } from '../support/faulty-server.js';
import { deepFreeze, ok, serving } from '../support/serve.js';
import { balance, heapInUse, leavingNothing } from './ground.js';

const MANY = { limit: 5, iterations: 40, timeout: 5000 };

/** A transport whose connections cannot be made, for want of something. */
function withoutResources(code, story) {
  const fail = () => Promise.reject(Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code, syscall: 'connect' }));
  const connection = { isDead: false, isConnecting: true, wasSent: false, wasReused: false, sawBytes: false, send: fail, abort() {}, close() {} };
  const open = () => ({ connect: () => connection, totals: () => NO_TRAFFIC, close: async () => {} });
  TRANSPORTS.push({ name: 'lacking', about: '', load: async () => ({ open }) });
  return story('lacking').finally(() => TRANSPORTS.pop());
}

/** Runs the command with few files. */
const withFiles = (count, args) => saidBy('sh', ['-c', `ulimit -n ${count}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args]);

const INDEX = JSON.stringify(new URL('../../index.js', import.meta.url).href);

/** Runs a script that imports bench-rest. */
const script = (text) => saidBy(process.execPath, ['--input-type=module', '-e', `import benchrest from ${INDEX};\n${text}`]);

describe('limits of the client', () => {
  describe('C1 files run out', () => {
    it('is warned of before, counted, named with its cure, and the result is written all the same', () =>
      serving((req, res) => setTimeout(() => res.end('ok'), 20), async (url) => {
        const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
        try {
          const file = join(folder, 'result.json');
          const { code, stdout, stderr } = await withFiles(80, ['-c', '300', '-n', '1500', '-o', file, '--progress', '0', url]);
          expect(stderr).to.match(/300 lanes.*80 files.*ulimit -n/s);
          expect(stdout).to.match(/EMFILE.*ulimit -n/s);
          expect(code).to.equal(1);
          const { iterations, errors, client, verdict } = JSON.parse(readFileSync(file, 'utf8'));
          expect(iterations.started).to.equal(1500);
          expect(iterations.completed).to.be.above(0);
          expect(errors.kinds).to.deep.equal({ connect: iterations.failed });
          expect(client.saturated).to.equal(true);
          expect(verdict.reasons.join()).to.match(/ran out of files/);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }));

    it('is not spoken of where there are enough', () =>
      serving(ok, async (url) => {
        const { code, stderr } = await withFiles(1024, ['-c', '300', '-n', '300', '--progress', '0', url]);
        expect(stderr).not.to.match(/ulimit/);
        expect(code).to.equal(0);
      }));
  });

  for (const [id, code, reason] of [['C2', 'EADDRNOTAVAIL', /local ports/], ['C3', 'ENOBUFS', /buffers/], ['C3', 'ENOMEM', /memory/]]) {
    it(`${id} ${code} is kind connect, with its cure; the run goes on, and the verdict says so`, () =>
      withoutResources(code, async (transport) => {
        const { stats } = await benchrest('http://127.0.0.1:1/', { limit: 3, iterations: 20, transport });
        balance(stats, 0);
        expect(stats.errors.kinds).to.deep.equal({ connect: 20 });
        expect(stats.errors.samples[0].message).to.match(/; .*(lanes|alive)/);
        expect(stats.verdict.status).to.equal('suspect');
        expect(stats.verdict.reasons.join()).to.match(reason);
      }));
  }

  it('C5 S2 a server that stands still for half a second does not make the client the limit, and shows in the response time', async () => {
    const child = spawn(process.execPath, ['-e', "require('http').createServer((req, res) => res.end('ok')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })"], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const port = Number(await once(child.stdout, 'data'));
      const running = benchrest(`http://127.0.0.1:${port}/`, { limit: 200, rate: 100, duration: 2000 });
      setTimeout(() => child.kill('SIGSTOP'), 700);
      setTimeout(() => child.kill('SIGCONT'), 1200);
      const { stats } = await running;
      balance(stats);
      expect(stats.errors.count).to.equal(0);
      expect(stats.client.saturated, stats.client.notes.join()).to.equal(false);
      expect(stats.main.histogram.max).to.be.within(400, 1500);
      expect(stats.main.histogram.p95).to.be.above(200);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });

  it('C9 a client that stood still says so, and its latencies have it', async () => {
    await serving(ok, async (url) => {
      const child = spawn(process.execPath, [PROGRAM, '-c', '2', '-r', '50', '-t', '3s', '--json', url], { stdio: ['ignore', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
      await wait(1500);
      child.kill('SIGSTOP');
      await wait(1300);
      child.kill('SIGCONT');
      await once(child, 'close');
      const { main, client } = JSON.parse(stdout);
      expect(main.histogram.max).to.be.above(1000);
      expect(client.saturated).to.equal(true);
      expect(client.notes.join()).to.match(/stood still for 1\.\d s/);
    });
  });

  it('C9 a jump of the clock on the wall changes no duration', () =>
    serving(ok, async (url) => {
      const { now } = Date;
      let calls = 0;
      Date.now = () => now() + (calls++ % 2) * 3_600_000;
      try {
        const { stats } = await benchrest(url, MANY);
        expect(stats.totalElapsed).to.be.within(0, 60_000);
        expect(stats.main.histogram.max).to.be.below(60_000);
      } finally {
        Date.now = now;
      }
    }));

  it('C10 a body of 20 MB is one, whatever the number of lanes and iterations', () =>
    serving((req, res) => { expect(Number(req.headers['content-length'])).to.be.above(20e6); res.end(); }, async (url, seen) => {
      const json = { items: Array.from({ length: 200_000 }, (_, i) => ({ i, text: 'x'.repeat(80) })) };
      const before = heapInUse();
      const running = benchrest({ put: url, json }, { limit: 2, iterations: 6, timeout: 0 });
      const { stats } = await running;
      expect(stats.errors.count).to.equal(0);
      expect(seen).to.have.lengthOf(6);
      seen.length = 0;
      expect(heapInUse() - before).to.be.below(60e6);
    })).timeout(60_000);

  it('B10 100,000 operations are read, and told within bounds', async () => {
    const main = Array.from({ length: 100_000 }, (_, i) => ({ get: `http://127.0.0.1:1/${i}` }));
    const { stats } = await benchrest(main, { limit: 1, iterations: 1 });
    balance(stats, 0);
    expect(stats.errors.kinds).to.deep.equal({ connect: 1 });
    expect(stats.operations.length).to.be.at.most(1001);
  });

  describe('C11 whatever a hook throws is its error, told with its place', () => {
    const hostile = () => new Proxy({}, { get() { throw new Error('look away'); }, has() { throw new Error('look away'); }, getPrototypeOf() { throw new Error('look away'); } });
    const rows = [
      ['an Error', () => new Error('ouch'), /ouch/], ['a string', () => 'ouch', /ouch/], ['undefined', () => undefined], ['null', () => null], ['a number', () => 7, /7/], ['a symbol', () => Symbol('ouch'), /ouch/],
      ['a frozen object', () => Object.freeze({ message: 'ouch' }), /ouch/], ['a Proxy that throws', hostile], ['an object whose message throws', () => ({ get message() { throw new Error('x'); } })],
      ['an object without a prototype', () => Object.create(null)], ['a message that is no text', () => ({ message: { toString() { throw new Error('x'); } } })], ['an Error of one\'s own class', () => new (class extends TypeError {})('ouch'), /ouch/],
      ['an Error that calls itself a timeout', () => Object.assign(new Error('ouch'), { code: 'E_TIMEOUT_REQUEST', kind: 'timeout' }), /ouch/],
      ['an Error that calls itself cancelled', () => Object.assign(new Error('ouch'), { code: 'E_CANCELLED', kind: 'cancelled' }), /ouch/],
    ];
    const ways = [['throws', (value) => () => { throw value(); }], ['rejects with', (value) => async () => { throw value(); }]];
    for (const [what, value, message = /./] of rows) {
      for (const [how, hook] of ways) {
        for (const place of ['beforeHooks', 'afterHooks']) {
          it(`${place} ${how} ${what}`, () =>
            leavingNothing(() => serving(ok, async (url, seen) => {
              const heard = [];
              const run = benchrest({ get: url, [place]: [hook(value)] }, MANY).on('error', (error) => heard.push(error));
              const { stats } = await run;
              balance(stats, seen.length);
              expect(stats.errors.kinds).to.deep.equal({ hook: 40 });
              expect(stats.errors.samples[0].message).to.match(new RegExp(`^flow\\.main\\[0\\]\\.${place}\\[0\\]: `)).and.match(message);
              expect(heard).to.have.lengthOf(40);
              expect(seen).to.have.lengthOf(place === 'beforeHooks' ? 0 : 40);
            })));
        }
      }
      for (const [how, say] of [['all.err', (all, thrown) => { all.err = thrown; }], ['all.cb', (all, thrown) => all.cb(thrown)], ['{ err }', (all, thrown) => ({ err: thrown })]]) {
        if (!value()) continue;
        it(`${how} is ${what}`, () =>
          leavingNothing(() => serving(ok, async (url, seen) => {
            const { stats } = await benchrest({ get: url, afterHooks: [(all) => say(all, value())] }, MANY);
            balance(stats, 40);
            expect(stats.iterations.failed).to.equal(40);
            expect(stats.errors.samples).to.have.lengthOf(1);
            expect(stats.errors.samples[0].message).to.match(message);
            expect(seen).to.have.lengthOf(40);
          })));
      }
    }

    it('one that fails at once, for ever, leaves turns to a stop, and to timers', async () => {
      const run = benchrest({ get: 'http://127.0.0.1:1/', beforeHooks: [() => { throw new Error('ouch'); }] }, { limit: 3, forever: true });
      setTimeout(() => run.stop(), 50);
      const { stats, why } = await run;
      expect(why).to.equal('stopped');
      balance(stats, 0);
    });

    it('one that stumbles over the missing response does not hide what was wrong', () =>
      leavingNothing(() => faulting(async (io) => { await io.readRequest(); io.rst(); }, async (url) => {
        const { stats } = await benchrest({ get: url, afterHooks: [(all) => { all.response.statusCode; }] }, { limit: 1, iterations: 1 });
        expect(stats.errors.kinds).to.deep.equal({ reset: 1 });
      })));
  });

  it('C12 what a hook says late, or again, changes nothing and harms nobody', () =>
    leavingNothing(() => serving(ok, async (url, seen) => {
      const late = (all) => new Promise((resolve, reject) => {
        resolve(all);
        reject(new Error('again'));
        setTimeout(() => reject(new Error('later')), 5);
        setTimeout(() => { all.err = new Error('later'); all.cb(new Error('later')); }, 5);
      });
      const slow = () => wait(120).then(() => { throw new Error('after the deadline'); });
      const { stats } = await benchrest([{ get: url, afterHooks: [late] }, { get: url, timeout: 60, afterHooks: [slow] }], { limit: 5, iterations: 10 });
      balance(stats, seen.length);
      expect(stats.errors.samples.map(({ code, count }) => [code, count])).to.deep.equal([['E_TIMEOUT_HOOK', 10]]);
      await wait(150);
    })));

  it('C15 what a hook changes is of its own iteration', () =>
    leavingNothing(() => serving(ok, async (url, seen) => {
      const flow = deepFreeze({ headers: { 'x-flow': '1' }, main: [{ put: `${url}/#{INDEX}`, json: { deep: { n: '#{INDEX}' } }, headers: { 'x-own': '1' } }] });
      const text = JSON.stringify(flow);
      const spoil = (all) => {
        const { requestOptions: options, env } = all;
        if (env.index % 2 === 0) return;
        options.headers['x-own'] = 'changed';
        options.json.deep.n = 'changed';
        delete options.headers['x-flow'];
        delete all.env;
        all.runCtx.left = 1;
      };
      const { stats } = await benchrest({ ...flow, main: [{ ...flow.main[0], beforeHooks: [spoil] }] }, { limit: 5, iterations: 20 });
      balance(stats, 20);
      expect(JSON.stringify(flow)).to.equal(text);
      for (const { url: path, headers, body } of seen) {
        const index = Number(path.slice(1));
        const isSpoilt = index % 2 === 1;
        expect(headers['x-own']).to.equal(isSpoilt ? 'changed' : '1');
        expect(headers['x-flow']).to.equal(isSpoilt ? undefined : '1');
        expect(JSON.parse(body)).to.deep.equal({ deep: { n: isSpoilt ? 'changed' : String(index) } });
      }
    })));

  const changes = [
    ['uri is undefined', (options) => { options.uri = undefined; }], ['uri is no URL', (options) => { options.uri = 'http://'; }], ['uri has a line end', (options) => { options.uri += '\r\nx'; }],
    ['a header has a line end', (options) => { options.headers.a = 'b\r\nInjected: 1'; }], ['a header has NUL', (options) => { options.headers.a = '\0'; }], ['a name has a line end', (options) => { options.headers['a\r\nb'] = '1'; }],
    ['method has a line end', (options) => { options.method = 'GET / HTTP/1.1\r\nInjected: 1\r\n'; }], ['json holds itself', (options) => { options.json = { a: 1 }; options.json.self = options.json; }],
    ['headers are no object', (options) => { options.headers = 7; }], ['a socket has no path', (options) => { options.socketPath = { a: 1 }; }], ['auth is none', (options) => { options.auth = { user: Symbol('ann') }; }],
    ['a header is a function', (options) => { options.headers.a = () => 'called'; }],
  ];
  for (const [what, change] of changes) {
    it(`C15 B17 where a hook makes a request that is none, nothing is sent: ${what}`, () =>
      leavingNothing(() => serving(ok, async (url, seen) => {
        const { stats } = await benchrest({ get: url, beforeHooks: [(all) => change(all.requestOptions)] }, MANY);
        balance(stats, 0);
        expect(seen).to.have.lengthOf(0);
        expect(stats.errors.kinds, JSON.stringify(stats.errors)).to.deep.equal({ hook: 40 });
        expect(stats.errors.samples[0].message).to.match(/flow\.main\[0\]/);
      })));
  }

  for (const options of [0, '', false, 7, 'http://h/', Symbol('x')]) {
    it(`C15 request options that are ${String(options)}`, () =>
      leavingNothing(() => serving(ok, async (url, seen) => {
        const { stats } = await benchrest({ get: url, beforeHooks: [(all) => { all.requestOptions = options; }] }, MANY);
        balance(stats, 0);
        expect(seen).to.have.lengthOf(0);
        expect(stats.errors.samples).to.have.lengthOf(1);
        expect(stats.errors.samples[0]).to.include({ kind: 'hook', code: 'E_REQUEST_FIELD' });
        expect(stats.errors.samples[0].message).to.match(/^flow\.main\[0\]\.requestOptions expected an object/);
      })));
  }

  const spoils = [
    ['index', Object.create(null)], ['index', { toString() { throw new Error('no'); } }], ['jar', { no: 'jar' }], ['jar', 7], ['user', Symbol('ann')], ['password', Object.create(null)], ['iterCtx', null], ['etags', 7], ['stats', null],
  ];
  for (const [name, value] of spoils) {
    it(`C15 env.${name} written over with what is none: the iteration fails, and nothing else`, () =>
      leavingNothing(() => serving((req, res) => { res.setHeader('set-cookie', 'a=1'); res.end('ok'); }, async (url, seen) => {
        const spoil = (all) => {
          if (all.env.index % 2 === 0) return;
          if (name === 'password') all.env.user = 'ann';
          all.env[name] = value;
        };
        const flow = [{ get: `${url}/#{INDEX}`, afterHooks: [spoil] }, { get: `${url}/#{INDEX}`, beforeHooks: ['useEtag'], afterHooks: ['saveEtag'] }, { get: `${url}/#{INDEX}` }];
        const { stats } = await benchrest(flow, MANY);
        balance(stats, seen.length);
        expect(stats.iterations.completed).to.be.at.least(20);
        expect(Object.keys(stats.errors.kinds).filter((kind) => kind !== 'hook')).to.deep.equal([]);
        for (const { firstIndex, message } of stats.errors.samples) {
          expect(firstIndex % 2).to.equal(1);
          expect(message).to.match(/^flow\.main\[[12]\]/);
        }
      })));
  }

  for (const [what, hook] of [
    ['all is frozen', (all) => { Object.freeze(all); }], ['env is frozen', (all) => { Object.freeze(all.env); }], ['the options are frozen', (all) => { Object.freeze(all.requestOptions); }],
    ['a timer has no name', (all) => { all.env.stats.timer(Symbol('x')).update(1); }], ['a timer has a name that is no text', (all) => { all.env.stats.timer({ toString() { throw new Error('no'); } }).update(1); }],
  ]) {
    it(`C15 ${what}: no more than the iteration fails`, () =>
      leavingNothing(() => serving(ok, async (url, seen) => {
        const { stats } = await benchrest({ get: url, beforeHooks: [hook], pause: 1 }, MANY);
        balance(stats, seen.length);
        expect(Object.keys(stats.errors.kinds).filter((kind) => kind !== 'hook')).to.deep.equal([]);
        expect(stats.iterations.started).to.equal(40);
        expect(JSON.parse(JSON.stringify(stats)).main.meter.count).to.equal(40);
      })));
  }

  it('C15 a length that a hook writes is not sent beside ours', () =>
    leavingNothing(() => serving(ok, async (url, seen) => {
      const { stats } = await benchrest({ put: url, body: 'b', beforeHooks: [(all) => { all.requestOptions.headers['Content-LENGTH'] = '7'; }] }, MANY);
      balance(stats, 40);
      expect(stats.errors.count).to.equal(0);
      expect(new Set(seen.map(({ headers, body }) => `${headers['content-length']} ${body}`))).to.deep.equal(new Set(['1 b']));
    })));

  describe('C17 listeners that throw', () => {
    for (const [event, errorOf] of [['progress', "''"], ['error', "'/dead'"], ['end', "''"]]) {
      it(`${event}: after runs, the books are closed, then it is thrown`, async () => {
        const { code, stdout, stderr } = await script(`
          import http from 'node:http';
          const paths = [];
          const server = http.createServer((req, res) => { paths.push(req.url); if (req.url === '/dead') res.destroy(); else res.end(); }).listen(0, '127.0.0.1', () => {
            const base = 'http://127.0.0.1:' + server.address().port;
            const run = benchrest({ main: [base + ${errorOf}], after: [base + '/after'] }, { limit: 2, iterations: 20, progress: 10 });
            run.on('${event}', () => { throw new Error('the listener') });
            run.then(({ stats }) => console.log(JSON.stringify([stats.iterations.started, paths.includes('/after')])));
          }).unref();`);
        expect(stdout.trim()).to.equal('[20,true]');
        expect(stderr).to.match(/the listener/).and.not.match(/unhandled/i);
        expect(code).to.equal(1);
      });
    }
  });

  it('C19 an after that hangs ends at its timeout, and after a stop at that of the tear-down', () =>
    leavingNothing(() => faulting(async (io) => {
      for (;;) if ((await io.readRequest()).includes(' /main ')) await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    }, async (url) => {
      const flow = { main: [`${url}/main`], after: [`${url}/after`] };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 1, timeout: 100 });
      expect(stats.errors.samples.map(({ code, context }) => [code, context])).to.deep.equal([['E_TIMEOUT_REQUEST', 'after']]);
      const stopped = benchrest(flow, { limit: 1, forever: true, timeout: 0, teardownTimeout: 100 });
      setTimeout(() => stopped.stop(), 50);
      const { stats: cut } = await stopped;
      expect(cut.errors.samples.map(({ code, context }) => [code, context])).to.deep.equal([['E_AFTER_CUT', 'after']]);
      balance(cut);
    })));

  it('S9 a late answer after a timeout, and a reset after that, are one end', () =>
    leavingNothing(() => faulting(afterGood(0, async (io) => {
      await io.wait(120);
      await io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      io.rst();
    }), async (url, seen) => {
      const { stats } = await benchrest(url, { limit: 5, iterations: 20, timeout: 60 });
      await wait(100);
      balance(stats, seen.requests);
      expect(stats.errors.samples.map(({ code, count }) => [code, count])).to.deep.equal([['E_TIMEOUT_REQUEST', 20]]);
    })));

  it('a refused connection, and again when all is closed, leaves nothing', async () => {
    for (let i = 0; i < 3; i++) await leavingNothing(() => benchrest(REFUSED_URL, MANY));
  });
});

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { benchrest } from '../../../lib/core/run/benchrest.js';
import { stateOf } from '../../../lib/addons/processes/processes.js';
import { TARGET } from '../../../lib/addons/server/options/target.js';
import { WatchedServer, findContainer, followListeners, isInGroup } from '../../../lib/addons/server/watched-server.js';
import { command } from '../../support/command.js';
import { itSlow } from '../../support/slow.js';

const HERE = ['http://127.0.0.1:1'];
const NONE = String(2 ** 22 + 1);

describe('a server that runs already', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  const refusal = (target, origins = HERE) => new WatchedServer(target, { origins }).start().catch((error) => error);

  for (const [target, origins, expected] of [
    [NONE, HERE, `cannot watch ${NONE}: no such process; has it ended?`],
    [':1', HERE, 'cannot watch :1: nothing listens there; is this the port of the server?'],
    [
      ':80',
      ['http://192.0.2.1'],
      'cannot watch :80: the requests go to http://192.0.2.1, which is no address of this machine; run bench-rest there, or write the name of its container',
    ],
    [
      'no-such-container',
      HERE,
      'cannot watch no-such-container: no process that can be seen here belongs to a container or service with this name; write the id of the container, or the number of its main process (docker inspect -f {{.State.Pid}})',
    ],
  ])
    it(`refuses ${target} in words`, async () => {
      const { code, message } = await refusal(target, origins);
      expect([code, message]).to.deep.equal(['E_WATCH', expected]);
    });

  it('a number of 12 digits is the id of a container', async () =>
    expect((await refusal('123456789012')).message).to.include(
      'no process that can be seen here belongs to a container',
    ));

  it('refuses the published port of a container', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { title } = process;
    try {
      process.title = 'docker-proxy';
      expect((await refusal(`:${server.address().port}`)).message).to.include(
        'docker-proxy listens there, which passes the requests on to a container; write the name of the container',
      );
    } finally {
      process.title = title;
      server.close();
    }
  });

  const CONTAINER = 'a3f5c1'.repeat(10) + 'abcd';
  for (const [cgroup, name, expected] of [
    [`0::/docker/${CONTAINER}\n`, CONTAINER, true],
    [`0::/system.slice/docker-${CONTAINER}.scope\n`, CONTAINER.slice(0, 12), true],
    [`12:cpu:/kubepods/pod1/${CONTAINER}\n0::/\n`, CONTAINER, true],
    [`0::/machine.slice/libpod-conmon-${CONTAINER}.scope\n`, CONTAINER, false],
    [`0::/a.service/libpod-payload-${CONTAINER}\n`, CONTAINER, true],
    ['0::/system.slice/nginx.service\n', 'nginx', true],
    ['0::/system.slice/nginx-extra.service\n', 'nginx', false],
    [`0::/docker/${CONTAINER}\n`, 'docker', true],
    ['0::/\n', 'web', false],
    ['0::/system.slice/nginx.service\n', 'nginx.service', true],
  ])
    it(`${JSON.stringify(cgroup)} ${expected ? 'is' : 'is not'} of ${name}`, () => {
      expect(isInGroup(cgroup, name)).to.equal(expected);
    });

  const found = (state) => JSON.stringify({ Id: CONTAINER, State: { Status: state, Pid: 1 } });
  for (const [fact, answer, expected] of [
    ['a running container', (res) => res.end(found('running')), { id: CONTAINER, state: 'running' }],
    ['a stopped container', (res) => res.end(found('exited')), { id: CONTAINER, state: 'exited' }],
    ['no state', (res) => res.end(JSON.stringify({ Id: CONTAINER })), { id: CONTAINER, state: null }],
    ['a state that is no word', (res) => res.end(found('\u001b[2J')), { id: CONTAINER, state: null }],
    ['no container', (res) => res.writeHead(404).end('{"message":"no such container"}'), { id: 'web', state: null }],
    ['HTML', (res) => res.end('<html>'), { id: 'web', state: null }],
    ['an id that is none', (res) => res.end('{"Id":"/"}'), { id: 'web', state: null }],
    ['null', (res) => res.end('null'), { id: 'web', state: null }],
    ['a closed connection', (res) => res.destroy(), { id: 'web', state: null }],
    ['half an answer', (res) => res.write('{') && setImmediate(() => res.destroy()), { id: 'web', state: null }],
    ['an answer that never ends', (res) => pour(res), { id: 'web', state: null }],
  ])
    it(`an engine that answers with ${fact} is understood`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'engine-'));
      const place = join(folder, 's');
      const engine = createServer((req, res) => answer(res)).listen(place);
      await once(engine, 'listening');
      try {
        expect(await findContainer('web', [join(folder, 'none'), place])).to.deep.equal(expected);
      } finally {
        engine.closeAllConnections();
        engine.close();
        await rm(folder, { recursive: true });
      }
    });

  const { read, check } = TARGET.find(({ name }) => name === 'watch');
  for (const [value, expected] of [
    [4711, true],
    ['4711', true],
    [':3000', true],
    [':70000', false],
    ['0', false],
    ['off', true],
    ['my-app_1', true],
    [':web', false],
    ['', false],
    ['a b', false],
    [1.5, false],
    [-1, false],
    [':-1', false],
    ['-web', false],
  ])
    it(`watch ${JSON.stringify(value)} is ${expected ? 'valid' : 'refused'}`, () => {
      expect(check(read(value))).to.equal(expected);
    });

  it('a run has the figures of what listens at a port', async () => {
    const server = createServer((req, res) => res.end('ok')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    try {
      const { stats } = await benchrest(`http://127.0.0.1:${port}/`, {
        ...{ limit: 2, iterations: 20, watch: `:${port}`, thresholds: ['server.memory<100GB', 'server.cpu>1000'] },
      });
      const [{ name, source, memory, openFiles, nodeThreads }] = stats.servers;
      expect({ name, source, nodeThreads }).to.deep.equal({ name: 'watch', source: 'process', nodeThreads: undefined });
      expect(memory.peak).to.be.above(1e6);
      expect(openFiles.peak).to.be.above(2);
      expect(stats.thresholds.map(({ figure, unit, passed }) => [figure, unit, passed])).to.deep.equal([
        ['server.memory', 'B', true],
        ['server.cpu', 'cores', false],
      ]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('a run has the figures of the threads of Node of a server that it starts', async () => {
    const script = "require('http').createServer((q, r) => r.end('ok')).listen(process.env.PORT, '127.0.0.1')";
    const { stats } = await benchrest('/', { limit: 2, iterations: 20, start: [process.execPath, '-e', script] });
    const [{ name, nodeThreads, eventLoopUtilization, processes }] = stats.servers;
    expect(name).to.equal('start');
    expect(nodeThreads).to.have.lengthOf(1);
    expect(nodeThreads[0].pid).to.equal(processes.details[0].pid);
    expect(eventLoopUtilization).to.be.within(0, 1);
  });

  it('a run that is not to be watched has no figures of its server', async () => {
    const script = `require('http').createServer((q, r) => {
      r.statusCode = String(process.env.NODE_OPTIONS).includes('preload') ? 500 : 200;
      r.end();
    }).listen(process.env.PORT, '127.0.0.1')`;
    const options = { limit: 1, iterations: 1, start: [process.execPath, '-e', script], watch: 'off' };
    const { stats } = await benchrest('/', options);
    expect(stats.errors.count).to.equal(0);
    expect(stats).to.not.have.property('servers');
  });

  itSlow('the figures of a process that ends are those until then', async () => {
    const served = createServer((req, res) => setTimeout(() => res.end('ok'), 5)).listen(0, '127.0.0.1');
    await once(served, 'listening');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    try {
      const url = `http://127.0.0.1:${served.address().port}/`;
      const run = benchrest(url, { limit: 1, iterations: 100_000, watch: child.pid, progress: 100 });
      run.once('start', () => child.kill('SIGKILL'));
      run.on('progress', ({ servers }) => servers?.[0].endedAfter !== undefined && run.stop());
      const { stats } = await run;
      const [{ endedAfter, conclusions }] = stats.servers;
      expect(endedAfter).to.be.at.least(0);
      expect(conclusions.map(({ code }) => code)).to.include('serverEnded');
    } finally {
      child.kill('SIGKILL');
      served.closeAllConnections();
      served.close();
    }
  });

  itSlow('a server that is started again, or beside the last one, is found at its port', async () => {
    const script = `require('net').createServer().listen(+process.argv[1], '127.0.0.1', function () {
      console.log(this.address().port);
    })`;
    const listening = async (wanted) => {
      const child = spawn(process.execPath, ['-e', script, String(wanted)]);
      const [text] = await once(child.stdout, 'data');
      return { child, port: Number(text), state: stateOf(child.pid) };
    };
    const first = await listening(0);
    const findRoots = followListeners(first.port, [first.state]);
    const ended = once(first.child, 'exit');
    expect(findRoots()(first.state)).to.equal(true);
    const own = createServer().listen(first.port, '127.0.0.2');
    await once(own, 'listening');
    expect([first.state, stateOf(process.pid)].map(findRoots())).to.deep.equal([true, true]);
    own.close();
    first.child.kill('SIGKILL');
    await ended;
    findRoots();
    const second = await listening(first.port);
    try {
      expect(findRoots()(second.state)).to.equal(true);
    } finally {
      second.child.kill('SIGKILL');
    }
  });

  for (const [flag, second] of [
    ['--watch', 'A run watches one server'],
    ['--start', 'A run starts one command'],
  ])
    it(`a second ${flag} is refused`, async () => {
      const { code, stderr } = await command([flag, '1', flag, '2', 'http://127.0.0.1:1/']);
      expect(code).to.equal(2);
      expect(stderr).to.include(second);
    });

  it('a server that is started is not watched by another name', () => {
    const options = { limit: 1, iterations: 1, start: 'node app.js', watch: ':80' };
    expect(() => benchrest('/', options)).to.throw('start and watch cannot be combined');
  });
});

/** Writes until nobody reads any more. */
function pour(res) {
  if (res.destroyed) return;
  res.write(' '.repeat(1024 * 1024));
  setImmediate(pour, res);
}

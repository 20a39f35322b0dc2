import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { expect } from 'chai';

import { PreloadChannel } from '../../../lib/addons/server/preload-channel.js';
import { ServerLink } from '../../../lib/addons/server/server-link.js';

/** Starts a server of two threads, and a process that it starts. */
const SERVICE = `
const { Worker } = require('node:worker_threads');
const { fork } = require('node:child_process');
if (process.argv[2] === 'child') setInterval(() => {}, 1000);
else {
  new Worker('setInterval(() => {}, 1000)', { eval: true });
  const child = fork(process.argv[1], ['child']);
  process.on('SIGTERM', () => { child.kill(); process.exit(); });
}`;

/** Messages with the empty id are those of our own thread. */
const NAMELESS = '{"kind":"hello","id":"","pid":1,"thread":0,"name":"a","version":"v"}\n';

describe('the channel to Node in a server', () => {
  /** @type {PreloadChannel} */
  let channel;
  const children = [];

  beforeEach(async () => {
    channel = await PreloadChannel.open();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill();
    await channel.close();
  });

  const start = (args, env = {}) => {
    const own = { ...process.env, ...env };
    const child = spawn(process.execPath, args, { env: { ...own, ...channel.variables(own) } });
    children.push(child);
    return child;
  };

  it('each process and each worker thread of a service says hello, and gets the messages of its kind', async () => {
    const link = new ServerLink(channel);
    const file = join(channel.folder, 'app.cjs');
    writeFileSync(file, SERVICE);
    const samples = new Map();
    const all = new Promise((resolve) => {
      link.on('figures', (body, { id }) => {
        samples.set(id, body);
        if (samples.size === 3) resolve();
      });
    });
    link.on('hello', (_, { id }) => link.send('figures', { action: 'begin', interval: 20 }, id));
    const child = start([file]);
    await all;
    const { threads } = link;
    expect(threads.map(({ thread }) => thread).sort()).to.deep.equal([0, 0, 1]);
    expect(threads.filter(({ pid }) => pid === child.pid).map(({ id }) => id)).to.have.members([
      String(child.pid),
      `${child.pid}.1`,
    ]);
    expect(threads.find(({ id }) => id === String(child.pid))).to.include({
      name: 'app.cjs',
      version: process.version,
    });
    for (const { loop, memory, losses } of samples.values()) {
      expect(loop.active + loop.idle).to.be.above(0);
      expect(memory.heap).to.be.above(1e5);
      expect(losses.errors).to.equal(0);
    }
  });

  it('a later listener gets the threads that are known, and the end of a thread', async () => {
    const first = new ServerLink(channel);
    const known = new Promise((resolve) => first.on('hello', resolve));
    const child = start(['-e', 'setInterval(() => {}, 1000)']);
    await known;
    const link = new ServerLink(channel);
    expect(link.threads.map(({ pid }) => pid)).to.deep.equal([child.pid]);
    const over = new Promise((resolve) => link.on('bye', resolve));
    child.kill();
    await over;
    expect(link.threads).to.deep.equal([]);
  });

  it('a service prints and exits as without it, keeps its own NODE_OPTIONS, and leaves the profile of a short life', async () => {
    const first = { kind: 'profile', action: 'start', cpu: { interval: 1000 } };
    writeFileSync(join(channel.folder, 'first.json'), JSON.stringify(first));
    const script = 'console.log(process.execArgv.length, process.title)';
    const child = start(['-e', script], { NODE_OPTIONS: '--title=shop' });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const [code] = await once(child, 'close');
    expect(String(Buffer.concat(output))).to.equal('2 shop\n');
    expect(code).to.equal(0);
    const read = (name) => JSON.parse(readFileSync(join(channel.folder, name), 'utf8'));
    const { thread, files } = read(`${child.pid}.answer.json`);
    expect(thread).to.include({ id: String(child.pid), pid: child.pid, thread: 0 });
    expect(read(files[0].file).samples).to.be.an('array');
  });

  it('a service runs without a channel that has gone', async () => {
    const env = channel.variables({});
    await channel.close();
    expect(existsSync(channel.folder)).to.equal(false);
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => console.log("done"), 20)'], {
      env: { ...process.env, ...env },
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    await once(child, 'close');
    expect(text).to.equal('done\n');
  });

  it('a service that sends a second hello, a bye or processes is dropped', async () => {
    const self = { id: '1', pid: 1, thread: 0, name: 'a', version: 'v' };
    for (const kind of ['hello', 'bye', 'processes']) {
      const heard = [];
      channel.listen((message) => heard.push(message));
      const socket = connect(channel.variables({}).BENCH_REST_CHANNEL);
      socket.on('error', () => {});
      for (const message of [{ kind: 'hello', ...self }, { kind, isForged: true }, { kind: 'figures' }])
        socket.write(`${JSON.stringify(message)}\n`);
      socket.resume();
      await once(socket, 'close');
      while (heard.at(-1).kind !== 'bye') await new Promise(setImmediate);
      expect(heard).to.deep.equal([
        { kind: 'hello', from: '1', body: self },
        { kind: 'bye', from: '1', body: {} },
      ]);
    }
  });

  it('another program that connects is dropped', async () => {
    for (const text of ['GET / HTTP/1.1\r\n\r\n', '{"kind":"hello"}\n', NAMELESS, 'x'.repeat(100_000)]) {
      const socket = connect(channel.variables({}).BENCH_REST_CHANNEL);
      socket.on('error', () => {});
      socket.write(text);
      await once(socket, 'close');
    }
  });
});

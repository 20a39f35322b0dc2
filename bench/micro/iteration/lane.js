// What a virtual user of a plain GET weighs, by two snapshots of the heap in the middle of a run, and what a bare socket of
// node:net does: node bench/micro/iteration/lane.js [USERS]; `objects` as the last argument lists the kinds of objects
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';

import benchrest from '../../../index.js';

const [what = '1000', ...rest] = process.argv.slice(2);
const SERVER = `
const answer = 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok';
require('net').createServer((socket) => socket.on('data', () => socket.write(answer)).on('error', () => {}))
  .listen(0, '127.0.0.1', 8192, function () { console.log(this.address().port); });`;
/** How long a run takes until all of its users have had some responses. */
const SETTLED_MS = 3000;

/** Less of a kind for each user is no object of its own, such as a table of all users. */
const SHARED = 0.4;

const CLIENTS = { 'a bare socket': openSockets, 'a virtual user': openUsers };

if (what in CLIENTS) await takeSnapshot(CLIENTS[what], ...rest);
else compare(Number(what), rest.includes('objects'));

function compare(users, listsObjects) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-lane-'));
  try {
    for (const name of Object.keys(CLIENTS)) {
      const [few, many] = [users, 2 * users].map((count) => kindsOf(name, count, join(folder, 'heap')));
      const each = [...many].map(([kind, { count, bytes }]) => ({
        kind,
        count: (count - (few.get(kind)?.count ?? 0)) / users,
        bytes: (bytes - (few.get(kind)?.bytes ?? 0)) / users,
      }));
      const own = each.filter(({ count }) => count > SHARED);
      const sum = (key) => own.reduce((all, one) => all + one[key], 0).toFixed(0);
      console.log(`${name}: ${sum('count')} objects, ${sum('bytes')} bytes`);
      if (listsObjects)
        for (const { kind, count, bytes } of own.sort((a, b) => b.bytes - a.bytes))
          if (count > 0.4)
            console.log(`  ${count.toFixed(1).padStart(5)} ${bytes.toFixed(0).padStart(5)} bytes  ${kind}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Counts and bytes of the objects of each kind. */
function kindsOf(name, users, file) {
  spawnSync(process.execPath, ['--expose-gc', process.argv[1], name, String(users), file], { stdio: 'inherit' });
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8'));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, title, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
  const kinds = new Map();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type]];
    const key = /string|number/.test(kind) ? kind : `${kind} ${strings[nodes[at + title]].slice(0, 50)}`;
    const one = kinds.get(key) ?? { count: 0, bytes: 0 };
    kinds.set(key, { count: one.count + 1, bytes: one.bytes + nodes[at + size] });
  }
  return kinds;
}

async function takeSnapshot(open, users, file) {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(Number(text))));
  await open(port, Number(users));
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await sleep(50);
  }
  v8.writeHeapSnapshot(file);
  server.kill();
  process.exit();
}

async function openUsers(port, users) {
  const url = `http://127.0.0.1:${port}/`;
  // V8 knows the kinds of fields then, as in a run that has lasted for a while.
  await benchrest(url, { iterations: 1000, limit: 10 });
  benchrest(url, { duration: 60_000, limit: users, iterations: 1e9 }).on('error', () => {});
  await sleep(SETTLED_MS);
}

async function openSockets(port, users) {
  const buffer = Buffer.allocUnsafe(65_536);
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
  const open = () =>
    new Promise((resolve) => {
      const callback = () => socket.write(request, 'latin1');
      const ask = () => resolve(socket.write(request, 'latin1'));
      const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } }, ask);
    });
  for (let i = 0; i < users; i++) await open();
  await sleep(SETTLED_MS / 2);
}

// What a steady plain GET allocates, from the loop to the bytes that a socket in memory gets, and what of it stays:
// node bench/micro/transport/wire/connection.js
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import net from 'node:net';
import v8 from 'node:v8';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { LoadGenerator } from '../../../../lib/core/run/load/generator.js';
import { programLayers } from '../../../../lib/core/run/options/layers.js';
import { planLoad } from '../../../../lib/core/run/plan.js';
import { readRunOptions } from '../../../../test/support/run-options.js';

const USERS = 50;
/** The requests before V8 has compiled everything. */
const WARM = 200_000;
const COUNT = 200_000;
/** V8 inlines other calls in each process, although it compiles in this thread. */
const PROCESSES = 7;
/** The young generation takes all of them: nothing is collected meanwhile. */
const YOUNG = [
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  '--expose-gc',
  '--no-concurrent-recompilation',
];
const RESPONSE = Buffer.from(
  'HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello',
);

if (globalThis.gc) process.stdout.write(JSON.stringify(await measure()));
else print(Array.from({ length: PROCESSES }, measureApart));

function measureApart() {
  return JSON.parse(spawnSync(process.execPath, [...YOUNG, process.argv[1]], { encoding: 'utf8' }).stdout);
}

function print(all) {
  const [used, kept] = ['used', 'kept'].map((key) => all.map((one) => one[key]).sort((a, b) => a - b));
  const range = `${used[0].toFixed(0)} to ${used.at(-1).toFixed(0)}`;
  console.log(`${used[PROCESSES >> 1].toFixed(0)} bytes allocated for a request, ${range} by process`);
  console.log(`${kept[PROCESSES >> 1].toFixed(2)} of them stay`);
}

async function measure() {
  let requests = 0;
  const marks = [];
  /** The sockets whose requests are answered in the next turn, and those whose requests are answered in this one. */
  let [asking, asked] = [new Array(USERS), new Array(USERS)];
  let count = 0;

  class MemorySocket extends EventEmitter {
    writableLength = 0;
    bytesWritten = 0;
    bytesRead = 0;

    constructor(onread) {
      super();
      this.onread = onread;
    }

    write() {
      asking[count] = this;
      if (++count === 1) setImmediate(answerAll);
      if (++requests === WARM || requests === WARM + COUNT) mark();
    }

    destroy() {
      setImmediate(() => this.emit('close'));
    }
  }

  net.connect = ({ onread }) => {
    const socket = new MemorySocket(onread);
    RESPONSE.copy(onread.buffer);
    setImmediate(() => socket.emit('connect'));
    return socket;
  };
  await run();
  const [from, to] = marks;
  return { used: (to.used - from.kept) / COUNT, kept: (to.kept - from.kept) / COUNT };

  function answerAll() {
    [asking, asked] = [asked, asking];
    const last = count;
    count = 0;
    for (let i = 0; i < last; i++) asked[i].onread.callback.call(asked[i], RESPONSE.length);
  }

  function mark() {
    const used = usedBytes();
    globalThis.gc();
    marks.push({ used, kept: usedBytes() });
  }
}

async function run() {
  const read = readFlow('http://127.0.0.1:1/');
  const options = readRunOptions(programLayers(read.flow, { limit: USERS, iterations: WARM + COUNT + USERS }));
  const generator = await LoadGenerator.open(planLoad(read.compile(options), options, read.flow.iterCtx));
  await generator.run(performance.now());
  await generator.close();
}

function usedBytes() {
  return v8.getHeapStatistics().used_heap_size;
}

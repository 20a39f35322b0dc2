// What an iteration costs without sockets, and with an async function per layer: node bench/micro/iteration/exchange.js
import { readFlow } from '../../../lib/core/flow/compile.js';
import { LoadGenerator } from '../../../lib/core/run/load/generator.js';
import { programLayers } from '../../../lib/core/run/options/layers.js';
import { readRunOptions } from '../../../test/support/run-options.js';
import { planLoad } from '../../../lib/core/run/plan.js';
import { NO_TRAFFIC } from '../../../lib/core/transport/traffic.js';

const LAYERS = 5;
const iterations = 100_000;
const response = {
  statusCode: 200,
  isPlain: true,
  headers: {},
  setCookies: null,
  contentEncoding: undefined,
  body: null,
  bodyBytes: 5,
};

/** Connections whose requests are answered together at the end of a turn, `answer` being how the response is delivered. */
function openWith(answer) {
  let waiting = [];
  const flush = () => {
    const now = performance.now();
    const due = waiting;
    waiting = [];
    for (const connection of due) {
      connection.sentAt = connection.firstByteAt = connection.endedAt = now;
      answer(connection.receiver, now);
    }
  };
  const connect = () => {
    const connection = {
      receiver: null,
      isDead: false,
      isConnecting: false,
      wasSent: true,
      wasReused: true,
      sawBytes: true,
      connectedAt: 0,
      sentAt: 0,
      firstByteAt: 0,
      endedAt: 0,
      send(request, needs, receiver) {
        connection.receiver = receiver;
        if (waiting.push(connection) === 1) setImmediate(flush);
      },
      abort() {},
      close() {},
    };
    return connection;
  };
  return { connect, totals: () => NO_TRAFFIC, addresses: { toJSON: () => [], reset() {} }, close: async () => {} };
}

const callBack = (receiver, now) => receiver.onResponse(response, now);

/** Through nested async functions, each with a `try`, as the layers of an iteration were. */
async function throughLayers(receiver) {
  receiver.onResponse(await layer(LAYERS - 1), performance.now());
}

async function layer(below) {
  const context = { below, isAnswered: false };
  try {
    return below === 0 ? await Promise.resolve(response) : await layer(below - 1);
  } finally {
    context.isAnswered = true;
  }
}

async function nanoseconds(answer, lanes) {
  const read = readFlow('http://127.0.0.1:1/');
  const options = readRunOptions(programLayers(read.flow, { limit: lanes, iterations }));
  const transport = { load: async () => ({ open: () => openWith(answer) }) };
  const generator = await LoadGenerator.open({
    ...planLoad(read.compile(options), options, read.flow.iterCtx),
    transport,
  });
  const before = process.cpuUsage();
  await generator.run(performance.now());
  const { user, system } = process.cpuUsage(before);
  await generator.close();
  return ((user + system) * 1000) / iterations;
}

for (const lanes of [50, 1000]) {
  for (const [how, answer] of [
    ['callbacks', callBack],
    ['and five awaits', throughLayers],
  ]) {
    const all = [];
    for (let round = 0; round < 15; round++) all.push(await nanoseconds(answer, lanes));
    const median = all.sort((a, b) => a - b)[all.length >> 1];
    console.log(
      `${lanes} lanes, ${how}: ${Math.round(all[0])} ns at least, median ${Math.round(median)} ns an iteration`,
    );
  }
}

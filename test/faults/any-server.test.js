import zlib from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { faulting } from '../support/faulty-server.js';
import { seeded } from '../support/random.js';
import { scaled } from '../support/scale.js';
import { describeSlow } from '../support/slow.js';
import { NAMES } from '../support/transports.js';
import { balance, leavingNothing } from './ground.js';

const head = (...fields) => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');
const good = (body, ...fields) => Buffer.from(`${head(...fields, `Content-Length: ${body.length}`)}${body}`);

/**
 * The faults of the server: bytes or acts, and the end of the connection. `body` is the number of the requesting
 * operation, once or more.
 */
const DEEDS = [
  ({ body }) => ({ say: good(body) }),
  ({ body }) => ({ say: good(body, `Set-Cookie: id=${body}`, 'ETag: "1"') }),
  ({ body }) => ({ say: `${head('Transfer-Encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` }),
  ({ body }) => ({ say: zipped(body) }),
  ({ body }) => ({ say: Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), good(body)]) }),
  ({ body, random }) => ({ say: (io) => inPieces(io, good(body), random) }),
  ({ body }) => ({ say: good(body, 'Connection: close'), end: 'fin' }),
  ({ body }) => ({ say: `${head()}${body}`, end: 'fin' }),
  ({ body }) => ({ say: good(body), end: 'fin' }),
  ({ body, random }) => ({
    say: good(body)
      .toString('latin1')
      .replace('200', random.pick(['201', '204', '304', '404', '500', '999'])),
  }),
  ({ path }) => ({ say: good('', `Location: ${path}`).toString().replace('200', '302') }),
  () => ({ say: '', end: 'fin' }),
  () => ({ say: '', end: 'rst' }),
  ({ body, random }) => ({ say: cut(good(body), random), end: 'fin' }),
  ({ body, random }) => ({ say: cut(good(body), random), end: 'rst' }),
  ({ body, random }) => ({
    say: Buffer.concat([good(body), Buffer.from(random.pick(['X', '\r\n', good('[9]').toString()]))]),
  }),
  ({ body, random }) => ({ say: flipped(good(body, 'a: b'), random), end: random.pick(['fin', undefined]) }),
  () => ({ say: '', end: 'hang' }),
  ({ body }) => ({ say: (io) => io.drip(good(body), 2) }),
];

const zipped = (body) => {
  const bytes = zlib.gzipSync(body);
  return Buffer.concat([Buffer.from(head('Content-Encoding: gzip', `Content-Length: ${bytes.length}`)), bytes]);
};
const cut = (bytes, { below }) => bytes.subarray(0, below(bytes.length));
const flipped = (bytes, { below }) => {
  // only in the head: any body is valid
  for (let i = below(3); i >= 0; i--) bytes[below(bytes.indexOf('\r\n\r\n') + 4)] = below(256);
  return bytes;
};
async function inPieces(io, bytes, { below }) {
  for (let from = 0, to; from < bytes.length; from = to) {
    to = from + 1 + below(20);
    await io.send(bytes.subarray(from, to));
    await new Promise(setImmediate);
  }
}

const playing = (random) => async (io) => {
  if (random.below(50) === 0) return void io[random.pick(['fin', 'rst'])]();
  for (;;) {
    const [, path] = (await io.readRequest()).split(' ');
    const { say, end } = random.pick(DEEDS)({
      path,
      body: `[${/\d+/.exec(path)[0]}]`.repeat(1 + random.below(5)),
      random,
    });
    await (typeof say === 'function' ? say(io) : io.send(say));
    if (end) return void io[end]();
  }
};

function runOf({ below, pick }) {
  const strange = [];
  const operation = (_, i) => ({
    [pick(['get', 'get', 'put', 'post', 'delete'])]: `/${i}/#{INDEX}`,
    ...(below(3) === 0 && { gzip: true }),
    ...(below(4) === 0 && { pause: 5 }),
    ...(below(4) === 0 && { followAllRedirects: true }),
    ...(below(2) && {
      afterHooks: [
        ({ err, body }) => {
          if (!err && body.match(/\d+/g)?.some((number) => number !== String(i))) strange.push(body);
        },
        ...(below(3) === 0 ? ['verify2XX'] : []),
      ],
    }),
  });
  const isPipelined = below(4) === 0;
  const flow = {
    main: isPipelined ? ['/0/0'] : Array.from({ length: 1 + below(3) }, operation),
    ...(!isPipelined && below(3) === 0 && { afterMain: [operation(null, 7)] }),
  };
  const options = {
    limit: 2 + below(20),
    timeout: 100,
    gracefulStop: pick([0, 100, 1000]),
    teardownTimeout: 500,
    maxBodySize: 1000,
    ...pick([
      { iterations: 60 },
      { duration: 300 },
      ...(isPipelined
        ? []
        : [
            { iterations: 60, rate: 500 },
            { iterations: 60, rate: 500, maxBacklog: 3 },
          ]),
    ]),
    ...(isPipelined && { pipelining: 1 + below(8) }),
    ...(below(4) === 0 && { requestsPerConnection: 1 + below(5) }),
  };
  return { flow, options, strange, stopAfter: below(4) === 0 ? below(150) : null };
}

const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);

/** Whatever a server does, the run ends, its counters balance, and no response is assigned to another request. */
for (const httpClient of NAMES) {
  describeSlow(`any server: ${httpClient}`, () => {
    for (let seed = 0; seed < scaled(2, 40); seed++) {
      it(`S7 S9 a run against a random server ends with balanced counters (random seed ${seed})`, () =>
        leavingNothing(() =>
          faulting(playing(seeded(seed)), async (url, seen) => {
            const {
              flow,
              options: { pipelining, ...options },
              strange,
              stopAfter,
            } = runOf(seeded(seed + 1000));
            const run = benchrest(flow, {
              ...options,
              ...(httpClient === 'builtin' && pipelining && { pipelining }),
              baseUrl: url,
              httpClient,
            });
            const timer = stopAfter === null ? undefined : setTimeout(() => run.stop(), stopAfter);
            let heard = 0;
            const { stats } = await run.on('error', () => heard++);
            clearTimeout(timer);
            const { iterations, requests, errors, operations, main } = stats;
            balance(stats);
            expect(seen.requests).to.be.at.most(requests.sent);
            expect(strange, 'the response to another request').to.deep.equal([]);
            // the others are what the end cut off
            expect(heard).to.equal(errors.count - errors.overdue);
            expect(sum(errors.kinds)).to.equal(errors.count);
            expect(sum(operations.map((operation) => operation.errors - (operation.overdue ?? 0)))).to.equal(heard);
            expect(sum(requests.statusCodes)).to.equal(requests.answered);
            expect(main.histogram.count).to.equal(iterations.completed + iterations.failed);
            expect(main.completed.count).to.equal(iterations.completed);
          }),
        ));
    }
  });
}

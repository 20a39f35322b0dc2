import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { faulting } from '../support/faulty-server.js';
import { scaled } from '../support/scale.js';

/**
 * A fault of a server at each request for `/odd`, and its expected result.
 *
 * @typedef {object} Fault
 * @property {string} id of the catalogue
 * @property {string} what
 * @property {string | Buffer | ((io: object) => unknown)} say bytes (text is latin1), or the acts themselves; `io.carried`:
 *   requests that the connection had before
 * @property {'fin' | 'rst' | 'hang'} [end] the end of the connection; none: it stays open
 * @property {[kind: string | string[], code?: string]} [fails] how each iteration fails; none: it succeeds
 * @property {object} [undici] differences on undici, with `why`
 * @property {boolean} [isNew] the fault meets a new connection
 * @property {boolean} [isRetried] every request that meets the fault is retried, and meets it again
 * @property {boolean} [isRaced] the server may close while a request is on its way
 * @property {number} [connections] accepted by the server; none: not checked
 * @property {object} [operation] the one that meets the fault
 * @property {object} [options] of the run
 * @property {number} [iterations]
 * @property {(stats: object) => void} [check] further expectations
 */

export const LANES = scaled(3, 10);
const ITERATIONS = scaled(6, 200);
const TIMEOUT = 15_000;

/**
 * The basic rule of the catalogue. Each iteration requests `/good/<index>`, whose response must have its own body, then
 * `/odd`: each lane has a healthy exchange before and after each fault. The counters balance and match those of the
 * server; as many iterations fail as faults were sent, all in one group; nothing remains: no handle, no warning, no
 * output on stdout.
 *
 * @param {Fault} fault
 * @param {string} transport
 * @returns {Promise<{ stats: any, errors: Error[], seen: any }>}
 */
export function provoke(fault, httpClient) {
  return leavingNothing(() => meet(fault, httpClient));
}

async function meet(fault, httpClient) {
  const {
    say,
    end,
    fails,
    isNew,
    isRetried,
    isRaced,
    connections,
    operation,
    options,
    iterations = ITERATIONS,
    check,
  } = {
    ...fault,
    ...(httpClient === 'undici' && fault.undici),
  };
  const errors = [];
  let dealt = 0;
  const result = await faulting(
    async (io) => {
      for (io.carried = 0; ; io.carried++) {
        const path = (await io.readRequest()).split(' ')[1];
        if (path.startsWith('/good/')) {
          await io.send(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
          continue;
        }
        dealt++;
        if (typeof say === 'function') await say(io);
        else await io.send(typeof say === 'string' ? Buffer.from(say, 'latin1') : say);
        if (end) return void io[end]();
      }
    },
    async (url, seen) => {
      const good = {
        get: '/good/#{INDEX}',
        afterHooks: [
          (all) => {
            expect(all.body).to.equal(`/good/${all.env.index}`);
          },
        ],
      };
      const hasMethod = ['head', 'put', 'post'].some((method) => operation?.[method]);
      const flow = [good, { ...(!hasMethod && { get: '/odd' }), ...operation }];
      const run = benchrest(flow, {
        limit: LANES,
        iterations,
        timeout: TIMEOUT,
        ...(isNew && { requestsPerConnection: 1 }),
        ...options,
        httpClient,
        baseUrl: url,
      });
      run.on('error', (error) => errors.push(error));
      const { stats } = await run;
      return { stats, errors, seen };
    },
  );
  const { stats, seen } = result;
  const { requests } = stats;
  balance(stats);
  const failed = fails ? iterations : 0;

  expect(stats.iterations, JSON.stringify(stats.errors)).to.include({
    started: iterations,
    completed: iterations - failed,
    failed,
    cancelled: 0,
  });
  expect(requests.count).to.equal(2 * iterations);
  if (!isRaced) {
    expect(requests.retries).to.equal(isRetried ? iterations : 0);
    expect(seen.requests, 'requests received by the server').to.equal(requests.sent);
    expect(dealt, 'faults sent').to.equal(isRetried ? 2 * iterations : iterations);
  } else expect(seen.requests).to.be.within(requests.sent - requests.retries, requests.sent);
  const asked = new Set(seen.lines.filter((line) => line.includes(' /good/')));
  expect(asked.size, 'indexes received').to.equal(iterations);
  if (connections !== undefined) expect(seen.connections, 'connections').to.equal(connections);
  expect(stats.errors.count).to.equal(failed);
  expect(errors).to.have.lengthOf(failed);
  if (fails) {
    const [kind, code] = fails;
    const { kinds, details } = stats.errors;
    expect(details, JSON.stringify(details)).to.have.lengthOf(1);
    expect(details[0].kind, details[0].message).to.be.oneOf([kind].flat());
    expect(details[0]).to.include({ count: failed, firstIndex: 0, ...(code && { code }) });
    expect(kinds).to.deep.equal({ [details[0].kind]: failed });
  }
  check?.(stats);
  return result;
}

/** Equations that hold after every run; `arrived`: requests counted by the server. */
export function balance({ iterations, requests, outside, errors, validity }, arrived) {
  expect(iterations.started).to.equal(iterations.completed + iterations.failed + iterations.cancelled);
  expect(requests.sent).to.equal(requests.answered + requests.unanswered + requests.cancelled);
  expect(requests.sent).to.equal(requests.count + requests.retries + requests.redirects + requests.throttled);
  expect(errors.details.length).to.be.at.most(20);
  expect(validity.status).to.not.equal('invalid');
  // Those of before and after are counted apart.
  const sent = requests.sent + (outside?.sent ?? 0);
  if (arrived !== undefined) expect(sent, 'requests received by the server').to.equal(arrived);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Heap bytes in use after a garbage collection. */
export function heapInUse() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Runs `story`, after which the process has no new open handle, and printed nothing on stdout. */
export async function leavingNothing(story) {
  // the test runner sets its own timer first
  await new Promise(setImmediate);
  const before = openHandles();
  const said = [];
  const warned = [];
  const { write } = process.stdout;
  const hear = (warning) => warned.push(String(warning));
  process.on('warning', hear);
  process.stdout.write = (...args) => {
    said.push(String(args[0]));
    return write.apply(process.stdout, args);
  };
  try {
    return await story();
  } finally {
    process.stdout.write = write;
    process.off('warning', hear);
    expect(said, 'printed on stdout').to.deep.equal([]);
    expect(warned, 'warnings').to.deep.equal([]);
    await expectHandles(before);
  }
}

/** Sockets take a moment to close. */
async function expectHandles(count) {
  const until = Date.now() + 20_000;
  while (openHandles() > count && Date.now() < until) await new Promise(setImmediate);
  expect(openHandles(), 'sockets and timers still open').to.be.at.most(count);
}

function openHandles() {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Pipe|Timeout/.test(name)).length;
}

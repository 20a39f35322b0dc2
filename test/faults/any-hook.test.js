import { expect } from 'chai';

import benchrest from '../../index.js';
import { faulting } from '../support/faulty-server.js';
import { seeded } from '../support/random.js';
import { scaled } from '../support/scale.js';
import { NAMES } from '../support/transports.js';
import { balance, leavingNothing } from './ground.js';

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('no');
    },
    set() {
      throw new Error('no');
    },
    has() {
      throw new Error('no');
    },
    ownKeys() {
      throw new Error('no');
    },
    getPrototypeOf() {
      throw new Error('no');
    },
  },
);
const endless = () => {
  const value = {};
  return Object.assign(value, { value });
};
/** Created for each run, because hooks write to it. */
const createJunk = () => [
  null,
  undefined,
  true,
  false,
  0,
  -1,
  200,
  999,
  NaN,
  Infinity,
  10n,
  Symbol('x'),
  '',
  'x',
  '/x',
  '\r\nX: 1',
  '\0',
  '\u{1f600}',
  'http://',
  'http://127.0.0.1:1/',
  'ftp://x',
  'unix:/none:/x',
  [],
  [null],
  [['a', 'b']],
  {},
  { a: 1 },
  endless(),
  hostile,
  Object.create(null),
  Object.freeze({}),
  () => {},
  new Date(),
  new Map([[1, 2]]),
  new Error('x'),
  Buffer.from('x'),
  new ArrayBuffer(2),
  { then: (_, reject) => reject(new Error('x')) },
  {
    toString() {
      throw new Error('no');
    },
  },
  {
    toJSON() {
      throw new Error('no');
    },
  },
];
const OF_OPTIONS = [
  'uri',
  'url',
  'method',
  'get',
  'headers',
  'json',
  'body',
  'form',
  'formData',
  'qs',
  'auth',
  'timeout',
  'maxRedirects',
  'gzip',
  'jar',
  'socketPath',
  'ca',
  'haeders',
  '__proto__',
  'constructor',
];
const OF_HEADERS = [
  'a',
  'Cookie',
  'Host',
  'Content-Length',
  'Transfer-Encoding',
  'x y',
  '',
  '__proto__',
  'If-None-Match',
];
const OF_ALL = [
  'err',
  'env',
  'iterCtx',
  'runCtx',
  'opIndex',
  'phase',
  'requestOptions',
  'response',
  'body',
  'cb',
  'odd',
];
const OF_ENV = ['index', 'jar', 'user', 'password', 'iterCtx', 'etags', 'stats', 'paused', 'hasJar'];
const OF_RESPONSE = ['statusCode', 'originalStatusCode', 'headers'];

function hooksOf({ below, pick }) {
  const all = createJunk();
  const junk = () => pick(all);
  const deeds = [
    (all) => {
      all[pick(OF_ALL)] = junk();
    },
    (all) => {
      delete all[pick(OF_ALL)];
    },
    (all) => {
      all.env[pick(OF_ENV)] = junk();
    },
    (all) => {
      delete all.env[pick(OF_ENV)];
    },
    (all) => {
      all.requestOptions[pick(OF_OPTIONS)] = junk();
    },
    (all) => {
      all.requestOptions[pick(OF_OPTIONS)] = { [pick(OF_HEADERS)]: junk() };
    },
    (all) => {
      all.requestOptions.headers[pick(OF_HEADERS)] = junk();
    },
    (all) => {
      delete all.requestOptions[pick(OF_OPTIONS)];
    },
    (all) => {
      all.response[pick(OF_RESPONSE)] = junk();
    },
    (all) => {
      Object.freeze(pick([all, all.env, all.response, all.iterCtx]));
    },
    (all) => {
      all.cb(junk());
    },
    (all) => {
      all.env.stats.timer(junk()).update(junk());
    },
    () => {
      throw junk();
    },
  ];
  const act = (all) => {
    for (let i = below(3); i >= 0; i--) pick(deeds)(all);
    return pick([undefined, undefined, all, junk()]);
  };
  const hook = () =>
    pick([
      act,
      act,
      async (all) => act(all),
      (all) => new Promise((resolve) => setImmediate(resolve)).then(() => act(all)),
    ]);
  const some = (own, named) => Array.from({ length: below(3) }, () => (below(3) === 0 ? pick(named) : own()));
  return {
    beforeHooks: some(hook, ['useEtag', 'startStepTimer']),
    afterHooks: some(hook, ['saveEtag', 'verify2XX', 'ignoreStatus', 'endStepTimer']),
  };
}

function flowOf(random) {
  const { below, pick } = random;
  const operation = (name, token = '#{INDEX}') => ({
    [pick(['get', 'put', 'post'])]: `/${name}/${token}`,
    ...hooksOf(random),
    ...(below(2) && { body: token }),
    ...(below(3) === 0 && { headers: { a: token } }),
    ...(below(3) === 0 && { qs: { a: 1 } }),
    ...(below(4) === 0 && { auth: { user: 'ann', pass: 'x' } }),
  });
  return {
    main: Array.from({ length: 1 + below(3) }, (_, i) => operation(i)),
    ...(below(3) === 0 && { afterMain: [operation('afterMain')] }),
    ...(below(3) === 0 && { before: [operation('before', '')] }),
    ...(below(3) === 0 && { after: [operation('after', '')] }),
  };
}

const answer = ({ below }) =>
  `HTTP/1.1 ${below(10) === 0 ? 500 : 200} Some\r\nETag: "${below(9)}"\r\nSet-Cookie: a=${below(9)}\r\nContent-Length: 2\r\n\r\nok`;

/** Whatever hooks change, the run ends, its counters balance, and only the hooks cause errors. */
for (const httpClient of NAMES) {
  describe(`any hook: ${httpClient}`, () => {
    for (let seed = 0; seed < scaled(1, 30); seed++) {
      it(`C11 C14 C15 random changes by a hook fail at most their own iteration (random seed ${seed})`, () =>
        leavingNothing(() =>
          faulting(
            async (io) => {
              const random = seeded(seed);
              for (;;) {
                await io.readRequest();
                await io.send(answer(random));
              }
            },
            async (url, seen) => {
              const run = benchrest(flowOf(seeded(seed)), {
                limit: 5,
                iterations: 40,
                timeout: 5000,
                baseUrl: url,
                httpClient,
              });
              let heard = 0;
              const { stats } = await run.on('error', () => heard++);
              balance(stats, seen.requests);
              expect(heard).to.equal(stats.errors.count);
              for (const { kind, code } of stats.errors.details) {
                expect(kind, JSON.stringify(stats.errors.details)).to.be.oneOf(['hook', 'status', 'connect', 'dns']);
                expect(code).to.match(/^E[A-Z_\d]+$/);
              }
              expect(JSON.parse(JSON.stringify(stats)).iterations).to.deep.equal(stats.iterations);
            },
          ),
        ));
    }
  });
}

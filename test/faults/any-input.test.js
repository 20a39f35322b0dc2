import { expect } from 'chai';

import benchrest from '../../index.js';
import { METHOD_KEYS, PROPERTIES } from '../../lib/core/flow/properties.js';
import { RUN_OPTIONS } from '../../lib/core/run/options/index.js';
import { seeded } from '../support/random.js';
import { scaled } from '../support/scale.js';
import { describeSlow } from '../support/slow.js';
import { leavingNothing } from './ground.js';

const endless = { list: [] };
endless.list.push(endless);
const nested = (wrap) => Array.from({ length: 100_000 }).reduce(wrap, 1);

/** Values of wrong types, created each time, so that iterations share none. */
const JUNK = [
  null,
  undefined,
  true,
  false,
  0,
  -1,
  1.5,
  NaN,
  Infinity,
  1e308,
  2 ** 53,
  10n,
  Symbol('x'),
  '',
  ' ',
  'x',
  '/x',
  '#{INDEX}',
  '#{INDX}',
  '\r\n',
  '\0',
  '\u{1f600}',
  '\ud800',
  'http://',
  'http://127.0.0.1:1/',
  '__proto__',
  '5s',
  '10/s',
  '5%',
  'p99<1ms',
  '30s:50c',
  'verify2XX',
  'a'.repeat(100_000),
  [],
  [null],
  [undefined],
  [[]],
  [Symbol('x')],
  ['x', 'x'],
  Array(3),
  Array(1000).fill('x'),
  {},
  { a: 1 },
  { get: '/x' },
  [{ get: '/x' }],
  { main: [] },
  Object.create(null),
  JSON.parse('{"__proto__":1}'),
  endless,
  nested((inner) => [inner]),
  nested((a) => ({ a })),
  () => {},
  async () => {},
  class {},
  new Date(NaN),
  new Map([[1, 2]]),
  new Set([1]),
  /x/,
  new Error('x'),
  Buffer.from('x'),
  new Uint8Array(3),
  new ArrayBuffer(2),
  new URL('http://127.0.0.1:1/u'),
  new Proxy({}, {}),
  Object.freeze({}),
  Promise.resolve(1),
  new WeakMap(),
  new Number(3),
  new String('x'),
  globalThis,
  {
    toJSON() {
      throw new Error('no');
    },
  },
  {
    toString() {
      throw new Error('no');
    },
  },
];
const OF_OPERATION = [...METHOD_KEYS, ...Object.keys(PROPERTIES), 'haeders', '__proto__', 'constructor', 'toString'];
const OF_FLOW = [
  'before',
  'beforeMain',
  'main',
  'afterMain',
  'after',
  'baseUrl',
  'headers',
  'beforeEach',
  'afterEach',
  'runOptions',
  'thresholds',
  'constructor',
  'beforMain',
];
const WITHIN = [
  'a',
  'Content-Type',
  'user',
  'pass',
  'bearer',
  'value',
  'options',
  'file',
  'then',
  'toString',
  '__proto__',
];
const OF_RUN = [...RUN_OPTIONS.map(({ name }) => name), 'limti', '__proto__'];

/** Defines an own property, for any name. */
const set = (object, key, value) =>
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });

function inputOf({ below, pick }) {
  const junk = () =>
    pick([
      () => pick(JUNK),
      () => pick(JUNK),
      () => pick(JUNK),
      () => [pick(JUNK), pick(JUNK)],
      () => set({}, pick(WITHIN), pick(JUNK)),
      () => ({ a: { value: pick(JUNK), options: { filename: pick(JUNK), contentType: pick(JUNK) } } }),
    ])();
  const some = (object, most, keys, value = junk) => {
    for (let i = below(most + 1); i > 0; i--) set(object, pick(keys), value());
    return object;
  };
  const operation = () =>
    below(10) === 0 ? junk() : some(below(3) ? { get: 'http://127.0.0.1:1/x' } : {}, 3, OF_OPERATION);
  const flow = () =>
    some({ main: below(4) ? [operation()] : operation() }, 2, OF_FLOW, () => (below(2) ? junk() : [operation()]));
  return {
    flow: pick([junk, () => [operation(), operation()], flow, flow, flow, flow])(),
    options: some({ limit: 1, iterations: 1 }, below(3), OF_RUN),
  };
}

/** Invalid input is reported before the first request, in our own bounded messages; valid input can run. */
describeSlow('any input', () => {
  for (let seed = 0; seed < scaled(2, 20); seed++) {
    it(`B5 B6 B7 B8 B9 B16 a random flow runs or is refused with a reason (random seed ${seed})`, () =>
      leavingNothing(async () => {
        const random = seeded(seed);
        let refused = 0;
        for (let i = 0; i < 100; i++) {
          const { flow, options } = inputOf(random);
          try {
            const run = benchrest(flow, { quiet: true, ...options });
            // a valid flow is only compiled, so that no request is sent
            run.stop();
            expect((await run).stats.iterations.started).to.equal(0);
          } catch (error) {
            refused++;
            expect(error.code, error.stack).to.match(/^E_/);
            expect(error.name).to.equal('BenchRestError');
            expect(error.message.length).to.be.within(10, 250_000);
          }
        }
        expect(refused).to.be.above(50);
      }));
  }
});

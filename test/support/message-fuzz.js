import { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { mergedResult } from '../../lib/addons/merge/merge-results.js';
import { readResult } from '../../lib/addons/saved/read-result.js';
import { confine } from '../../lib/core/process/confinement.js';
import { comparisonOf } from '../../lib/addons/compare/report/index.js';
import { REPORTERS } from '../../lib/core/report/formats/index.js';
import { anyText } from '../../lib/core/text/format-value.js';
import { openFlow } from '../../lib/core/run/flow-source.js';
import { unpackFlow } from '../../lib/addons/agents/flow-packet.js';
import { mergedResult as mergedIn } from '../../lib/addons/agents/merged-state.js';
import { packFlow } from '../../lib/addons/agents/pack-flow.js';
import { PROTOCOL, readMessage, writeMessage } from '../../lib/addons/agents/protocol.js';
import { readReport } from '../../lib/addons/agents/report.js';
import { PREPARE } from '../../lib/addons/agents/run-control.js';
import { Seal } from '../../lib/addons/agents/seal.js';
import { commandHere } from './command.js';
import { reportOf, tableOf } from './shard-reports.js';

/** ms of CPU */
const LONGEST_MS = 1000;
const MOST_BYTES = 500 * 1024 * 1024;

const CODE = '(() => { globalThis.isMoved = true; return { main: ["http://127.0.0.1:1/"] }; })()';
const TEXTS = [
  '',
  'x',
  '__proto__',
  '1',
  'NaN',
  '\u001b[2J',
  '/etc/passwd',
  '../../outside.txt',
  'unix:/x.sock:/',
  CODE,
];
const NUMBERS = [0, -1, 0.5, 1e18, 1e300, -1e300, Number.MIN_VALUE, 2 ** 53];
const OTHERS = [null, true, [], {}, [null], [[]], { evaluate: CODE }, { kind: 'code' }, { count: 1 }];
const NAMES = [
  '__proto__',
  'constructor',
  'evaluate',
  'file',
  'urls',
  'kind',
  'disk',
  'start',
  'toString',
  'x',
  'schema',
];
/** What JSON.stringify cannot write. */
const RAW = [
  '1e309',
  '-1e309',
  `"${'x'.repeat(100_000)}"`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '1e',
  ',',
  '{"a":1,"a":2}',
];
const MARK = 'raw: a place for other text';

/**
 * Changes messages of the queue and results at random, reads them as the programs do, and watches what must not happen: code
 * runs, a process starts, a connection is made, a file outside of the folder or a variable of the environment changes, a
 * message takes a second, or memory grows.
 */
export class MessageFuzz {
  #folder = mkdtempSync(join(tmpdir(), 'bench-rest-fuzz-'));
  #now = Date.now();
  #seal = new Seal({ secret: null, pool: 'p' });
  #touched = /** @type {string[]} */ ([]);
  #originals = /** @type {(() => void)[]} */ ([]);
  #files = '';
  #isReading = false;
  #memoryBefore = process.memoryUsage().rss;
  #environment = JSON.stringify(process.env);
  /** @type {{ name: string, value: any, read: (text: string) => Promise<unknown> }[]} */
  #seeds = [];
  /** accepted and refused ones, by name of the seed @type {Record<string, { read: number, refused: number }>} */
  counts = {};

  /** Makes the seeds with real runs. */
  async open() {
    mkdirSync(this.#at('disk'));
    writeFileSync(this.#at('outside.txt'), 'canary');
    writeFileSync(
      this.#at('flow.json'),
      JSON.stringify({ main: [{ post: 'http://127.0.0.1:1/', body: { file: 'a.txt' } }] }),
    );
    writeFileSync(this.#at('a.txt'), 'a');
    const flow = "{ beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'], main: ['/', '/status/500'] }";
    for (const name of ['one.json', 'two.json'])
      await commandHere(
        ['--serve', '-n', '20', '-c', '2', '--threshold', 'p99<9s', '-o', name, '--quiet', '-e', flow],
        { cwd: this.#folder },
      );
    const result = JSON.parse(readFileSync(this.#at('one.json'), 'utf8'));
    const context = { cwd: this.#folder, config: { name: 'c', options: {} }, commandLine: [], bundle: false };
    const packets = [
      await packFlow({ argument: 'flow.json' }, context),
      await packFlow({ urls: ['http://127.0.0.1:1/'] }, context),
    ];
    const layer = { name: 'flags', options: { rate: 5, headers: { a: 'b' } } };
    const { schema: _schema, run: _run, exit: _exit, ...stats } = result;
    const report = { ...reportOf(stats, { state: 'ended', outcome: { kind: 'ended', why: 'completed' } }) };
    const { agent } = report;
    const control = { ...PREPARE, order: 'start', startAt: 5, within: 10, dropped: ['l'] };
    this.#seeds = [
      ...packets.map((packet) => ({ name: 'packet', value: packet, read: (text) => this.#unpack(text) })),
      this.#message('work', {
        ...{ protocol: PROTOCOL, run: 'r', flow: packets[0], config: layer, commandLine: [layer] },
      }),
      this.#message('shard', { protocol: PROTOCOL, run: 'r', number: 1, of: 2 }),
      this.#message('control', control),
      this.#message('presence', agent),
      { name: 'report', value: report, read: (text) => this.#report(text) },
      { name: 'result', value: result, read: (text) => this.#result(text) },
    ];
    for (const { name, value, read } of this.#seeds) {
      this.counts[name] = { read: 0, refused: 0 };
      await read(JSON.stringify(value)).finally(() => confine(undefined));
    }
    this.#files = readdirSync(this.#folder).join();
    this.#watch();
  }

  close() {
    for (const restore of this.#originals) restore();
    confine(undefined);
    rmSync(this.#folder, { recursive: true });
  }

  /**
   * @param {ReturnType<typeof import('./random.js').seeded>} random
   * @returns {Promise<string | null>} what happened that must not
   */
  async try(random) {
    const { name, value, read } = random.pick(this.#seeds);
    const text = mutated(value, random);
    const before = process.cpuUsage();
    this.#isReading = true;
    /** @type {any} */
    let thrown = null;
    try {
      await read(text);
      this.counts[name].read++;
    } catch (error) {
      thrown = error;
      this.counts[name].refused++;
    }
    this.#isReading = false;
    confine(undefined);
    const { user, system } = process.cpuUsage(before);
    const fault = this.#faultOf(thrown, (user + system) / 1000);
    return fault && `${name}: ${fault}: ${text.slice(0, 300)}`;
  }

  /** @type {(thrown: any, ms: number) => string | null} */
  #faultOf(thrown, ms) {
    const touched = this.#touched.splice(0);
    if (touched.length > 0) return touched.join(', ');
    if (/** @type {any} */ (globalThis).isMoved) return 'code ran';
    if (ms > LONGEST_MS) return `took ${ms.toFixed(0)} ms`;
    // other tests may have run in this process before
    if (process.memoryUsage().rss > this.#memoryBefore + MOST_BYTES) return 'took too much memory';
    if (readFileSync(this.#at('outside.txt'), 'utf8') !== 'canary') return 'a file was changed';
    if (readdirSync(this.#folder).join() !== this.#files) return 'a file was made';
    if (JSON.stringify(process.env) !== this.#environment) return 'the environment was changed';
    if (/** @type {any} */ ({}).evaluate !== undefined) return 'a prototype was changed';
    const isRefusal = thrown === null || REFUSALS.includes(thrown.name) || thrown.code?.startsWith('E_');
    return isRefusal ? null : String(thrown.stack);
  }

  /** @type {(purpose: any, value: any) => any} */
  #message(purpose, value) {
    const read = async (/** @type {string} */ text) => {
      const given = writeMessage(this.#seal, purpose, 'r', value, { now: this.#now, lifeMs: 1000 });
      const changed = given.slice(0, given.indexOf('\n') + 1) + text;
      return readMessage(this.#seal, purpose, 'r', { given: changed, now: this.#now });
    };
    return { name: purpose, value, read };
  }

  /** As an agent that allows no code. @type {(text: string) => Promise<unknown>} */
  async #unpack(text) {
    const folder = this.#at('unpacked');
    mkdirSync(folder);
    try {
      const allowed = { code: false, variables: [], targets: null };
      const { cwd, ...source } = await unpackFlow(JSON.parse(text), { allowed, folder, disk: this.#at('disk') });
      return await openFlow(source, [], { cwd });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** As a coordinator. @type {(text: string) => Promise<unknown>} */
  async #report(text) {
    const report = await readReport(gzipSync(text, { level: 1 }));
    return mergedIn(tableOf(report), 0);
  }

  /** As report, compare and merge. @type {(text: string) => Promise<unknown>} */
  async #result(text) {
    writeFileSync(this.#at('result.json'), text);
    const [result, other] = [readResult('result.json', this.#folder), readResult('two.json', this.#folder)];
    for (const name of ['text', 'markdown', 'csv']) {
      const format = REPORTERS.find((one) => one.name === name);
      (await /** @type {any} */ (format).load()).render(result, { distributionOf: () => [] });
    }
    comparisonOf([result], [other], {});
    return mergedResult([result, other], ['result.json', 'two.json']);
  }

  #watch() {
    for (const [owner, name, event] of WATCHED) {
      const original = owner[name];
      this.#originals.push(() => (owner[name] = original));
      owner[name] = (/** @type {any[]} */ ...args) => {
        throw new Error(this.#isReading ? (this.#touched.push(event), event) : `unexpected ${event} ${args}`);
      };
    }
  }

  /** @type {(name: string) => string} */
  #at(name) {
    return join(this.#folder, name);
  }
}

/** @type {[owner: any, name: string, event: string][]} */
const WATCHED = [
  [ChildProcess.prototype, 'spawn', 'a process was started'],
  [Socket.prototype, 'connect', 'a connection was made'],
];
/** Errors that explain a refusal: others are faults of the program. */
const REFUSALS = ['Error', 'ShapeError', 'SyntaxError'];

/** @type {(value: any, random: any) => string} JSON, if it still is */
function mutated(value, random) {
  const copy = structuredClone(value);
  for (let i = random.below(3); i >= 0; i--) random.pick(CHANGES)(copy, random);
  const text = JSON.stringify(copy).replace(`"${MARK}"`, () => random.pick(RAW));
  return random.below(40) === 0 ? text.slice(0, random.below(text.length)) : text;
}

/** @type {((value: any, random: any) => void)[]} */
const CHANGES = [
  (value, random) => place(value, random, (holder, key) => (holder[key] = anyOf(random, [TEXTS, NUMBERS, OTHERS]))),
  (value, random) => place(value, random, (holder, key) => delete holder[key]),
  (value, random) => place(value, random, (holder, key) => (holder[key] = MARK)),
  (value, random) => place(value, random, (holder, key) => (holder[key] = anyText(holder[key]))),
  (value, random) => place(value, random, (holder, key) => (holder[key] = -Number(holder[key]))),
  (value, random) => place(value, random, (holder, key) => (holder[key] = [holder[key]])),
  (value, random) =>
    place(value, random, (holder) =>
      Object.defineProperty(holder, random.pick(NAMES), {
        value: anyOf(random, [OTHERS, TEXTS]),
        enumerable: true,
        configurable: true,
        writable: true,
      }),
    ),
  (value, random) =>
    place(value, random, (holder, key) =>
      place(value, random, (other, name) => (other[name] = structuredClone(holder[key]))),
    ),
];

/** @type {(random: any, lists: any[][]) => any} */
function anyOf(random, lists) {
  return structuredClone(random.pick(random.pick(lists)));
}

/** Changes one place of a value. @type {(value: any, random: any, change: (holder: any, key: string) => unknown) => void} */
function place(value, random, change) {
  const all = placesOf(value, []);
  if (all.length > 0) change(...random.pick(all));
}

/** @type {(value: any, all: [holder: any, key: string][]) => [holder: any, key: string][]} */
function placesOf(value, all) {
  if (typeof value !== 'object' || value === null) return all;
  for (const key of Object.keys(value)) {
    all.push([value, key]);
    placesOf(value[key], all);
  }
  return all;
}

'use strict';

/**
 * Records the CPU profile and the allocations of this thread of the service, with the inspector of V8 in the process:
 * no port is opened, and nothing can be paused. What was recorded is written to the folder of the load generator.
 *
 * The answer to a start is `{ started: true }`, that to a stop an {@link Answer}, or `{ error }`. A thread that ends
 * before writes its answer to a file, with what it is: it may have sent no hello.
 *
 * @typedef {object} StartMessage
 * @property {'start' | 'stop'} action
 * @property {{ interval: number }} [cpu] µs between two samples
 * @property {{ interval: number }} [heap] bytes between two samples
 * @property {import('./operations.cjs').Marks} [operations]
 * @property {string[]} [measured] of a stop: ids of the threads that measure the overhead
 *
 * @typedef {object} Answer the names of files
 * @property {{ kind: string, file: string, overhead?: number }[]} files
 * @property {string | null} maps
 * @property {string} [marks]
 *
 * @typedef {Pick<import('./index.cjs').Context, 'send' | 'folder' | 'id' | 'self'>} Context
 */

const { Session } = require('node:inspector');
const { readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { ENDED } = require('./names.cjs');

/** Source maps in code may be as large as it. */
const MOST_MAP_CHARACTERS = 50_000_000;
/** A probe of the overhead takes this long, ms. */
const PROBE_MS = 5;
const ROUNDS = 7;
const MOST_UNITS = 500_000;
const DEPTH = 30;
const LONGEST_ERROR = 300;
/** A service may start a thread for each request: only the first profiles of ended ones are kept. */
const MOST_ENDED = 200;

/**
 * null: nothing is recorded
 * @type {(Pick<StartMessage, 'cpu' | 'heap'> & { session: Session, endMarks: (() => object) | null, onExit: () => void
 *   }) | null}
 */
let recording = null;

/** @type {(message: StartMessage, context: Context) => void} */
module.exports = ({ action, measured, ...kinds }, { send, ...place }) => {
  try {
    if (action === 'start') start(kinds, place);
    send('profile', action === 'start' ? { started: true } : stop(place, measured));
  } catch (/** @type {any} */ error) {
    if (recording) {
      recording.session.disconnect();
      process.removeListener('exit', recording.onExit);
      if (recording.endMarks) recording.endMarks();
    }
    recording = null;
    send('profile', { error: String(error && error.message).slice(0, LONGEST_ERROR) });
  }
};

/** @type {(kinds: Omit<StartMessage, 'action' | 'measured'>, place: Omit<Context, 'send'>) => void} */
function start({ cpu, heap, operations }, place) {
  if (recording !== null) {
    // The first message had none.
    if (operations && recording.endMarks === null) recording.endMarks = markOperations(operations);
    return;
  }
  const session = new Session();
  const onExit = () => {
    try {
      if (readdirSync(place.folder).filter((name) => name.endsWith(ENDED)).length >= MOST_ENDED) return;
      const answer = Object.assign({ thread: place.self() }, stop(place));
      writeFileSync(join(place.folder, `${place.id}${ENDED}`), JSON.stringify(answer));
    } catch {
      // The run reports that nothing arrived.
    }
  };
  recording = { session, cpu, heap, endMarks: null, onExit };
  const most = process.getMaxListeners();
  // With one more listener than that, Node would print a warning in the output of the service.
  if (most === 0 || process.listenerCount('exit') < most) process.on('exit', onExit);
  session.connect();
  if (heap) {
    post(session, 'HeapProfiler.enable');
    // Objects that were collected meanwhile count, too: what is allocated, not what is kept.
    post(session, 'HeapProfiler.startSampling', {
      samplingInterval: heap.interval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  }
  if (cpu) startCpu(session, cpu.interval);
  if (operations) recording.endMarks = markOperations(operations);
}

/**
 * Null: this version of Node cannot mark them, or the service keeps its objects from changes.
 * @type {(operations: import('./operations.cjs').Marks) => (() => object) | null}
 */
function markOperations(operations) {
  try {
    return require('./operations.cjs')(operations);
  } catch {
    return null;
  }
}

/** @type {(session: Session, interval: number) => void} */
function startCpu(session, interval) {
  post(session, 'Profiler.enable');
  post(session, 'Profiler.setSamplingInterval', { interval });
  post(session, 'Profiler.start');
}

/** @type {(context: Omit<Context, 'send'>, measured?: string[]) => Answer} */
function stop({ folder, id }, measured = []) {
  if (recording === null) return { files: [], maps: null };
  const { session, cpu, heap, endMarks, onExit } = recording;
  process.removeListener('exit', onExit);
  const noted = endMarks && endMarks();
  /** @type {Answer['files']} */
  const files = [];
  /** @type {Set<string>} */
  const urls = new Set();
  const save = (/** @type {string} */ kind, /** @type {any} */ profile) => {
    const file = `${id}.${kind}profile`;
    addUrls(profile, urls);
    writeFileSync(join(folder, file), JSON.stringify(profile));
    files.push({ kind, file });
  };
  if (cpu) save('cpu', post(session, 'Profiler.stop').profile);
  if (heap) save('heap', post(session, 'HeapProfiler.stopSampling').profile);
  const overhead = cpu && measured.includes(id) ? overheadOf(session, cpu.interval) : 0;
  if (overhead > 0) files[0].overhead = overhead;
  const maps = `${id}.maps.json`;
  writeFileSync(join(folder, maps), JSON.stringify(mapsOf(session, urls)));
  session.disconnect();
  recording = null;
  if (!noted) return { files, maps };
  const marks = `${id}.marks.json`;
  writeFileSync(join(folder, marks), JSON.stringify(noted));
  return { files, maps, marks };
}

/** Adds the addresses of the code in a profile. @type {(profile: any, urls: Set<string>) => void} */
function addUrls({ nodes = [], head }, urls) {
  for (const { callFrame } of nodes) urls.add(callFrame.url);
  const open = head ? [head] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    urls.add(node.callFrame.url);
    open.push(...(node.children || []));
  }
}

/**
 * The addresses of source maps, by the code: those of code that a loader compiles are in no file. The debugger lists
 * them, and is off again before any other code runs.
 * @type {(session: Session, urls: Set<string>) => Record<string, string>}
 */
function mapsOf(session, urls) {
  /** @type {Record<string, string>} */
  const maps = {};
  let characters = 0;
  session.on('Debugger.scriptParsed', ({ params: { url, sourceMapURL = '' } }) => {
    if (sourceMapURL === '' || !urls.has(url) || characters + sourceMapURL.length > MOST_MAP_CHARACTERS) return;
    characters += sourceMapURL.length;
    maps[url] = sourceMapURL;
  });
  post(session, 'Debugger.enable');
  post(session, 'Debugger.disable');
  return maps;
}

/**
 * The share of CPU time that the profiler takes, with its own thread: the median of rounds, each of which compares work
 * beside it with the same work before and after, as the speed of a CPU drifts. 0: other threads of the process ended
 * their work meanwhile, so that it is not known.
 * @type {(session: Session, interval: number) => number}
 */
function overheadOf(session, interval) {
  const shares = Array.from({ length: ROUNDS }, () => {
    const before = probe();
    startCpu(session, interval);
    probe(); // the profiler reads the code that there is
    const during = probe();
    post(session, 'Profiler.stop');
    return 1 - (before + probe()) / 2 / during;
  });
  return Math.max(0, shares.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
}

/** Returns the CPU time of a unit of work: calls of some depth, with small objects, as those of services. */
function probe() {
  const from = process.cpuUsage();
  const end = Date.now() + PROBE_MS;
  let units = 0;
  // The service may have replaced the clock.
  while (Date.now() < end && units < MOST_UNITS) units += callDeep(DEPTH).length > 0 ? 1 : 0;
  const { user, system } = process.cpuUsage(from);
  return (user + system) / units;
}

/** @type {(depth: number) => string} */
function callDeep(depth) {
  return depth === 0 ? JSON.stringify({ id: depth, tags: ['a', 'b'], nested: { ok: true } }) : callDeep(depth - 1);
}

/**
 * Messages of a session to its own thread are answered at once.
 * @type {(session: any, method: string, params?: object) => any}
 */
function post(session, method, params) {
  let result;
  session.post(method, params, (/** @type {any} */ error, /** @type {any} */ answer) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    result = answer;
  });
  return result;
}

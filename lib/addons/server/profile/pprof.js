import { fieldsOf, numbersIn } from '../../../core/text/protobuf.js';

/** @import { ProfileFunction as Frame, ProfileKind } from '../profile.js' */
/** @import { CallTree } from './call-tree.js' */
/** @import { Call } from './place.js' */

/** @typedef {{ calls: { id: number, line: number }[] }} Location the innermost of inlined calls first */

/** Numbers of fields: https://github.com/google/pprof/blob/main/proto/profile.proto. */
const PROFILE = { sampleType: 1, sample: 2, location: 4, function: 5, strings: 6, duration: 10 };
const NS_PER_MS = 1e6;
/** Factors that convert a unit to ms or bytes; other units count samples, without time or size. */
const SCALES = {
  cpu: new Map([
    ['nanoseconds', 1 / NS_PER_MS],
    ['microseconds', 1e-3],
    ['milliseconds', 1],
    ['seconds', 1000],
  ]),
  heap: new Map([
    ['bytes', 1],
    ['kilobytes', 1024],
  ]),
};
/** What the bytes should be, for errors. */
const WHAT = 'profile of pprof';
const decoder = new TextDecoder();

/**
 * Adds a decompressed profile of pprof. Of several values of a sample it takes the last time, `cpu/nanoseconds`, or
 * else the first size: `alloc_space/bytes` of Go precedes the bytes in use.
 * @throws {TypeError} it is none, or has no such values
 * @type {(tree: CallTree, bytes: Uint8Array, frameOf: (call: Call) => Frame) => { kind: ProfileKind, durationMs: number
 *   }}
 */
export function addPprof(tree, bytes, frameOf) {
  const message = { strings: /** @type {string[]} */ ([]), types: /** @type {number[][]} */ ([]), durationMs: 0 };
  /** @type {Uint8Array[]} */
  const samples = [];
  /** @type {Map<number, Location>} */
  const locations = new Map();
  /** @type {Map<number, { name: number, file: number }>} */
  const functions = new Map();
  for (const { field, number, bytes: part } of fieldsOf(bytes, WHAT)) {
    if (field === PROFILE.duration) message.durationMs = number / NS_PER_MS;
    if (part === null) continue;
    if (field === PROFILE.sampleType) message.types.push(numbersOf(part, 2));
    else if (field === PROFILE.sample) samples.push(part);
    else if (field === PROFILE.location) addLocation(locations, part);
    else if (field === PROFILE.function) addFunction(functions, part);
    else if (field === PROFILE.strings) message.strings.push(decoder.decode(part));
  }
  const { strings, types } = message;
  const { kind, at, scale } = valueOf(types.map(([, unit]) => strings[unit] ?? ''));
  /** @type {Map<string, number>} */
  const known = new Map();
  const frameAt = (/** @type {{ id: number, line: number }} */ { id }) => {
    const { name = 0, file = 0 } = functions.get(id) ?? {};
    const key = `${name} ${file}`;
    const frame = known.get(key) ?? tree.frame(frameOf({ name: strings[name] ?? '', file: strings[file] ?? '' }));
    known.set(key, frame);
    return frame;
  };
  for (const sample of samples) {
    const { locationIds, values } = sampleOf(sample);
    const calls = locationIds.flatMap((id) => locations.get(id)?.calls ?? []);
    const value = (values[at] ?? 0) * scale;
    if (calls.length === 0 || !(value > 0)) continue;
    tree.add(calls.map(frameAt).reverse(), value);
    if (calls[0].line > 0) tree.addLine(frameAt(calls[0]), calls[0].line, value);
  }
  return { kind, durationMs: message.durationMs };
}

/**
 * Returns which of the values of each sample counts, and its factor.
 * @throws {TypeError} none has a known unit
 * @type {(units: string[]) => { kind: ProfileKind, at: number, scale: number }}
 */
function valueOf(units) {
  const hasTimes = units.some((unit) => SCALES.cpu.has(unit));
  const kind = !hasTimes && units.some((unit) => unit.includes('bytes')) ? 'heap' : 'cpu';
  const scales = units.map((unit) => SCALES[kind].get(unit));
  const suits = (/** @type {number | undefined} */ scale) => scale !== undefined;
  const at = kind === 'cpu' ? scales.findLastIndex(suits) : scales.findIndex(suits);
  const scale = scales[at];
  if (scale === undefined)
    throw new TypeError(
      `it has no values with the unit ${[...SCALES[kind].keys()][0]}, but ${units.join(', ') || 'none'}`,
    );
  return { kind, at, scale };
}

/** @type {(bytes: Uint8Array) => { locationIds: number[], values: number[] }} locationIds: the innermost first */
function sampleOf(bytes) {
  /** @type {number[]} */
  const locationIds = [];
  /** @type {number[]} */
  const values = [];
  for (const { field, number, bytes: packed } of fieldsOf(bytes, WHAT)) {
    const list = field === 1 ? locationIds : field === 2 ? values : [];
    // Lists of numbers may be packed.
    if (packed === null) list.push(number);
    else if (field <= 2) for (const one of numbersIn(packed, WHAT)) list.push(one);
  }
  return { locationIds, values };
}

/** @type {(locations: Map<number, Location>, bytes: Uint8Array) => void} */
function addLocation(locations, bytes) {
  let own = 0;
  const calls = [];
  for (const { field, number, bytes: line } of fieldsOf(bytes, WHAT)) {
    if (field === 1) own = number;
    if (field !== 4 || line === null) continue;
    const [id, at] = numbersOf(line, 2);
    calls.push({ id, line: at });
  }
  locations.set(own, { calls });
}

/** @type {(functions: Map<number, { name: number, file: number }>, bytes: Uint8Array) => void} */
function addFunction(functions, bytes) {
  const [id, name, systemName, file] = numbersOf(bytes, 4);
  functions.set(id, { name: name || systemName, file });
}

/** The numbers of the first fields of a message, or 0. @type {(bytes: Uint8Array, count: number) => number[]} */
function numbersOf(bytes, count) {
  const numbers = new Array(count).fill(0);
  for (const { field, number } of fieldsOf(bytes, WHAT)) if (field <= count) numbers[field - 1] = number;
  return numbers;
}

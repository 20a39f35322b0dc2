import { makeError } from '../errors.js';
import {
  ShapeError,
  choice,
  flag,
  json,
  list,
  mapOf,
  nullable,
  number,
  optional,
  rebuild,
  record,
  text,
  where,
} from '../shape.js';
import { isName } from '../run/options/agents.js';
import { isShard } from '../run/options/shard.js';
import { PACKET } from './flow-packet.js';
import { PROTOCOL } from './protocol.js';
import { NAMES } from './seal.js';

/**
 * The messages that are JSON, on their way through a queue: signed if there is a secret, and rebuilt by their shape.
 *
 * @import { Shape } from '../shape.js'
 * @import { Control, Presence, Shard, Work } from './protocol.js'
 * @import { Purpose, Seal } from './seal.js'
 */

const MOST_REASON = 1000;
const LONGEST_ROUND_TRIP_MS = 60_000;
const MOST_SHARDS = 10_000;
const MOST_LAYERS = 100;
const MOST_PARTS = 100_000;

const protocol = choice(PROTOCOL);
const word = text({ most: 200 });
const names = list(word, { most: 1000 });
const time = number({ least: 0 });
const layer = record({
  name: text({ most: 4096 }),
  options: mapOf(json),
  resets: optional(names),
  adapts: optional(names),
});

/** @type {Shape<Presence>} */
export const PRESENCE = record({
  protocol,
  id: word,
  name: where(word, isName, 'the name of an agent'),
  version: word,
  cores: number({ least: 0, most: 1e6 }),
  allowsCode: flag,
  isBusy: flag,
  roundTripMs: number({ least: 0, most: LONGEST_ROUND_TRIP_MS }),
});

const whole = number({ least: 0, isWhole: true });
const PART = where(
  record({ report: whole, lease: word, number: whole, of: whole, from: whole }),
  isShard,
  'a part of a shard',
);

/** of agents of another version, for people */
const STRANGER = record({ protocol: number(), name: where(word, isName, 'the name of an agent'), version: word });

/** @type {{ work: Shape<Work>, shard: Shape<Shard>, control: Shape<Control>, presence: Shape<Presence> }} */
const SHAPES = {
  work: record({
    protocol,
    run: word,
    flow: PACKET,
    config: layer,
    commandLine: list(layer, { most: MOST_LAYERS }),
    replacesLost: flag,
  }),
  shard: where(
    record({
      protocol,
      run: word,
      number: number({ least: 1, most: MOST_SHARDS, isWhole: true }),
      of: number({ least: 1, most: MOST_SHARDS, isWhole: true }),
    }),
    (shard) => shard.number <= shard.of,
    'a number up to that of all shards',
  ),
  control: record({
    protocol,
    order: choice('prepare', 'start', 'stop', 'abort'),
    startAt: nullable(time),
    reason: nullable(text({ most: MOST_REASON })),
    within: nullable(time),
    dropped: list(word),
    below: whole,
    held: list(word),
    parts: list(PART, { most: MOST_PARTS }),
  }),
  presence: PRESENCE,
};

/**
 * @param {Seal} seal
 * @param {Exclude<Purpose, 'report'>} purpose
 * @param {string} name of what it is about
 * @param {object} message
 * @param {{ now: number, lifeMs: number, sequence?: number }} options
 * @returns {string}
 */
export function writeMessage(seal, purpose, name, message, options) {
  return seal.write(purpose, name, JSON.stringify(message), options);
}

/**
 * @template {keyof typeof SHAPES} P
 * @param {Seal} seal
 * @param {P} purpose
 * @param {string} name
 * @param {{ given: unknown, now: number }} message given: as {@link writeMessage} returned it; now: time of Redis, ms
 * @returns {{ message: ReturnType<typeof SHAPES[P]>, sequence: number }}
 * @throws {Error} E_MESSAGE
 */
export function readMessage(seal, purpose, name, { given, now }) {
  const { content, sequence } = seal.read(purpose, name, Buffer.from(typeof given === 'string' ? given : ''), now);
  try {
    const message = rebuild(/** @type {Shape} */ (SHAPES[purpose]), JSON.parse(content.toString()), { name: purpose });
    return { message: /** @type {any} */ (message), sequence };
  } catch (error) {
    throw malformed(purpose, error);
  }
}

/**
 * What an agent says of itself that this version, or this secret, does not take.
 *
 * @param {string} message
 * @returns {{ protocol: number, name: string, version: string } | null} null: it is no agent
 */
export function readStranger(message) {
  try {
    const value = JSON.parse(message.slice(message.startsWith('{') ? 0 : message.indexOf('\n') + 1));
    return rebuild(STRANGER, value, { name: 'presence', dropsUnknown: true });
  } catch {
    return null;
  }
}

/** @type {(purpose: Purpose, error: unknown) => Error} */
function malformed(purpose, error) {
  if (!(error instanceof ShapeError) && !(error instanceof SyntaxError)) return /** @type {Error} */ (error);
  const reason = error instanceof ShapeError ? error.message : 'it is no JSON';
  const cure = 'are the command and the agents of the same version?';
  return makeError('E_MESSAGE', { what: NAMES[purpose], reason: `is malformed: ${reason}`, cure }, { cause: error });
}

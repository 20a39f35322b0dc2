import { flag, given, list, mapOf, number, optional, rebuild, record, tagged, text, where } from '../../shape.js';

/**
 * The messages of the thread of a run, as the main thread reads them. Results are passed on as they are: they are posted
 * twice per second, and the thread that made them is our own. A command is only started as it is declared here.
 */

const long = text({ most: Infinity });
const texts = list(long, { most: Infinity });
const whole = number({ least: 0, isWhole: true });
const figure = where(given, (value) => typeof value === 'number', 'a number');

const SETTINGS = record({
  command: given,
  env: mapOf(long),
  cwd: long,
  timeout: number({ least: 0 }),
  ready: optional(long),
  origins: list(long, { least: 1 }),
  socketPath: optional(long),
  insecure: flag,
  port: optional(long),
  isPortFree: flag,
});

const FROM_ENGINE = tagged('type', {
  begun: { plan: given, from: long, hash: long, hidden: texts, notices: texts, hints: texts },
  progress: { stats: given, percent: figure, concurrent: figure, ips: figure },
  tick: { tick: given },
  kept: { stats: given, inFlight: whole, phase: long },
  start: { settings: SETTINGS },
  part: { startedAt: given },
  exchange: { exchange: given },
  refused: { error: record({ code: optional(given), message: long, stack: optional(given) }) },
  ended: { stats: given, why: long },
});

/**
 * Reads a message of the thread of a run. Code of the flow can post other ones.
 *
 * @param {unknown} message
 * @returns {{ type: string } & Record<string, any>}
 * @throws {import('../../shape.js').ShapeError}
 */
export function readFromEngine(message) {
  return rebuild(FROM_ENGINE, message, { name: 'message' });
}

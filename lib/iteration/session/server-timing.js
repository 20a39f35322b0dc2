/** @import { Middleware } from './index.js' */

/** Limits: characters and entries of a field, and characters of a name. */
const MOST_CHARACTERS = 4096;
const MOST_ENTRIES = 20;
const MOST_OF_NAME = 50;
/** ms: a day */
const LONGEST = 86_400_000;

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const VALUE = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
/** `db;dur=53.2;desc="main"`, up to the next comma: a name and its parameters (W3C Server Timing, 2). */
const ENTRY = new RegExp(
  `[ \\t]*(${TOKEN})[ \\t]*((?:;[ \\t]*(?:${TOKEN}[ \\t]*(?:=[ \\t]*${VALUE}[ \\t]*)?)?)*)(?:,|$)`,
  'y',
);
const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN})[ \\t]*(?:=[ \\t]*(${VALUE}))?`, 'g');
const NUMBER = /^"?(\d+(?:\.\d*)?|\.\d+)"?$/;

/** @type {Middleware} */
export default {
  name: 'server timing',
  about: 'Records the times that responses tell in Server-Timing',
  needed: () => true,

  after(_request, { serverTiming }, { run }) {
    if (serverTiming === undefined) return undefined;
    const { metrics } = run.recorder;
    for (const { name, ms } of readServerTiming(serverTiming)) metrics.serverTime(name, ms);
    return undefined;
  },
};

/**
 * Reads the entries that have a duration, up to the first that is malformed: a server may write anything.
 * @type {(field: string) => { name: string, ms: number }[]}
 */
export function readServerTiming(field) {
  /** @type {{ name: string, ms: number }[]} */
  const all = [];
  if (field.length > MOST_CHARACTERS) return all;
  ENTRY.lastIndex = 0;
  for (let entries = 0; entries < MOST_ENTRIES && ENTRY.lastIndex < field.length; entries++) {
    const [, name, parameters] = ENTRY.exec(field) ?? [];
    if (name === undefined) break;
    const ms = durationIn(parameters);
    if (ms <= LONGEST && name.length <= MOST_OF_NAME) all.push({ name, ms });
  }
  return all;
}

/** The first duration counts. @type {(parameters: string) => number} NaN: there is none */
function durationIn(parameters) {
  if (parameters === '') return NaN;
  for (const [, name, value = ''] of parameters.matchAll(PARAMETER))
    if (name.toLowerCase() === 'dur') return Number(NUMBER.exec(value)?.[1] ?? NaN);
  return NaN;
}

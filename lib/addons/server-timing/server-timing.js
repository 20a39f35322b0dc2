import { TOKEN_PART } from '../../core/http/field-values.js';

/** @import { Middleware } from '../../core/iteration/session/index.js' */

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

/** Limits of a field: characters and entries, and characters of a name. */
const MOST_CHARACTERS = 4096;
const MOST_ENTRIES = 20;
const MOST_OF_NAME = 50;
/** ms: a day */
const LONGEST = 86_400_000;

/** A text that ends at the end of the field may lack its quote. */
const QUOTED = '"(?:[^"\\\\]|\\\\.?)*(?:"|$)';
/** `db;dur=53.2;desc="main",` (W3C Server Timing, 2): the name `db`, and all up to a comma that is in no quotes. */
const ENTRY = new RegExp(`[ \\t]*(${TOKEN_PART})?[ \\t]*((?:[^",]|${QUOTED})*)(?:,|$)`, 'y');
/** `;dur=53.2`, `;desc="main"` or `;flag`: the name, and the value with its quotes. */
const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN_PART})[ \\t]*(?:=[ \\t]*(${TOKEN_PART}|${QUOTED}))?`, 'g');
/** `53.2`, `.5`, `1e3` or `"53.2"`: the number. */
const NUMBER = /^"?((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)"?$/i;

/** Skips malformed entries, and those without a duration. @type {(field: string) => { name: string, ms: number }[]} */
export function readServerTiming(field) {
  /** @type {{ name: string, ms: number }[]} */
  const all = [];
  // A longer field is read up to its last whole entry.
  const text = field.length > MOST_CHARACTERS ? field.slice(0, 1 + field.lastIndexOf(',', MOST_CHARACTERS)) : field;
  ENTRY.lastIndex = 0;
  for (let entries = 0; entries < MOST_ENTRIES && ENTRY.lastIndex < text.length; entries++) {
    const [, name, parameters] = ENTRY.exec(text) ?? [];
    if (parameters === undefined) break;
    if (name === undefined || name.length > MOST_OF_NAME || !parameters.startsWith(';')) continue;
    const ms = durationIn(parameters);
    if (ms <= LONGEST) all.push({ name, ms });
  }
  return all;
}

/** The first duration counts. @type {(parameters: string) => number} NaN: there is none */
function durationIn(parameters) {
  for (const [, name, value = ''] of parameters.matchAll(PARAMETER))
    if (name.toLowerCase() === 'dur') return Number(NUMBER.exec(value)?.[1] ?? NaN);
  return NaN;
}

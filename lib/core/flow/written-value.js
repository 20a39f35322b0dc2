import { makeError } from '../ground/errors.js';
import { encodePercent } from '../text/decode.js';
import { formatValue, typeName } from '../text/format-value.js';

/** @import { TokenUse } from './tokens/types.js' */

/**
 * How the value of a token is written: converted, as `#{name:number}` says, then encoded for the place in which the
 * token stands. A mark of `template.js` names its place by a letter.
 *
 * @typedef {keyof typeof WRITERS} ValuePlace where a value is written: it is encoded for its place
 * @typedef {(value: any) => string} Write
 */

/** @type {(value: any) => string} */
const inUrl = (value) => encodePercent(inText(value));

const WRITERS = {
  /** A place without an encoding. */
  text: { letter: 't', write: inText },
  /** A part of a text in JSON. */
  json: { letter: 'j', write: (/** @type {any} */ value) => JSON.stringify(inText(value)).slice(1, -1) },
  /** A whole value of JSON. */
  value: { letter: 'v', write: jsonOf },
  /** A URL as a whole. */
  address: { letter: 'a', write: inUrl },
  /** A part of a URL or a form. */
  url: { letter: 'u', write: inUrl },
  /** The head of a part of a multipart body. */
  part: { letter: 'p', write: (/** @type {any} */ value) => inPart(inText(value)) },
};

/** Returns the letter that stands for the place in marks. @type {(place: ValuePlace) => string} */
export function letterOf(place) {
  return WRITERS[place].letter;
}

/** @type {(letter: string) => Write} */
export function writerOf(letter) {
  const writer = Object.values(WRITERS).find((entry) => entry.letter === letter);
  return /** @type {typeof WRITERS['text']} */ (writer).write;
}

/** Escapes quotes and line ends as browsers do. @type {(text: string) => string} */
export function inPart(text) {
  return text.replace(/\r\n|\r|\n/g, '%0D%0A').replace(/"/g, '%22');
}

/** Writes objects and arrays as JSON, other values as they are. @type {Write} */
function inText(value) {
  return typeof value === 'object' && value !== null ? stringified(value) : String(value);
}

/** A bigint is written with all its digits. @type {Write} */
function jsonOf(value) {
  if (typeof value === 'object') return stringified(value);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Code may have put an object that JSON cannot express into a variable. @throws {Error} E_TOKEN @type {Write} */
function stringified(value) {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    const reason = `cannot be written: ${/** @type {Error} */ (cause).message.split('\n')[0]}`;
    throw makeError('E_TOKEN', { token: 'the value of a token', reason }, { cause });
  }
}

/** Throws E_TOKEN if it cannot convert a value. @type {(use: TokenUse) => ((value: unknown) => unknown) | null} */
export function converterOf({ name, member, conversion }) {
  if (conversion === undefined) return null;
  const token = `#{${name}${member === undefined ? '' : `.${member}`}:${conversion}}`;
  const convert = CONVERT[conversion];
  return (value) => {
    try {
      const converted = convert(value);
      if (converted !== undefined) return converted;
    } catch {
      // A symbol, or an object that JSON cannot express
    }
    const reason = `cannot be converted: it is ${typeof value === 'string' ? formatValue(value) : typeName(value)}`;
    throw makeError('E_TOKEN', { token, reason });
  };
}

/** They return undefined for a value that they cannot convert. */
const CONVERT = {
  text: inText,
  /** @type {(value: unknown) => number | undefined} */
  number(value) {
    const text = typeof value === 'string' ? value.trim() : value;
    const number = text === '' || text === null || typeof text === 'object' ? NaN : Number(text);
    return Number.isFinite(number) ? number : undefined;
  },
  /** @type {(value: unknown) => unknown} */
  json(value) {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return undefined;
    }
  },
};

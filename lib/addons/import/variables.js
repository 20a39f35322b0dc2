import { isSecretName } from '../../core/text/mask.js';
import { variableName } from './environment-names.js';
import { HASH, hasForeignToken, hasToken, token as tokenOf, withoutMarks } from './tokens.js';

/** Built-in variables of Postman, Insomnia and HTTP files. @type {[pattern: RegExp, token: string][]} */
const DYNAMIC = [
  [/^\$(?:guid|randomUUID|uuid|random\.uuid)$/, tokenOf('uuid')],
  [/^\$timestamp$/, tokenOf('timestamp')],
  [/^\$(?:isoTimestamp|datetime\s+iso8601)$/, tokenOf('isoTimestamp')],
  [/^\$random(?:Int|\.integer)(?:\(\)|\s*)$/, tokenOf('randomInt(0,1000)')],
  [/^\$random(?:Int\s+|\.integer\()(-?\d+)(?:\s+|\s*,\s*)(-?\d+)\)?$/, tokenOf('randomInt($1,$2)')],
  [/^(?:\$processEnv\s+%?|\$dotenv\s+%?|\$env\.)(\w+)$/, tokenOf('env.$1')],
  [/^\$random\.(?:alphabetic|alphanumeric|hexadecimal)\((\d+)\)$/, tokenOf('randomString($1)')],
  [/^\$random(?:Email|\.email)$/, `user-${tokenOf('randomString(8)')}@example.com`],
  [/^\$random(?:UserName|FirstName|LastName|FullName|Word|Password|AlphaNumeric)$/, tokenOf('randomString(8)')],
];

/** `{{name}}` of a collection. */
export const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** The tokens whose values are texts. */
const TEXTS = new Set(['env', 'uuid', 'randomString', 'isoTimestamp']);

/** Variables in variables, and in one value: each may have several others. */
const [MOST_LEVELS, MOST_FILLED] = [5, 1000];

/**
 * Variables of a collection: `{{name}}` becomes a token, or its value where a URL begins with it. A reader sets all
 * values first, then translates its texts, and at the end writes `used` as the variables of the flow.
 */
export class Variables {
  /** @type {Map<string, { value: unknown, isSecret: boolean }>} */
  #values = new Map();
  /** Names that responses set, and the texts with their tokens. @type {Map<string, string>} */
  #captured = new Map();
  #keepsSecrets;
  #former;
  #tokenName = distinct(tokenName);
  #variableName = distinct(variableName);
  /** The variables of the flow that the texts so far have, by their tokens. @type {Record<string, unknown>} */
  used = {};
  /** Names without a value. @type {Set<string>} */
  unknown = new Set();

  /**
   * @param {object} options
   * @param {boolean} [options.keepSecrets]
   * @param {Variables[]} [options.former] those of other servers: a variable of the environment has one value
   */
  constructor({ keepSecrets = false, former = [] }) {
    this.#keepsSecrets = keepSecrets;
    this.#former = former;
  }

  /** Later values win. @type {(name: string, value: unknown, isSecret?: boolean) => void} */
  set(name, value, isSecret = false) {
    this.#values.set(name, { value, isSecret: isSecret || isSecretName(name) });
  }

  /** Lets a variable be a captured value. @type {(name: string) => string} the token */
  capture(name) {
    const token = this.#tokenName(plain(name));
    this.derive(name, tokenOf(token));
    return token;
  }

  /** Lets a variable be a text with tokens of captured values. @type {(name: string, text: string) => void} */
  derive(name, text) {
    this.#captured.set(plain(name), text);
  }

  /**
   * Sets a variable to what a script always sets; false: it has another value, too, so requests before would change.
   * @type {(name: string, value: string) => boolean}
   */
  setConstant(name, value) {
    if (this.#captured.has(name) || value.includes(`{{${name}}}`)) return value === '' || value === `{{${name}}}`;
    const known = this.#values.get(name)?.value ?? '';
    if (known === '') this.set(name, value);
    return known === '' || known === value;
  }

  /** Replaces `{{name}}` in a text. @type {(text: string) => string} */
  text(text) {
    return text.replace(PLACEHOLDER, (_, name) => this.#tokenFor(name));
  }

  /**
   * Replaces `{{name}}` in a text of JSON: a token that is the whole text would keep the type of its value, so a
   * number becomes text.
   * @type {(text: string) => string}
   */
  jsonText(text) {
    const filled = this.text(text);
    const [, name] = /^#\{(\w+)[^{}:]*\}$/.exec(withoutMarks(filled)) ?? [];
    const isText = name === undefined || TEXTS.has(name) || typeof this.used[name] === 'string';
    return isText || !hasToken(filled) ? filled : filled.replace(/\}$/, ':text}');
  }

  /** Replaces `{{name}}` in a URL: its beginning may be the address of the server. @type {(url: string) => string} */
  url(url) {
    return this.text(url.replace(/^\{\{\s*([^{}]+?)\s*\}\}/, (whole, name) => this.#addressIn(name) ?? whole));
  }

  /** Returns the value of a variable if it is a URL or a host. @type {(name: string) => string | undefined} */
  #addressIn(name) {
    const { value } = this.#values.get(plain(name)) ?? {};
    if (typeof value !== 'string') return undefined;
    const whole = this.#flat(value);
    return /^https?:\/\//i.test(whole) || /^[\w.-]+(:\d+)?(\/\S*)?$/.test(whole) ? whole : undefined;
  }

  /** @type {(given: string) => string} */
  #tokenFor(given) {
    const dynamic = DYNAMIC.find(([pattern]) => pattern.test(given));
    if (dynamic) return given.replace(...dynamic);
    const name = plain(given);
    const captured = this.#captured.get(name);
    if (captured !== undefined) return captured;
    const known = this.#values.get(name);
    const { value } = known ?? {};
    const whole = typeof value === 'string' && value.includes('{{') ? this.#flat(value) : value;
    // A variable of a flow is no template: what has a value of its own in each iteration is written where it is used.
    if (typeof whole === 'string' && [...whole.matchAll(PLACEHOLDER)].some(([, one]) => this.#isLive(one)))
      return whole.replace(PLACEHOLDER, (found, one) => (this.#isLive(one) ? this.#tokenFor(one) : found));
    if (known === undefined || this.#isOfEnvironment(known)) {
      if (known === undefined) this.unknown.add(name);
      return this.#environmentToken(name);
    }
    // A variable of a flow cannot escape it.
    if (typeof whole === 'string' && hasForeignToken(whole)) return whole;
    const token = this.#tokenName(name);
    this.used[token] = whole;
    return tokenOf(token);
  }

  /** Variables of other servers with this name have another one. @type {(name: string) => string} */
  #environmentToken(name) {
    const valueIn = (/** @type {Variables} */ one) => JSON.stringify(one.#values.get(name)?.value);
    const isOther = this.#former.some((one) => valueIn(one) !== valueIn(this));
    return tokenOf(`env.${this.#variableName(name)}${isOther ? `_${this.#former.length + 1}` : ''}`);
  }

  /** Reports whether a name becomes a token that is no variable of the flow. @type {(given: string) => boolean} */
  #isLive(given) {
    const name = plain(given);
    const known = this.#values.get(name);
    const isTemplate = String(known?.value).includes('{{');
    return this.#captured.has(name) || known === undefined || (!isTemplate && this.#isOfEnvironment(known));
  }

  /**
   * Reports whether a value is of the environment: people fill in an empty one before they send.
   * @type {(known: { value: unknown, isSecret: boolean }) => boolean}
   */
  #isOfEnvironment({ value, isSecret }) {
    return value === '' || (isSecret && !this.#keepsSecrets);
  }

  /** Fills a value, except what {@link #isLive} has. @type {(value: string) => string} */
  #flat(value) {
    let left = MOST_FILLED;
    /** @type {(text: string, depth: number) => string} */
    const filled = (text, depth) =>
      text.replace(PLACEHOLDER, (whole, name) => {
        const inner = this.#isLive(name) ? undefined : this.#values.get(plain(name))?.value;
        return inner === undefined || depth > MOST_LEVELS || left-- <= 0 ? whole : filled(String(inner), depth + 1);
      });
    return filled(value, 0);
  }
}

/** Insomnia writes `_.name` and `_['name']`, the REST client `%name` if encoded. @type {(name: string) => string} */
export function plain(name) {
  return name
    .trim()
    .replace(/\[(['"])([^'"\]]+)\1\]/g, '.$2')
    .replace(/^_\.|^%/, '');
}

/** The name of a variable as that of a token. @type {(name: string) => string} */
export function tokenName(name) {
  const word = name.replace(/\W+/g, '_').replace(/^_+|_+$/g, '') || 'value';
  return isReserved(word) ? `${word}Value` : word;
}

/**
 * Returns a name that is not taken: the given one, or else with the first number that makes it free.
 * @type {(name: string, isTaken: (candidate: string) => boolean) => string}
 */
export function freeName(name, isTaken) {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name}_${number}`;
  return free;
}

/**
 * Gives names that differ in signs only, such as `user-id` and `user_id`, words of their own.
 * @type {(wordOf: (name: string) => string) => (name: string) => string}
 */
function distinct(wordOf) {
  /** @type {Map<string, string>} */
  const words = new Map();
  return (name) => {
    const word = words.get(name) ?? freeName(wordOf(name), (one) => [...words.values()].includes(one));
    words.set(name, word);
    return word;
  };
}

/**
 * Adds a capture of a response; the same source has one name, and another one of the same name a number.
 * @type {(captures: Record<string, any>, name: string, source: any) => string} the token
 */
export function addCapture(captures, name, source) {
  const text = JSON.stringify(source);
  const isOfAnother = (/** @type {any} */ known) => known !== undefined && JSON.stringify(known) !== text;
  const token = freeName(tokenName(name), (one) => isOfAnother(captures[one]));
  captures[token] = source;
  return token;
}

/**
 * The built-in tokens, in upper case. This layer cannot read them from lib/core/flow/tokens: a test compares the names.
 */
const BUILT_IN = new Set([
  ...['INDEX', 'VU', 'ROUND', 'WORKER', 'SHARD', 'ARGS', 'ENV', 'UUID', 'RANDOMINT', 'RANDOMITEM', 'RANDOMSTRING'],
  ...['TIMESTAMPMS', 'TIMESTAMP', 'ISOTIMESTAMP'],
]);

/** Reports whether a built-in token has this name, in any case. @type {(name: string) => boolean} */
export function isBuiltIn(name) {
  return BUILT_IN.has(name.toUpperCase());
}

/** Reports whether no other variable of a flow can have this name. @type {(name: string) => boolean} */
export function isReserved(name) {
  return isBuiltIn(name) || name.toLowerCase() === HASH;
}

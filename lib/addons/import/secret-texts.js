import { MASK, SIGNED, isSecretName, maskText, replaceNamedSecrets } from '../../core/text/mask.js';
import { jsonIn } from './read-document.js';

/**
 * Replaces secrets. `named` decides by the name in front of a value, which marks it as a secret; `known` replaces
 * one that only its form or its place marks, and `hint` is the name of its variable.
 *
 * @typedef {{ named: (name: string, value: any) => any, known: (hint: string, value: string) => string }} Replace
 */

/** What is a secret by its form, and private keys. */
const KNOWN = new RegExp(
  `${SIGNED.source}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
  'g',
);
/** `postgres://user:password@host`: its groups are `://user:` and the password. */
const USER_IN_URL = /(:\/\/[^\s/?#@:"'<>]*:)([^\s/?#@"'<>]+)(?=@)/g;
/** Values after names, in other notations than pairs and JSON. */
const MEMBERS = [
  // <password>…</password>
  /(?<before><(?:\w+:)?(?<name>[\w.-]+)(?:\s[^<>]*)?>)(?<value>[^<>]+)(?=<\/)/g,
  // password="…" of XML, and the header of a part has filename="…"
  /(?<before>(?<![\w.-])(?:\w+:)?(?<name>[\w.-]+)\s*=\s*(?<quote>["']))(?<value>(?:(?!\k<quote>)[^<>\r\n])+)(?=\k<quote>)/g,
  // password: "…" of GraphQL, whose quotes JSON escapes
  /(?<before>(?<![\w"'])(?<name>\w+)\s*:\s*(?<quote>\\?"))(?<value>(?:(?!\k<quote>)[^])+)(?=\k<quote>)/g,
  // \"password\":\"…\" of JSON in JSON
  /(?<before>\\"(?<name>[^"\\]{1,100})\\"\s*:\s*\\")(?<value>(?:(?!\\")[^"])+)(?=\\")/g,
  // name="password" of a part, above its value
  /(?<before>\bname="(?<name>[^"\r\n]{1,100})"[^\r\n]{0,500}(?:\r?\n[^\r\n]{1,500}){0,5}\r?\n\r?\n)(?<value>[^\r\n]+)/g,
];
/** `password: …` of YAML, in a line of its own; not in front of a quote, a list, a block, an alias or a `$NAME`. */
const YAML_LINE = /(?<before>^[ \t]*(?:-[ \t]+)*(?<name>[\w.-]+):[ \t]+)(?<value>[^\s"'[|>&*$][^\r\n]*)$/gm;

/**
 * Replaces the secrets in a text: the values after names of secrets, passwords in URLs, and tokens of known forms.
 * @type {(whole: string, replace: Replace) => string}
 */
export function replaceInText(whole, { named, known }) {
  const pairs = replaceNamedSecrets(whole, (name, value, isJson) => {
    const plain = isJson ? jsonIn(value) : value;
    // Not JSON, as it was cut off or has a token: behind its quote it is a text like any other.
    if (plain === undefined) return value[0] + replaceInText(value.slice(1), { named, known });
    const token = named(name, plain);
    if (!isJson) return token;
    const text = JSON.stringify(token);
    // A value that is not replaced keeps its layout.
    return text === JSON.stringify(plain) ? value : text;
  });
  const urls = pairs.replace(USER_IN_URL, (_, before, value) => before + known('PASSWORD', value));
  // Texts with braces are of other languages than YAML.
  const notations = /[{}]/.test(whole) ? MEMBERS : [...MEMBERS, YAML_LINE];
  const members = notations.reduce(
    (all, pattern) =>
      all.replace(pattern, (found, ...match) => {
        const { before, name, value } = match.at(-1);
        return isSecretName(name) ? before + named(name, value) : found;
      }),
    urls,
  );
  return members.replace(KNOWN, (token) => known(token.startsWith('-----') ? 'PRIVATE_KEY' : 'TOKEN', token));
}

/** Hides the secrets in a text for people. @type {(text: string) => string} */
export function hiddenInText(text) {
  const hidden = { named: () => '…', known: () => '…' };
  return replaceInText(replaceInPath(text, hidden), hidden);
}

const MASKED = { named: () => MASK, known: () => MASK };

/** Masks the secrets in the text of bytes, which may have no other characters. @type {(text: string) => string} */
export function maskedInText(text) {
  return replaceInText(text, MASKED);
}

/** Words of a path after which a random text authorizes the request. */
const ALLOWING = /^(?:reset|verify|confirm|activate|invite|invitation|unsubscribe|magic|share|webhook|hook)/i;

/**
 * Replaces random texts in a path: after the name of a secret or a word of permission, or a long one anywhere.
 * @type {(path: string, replace: Replace) => string}
 */
export function replaceInPath(path, { known }) {
  let before = '';
  return path.replace(/[^/]+/g, (segment) => {
    const name = before;
    before = segment;
    const isNamed = isSecretName(name) || ALLOWING.test(name);
    if (!(isNamed ? /^(?=.*\d)(?=.*[a-z])[\w.~:+=-]{8,}$/i.test(segment) : isCapability(segment))) return segment;
    return known(isSecretName(name) ? name : `${name}_TOKEN`, segment);
  });
}

/**
 * Reports whether a text looks random enough to authorize a request by itself: long, with letters of both cases and
 * digits in turn. UUIDs, hashes and names of files do not.
 * @type {(text: string) => boolean}
 */
export function isCapability(text) {
  return (
    /^(?=.*[a-z])(?=.*[A-Z])[\w~:+=-]{20,512}$/.test(text) && (text.match(/\d[A-Za-z]|[A-Za-z]\d/g) ?? []).length >= 3
  );
}

/** `--password hunter2`, `-u me:secret`, `--token=…`. */
const FLAG = /(?<=^|\s)(--?[A-Za-z][\w-]*)([ =])([^\s-]\S*)/g;

/** Hides the secrets in a command, also after flags such as --password. @type {(words: string[]) => string} */
export function hiddenInCommand(words) {
  const flags = words.join(' ').replace(FLAG, (whole, flag, sign, value) => {
    const isUser = /^(?:-u|-U|--user|--proxy-user)$/.test(flag) && value.includes(':');
    return isUser || isSecretName(flag) ? `${flag}${sign}…` : whole;
  });
  return maskText(hiddenInScript(flags));
}

const STATEMENT = /(?<=[;\n])/;
/** `'…'`, `"…"`, or one that was cut off: its end is that of the statement. */
const LITERAL = /(["'`])((?:\\[^]|(?!\1)[^\\\n])*)(\1|$)/g;

/** Before the name of a variable. */
const SETS = /\b[sg]et(?:Environment|Global)?(?:Variable)?\(\s*$/;

/**
 * Hides what may be secret in a script that a message quotes, more readily than in data: all texts of a statement that
 * has the name of a secret, except that name, and long words with digits.
 * @type {(script: string) => string}
 */
export function hiddenInScript(script) {
  return script
    .split(STATEMENT)
    .map((statement) => {
      const isSecret = (statement.match(/[A-Za-z_][\w-]*/g) ?? []).some(isSecretName);
      const shown = statement.replace(LITERAL, (whole, quote, text, _, at) => {
        if (SETS.test(statement.slice(0, at)) && /^[\w. -]{1,40}$/.test(text)) return whole;
        const isName = /^[A-Za-z_-]{1,40}$/.test(text) && isSecretName(text);
        const isWord = /^[\w+/=.-]{8,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);
        return (isSecret && !isName && text !== '') || isWord ? `${quote}…${quote}` : whole;
      });
      return hiddenInText(shown);
    })
    .join('');
}

import { unescaped } from './escapes.js';
import { hasMarks, variableOf } from './marks.js';

/** @import { ShellCommand } from './shell.js' */

/**
 * The meaning of a `$(…)`; empty if only a shell could tell.
 *
 * @typedef {object} Meaning
 * @property {string} [text]
 * @property {string} [token] of bench-rest
 * @property {ShellCommand} [response] the command that gets the response
 * @property {any} [capture] the value in it
 * @property {boolean} [isWhole] the whole response is meant
 */

const CURL = /(?:^|[/\\])curl(?:\.exe)?$/i;

/** @type {(command: ShellCommand) => boolean} */
export function isCurl({ words: [name = ''] }) {
  return CURL.test(name);
}

/** Scripts whose output is a value of the request. @type {[RegExp, token: string][]} */
const VALUES = [
  [/^uuidgen(?:\s+-[rt])?(?:\s*\|\s*tr\s[^|]*)?$/, 'uuid'],
  [/^cat \/proc\/sys\/kernel\/random\/uuid$/, 'uuid'],
  [/^date (?:-u )?\+['"]?%s['"]?$/, 'timestamp'],
  [/^date (?:-u )?\+['"]?%s(?:%3N|000)['"]?$/, 'timestampMs'],
  [/^date -u \+['"]?(?:%Y-%m-%d|%F)T(?:%H:%M:%S|%T)(?:\.\d+|\.%3N)?Z['"]?$/, 'isoTimestamp'],
];

/**
 * Returns the evident output of a script. `responses` are those that variables have.
 * @type {(script: string, commands: ShellCommand[], responses: Map<string, ShellCommand>) => Meaning}
 */
export function meaningOf(script, commands, responses) {
  const token = VALUES.find(([pattern]) => pattern.test(script.trim()))?.[1];
  if (token !== undefined) return { token };
  const [first, ...filters] = commands.filter(({ words }) => words.length > 0);
  if (!first || filters.some(({ isPiped }) => !isPiped)) return {};
  if (isCurl(first)) return valueIn(first, filters);
  const isFilter = first.words[0] === 'jq';
  const printed = isFilter ? first.input : outputOf(first)?.text;
  const response = responses.get(variableOf(printed ?? '') ?? '');
  if (response) return valueIn(response, isFilter ? [first, ...filters] : filters);
  return isFilter || printed === undefined ? {} : textOf(printed, filters);
}

/** Finds what filters take from a response. @type {(response: ShellCommand, filters: ShellCommand[]) => Meaning} */
function valueIn(response, filters) {
  const kept = filters.filter(({ words }) => !TRIMS.test(words.join(' ')));
  // -w '%{redirect_url}'
  if (kept.length === 0 && response.words.includes('%{redirect_url}'))
    return { response, capture: { header: 'location' } };
  return { response, capture: headerOf(kept, response) ?? captureOf(kept), isWhole: kept.length === 0 };
}

/** Computes what filters make of a printed text. @type {(printed: string, filters: ShellCommand[]) => Meaning} */
function textOf(printed, filters) {
  if (filters.length === 0) return { text: printed.replace(/\n+$/, '') };
  const isEncoded = filters.length === 1 && /^base64(?: (?:-w ?0|-))*$/.test(filters[0].words.join(' '));
  return isEncoded && !hasMarks(printed) ? { text: Buffer.from(printed).toString('base64') } : {};
}

/** Programs that show what curl prints. */
const SHOWS =
  /^(?:jq|json_pp|python3? -m json\.tool|head|tail|less|more|cat|tee|grep|wc|column|xmllint|xxd|hexdump|base64|sort|uniq|cut|tr|sed|awk)\b/;

/**
 * Lets a command read what the one before it prints, if that is evident; what only shows a response is dropped.
 * @type {(printing: ShellCommand, reading: ShellCommand) => void}
 */
export function readPipe(printing, reading) {
  reading.isPiped = true;
  if (!isCurl(reading)) {
    reading.isShown = (isCurl(printing) || printing.isShown === true) && SHOWS.test(reading.words.join(' '));
    return;
  }
  const printed = reading.input === undefined ? outputOf(printing) : undefined;
  if (!printed) return;
  const { text, file } = printed;
  if (text !== undefined) reading.input = text;
  else reading.words = reading.words.map((word, i, all) => named(word, all[i - 1], String(file)));
  printing.words = [];
  printing.problems = [];
}

/** Names the file in place of standard input. @type {(word: string, before: string, file: string) => string} */
function named(word, before, file) {
  if (word === '-' && /^(?:-T|--upload-file)$/.test(before)) return file;
  return word.replace(/(^|=)@-$/, (_, start) => `${start}@${file}`);
}

/** @typedef {{ text?: string, file?: string } | undefined} Output */

/** Returns what a command prints: a text, or the content of a file. @type {(command: ShellCommand) => Output} */
function outputOf({ words: [name = '', ...words], input, problems }) {
  if (problems.length > 0 || !Object.hasOwn(PRINTS, name)) return undefined;
  return PRINTS[name](words, input);
}

/** @type {Record<string, (words: string[], input: string | undefined) => Output>} */
const PRINTS = {
  echo(words) {
    const count = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const flags = words.slice(0, Math.max(0, count)).join('');
    const text = words.slice(Math.max(0, count)).join(' ');
    return { text: (flags.includes('e') ? unescaped(text).toString() : text) + (flags.includes('n') ? '' : '\n') };
  },
  printf(words) {
    const [format = '', value = ''] = words[0] === '--' ? words.slice(1) : words;
    if (/^%s(?:\\n)?$/.test(format)) return { text: value + (format === '%s' ? '' : '\n') };
    return format.includes('%') ? undefined : { text: unescaped(format).toString() };
  },
  cat([file = '-', ...others], input) {
    if (others.length > 0 || (file === '-' && input === undefined)) return undefined;
    return file === '-' ? { text: input } : { file };
  },
};

/** Filters that change nothing in a value without spaces. */
const TRIMS = /^(?:tr -d \S+|head -(?:n ?)?1|xargs|cat|sed s\/"\/\/g)$/;

/**
 * `curl -i … | grep -i '^location:' | awk '{print $2}'` or `cut -d' ' -f2`: the field `location`.
 * @type {(filters: ShellCommand[], response: ShellCommand) => { header: string } | undefined}
 */
function headerOf([grep, cut, ...others], response) {
  const isPrinted = response.words.some((word) => /^-[A-Za-z]*[iI]|^--(?:include|head)$|^-D$/.test(word));
  if (!isPrinted || !cut || others.length > 0 || grep.words[0] !== 'grep') return undefined;
  const [, name] =
    /^\^?([A-Za-z][\w-]*): ?$/.exec(grep.words.slice(1).find((word) => !word.startsWith('-')) ?? '') ?? [];
  const isSecond = /^(?:awk (?:-F ?:? ?)?\{ ?print \$2;? ?\}|cut -d *-f ?2-?)$/.test(cut.words.join(' '));
  return name !== undefined && isSecond ? { header: name.toLowerCase() } : undefined;
}

/** Translates the programs that take a value from a response. @type {(filters: ShellCommand[]) => any} */
function captureOf(filters) {
  const [first, ...others] = filters;
  if (!first) return undefined;
  const [name, ...words] = first.words;
  if (others.length === 0) {
    if (name === 'jq') return pathOfJq(words);
    if (/^python3?$/.test(name)) return pathOfPython(words.join(' '));
    if (name === 'grep') return patternOfPerl(words);
    return name === 'sed' ? patternOfSed(words) : undefined;
  }
  return name === 'grep' && others.length === 1 ? patternOfGrep(words, others[0].words) : undefined;
}

/** `.data.token // empty` is `$.data.token`. @type {(words: string[]) => string | undefined} */
function pathOfJq(words) {
  const filter = words.find((word) => !word.startsWith('-'))?.replace(/(?<!\s)\s*\/\/\s*(?:empty|null|""|'')$/, '');
  if (filter === undefined || !/^(?:\.[A-Za-z_]\w*|\.?\["[^"\]]+"\]|\.?\[\d+\])+$/.test(filter)) return undefined;
  return `$${filter.replace(/\.?\["([^"]+)"\]/g, "['$1']").replace(/\.\[/g, '[')}`;
}

/** `json.load(sys.stdin)['data'].get('token', '')`; its group has the steps behind the call. */
const STEPS =
  /json\.loads?\(\s*sys\.stdin(?:\.read\(\))?\s*\)((?:\[(?:'[^']+'|"[^"]+"|\d+)\]|\.get\((?:'[^']+'|"[^"]+")[^()]*\))+)/;
/** `d = json.load(sys.stdin); print(d['token'])`, up to the steps: `['token']`. */
const STORED = /\b(\w+)\s*=\s*json\.loads?\(\s*sys\.stdin(?:\.read\(\))?\s*\)[^]*\bprint\(\s*\1(?=[[.])/;

/** `json.load(sys.stdin)['data']['token']` is `$.data.token`. @type {(script: string) => string | undefined} */
function pathOfPython(script) {
  const stored = STORED.exec(script);
  const text = stored ? `json.load(sys.stdin)${script.slice(stored.index + stored[0].length)}` : script;
  const steps = STEPS.exec(text)?.[1];
  if (steps === undefined) return undefined;
  return `$${steps
    .replace(/\.get\((['"])(.+?)\1[^()]*\)/g, '[$1$2$1]')
    .replace(/\[(['"])([A-Za-z_]\w*)\1\]/g, '.$2')
    .replace(/\["([^"]+)"\]/g, "['$1']")}`;
}

/** `grep -o … | cut -d'"' -f4` prints what follows the third quote. @type {(words: string[], cut: string[]) => any} */
function patternOfGrep(words, cut) {
  const pattern = words.find((word) => !word.startsWith('-')) ?? '';
  const [, member] =
    /^("[\w.-]+"(?:\s\*| \*|\[\[:space:\]\]\*)?:(?:\s\*| \*|\[\[:space:\]\]\*)?)"\[\^"\][*+]"?$/.exec(pattern) ?? [];
  const isFourth = /^cut -d ?" -f ?4$/.test(cut.join(' '));
  return member !== undefined && isFourth && words.some((word) => /^-\w*o/.test(word))
    ? { text: `${spaces(member)}"([^"]*)"` }
    : undefined;
}

/** `grep -oP '"id":\s*\K\d+'`: what is printed becomes the only group. @type {(words: string[]) => any} */
function patternOfPerl(words) {
  const flags = words.filter((word) => /^-[A-Za-z]+$/.test(word)).join('');
  const pattern = words.find((word) => !word.startsWith('-')) ?? '';
  if (!/o/.test(flags) || !/P/.test(flags) || /i/.test(flags) || pattern.includes('|')) return undefined;
  const [, before, value] = /^(.*)\\K(.+)$/s.exec(pattern) ?? /^\(\?<=((?:[^()\\]|\\.)+)\)(.+)$/s.exec(pattern) ?? [];
  if (before === undefined) return undefined;
  const [, inner = value, after = ''] = /^(.+?)\(\?=((?:[^()\\]|\\.)+)\)$/s.exec(value) ?? [];
  return /(?:^|[^\\])\(/.test(before + inner) ? undefined : { text: `${before}(${inner})${after}` };
}

/** `sed -n 's/.*"token":"\([^"]*\)".*\/\1/p'` @type {(words: string[]) => any} */
function patternOfSed(words) {
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  const [, , before, inner] = /^s([/|#,])\.\*("[^()\\]*)\\?\(([^()\\]+)\\?\)[^/|#,]*\1\\1\1p?$/.exec(script) ?? [];
  return before === undefined ? undefined : { text: `${spaces(before)}(${inner})` };
}

/** Writes all notations of optional spaces as `\s*`. @type {(pattern: string) => string} */
function spaces(pattern) {
  return pattern.replace(/\[\[:space:\]\]\*|\\s\*| \*/g, '\\s*');
}

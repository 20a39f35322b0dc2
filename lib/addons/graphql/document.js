/** Parts of a document without structure: strings and comments. */
const LITERALS = /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*"|#.*/g;
const PARTS = /[{}()@]|[_A-Za-z]\w*/g;
const NAME = /^[_A-Za-z]/;
/** @type {Record<string, string>} */
const PAIRS = { '}': '{}', ')': '()' };
const OPERATIONS = ['query', 'mutation', 'subscription'];

/** Operations begin at the start, or after `{}`. @type {(text: string) => { kind: string, name: string | null }[]} */
export function operationsIn(text) {
  const parts = partsOutside(withoutLiterals(text));
  return parts.flatMap((part, i) => {
    const isBegin = (parts[i - 1] ?? '{}') === '{}';
    // Braces alone are a query.
    if (isBegin && part === '{}') return [{ kind: 'query', name: null }];
    if (!isBegin || !OPERATIONS.includes(part)) return [];
    // Without a name, the next part is () of variables, @ of a directive, or {}.
    const next = parts[i + 1] ?? '';
    return [{ kind: part, name: NAME.test(next) ? next : null }];
  });
}

/** Replaces strings and comments by spaces. @type {(text: string) => string} */
export function withoutLiterals(text) {
  return text.replace(LITERALS, ' ');
}

/** Splits `query items($n: Int) { a { b } }` into `query`, `items`, `()`, `{}`. @type {(text: string) => string[]} */
function partsOutside(text) {
  let depth = 0;
  return (text.match(PARTS) ?? []).flatMap((part) => {
    const isEnd = part === '}' || part === ')';
    if (isEnd) depth--;
    const isOutside = depth === 0;
    if (part === '{' || part === '(') depth++;
    if (!isOutside || part === '{' || part === '(') return [];
    return isEnd ? PAIRS[part] : part;
  });
}

const SELECTION =
  /\.\.\.\s*(?:on\s+\w+\s*)?\0|\.\.\.\s*[A-Za-z_]\w*\b|[A-Za-z_]\w*\b(?:\s*:\s*[A-Za-z_]\w*\b)?(?:\s*\0)?/.source;
const SELECTIONS = new RegExp(`\\{[\\s,]*(?:(?:${SELECTION})[\\s,]*)+\\}`, 'g');
const DEFINITIONS = /^\s*(?:(?:(?:query|mutation|subscription)\b\s*(?:\w+\b)?|fragment\s+\w+\s+on\s+\w+)?\s*\0\s*)+$/;
const DEEPEST = 100;

/** Checks that braces have fields and fragments, but not values of arguments. @type {(text: string) => boolean} */
export function isGraphql(text) {
  let rest = text
    .replaceAll('\0', ' ')
    .replace(LITERALS, (literal) => (literal.startsWith('#') ? ' ' : '0'))
    .replace(/\(\s*\$?[A-Za-z_]\w*\s*:[^()]*\)/g, ' ')
    .replace(/@[A-Za-z_]\w*/g, ' ');
  // The innermost braces first
  for (let depth = 0; depth < DEEPEST && rest.includes('{'); depth++) {
    const outer = rest.replace(SELECTIONS, '\0');
    if (outer === rest) return false;
    rest = outer;
  }
  return DEFINITIONS.test(rest);
}

import { parse } from 'acorn';

/** @typedef {any} Node a node of the tree that acorn makes */

const MOST_ERASED = 2000;
const TYPE =
  '(?:readonly\\s+)?[\\w.]+(?:<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)?(?:\\[\\])*|\\{(?:[^{}]|\\{[^{}]*\\})*\\}(?:\\[\\])*|\\([^()]*\\)\\s*=>\\s*\\w+|[\'"][^\'"\\n]*[\'"]';
const TYPES = `(?:${TYPE})(?:\\s*[|&]\\s*(?:${TYPE}))*`;
/** What TypeScript adds to JavaScript, as it begins where a parser of JavaScript stops. */
const ADDITIONS = [
  // as const, satisfies Options, <const>, a!, optional?
  new RegExp(`(?:as|satisfies)\\s+${TYPES}|<${TYPES}>|!(?!=)|\\?(?=\\s*[:,)])`, 'y'),
  // : Type
  new RegExp(`:\\s*${TYPES}`, 'y'),
];
/** Statements that have only types. */
const DECLARATION =
  /^[ \t]*(?:(?:export\s+)?(?:declare\s+)?(?:interface\s+\w+[^{]*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|type\s+\w+(?:<[^=]*>)?\s*=\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}(?:\[\])*|[^;\n{]+);?)|import\s+type\b[^;\n]*;?)/gm;
/** `new SharedArray<User>(`, which would be a comparison. */
const TYPED_CALL = /(?<=\bnew\s+\w+|\.(?:json|parse))<(?:[^<>()]|<[^<>()]*>)*>(?=\()/g;
const TYPED_IMPORT = /(?<=[{,]\s*)type\s+(?=\w+\s*[,}])/g;

/**
 * Parses a script of k6; of TypeScript the types are replaced by spaces, so that all places stay. Undefined: it is not
 * JavaScript, from a line on.
 * @type {(text: string, file: { name: string, folder: string }) =>
 *   { program: Node } | { line: number, reason: string }}
 */
export function parseScript(text, file) {
  let code = text.replace(/^#!.*/, spaces);
  let isTyped = false;
  for (let left = MOST_ERASED; ; left--)
    try {
      // Nodes know their script: that shows their lines.
      const source = /** @type {any} */ ({ ...file, code });
      const program = parse(code, { ...LENIENT, sourceFile: source });
      return { program };
    } catch (error) {
      const { pos = 0, loc, message } = /** @type {any} */ (error);
      const next = left > 0 && (isTyped ? null : withoutTypes(code));
      isTyped = true;
      if (next && next !== code) code = next;
      else {
        const erased = left > 0 ? erasedAt(code, pos) : null;
        if (erased === null) return { line: loc?.line ?? 1, reason: message.replace(/ \(\d+:\d+\).*$/s, '') };
        code = erased;
      }
    }
}

const LENIENT = /** @type {const} */ ({
  ecmaVersion: 'latest',
  sourceType: 'module',
  locations: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
});

/** @type {(found: string) => string} */
function spaces(found) {
  return found.replace(/[^\n]/g, ' ');
}

/** @type {(code: string) => string} */
function withoutTypes(code) {
  return [DECLARATION, TYPED_CALL, TYPED_IMPORT].reduce((all, pattern) => all.replace(pattern, spaces), code);
}

/** Replaces TypeScript at a place, or just before it, by spaces. @type {(code: string, at: number) => string | null} */
function erasedAt(code, at) {
  // A colon behind a name or a parenthesis may be where an optional parameter ends, `a?: string`.
  for (const start of [at, code.lastIndexOf('?', at), code.lastIndexOf('<', at)].filter(
    (one) => one >= at - 1 && one >= 0,
  ))
    for (const pattern of ADDITIONS) {
      pattern.lastIndex = start;
      const found = pattern.exec(code)?.[0];
      if (found) return code.slice(0, start) + spaces(found) + code.slice(start + found.length);
    }
  return null;
}

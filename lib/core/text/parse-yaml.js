import { positionOf } from './code-frame.js';
import { convertible } from './convertible.js';
import { DigitWatch } from './lost-digits.js';
import { MAX_DEPTH } from './parse-json.js';
import { MERGE, mergeFault, mergeMappings } from './yaml-merge.js';

/** @import { Path } from './parse-json.js' */
/** @import { Fault, FindPositions, LostDigits } from './types.js' */
/** @import { Document } from 'yaml' */

const OPTIONS = /** @type {const} */ ({
  version: '1.2',
  schema: 'core',
  strict: true,
  // nodeFault checks this: the library compares each key with all keys before it, 10 s for 20,000 keys.
  uniqueKeys: false,
  stringKeys: true,
  resolveKnownTags: false,
  // mergeMappings() does it: the library would copy the values of each source, and a source of a source twice.
  merge: false,
  prettyErrors: false,
  logLevel: 'error',
});
/** Expansions of one alias, the limit of the library against "billion laughs". */
const MAX_EXPANSIONS = 1000;
/** Aliases of a document: the library searches the anchor of each from the beginning. */
const MAX_ALIASES = 1000;
/**
 * Tokens of the lexer that stand for no text: a scalar follows, a document begins, a flow collection ends by an error.
 */
const SCALAR = '\u001f';
const CONTROLS = [SCALAR, '\u0002', '\u0018'];
const TOO_DEEP = 'nested too deeply';
const UNQUOTED = 'put text with #{…} or #<…> in quotes: unquoted';

/**
 * Parses one document of YAML. Errors, warnings, unknown tags and duplicate keys are faults, and so are template tokens
 * that YAML reads as a comment or a mapping. Mappings are merged (`<<: *base`). `lost`: numbers that have other digits
 * in the value.
 * @type {(text: string) => Promise<{ value?: unknown, fault?: Fault, lost?: LostDigits }>}
 */
export async function parseYaml(text) {
  const yaml = await import('yaml');
  const early = tokenFault(text, yaml);
  if (early) return { fault: early };
  try {
    const documents = yaml.parseAllDocuments(text, OPTIONS);
    if (!Array.isArray(documents) || documents.length === 0) return { value: null };
    const [document, second] = documents;
    const [error] = [...document.errors, ...document.warnings];
    const { fault, lost } = checkNodes(/** @type {Document} */ (document), yaml);
    if (error && !(fault && fault.offset < error.pos[0])) {
      const reason = error.code === 'RESOURCE_EXHAUSTION' ? TOO_DEEP : error.message;
      return { fault: { offset: error.pos[0], reason } };
    }
    if (fault) return { fault };
    if (second) return { fault: { offset: second.range[0], reason: 'a second document; write one document per file' } };
    return { ...valueOf(/** @type {Document} */ (document), yaml), ...(lost && { lost }) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { fault: { offset: 0, reason: /^merges/.test(error.message) ? error.message : TOO_DEEP } };
  }
}

/**
 * Finds the lines and columns (from 1) of values in YAML that {@link parseYaml} accepts, and in JSON: those of a
 * mapping by their keys. The text is parsed again when the first one is asked for.
 * @type {(text: string) => Promise<FindPositions>}
 */
export async function yamlPositions(text) {
  const yaml = await import('yaml');
  /** @type {Document[] | null} */
  let documents = null;
  return (paths) => {
    documents ??= /** @type {Document[]} */ (yaml.parseAllDocuments(text, OPTIONS));
    const [document] = documents;
    return paths.map((path) => positionOf(text, offsetOf(path, document, yaml)));
  };
}

/** @type {(path: Path, document: Document | undefined, yaml: typeof import('yaml')) => number} */
function offsetOf(path, document, yaml) {
  let node = /** @type {any} */ (document?.contents);
  let offset = node?.range?.[0] ?? 0;
  for (const key of path) {
    const parent = yaml.isAlias(node) ? node.resolve(/** @type {Document} */ (document)) : node;
    const items = yaml.isCollection(parent) ? /** @type {any[]} */ (parent.items) : [];
    const item = yaml.isMap(parent) ? items.find((pair) => String(pair.key) === String(key)) : items[Number(key)];
    if (item === undefined) break;
    node = yaml.isPair(item) ? item.value : item;
    offset = (yaml.isPair(item) ? /** @type {any} */ (item.key) : item)?.range?.[0] ?? offset;
  }
  return offset;
}

/** @type {(text: string, yaml: typeof import('yaml')) => Fault | undefined} */
function tokenFault(text, yaml) {
  const isTooDeep = depthCounter();
  let offset = 0;
  let previous = '';
  for (const token of new yaml.Lexer().lex(text)) {
    const isScalar = previous === SCALAR;
    if (isTooDeep(token, isScalar)) return { offset, reason: TOO_DEEP };
    if (!isScalar && /^#[{<]/.test(token)) return { offset, reason: `${UNQUOTED}, it begins a comment` };
    if (!isScalar && token === '{' && previous.endsWith('#'))
      return { offset: offset - 1, reason: `${UNQUOTED}, the brace begins a mapping` };
    if (isScalar || !CONTROLS.includes(token)) offset += token.length;
    previous = isScalar && token === SCALAR ? '' : token;
  }
  return undefined;
}

/**
 * Creates a function that receives each token and reports whether the text is nested deeper than about {@link
 * MAX_DEPTH}: a level of blocks is usually indented by two columns. The parser takes time quadratic in the depth, and
 * at about 4,000 levels V8 ends the process.
 * @type {() => (token: string, isScalar: boolean) => boolean}
 */
function depthCounter() {
  let open = 0;
  /** Columns of blocks on this line: at most one level each. */
  let columns = 0;
  let isLineStart = true;
  return (token, isScalar) => {
    if (!isScalar && CONTROLS.includes(token)) return false;
    if (!isScalar) {
      if (token === '[' || token === '{') open++;
      else if (token === ']' || token === '}') open--;
      else if (token === '-' || token === '?') columns++;
      else if (isLineStart && /^ +$/.test(token)) columns = token.length;
    }
    const isOver = open > MAX_DEPTH || columns > 2 * MAX_DEPTH;
    isLineStart = token.endsWith('\n');
    if (isLineStart) columns = 0;
    return isOver;
  };
}

/**
 * Finds the first duplicate key, merge of something else than mappings or number that is none, or the first alias after
 * {@link MAX_ALIASES}; and numbers that lose digits.
 * @type {(document: Document, yaml: typeof import('yaml')) => { fault?: Fault, lost?: LostDigits }}
 */
function checkNodes(document, yaml) {
  /** @type {Fault | undefined} */
  let fault;
  // Nested nodes are visited later, but may begin earlier.
  const found = (/** @type {Fault | undefined} */ one) => {
    if (one && (!fault || one.offset < fault.offset)) fault = one;
  };
  let aliases = 0;
  const digits = new DigitWatch();
  yaml.visit(document, {
    Alias(_, node) {
      if (++aliases <= MAX_ALIASES) return undefined;
      fault = { offset: node.range?.[0] ?? 0, reason: `more than ${MAX_ALIASES} aliases` };
      return yaml.visit.BREAK;
    },
    Scalar(_, { value, source = '', range }) {
      if (typeof value !== 'number') return;
      if (Number.isFinite(value)) digits.see(source, range?.[0] ?? 0);
      else found({ offset: range?.[0] ?? 0, reason: 'number is out of range' });
    },
    Map(_, map) {
      const keys = new Set();
      for (const pair of map.items) {
        const { key } = pair;
        if (!yaml.isScalar(key)) continue;
        if (keys.has(key.value)) return found({ offset: key.range?.[0] ?? 0, reason: 'Map keys must be unique' });
        keys.add(key.value);
        if (key.value !== '<<' || key.type !== 'PLAIN') continue;
        found(mergeFault(pair.value, { document, yaml, offset: key.range?.[0] ?? 0 }));
        key.value = MERGE;
      }
      return undefined;
    },
  });
  return { fault, lost: digits.lost };
}

/** @type {(document: Document, yaml: typeof import('yaml')) => { value?: unknown, fault?: Fault }} */
function valueOf(document, yaml) {
  try {
    const value = mergeMappings(document.toJS({ maxAliasCount: MAX_EXPANSIONS }));
    return { value: convertible(value, new Set()) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { fault: aliasFault(document, yaml, error) };
  }
}

/** @type {(document: Document, yaml: typeof import('yaml'), error: Error) => Fault} */
function aliasFault(document, yaml, error) {
  const anchors = new Set();
  let offset = -1;
  let reason = error.message;
  yaml.visit(document, {
    Alias(_, node) {
      if (offset < 0) offset = node.range?.[0] ?? 0;
      if (anchors.has(node.source)) return undefined;
      offset = node.range?.[0] ?? 0;
      reason = `alias *${node.source} has no anchor before it`;
      return yaml.visit.BREAK;
    },
    Value(_, node) {
      if (node.anchor) anchors.add(node.anchor);
    },
  });
  return { offset: Math.max(0, offset), reason };
}

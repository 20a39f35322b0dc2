import { isSecretName } from '../../../core/text/mask.js';
import { Code } from '../draft.js';
import { variableName } from '../environment-names.js';
import { hiddenInText } from '../secret-texts.js';
import { quoted } from '../write-flow.js';
import { token } from '../tokens.js';
import { freeName, isReserved, tokenName } from '../variables.js';
import { isChanged, isPrimitive, isStructure, Sym, sym } from './values.js';
import { isText } from './texts.js';
import { linearOf, sourceOf } from './sources.js';

/** @typedef {any} Value */
/** @import { OperationDraft } from '../import.js' */

/** A value that no flow can have: the request is written as a comment. */
export class Untranslated extends Error {
  /** @param {Value} value @param {string} [why] */
  constructor(value, why) {
    super(why ?? value?.why ?? 'its value is not known');
    this.node = value?.node;
  }
}

/** Methods and functions that an expression of the flow may call: pure ones, which lead nowhere else. */
const METHODS = new Set(
  (
    'toString toFixed toUpperCase toLowerCase trim trimStart trimEnd substring substr slice charAt charCodeAt padStart ' +
    'padEnd repeat replace replaceAll split join concat includes indexOf lastIndexOf startsWith endsWith at ' +
    'getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds toISOString toJSON toLocaleString'
  ).split(' '),
);
const FUNCTIONS = new Set(
  (
    'Number String Boolean parseInt parseFloat encodeURIComponent decodeURIComponent encodeURI isNaN ' +
    'Math.floor Math.ceil Math.round Math.trunc Math.abs Math.min Math.max Math.pow Math.sqrt Math.sign JSON.stringify'
  ).split(' '),
);
const MEMBER = /^(?!constructor$|prototype$|__)[A-Za-z_$][\w$]*$/;

/** Writes values of a script as texts with tokens, as JSON, and as code of the flow. */
export class Renderer {
  /** Functions of the flow's `tokens`. @type {Record<string, Code>} */
  tokens = {};
  /** Feeders. @type {Record<string, any>} */
  data = {};
  /**
   * Uses of values that change with each call.
   * @type {{ leaf: Sym, value: Sym, name?: string, draft: OperationDraft | null, short?: string }[]}
   */
  #uses = [];
  #names = new Set();
  /** Names of values that are made once. @type {Set<string>} */
  #kept = new Set();
  /** How many conditions hold where a value is read. */
  conditions = 0;
  /** How many conditions each operation has. @type {WeakMap<OperationDraft, number>} */
  conditionsOf = new WeakMap();
  keepsSecrets = false;
  /** @type {Set<string>} */
  notes = new Set();
  /** Lists whose rows follow the virtual users. @type {Set<string>} */
  byUser = new Set();
  /** The numbers by which the rows of a list are read. @type {Map<string, Set<string>>} */
  numbers = new Map();
  /** By their source. @type {Map<OperationDraft, Map<string, string>>} */
  #captures = new Map();
  /** @type {Map<any, string>} */
  #rowNames = new Map();
  /** The operation that is being written. @type {OperationDraft | null} */
  draft = null;
  /** 'init', 'before', 'main', 'after' */
  phase = 'init';
  /** Writes a value as text. @type {(value: Value) => string} */
  text(value) {
    if (Array.isArray(value))
      return value.map((one) => (one === null || one === undefined ? '' : this.text(one))).join(',');
    if (!(value instanceof Sym)) {
      if (isStructure(value)) return '[object Object]';
      if (!isPrimitive(value)) throw new Untranslated(value);
      return String(value);
    }
    if (isChanged(value)) throw new Untranslated(value, 'the script changes a part of it');
    const { type } = /** @type {any} */ (value);
    if (type === 'template') {
      const { parts, hint } = /** @type {any} */ (value);
      if (parts.length === 1) parts[0].hint ??= hint;
      return parts.map((/** @type {Value} */ one) => this.text(one)).join('');
    }
    if (type === 'whole') return token(this.#function(/** @type {any} */ (value).value));
    if (type === 'global' && /** @type {any} */ (value).name === 'String')
      return this.text(/** @type {any} */ (value).args[0]);
    if (type === 'stringify' && isFlat(/** @type {any} */ (value).value))
      return JSON.stringify(/** @type {any} */ (value).value);
    return this.#token(value);
  }

  /** Writes a value as JSON, with tokens that keep its type. @type {(value: Value) => any} */
  json(value) {
    if (value === undefined) return undefined;
    if (isPrimitive(value)) return value;
    if (Array.isArray(value)) return value.map((one) => this.json(one) ?? null);
    if (isStructure(value)) {
      const members = Object.entries(value).map(([key, one]) => [key, this.json(one)]);
      return Object.fromEntries(members.filter(([, one]) => one !== undefined));
    }
    if (!(value instanceof Sym)) return undefined;
    if (isChanged(value)) return this.function(value);
    return /** @type {any} */ (value).type === 'row' ? this.#rowAsJson(value) : this.#typed(value);
  }

  /** @type {(row: any) => any} */
  #rowAsJson(row) {
    const [first] = row.rows.list ?? [];
    if (!isStructure(first) || Array.isArray(first)) return this.#token(row);
    return Object.fromEntries(Object.keys(first).map((key) => [key, this.#column(row, [key])]));
  }

  /** A token that is a whole value of JSON keeps its type. @type {(value: any) => string} */
  #typed(value) {
    const written = this.text(value);
    if (value.type === 'index') return written.replace(/\}$/, ':number}');
    const isWhole = /^#\{[^{}]*\}$/.test(written);
    return isWhole && isText(value) && value.type !== 'env' ? written.replace(/\}$/, ':text}') : written;
  }

  /** Writes a value as an expression of the flow. @type {(value: Value, needs: Set<string>) => string} */
  code(value, needs) {
    if (Array.isArray(value)) return `[${value.map((one) => this.code(one, needs)).join(', ')}]`;
    if (value === undefined) return 'undefined';
    if (typeof value === 'string') {
      if (!this.keepsSecrets && hiddenInText(value) !== value)
        throw new Untranslated({}, 'its code would have a secret');
      return quoted(value);
    }
    if (isPrimitive(value)) return String(value);
    if (isStructure(value)) {
      const members = Object.entries(value).map(
        ([key, one]) => `${MEMBER.test(key) ? key : quoted(key)}: ${this.#secret(key, one) ?? this.code(one, needs)}`,
      );
      return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
    }
    if (!(value instanceof Sym)) throw new Untranslated(value);
    if (isChanged(value)) return this.#changed(value, needs);
    const source = sourceOf(value);
    if (source) {
      needs.add('vars');
      return `vars.${this.#capture(source)}`;
    }
    return this.#expression(value, needs);
  }

  /** A part of a response, with what the script has set. @type {(value: any, needs: Set<string>) => string} */
  #changed({ type, own, ...fields }, needs) {
    const names = Object.keys(own);
    if (!names.every((name) => MEMBER.test(name)))
      throw new Untranslated({ node: fields.node }, 'the script changes a part of it');
    const whole = this.code(sym(type, fields), needs);
    return `({ ...${whole}, ${this.code(own, needs).replace(/^\{ | \}$/g, '')} })`;
  }

  /** A secret in code is a variable of the environment. @type {(key: string, value: Value) => string | undefined} */
  #secret(key, value) {
    if (this.keepsSecrets || typeof value !== 'string' || value === '' || !isSecretName(key)) return undefined;
    const name = variableName(key);
    this.notes.add(`The code of the flow reads the variable ${name} of the environment: set it.`);
    return `process.env.${name}`;
  }

  /** A function of the flow that returns a value. @type {(value: Value) => Code} */
  function(value) {
    /** @type {Set<string>} */
    const needs = new Set();
    const body = this.code(value, needs);
    return functionOf(body, needs);
  }

  /** @type {(value: any, needs: Set<string>) => string} */
  #expression(value, needs) {
    const write = EXPRESSIONS[value.type];
    const inner = (/** @type {Value} */ one) => this.code(one, needs);
    const operand = (/** @type {Value} */ one) => {
      const text = inner(one);
      const isJoined =
        one instanceof Sym && /^(?:binary|logical|conditional|unary|vu)$/.test(/** @type {any} */ (one).type);
      return isJoined && !sourceOf(one) ? `(${text})` : text;
    };
    if (value.type === 'leaf') return this.#once(value, needs);
    if (value.type === 'row' || value.type === 'column') return this.#rowCode(value, needs);
    const isCondition = value.type === 'conditional' || value.type === 'logical';
    if (isCondition) this.conditions++;
    const text = write?.(value, { needs, inner, operand });
    if (isCondition) this.conditions--;
    if (text === undefined) throw new Untranslated(value);
    return text;
  }

  /** Writes a value that is made once by an iteration or a user. @type {(leaf: any, needs: Set<string>) => string} */
  #once(leaf, needs) {
    if (leaf.phase === 'before' && this.phase !== 'before')
      throw new Untranslated(leaf, 'setup makes it once for the whole run');
    const context = leaf.phase === 'init' ? 'vuCtx' : 'iterCtx';
    needs.add(context);
    leaf.name ??= freeName(tokenName(leaf.hint ?? leaf.word), (one) => this.#kept.has(one));
    this.#kept.add(leaf.name);
    this.#uses.push({ leaf, value: leaf, draft: null });
    return `(${context}.${leaf.name} ??= ${leaf.code})`;
  }

  /** @type {(value: any, needs: Set<string>) => string} */
  #rowCode(value, needs) {
    const { row = value, path = [] } = value;
    needs.add('data');
    const members = row.rows.list && !isStructure(row.rows.list[0]) ? ['value'] : path;
    const steps = members.map((/** @type {any} */ one) => (MEMBER.test(one) ? `.${one}` : `[${quoted(String(one))}]`));
    return `data.${this.#rowName(row)}${steps.join('')}`;
  }

  /** @type {(value: any) => string} */
  #token(value) {
    if (value.type === 'env') return token(`env.${value.name}`);
    if (value.type === 'index') return this.#inIterations(value, token('INDEX'));
    if (value.type === 'row' && value.rows.list && !isStructure(value.rows.list[0])) return this.#column(value, []);
    if (value.type === 'column') return this.#column(value.row, value.path);
    const source = sourceOf(value);
    if (source) return token(this.#capture(source));
    const short = shortToken(value);
    if (short) {
      const { leaf, text } = short;
      if (leaf.phase === 'before' && this.phase !== 'before')
        throw new Untranslated(leaf, 'setup makes it once for the whole run');
      this.#uses.push({ leaf, value, draft: leaf.phase === 'init' ? null : this.draft, short: text });
      return token(`use${this.#uses.length - 1}`);
    }
    return token(this.#function(value));
  }

  /** @type {(value: any, text: string) => string} */
  #inIterations(value, text) {
    if (this.phase !== 'main') throw new Untranslated(value, 'it is the number of an iteration');
    return text;
  }

  /** Adds a token of the flow. @type {(value: any) => string} */
  #function(value) {
    if (value.tokenName !== undefined) return value.tokenName;
    const code = this.function(value);
    const name = this.#free(tokenName(value.hint ?? NAMES[value.type] ?? 'value'));
    this.tokens[name] = code;
    value.tokenName = name;
    return name;
  }

  /** @type {(name: string) => string} */
  #free(name) {
    const free = freeName(isReserved(name) ? `${name}Value` : name, (one) => this.#names.has(one));
    this.#names.add(free);
    return free;
  }

  /** @type {(found: import('./sources.js').Found) => string} */
  #capture({ draft, source, name }) {
    if (draft.disabled !== undefined) throw new Untranslated({}, 'its request is left out');
    const known = this.#captures.get(draft) ?? new Map();
    this.#captures.set(draft, known);
    const key = JSON.stringify(source);
    const free = known.get(key) ?? this.#free(tokenName(name));
    known.set(key, free);
    const { capture = {} } = draft.operation;
    const isOptional = (!(free in capture) || hasDefault(capture[free])) && this.isOptional(draft);
    draft.operation.capture = { ...capture, [free]: isOptional ? optional(source) : source };
    return free;
  }

  /** A part of a response that only a condition reads may be missing. @type {(draft: OperationDraft) => boolean} */
  isOptional(draft) {
    return this.conditions > (this.conditionsOf.get(draft) ?? 0);
  }

  /** @type {(row: any, path: (string | number)[]) => string} */
  #column(row, path) {
    this.#inIterations(row, '');
    const list = row.rows.list;
    const names = list && !isStructure(list[0]) ? ['value'] : path;
    if (names.length === 0 || !names.every((one) => /^\w+$/.test(String(one))))
      throw new Untranslated(row, 'a row is no text');
    return token([this.#rowName(row), ...names].join('.'));
  }

  /** @type {(row: any, list: string) => void} */
  #noteRow({ byUser, order, number }, list) {
    if (byUser) this.byUser.add(list);
    if (order === 'sequential') this.numbers.set(list, (this.numbers.get(list) ?? new Set()).add(number));
  }

  /** Adds the feeder of a row. @type {(row: any) => string} */
  #rowName(row) {
    const { rows, order } = row;
    const same = order === 'sequential' ? rows : row;
    const known = this.#rowNames.get(same);
    const name = known ?? this.#free(tokenName(row.hint ?? rows.hint ?? 'row'));
    this.#noteRow(row, rows.hint ?? name);
    if (known !== undefined) return known;
    this.#rowNames.set(same, name);
    const given = rows.list
      ? {
          rows: rows.list.map((/** @type {Value} */ one) =>
            isStructure(one) && !Array.isArray(one) ? this.#plain(one) : { value: this.#plain(one) },
          ),
        }
      : {
          file: rows.path,
          ...(rows.columns && { columns: rows.columns }),
          ...(rows.delimiter && { delimiter: rows.delimiter }),
        };
    this.data[name] =
      order === 'sequential' && Object.keys(given).join() === 'file'
        ? rows.path
        : { ...given, ...(order !== 'sequential' && { order }) };
    return name;
  }

  /** @type {(value: Value) => any} */
  #plain(value) {
    if (isPrimitive(value)) return value;
    if (Array.isArray(value)) return value.map((one) => this.#plain(one));
    if (!isStructure(value)) throw new Untranslated(value);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#plain(one)]));
  }

  /** Writes changing values: built-in tokens if one operation alone has them. @type {() => (text: string) => string} */
  finish() {
    /** @type {Map<Sym, Set<any>>} */
    const drafts = new Map();
    for (const { leaf, draft } of this.#uses) drafts.set(leaf, (drafts.get(leaf) ?? new Set()).add(draft ?? leaf));
    /** @type {Map<any, { leaf: Sym, short: string }[]>} */
    const inDraft = new Map();
    const names = this.#uses.map(({ leaf, value, draft, short }) => {
      if (short === undefined) return '';
      const own = drafts.get(leaf);
      if (draft === null || !own || own.size > 1) return this.#function(value);
      const all = inDraft.get(draft) ?? [];
      inDraft.set(draft, all);
      if (!all.some((one) => one.leaf === leaf && one.short === short)) all.push({ leaf, short });
      const others = all.filter((one) => one.short === short).findIndex((one) => one.leaf === leaf);
      return others === 0 ? short : short.replace(/^\w+/, `$&.${others + 1}`);
    });
    return (text) => text.replace(/use(\d+)(?=[:}])/g, (whole, number) => names[number] ?? whole);
  }
}

/** @type {(source: any) => any} */
function optional(source) {
  if (typeof source === 'string') return { json: source, default: null };
  return source.status ? source : { ...source, default: null };
}

/** @type {(source: any) => boolean} */
function hasDefault(source) {
  return typeof source === 'object' && 'default' in source;
}

/** Names of values without a variable. @type {Record<string, string>} */
const NAMES = { vu: 'user', iter: 'iteration', stringify: 'body', template: 'text' };

/** @type {(value: Value) => boolean} */
function isFlat(value) {
  return isPrimitive(value) || (isStructure(value) && Object.values(value).every(isFlat));
}

/** The operators that say the contrary. @type {Record<string, string>} */
const CONTRARY = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const ITERATION =
  '(vuCtx.index === index ? vuCtx.count : ((vuCtx.index = index), (vuCtx.count = (vuCtx.count ?? -1) + 1)))';

/**
 * How symbols are written as code, by their types; undefined: they cannot.
 * @type {Record<string, (value: any, to: { needs: Set<string>, inner: (one: Value) => string, operand: (one: Value) =>
 *   string }) => string | undefined>}
 */
const EXPRESSIONS = {
  env: ({ name }) => `process.env.${name}`,
  vu: (_, { needs }) => (needs.add('vu'), 'vu + 1'),
  index: (_, { needs }) => (needs.add('index'), 'index'),
  iter: (_, { needs }) => (needs.add('index').add('vuCtx'), ITERATION),
  binary: ({ operator, left, right }, { operand }) => `${operand(left)} ${operator} ${operand(right)}`,
  logical: ({ operator, left, right }, { operand }) => `${operand(left)} ${operator} ${operand(right)}`,
  unary({ operator, argument }, { operand }) {
    const contrary = operator === '!' && argument?.type === 'binary' ? CONTRARY[argument.operator] : undefined;
    if (contrary) return `${operand(argument.left)} ${contrary} ${operand(argument.right)}`;
    return `${operator}${operator === 'typeof' ? ' ' : ''}${operand(argument)}`;
  },
  conditional: ({ test, yes, no }, { operand }) => `${operand(test)} ? ${operand(yes)} : ${operand(no)}`,
  template({ parts }, { inner }) {
    const texts = parts.map((/** @type {Value} */ one) =>
      typeof one === 'string' ? escaped(one) : `\${${inner(one)}}`,
    );
    return `\`${texts.join('')}\``;
  },
  stringify: ({ value }, { inner }) => `JSON.stringify(${inner(value)})`,
  regexp: ({ source, flags }) => `/${source}/${flags}`,
  global: ({ name, args }, { inner }) => (FUNCTIONS.has(name) ? `${name}(${args.map(inner).join(', ')})` : undefined),
  call: ({ object, method, args }, { inner, operand }) =>
    METHODS.has(method) ? `${operand(object)}.${method}(${args.map(inner).join(', ')})` : undefined,
  member({ object, key }, { operand }) {
    if (typeof key === 'number') return `${operand(object)}[${key}]`;
    return typeof key === 'string' && MEMBER.test(key) ? `${operand(object)}.${key}` : undefined;
  },
};

/** @type {(text: string) => string} */
function escaped(text) {
  return text
    .replace(/[\\`]|\$(?=\{)/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** Writes `({ vars }) => …`. @type {(body: string, needs: Set<string>) => Code} */
export function functionOf(body, needs) {
  const given = needs.size === 0 ? '()' : `({ ${[...needs].join(', ')} })`;
  return new Code(`${given} => ${body.startsWith('{') ? `(${body})` : body}`);
}

/** Methods of a date that are tokens. @type {Record<string, string>} */
const DATES = { getTime: 'timestampMs', valueOf: 'timestampMs', toISOString: 'isoTimestamp', toJSON: 'isoTimestamp' };

/** The built-in token of a value that changes. @type {(value: any) => { leaf: any, text: string } | undefined} */
function shortToken(value) {
  if (value.type === 'leaf') return value.token && { leaf: value, text: value.token };
  if (value.type === 'call' && value.object?.word === 'date' && DATES[value.method])
    return { leaf: value.object, text: DATES[value.method] };
  const seconds = secondsOf(value);
  if (seconds) return { leaf: seconds, text: 'timestamp' };
  const { leaf, factor, start, isWhole } = linearOf(value) ?? { factor: 0, start: 0 };
  const isPlain = isWhole && factor >= 1 && Number.isInteger(factor) && Number.isInteger(start);
  return isPlain ? { leaf, text: `randomInt(${start},${start + factor - 1})` } : undefined;
}

/** `Math.floor(Date.now() / 1000)` @type {(value: any) => any} */
function secondsOf({ type, name, args }) {
  const { operator, left, right } = (type === 'global' && /^Math\.(?:floor|trunc)$/.test(name) && args[0]) || {};
  return operator === '/' && right === 1000 && left?.token === 'timestampMs' ? left : undefined;
}

import { defineHidden, ENTRIES, isFollowed, itemsOf, KIND } from './collections.js';
import { changed, eachOf } from './lists.js';
import { isPlainList, template } from './texts.js';
import { accessor, harmless, isPrimitive, isStructure, Native, object, Sym, sym, Thrown, unknown } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */
/** @typedef {{ address: Value, search: Value, hash: Value }} State search: null if its parameters were changed */

/** Parts of a URL that are those of `URL` of Node. */
const PARTS = ['protocol', 'host', 'hostname', 'port', 'pathname', 'hash', 'username', 'password', 'origin'];

/** `URL` and `URLSearchParams` of jslib.k6.io/url. @type {() => Record<string, Native>} */
export function ofUrls() {
  return {
    URL: new Native('URL', ([given, base], node, run) => {
      const texts = [given, base].map((one) => textOf(run, one, node));
      const read = readUrl(texts[0], texts[1]);
      if (!read && texts.every((one) => isPrimitive(one))) throw new Thrown();
      return read ? newUrl(read, node) : harmless({ node, why: 'its URL is not known' });
    }),
    URLSearchParams: new Native('URLSearchParams', ([given], node, run) => {
      const pairs = pairsOf(run, given);
      return pairs ? newParams(pairs, node) : harmless({ node, why: 'its parameters are not known' });
    }),
  };
}

/**
 * The text of an object with a method for it; `method`: one that comes before toString.
 * @type {(run: Interpreter, value: Value, node: Node, method?: string) => Value}
 */
export function textOf(run, value, node, method = 'toString') {
  const own = isStructure(value) && !Array.isArray(value) ? (value[method] ?? value.toString) : undefined;
  return own === undefined ? value : run.call(own, [], node);
}

/** Splits a URL whose query is known. @type {(url: Value, base?: Value) => State & { query: string } | undefined} */
function readUrl(url, base) {
  if (typeof url === 'string' && (base === undefined || typeof base === 'string')) {
    if (!URL.canParse(url, base)) return undefined;
    const { href, search, hash } = new URL(url, base);
    return { address: href.replace(/[?#].*$/s, ''), search, query: search, hash };
  }
  if (base !== undefined || !(url instanceof Sym)) return undefined;
  const { type, parts = [], node } = /** @type {any} */ (url);
  const from = parts.findIndex((/** @type {Value} */ one) => /[?#]/.test(isPrimitive(one) ? one : ''));
  if (type !== 'template' || from < 0) return { address: url, search: '', query: '', hash: '' };
  const [, before, search, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(parts[from]) ?? [];
  if (from < parts.length - 1) return undefined;
  return { address: template([...parts.slice(0, from), before], node), search, query: search ?? '', hash: hash ?? '' };
}

/** @type {(read: State & { query: string }, node: Node) => Value} */
function newUrl({ query, ...read }, node) {
  const state = object(read);
  const params = newParams(pairsOfText(query), node, (run) => run.memory.write(state, 'search', null));
  /** @type {(at: Node, run: Interpreter) => Value} */
  const search = (at, run) => {
    run.memory.readsWhole([state]);
    if (state.search instanceof Sym) return harmless({ node: at, why: 'only a run knows its parameters' });
    if (state.search !== null) return state.search === '?' ? '' : state.search;
    const text = textOf(run, params, at);
    return text === '' ? '' : template(['?', text], at);
  };
  const href = new Native('href', (_, at, run) => template([state.address, search(at, run), state.hash], at));
  /** @type {(run: Interpreter, next: (State & { query: string }) | undefined, at: Node) => void} */
  const become = (run, next, at) => {
    const unread = harmless({ node: at, why: 'its URL is not known' });
    const { address, search: own, hash, query: pairs } = next ?? { address: unread, search: '', hash: '', query: '' };
    for (const [key, value] of Object.entries({ address, search: own, hash })) run.memory.write(state, key, value);
    changed(run, params[ENTRIES], 'splice', [0, params[ENTRIES].length, ...pairsOfText(pairs)]);
  };
  /** @type {(name: any, get?: Native) => Sym} */
  const part = (name, get) =>
    accessor(
      {
        get:
          get ??
          new Native(name, (_, at, run) => {
            run.memory.readsWhole([state]);
            const { address, hash } = state;
            if (![address, hash].every((one) => typeof one === 'string')) return harmless({ node: at });
            return /** @type {any} */ (new URL(address + hash))[name];
          }),
        set: new Native(name, ([value], at, run) => {
          const whole = run.call(href, [], at);
          const changedUrl = typeof whole === 'string' && isPrimitive(value) ? new URL(whole) : undefined;
          if (changedUrl) /** @type {any} */ (changedUrl)[name] = String(value);
          become(run, changedUrl && readUrl(changedUrl.href), at);
        }),
      },
      node,
    );
  return defineHidden(object(), {
    '[[state]]': state,
    searchParams: params,
    href: part('href', href),
    search: part('search', new Native('search', (_, at, run) => search(at, run))),
    ...Object.fromEntries(PARTS.map((name) => [name, part(name)])),
    toString: href,
    toJSON: href,
  });
}

/** @type {(text: string) => Value[][]} */
function pairsOfText(text) {
  return [...new URLSearchParams(text)];
}

/**
 * The names and values of a query; undefined: only a run knows them.
 * @type {(run: Interpreter, given: Value) => Value[][] | undefined}
 */
function pairsOf(run, given) {
  if (given === undefined) return [];
  if (typeof given === 'string') return pairsOfText(given);
  const items = itemsOf(run, given) ?? (isStructure(given) ? Object.entries(given) : undefined);
  return items?.every((one) => Array.isArray(one) && one.length === 2) ? items : undefined;
}

/** @type {(pairs: Value[][], node: Node, onChange?: (run: Interpreter) => void) => Value} */
function newParams(pairs, node, onChange = () => {}) {
  const written = (/** @type {Value} */ one) => {
    if (isPrimitive(one) || isPlainList(one)) return String(one);
    return isStructure(one) ? unknown(node, 'an object is written as a text') : one;
  };
  const entries = pairs.map((pair) => pair.map(written));
  const at = (/** @type {Value} */ name) => entries.findIndex(([own]) => own === written(name));
  /** @type {(name: string, act: (args: Value[], run: Interpreter, node: Node) => Value) => [string, Native]} */
  const read = (name, act) => [
    name,
    new Native(name, (args, place, run) =>
      isFollowed(run, entries) ? act(args, run, place) : run.unfollowed(harmless({ node: place }), args, place),
    ),
  ];
  /** @type {typeof read} */
  const change = (name, act) => read(name, (args, run, place) => (onChange(run), act(args, run, place)));
  const remove = (/** @type {Interpreter} */ run, /** @type {Value} */ name, /** @type {number} */ from) => {
    for (let i = entries.length - 1; i >= from; i--)
      if (entries[i][0] === written(name)) changed(run, entries, 'splice', [i, 1]);
  };
  const push = (/** @type {Interpreter} */ run, /** @type {Value[]} */ pair) =>
    void changed(run, entries, 'push', [pair.map(written)]);
  return defineHidden(object(), {
    [ENTRIES]: entries,
    [KIND]: 'Map',
    ...Object.fromEntries([
      change('append', ([name, value], run) => push(run, [name, value])),
      change('set', ([name, value], run) => {
        if (at(name) < 0) return push(run, [name, value]);
        remove(run, name, at(name) + 1);
        run.memory.write(entries[at(name)], 1, written(value));
      }),
      change('delete', ([name], run) => remove(run, name, 0)),
      change('sort', (_, run) => {
        const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        for (const [i, one] of sorted.entries()) run.memory.write(entries, i, one);
      }),
      read('get', ([name]) => entries[at(name)]?.[1] ?? null),
      read('getAll', ([name]) => entries.filter(([own]) => own === written(name)).map(([, value]) => value)),
      read('has', ([name]) => at(name) >= 0),
      read('keys', () => entries.map(([name]) => name)),
      read('values', () => entries.map(([, value]) => value)),
      read('entries', () => entries.map((one) => [...one])),
      read('forEach', ([fn], run, place) => {
        let i = -1;
        return eachOf(run, () => (++i < entries.length ? [entries[i][1], entries[i][0]] : null), fn, place);
      }),
      read('toString', (_, __, place) =>
        template(
          entries.flatMap((one, i) => encodedPair(one, i, place)),
          place,
        ),
      ),
    ]),
  });
}

/** `&name=value`, as a form has it. @type {(pair: Value[], i: number, node: Node) => Value[]} */
function encodedPair(pair, i, node) {
  const [name, value] = pair.map((one) =>
    typeof one === 'string'
      ? new URLSearchParams([['', one]]).toString().slice(1)
      : sym('global', { name: 'encodeURIComponent', args: [one], node }),
  );
  return [...(i > 0 ? ['&'] : []), name, '=', value];
}

import { defineHidden, ENTRIES, itemsOf, KIND } from './collections.js';
import { changed, eachOf } from './lists.js';
import { template } from './texts.js';
import { accessor, harmless, isPrimitive, isStructure, Native, object, Sym, sym } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */
/** @typedef {{ address: Value, search?: string, hash: string }} State search: unless its parameters were changed */

/** Parts of a URL that are those of `URL` of Node. */
const PARTS = /** @type {const} */ (['protocol', 'host', 'hostname', 'port', 'pathname', 'username', 'password']);

/** `URL` and `URLSearchParams` of jslib.k6.io/url. @type {() => Record<string, Native>} */
export function ofUrls() {
  return {
    URL: new Native('URL', ([given, base], node, run) => {
      const read = readUrl(textOf(run, given, node), base && textOf(run, base, node));
      return read ? newUrl(read, node) : harmless({ node, why: 'its URL is not known' });
    }),
    URLSearchParams: new Native('URLSearchParams', ([given], node, run) => {
      const pairs = pairsOf(run, given);
      return pairs ? newParams(pairs, node) : harmless({ node, why: 'its parameters are not known' });
    }),
  };
}

/**
 * The text of an object with a method for it.
 * @type {(run: Interpreter, value: Value, node: Node) => Value}
 */
export function textOf(run, value, node) {
  const own = isStructure(value) && !Array.isArray(value) ? value.toString : undefined;
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
  const params = newParams([...new URLSearchParams(query)], node, (run) =>
    run.memory.write(state, 'search', undefined),
  );
  const search = (/** @type {Node} */ at, /** @type {Interpreter} */ run) => {
    if (state.search !== undefined) return state.search === '?' ? '' : state.search;
    const text = textOf(run, params, at);
    return text === '' ? '' : template(['?', text], at);
  };
  const href = new Native('href', (_, at, run) => {
    run.memory.readsWhole([state]);
    return template([state.address, search(at, run), state.hash], at);
  });
  /** @type {(name: any) => Sym} */
  const part = (name) =>
    accessor(
      {
        get: new Native(name, (_, at) =>
          typeof state.address === 'string'
            ? new URL(state.address)[/** @type {'host'} */ (name)]
            : harmless({ node: at }),
        ),
        set: new Native(name, ([value], at, run) => {
          const isKnown = typeof state.address === 'string' && isPrimitive(value);
          const changed = isKnown ? new URL(state.address) : undefined;
          if (changed) changed[/** @type {'host'} */ (name)] = String(value);
          run.memory.write(state, 'address', changed?.href ?? harmless({ node: at, why: `its ${name} is not known` }));
        }),
      },
      node,
    );
  return defineHidden(object(), {
    '[[state]]': state,
    href: accessor({ get: href }, node),
    searchParams: params,
    search: accessor({ get: new Native('search', (_, at, run) => search(at, run)) }, node),
    hash: accessor({ get: new Native('hash', () => state.hash) }, node),
    ...Object.fromEntries(PARTS.map((name) => [name, part(name)])),
    origin: part('origin'),
    toString: href,
    toJSON: href,
  });
}

/**
 * The names and values of a query; undefined: only a run knows them.
 * @type {(run: Interpreter, given: Value) => Value[][] | undefined}
 */
function pairsOf(run, given) {
  if (given === undefined) return [];
  if (typeof given === 'string') return [...new URLSearchParams(given)];
  const items = itemsOf(run, given) ?? (isStructure(given) ? Object.entries(given) : undefined);
  return items?.every((one) => Array.isArray(one) && one.length === 2) ? items : undefined;
}

/** @type {(pairs: Value[][], node: Node, onChange?: (run: Interpreter) => void) => Value} */
function newParams(pairs, node, onChange = () => {}) {
  const written = (/** @type {Value} */ one) => (isPrimitive(one) ? String(one) : one);
  const entries = pairs.map((pair) => pair.map(written));
  const at = (/** @type {Value} */ name) => entries.findIndex(([own]) => own === written(name));
  /** @type {(name: string, act: (args: Value[], run: Interpreter, node: Node) => Value) => [string, Native]} */
  const read = (name, act) => [
    name,
    new Native(name, (args, place, run) => {
      run.memory.readsWhole([entries]);
      return act(args, run, place);
    }),
  ];
  /** @type {typeof read} */
  const change = (name, act) => read(name, (args, run, place) => (onChange(run), act(args, run, place)));
  const remove = (/** @type {Interpreter} */ run, /** @type {Value} */ name, /** @type {number} */ kept = 0) => {
    for (let i = entries.length - 1; i > at(name) - 1 + kept && i >= 0; i--)
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
        remove(run, name, 1);
        run.memory.write(entries[at(name)], 1, written(value));
      }),
      change('delete', ([name], run) => remove(run, name)),
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
        const all = entries.map(([name, value]) => [value, name]);
        return eachOf(run, all, fn, place);
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
